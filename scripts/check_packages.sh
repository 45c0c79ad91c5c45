#!/usr/bin/env bash
# Tries packages in a fresh Debian 12, as root: lintian, the command line with its manual, completions and unit, C by
# pkg-config, C++ by CMake, Python, and that removal leaves nothing.
# Usage: scripts/check_packages.sh FOLDER_OF_PACKAGES [TREE.tar]
#   TREE.tar  a fresh Debian that lies here already; else one is made (apt-get install mmdebstrap lintian)
set -euo pipefail
[[ $# -eq 1 || $# -eq 2 ]] || { echo "usage: scripts/check_packages.sh FOLDER_OF_PACKAGES [TREE.tar]" >&2; exit 2; }
packages=$(realpath "$1")
tar_of_tree=${2:+$(realpath "$2")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $(id -u) -eq 0 ]] || { echo "check_packages: it must be root who makes a Debian" >&2; exit 2; }
for kind in kgwalk libkgwalk0 libkgwalk-dev python3-kgwalk; do
  compgen -G "$packages/${kind}_*.deb" > /dev/null || { echo "check_packages: $packages has no $kind" >&2; exit 1; }
done
work=$(mktemp -d)
tree=$work/tree
finish() {
  umount "$tree/proc" 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
failed=0
fail() { echo "check_packages: $*" >&2; failed=1; }
step() { echo "-- $*"; }

if command -v lintian > /dev/null; then
  step "lintian"
  lintian --tag-display-limit 0 "$packages"/*.deb > "$work/lintian" 2>&1 || true
  cat "$work/lintian"
  ! grep -q '^E:' "$work/lintian" || fail "lintian finds errors"
else
  echo "lintian is not installed: not tried"
fi

step "a fresh Debian"
mkdir "$tree"
if [[ -n $tar_of_tree ]]; then
  tar -C "$tree" -xf "$tar_of_tree" --exclude='./dev/*'
else
  command -v mmdebstrap > /dev/null || { echo "check_packages: apt-get install mmdebstrap" >&2; exit 1; }
  mmdebstrap --quiet --variant=apt bookworm "$tree"
fi
cp /etc/resolv.conf "$tree/etc/resolv.conf"
mkdir -p "$tree/dev" "$tree/proc"
[[ -e $tree/dev/null ]] || mknod -m 666 "$tree/dev/null" c 1 3
[[ -e $tree/dev/urandom ]] || mknod -m 666 "$tree/dev/urandom" c 1 9
[[ -e $tree/dev/fd ]] || ln -s /proc/self/fd "$tree/dev/fd"
mount -t proc proc "$tree/proc"
mkdir "$tree/try"
cp "$packages"/*.deb "$tree/try/"
cp -r data/sample examples/c tests/consumer/project "$tree/try/"
cp examples/graph_algorithms.cc examples/train.cc "$tree/try/project/"

inside() { chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc "$1"; }
install() { inside "apt-get install -y -qq --no-install-recommends $* > /try/apt.log 2>&1 || { tail -n 30 /try/apt.log; exit 1; }"; }
# What lies in the tree, but for what apt, dpkg and programs remember and make at any time.
files() {
  inside "find / -xdev -path /proc -prune -o -path /try -prune -o -path /var/lib/dpkg -prune -o -path /var/lib/apt -prune -o \
    -path /var/cache -prune -o -path /var/log -prune -o -path /tmp -prune -o -path /root -prune -o -print | sort"
}
removed() {
  inside "apt-get purge -y -qq $* > /try/apt.log 2>&1 && apt-get autoremove -y -qq --purge >> /try/apt.log 2>&1 || { tail -n 30 /try/apt.log; exit 1; }"
}

inside "apt-get update -qq"
files > "$work/before"

step "the command line"
install /try/kgwalk_*.deb
inside "kgwalk version && kgwalk plan --help > /dev/null && cd /try &&
  kgwalk ingest --quiet --db kg.db --triples sample/triples.txt --dialogs train=sample/train.csv --dialogs dev=sample/dev.csv &&
  kgwalk query --db kg.db '{\"find\": {\"step\": \"directed_by\", \"from\": \"Inception\"}}' &&
  kgwalk train --quiet --db kg.db --run walker --preset graph --set text.states=false --set trainer.max_epochs=1 &&
  kgwalk plan --db kg.db --run walker --from Inception --k 2 && kgwalk doctor" > "$work/answers" || fail "the program does not answer"
cat "$work/answers"
grep -q 'Christopher Nolan' "$work/answers" || fail "the graph is answered otherwise"
[[ $(inside "ls /usr/share/man/man1/kgwalk*.1.gz | wc -l") -gt 30 ]] || fail "the manual is not there"
inside "zcat /usr/share/man/man1/kgwalk-plan.1.gz | grep -q 'plan paths'" || fail "a page of the manual is empty"
inside "source /usr/share/bash-completion/completions/kgwalk && COMP_WORDS=(kgwalk pl) COMP_CWORD=1 && _kgwalk && [[ \${COMPREPLY[*]} == plan ]]" ||
  fail "bash does not complete"
inside "test -s /usr/share/zsh/vendor-completions/_kgwalk && test -s /usr/share/doc/kgwalk/copyright" || fail "files are missing"
unit=$tree/lib/systemd/system/kgwalk.service
if command -v systemd-analyze > /dev/null; then
  sed 's,/usr/bin/kgwalk,/bin/true,' "$unit" > "$work/kgwalk.service"  # which this machine has
  systemd-analyze verify "$work/kgwalk.service" || fail "systemd does not take the unit"
else
  echo "systemd-analyze is not installed: the unit was not tried"
fi
grep -q '^ExecStart=/usr/bin/kgwalk serve' "$unit" || fail "the unit starts another program"
inside "cd /try && (kgwalk serve --db kg.db --run walker --port 8123 > serve.log 2>&1 & pid=\$!
  for _ in \$(seq 60); do grep -q 8123 serve.log && break; sleep 1; done
  exec 3<> /dev/tcp/127.0.0.1/8123; printf 'GET /api/v1/stats HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3; cat <&3 > stats; kill \$pid; wait \$pid) || true
  grep -q '\"entities\":852' stats" || { cat "$tree/try/serve.log"; fail "the server does not answer"; }

step "C by pkg-config, C++ by CMake"
install /try/libkgwalk0_*.deb /try/libkgwalk-dev_*.deb gcc g++ cmake ninja-build pkg-config
inside "cd /try && for name in ask plan; do cc -std=c99 -Wall -Wextra -Werror c/\$name.c \$(pkg-config --cflags --libs kgwalk) -o c_\$name; done
  echo '{\"count\": {\"step\": \"~directed_by\", \"from\": \"Christopher Nolan\"}}' | ./c_ask films.db sample/triples.txt
  ./c_plan kg.db walker Inception 'Do you like Inception?'" > "$work/c" || fail "C cannot be built or run"
cat "$work/c"
grep -q 'Inception -\[' "$work/c" || fail "C plans otherwise"
awk '/^```cpp$/ { inside = 1; text = ""; next } /^```$/ { if (inside && text ~ /int main/) { printf "%s", text; exit } inside = 0 } inside { text = text $0 "\n" }' \
  docs/guides/embed.md > "$tree/try/guide.cc"
inside "cd /try && cmake -G Ninja -S project -B built -DCMAKE_BUILD_TYPE=Release -DEXAMPLES=/try/project -DGUIDE=/try/guide.cc > cmake.log 2>&1 &&
  cmake --build built > cmake.log 2>&1 && cd built && ./graph_consumer && ./ingest_consumer && ./planner_consumer && ./tasks_consumer" ||
  { tail -n 20 "$tree/try/cmake.log"; fail "C++ cannot be built or run"; }

step "Python"
install /try/python3-kgwalk_*.deb
cat > "$tree/try/films.py" <<'PYTHON'
import kgwalk

with kgwalk.Store.open("kg.db", write=True) as store:
    tables = kgwalk.embed_graph(store, embedding={"model": "complex", "dim": 16, "epochs": 2})
    print(tables.model, tables.entities.shape)
print([path.hops[0].relation for path in kgwalk.Planner.open("kg.db", "walker").plan(start="Inception", k=2)])
PYTHON
inside "cd /try && python3 films.py" > "$work/python" || fail "Python cannot use the module"
cat "$work/python"
grep -q 'complex (852, 16)' "$work/python" || fail "Python embeds otherwise"

step "removal"
removed python3-kgwalk kgwalk libkgwalk0 libkgwalk-dev gcc g++ cmake ninja-build pkg-config
files > "$work/after"
inside "dpkg -l | awk '\$2 ~ /kgwalk/'" > "$work/left"
grep -i kgwalk "$work/after" >> "$work/left" || true
[[ ! -s $work/left ]] || { cat "$work/left"; fail "removal leaves something of kgwalk"; }
echo "what other packages left:"
comm -13 "$work/before" "$work/after"
[[ $failed -eq 0 ]] && echo "the packages are good"
exit $failed
