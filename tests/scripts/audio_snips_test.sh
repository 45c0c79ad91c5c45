#!/usr/bin/env bash
# make_audio_snips.sh with stand-ins for its speaking programs: the manifest of a tiny SNIPS.
set -euo pipefail
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
# Each writes what it was to say into the file named behind -w or -o.
cat >"$folder/bin/espeak-ng" <<'END'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -w ] && file=$2; shift; done
echo "$1" >"$file"
END
cat >"$folder/bin/flite" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -t ] && text=$2; [ "$1" = -o ] && file=$2; shift; done
echo "$text" >"$file"
END
chmod +x "$folder"/bin/*
for part in train valid test; do
  mkdir -p "$folder/snips/$part"
  for i in 1 2 3 4; do
    echo "play  song \"$i\" by ann lee " >>"$folder/snips/$part/seq.in"
    echo "O O B-track O B-artist I-artist " >>"$folder/snips/$part/seq.out"
    echo "PlayMusic" >>"$folder/snips/$part/label"
  done
done
PATH=$folder/bin:$PATH sh "$script" "$folder/snips" "$folder/out" 2 2 1 3 7 9 >/dev/null
manifest=$folder/out/manifest.tsv
fail() { echo "$1"; cat "$manifest"; exit 1; }
[ "$(wc -l <"$manifest")" = 9 ] || fail "eight utterances and a line of names were expected"
[ "$(cut -f2 "$manifest" | sort | uniq -c | awk '{print $2 $1}' | tr '\n' ' ')" = "align2 dev1 split1 test3 train2 " ] ||
  fail "the splits have other sizes"
grep -q '\[\["track","[1-4]"\],\["artist","ann lee"\]\]	play song [1-4] by ann lee$' "$manifest" || fail "slots or text are wrong"
grep -q 'play song' "$folder/out/wav/00001.wav" || fail "nothing was said"
# Nobody speaks in training and test, no training sentence is aligned too.
[ -z "$(awk -F'\t' '$2=="test"{print $3}' "$manifest" | sort -u | grep -Fxf <(awk -F'\t' '$2!="test" && NR>1{print $3}' "$manifest"))" ] ||
  fail "a voice is in training and test"
[ "$(awk -F'\t' '$2=="align"||$2=="train"{print $6}' "$manifest" | sort -u | wc -l)" = 4 ] || fail "align and train share a sentence"
if PATH=$folder/bin:$PATH sh "$script" "$folder/snips" "$folder/out" 2>/dev/null; then fail "an existing manifest was written over"; fi
if PATH=$folder/bin:$PATH sh "$script" "$folder/snips" "$folder/more" 9 9 1 1 2>/dev/null; then fail "more sentences than there are were given"; fi
if PATH=/usr/bin:/bin sh "$script" "$folder/none" "$folder/more" 2>/dev/null; then fail "a missing SNIPS was no error"; fi
