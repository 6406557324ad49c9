#!/bin/sh
# Trains all networks of the strongest opponent from nothing, packs them, and writes the reference data of the tests.
# About 45 minutes on one core. After an interruption it keeps the finished networks; a folder of them is only packed.
#   sh tools/training/opponents/run.sh FOLDER
set -eu
work=$1
python=${PYTHON:-.venv/bin/python}
"$python" -m tools.training.opponents.learn "$work"
"$python" -m tools.training.opponents.golden
