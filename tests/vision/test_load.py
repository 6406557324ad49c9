"""Loading picture files of any kind."""

from __future__ import annotations

import io
import os
import struct
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.every import every
from vision import pictures
from vision.pictures import UnreadablePictureError, decode, load

RED, GREEN, BLUE, YELLOW = (250, 10, 10), (0, 200, 0), (0, 0, 220), (240, 240, 30)


@pytest.fixture(scope="module")
def quarters():
    """A picture, RGB, that shows how it is turned."""
    picture = np.zeros((24, 40, 3), np.uint8)
    picture[:8, :16], picture[:8, 16:], picture[8:, :24], picture[8:, 24:] = RED, GREEN, BLUE, YELLOW
    return Image.fromarray(picture)


def file_of(picture, kind, **options):
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def as_shown(data):
    """What a viewer shows of a file, by Pillow: turned upright, on white, as BGR."""
    picture = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture)
    return np.asarray(white.convert("RGB"))[:, :, ::-1]


def assert_is_loaded_as_shown(data, within=1):
    frame, shown = decode(data, "picture"), as_shown(data)
    assert frame.dtype == np.uint8
    assert frame.flags.c_contiguous
    assert frame.shape == shown.shape
    assert np.abs(frame.astype(int) - shown).max() <= within


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, rows=b""):
    """A PNG file with any header, whether or not its rows are there."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


MODES = {"JPEG": ("RGB", "L", "CMYK"), "TIFF": ("RGB", "L", "1", "P", "CMYK", "RGBA"), "BMP": ("RGB", "L", "1", "P")}


@every(kind=["PNG", "JPEG", "TIFF", "BMP"])
def test_a_picture_of_any_mode_is_loaded_as_it_is_shown(quarters, kind):
    for mode in MODES.get(kind, ("RGB", "L", "LA", "P", "1", "RGBA")):
        for options in ({}, {"compression": "tiff_lzw"}) if kind == "TIFF" else ({},):
            assert_is_loaded_as_shown(file_of(quarters.convert(mode), kind, **options), 3 if kind == "JPEG" else 0)


@every(kind=["JPEG", "PNG", "WEBP", "TIFF"], mode=["RGB", "RGBA"], orientation=range(1, 9))
def test_a_picture_rotated_by_exif_is_upright(quarters, kind, mode, orientation):
    if (kind, mode) == ("JPEG", "RGBA"):
        return  # JPEG has no transparency
    picture = quarters.convert(mode)
    if mode == "RGBA":
        picture.putalpha(Image.linear_gradient("L").resize(picture.size).point(lambda level: 255 * (level > 90)))
    exif = Image.Exif()
    exif[0x0112] = orientation
    lossless = {"lossless": True, "exact": True} if kind == "WEBP" else {}
    assert_is_loaded_as_shown(file_of(picture, kind, exif=exif, **lossless), within=3)


def test_of_an_animation_the_first_picture_is_loaded(quarters):
    frames = [quarters.transpose(Image.Transpose.ROTATE_180), quarters.convert("L").convert("RGB")]
    options = {"save_all": True, "append_images": frames, "duration": 100}
    for kind in ("PNG", "WEBP", "GIF"):
        data = file_of(quarters, kind, **options, **({"lossless": True} if kind == "WEBP" else {}))
        frame = decode(data, "animation")
        assert np.abs(frame.astype(int) - np.asarray(quarters)[:, :, ::-1]).max() <= 1, kind


def test_a_16_bit_picture_is_scaled_to_8_bits_and_its_transparent_parts_are_laid_on_white(tmp_path, quarters):
    picture = np.asarray(quarters)[:, :, ::-1]
    for name in ("deep.png", "deep.tiff"):
        cv2.imwrite(str(tmp_path / name), picture.astype(np.uint16) * 257)
        assert np.array_equal(load(tmp_path / name), picture), name
    clear = np.zeros((4, 4, 4), np.uint16)
    clear[:2] = (10 * 257, 20 * 257, 30 * 257, 65535)
    cv2.imwrite(str(tmp_path / "clear.png"), clear)
    assert load(tmp_path / "clear.png")[[0, 3], [0, 3]].tolist() == [[10, 20, 30], [255, 255, 255]]


def test_a_floating_point_picture_reaches_from_0_to_1_whatever_else_is_in_it(tmp_path):
    levels = np.array([[0.0, 0.2, 1.0], [np.nan, np.inf, -np.inf], [7.0, -7.0, 3e38]], np.float32)
    cv2.imwrite(str(tmp_path / "levels.tiff"), levels)
    assert load(tmp_path / "levels.tiff")[:, :, 0].tolist() == [[0, 51, 255], [0, 255, 0], [255, 0, 255]]


@every(share=[0.3, 0.9, 0.99], kind=["JPEG", "progressive JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF"])
def test_a_file_that_is_cut_off_is_refused_not_read_in_part(kind, share):
    noise = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    options = {"progressive": True} if kind.startswith("progressive") else {}
    data = file_of(Image.fromarray(noise).resize((320, 240)), kind.rpartition(" ")[2], **options)
    with pytest.raises(UnreadablePictureError, match=r"half: .*save it as PNG or JPEG"):
        decode(data[: round(len(data) * share)], "half")


def test_a_picture_whose_exif_data_are_broken_is_taken_as_upright(quarters):
    exif = Image.Exif()
    exif[0x0112] = 6
    data = file_of(quarters, "JPEG", exif=exif)
    start = data.index(b"Exif\0\0") + 6
    assert decode(data[:start] + b"??\0*\xff\xff\xff\xff" + data[start + 8 :], "turned").shape == (24, 40, 3)


def test_a_jpeg_is_decoded_smaller_on_request_and_its_shorter_side_keeps_the_length():
    data = file_of(Image.new("RGB", (4000, 3000), RED), "JPEG")
    assert decode(data, "photograph", near_px=1200).shape == (1500, 2000, 3)
    assert decode(data, "photograph", near_px=1600).shape == (3000, 4000, 3)
    with pytest.raises(UnreadablePictureError, match="more than 11 million pixels"):
        decode(data, "photograph", 11_000_000, near_px=1200)


def test_a_picture_of_the_largest_size_is_loaded_and_a_larger_one_is_refused_by_its_header(monkeypatch):
    with pytest.raises(UnreadablePictureError, match="bomb: more than 64 million pixels; make it smaller"):
        decode(png(20000, 20000), "bomb")
    monkeypatch.setattr(pictures, "MOST_PIXELS", 12)
    assert decode(png(4, 3, 3 * bytes(13)), "just").shape == (3, 4, 3)
    with pytest.raises(UnreadablePictureError, match="over: more than"):
        decode(png(13, 1, bytes(40)), "over")


def test_a_file_that_is_larger_than_any_picture_is_not_opened(tmp_path):
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(pictures.MOST_BYTES + 1)
    with pytest.raises(UnreadablePictureError, match=r"huge\.png: larger than 256 MB, the most that is read"):
        load(tmp_path / "huge.png")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("gone.png", r"gone\.png: .*check the name"),
        ("a\0b.png", "check the name"),
        (".", "a folder; name a file in it"),
        ("pipe.png", r"pipe\.png: a pipe or a device; save its content to a file"),
        ("/dev/zero", "/dev/zero: a pipe or a device"),
        ("note.png", r"note\.png: not a picture"),
        ("nothing.png", "empty"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_with_the_remedy(tmp_path, name, complaint):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "note.png").write_text("not a picture")
    (tmp_path / "nothing.png").touch()
    with pytest.raises(UnreadablePictureError, match=complaint):
        load(tmp_path / name)
