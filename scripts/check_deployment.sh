#!/usr/bin/env bash
# Tries what examples/serve holds, as far as this machine has the programs for it; what was not tried is said.
# Usage: scripts/check_deployment.sh PROGRAM
#   kgwalk.service   systemd-analyze: it is well formed, and its exposure at most 2.0 of 10
#   nginx.conf       nginx takes it (scripts/check_page.sh asks through it)
#   Dockerfile       every library that PROGRAM is linked with comes from a package that it installs; built where docker has an engine
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: scripts/check_deployment.sh PROGRAM" >&2; exit 2; }
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "check_deployment: $*" >&2; failed=1; }

if command -v systemd-analyze > /dev/null; then
  sed "s,/usr/local/bin/kgwalk,$program," examples/serve/kgwalk.service > "$work/kgwalk.service"
  systemd-analyze verify "$work/kgwalk.service" || fail "systemd does not take kgwalk.service"
  systemd-analyze security --offline=true --threshold=20 --no-pager "$work/kgwalk.service" > "$work/security" \
    || fail "kgwalk.service is open wider than 2.0"
  tail -n 1 "$work/security"
else
  echo "systemd-analyze is not installed: kgwalk.service was not tried"
fi

if PATH=$PATH:/usr/sbin command -v nginx > /dev/null; then
  {
    echo "pid $work/pid; error_log stderr; events {} http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $work/$kind;"; done
    echo "server { listen 127.0.0.1:8099;"
    cat examples/serve/nginx.conf
    echo "} }"
  } > "$work/nginx.conf"
  PATH=$PATH:/usr/sbin nginx -e stderr -t -p "$work" -c "$work/nginx.conf" 2> "$work/nginx.log" || { cat "$work/nginx.log"; fail "nginx does not take nginx.conf"; }
  tail -n 1 "$work/nginx.log"
else
  echo "nginx is not installed: nginx.conf was not tried"
fi

runtime=$(sed -n '/^FROM debian:12-slim/,$p' examples/serve/Dockerfile)
while read -r library; do
  file=$(ldd "$program" | awk -v name="$library" '$1 == name { print $3 }')
  package=$(dpkg -S "*/$(basename "$(realpath "$file")")" 2> /dev/null | grep -v '^diversion' | head -n 1 | cut -d: -f1) || true
  case $package in
    libc6 | libgcc-s1 | libstdc++6) ;;  # of every Debian
    "") fail "$library comes from no package" ;;
    *) [[ $runtime == *" $package "* ]] || fail "the Dockerfile does not install $package, for $library" ;;
  esac
done < <(objdump -p "$program" | awk '$1 == "NEEDED" && $2 !~ /^ld-linux/ { print $2 }')
if docker version > /dev/null 2>&1; then
  docker build -f examples/serve/Dockerfile -t kgwalk-example . || fail "the Dockerfile does not build"
else
  echo "docker has no engine here: the Dockerfile's libraries were compared, it was not built"
fi
exit $failed
