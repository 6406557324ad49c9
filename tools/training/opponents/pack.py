"""Packs trained networks into the file for the box: half floats, one network per file PLAYERSxCOLUMNS.npy.

python -m tools.training.opponents.pack FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from engine.opponents.networks import FILE
from engine.opponents.values import Values


def main() -> None:
    """Pack the networks in the folder; missing ones are kept from the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    networks = {}
    if FILE.exists():
        with np.load(FILE) as file:
            networks = dict(file)
    for path in sorted(folder.glob("[1-4]x[345].npy")):
        numbers = np.load(path)
        Values.of(int(path.stem[0]), numbers)  # rejects wrong shapes
        networks[path.stem] = numbers.astype(np.float16)
    np.savez_compressed(FILE, **{name: networks[name] for name in sorted(networks)})
    print(f"{', '.join(sorted(networks))}: {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
