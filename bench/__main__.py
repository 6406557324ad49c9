"""All benchmarks, one table each: `make bench`."""

from __future__ import annotations

import bench.reading
import bench.rules
import bench.simulation

bench.rules.main()
bench.simulation.main()
bench.reading.main([])
