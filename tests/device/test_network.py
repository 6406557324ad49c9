"""The network's screens: choosing a Wi-Fi on the box, and a phone that names another one, if need be in the hotspot."""

from __future__ import annotations

import logging

import pytest

from device.referee.box_care import BOX_MENU
from device.referee.inputs import NetworkSeen, PageReady, WifiGiven, WifiSeen
from device.referee.outcome import Effect
from device.referee.preferences import Preferences
from device.referee.states import (
    BoxMenu,
    ChoosingNetwork,
    Hotspot,
    JoiningNetwork,
    Network,
    OfferingPage,
    ShowingPage,
    Situation,
    Waiting,
    Welcome,
)
from device.storage.journal import Journal
from engine import Game
from tests.device.helpers import HOLD_B, HOLD_STOP, STOP, A, B, C, Story, two_players

ADDRESSES = ("cantstop.local", "192.168.178.24")
OFF = WifiSeen("off", known=("Home", "Work"))
ON = WifiSeen("on", "Home", known=("Work",))
OPEN = WifiSeen("hotspot", "cantstop", "m7pkw3qh")
GIVEN = WifiGiven("Holiday", "a secret password")


def network(wifi: WifiSeen = OFF, *addresses: str) -> Story:
    """Open the menu's item, and answer what it asks for."""
    menu = Story().do(HOLD_STOP, *[B] * BOX_MENU.index("network"))
    assert menu.step(C).effects == (Effect.ASK_NETWORK,)
    return menu.do(C, NetworkSeen(addresses, wifi))


def hotspot() -> Story:
    """Open the hotspot from the list's last option."""
    choosing = network().do(A, A)
    asked = choosing.step(C)
    assert set(asked.effects) == {Effect.OPEN_HOTSPOT, Effect.KEEP_PREFERENCES}
    assert asked.situation.preferences.page, "the phone needs the page"
    return choosing.do(C)


def test_a_known_network_is_chosen_from_a_list_and_shown_once_joined():
    story = network().do(A)
    assert story.state == ChoosingNetwork(Network(BoxMenu(Welcome(), 10), (), OFF), ("Home", "Work"))
    asked = story.do(B).step(C)
    assert asked.effects == (Effect.JOIN_NETWORK,)
    joining = Story(asked.situation)
    assert (joining.state.name, joining.state.password, joining.state.progress) == ("Work", None, "joining")
    assert joining.refuses(NetworkSeen(ADDRESSES, ON)), "an older answer: this is another network"
    told = NetworkSeen(ADDRESSES, WifiSeen("on", "Work"))
    after = joining.do(told)
    assert after.state == Network(BoxMenu(Welcome(), 10), ADDRESSES, told.wifi)
    assert isinstance(after.do(STOP).state, BoxMenu)


@pytest.mark.parametrize("kind", ["", "no manager", "no adapter"])
def test_without_wifi_no_network_is_offered(kind):
    assert network(WifiSeen(kind), *ADDRESSES).refuses(A)


def test_the_hotspot_leads_to_the_page_if_it_opens_and_stop_closes_it():
    failed = hotspot().do(NetworkSeen((), WifiSeen("off", trouble="hotspot")))
    assert failed.refuses(C)
    assert isinstance(failed.do(STOP).state, Network)
    story = hotspot()
    assert story.refuses(C), "it is not open yet"
    assert story.refuses(NetworkSeen(ADDRESSES, ON)), "an older answer"
    story.do(NetworkSeen(("10.42.0.1",), OPEN))
    assert story.step(C).effects == (Effect.ASK_PAGE,)
    assert Story(story.now).do(C, PageReady("http://10.42.0.1:8017/", "1234"), C).state == story.state
    closed = story.step(STOP)
    assert closed.effects == (Effect.CLOSE_HOTSPOT,)
    assert closed.situation.state == Network(BoxMenu(Welcome(), 10)), "the network is not known yet"


def test_a_phone_in_the_hotspot_names_a_network_that_is_joined_after_a_question():
    story = hotspot().do(NetworkSeen(("10.42.0.1",), OPEN), C, PageReady("http://10.42.0.1:8017/", "1234"))
    shown = story.state
    story.do(GIVEN)
    assert (story.state.name, story.state.password, story.state.progress) == ("Holiday", "a secret password", "")
    assert Story(story.now).do(C).state == shown, "no"
    assert story.step(A).effects == (Effect.JOIN_NETWORK,)
    story.do(A)
    assert story.refuses(A), "once is enough"
    failed = Story(story.now).do(NetworkSeen(("10.42.0.1",), WifiSeen("hotspot", "cantstop", trouble="password")))
    assert failed.state.progress == "password"
    assert failed.refuses(A)
    assert failed.do(STOP).state == shown, "the hotspot is back: the phone can try again"
    story.do(NetworkSeen(ADDRESSES, WifiSeen("on", "Holiday")))
    assert story.state == Network(BoxMenu(Welcome(), 10), ADDRESSES, WifiSeen("on", "Holiday"))


def test_who_leaves_during_an_attempt_finds_a_hotspot_that_came_back():
    story = hotspot().do(NetworkSeen((), OPEN), GIVEN, A, STOP)
    assert isinstance(story.state, BoxMenu)
    story.do(C, NetworkSeen(("10.42.0.1",), OPEN))
    assert (type(story.state), story.state.wifi) == (Hotspot, OPEN)


def wants(page: bool) -> Story:
    return Story(Situation(Waiting(), Game.new(["a", "b"]), 1, Preferences(page=page)))


def test_where_no_phone_can_reach_the_wanted_page_the_wifi_is_offered_also_at_the_first_start():
    assert Effect.ASK_NETWORK in wants(page=True).step(HOLD_B).effects
    story = wants(page=True).do(HOLD_B, PageReady("http://cantstop.local:8017/", "1234"), NetworkSeen((), OFF))
    assert story.state == Network(ShowingPage(Waiting()), (), OFF)
    assert story.do(STOP, STOP).state == Waiting()
    shown = wants(page=True).do(HOLD_B)
    for told in (NetworkSeen(ADDRESSES, OFF), NetworkSeen((), WifiSeen("no adapter")), NetworkSeen((), OPEN)):
        assert shown.refuses(told), told
    assert wants(page=False).do(HOLD_B).refuses(NetworkSeen((), OFF))
    offered = Story(Situation(OfferingPage(Welcome())))
    assert Effect.ASK_NETWORK in offered.step(A).effects
    assert isinstance(offered.do(A, NetworkSeen((), OFF)).state, Network)


def test_a_phone_in_the_same_network_asks_before_or_after_a_game_only():
    assert two_players().refuses(GIVEN)
    story = Story().do(GIVEN, A, NetworkSeen(ADDRESSES, WifiSeen("on", "Holiday")))
    assert story.state == Network(Welcome(), ADDRESSES, WifiSeen("on", "Holiday"))
    shown = wants(page=True).do(HOLD_B, PageReady("http://192.168.178.24:8017/", "1234"), GIVEN)
    assert isinstance(shown.state, JoiningNetwork)
    shown.do(A, NetworkSeen(ADDRESSES, WifiSeen("on", "Holiday")), C)
    assert shown.state == ShowingPage(Waiting()), "its address is asked for again: it is another one now"


def test_no_password_is_in_the_journal_or_in_the_text_of_a_state(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    story = hotspot().do(NetworkSeen((), OPEN))
    with_journal = Journal(tmp_path / "journal.txt")
    for event in (NetworkSeen((), OPEN), GIVEN):
        story.do(event)
        with_journal.record(event, story.now)
        for secret in ("a secret password", "m7pkw3qh"):
            assert secret not in f"{event} {event!r} {story.now!r}"
    with_journal.close()
    kept = "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())
    for secret in ("a secret password", "m7pkw3qh", "Holiday"):
        assert secret not in kept + caplog.text
