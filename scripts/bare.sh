#!/bin/sh
# Runs the tests on a bare machine, to find what they take for granted:
#
#   scripts/bare.sh              make test
#   scripts/bare.sh COMMAND...   another command, in the clone
#
# The machine is a root folder below $TMPDIR (or /tmp) that is gone afterwards: Debian 12 with
# git, make, ca-certificates, a copy of this machine's Go, and nothing else. In it is a clone of
# what is committed here, in a folder whose name has a space. Data outside of the repository is
# not there: tests of such data skip.
#
# Needs root (sudo env "PATH=$PATH" scripts/bare.sh), debootstrap, 4 GB of disk and, for make
# test, a quarter of an hour. Mirrors and proxies are this machine's own: apt's sources and
# proxy, the environment, `go env`, npm's registry, and the certificates it trusts.
set -eu
cd "$(dirname "$0")/.."

fail() {
	echo "bare: $*" >&2
	exit 1
}
[ "$(id -u)" = 0 ] || fail "this needs root; run: sudo env \"PATH=\$PATH\" scripts/bare.sh"
for program in debootstrap unshare git go; do
	command -v $program >/dev/null || fail "$program is missing on root's path; on Debian, run: sudo apt-get update &&" \
		"sudo apt-get install --no-install-recommends debootstrap util-linux git; for Go, run: sudo env \"PATH=\$PATH\" scripts/bare.sh"
done

# apt's own mirrors of Debian 12, one "address suite" a line, the release before its updates
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' 'Origin: Debian' 'Component: main' | grep ' bookworm' | sort -u -k 2)
mirror=$(echo "$sources" | sed -n 's/ bookworm$//p' | head -n 1)
[ -n "$mirror" ] || fail "apt knows no mirror of Debian 12 (expected a source of bookworm, and apt-get update to have run)"

# apt's proxies, unless the environment has some; what the environment has goes in under its name
eval "$(apt-config shell apt_http Acquire::http::Proxy apt_https Acquire::https::Proxy)"
http_proxy=${http_proxy:-${apt_http:-}}
https_proxy=${https_proxy:-${apt_https:-}}
export http_proxy https_proxy
npm_config_registry=$(npm config get registry 2>/dev/null || true)
[ -n "$npm_config_registry" ] || unset npm_config_registry
GOPROXY=$(go env GOPROXY)
GOSUMDB=$(go env GOSUMDB)
settings="GOPROXY='$GOPROXY' GOSUMDB='$GOSUMDB'"
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry NODE_EXTRA_CA_CERTS; do
	eval "value=\${$name:-}"
	[ -z "$value" ] || settings="$settings $name='$value'"
done

root=$(mktemp -d -t bare-XXXXXXXX)
child=
# What is mounted below the root is mounted for the processes below alone, and gone with them:
# no removal can go through a mount, and the check is for the case that this were wrong.
clean() {
	status=$?
	trap '' INT TERM HUP
	if [ -n "$child" ]; then
		kill -KILL "$child" 2>/dev/null || true # and with it whatever it has started
		wait "$child" 2>/dev/null || true
	fi
	if grep -qF " $root" /proc/self/mounts; then
		echo "bare: something is mounted in $root, which is left as it is" >&2
	else
		rm -rf --one-file-system "$root" || { sleep 2; rm -rf --one-file-system "$root"; }
	fi
	exit $status
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

cat >"$root/inside.sh" <<'INSIDE'
set -eu
top=$1 mirror=$2 settings=$3
shift 3
root=$top/root
debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$root" "$mirror" >"$top/log" || {
	tail -n 20 "$top/log" >&2
	exit 1
}
sed 's/.*/deb & main/' "$top/sources" >"$root/etc/apt/sources.list"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/usr/local/go"
cp -rL "$(go env GOROOT)/." "$root/usr/local/go"
mv "$top/clone" "$root/srv/a clone"

grep -qF " $root/proc " /proc/self/mounts || mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
	: >"$root/dev/$device"
	mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"

echo "bare: $(. "$root/etc/os-release" && echo "$PRETTY_NAME"), $(go env GOVERSION): $*"
eval "set -- $settings \"\$@\""
exec env -i PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
	chroot "$root" sh -c 'cd "/srv/a clone" && exec env "$@"' sh "$@"
INSIDE

[ $# -gt 0 ] || set -- make test
echo "$sources" >"$root/sources"
printf '[safe]\n\tdirectory = *\n' >"$root/gitconfig" # the checkout may be of whoever calls sudo
GIT_CONFIG_GLOBAL=$root/gitconfig git clone -q --no-hardlinks . "$root/clone"
echo "bare: $(git -C "$root/clone" log -1 --format='%h, %s')"
began=$(date +%s)
unshare --mount --pid --fork --kill-child --propagation private sh "$root/inside.sh" "$root" "$mirror" "$settings" "$@" </dev/null &
child=$!
status=0
wait "$child" || status=$?
child=
echo "bare: exit $status after $(($(date +%s) - began)) s"
exit $status
