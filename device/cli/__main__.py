"""Runs `cantstop` as `python -m device.cli`."""

import sys

from device.cli import main

sys.exit(main())
