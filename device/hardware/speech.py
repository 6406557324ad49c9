"""Speech output: espeak-ng, or say on macOS, in a separate process, through any sound card.

Nothing waits for it: a new text interrupts the current one, and a process that hangs is killed.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence

from device.config import SpeechConfig

LONGEST_S = 30.0
"""The longest time a text may take to speak, in seconds; after it the process counts as hung."""
END_S = 2.0
LOOK_S = 0.1
"""The time between two looks whether a text is over or a newer one waits, in seconds."""

PROGRAM = "espeak-ng"
SAY = "say"
VOICES = {"en": "Samantha", "nl": "Xander", "de": "Anna", "fr": "Thomas"}
"""The voices of macOS's `say` that every Mac has, by language."""

_log = logging.getLogger(__name__)


class Speech:
    """Speaks one text at a time, always the newest."""

    def __init__(self, config: SpeechConfig, program: Sequence[str] = ()) -> None:
        """Find the command `program`, by default espeak-ng, else macOS's say; raise OSError if it is missing.

        It reads the text from its standard input.
        """
        program = program or ((SAY,) if shutil.which(PROGRAM) is None and shutil.which(SAY) else (PROGRAM,))
        if shutil.which(program[0]) is None:
            raise OSError(f"the voice {program[0]} is not installed: sudo apt install {PROGRAM}")
        self._program, self._speed = program, str(config.words_per_minute)
        self._waiting: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()

    def say(self, text: str, language: str) -> None:
        """Speak a text in plain words as soon as possible, in "en", "nl", "de" or "fr"; returns at once."""
        self._waiting.put((text, language))

    def close(self) -> None:
        """Stop speaking and end the thread; may be called twice."""
        self._waiting.put(None)
        self._thread.join(END_S)

    def _run(self) -> None:
        while (newest := self._waiting.get()) is not None:
            if not self._waiting.empty():
                continue  # it is old already
            text, language = newest
            try:
                self._speak(self._start(language), text)
            except OSError as error:
                _log.warning("speech failed: %s", error)

    def _command(self, language: str) -> list[str]:
        if self._program == (SAY,):
            return [SAY, "-r", self._speed, "-v", VOICES[language], "-f", "-"]
        return [*self._program, "-s", self._speed, "-v", language, "--stdin"]

    def _start(self, language: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command(language),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )

    def _speak(self, process: subprocess.Popen[str], text: str) -> None:
        """Speak a text until it is over, another one comes, or the voice hangs."""
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin:
            process.stdin.write(text)
        end_s = time.monotonic() + LONGEST_S
        while process.poll() is None and self._waiting.empty() and time.monotonic() < end_s:
            time.sleep(LOOK_S)
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
