#!/bin/sh
# Makes a small Audio SNIPS: text of SNIPS spoken by espeak-ng and flite, voices of training and test disjoint.
#
#   scripts/make_audio_snips.sh SNIPS_FOLDER OUTPUT_FOLDER [ALIGN TRAIN DEV TEST [SEED [MOST_WORDS]]]
#
# SNIPS_FOLDER holds train, valid and test with seq.in, seq.out (IOB) and label. ALIGN and TRAIN sentences come from
# train (disjoint), DEV from valid, TEST from test, drawn with SEED among those of at most MOST_WORDS words. The
# output is wav files and manifest.tsv (docs/reference/formats/speech_understanding.md). Same arguments and versions
# of the two programs give the same files. Debian packages: espeak-ng flite.
set -eu

[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
snips=$1 out=$2
align=${3:-800} train=${4:-800} dev=${5:-150} test=${6:-300} seed=${7:-1} most=${8:-9}
for program in espeak-ng flite; do
  command -v "$program" >/dev/null || { echo "$program is not installed; apt-get install espeak-ng flite" >&2; exit 1; }
done
for part in train valid test; do
  for file in seq.in seq.out label; do
    [ -f "$snips/$part/$file" ] || { echo "$snips/$part/$file is missing" >&2; exit 1; }
  done
done
[ ! -e "$out/manifest.tsv" ] || { echo "$out/manifest.tsv is there already; choose another folder" >&2; exit 1; }
mkdir -p "$out/wav"

# program:voice:words a minute or stretch
train_voices="espeak:en-us:190 espeak:en-us+f3:180 espeak:en-gb:200 espeak:en-gb-scotland:190 espeak:en-gb-x-rp+m3:185 espeak:en-us+m7:205 flite:kal16:0.9 flite:awb:0.9 flite:rms:0.85"
test_voices="espeak:en-029:190 espeak:en-gb-x-gbcwmd+f4:190 flite:slt:0.9"

# PART SPLIT-SIZES...: chosen sentences as "split TAB text TAB intent TAB slots TAB voice".
choose() {
  part=$1; shift
  paste "$snips/$part/seq.in" "$snips/$part/seq.out" "$snips/$part/label" |
    awk -F '\t' -v seed="$seed" -v most="$most" -v sizes="$*" -v voices="$voices" '
      BEGIN { srand(seed) }
      {
        gsub(/[\\"\t]/, "", $1); gsub(/ +/, " ", $1); gsub(/^ +| +$/, "", $1); gsub(/^ +| +$/, "", $2); gsub(/ +$/, "", $3)
        n = split($1, words, / +/); m = split($2, tags, / +/)
        if (n == m && n >= 2 && n <= most) { key[++count] = rand(); text[count] = $1; tag[count] = $2; intent[count] = $3 }
      }
      function slots(words_text, tags_text,    w, t, n, i, json, type, value) {
        n = split(words_text, w, / +/); split(tags_text, t, / +/); json = ""; type = ""
        for (i = 1; i <= n + 1; ++i) {
          if (type != "" && (i > n || t[i] !~ /^I-/)) {
            json = json (json == "" ? "" : ",") "[\"" type "\",\"" value "\"]"; type = ""
          }
          if (i <= n && t[i] ~ /^B-/) { type = substr(t[i], 3); value = w[i] }
          else if (i <= n && t[i] ~ /^I-/ && type != "") value = value " " w[i]
        }
        return "[" json "]"
      }
      END {
        wanted = split(sizes, size, " ") / 2
        total = 0; for (k = 1; k <= wanted; ++k) total += size[2 * k]
        if (total > count) { print "only " count " sentences are short enough, " total " were asked for" > "/dev/stderr"; exit 1 }
        voices_count = split(voices, voice, " ")
        for (i = 1; i <= count; ++i) order[i] = i
        for (i = 1; i <= total; ++i) {           # the smallest keys first
          best = i
          for (j = i + 1; j <= count; ++j) if (key[order[j]] < key[order[best]]) best = j
          swap = order[i]; order[i] = order[best]; order[best] = swap
        }
        at = 0
        for (k = 1; k <= wanted; ++k)
          for (i = 1; i <= size[2 * k]; ++i) {
            s = order[++at]
            print size[2 * k - 1] "\t" text[s] "\t" intent[s] "\t" slots(text[s], tag[s]) "\t" voice[1 + (at - 1) % voices_count]
          }
      }'
}

list=$out/chosen.tsv
: >"$list"
voices=$train_voices choose train align "$align" train "$train" >>"$list"
voices=$train_voices choose valid dev "$dev" >>"$list"
voices=$test_voices choose test test "$test" >>"$list"

printf 'path\tsplit\tspeaker\tintent\tslots\ttext\n' >"$out/manifest.part"
number=0
tab=$(printf '\t')
while IFS=$tab read -r split text intent slots voice; do
  number=$((number + 1))
  file=$(printf 'wav/%05d.wav' "$number")
  program=${voice%%:*} rest=${voice#*:}
  name=${rest%%:*} speed=${rest#*:}
  case $program in
    espeak) espeak-ng -v "$name" -s "$speed" -w "$out/$file" -- "$text" ;;
    flite) flite -voice "$name" --setf duration_stretch="$speed" -t "$text" -o "$out/$file" ;;
  esac
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$split" "$program-$name" "$intent" "$slots" "$text" >>"$out/manifest.part"
done <"$list"
rm "$list"
mv "$out/manifest.part" "$out/manifest.tsv"
echo "$number utterances: $out/manifest.tsv"
