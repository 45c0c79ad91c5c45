#!/usr/bin/env bash
# Runs the examples of the pages as a reader would type them, page after page in one folder with the sample in data/.
# In a fenced block a line that begins with "$ " is a command, ended by a line without a backslash; it must end with status
# 0, or with another where what it prints begins with "kgwalk: ". Lines behind "> " are typed into `kgwalk chat`;
# `kgwalk serve` runs until the page ends; `cat FILE` shows a file that is made so. Blocks below <!-- not run: WHY --> are
# left out and counted. Of all other blocks every `kgwalk VERB --option` must be one that the program has.
# Usage: scripts/check_examples.sh PROGRAM [PAGE]...     exit 1 and what was said for the first example that fails
set -euo pipefail
[[ $# -ge 1 && -x $1 ]] || { echo "usage: scripts/check_examples.sh PROGRAM [PAGE]..." >&2; exit 2; }
program=$(realpath "$1")
shift
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
cd "$root"
pages=("$@")
[[ ${#pages[@]} -gt 0 ]] || pages=(docs/tutorial.md README.md docs/guides/*.md)

work=$(mktemp -d)
server=
stop_server() {
  [[ -z $server ]] || { kill "$server" 2> /dev/null; wait "$server" 2> /dev/null || true; }
  server=
}
trap 'stop_server; rm -rf "$work"' EXIT
mkdir -p "$work/at/runs" "$work/bin"
ln -s "$root/data" "$work/at/data"
ln -s "$root/scripts" "$work/at/scripts"
ln -s "$program" "$work/bin/kgwalk"
export PATH=$work/bin:$PATH KGWALK_CACHE=$work/cache KGWALK_THREADS=${KGWALK_THREADS:-0}
run=0 left_out=0 checked=0

# Writes each block of a page to a file of its own: line number, R(un), S(kipped) or T(emplate), then its lines.
blocks_of() {
  rm -rf "$work/blocks"
  mkdir "$work/blocks"
  awk -v to="$work/blocks" '
    /^```/ && !inside { inside = 1; n++; at = FNR; text = ""; kind = "T"; next }
    /^```/ && inside {
      inside = 0
      if (skip) kind = "S"
      printf "%d %s\n%s", at, kind, text > sprintf("%s/%04d", to, n)
      skip = 0
      next
    }
    inside { if ($0 ~ /^\$ /) kind = "R"; text = text $0 "\n"; next }
    /^<!-- not run: / { skip = 1; next }
    NF { skip = 0 }
  ' "$1"
}

fail() { printf '%s: %s\n%s\n' "$1" "$2" "$(tail -n 30 "$work/said" 2> /dev/null)"; exit 1; }

# One command with the lines that the page shows as what came.
try() {
  local where=$1 command=$2 shown=$3 expected=0 status=0
  : > "$work/said"
  run=$((run + 1))
  if [[ $command =~ ^cat\ ([A-Za-z0-9_.]+)$ && ! -e ${BASH_REMATCH[1]} ]]; then
    printf '%s' "$shown" > "${BASH_REMATCH[1]}"
    return
  fi
  if [[ $command == "kgwalk serve"* ]]; then
    stop_server
    eval "exec $command" > "$work/said" 2>&1 &
    server=$!
    for _ in $(seq 300); do
      grep -q 'kgwalk serves' "$work/said" && return
      kill -0 "$server" 2> /dev/null || break
      sleep 0.2
    done
    fail "$where" "the server did not start: $command"
  fi
  [[ $shown != "kgwalk: "* ]] || expected=1
  grep -E '^> ' <<< "$shown" | sed 's/^> //' > "$work/typed" || true
  eval "$command" < "$work/typed" > "$work/said" 2>&1 || status=$?
  [[ $((status != 0)) -eq $expected ]] || fail "$where" "status $status: $command"
}

run_block() {
  local page=$1 file=$2 number kind line command="" shown="" where
  { read -r number kind; } < "$file"
  while IFS= read -r line; do
    number=$((number + 1))
    if [[ $command == *\\ ]]; then
      command="${command%\\}$line"
    elif [[ $line == '$ '* ]]; then
      [[ -z $command ]] || try "$where" "$command" "$shown"
      command=${line#'$ '} shown="" where=$page:$number
    else
      shown+=$line$'\n'
    fi
  done < <(tail -n +2 "$file")
  [[ -z $command ]] || try "$where" "$command" "$shown"
}

# Verbs and options of a block that is not run, against the program's help.
check_block() {
  local page=$1 file=$2 number kind words verb below help option
  { read -r number kind; } < "$file"
  while IFS= read -r words; do
    read -r verb below _ <<< "$words"
    [[ $verb =~ ^[a-z-]+$ ]] || continue
    [[ $verb == task || $verb == listen || $verb == simulator || $verb == respond || $verb == recipe || $verb == eval ]] || below=
    [[ $verb != task || ! $below =~ ^[a-z]+$ ]] || below="$below $(awk '{ print $3 }' <<< "$words")"
    checked=$((checked + 1))
    # shellcheck disable=SC2086  # words of their own
    help=$(kgwalk "$verb" $below --help 2>&1) || { printf '%s' "$help" > "$work/said"; fail "$page:$number" "no command: $words"; }
    # A verb's own verbs take its options too.
    [[ -z $below ]] || help+=$(kgwalk "$verb" --help)$(kgwalk "$verb" "${below%% *}" --help)
    for option in $(grep -oE '(^| )--[a-z][a-z0-9-]*' <<< "$words"); do
      grep -qE -- "$option\b" <<< "$help" || { : > "$work/said"; fail "$page:$number" "no option $option: kgwalk $words"; }
    done
  done < <(tail -n +2 "$file" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' -e 's/ #.*//' | grep -oE '(^|[ (|;])kgwalk [a-z][^|;]*' | sed 's/^.*kgwalk //')
}

for page in "${pages[@]}"; do
  blocks_of "$root/$page"
  cd "$work/at"
  for file in "$work"/blocks/*; do
    [[ -e $file ]] || continue
    read -r _ kind < "$file"
    case $kind in
      R) run_block "$page" "$file" ;;
      S) left_out=$((left_out + 1)); check_block "$page" "$file" ;;
      T) check_block "$page" "$file" ;;
    esac
  done
  stop_server
  cd "$root"
done
echo "examples: $run commands run, $checked others have their options, $left_out blocks not run"
[[ $# -gt 0 || $run -ge 20 ]] || { echo "only $run examples were found: the test no longer sees them"; exit 1; }
