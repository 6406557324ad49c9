#!/bin/sh
# Trains the reader's networks from scratch: finder and values network in turn, with new scenes each time, then with
# photographs, then the networks for leaning dice and for the middle of a face; then exports them. Takes about nine
# hours on two cores and 16 GB of disk. An interrupted run can be resumed: existing scenes and weights are kept. To start
# from the weights of this repository, copy tools/training/weights/*.pt into FOLDER first.
#   sh tools/training/run.sh FOLDER [PHOTOS] [TRACED] [SURFACES]
# FOLDER receives examples and weights. PHOTOS is an optional folder of labelled photographs (labels.jsonl), TRACED an
# optional folder of examples drawn by Blender (make lessons), SURFACES one of photographs without dice and hands, which
# become floors and tables.
set -eu
work=$1
photos=${2:-}
traced=${3:-}
surfaces=${4:-}
python=${PYTHON:-.venv-training/bin/python}
export OMP_NUM_THREADS=1
mkdir -p "$work"

fit() {  # WHICH OUT MINUTES EXAMPLES... : trains from the weights of the previous step; skipped if OUT exists
    which=$1 out=$2 minutes=$3
    shift 3
    [ -e "$work/$out.pt" ] && return
    start=
    if [ -e "$work/$which.pt" ]; then
        cp "$work/$which.pt" "$work/$out-before.pt"
        start="--start $work/$which.pt"
    fi
    # shellcheck disable=SC2086 # $start is two words or none
    "$python" -m tools.training.fit "$which" "$@" $start --out "$work/$out.pt" --minutes "$minutes"
    cp "$work/$out.pt" "$work/$which.pt"
    "$python" -m tools.training.export "$which" "$work/$which.pt"
}

blend() {  # WHICH OUT SHARE : goes on from the mean of the weights before OUT and, with this share, after it
    [ -e "$work/$2-mean.pt" ] && return
    "$python" -m tools.training.mean "$work/$2-before.pt" "$work/$2.pt" "$work/$1.pt" --share "$3"
    "$python" -m tools.training.export "$1" "$work/$1.pt"
    cp "$work/$1.pt" "$work/$2-mean.pt"
}

"$python" -m tools.training.examples "$work/scenes" --scenes 6000 --seed 0
fit finder finder-1 45 "$work/scenes"
fit values values-1 40 "$work/scenes"
# The new scenes contain decoys: places that the first finder wrongly takes for dice.
"$python" -m tools.training.examples "$work/scenes" --scenes 6000 --seed 10000
fit finder finder-2 50 "$work/scenes"
fit values values-2 50 "$work/scenes"
if [ -n "$photos" ]; then
    "$python" -m tools.training.photos "$photos" "$work/photos"
    fit finder finder-3 15 "$work/scenes" "$work/photos"
    fit values values-3 15 "$work/scenes" "$work/photos"
fi
if [ -n "$surfaces" ]; then
    "$python" -m tools.training.examples "$work/on-surfaces" --surfaces "$surfaces" --scenes 3600 --seed 800000
    "$python" -m tools.training.photos "$surfaces" "$work/bare"
    fit finder finder-4 60 "$work/on-surfaces" "$work/bare" ${photos:+"$work/photos"} \
        ${traced:+"$traced/finder" "$traced/on-surfaces"} --share 0.19 --rate 1e-3
    blend finder finder-4 0.4
fi
# Most training pictures must be our own scenes: see docs/reading-evidence.md, "Training the networks".
if [ -n "$traced" ]; then
    fit values values-4 55 "$work/scenes" "$traced/values" ${photos:+"$work/photos"} --share 0.12 --rate 1e-3
    blend values values-4 0.75
fi
# Once more over all scenes, at half the usual rate. The weights in this repository come from this step, after the
# renderer's emblems had changed.
fit values values-5 54 "$work/scenes" ${traced:+"$traced/values"} ${photos:+"$work/photos"} --share 0.12 --rate 1e-3
# The network for leaning dice goes on from the values network. The weights in this repository were made with --device
# cuda --processes 8 --batch 384 from 10,275 scenes (seeds 500000 to 500410), 371 photographs and 55 of Blender's pictures;
# a narrower network learned to imitate them.
[ -e "$work/leaning.pt" ] || cp "$work/values.pt" "$work/leaning.pt"
fit leaning leaning-1 60 "$work/scenes" ${photos:+"$work/photos"} ${traced:+"$traced/values"} --share 0.08 --rate 1.5e-3
# The network for the middle of a face, from nothing: dice with worn middle pips, and others whose middle pip is painted
# paler. The weights in this repository took four runs, 38 minutes in all, the first two with flecks.
"$python" -m tools.training.examples "$work/worn" --worn --scenes 4000 --seed 600000
fit middle middle-1 30 "$work/worn" "$work/scenes" ${surfaces:+"$work/on-surfaces"} ${photos:+"$work/photos"} \
    --share 0.16 --rate 3e-3
# The one for lamps in the middle of a face goes on from it.
[ -e "$work/lamp.pt" ] || cp "$work/middle.pt" "$work/lamp.pt"
fit lamp lamp-1 28 "$work/scenes" ${surfaces:+"$work/on-surfaces"} ${photos:+"$work/photos"} --share 0.16 --rate 3e-3
