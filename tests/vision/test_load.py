"""Loading picture files of any kind."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.vision.drawn import tray_with
from vision.load import UnreadablePictureError, decode, load
from vision.read import read

VALUES = (1, 2, 4, 6)


@pytest.fixture
def picture():
    return tray_with(VALUES)


def test_a_colour_picture_comes_back_as_it_was_written(tmp_path, picture):
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    assert np.array_equal(load(tmp_path / "a.png"), picture)


def test_a_grey_picture_is_read(tmp_path, picture):
    cv2.imwrite(str(tmp_path / "grey.png"), cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    assert read(load(tmp_path / "grey.png")).values == VALUES


@pytest.mark.parametrize("name", ["deep.png", "deep.tiff"])
def test_a_16_bit_picture_is_read(tmp_path, picture, name):
    cv2.imwrite(str(tmp_path / name), picture.astype(np.uint16) * 257)
    frame = load(tmp_path / name)
    assert frame.dtype == np.uint8
    assert np.abs(frame.astype(int) - picture).max() <= 1


def test_a_16_bit_grey_picture_is_read(tmp_path, picture):
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(tmp_path / "deep.png"), grey.astype(np.uint16) * 257)
    assert read(load(tmp_path / "deep.png")).values == VALUES


def test_what_is_transparent_is_laid_on_white(tmp_path):
    clear = np.zeros((4, 4, 4), np.uint8)
    clear[:2] = (10, 20, 30, 255)
    cv2.imwrite(str(tmp_path / "clear.png"), clear)
    frame = load(tmp_path / "clear.png")
    assert frame[0, 0].tolist() == [10, 20, 30]
    assert frame[3, 3].tolist() == [255, 255, 255]


def test_a_16_bit_transparent_picture_is_laid_on_white_too(tmp_path):
    clear = np.zeros((4, 4, 4), np.uint16)
    clear[:2] = (10 * 257, 20 * 257, 30 * 257, 65535)
    cv2.imwrite(str(tmp_path / "clear.png"), clear)
    assert load(tmp_path / "clear.png")[[0, 3], [0, 3]].tolist() == [[10, 20, 30], [255, 255, 255]]


def test_a_picture_turned_by_exif_stands_upright(tmp_path):
    wide = Image.new("RGB", (40, 20), (200, 30, 30))
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    wide.save(tmp_path / "turned.jpg", exif=exif)
    assert load(tmp_path / "turned.jpg").shape == (40, 20, 3)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnreadablePictureError, match=r"gone\.png: .*check the name"):
        load(tmp_path / "gone.png")


def test_a_folder_is_told_from_a_picture(tmp_path):
    with pytest.raises(UnreadablePictureError, match="a folder"):
        load(tmp_path)


def test_a_text_file_is_no_picture(tmp_path):
    (tmp_path / "note.png").write_text("not a picture")
    with pytest.raises(UnreadablePictureError, match=r"note\.png: no picture"):
        load(tmp_path / "note.png")


def test_an_empty_file_is_no_picture(tmp_path):
    (tmp_path / "nothing.png").touch()
    with pytest.raises(UnreadablePictureError, match="empty"):
        load(tmp_path / "nothing.png")


@given(st.binary(max_size=200))
def test_bytes_are_a_frame_or_refused(data):
    try:
        frame = decode(data, "bytes")
    except UnreadablePictureError as error:
        assert "bytes" in str(error)  # noqa: PT017
    else:
        assert frame.dtype == np.uint8
        assert frame.ndim == 3


@given(st.integers(0, 5000), st.integers(0, 255), st.integers(0, 5000))
def test_a_damaged_picture_is_a_frame_or_refused(place, byte, end):
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 30, 30)).save(buffer, "PNG")
    data = bytearray(buffer.getvalue())
    data[place % len(data)] = byte
    try:
        frame = decode(bytes(data[: end or None]), "damaged")
    except UnreadablePictureError as error:
        assert "damaged" in str(error)  # noqa: PT017
    else:
        assert frame.shape[2] == 3
