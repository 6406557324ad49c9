"""Draws every screen into docs/screens: `make docs`. The tests compare the current pictures with these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from PIL import Image

from device.referee import states
from device.referee.box_care import BOX_MENU, topics
from device.referee.inputs import (
    BackupGiven,
    CameraTrouble,
    Finding,
    Grade,
    Moment,
    PageReady,
    SoloGame,
    TraySeen,
    TrayView,
    WifiSeen,
)
from device.referee.players import GameSettings
from device.referee.preferences import Preferences
from device.referee.states import Situation, State
from device.screens.draw import LARGE, SMALL, draw, font
from device.screens.fault_texts import WIFI
from device.screens.views import screen
from engine import Bust, FastStart, Game, Leaves, SetTo, Stop, Variants, parse_position, parse_transcript, transcript
from engine.opponents import Advice
from engine.rules import plays

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SCALE = 3
TYPED = ("Anneke", "Çelâ", "Bartje", "Dora", "Anne-[K]", "FRITZ!Box", "cantstop", "m7pkw3qh", "48192037")
"""Words on these screens that people chose, a password and a pairing code; they are in no catalogue."""
LIT, DARK = (150, 205, 255), (6, 9, 14)
"""The colours of the usual blue-white OLED."""


def _after(game: Game, *lines: str) -> Game:
    """Return a game after further lines of its transcript."""
    return parse_transcript("\n".join([transcript(game).partition("result:")[0], *lines]))


def _game(*lines: str) -> Game:
    """Return a game of yellow and green after these lines of a transcript."""
    return _after(Game.new(["yellow", "green"]), *lines)


def _at(position: str, *lines: str) -> Game:
    """Return a game of yellow and green that continues from a position."""
    start = parse_position(position)
    return _after(Game.new(["yellow", "green"], start.variants).do(SetTo(start)), *lines)


def _put_back(state: State, real: Game) -> states.PutBack:
    """Return a state that leads to another one once the real board, now as in this game, is corrected."""
    return states.PutBack(state, real.position.markers, real.position.runners)


@cache
def situations() -> Mapping[str, Situation]:
    """Return a situation for every screen, by the screen's name."""
    fresh = _game()
    rolled = _game("2-3-4-5")
    two_out = _game("3-3-5-6", "8+9", "1-4-5-6", "7+9")
    one_free = _game("3-3-5-6", "8+9", "1-4-5-6")
    many = _at("3 -/7:4 1 2:2,8:3 1-4-5-6")
    bust = _at("3 -/7:4 1 5:2,7:3,10:1 1-3-3-5")
    winning = _at("3 7:13,8:11,12:2/6:4,12:1 1 4:3,9:8 6-6-6-6", "12+12: 12")
    forced = _at("3+no-stop -/8:2 1 7:3,8:1 2-6-6-6", "8+12")
    top = _at("3 7:12/6:4,7:9 1 5:2,7:13 2-2-2-4", "4+6: 4")
    menu = states.Menu(states.Deciding(), 1)
    rolls = (Advice(None, 0.47, 0.53, stops=False, best=True),)
    advised = tuple(
        Advice(play, None, worth, stops=False, best=worth == 0.56)
        for play, worth in zip(plays(rolled.position), (0.51, 0.56, 0.55), strict=True)
    )
    saved = BackupGiven(((1, ""),) * 12, Preferences())
    two = GameSettings(("yellow", "green"), colours=("yellow", "green"))
    shown: dict[str, tuple[State, Game | None]] = {
        "welcome": (states.Welcome(), None),
        "resume": (states.Resume(states.Deciding()), two_out),
        "new-again": (states.NewGame(states.GameOver(), last=two), winning.do(Stop())),
        "new-players": (states.NewGame(states.Welcome()), None),
        "new-colour": (states.NewGame(states.Welcome(), (1, 0), 1), None),
        "new-rules": (states.NewGame(states.Welcome(), (0, 0, 1)), None),
        "new-columns": (states.NewGame(states.Welcome(), (0, 0, 1, 1)), None),
        "new-fast-start": (states.NewGame(states.Welcome(), (0, 0, 1, 1, 0), 1), None),
        "new-markers": (states.NewGame(states.Welcome(), (0, 0, 1, 1, 0, 0), 2), None),
        "new-begins": (states.NewGame(states.Welcome(), (0, 0, 1, 0), 2), None),
        "roll-off": (states.RollingOff(two, (0, 1), (5,)), None),
        "roll-off-tie": (states.RollingOff(two, (0, 1), (), tie=True), None),
        "begins": (states.Begins(), fresh),
        "waiting": (states.Waiting(), fresh),
        "rolling": (states.WatchingTray(states.Waiting(), TraySeen(TrayView.ROLLING)), fresh),
        "hand": (states.WatchingTray(states.Deciding(), TraySeen(TrayView.HAND)), two_out),
        "unreadable": (states.WatchingTray(states.Waiting(), TraySeen(TrayView.UNREADABLE, "count", 3)), fresh),
        "cocked": (states.WatchingTray(states.Deciding(), TraySeen(TrayView.UNREADABLE, "cocked", 4)), two_out),
        "covered": (states.WatchingTray(states.Waiting(), TraySeen(TrayView.UNREADABLE, "hand", 4)), fresh),
        "camera-moved": (states.WatchingTray(states.Waiting(), TraySeen(TrayView.MOVED)), fresh),
        "no-camera": (
            states.WatchingTray(states.Waiting(), TraySeen(TrayView.NO_CAMERA, CameraTrouble.MISSING)),
            fresh,
        ),
        "camera-black": (
            states.WatchingTray(states.Deciding(), TraySeen(TrayView.NO_CAMERA, CameraTrouble.BLACK)),
            two_out,
        ),
        "choosing": (states.Choosing(), rolled),
        "choosing-last-runner": (states.Choosing(), one_free),
        "choosing-two-columns": (states.Choosing(), _at("3 -/7:4 1 8:1,9:2 1-1-1-6")),
        "choosing-pairing-first": (states.Choosing(), many),
        "choosing-column": (states.ChoosingColumn((6, 10)), many),
        "telling": (states.Telling(), two_out),
        "telling-same": (states.Telling(), two_out),
        "telling-forced": (states.Telling(), forced),
        "telling-wins": (states.Telling(), winning),
        "telling-blind": (
            states.WatchingTray(states.Telling(), TraySeen(TrayView.NO_CAMERA, CameraTrouble.FROZEN)),
            two_out,
        ),
        "deciding": (states.Deciding(), two_out),
        "where": (states.Whereabouts(states.Deciding()), top),
        "where-runners": (states.Whereabouts(states.Deciding(), 2), top),
        "where-left": (states.Whereabouts(states.Waiting()), _at("3 7:4,8:2/5:3 1 - -").do(Leaves(0, True))),
        "where-many": (
            states.Whereabouts(states.Waiting()),
            _at("3 2:2,3:4,4:6,5:8,6:10,7:12,8:10,9:8,10:6,11:4,12:3/- 1 - -"),
        ),
        "deciding-same": (states.Deciding(), two_out),
        "deciding-forced": (states.Deciding(), forced),
        "deciding-wins": (states.Deciding(), winning),
        "stop-pending": (states.StopPending(states.Deciding()), two_out),
        "busting": (states.Busting(), bust),
        "busted": (states.Busted(), bust.do(Bust())),
        "stopped": (states.Stopped(), two_out.do(Stop())),
        "stopped-won": (states.Stopped(), top.do(Stop())),
        "stopped-won-2": (states.Stopped(1), top.do(Stop())),
        "game-over": (states.GameOver(), winning.do(Stop())),
        "correcting-dice": (states.CorrectingDice(states.Choosing()), rolled),
        "entering-dice": (states.EnteringDice(states.Choosing(), ()), rolled),
        "entering-dice-3": (states.EnteringDice(states.Choosing(), (2, 5)), rolled),
        "entering-dice-done": (states.EnteringDice(states.Choosing(), (2, 5, 4, 6)), rolled),
        "put-back-play": (_put_back(states.Choosing(), two_out), two_out.undo()),
        "put-back-stop": (_put_back(states.Deciding(), top.do(Stop())), top),
        "put-back-stop-2": (replace(_put_back(states.Deciding(), top.do(Stop())), page=1), top),
        "too-early": (states.TooEarly(states.Choosing()), rolled),
        "too-early-bust": (states.TooEarly(states.Busting()), bust),
        "missed-throw": (states.WatchingTray(states.Waiting(), TraySeen(TrayView.MISSED, values=(1, 3, 5, 6))), fresh),
        "menu": (menu, two_out),
        "coach": (states.Coaching(states.Choosing(), advised), rolled),
        "coach-stop": (states.Coaching(states.Deciding(), rolls), two_out),
        "coach-asking": (states.Coaching(states.Deciding()), two_out),
        "seats": (states.ChangingSeats(states.Deciding(), playing=two), two_out),
        "seats-left": (states.ChangingSeats(states.Deciding(), (0,), playing=two), two_out),
        "restoring": (states.Restoring(states.GameOver(), saved), winning.do(Stop())),
        "giving-up": (states.GivingUp(states.Deciding()), two_out),
        "setting-markers": (states.SettingBoard(states.Waiting(), top.position.markers, (0,) * 13, 0, 0, 7), top),
        "setting-runners": (states.SettingBoard(states.Waiting(), top.position.markers, (0,) * 13, 0, 2, 4), top),
        "setting-turn": (states.SettingBoard(states.Waiting(), top.position.markers, (0,) * 13, 1, 3), top),
        "setting-nonsense": (
            states.SettingBoard(
                states.Waiting(),
                top.position.markers,
                (0,) * 13,
                0,
                problem="column {column} is won, so it can hold no runner",
                values=(("column", 7),),
            ),
            top,
        ),
    }
    shown |= _box_itself(two_out) | _seats()
    served = PageReady("http://192.168.178.24:8017/", TYPED[-1], 2)
    guessed = replace(served, guessed_at=True)
    shown |= {
        "page": (states.ShowingPage(states.Waiting(), served), fresh),
        "page-in-words": (states.ShowingPage(states.Waiting(), served, in_words=True), fresh),
        "page-guessed": (states.ShowingPage(states.Waiting(), guessed), fresh),
        "page-guessed-in-words": (states.ShowingPage(states.Waiting(), guessed, in_words=True), fresh),
        "page-unpair": (states.ShowingPage(states.Waiting(), served, asks=True), fresh),
        "page-asking": (states.ShowingPage(states.Waiting()), fresh),
        "page-off": (states.ShowingPage(states.Waiting(), PageReady("", "")), fresh),
    }
    plain = {name: Situation(state, game, 1) for name, (state, game) in shown.items()}
    for name in ("telling-same", "deciding-same"):
        plain[name] = replace(plain[name], undone=(2, 3, 4, 5))
    plain["correcting-dice"] = replace(plain["correcting-dice"], likely=((2, 3, 4, 6), (1, 3, 4, 5)))
    plain["page-silent"] = replace(plain["page-off"], preferences=Preferences(page=True))
    with_odds = {
        name: replace(plain[of], preferences=Preferences(odds="on"))
        for name, of in (
            ("odds-deciding", "deciding"),
            ("odds-forced", "deciding-forced"),
            ("odds-wins", "deciding-wins"),
        )
    }
    stopped = Situation(states.Stopped(1), two_out.do(Stop()), 1, Preferences(odds="after"))
    lost = _at("3 -/7:4 1 5:2,7:3,10:1 -", "1-3-3-5", "bust")
    busted = Situation(states.Busted(), lost, 1, Preferences(odds="after"))
    four = Game.new(["Anneke", "Çelâ", "Bartje", "Dora"], colours=["yellow", "orange", "green", "blue"])
    four = four.do(SetTo(parse_position("3 7:13,8:11/-/-/- 1 12:3 -"))).do(Stop())
    told = (
        Moment("luck", "Anneke", 8, (2, 3, 4, 5), 0.31, 0.58),
        Moment("roll", "Bartje", 12, loss=0.55, spaces=11),
        Moment("stop", "Bartje", 12, loss=0.55, spaces=11),
        Moment("turn", "Anneke", 10, before=0.24, after=0.66),
    )
    evening = {
        "story": Situation(states.GameStory(states.GameOver(), told), four, 5),
        "story-bold": Situation(states.GameStory(states.GameOver(), told, 1), four, 5),
        "story-stop": Situation(states.GameStory(states.GameOver(), told, 2), four, 5),
        "story-turn": Situation(states.GameStory(states.GameOver(), told, 3), four, 5),
        "story-asking": Situation(states.GameStory(states.GameOver()), four, 5),
        "story-none": Situation(states.GameStory(states.GameOver(), ()), four, 5),
        "game-over-score": replace(plain["game-over"], score=(1, 1)),
        "game-over-score-four": Situation(states.GameOver(), four, 5, score=(0, 2, 1, 1)),
    }
    box_menu = Situation(states.BoxMenu(states.Menu(states.Deciding(), 5), 2), two_out, 1, Preferences(odds="after"))
    others = {"odds-menu": box_menu, "odds-stopped": stopped, "odds-busted": busted}
    return MappingProxyType(plain | with_odds | others | evening)


def _seats() -> dict[str, tuple[State, Game | None]]:
    """Return the screens of seats: questions, entering a name, an opponent's turn, solo games."""
    with_name = states.NewGame(states.Welcome(), (5, 0, 0), 7, ("Anneke", "Çelâ"))
    start = parse_position("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6")
    against = Game.new(["yellow", "green"], levels=["rule-28-outer", ""]).do(SetTo(start))
    moved = against.do(plays(against.position)[-1])
    alone = Game.new(["yellow"]).do(SetTo(parse_position("3 7:13,6:2 1 - -")))
    won = Game.new(["yellow"]).do(SetTo(parse_position("3 7:13,8:11 1 12:3 -"))).do(Stop())
    best = [
        SoloGame(place, name, level, turns, 10 - place)
        for place, (name, level, turns) in enumerate(
            (("yellow", "strongest", 6), ("Çelâ", "", 8), ("Anneke", "", 8), ("Anneke", "", 9), ("Çelâ", "", 9)),
            start=1,
        )
    ]
    mine = SoloGame(12, "yellow", "", 13, 1)
    return {
        "new-seats": (replace(states.NewGame(states.Welcome()), cursor=5), None),
        "new-who": (states.NewGame(states.Welcome(), (5, 0, 0), 4, ("Anneke", "Çelâ")), None),
        "new-name": (with_name, None),
        "new-level": (states.NewGame(states.Welcome(), (4, 0, 0), 2), None),
        "entering-name": (states.EnteringName(with_name, "anne-", 10), None),
        "waiting-for-it": (states.Waiting(), Game.new(["yellow", "green"], levels=["rule-28-outer", ""])),
        "thinking": (states.Thinking(), against),
        "undecided": (states.Undecided(states.Thinking()), against),
        "moving": (states.Moving(True, "risk", 0.31, 9), moved),
        "rolling-on": (states.RollingOn("risk", 0.08, 3), moved),
        "alone": (states.Waiting(), alone),
        "alone-over": (states.GameOver(), won),
        "fewest": (states.FewestTurns(states.BoxMenu(states.Welcome()), tuple(best)), None),
        "fewest-mine": (states.FewestTurns(states.GameOver(), (*best, mine), 1), won),
        "fewest-none": (states.FewestTurns(states.BoxMenu(states.Welcome()), ()), None),
        "fewest-asking": (states.FewestTurns(states.GameOver()), won),
        "fewest-unreadable": (states.FewestTurns(states.GameOver(), (), is_readable=False), won),
    }


def _box_itself(game: Game) -> dict[str, tuple[State, Game | None]]:
    """Return the screens of the box itself: first start, menu, rules summary, self-check, switching off."""
    menu = states.BoxMenu(states.Menu(states.Deciding(), 5))
    tray = states.CalibratingTray(menu)
    findings = (
        Finding("buttons", Grade.FINE, "buttons work"),
        Finding("camera", Grade.ADVICE, "less tilt"),
        Finding("sharpness", Grade.BAD, "turn the lens"),
        Finding("light", Grade.FINE, "light enough"),
        Finding("oled", Grade.FINE, "display answers"),
        Finding("bus", Grade.ADVICE, "bus slow", (("khz", 100),)),
        Finding("clock", Grade.ABSENT, "clock not set"),
    )
    checked = states.Checking(menu, findings)
    no_camera = TraySeen(TrayView.NO_CAMERA, CameraTrouble.MISSING)
    variants = Variants(4, FastStart.STRICT, no_stop_on_marker=True)
    told = [*topics(variants), "fast start", "leap"]
    rules = {
        f"rules-{topic.replace(' ', '-')}": (
            states.Rules(states.Menu(states.Waiting()), topics(one).index(topic)),
            Game.new(["yellow", "green"], one),
        )
        for topic in told
        for one in [variants if topic in topics(variants) else Variants(3, FastStart.ON, leap=True)]
    }
    home = WifiSeen("on", "FRITZ!Box 7590", known=("FRITZ!Box 3", "FRITZ!Box 7590 2206 8813 4021 5"))
    off = WifiSeen("off", known=home.known)
    hotspot = states.Hotspot(states.Network(menu), WifiSeen("hotspot", "cantstop", "m7pkw3qh"))
    joining = states.JoiningNetwork(hotspot, home.known[1], "secret password")
    wifi = {
        "network": (states.Network(menu, ("cantstop.local", "192.168.178.123", "fd00::1ff:fe23:4567"), home), game),
        "network-off": (states.Network(menu, (), off), game),
        "network-choice": (states.ChoosingNetwork(states.Network(menu, (), off), home.known, 1), game),
        "network-new": (states.ChoosingNetwork(states.Network(menu, (), off), home.known, 2), game),
        "hotspot": (hotspot, game),
        "network-question": (joining, game),
        "network-joining": (replace(joining, progress="joining"), game),
        **{f"network-{trouble.replace(' ', '-')}": (replace(joining, progress=trouble), game) for trouble in WIFI},
    }
    return {
        "frame": (states.CheckingFrame(states.ChoosingLanguage(states.TryingButtons(states.Welcome()))), None),
        "language": (states.ChoosingLanguage(states.TryingButtons(states.Welcome()), 2), None),
        "buttons": (states.TryingButtons(states.Welcome()), None),
        "buttons-other": (states.TryingButtons(states.Welcome(), 2, "STOP"), None),
        "buttons-work": (states.TryingButtons(states.Welcome(), 4), None),
        "lamp": (states.TryingSignal(tray, "light"), None),
        "buzzer": (states.TryingSignal(tray, "sound"), None),
        "page-offer": (states.OfferingPage(tray), None),
        "tray": (tray, game),
        "tray-looking": (replace(tray, asked=True), game),
        "tray-fine": (replace(tray, advice=()), game),
        "tray-advice": (replace(tray, advice=(("turn the lens", True), ("less tilt", False))), game),
        "tray-missing": (replace(tray, problem="no camera", advice=()), game),
        "trial": (states.TrialThrow(states.Welcome()), None),
        "trial-no-camera": (states.WatchingTray(states.TrialThrow(states.Welcome()), no_camera), None),
        "trial-read": (states.TrialThrow(states.Welcome(), (1, 3, 5, 6)), None),
        "box-menu": (menu, game),
        "box-menu-end": (replace(menu, cursor=len(BOX_MENU) - 1), game),
        "network-asking": (states.Network(menu), game),
        **wifi,
        "network-wired": (states.Network(menu, ("cantstop.local", "192.168.178.123", "fd00::1ff:fe23:4567")), game),
        "network-none": (states.Network(menu, ()), game),
        "checking": (replace(checked, cursor=2), game),
        "checking-why": (replace(checked, cursor=2, opened=True), game),
        "update": (states.ChangingVersion(menu, "update"), game),
        "update-begins": (states.ChangingVersion(menu, "update", "begin"), game),
        "update-step": (states.ChangingVersion(menu, "update", "program"), game),
        "update-waits": (states.ChangingVersion(menu, "update", "game"), game),
        "update-newest": (states.ChangingVersion(menu, "update", "newest"), game),
        "update-failed": (states.ChangingVersion(menu, "update", "failed"), game),
        "go-back": (states.ChangingVersion(menu, "go back"), game),
        "switch-off": (states.ShuttingDown(menu), game),
        "switching-off": (states.SwitchingOff(states.Deciding()), game),
        "stays-on": (states.SwitchingOff(states.Deciding(), failed=True), game),
        **rules,
    }


def picture(situation: Situation) -> Image.Image:
    """Return a screen as on the OLED, enlarged."""
    dots = draw(screen(situation)).convert("L")
    image = Image.composite(Image.new("RGB", dots.size, LIT), Image.new("RGB", dots.size, DARK), dots)
    return image.resize((image.width * SCALE, image.height * SCALE), Image.Resampling.NEAREST)


def index() -> str:
    """Return a page with all screens, in Markdown."""
    cells = [f"![](<{name}.png>)<br>{name}" for name in situations()]
    rows = [f"| {' | '.join(cells[at : at + 3])} |" for at in range(0, len(cells), 3)]
    large, small = capital_px(LARGE), capital_px(SMALL)
    text = (
        f"Drawn by `make docs`. Capitals are {large} pixels high in the large type (dice, sums, columns, what to move, "
        f"what the buttons do) and {small} in the small one (all else)."
    )
    return "\n".join(["# All screens", "", text, "", "| | | |", "|---|---|---|", *rows, ""])


@cache
def capital_px(type_name: str) -> int:
    """Return the height of a font's capital letters in pixels."""
    _, top, _, bottom = font(type_name).getmask("H", mode="1").getbbox() or (0, 0, 0, 0)
    return bottom - top


def main() -> None:
    """Write the pictures, one per screen, and a page with all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, situation in situations().items():
        picture(situation).save(FOLDER / f"{name}.png", optimize=True)
    (FOLDER / "README.md").write_text(index(), "utf-8")


if __name__ == "__main__":
    main()
