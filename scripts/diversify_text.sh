#!/usr/bin/env bash
# More training text for a translator out of its own (data diversification, Nguyen et al., NeurIPS 2020): the text itself,
# its source sides with what other translators make of them, and its target sides with what translators of the
# other direction make of those.
#
#   scripts/diversify_text.sh SOURCE TARGET OUTPUT_FOLDER [--forward MODEL]... [--backward MODEL]... [-- options of task mt run]
#
# Writes OUTPUT_FOLDER/source and /target: (1 + models) times the lines, the text itself first, then a model's after
# another's. Translations are kept in the folder, one file a model: a stopped run is repeated and goes on with the next
# model; another text, model or option is translated anew. KGWALK names the program (default: build/release/cli/kgwalk, then what the path holds).
set -euo pipefail

usage() { sed -n '2,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
fail() { echo "diversify_text: $*" >&2; exit 1; }

[[ $# -ge 3 ]] || usage
source=$1 target=$2 out=$3
shift 3
sides=() models=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --forward | --backward) [[ $# -ge 2 ]] || usage; sides+=("${1#--}"); models+=("${2%/}"); shift 2 ;;
    --) shift; break ;;
    *) usage ;;
  esac
done
[[ ${#models[@]} -gt 0 ]] || usage

program=${KGWALK:-$(dirname "${BASH_SOURCE[0]}")/../build/release/cli/kgwalk}
[[ -n ${KGWALK:-} || -x $program ]] || program=kgwalk
command -v "$program" > /dev/null || fail "no program $program; build it, or name it in KGWALK"
for file in "$source" "$target"; do [[ -r $file ]] || fail "$file cannot be read"; done
for model in "${models[@]}"; do [[ -d $model ]] || fail "$model is no run or model folder"; done
lines_of() { awk 'END {print NR}' "$1"; }  # counts a last line without its end too, as the translator does
lines=$(lines_of "$source")
[[ $(lines_of "$target") == "$lines" ]] || fail "$source and $target differ in their number of lines"

mkdir -p "$out"
sources=("$source") targets=("$target")
for i in "${!models[@]}"; do
  if [[ ${sides[i]} == forward ]]; then text=$source; else text=$target; fi
  # The name tells what it was made of: no translation of another text, by other weights or options is taken for it.
  key=$({ printf '%s\n' "${models[i]}" "$@"; find -L "${models[i]}" -name '*.safetensors' -not -path '*/checkpoints/*' \
          -not -path '*/snapshots/*' -exec cksum {} + | sort; cat "$text"; } | cksum | tr ' ' '-')
  made=$out/${sides[i]}.$(basename "${models[i]}").$key
  if [[ ! -f $made ]]; then
    echo "${models[i]}: translating $lines lines of $text" >&2
    "$program" task mt run --model "${models[i]}" --batch 256 "$@" < "$text" > "$made.tmp"
    [[ $(lines_of "$made.tmp") == "$lines" ]] || fail "${models[i]} did not translate all lines of $text; repeat to go on"
    mv "$made.tmp" "$made"
  fi
  if [[ ${sides[i]} == forward ]]; then
    sources+=("$source") targets+=("$made")
  else
    sources+=("$made") targets+=("$target")
  fi
done
awk 1 "${sources[@]}" > "$out/source.tmp"
awk 1 "${targets[@]}" > "$out/target.tmp"
mv "$out/source.tmp" "$out/source"
mv "$out/target.tmp" "$out/target"
echo "$out/source and $out/target: $(lines_of "$out/source") pairs out of $lines" >&2
