#!/bin/sh
# Installs what is missing, and does nothing when nothing is:
#
#   setup.sh build             what making and serving the site takes, which is Go alone
#   setup.sh cluster           that, and Slurm with what its daemons need
#   setup.sh test [ENGINES]    that, node, NumPy and SciPy for Python, and the browsers to test in: Chromium, and those
#                              of a list such as chromium,firefox,webkit
set -eu
cd "$(dirname "$0")/../.."
exec >&2 # standard output is that of what comes after

has() { command -v "$1" >/dev/null 2>&1; }

if ! has go; then
	echo "setup: there is no go command; install Go 1.26 or later from https://go.dev/dl/ and put it on the PATH" >&2
	exit 1
fi
go mod download
case ${1:-} in
test | cluster) ;;
*) exit 0 ;;
esac

need=
want() { # PACKAGES PROGRAM... : the packages, unless all programs are there
	packages=$1
	shift
	for program; do
		has "$program" || { need="$need $packages"; return; }
	done
}
if [ "$1" = cluster ]; then
	want "slurm-wlm slurmctld slurmd munge" sbatch slurmctld slurmd munged
	shift
else
	want "nodejs npm" node npm
	/usr/bin/python3 -c 'import numpy, ensurepip, scipy' 2>/dev/null || need="$need python3-numpy python3-scipy python3-venv"
	want "chromium chromium-driver" chromium chromedriver
	# Tests take half the time in a Chromium without windows, of the same version, and do without where root is not asked.
	if [ "$(id -u)" = 0 ] && has apt-get; then
		want "chromium chromium-driver chromium-headless-shell" chromium-headless-shell
	fi
	shift
	browsers=yes
fi
for engine in $(echo "${1:-}" | tr , ' '); do
	case $engine in
	chromium) ;;
	firefox) want firefox-esr firefox-esr ;;
	webkit) want "webkit2gtk-driver xvfb" WebKitWebDriver Xvfb ;;
	*)
		echo "setup: there is no engine $engine (expected chromium, firefox or webkit)" >&2
		exit 1
		;;
	esac
done
if [ -n "$need" ]; then
	if [ "$(id -u)" = 0 ] && has apt-get; then
		echo "setup: installing$need"
		apt-get -q update
		DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $need
	else
		echo "setup: missing:$need; on Debian, run: sudo apt-get update && sudo apt-get install --no-install-recommends$need" >&2
		exit 1
	fi
fi

[ "${browsers:-}" ] || exit 0

# axe-core, which looks for what keeps people from using the page, and the compiler that checks its types
if [ ! www/node_modules/.package-lock.json -nt www/package-lock.json ]; then
	(cd www && npm ci --ignore-scripts --no-audit --no-fund)
fi
