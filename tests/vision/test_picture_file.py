"""What picture files say of themselves, compared with Pillow, which wrote them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.pictures.header import Header, read_header

KINDS = [
    ("JPEG", "RGB", {}),
    ("JPEG", "L", {"progressive": True}),
    ("JPEG", "CMYK", {}),
    ("PNG", "RGB", {}),
    ("PNG", "P", {}),
    ("WEBP", "RGB", {}),
    ("WEBP", "RGB", {"lossless": True}),
    ("WEBP", "RGBA", {}),
    ("TIFF", "RGB", {}),
    ("TIFF", "1", {"compression": "group4"}),
    ("BMP", "RGB", {}),
    ("GIF", "P", {}),
]
"""Format, mode and options of files that Pillow writes."""


def written(size=(7, 5), kind="PNG", mode="RGB", **options):
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, kind, **options)
    return buffer.getvalue()


def turned(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


@settings(max_examples=100)
@given(st.sampled_from(KINDS), st.integers(1, 300), st.integers(1, 300))
def test_the_size_is_that_of_the_picture(kind, width, height):
    name, mode, options = kind
    assert read_header(written((width, height), name, mode, **options)) == Header(width, height)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_tells_how_it_is_turned(kind, orientation):
    assert read_header(written((7, 5), kind, exif=turned(orientation))) == Header(7, 5, orientation)


def test_an_orientation_that_does_not_exist_is_upright():
    assert read_header(written(exif=turned(9))) == Header(7, 5)


def test_exif_data_that_are_broken_are_upright():
    data = written((7, 5), "JPEG", exif=turned(6))
    start = data.index(b"Exif\0\0") + 6
    assert read_header(data[:start] + b"MM\0*\xff\xff\xff\xff" + data[start + 8 :]) == Header(7, 5)


@pytest.mark.parametrize("options", [{}, {"progressive": True}])
def test_a_jpeg_whose_end_is_missing_is_incomplete(options):
    data = written((64, 64), "JPEG", **options)
    assert [read_header(data[:-end]).is_complete for end in (2, 10)] == [False, False]
    assert read_header(data).is_complete


def test_a_png_is_complete_with_its_last_chunk_alone():
    data = written((64, 64), "PNG")
    assert [read_header(data[:-end]).is_complete for end in (1, 12, 30)] == [False] * 3
    assert read_header(data).is_complete


def test_the_end_of_a_jpegs_thumbnail_is_not_the_pictures_end():
    data, thumbnail = written((64, 64), "JPEG"), written((8, 8), "JPEG")
    segment = b"\xff\xe2" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    whole = data[:2] + segment + data[2:]
    assert read_header(whole) == Header(64, 64)
    assert not read_header(whole[:-10]).is_complete


def test_what_follows_a_jpegs_end_does_not_matter():
    data = written((7, 5), "JPEG")
    assert read_header(data + written((9, 9), "JPEG")[:-10]) == Header(7, 5)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF"])
def test_a_header_that_is_cut_off_is_none(kind):
    assert read_header(written((7, 5), kind)[:9]) is None


@given(st.binary(max_size=100))
def test_bytes_without_a_signature_have_no_header(data):
    assert read_header(b"?" + data) is None


@given(
    st.sampled_from([b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBP", b"II*\0", b"MM\0*", b"BM", b"GIF89a"]),
    st.binary(max_size=300),
)
def test_any_bytes_behind_a_signature_are_a_header_or_none(signature, data):
    header = read_header(signature + data)
    assert header is None or (header.width >= 0 and header.height >= 0 and 1 <= header.orientation <= 8)


def test_a_megabyte_of_fill_bytes_is_read_at_once():
    assert read_header(b"\xff\xd8" + b"\xff" * 1_000_000 + b"\0") is None
