#!/usr/bin/env bash
# Follows the pages literally on a bare Debian 12, in a chroot. Usage: bare_debian_test.sh SOURCE CASE FOLDER
# SOURCE is heddle's working tree. FOLDER keeps the bare system and the downloaded packages between runs.
set -euo pipefail
source=$1
folder=$3

skip() {
  echo "skipped: $*"
  exit 77
}
((EUID == 0)) || skip "a chroot needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine does not let root make namespaces"
. /etc/os-release
[[ $ID == debian ]] || skip "this machine's packages come from $ID, not from Debian"

# The mirror that this machine uses.
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
  awk -v release="$VERSION_CODENAME" '$1 == release && !uri { uri = $2 } END { print uri }')
[[ -n $mirror ]] || skip "apt knows no mirror of Debian; apt-get update may help"

# ---- the bare system ---------------------------------------------------------------------------

mkdir -p "$folder/packages/partial"
make_bare_system() {
  exec 9>"$folder/lock"
  flock 9
  if [[ ! -e $folder/debian.tar ]]; then
    local fresh=$folder/fresh
    rm -rf "$fresh"
    if ! debootstrap --variant=minbase bookworm "$fresh" "$mirror" >"$folder/debootstrap.log" 2>&1; then
      tail -n 5 "$folder/debootstrap.log"
      ! grep -q 'Failed getting release file' "$folder/debootstrap.log" || skip "the apt mirror does not answer"
      exit 1
    fi
    tar -C "$fresh" --exclude='./var/cache/apt/archives/*.deb' -cf "$folder/debian.tar.part" .
    mv "$folder/debian.tar.part" "$folder/debian.tar"
    rm -rf "$fresh"
  fi
  exec 9>&-
}

make_bare_system
root=$(mktemp -d "$folder/root.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
tar -C "$root" -xf "$folder/debian.tar"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep -E '^Acquire::https?::' >"$root/etc/apt/apt.conf.d/99machine" || true
# Build servers have sudo; here everything runs as root.
printf '#!/bin/sh\nexec "$@"\n' >"$root/usr/local/bin/sudo"
chmod +x "$root/usr/local/bin/sudo"

# Runs a script inside, up to the first step that fails, and then unmounts everything.
inside() { # reads the script from standard input; `refute` runs a command that must fail
  {
    echo 'refute() { if "$@"; then echo "FAILED: this was to fail: $*" && exit 1; fi; }'
    cat
  } >"$root/root/steps"
  unshare --mount --pid --fork bash -euc '
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/dev/shm"
    mount --bind "$2" "$1/var/cache/apt/archives"
    exec chroot "$1" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
      ${https_proxy:+https_proxy="$https_proxy"} bash -euxo pipefail /root/steps' \
    - "$root" "$folder/packages" </dev/null 2>&1
}

# Puts the working tree, as a repository that can be cloned, and the outside project inside.
offer_sources() {
  git -C "$source" rev-parse 2>/dev/null || skip "the sources are no git checkout"
  local list=$folder/sources.$$ file
  git -C "$source" ls-files -z --cached --others --exclude-standard --deduplicate |
    while IFS= read -r -d '' file; do
      [[ ! -e $source/$file ]] || printf '%s\0' "$file"
    done >"$list"
  mkdir -p "$root/srv/heddle"
  tar -C "$source" --null -T "$list" -cf - | tar -C "$root/srv/heddle" -xf -
  rm "$list"
  git -C "$root/srv/heddle" init -q
  git -C "$root/srv/heddle" add -A
  git -C "$root/srv/heddle" -c user.name=heddle -c user.email=heddle@localhost commit -qm sources
  cp -r "$source/tests/install/outside" "$root/srv/outside"
}

# The `run: |` block of a step of docs/ci.md.
step_of_ci() { # the step's name
  awk -v name="- name: $1" '
    index($0, name) { is_step = 1; next }
    is_step && /run: \|/ { is_script = 1; next }
    is_step && /run: / { sub(/.*run: /, ""); print; exit }
    is_script && !/^          / { exit }
    is_script { print substr($0, 11) }' "$source/docs/ci.md"
}

# Builds and tests an outside project with the installed heddle; the last check must fail.
read -r -d '' outside_project <<'TEXT' || true
cmake -G Ninja -S /srv/outside -B /tmp/outside -DCMAKE_PREFIX_PATH="$prefix"
cmake --build /tmp/outside
/tmp/outside/outside
ctest --test-dir /tmp/outside --output-on-failure -E total_with_race.check
refute ctest --test-dir /tmp/outside -R total_with_race.check
rm -r /tmp/outside
TEXT

# ---- cases -------------------------------------------------------------------------------------

# The workflow of docs/ci.md, without MPI.
ci_recipe() {
  inside <<TEXT
export RUNNER_TEMP=/tmp/runner GITHUB_PATH=/tmp/runner/path HEDDLE_REPOSITORY=file:///srv/heddle
mkdir -p /tmp/runner /tmp/project/src
$(step_of_ci 'Build heddle')
refute command -v mpicxx
refute test -e /tmp/runner/prefix/bin/heddle_cluster_mpi
export PATH="\$(cat /tmp/runner/path):\$PATH"
cd /tmp/project
cp /srv/heddle/examples/01_hello_warp.cu src/kernels.cu
$(step_of_ci Check)
cp /srv/heddle/examples/debugging/total.cu src/kernels.cu
status=0
$(step_of_ci Check) || status=\$?
test \$status = 1
grep -q '"ruleId": *"mask"' heddle.sarif
test -s heddle.xml
prefix=/tmp/runner/prefix
$outside_project
TEXT
}

# The README: its first command, then all of them as written, then the installation, without MPI and with it.
# Python runs the commands; one of them needs make.
readme() {
  inside <<TEXT
apt-get update -q
apt-get install -qy --no-install-recommends git ca-certificates python3 make
cd /tmp
git clone file:///srv/heddle heddle
cd heddle
./heddle tour
for part in commands report snippets; do
  python3 tests/pages/readme_test.py /tmp/heddle \$part
done
refute command -v mpicxx
prefix=/opt/heddle
cmake --install build/host --prefix \$prefix
refute test -e \$prefix/bin/heddle_cluster_mpi
$outside_project
# With MPI, which ./heddle installs; then with MPI but without heddle_cluster_mpi.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated OMPI_MCA_rmaps_base_oversubscribe=1
printf '%s 0 0\\n' 0.1 0.2 0.3 5.1 5.2 5.3 >cloud.txt
./heddle cluster cloud.txt --eps 0.5 --min-points 2 --mpi --ranks 2 -o labels.npy
command -v mpicxx
rm build/host/bin/heddle_cluster_mpi
cmake --install build/host --prefix \$prefix
refute test -e \$prefix/bin/heddle_cluster_mpi
cmake --build build/host
cmake --install build/host --prefix \$prefix
test -x \$prefix/bin/heddle_cluster_mpi
TEXT
}

# `cmake --install` after `./heddle test` has built everything, without MPI and with it.
tests_then_install() {
  inside <<TEXT
apt-get update -q
apt-get install -qy --no-install-recommends git ca-certificates cmake ninja-build g++ make python3 libcli11-dev \
  libfmt-dev nlohmann-json3-dev libxxhash-dev libdw-dev libgtest-dev
rm /usr/local/bin/sudo
useradd --create-home user
git config --system --add safe.directory '*'
# For a user without sudo, no package is installed.
su user -c 'git clone file:///srv/heddle /home/user/heddle && cd /home/user/heddle && ./heddle test -N | tail -n 1'
refute command -v mpicxx
su user -c 'cmake --install /home/user/heddle/build/host --prefix /home/user/prefix'
refute test -e /home/user/prefix/bin/heddle_cluster_mpi
prefix=/home/user/prefix
$outside_project
apt-get install -qy --no-install-recommends libopenmpi-dev openmpi-bin
su user -c 'cd /home/user/heddle && cmake build/host && ./heddle test -N | tail -n 1'
su user -c 'cmake --install /home/user/heddle/build/host --prefix /home/user/prefix'
test -x /home/user/prefix/bin/heddle_cluster_mpi
$outside_project
TEXT
}

declare -F "$2" >/dev/null || { echo "there is no case $2"; exit 2; }
offer_sources
"$2"
echo "all as expected"
