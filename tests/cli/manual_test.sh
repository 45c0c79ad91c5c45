#!/usr/bin/env bash
# The manual that the program writes of itself: a page a verb that man takes without a warning, and completions that
# complete. Usage: manual_test.sh KGWALK KGWALK_PROGRAM
set -euo pipefail
kgwalk=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

"$program" --manual "$folder"
for verb in $("$kgwalk" --help | awk '/^  [a-z][a-z-]*  / { print $1 }'); do
  [[ -s $folder/man1/kgwalk-$verb.1 ]] || fail "$verb has no page"
  # A hyphen is written "\\-" in roff.
  grep -qF "kgwalk\\-${verb//-/\\-}\\fR(1)" "$folder/man1/kgwalk.1" || fail "the page of kgwalk does not name $verb"
done
grep -q 'paths wanted (default 5)' "$folder/man1/kgwalk-plan.1" || fail "an option lacks its default"
grep -q 'SH kgwalk task mt train' "$folder/man1/kgwalk-task.1" || fail "a verb of a verb has no section"
if command -v man > /dev/null; then
  for page in "$folder"/man1/*.1; do
    warned=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 > /dev/null)
    [[ -z $warned ]] || fail "man warns of $page: $warned"
  done
fi

# completes WANTED WORD...: the last word is completed to this.
# shellcheck source=/dev/null
source "$folder/bash/kgwalk"
completes() {
  local wanted=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _kgwalk || true  # what names files is left to bash, which is not completing here
  [[ ${COMPREPLY[*]} == "$wanted" ]] || fail "'$*' is completed to '${COMPREPLY[*]}' instead of '$wanted'"
}
completes plan kgwalk pl
completes "--from --format" kgwalk plan --f
completes "text json dot html" kgwalk plan --format ""
completes dot kgwalk plan --from --goal --format d
completes mt kgwalk task m
completes train kgwalk task mt tr
completes --workspace kgwalk task mt train --works
completes "" kgwalk plan --db ""
if command -v zsh > /dev/null; then
  zsh -n "$folder/zsh/_kgwalk" || fail "zsh does not read its completion"
fi
exit $((failures > 0))
