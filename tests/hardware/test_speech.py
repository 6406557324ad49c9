"""The voice: the newest text is spoken, an older one is interrupted, and nothing waits for it."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from device.config import SpeechConfig
from device.hardware import speech
from device.hardware.speech import Speech
from tests.waiting import PATIENCE_S, until

RECORDER = """
import pathlib, sys, time
text = sys.stdin.read()
file = pathlib.Path(sys.argv[1])
with file.open("a") as lines:
    lines.write(f"{sys.argv[sys.argv.index('-v') + 1]}: {text}\\n")
time.sleep(3600 if "long" in text else 0)
with file.open("a") as lines:
    lines.write("done\\n")
"""


@pytest.fixture
def voice(tmp_path):
    made = Speech(SpeechConfig(), [sys.executable, "-c", RECORDER, str(tmp_path / "said")])
    yield made
    made.close()


def said(folder, lines: int) -> list[str]:
    def found() -> list[str] | None:
        lines_said = (folder / "said").read_text().splitlines() if (folder / "said").exists() else []
        return lines_said if len(lines_said) >= lines else None

    return until(found, "the voice")


def test_a_new_text_interrupts_the_old_one_without_waiting(voice, tmp_path, monkeypatch):
    monkeypatch.setattr(speech, "LONGEST_S", 2 * PATIENCE_S)
    voice.say("a long story", "en")
    said(tmp_path, 1)
    before = time.monotonic()
    voice.say("news", "en")
    assert time.monotonic() - before < PATIENCE_S
    assert said(tmp_path, 3) == ["en: a long story", "en: news", "done"]


def test_a_hung_voice_is_killed_and_the_next_text_is_spoken(voice, tmp_path, monkeypatch):
    monkeypatch.setattr(speech, "LONGEST_S", 1.0)
    voice.say("a long story", "en")
    said(tmp_path, 1)
    time.sleep(1.5)
    voice.say("news", "en")
    assert said(tmp_path, 3)[-1] == "done"


def test_a_text_is_spoken_in_its_language_whatever_its_letters_and_the_services_locale(voice, tmp_path, monkeypatch):
    monkeypatch.setattr("locale.getpreferredencoding", lambda *_: "ascii")
    monkeypatch.setenv("PYTHONUTF8", "1")  # for the recorder
    voice.say("Zoë, \ud800e", "nl")
    assert said(tmp_path, 2) == ["nl: Zoë, ?e", "done"]


def test_nothing_waits_while_the_voice_starts(voice, tmp_path, monkeypatch):
    begins, goes_on = threading.Event(), threading.Event()
    start = voice._start

    def slowly(language: str):
        begins.set()
        assert goes_on.wait(PATIENCE_S)
        return start(language)

    monkeypatch.setattr(voice, "_start", slowly)
    monkeypatch.setattr(speech, "LONGEST_S", 2 * PATIENCE_S)  # the older text is not spoken until it hangs
    voice.say("a long story", "en")
    assert begins.wait(PATIENCE_S)
    caller = threading.Thread(target=voice.say, args=("news", "en"))
    caller.start()
    caller.join(PATIENCE_S)
    is_waiting = caller.is_alive()
    goes_on.set()
    assert not is_waiting
    assert said(tmp_path, 2)[-2:] == ["en: news", "done"]


def test_a_missing_voice_is_named_with_the_remedy():
    with pytest.raises(OSError, match="sudo apt install espeak-ng"):
        Speech(SpeechConfig(), ["no-such-voice"])


def test_on_a_mac_its_own_voice_speaks_in_the_players_language(tmp_path, monkeypatch):
    program = tmp_path / speech.SAY
    program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/said"\n/bin/cat >> "{tmp_path}/said"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    voice = Speech(SpeechConfig())
    voice.say("Gelb ist dran\n", "de")
    assert said(tmp_path, 2) == ["-r 150 -v Anna -f -", "Gelb ist dran"]
    voice.close()


def test_the_real_voice_reads_the_text_from_standard_input(tmp_path):
    program = "espeak-ng"
    try:
        voice = Speech(SpeechConfig(), [program, "-w", str(tmp_path / "said.wav")])
    except OSError:
        pytest.skip("no espeak-ng")
    voice.say("Yellow: throw the dice", "en")
    written = tmp_path / "said.wav"
    until(lambda: written.exists() and written.stat().st_size > 10_000, "the sound")
    voice.close()
