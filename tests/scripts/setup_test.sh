#!/usr/bin/env bash
# scripts/setup.sh in a copy of the tree whose package list names a package that does not exist.
set -euo pipefail
source_dir=$1
command -v dpkg-query > /dev/null || { echo "not Debian: nothing to test"; exit 0; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/scripts"
cp "$source_dir/scripts/setup.sh" "$tree/scripts/"

echo 'bash # always there' > "$tree/packages.txt"
report=$("$tree/scripts/setup.sh" --check) || [[ $report != *"missing packages"* ]]

printf '# comment\n\nbash\nkgwalk-no-such-package\n' > "$tree/packages.txt"
status=0
report=$("$tree/scripts/setup.sh" --check) || status=$?
[[ $status -eq 1 ]] || { echo "exit $status instead of 1"; exit 1; }
[[ $report == *"missing packages: kgwalk-no-such-package"* ]] || { echo "unexpected report: $report"; exit 1; }

status=0
"$tree/scripts/setup.sh" --chek 2> /dev/null || status=$?
[[ $status -eq 2 ]] || { echo "a wrong option gives exit $status instead of 2"; exit 1; }
