"""The benchmark of reading: each picture counts once for each reader."""

from __future__ import annotations

import json

from tools.bench.reading import READERS, main


def test_each_scene_is_read_by_the_box_and_by_the_recipe(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("CANTSTOP_DICE", str(tmp_path / "none"))
    main(["--scenes", "2", "--json"])
    rows = json.loads(capsys.readouterr().out)
    read = {(row["pictures"], row["reader"]): row for row in rows if row["pictures"] != "no reading"}
    assert set(read) == {(f"own scenes, {kind}", reader) for kind in ("readable", "spoilt") for reader in READERS}
    assert [row["right"] + row["refused"] + row["wrong"] for row in read.values()] == [1] * len(read)
    assert {row["reader"] for row in rows} == {*READERS, "still frame", "frame that moves"}
