#!/usr/bin/env bash
# Makes a release of the commit that is checked out: packages for Debian 12, the sources as an archive, a list of what
# is inside (SBOM, CycloneDX) and checksums. The same commit on the same Debian gives the same bytes.
# Usage: scripts/release.sh OUT [BUILD_FOLDER]
#   BUILD_FOLDER   build/package unless given, which is made by the preset of that name: for every x86-64, with the
#                  program and the library once more for AVX2 and AVX-512. One that is given is taken as it is
set -euo pipefail
[[ $# -eq 1 || $# -eq 2 ]] || { echo "usage: scripts/release.sh OUT [BUILD_FOLDER]" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${2:-build/package}

[[ -z $(git status --porcelain) ]] || { echo "release: there are changes that are not committed" >&2; exit 1; }
[[ -z $(find "$out" -mindepth 1 -print -quit) ]] || { echo "release: $out is not empty" >&2; exit 1; }
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC

# quietly WHAT...: what it says is shown where it fails alone.
quietly() { "$@" > "$build/release.log" 2>&1 || { tail -n 40 "$build/release.log"; exit 1; }; }
# Compiles the program and the library for a level of x86-64 into a folder beside, and lays them where the packages
# look for them, without their symbols.
add_level() {
  quietly cmake --preset package -B "$build-$1" -DKGWALK_LEVEL="$1"
  quietly cmake --build "$build-$1" --target kgwalk_cli kgwalk_c
  local program=$build/levels/program/$1 library=$build/levels/library/$1
  mkdir -p "$program" "$library"
  strip -o "$program/kgwalk-program" "$build-$1/cli/kgwalk-program"
  strip --strip-unneeded -o "$library/libkgwalk.so.0" "$build-$1/capi/libkgwalk.so.0"
  chmod 644 "$library/libkgwalk.so.0"
}
if [[ $# -eq 1 ]]; then
  mkdir -p "$build"
  rm -rf "$build/levels"
  quietly cmake --preset package
  for level in x86-64-v3 x86-64-v4; do add_level "$level"; done
fi
version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$build/CPackConfig.cmake")
quietly cmake --build "$build"
rm -rf "$build/packages"
(cd "$build" && cpack --config CPackConfig.cmake > cpack.log || { cat cpack.log; exit 1; })
cp "$build"/packages/*.deb "$out/"
git archive --format=tar --prefix="kgwalk-$version/" HEAD | gzip --best --no-name > "$out/kgwalk-$version.tar.gz"
scripts/make_sbom.py --version "$version" --packages packages.txt "$build/cli/kgwalk-program" "$build/capi/libkgwalk.so" \
  > "$out/kgwalk-$version.cdx.json"
(cd "$out" && sha256sum -- * > SHA256SUMS)
cat "$out/SHA256SUMS"
