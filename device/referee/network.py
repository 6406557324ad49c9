"""The box's network: its addresses, and the Wi-Fi that it joins or becomes. No I/O here either."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import NetworkSeen, WifiGiven
from device.referee.outcome import Effect, Outcome
from device.referee.states import (
    ChoosingNetwork,
    Hotspot,
    JoiningNetwork,
    Network,
    Overlay,
    ShowingPage,
    Situation,
    State,
    leave,
)


def seen(situation: Situation, state: Network, told: NetworkSeen) -> Situation:
    """Show the network; a hotspot that is still open has a screen of its own."""
    if told.wifi.kind == "hotspot":
        return replace(situation, state=Hotspot(state, told.wifi))
    return replace(situation, state=replace(state, addresses=told.addresses, wifi=told.wifi))


def missing(situation: Situation, state: ShowingPage, told: NetworkSeen) -> Situation | None:
    """Offer the Wi-Fi where no phone can reach the page that the players want."""
    if told.addresses or told.wifi.kind != "off" or not situation.preferences.page:
        return None
    return replace(situation, state=Network(_asked_again(state), told.addresses, told.wifi))


def choose(situation: Situation, state: Network, *_: object) -> Situation | None:
    """Show the known networks in range, and the way to a new one."""
    if not state.wifi.can_change:
        return None
    return replace(situation, state=ChoosingNetwork(state, state.wifi.known))


def take(situation: Situation, state: ChoosingNetwork, *_: object) -> Outcome:
    """Join the network under the cursor, or open the hotspot: its page is for a phone, so that is turned on."""
    if state.cursor < len(state.names):
        joining = JoiningNetwork(state.before, state.names[state.cursor], None, "joining")
        return Outcome(replace(situation, state=joining), (Effect.JOIN_NETWORK,))
    opening = replace(situation, state=Hotspot(state.before), preferences=situation.preferences.chosen("page", True))
    return Outcome(opening, (Effect.KEEP_PREFERENCES, Effect.OPEN_HOTSPOT))


def hotspot_seen(situation: Situation, state: Hotspot, told: NetworkSeen) -> Situation | None:
    """Show how to join the hotspot, or why it cannot be opened."""
    if told.wifi.kind != "hotspot" and not told.wifi.trouble:
        return None
    return replace(situation, state=replace(state, wifi=told.wifi))


def show_page(situation: Situation, state: Hotspot, *_: object) -> Situation | None:
    """Show the page's address, once the phone can be in the hotspot."""
    return replace(situation, state=ShowingPage(state)) if state.wifi.kind == "hotspot" else None


def close_hotspot(situation: Situation, state: Hotspot, *_: object) -> Situation:
    """Return to the network before."""
    return replace(situation, state=Network(_below(state)))


def offer(situation: Situation, state: State, told: WifiGiven) -> Situation:
    """Ask whether to join the network that a phone has named."""
    return replace(situation, state=JoiningNetwork(state, told.name, told.password))


def join(situation: Situation, state: JoiningNetwork, *_: object) -> Situation | None:
    """Join it."""
    return None if state.progress else replace(situation, state=replace(state, progress="joining"))


def joined(situation: Situation, state: JoiningNetwork, told: NetworkSeen) -> Situation | None:
    """Show the network that was joined, or why it was not."""
    if told.wifi.trouble:
        return replace(situation, state=replace(state, progress=told.wifi.trouble))
    if state.progress != "joining" or (told.wifi.kind, told.wifi.name) != ("on", state.name):
        return None  # an older answer
    return replace(situation, state=Network(_below(state), told.addresses, told.wifi))


def leave_joining(situation: Situation, state: JoiningNetwork, *_: object) -> Situation:
    """Leave the question, or what came of it; an attempt goes on, so that a hotspot's screens no longer hold."""
    return replace(situation, state=_below(state)) if state.progress == "joining" else leave(situation, state)


def _below(state: Overlay) -> State:
    """Return the state below all screens of the network and the hotspot."""
    below: State = state
    while isinstance(below, Network | ChoosingNetwork | JoiningNetwork | Hotspot) or (
        isinstance(below, ShowingPage) and isinstance(below.before, Hotspot)
    ):
        below = below.before
    return _asked_again(below) if isinstance(below, ShowingPage) else below


def _asked_again(state: ShowingPage) -> ShowingPage:
    """Return the page's screen without its address, which is another one in another network."""
    return ShowingPage(state.before)
