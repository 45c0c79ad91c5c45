#!/usr/bin/env bash
# Tries the examples that call libkgwalk.so from other languages, against an installed prefix; what is skipped for want
# of a tool is said. Usage: scripts/check_bindings.sh [BUILD_FOLDER]     build/release unless given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
failed=0
fail() { echo "check_bindings: $*" >&2; failed=1; }

cmake --install "$build" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
pc=$(find "$work/prefix" -name kgwalk.pc)
[[ -n $pc ]] || { echo "check_bindings: $build has no libkgwalk.so" >&2; exit 1; }
PKG_CONFIG_PATH=${pc%/*}
LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH pkg-config --variable=libdir kgwalk)
export PKG_CONFIG_PATH LD_LIBRARY_PATH
printf 'Rocky\tstarred_actors\tSylvester Stallone\nRocky\tstarred_actors\tTalia Shire\n' > "$work/films.tsv"

# tried LANGUAGE PROGRAM: it walks Rocky's edges, and an unknown name is told with the nearest one.
tried() {
  "$2" "$work/$1.db" "$work/films.tsv" Rocky > "$work/out" 2> "$work/err" || { cat "$work/err"; fail "$1: the example fails"; return; }
  [[ $(grep -c '^Rocky -\[starred_actors\]-> .*2' "$work/out") -eq 2 ]] || { cat "$work/out"; fail "$1: answers otherwise"; }
  ! "$2" "$work/$1.db" "$work/films.tsv" Rocki 2> "$work/err" || fail "$1: an unknown name is found"
  grep -q "did you mean 'Rocky'" "$work/err" || { cat "$work/err"; fail "$1: does not tell what is near"; }
  echo "$1: the example runs"
}

if command -v go > /dev/null; then
  (cd examples/go && GOFLAGS=-mod=mod GOTOOLCHAIN=local GOCACHE=$work/go go build -o "$work/go_example" .)
  tried go "$work/go_example"
else
  echo "go is not installed: examples/go was not tried"
fi
if command -v cargo > /dev/null; then
  CARGO_TARGET_DIR=$work/cargo cargo build --quiet --offline --manifest-path examples/rust/Cargo.toml
  tried rust "$work/cargo/debug/kgwalk-example"
else
  echo "cargo is not installed: examples/rust was not tried"
fi
exit $failed
