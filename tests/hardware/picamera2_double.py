"""A double of Picamera2 for quick tests: the calls that the box makes, with the real behaviour.

`make boot` runs the real one.
"""

from __future__ import annotations

import sys
import types
from concurrent.futures import CancelledError
from importlib.machinery import ModuleSpec
from typing import ClassVar

import numpy as np

ALL_CONTROLS = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits")


class Sensor:
    """The camera at the cable and its faults, which the tests control.

    Attributes:
        infos: The cameras that libcamera lists.
        resolution: The sensor's, width and height.
        controls: The controls that it has.
        is_dead: Whether it has stopped delivering frames.
        is_taken: Another program has it.
        format: The format that libcamera delivers, regardless of the request.
        small_format: That of the lores stream.
        padding: The bytes in each row of the lores stream beyond its width.
        level: The grey level of its pictures.
        light: What automatic exposure comes to, in microseconds, one value a frame; the last one stays.
        finds_focus: Whether its autofocus finds one; None: it never ends.
        calls: What was asked of it, in order.
        taken: Which streams were taken out of requests, in order.
        open: How many have it open.
        requests_out: The number of requests that were not returned.
    """

    def __init__(self) -> None:
        self.infos = [{"Model": "imx219", "Num": 0, "Id": "/base/soc/i2c0mux/i2c@1/imx219@10"}]
        self.resolution = (3280, 2464)
        self.controls = set(ALL_CONTROLS)
        self.is_dead = self.is_taken = False
        self.format = "RGB888"
        self.small_format, self.padding = "YUV420", 0
        self.level = 100
        self.light = [20_000]
        self.finds_focus: bool | None = True
        self.lens = 0.0
        self.calls: list[object] = []
        self.taken: list[str] = []
        self.open = self.requests_out = 0


class CompletedRequest:
    """One frame with its metadata; the camera has it back at `release`, and has only a few of them."""

    def __init__(self, request, picam2) -> None:
        self._picam2 = picam2
        picam2.sensor.requests_out += 1
        self._metadata = request

    def make_array(self, name):
        sensor, (width, height) = self._picam2.sensor, self._picam2.camera_config[name]["size"]
        sensor.taken.append(name)
        if name == "lores":
            planes = np.full((height * 3 // 2, width + sensor.padding), 128, np.uint8)
            planes[:height, :width] = sensor.level
            planes[:height, width:] = 255
            return planes
        shapes = {"RGB888": (height, width, 3), "XBGR8888": (height, width, 4)}
        picture = np.full(shapes.get(sensor.format, (height * 3 // 2, width)), sensor.level, np.uint8)
        if sensor.format in ("NV12", "YUV420"):
            picture[height:] = 128
        return picture

    def get_metadata(self):
        return self._metadata

    def release(self):
        self._picam2.sensor.requests_out -= 1


class Picamera2:
    """The camera as in Picamera2."""

    sensor: ClassVar[Sensor]

    def __init__(self, camera_num=0):
        if self.sensor.is_taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.sensor.open += 1
        self.sensor_resolution = self.sensor.resolution
        self.camera_config: dict = {}
        self._is_open, self._started, self._frames = True, False, 0
        self._held: dict = {}

    @staticmethod
    def global_camera_info():
        return Picamera2.sensor.infos

    @property
    def camera_controls(self):
        return dict.fromkeys(self.sensor.controls, (0, 1, 0))

    def create_video_configuration(self, **configuration):
        self._check(configuration["controls"])
        return configuration

    def configure(self, camera_config):
        self.sensor.calls.append(("configure", camera_config))
        self.camera_config = camera_config

    def camera_configuration(self):
        given = {"main": self.sensor.format, "lores": self.sensor.small_format}
        return self.camera_config | {
            name: self.camera_config[name] | {"format": format_} for name, format_ in given.items()
        }

    def start(self):
        self.sensor.calls.append("start")
        self._started = True

    def set_controls(self, controls):
        self._check(controls)
        self.sensor.calls.append(("controls", controls))
        self._held.update(controls)
        if "LensPosition" in controls:
            self.sensor.lens = controls["LensPosition"]

    def capture_request(self, wait):
        return CompletedRequest(self.capture_metadata(wait), self)

    def capture_metadata(self, wait):
        assert wait is not None, "without a limit a dead camera blocks for ever"
        assert self._started, "a camera that was not started gives no frame"
        if self.sensor.is_dead:
            raise TimeoutError
        assert self.sensor.requests_out < self.camera_config["buffer_count"], "every buffer is out: it would block"
        self._frames += 1
        light = self.sensor.light[min(self._frames, len(self.sensor.light)) - 1]
        exposure = self._held.get("ExposureTime") or light
        metadata = {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (1.6, 1.9), "SensorTimestamp": 1}
        return metadata | ({"LensPosition": self.sensor.lens} if "LensPosition" in self.sensor.controls else {})

    def autofocus_cycle(self, wait):
        assert wait is not None, "over a blank tray it takes 25 s"
        self.sensor.calls.append("autofocus")
        if self.sensor.finds_focus is None:
            raise TimeoutError
        self.sensor.lens = 3.5
        return self.sensor.finds_focus

    def cancel_all_and_flush(self):
        self.sensor.calls.append("flush")

    def stop(self):
        self.sensor.calls.append("stop")
        self._started = False
        if self.sensor.is_dead == "torn out":
            raise CancelledError

    def close(self):
        self.sensor.calls.append("close")
        if self._is_open:
            self._is_open = False
            self.sensor.open -= 1

    def _check(self, controls) -> None:
        for name in controls:
            if {"FrameRate": "FrameDurationLimits"}.get(name, name) not in self.sensor.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")


def plugged_in(monkeypatch) -> Sensor:
    """Let `import picamera2` load this double, with a camera at the cable."""
    sensor = Sensor()
    monkeypatch.setattr(Picamera2, "sensor", sensor, raising=False)
    module = types.ModuleType("picamera2")
    module.__spec__ = ModuleSpec("picamera2", None)
    module.Picamera2 = Picamera2
    monkeypatch.setitem(sys.modules, "picamera2", module)
    libcamera = types.ModuleType("libcamera")
    libcamera.ColorSpace = types.SimpleNamespace(Sycc=lambda: "sYCC")
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return sensor
