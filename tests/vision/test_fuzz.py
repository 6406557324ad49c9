"""Whatever bytes or arrays come in: a frame, a reading, or the documented error, and nothing is changed in place."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from tests.every import every
from vision.pictures import UnreadablePictureError, decode
from vision.reader import examine, read
from vision.types import Reading

KINDS = [
    *(("JPEG", "RGB", {}), ("JPEG", "L", {"progressive": True}), ("JPEG", "CMYK", {}), ("GIF", "P", {})),
    *(("PNG", mode, {}) for mode in ("RGB", "P", "1", "RGBA")),
    *(("WEBP", "RGB", {}), ("WEBP", "RGBA", {"lossless": True}), ("BMP", "RGB", {}), ("BMP", "P", {})),
    *(("TIFF", "RGB", {}), ("TIFF", "L", {"compression": "tiff_lzw"})),
    ("TIFF", "RGB", {"compression": "tiff_adobe_deflate"}),
]
"""Format, mode and options of real files to be damaged."""


def whole_file(kind):
    name, mode, options = kind
    picture = Image.fromarray(np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8)).convert(mode)
    turned = Image.Exif()
    turned[0x0112] = 6
    buffer = io.BytesIO()
    picture.save(buffer, name, **options, **({} if name in {"BMP", "GIF"} else {"exif": turned}))
    return buffer.getvalue()


FILES = [whole_file(kind) for kind in KINDS]


def checked(frame, dice=4) -> Reading:
    """Return the reading of any picture, which must be consistent."""
    frame = frame.copy()
    frame.setflags(write=False)  # it is not changed in place
    reading = examine(frame, dice=dice).reading
    assert isinstance(reading, Reading)
    assert reading.ok or reading.detail
    assert not reading.ok or reading.dice
    assert not reading.ok or dice is None or len(reading.dice) == dice
    for die in reading.dice:
        assert 1 <= die.value <= 6
        assert 1 <= die.runner_up <= 6
        assert die.runner_up != die.value
        assert 0 <= die.confidence <= 1
        assert np.isfinite(die.box).all()
    return reading


@st.composite
def damaged(draw):
    """A file that is cut off, has some bits flipped, or lost or gained some bytes."""
    file = draw(st.sampled_from(FILES))
    start, end = sorted(draw(st.tuples(st.integers(0, len(file)), st.integers(0, len(file)))))
    spliced = file[:start] + draw(st.binary(max_size=20)) + file[end:]
    flipped = bytearray(file)
    # Most of the flips into the first bytes, where sizes and offsets are.
    places = st.one_of(st.integers(0, min(64, len(file) - 1)), st.integers(0, len(file) - 1))
    for place, bit in draw(st.lists(st.tuples(places, st.integers(0, 7)), min_size=1, max_size=8)):
        flipped[place] ^= 1 << bit
    return draw(st.sampled_from([file[:start], spliced, bytes(flipped)]))


@settings(max_examples=300)
@given(st.one_of(damaged(), st.binary(max_size=300)))
def test_any_bytes_and_any_damaged_file_are_a_frame_or_refused(data):
    try:
        frame = decode(data, "the file")
    except UnreadablePictureError as error:
        assert str(error).startswith("the file: ")  # noqa: PT017
    else:
        assert frame.dtype == np.uint8
        assert frame.ndim == 3
        assert frame.shape[2] == 3
        assert frame.size


@settings(max_examples=12)
@given(
    st.integers(1, 200), st.integers(1, 200), st.integers(1, 40), st.integers(0, 2**32), st.sampled_from([4, 1, None])
)
def test_any_pixels_are_a_reading_or_a_refusal(height, width, grain, seed, dice):
    # Noise of any grain by a seed: hypothesis would take long to choose that number of pixels one by one.
    coarse = np.random.default_rng(seed).integers(0, 256, (-(-height // grain), -(-width // grain), 3), dtype=np.uint8)
    checked(np.kron(coarse, np.ones((grain, grain, 1), np.uint8))[:height, :width], dice)


@every(shape=[(1, 1), (1, 70_000), (70_000, 1), (2, 3), (1500, 3), (3, 1500), (17, 900)], fill=[0, 128, 255, None])
def test_tiny_huge_and_long_and_thin_pictures_are_refused(shape, fill):
    noise = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    frame = noise if fill is None else np.full((*shape, 3), fill, np.uint8)
    assert not checked(frame).ok


VIEWS = {
    "mirrored": lambda frame: frame[:, ::-1],
    "upside down": lambda frame: frame[::-1],
    "RGB as BGR": lambda frame: frame[:, :, ::-1],
    "each second and third": lambda frame: frame[::2, ::3],
    "turned": lambda frame: frame.transpose(1, 0, 2),
    "by columns": np.asfortranarray,
    "of six": lambda frame: np.dstack([frame, frame])[:, :, 1:4],
    "repeated": lambda frame: np.broadcast_to(frame[:1, :1], frame.shape),
}


@every(what=VIEWS)
def test_a_view_of_an_array_reads_as_its_copy(what):
    view = VIEWS[what](np.random.default_rng(2).integers(0, 256, (120, 160, 3), dtype=np.uint8))
    assert checked(view, None) == read(np.ascontiguousarray(view), dice=None)


not_uint8 = st.sampled_from(
    [np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64, "c16"]
)
shapes = st.lists(st.integers(0, 6), max_size=5).map(tuple)
no_frames = arrays.arrays(not_uint8, shapes) | arrays.arrays(np.uint8, shapes.filter(lambda shape: shape[2:] != (3,)))
no_arrays = st.sampled_from([None, 1, "a.png", b"\x89PNG", [[[1, 2, 3]]], {}, object(), np.uint8(3)])


@given(no_frames | no_arrays)
def test_anything_but_a_frame_is_refused_with_a_clear_error(thing):
    for function in (read, examine):
        with pytest.raises(ValueError, match="a frame is"):
            function(thing)
