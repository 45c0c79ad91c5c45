#!/usr/bin/env bash
# nginx in front of three replicas of a server, one killed under load: plans are asked again elsewhere, conversations go on at
# another replica, and nothing is lost but what was in flight. No part of the tests: it takes a minute, and installs nginx.
# Usage: scripts/check_replicas.sh PROGRAM MODEL.json
#   MODEL.json   a file that names the parts of a model, as ./demo.sh writes runs/demo/films.json; the third replica serves a copy of
#                its database that kgwalk backup and kgwalk restore made
set -euo pipefail
[[ $# -eq 2 ]] || { echo "usage: scripts/check_replicas.sh PROGRAM MODEL.json" >&2; exit 2; }
program=$(realpath "$1") model=$(realpath "$2")
export PATH=$PATH:/usr/sbin
if ! command -v nginx > /dev/null; then
  echo "nginx is missing: installing Debian's nginx-light"
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light > /dev/null
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exec_at=$(cd "$(dirname "${BASH_SOURCE[0]}")/../tests/server/load" && pwd)
python3 "$exec_at/replicas.py" "$program" "$model" "$work"
