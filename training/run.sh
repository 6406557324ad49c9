#!/bin/sh
# Fits the reader's two networks from nothing: scenes, finder and values by turns, photographs last, export.
# About six hours on two cores and 15 GB of disk. An interrupted run goes on: scenes and weights that are there stay.
# To go on from the weights of this repository, copy training/weights/*.pt into FOLDER first.
#   sh training/run.sh FOLDER [PHOTOS] [TRACED]
# FOLDER takes examples and weights; PHOTOS is a folder of labelled photographs (labels.jsonl), TRACED one of pictures
# that `python -m tools.path_traced TRACED --learn` drew, if there is one.
set -eu
work=$1
photos=${2:-}
traced=${3:-}
python=${PYTHON:-.venv-training/bin/python}
export OMP_NUM_THREADS=1
mkdir -p "$work"

fit() {  # WHICH OUT MINUTES EXAMPLES... : from the weights of the step before, once
    which=$1 out=$2 minutes=$3
    shift 3
    [ -e "$work/$out.pt" ] && return
    start=
    [ -e "$work/$which.pt" ] && start="--start $work/$which.pt"
    # shellcheck disable=SC2086 # $start is two words or none
    "$python" -m training.fit "$which" "$@" $start --out "$work/$out.pt" --minutes "$minutes"
    cp "$work/$out.pt" "$work/$which.pt"
    "$python" -m training.export "$which" "$work/$which.pt"
}

"$python" -m training.examples "$work/scenes" --scenes 6000 --seed 0
fit finder finder-1 45 "$work/scenes"
fit values values-1 40 "$work/scenes"
# What the first finder wrongly takes for dice now comes as decoys.
"$python" -m training.examples "$work/scenes" --scenes 6000 --seed 10000
fit finder finder-2 50 "$work/scenes"
fit values values-2 50 "$work/scenes"
if [ -n "$photos" ]; then
    "$python" -m training.photos "$photos" "$work/photos"
    fit finder finder-3 15 "$work/scenes" "$work/photos"
    fit values values-3 15 "$work/scenes" "$work/photos"
fi
# docs/reading-evidence.md, "Another renderer": most of what is shown must be own scenes.
if [ -n "$traced" ]; then
    "$python" -m training.traced "$traced" "$work/traced"
    [ -e "$work/values-before.pt" ] || cp "$work/values.pt" "$work/values-before.pt"
    fit values values-4 55 "$work/scenes" "$work/traced" ${photos:+"$work/photos"} --share 0.12 --rate 1e-3
    if [ ! -e "$work/values-mean.pt" ]; then
        rm -f "$work/values-5.pt"  # which goes on from the mean
        "$python" -m training.mean "$work/values-before.pt" "$work/values-4.pt" "$work/values.pt" --share 0.75
        "$python" -m training.export values "$work/values.pt"
        cp "$work/values.pt" "$work/values-mean.pt"
    fi
fi
# Once more over all scenes, at half the usual rate: the weights here were fitted so when emblems had been drawn anew.
fit values values-5 54 "$work/scenes" ${traced:+"$work/traced"} ${photos:+"$work/photos"} --share 0.12 --rate 1e-3
