#!/bin/sh
# Learns all networks of the strongest opponent from nothing, packs them, and writes what the tests hold the box to.
# About an hour on one core. An interrupted run goes on with the next network that is not there.
#   sh training/opponents/run.sh FOLDER
set -eu
work=$1
python=${PYTHON:-.venv/bin/python}
mkdir -p "$work"

learn() {  # PLAYERS COLUMNS ROUNDS SEED
    [ -e "$work/$1x$2.npy" ] && return
    "$python" -m training.opponents.learn "$work/part.npy" --players "$1" --columns "$2" --rounds "$3" --seed "$4"
    mv "$work/part.npy" "$work/$1x$2.npy"
}

learn 2 3 1500 11
learn 1 3 400 12
learn 3 3 500 21
learn 4 3 500 22
learn 2 5 300 23
learn 2 4 300 24
learn 3 4 300 25
"$python" -m training.opponents.pack "$work"
"$python" -m training.opponents.golden
