"""`python -m device.cli` is `cantstop`."""

import sys

from device.cli import main

sys.exit(main())
