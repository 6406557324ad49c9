"""What a Pi's camera has and libcamera's virtual camera has not; on the path of a booted box that has the latter.

The virtual camera has no raw modes to list, needs its memory from libcamera's own allocator, gives NV12 alone, of which
Picamera2 makes no array, and knows no exposure. Nothing of the box is changed by this.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys


def _fit(picamera2) -> None:  # noqa: ANN001 - a module that this project cannot import
    import libcamera  # noqa: PLC0415
    from picamera2.allocators import LibcameraAllocator  # noqa: PLC0415
    from picamera2.request import CompletedRequest  # noqa: PLC0415

    real = picamera2.Picamera2

    def modes(camera) -> list[dict[str, object]]:  # noqa: ANN001
        formats = camera.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(kind), "size": (size.width, size.height)}
            for kind in formats.pixel_formats
            for size in formats.sizes(kind)
        ]

    configure, create = real.configure, real.create_video_configuration

    def configured(camera, configuration) -> object:  # noqa: ANN001
        camera.allocator = LibcameraAllocator(camera.camera)
        return configure(camera, configuration)

    def created(camera, **options: object) -> object:  # noqa: ANN001
        options.pop("raw", None)  # it has no modes to choose from
        return create(camera, **{**options, "main": {**options.get("main", {}), "format": "NV12"}})

    def array(request, name: str) -> object:  # noqa: ANN001
        stream = request.config[name]
        (width, height), stride = stream["size"], stream["stride"]
        rows = height * 3 // 2
        return request.make_buffer(name)[: rows * stride].reshape(rows, stride)[:, :width]

    real._get_raw_modes = modes
    CompletedRequest.make_array = array
    real.configure = configured
    real.create_video_configuration = created


class _Watch(importlib.abc.MetaPathFinder):
    """Fits Picamera2 once it is imported."""

    def find_spec(self, name, path=None, target=None):  # noqa: ANN001, ANN202
        """See `importlib`."""
        if name != "picamera2.picamera2":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        run = spec.loader.exec_module

        def run_and_fit(module) -> None:  # noqa: ANN001
            run(module)
            _fit(module)

        spec.loader.exec_module = run_and_fit  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, _Watch())
