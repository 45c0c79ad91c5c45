#!/usr/bin/env bash
# A newcomer's conversation on the page of `kgwalk serve`, in Debian's chromium (packages chromium and chromium-driver), with
# screenshots of each view at 1400, 1280 and 390 pixels, light and dark, which are to be looked at. Needs npm for the check of accessibility, so it is no part of the tests; without npm that check is left out and said.
# Usage: scripts/check_page.sh PROGRAM DEMO OUT     DEMO: what `kgwalk demo` made; OUT: folder for the screenshots
set -euo pipefail
[[ $# -eq 3 ]] || { echo "usage: scripts/check_page.sh PROGRAM DEMO OUT" >&2; exit 2; }
program=$(realpath "$1") demo=$(realpath "$2") out=$(realpath -m "$3")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v chromedriver > /dev/null || { echo "check_page: install the packages chromium and chromium-driver" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
axe=()
if command -v npm > /dev/null && (cd "$work" && npm install --silent --no-fund --no-audit axe-core@4.10.3 > /dev/null); then
  axe=("$work/node_modules/axe-core/axe.min.js")
else
  echo "check_page: without npm's axe-core accessibility is not checked" >&2
fi
PYTHONPATH=tests/server/page python3 tests/server/page/page_test.py "$program" "$demo" "$out" "${axe[@]}"
PYTHONPATH=tests/server/page python3 tests/server/page/docs_test.py "$program" "$demo" "$out" "${axe[@]}"
