"""How phones reach the box: its network, the Wi-Fi that it joins or becomes, and its page. No I/O here either."""

from __future__ import annotations

from dataclasses import replace

from device.referee import states
from device.referee.inputs import NetworkSeen, PageReady, WifiGiven
from device.referee.outcome import Effect, Outcome
from device.referee.states import Overlay, Situation, State, leave


def seen(situation: Situation, state: states.Network, told: NetworkSeen) -> Situation:
    """Show the network; a hotspot that is still open has a screen of its own."""
    if told.wifi.kind == "hotspot":
        return replace(situation, state=states.Hotspot(state, told.wifi))
    return replace(situation, state=replace(state, addresses=told.addresses, wifi=told.wifi))


def missing(situation: Situation, state: states.ShowingPage, told: NetworkSeen) -> Situation | None:
    """Offer the Wi-Fi where no phone can reach the page that the players want."""
    if told.addresses or told.wifi.kind != "off" or not situation.preferences.page:
        return None
    page = states.ShowingPage(state.before)  # without its address, which is another one in another network
    return replace(situation, state=states.Network(page, told.addresses, told.wifi))


def choose(situation: Situation, state: states.Network, *_: object) -> Situation | None:
    """Show the known networks in range, and the way to a new one."""
    if not state.wifi.can_change:
        return None
    return replace(situation, state=states.ChoosingNetwork(state, state.wifi.known))


def take_network(situation: Situation, state: states.ChoosingNetwork, *_: object) -> Outcome:
    """Join the network under the cursor, or open the hotspot: its page is for a phone, so that is turned on."""
    if state.cursor < len(state.names):
        joining = states.JoiningNetwork(state.before, state.names[state.cursor], None, "joining")
        return Outcome(replace(situation, state=joining), (Effect.JOIN_NETWORK,))
    opening = replace(
        situation, state=states.Hotspot(state.before), preferences=situation.preferences.chosen("page", True)
    )
    return Outcome(opening, (Effect.KEEP_PREFERENCES, Effect.OPEN_HOTSPOT))


def hotspot_seen(situation: Situation, state: states.Hotspot, told: NetworkSeen) -> Situation | None:
    """Show how to join the hotspot, or why it cannot be opened."""
    if told.wifi.kind != "hotspot" and not told.wifi.trouble:
        return None
    return replace(situation, state=replace(state, wifi=told.wifi))


def show_page(situation: Situation, state: states.Hotspot, *_: object) -> Situation | None:
    """Show the page's address, once the phone can be in the hotspot."""
    return replace(situation, state=states.ShowingPage(state)) if state.wifi.kind == "hotspot" else None


def close_hotspot(situation: Situation, state: states.Hotspot, *_: object) -> Situation:
    """Return to the network before."""
    return replace(situation, state=states.Network(_below(state)))


def offer(situation: Situation, state: State, told: WifiGiven) -> Situation:
    """Ask whether to join the network that a phone has named."""
    return replace(situation, state=states.JoiningNetwork(state, told.name, told.password))


def join(situation: Situation, state: states.JoiningNetwork, *_: object) -> Situation | None:
    """Join it."""
    return None if state.progress else replace(situation, state=replace(state, progress="joining"))


def joined(situation: Situation, state: states.JoiningNetwork, told: NetworkSeen) -> Situation | None:
    """Show the network that was joined, or why it was not."""
    if told.wifi.trouble:
        return replace(situation, state=replace(state, progress=told.wifi.trouble))
    if state.progress != "joining" or (told.wifi.kind, told.wifi.name) != ("on", state.name):
        return None  # an older answer
    return replace(situation, state=states.Network(_below(state), told.addresses, told.wifi))


def leave_joining(situation: Situation, state: states.JoiningNetwork, *_: object) -> Situation:
    """Leave the question, or what came of it; an attempt goes on, so that a hotspot's screens no longer hold."""
    return replace(situation, state=_below(state)) if state.progress == "joining" else leave(situation, state)


def _below(state: Overlay) -> State:
    """Return the state below all screens of the network and the hotspot; the page's address is asked for again."""
    below: State = state
    while isinstance(below, states.Network | states.ChoosingNetwork | states.JoiningNetwork | states.Hotspot) or (
        isinstance(below, states.ShowingPage) and isinstance(below.before, states.Hotspot)
    ):
        below = below.before
    return states.ShowingPage(below.before) if isinstance(below, states.ShowingPage) else below


# The page


def turn_on(situation: Situation, state: states.OfferingPage | states.ShowingPage, *_: object) -> Situation:
    """Turn the page on, and show its address."""
    return replace(
        situation, state=states.ShowingPage(state.before), preferences=situation.preferences.chosen("page", True)
    )


def turn_off(situation: Situation, state: states.OfferingPage, *_: object) -> Situation:
    """Turn the page off."""
    return replace(situation, state=state.before, preferences=situation.preferences.chosen("page", False))


def take_address(situation: Situation, state: states.ShowingPage, told: PageReady) -> Situation:
    """Show the address and the code."""
    return replace(situation, state=replace(state, page=told, send_away=False))


def press_a(situation: Situation, state: states.ShowingPage, *_: object) -> Situation | Outcome | None:
    """Ask whether to unpair all phones, and then unpair them; if the page is off, turn it on."""
    if is_off(situation, state):
        return Outcome(turn_on(situation, state), (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE))
    if state.page is None or not state.page.phones:
        return None
    return replace(situation, state=replace(state, asks=not state.asks, send_away=state.asks))


def leave_page(situation: Situation, state: states.ShowingPage, *_: object) -> Situation:
    """Leave the question or the page's screen."""
    return replace(situation, state=replace(state, asks=False)) if state.asks else leave(situation, state)


def is_off(situation: Situation, state: states.ShowingPage) -> bool:
    """Whether there is no page because the players do not want one."""
    return state.page is not None and not state.page.address and not situation.preferences.page


def switch_view(situation: Situation, state: states.ShowingPage, *_: object) -> Situation | None:
    """Switch between the address in words and as a QR code."""
    if state.asks or state.page is None or not state.page.address:
        return None
    return replace(situation, state=replace(state, in_words=not state.in_words))
