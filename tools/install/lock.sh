#!/bin/sh
# `make lock`, with the environment's Python as $1: pins every Python package that a clone, a release or a box installs,
# with versions and hashes. tools/install/lock/play.txt has what playing needs, dev.txt also what the tests need, both
# with the build tools of the project itself. Each is for Python 3.11 to 3.14 on 64-bit Arm and x86-64: a line's marker
# says where it applies. On a Pi the installer leaves out NumPy, which comes from apt with the picamera2 that was built for
# it. The files contain no address of an index.
set -eu
python=$1
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

needed='import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")'
resolve() {
    "$python" -c "$needed" | "$python" -m uv --no-config pip compile --quiet --no-header --no-annotate --universal \
        --python-version 3.11 --only-binary :all: --generate-hashes "$@" pyproject.toml -
}

# The tests run with the versions that players get.
if ! resolve >"$made/play" || ! resolve --extra dev --constraints "$made/play" >"$made/dev"; then
    echo "make lock: the packages in pyproject.toml do not fit together; nothing changed." >&2
    exit 1
fi
for name in play dev; do
    purpose=playing
    [ $name = play ] || purpose="the tests"
    cat - "$made/$name" >tools/install/lock/$name.txt <<EOF
# The packages for $purpose, for each supported Python and platform.
# Made by \`make lock\`; do not edit.
EOF
    echo "tools/install/lock/$name.txt"
done
