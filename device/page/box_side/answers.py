"""Answers the page's requests. Every change needs a phone's key; nothing waits for the loop."""

from __future__ import annotations

import base64
import io
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from device.camera.misread import Misread
from device.camera.seen_frame import SeenFrame
from device.camera.worker import roll_in
from device.health.machine import NoAnswer
from device.health.wifi import BadNetwork, Wifi, check_network
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.pictures import (
    examine_photograph,
    jpeg,
    live_picture,
    photograph_picture,
    throw_picture,
    tray_picture,
)
from device.page.box_side.snapshot import may_coach
from device.page.routes import BY_NAME, Place
from device.page.wire import Data, RequestError
from device.referee import correcting
from device.referee.inputs import (
    BackupGiven,
    BoardCorrection,
    Button,
    DiceCorrection,
    DiceRead,
    Input,
    LineTapped,
    Press,
    SeatsGiven,
    WifiGiven,
)
from device.referee.players import GameSettings
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.setup import BadSeats, settings_of
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens.language import say, speaking
from device.storage.backup import BadBackup, backup, read_backup
from device.storage.journal import JournalError, games_in
from device.storage.past_game_file import StoredGame
from engine import BadPosition
from engine.opponents.strongest import advice
from vision.pictures import UnreadablePictureError
from vision.types import Frame

if TYPE_CHECKING:
    from device.camera.watcher import Watcher
    from device.laptop.camera_choice import CameraChoice

LOOK_S, LOOK_EVERY_S = 8.0, 0.05
"""The longest time that a look at the tray may take, and the interval at which it is polled, in seconds."""

FRAME_S = 2.0
"""The longest wait for a picture, in seconds; the camera has 15 a second, unless one is just being read."""

MOST_SOURCE = 64
"""The longest address that the page's process may send, in characters."""


@dataclass(eq=False)
class Answers:
    """Answers requests; `device.page.routes` says who may make each one, and where it is answered.

    Attributes:
        keys: The paired phones.
        journal: The journal's file.
        misread: The folder for pictures of misread rolls.
        throw: Rolls the dice of a simulated tray; None for real dice.
        picture: The newest picture of a simulated tray; None for real dice.
        cameras: The cameras to choose from; None if there is no choice.
        needs_tray: Whether dice are rolled into a tray, which the page helps to set up; otherwise on any surface.
        watch: Whether phones that are not paired may watch.
        report: Returns the files of a report of this box, name and content; None for a simulated one.
        wifi: The box's Wi-Fi; None for a computer's own.
        put: Accepts an input for the referee, as the buttons' own callbacks do; set by the box, as is `watching`.
        watching: The source of pictures; None for a box without a camera.
    """

    keys: PhoneKeys
    journal: Path
    misread: Path
    throw: Callable[[], object] | None = None
    picture: Callable[[], Frame | None] | None = None
    cameras: CameraChoice | None = None
    needs_tray: bool = True
    watch: bool = True
    report: Callable[[], list[tuple[str, bytes]]] | None = None
    wifi: Wifi | None = None
    put: Callable[[Input], None] = lambda _: None
    watching: Watcher | None = None

    def __post_init__(self) -> None:
        self._tray_before: Frame | None = None
        self._photographed: SeenFrame | None = None
        self._pictured: tuple[SeenFrame, Data] | None = None
        self._now: Situation | None = None

    def can(self) -> Data:
        """Return the features of this box that the page may offer."""
        return {
            "throw": self.throw is not None,
            "tray": self.picture is not None,
            "camera": self.watching is not None,
            "photograph": self.throw is None,
            "set_up_tray": self.needs_tray,
            "cameras": self.cameras is not None,
            "choose": self.cameras is not None and not self.cameras.source,
            "report": self.report is not None,
            "wifi": self.wifi is not None,
            "shows_code": self.keys.shows_code,
        }

    def hint(self) -> str:
        """Return what to change about the camera, as `Change`; "" for nothing."""
        return self.watching.advice() if self.watching is not None else ""

    def told(self) -> Data:
        """Return what the page's process is sent at first: whether everybody may watch, and where the games are."""
        return {"watch": self.watch, "journal": str(self.journal.absolute())}

    def admit(self, message: Data) -> tuple[Place, Callable[[Data], Data]]:
        """Check a request and return where it is answered and by which function; for the keys' thread.

        Raises:
            RequestError: "unknown" for an unknown request, "key" if a key is needed, "bad" if its values are invalid.
        """
        ask = message.get("ask")
        request = BY_NAME.get(ask) if isinstance(ask, str) else None
        if request is None or request.place is Place.PAGE:
            raise RequestError("unknown", "unknown request")
        request.admit(lambda: self.keys.find(message.get("key")) is not None, watch=self.watch)
        if problem := request.problem(message):
            raise RequestError("bad", problem)
        return request.place, getattr(self, f"_answer_{request.name}")

    def see(self, situation: Situation) -> None:
        """Update the state from what the box shows now; to be called in the keys' thread."""
        self._now = situation

    def _answer_press(self, message: Data) -> Data:
        self.put(Press(Button[message["button"]], message["long"]))
        return {}

    def _answer_dice(self, message: Data) -> Data:
        dice, now = tuple(message["dice"]), self._now
        if now is not None and (now.game is None or len(dice) == 1):  # the roll for who begins, or a test
            if len(dice) != self._dice_wanted():
                raise RequestError("not now", "these dice are not awaited now")
            self.put(DiceRead(tuple(sorted(dice))))
            return {}
        return self._correct(DiceCorrection(dice, message["game"], message["steps"]), message)

    def _answer_board(self, message: Data) -> Data:
        *markers, runners = (tuple(spaces) for spaces in (*message["markers"], message["runners"]))
        told = BoardCorrection(tuple(markers), runners, message["turn"], message["game"], message["steps"])
        return self._correct(told, message)

    def _correct(self, told: DiceCorrection | BoardCorrection, message: Data) -> Data:
        _check(self._now, told, message.get("language", "en"))
        self.put(told)
        return {}

    def _offer(self, told: Input, kind: str, text: str) -> Data:
        """Put an input that the referee accepts now, or raise `RequestError` of a kind."""
        if self._now is None or step(self._now, told) is None:
            raise RequestError(kind, text)
        self.put(told)
        return {}

    def _answer_line(self, message: Data) -> Data:
        return self._offer(LineTapped(message["line"], message["shown"]), "moved on", "the box shows another list")

    def _answer_seats(self, message: Data) -> Data:
        names, colours, levels, variants = (tuple(message[key]) for key in ("names", "colours", "levels", "variants"))
        told = GameSettings(names, message["columns_to_win"], variants, colours=colours, levels=levels)
        try:
            settings = settings_of(told, message["begins"])
        except BadSeats as error:
            raise RequestError(error.kind, str(error)) from None
        return self._offer(SeatsGiven(settings), "not now", "no game can begin now")

    def _answer_throw(self, _: Data) -> Data:
        if self.throw is None:
            raise RequestError("unknown", "the dice are real: roll them by hand")
        self.throw()
        return {}

    def _answer_photograph(self, message: Data) -> Data:
        """Read a photograph, and take its dice as a roll if one is awaited.

        Dice with the values of the last roll may be those of that roll, photographed once more: they count only if the
        players say that they have rolled again.
        """
        if self.throw is not None:
            raise RequestError("unknown", "the dice are simulated: no photograph shows them")
        wanted = self._dice_wanted()
        if not wanted:
            raise RequestError("not now", "no roll is awaited now")
        try:
            evidence = examine_photograph(message.get("file", b""), wanted)
        except UnreadablePictureError as error:
            raise RequestError("picture", str(error)) from error
        told = photograph_picture(evidence) | {"counts": False, "same": False}
        if not evidence.reading.ok:
            return told
        roll = roll_in(evidence.reading, asked=message["how"] == "once")
        now = self._now
        if now is None or self._dice_wanted() != wanted:
            raise RequestError("moved on", "the game has moved on in the meantime")
        if step(now, roll) is not None:
            seen = SeenFrame(evidence.frame, evidence.reading)
            if self.watching is not None:
                self.watching.thrown = seen
            else:
                self._photographed = seen
            self.put(roll)
            return told | {"counts": True}
        if step(now, replace(roll, asked=False)) is not None:
            return told | {"same": True}
        raise RequestError("not now", "this roll does not count now")

    def _dice_wanted(self) -> int:
        return dice_wanted(self._now.state) if self._now is not None else 0

    @property
    def _thrown(self) -> SeenFrame | None:
        """The picture of the last roll; None before the first."""
        return self.watching.thrown if self.watching is not None else self._photographed

    def _answer_coach(self, _: Data) -> Data:
        now = self._now
        if now is None or not may_coach(now):
            raise RequestError("not now", "the coach is only asked by a person who decides, while the odds are on")
        return {"choices": [asdict(one) for one in advice(now.played.position)]}

    def _answer_backup(self, _: Data) -> Data:
        return backup(self._games(), self._now.preferences if self._now is not None else Preferences())

    def _answer_restore(self, message: Data) -> Data:
        """Offer a backup to the players at the box."""
        if self._now is None:
            raise RequestError("not now", "the box is starting")
        try:
            games, preferences = read_backup(message.get("file", b""), self._games(), self._now.number)
        except BadBackup as error:
            raise RequestError("backup", str(error)) from error
        self._offer(BackupGiven(games, preferences), "playing", "a backup is only taken over before a game or after it")
        return {"games": len(games)}

    def _answer_networks(self, _: Data) -> Data:
        try:
            return {"networks": [each.name for each in self._its_wifi().networks()]}
        except NoAnswer:
            raise RequestError("none", "the Wi-Fi does not answer: the box's menu says why under Network") from None

    def _answer_wifi(self, message: Data) -> Data:
        """Offer a network to the players at the box."""
        self._its_wifi()
        told = WifiGiven(message["name"], message["password"])
        try:
            check_network(told.name, told.password)
        except BadNetwork as error:
            raise RequestError(error.kind, str(error)) from None
        return self._offer(told, "playing", "another network is only joined before a game or after it")

    def _its_wifi(self) -> Wifi:
        if self.wifi is None:
            raise RequestError("none", "this computer's owner chooses the network")
        return self.wifi

    def _games(self) -> list[StoredGame]:
        try:
            return games_in(self.journal)
        except JournalError as error:
            raise RequestError("failed", str(error)) from error

    def _answer_pair(self, message: Data) -> Data:
        source = str(message.get("source", ""))[:MOST_SOURCE]
        return {"key": self.keys.pair(message["code"], message["name"], source)}

    def _answer_phones(self, message: Data) -> Data:
        own = self.keys.find(message.get("key"))
        return {
            "code": self.keys.code_for_others(),
            "phones": [
                {"id": phone.id, "name": phone.name, "since": phone.since, "own": phone == own}
                for phone in self.keys.phones()
            ],
        }

    def _answer_unpair(self, message: Data) -> Data:
        if not self.keys.unpair(message["phone"]):
            raise RequestError("unknown", "there is no such phone")
        return {}

    def _answer_picture(self, _: Data) -> Data:
        thrown = self._thrown
        if thrown is None or thrown.reading is None:
            raise RequestError("none", "no roll has been seen since the box was switched on")
        if self._pictured is None or self._pictured[0] is not thrown:
            self._pictured = thrown, throw_picture(thrown)
        return self._pictured[1]

    def _answer_tray(self, _: Data) -> Data:
        frame = self.picture() if self.picture is not None else None
        if frame is None:
            raise RequestError("none", "there is no simulated tray")
        before, self._tray_before = self._tray_before, frame
        return tray_picture(frame, before, self._thrown)

    def _answer_live(self, _: Data) -> Data:
        seen = self.watching.current_frame(FRAME_S) if self.watching else None
        if self.watching is None or seen is None:
            raise RequestError("none", "there is no camera picture: the box's display says why")
        return live_picture(seen, self.watching.tray, needs_tray=self.needs_tray)

    def _answer_cameras(self, _: Data) -> Data:
        found = self.cameras.others() if self.cameras is not None else []
        return {
            "cameras": [
                {"source": each.source, "name": each.name or each.source, **jpeg(each.picture)}
                for each in found
                if each.picture is not None
            ]
        }

    def _answer_camera(self, message: Data) -> Data:
        if self.cameras is None or not self.cameras.choose(message["source"]):
            raise RequestError("none", "there is no such camera")
        return {}

    def _answer_calibrate(self, _: Data) -> Data:
        if self.watching is None:
            raise RequestError("none", "this box has no camera")
        look = self.watching.measure(learn=True)
        until = time.monotonic() + LOOK_S
        while look.told is None and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        told = look.told
        if told is None:
            raise RequestError("late", "the camera delivered too few pictures")
        is_empty = all(change != "empty the tray" for change, _ in told.advice)
        return {"kept": not told.problem and is_empty, "problem": told.problem}

    def _answer_misread(self, _: Data) -> Data:
        return {"misread": Misread(self.misread).listed()}

    def _answer_misread_files(self, _: Data) -> Data:
        try:
            files = Misread(self.misread).files()
        except OSError as error:
            raise RequestError("none", f"the pictures cannot be read: {error}") from error
        return _packed(files)

    def _answer_report(self, _: Data) -> Data:
        if self.report is None:
            raise RequestError("none", "there is no report of a simulated box")
        return _packed(self.report())


def _packed(files: list[tuple[str, bytes]]) -> Data:
    """Return an archive of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:  # stored uncompressed: PNG does not compress further
        for name, data in files:
            archive.writestr(name, data)
    return {"zip": base64.b64encode(packed.getvalue()).decode()}


def _check(now: Situation | None, told: DiceCorrection | BoardCorrection, language: str = "en") -> None:
    """Raise `RequestError` if the referee would reject the correction, as seen from what the box has shown last.

    The referee checks it again when it is handled, as a button may be pressed in between.

    Raises:
        RequestError: "moved on" if the phone has shown an older state, "bad" for spaces or players that do not exist,
            "board" with the reason in the language, else "not now".
    """
    if now is None or now.game is None or not correcting.is_about(now, told):
        raise RequestError("moved on", "the game has moved on in the meantime: look at it again")
    if isinstance(told, BoardCorrection):
        if len(told.markers) != len(now.game.names):
            raise RequestError("bad", "the number of players does not match the game")
        try:
            position = correcting.board_of(now, told)
        except BadPosition as error:
            raise RequestError("bad", str(error)) from error
        if problems := position.problems():
            with speaking(language):
                raise RequestError("board", say(problems[0].text, **dict(problems[0].values)))
    if step(now, told) is None:
        raise RequestError("not now", "this changes nothing, or it cannot be corrected now")
