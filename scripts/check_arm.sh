#!/usr/bin/env bash
# Compiles what needs no LibTorch (runtime, graph, forms, embeddings) for 64-bit ARM, with Debian's compiler and the
# headers of this machine; nothing is linked or run. Needs apt-get install g++-aarch64-linux-gnu.
# Usage: scripts/check_arm.sh [FOLDER...]     runtime graph forms embeddings unless given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
compiler=aarch64-linux-gnu-g++
command -v "$compiler" > /dev/null || { echo "check_arm: apt-get install g++-aarch64-linux-gnu" >&2; exit 1; }
[[ $# -gt 0 ]] || set -- runtime graph forms embeddings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Headers of packages that lie in this machine's own folder, without those of its C library beside them.
host=/usr/include/$(gcc -dumpmachine)
mkdir "$work/include"
for name in cblas.h openblas_config.h curl; do
  [[ ! -e $host/$name ]] || ln -s "$host/$name" "$work/include/$name"
done
flags=(-std=c++20 -O1 -fopenmp -Wall -Wextra -Wshadow -Wno-psabi -DBOOST_ALL_NO_LIB -DFMT_SHARED -I . -I include)
for folder in "$work/include" /usr/include/serd-0 /usr/include/raptor2 /usr/include/libxml2 /usr/include/eigen3; do
  flags+=(-isystem "$folder")
done
# Last of all: what is not of the compiler's own.
flags+=(-idirafter /usr/include)

failed=0
while read -r source; do
  "$compiler" "${flags[@]}" -c "$source" -o "$work/object.o" || { echo "check_arm: $source does not compile" >&2; failed=1; }
done < <(find "$@" -name '*.cc' -not -path 'runtime/tensor/*' | sort)
[[ $failed -eq 0 ]] && echo "$* compile for aarch64"
exit $failed
