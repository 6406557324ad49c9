"""The names that other programs use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import vision


def test_every_public_name_can_be_imported_and_no_other():
    assert all(getattr(vision, name) is not None for name in vision.__all__)
    with pytest.raises(AttributeError, match="no attribute 'recognise'; it has Die, Params"):
        _ = vision.recognise


def test_importing_the_package_loads_no_opencv_before_a_name_is_used():
    code = "import sys, vision; assert 'cv2' not in sys.modules; vision.read; assert 'cv2' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
