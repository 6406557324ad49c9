#!/bin/sh
# Creates the virtual environment $1 if it is missing, and installs this project into it with the packages pinned in
# tools/install/lock: those for playing, or those for $2, such as "dev". Needs only Python 3.11 to 3.14; on Debian and
# Raspberry Pi OS it installs the package python3-venv. $PYTHON chooses another Python than the usual one.
set -eu
venv=$1

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "setup: no Python 3.11 to 3.14 found. Install one (Debian: apt install python3; macOS: python.org)." >&2
    exit 1
fi

# On Debian, the part of Python that creates environments is in a separate package.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if ! command -v apt-get >/dev/null; then
        echo "setup: this Python cannot make virtual environments (no ensurepip). Install its venv package." >&2
        exit 1
    fi
    echo "setup: installing python3-venv, which this system's Python lacks"
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -q && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy python3-venv
fi

if [ ! -x "$venv/bin/python" ]; then
    echo "setup: making $venv with $("$python" --version)"
    "$python" -m venv "$venv"
fi
echo "setup: installing Can't Stop${2:+ and its tools for $2} into $venv (up to a minute)"
pip() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$@"; }
# The same versions everywhere, so that a new release of a package cannot break an old clone.
pip --require-hashes --only-binary :all: --requirement "tools/install/lock/${2:-play}.txt"
pip --no-index --no-build-isolation --editable .
echo "setup: done"
