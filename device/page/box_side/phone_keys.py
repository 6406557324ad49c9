"""The phones that may press the buttons: a code on the OLED pairs a phone, until it is unpaired.

Only the hash of a phone's key is stored, so the file gives no access. Each source may try five wrong codes a minute,
and nobody's wrong codes lock out anybody else. An attacker with all 250 addresses of a network has a chance of 1 in
80,000 a minute, and only while the code is shown on the OLED, which then warns of guessing.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from device.page.wire import RequestError, hash_of
from vision.files import read_parsed, write_whole

CODE_DIGITS = 8
"""The length of a code. Digits alone, as phones offer large keys for them."""
TRIES_PER_MINUTE = 5
"""The number of wrong codes that one source may try in a minute."""
GUESSING = 3
"""The number of wrong codes in a minute that counts as guessing; an honest person mistypes one or two."""
MOST_SOURCES = 256
"""The number of sources with wrong codes that are remembered, the most recent ones."""
CODE_S = 300.0
"""The lifetime of a code in seconds."""
OPEN_S = 600.0
"""The time after the start in which a box that shows no code takes its first phone, in seconds."""
MOST_PHONES = 16
"""The most paired phones; one more unpairs the one that was paired first."""
MOST_NAME = 24
"""The longest name of a phone, in characters."""
MOST_BYTES = 65536
MINUTE_S = 60.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Phone:
    """A paired phone.

    Attributes:
        name: The name that its owner chose.
        key_hash: SHA-256 of its key, hexadecimal.
        since: When it was paired, in seconds since 1970 by the box's clock.
    """

    name: str
    key_hash: str
    since: float

    @property
    def id(self) -> str:
        """A short identifier, used to unpair it."""
        return self.key_hash[:12]


class PhoneKeys:
    """The list of phones, and the code on the OLED. Used only by the publisher's thread."""

    def __init__(
        self,
        file: Path | None,
        *,
        invitation: str = "",
        shows_code: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Load the paired phones.

        Args:
            file: Where they are stored; None not to store them.
            invitation: A second code, which stays valid; "" for none.
            shows_code: Whether the box has a display for the code. Otherwise the first phone needs none in the first
                `OPEN_S`, in which somebody has just switched the box on; paired phones show the code for others.
            clock: Returns monotonic seconds, for tries and codes.
        """
        self._file = file
        self._invitation = invitation
        self.shows_code = shows_code
        """Whether the box itself shows the code."""
        self._clock = clock
        self._phones: dict[str, Phone] = {}
        self._code = ""
        self._code_until = 0.0
        self._open_until = clock() + OPEN_S
        self._wrong: deque[tuple[str, float]] = deque(maxlen=TRIES_PER_MINUTE * MOST_SOURCES)
        """The sources of the last wrong codes, and when they came."""
        self.changed: Callable[[], object] = lambda: None
        """Called when the list of phones has changed."""
        if file is not None:
            self._phones = read_parsed(file, MOST_BYTES, _phones, "every phone must be paired again") or {}

    @property
    def code_is_void(self) -> bool:
        """Whether the current code has expired, so that a new one is needed for pairing."""
        return not self._code or self._clock() >= self._code_until

    @property
    def code(self) -> str:
        """The code that pairs a phone; "" while pairing is closed."""
        return self._code

    def new_code(self) -> str:
        """Create and return a new code; the one before is void."""
        self._code = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        self._code_until = self._clock() + CODE_S
        return self._code

    def no_code(self) -> None:
        """Disable pairing."""
        self._code = ""

    @property
    def is_guessed_at(self) -> bool:
        """Whether somebody is guessing the code right now."""
        return len(self._guesses()) >= GUESSING

    def _guesses(self) -> list[str]:
        """Return the source of each wrong code of the last minute."""
        since = self._clock() - MINUTE_S
        return [source for source, at in self._wrong if at > since]

    def pair(self, code: str, name: str, source: str = "") -> str:
        """Pair a phone by the code that was typed at a network address; return its key, which only the phone stores.

        Raises:
            RequestError: "tries" after too many wrong codes, "code" if it is wrong, or if no code is shown.
        """
        self._refuse_guessing(source)
        if not self._is_open() and not (self._invitation and _same(code, self._invitation)):
            if self.code_is_void and not self._invitation:
                raise RequestError("code", "no code is valid now: show one on the box")
            if self.code_is_void or not _same(code, self._code):
                self._count_wrong(source)
                raise RequestError("code", "this is not the code on the box")
        key = secrets.token_urlsafe(32)
        phone = Phone(_clean(name), hash_of(key), time.time())
        if len(self._phones) >= MOST_PHONES:
            del self._phones[next(iter(self._phones))]
        self._phones[phone.key_hash] = phone
        self._write()
        return key

    def _is_open(self) -> bool:
        """Whether a phone needs no code: the first one of a box that cannot show any, and that was just switched on."""
        return not self.shows_code and not self._phones and self._clock() < self._open_until

    def code_for_others(self) -> str:
        """Return the code that a paired phone shows, if the box cannot; otherwise ""."""
        if self.shows_code:
            return ""
        return self.new_code() if self.code_is_void else self._code

    def _refuse_guessing(self, source: str) -> None:
        """Reject any code, right or wrong, after too many wrong ones."""
        if self._guesses().count(source) >= TRIES_PER_MINUTE:
            raise RequestError("tries", "too many attempts: wait a minute")

    def _count_wrong(self, source: str) -> None:
        was_guessed_at = self.is_guessed_at
        self._wrong.append((source, self._clock()))
        if self.is_guessed_at and not was_guessed_at:
            _log.warning("somebody is guessing the pairing code, last from %s", source or "this machine")

    def find(self, key: object) -> Phone | None:
        """Return the phone that a key belongs to; None if it is unknown or was unpaired."""
        return self._phones.get(hash_of(key)) if isinstance(key, str) else None

    def hashes(self) -> list[str]:
        """Return the hashes of the keys that are valid now."""
        return sorted(self._phones)

    def phones(self) -> list[Phone]:
        """Return the phones, the last one paired first."""
        return list(reversed(self._phones.values()))

    def unpair(self, phone_id: str) -> bool:
        """Unpair a phone by its `id`; return whether it existed."""
        found = [phone for phone in self._phones.values() if phone.id == phone_id]
        for phone in found:
            del self._phones[phone.key_hash]
        if found:
            self._write()
        return bool(found)

    def unpair_all(self) -> None:
        """Unpair all phones."""
        if self._phones:
            self._phones.clear()
            self._write()

    def _write(self) -> None:
        self.changed()
        if self._file is None:
            return
        phones = {"phones": [asdict(phone) for phone in self._phones.values()]}
        try:
            write_whole(self._file, json.dumps(phones).encode(), mode=0o600)
        except OSError as error:
            _log.warning(
                "%s cannot be written (%s): phones stay paired only until the box is switched off", self._file, error
            )


def _same(code: str, right: str) -> bool:
    return hmac.compare_digest(code.encode(errors="replace"), right.encode())


def _clean(name: str) -> str:
    """Return a name that can be shown anywhere: printable, no longer than `MOST_NAME`."""
    return "".join(letter for letter in str(name) if letter.isprintable()).strip()[:MOST_NAME] or "phone"


def _phones(data: Any) -> dict[str, Phone]:  # noqa: ANN401 - of any type
    phones = [Phone(**entry) for entry in data["phones"][:MOST_PHONES]]
    return {phone.key_hash: phone for phone in phones}
