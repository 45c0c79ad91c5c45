#!/usr/bin/env bash
# scripts/diversify_text.sh with a translator that only writes in capitals.
set -euo pipefail
script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

printf 'a dog\ntwo cats' > en  # no end of the last line
printf 'ein hund\nzwei katzen\n' > de
mkdir there back
cat > translator <<'END'
#!/usr/bin/env bash
[[ "$1 $2 $3" == "task mt run" ]] || exit 9
echo "$*" >> calls
if [[ -e broken ]]; then head -n 1; else awk 1 | tr a-z A-Z; fi
END
chmod +x translator
export KGWALK=$work/translator

"$script" en de out --forward there --backward back/ -- --set beam=2 2> log
diff out/source <(printf '%s\n' 'a dog' 'two cats' 'a dog' 'two cats' 'EIN HUND' 'ZWEI KATZEN')
diff out/target <(printf '%s\n' 'ein hund' 'zwei katzen' 'A DOG' 'TWO CATS' 'ein hund' 'zwei katzen')
grep -q -- '--model back .*--set beam=2' calls
grep -q '6 pairs out of 2' log

# What is translated is not translated again.
"$script" en de out --forward there --backward back -- --set beam=2 2> /dev/null
[[ $(wc -l < calls) == 2 ]]
# Other options, another text and other weights are.
"$script" en de out --forward there -- --set beam=3 2> /dev/null
printf 'a cat\ntwo cats\n' > en2
"$script" en2 de out --forward there -- --set beam=2 2> /dev/null
grep -q 'A CAT' out/target
echo trained > there/model.safetensors
"$script" en de out --forward there -- --set beam=2 2> /dev/null
[[ $(wc -l < calls) == 5 ]]

refuses() {
  local said=$1 status=0
  shift
  "$script" "$@" 2> log || status=$?
  [[ $status -ne 0 ]] && grep -q -- "$said" log || { echo "expected: $said, got status $status:"; cat log; exit 1; }
}
printf 'ein hund\n' > short
refuses 'differ in their number of lines' en short other --forward there
refuses 'no run or model folder' en de other --forward nowhere
refuses 'cannot be read' en nothing other --forward there
refuses 'scripts/diversify_text.sh SOURCE TARGET' en de other
refuses 'scripts/diversify_text.sh SOURCE TARGET' en de other --sideways there
touch broken
refuses 'did not translate all lines' en de third --forward there
[[ ! -e third/source ]]
