"""All benchmarks, one table each: `make bench`."""

from __future__ import annotations

import bench.reading
import bench.rules

bench.rules.main()
bench.reading.main([])
