"""Folders of labelled pictures: whatever is in `labels.jsonl`, it is read or refused with a message."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from vision.pictures.labelled import LABELS, Labelled, LabelsError, read_labels

NASTY = ["\x1b[2J", "\ud800", "\u2028", "\x0b", "\r", "9" * 5000, "٣", "é", "#", " "]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["throw.png", *NASTY]) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
DIE = st.fixed_dictionaries({"value": st.integers(1, 6) | VALUES, "box": st.lists(st.floats() | VALUES, max_size=4)})
LABEL = st.fixed_dictionaries(
    {},
    optional={
        "file": st.just("throw.png") | VALUES,
        "values": st.lists(st.integers(1, 6), max_size=5) | VALUES,
        "expect": st.lists(st.integers(1, 6), max_size=5) | VALUES,
        "source": st.sampled_from(NASTY) | VALUES,
        "dice": st.lists(DIE, max_size=3) | VALUES,
    },
)
LINES = st.lists(LABEL, min_size=1, max_size=3).map(lambda some: "\n".join(map(json.dumps, some)).encode())
PARTS = ['{"file": "throw.png", ', '"values": [1]}', '"dice": [', "[", "{", "}", "1e999", "NaN", *NASTY, "\n"]
TEXTS = st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=40).map(
    lambda some: "".join(some).encode("utf-8", "surrogatepass")
)


@given(LINES | TEXTS | st.sampled_from([b"[" * 50_000, b"x" * 900_000, bytes(range(256)), "[]\n".encode("utf-16")]))
def test_any_label_file_is_read_or_refused_with_the_name_of_the_file(tmp_path_factory, content):
    folder = tmp_path_factory.getbasetemp() / "labelled"
    folder.mkdir(exist_ok=True)
    (folder / "throw.png").touch()
    (folder / LABELS).write_bytes(content)
    try:
        found = read_labels(folder)
    except LabelsError as error:
        named = str(error).startswith(str(folder / LABELS))
    else:
        named = all(isinstance(one, Labelled) and one.path.is_file() for one in found)
    assert named
