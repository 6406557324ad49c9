#!/bin/sh
# Learns all networks of the strongest opponent from nothing, packs them, and writes what the tests hold the box to.
# About half an hour of one core. Interrupted, it goes on where it was; a folder of finished networks is only packed.
#   sh training/opponents/run.sh FOLDER
set -eu
work=$1
python=${PYTHON:-.venv/bin/python}
"$python" -m training.opponents.learn "$work"
"$python" -m training.opponents.pack "$work"
"$python" -m training.opponents.golden
