#!/bin/sh
# Installs what is missing, and does nothing when nothing is:
#
#   setup.sh build   what making and serving the site takes
#   setup.sh test    that, and a browser to test it in
set -eu
cd "$(dirname "$0")/../.."

has() { command -v "$1" >/dev/null 2>&1; }

if ! has go; then
	echo "setup: there is no go command; install Go 1.26 or later from https://go.dev/dl/ and put it on the PATH" >&2
	exit 1
fi

need=
{ has node && has npm; } || need="$need nodejs npm"
if [ "${1:-}" = test ]; then
	{ has chromium && has chromedriver; } || need="$need chromium chromium-driver"
fi
if [ -n "$need" ]; then
	if [ "$(id -u)" = 0 ] && has apt-get; then
		echo "setup: installing$need"
		apt-get -q update
		DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $need
	else
		echo "setup: missing:$need; on Debian, run: sudo apt-get install --no-install-recommends$need" >&2
		exit 1
	fi
fi

go mod download
if [ ! www/node_modules/.package-lock.json -nt www/package-lock.json ]; then
	(cd www && npm ci --ignore-scripts --no-audit --no-fund)
fi
