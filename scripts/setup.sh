#!/usr/bin/env bash
# Installs what packages.txt lists and is not there yet, and makes the OpenMP flavor of OpenBLAS the system's BLAS.
# Usage: scripts/setup.sh            (as root, or as a user who may use sudo)
#        scripts/setup.sh --check    only tells what is missing; exit 1 when something is
# Needs the network only when something is missing; otherwise takes a fraction of a second.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check_only=false
case "${1:-}" in
  "") ;;
  --check) check_only=true ;;
  *) echo "usage: scripts/setup.sh [--check]" >&2; exit 2 ;;
esac

fail() {
  echo "setup: $*" >&2
  exit 1
}

# The end of a log, then why.
fail_with() {
  tail -n 20 "$1" >&2
  fail "$2 The whole log: $1"
}

command -v dpkg-query > /dev/null ||
  fail "this is not Debian (no dpkg-query). Install what packages.txt lists by your system's means, then build with cmake."

mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' packages.txt)

# One call for all: it prints a line for each package that it knows.
missing_packages() {
  local -A installed=()
  local status name
  while read -r status name; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2> /dev/null || true)
  for name in "${wanted[@]}"; do
    [[ -n ${installed[$name]:-} ]] || echo "$name"
  done
}

# Alternatives of BLAS and LAPACK, at run time and for linking, that point at another library than OpenBLAS with OpenMP.
wrong_alternatives() {
  local link
  for link in /etc/alternatives/lib{blas,lapack}.so{.3,}-* /etc/alternatives/libopenblas.so{.0,}-*; do
    [[ ! -L $link || $(readlink "$link") == */openblas-openmp/* ]] || echo "${link##*/}"
  done
}

as_root=()
need_root() {
  [[ $(id -u) -ne 0 ]] || return 0
  command -v sudo > /dev/null ||
    fail "$1, and this is neither root nor is sudo installed. Run scripts/setup.sh once as root."
  if ! sudo -n true 2> /dev/null; then
    [[ -t 0 ]] || fail "$1, and sudo wants a password but there is no terminal to type it. Run scripts/setup.sh once as root."
    echo "setup: $1; sudo may ask for your password." >&2
    sudo true || fail "sudo refused. Run scripts/setup.sh once as root."
  fi
  as_root=(sudo)
}

install_packages() {
  local packages=("$@")
  need_root "missing packages: ${packages[*]}"
  echo "setup: installing ${#packages[@]} packages: ${packages[*]}"
  local log
  log=$(mktemp "${TMPDIR:-/tmp}/kgwalk-setup.XXXXXX")
  echo "setup: what apt says goes to $log"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq > "$log" 2>&1 ||
    fail_with "$log" "apt-get update failed; check the network and /etc/apt."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${packages[@]}" >> "$log" 2>&1 || fail_with "$log" "apt-get install failed."
}

choose_openblas() {
  local name path
  need_root "BLAS is not the OpenMP flavor of OpenBLAS"
  for name in "$@"; do
    path=$(update-alternatives --list "$name" | grep /openblas-openmp/ | head -n 1) ||
      fail "update-alternatives offers no openblas-openmp for $name; is libopenblas-openmp-dev installed?"
    echo "setup: $name -> $path"
    "${as_root[@]}" update-alternatives --set "$name" "$path" > /dev/null
  done
}

mapfile -t missing < <(missing_packages)
if $check_only; then
  mapfile -t wrong < <(wrong_alternatives)
  [[ ${#missing[@]} -eq 0 ]] || echo "missing packages: ${missing[*]}"
  [[ ${#wrong[@]} -eq 0 ]] || echo "not OpenBLAS with OpenMP: ${wrong[*]}"
  [[ ${#missing[@]} -eq 0 && ${#wrong[@]} -eq 0 ]]
  exit
fi
if [[ ${#missing[@]} -gt 0 ]]; then install_packages "${missing[@]}"; fi
mapfile -t wrong < <(wrong_alternatives)
if [[ ${#wrong[@]} -gt 0 ]]; then choose_openblas "${wrong[@]}"; fi
