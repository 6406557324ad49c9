"""The layout of the case: heights, distances and lengths that follow from a choice.

The origin is the middle of the felt. x points from the console to the tray (to the player's right), y away from the
player, z up. The picture's short side is along x, so that camera, arm and ribbon are along x as well. The lamps are in
front of the tray and behind it, so that nothing stands between the console and a player.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from case.parameters import (
    BOARD_THICKNESS,
    BOARDS,
    BUTTONS,
    CAMERA_AXIS,
    CAMERAS,
    HOLE_INSET,
    LARGER,
    PUPIL,
    SCREENS,
    Board,
    Button,
    Camera,
    Choice,
    Design,
    Print,
)

Span = tuple[float, float]

HOLDER_FLOOR = 2.0
"""The thickness of the holder below the camera's board, with a hole for the lens."""

LAMP_RIM = 2.0 + Print.FIT + Design.WALL
"""The distance from the visible edge of a diffuser to the outside of its channel: groove and wall."""

LAMP_WIRE = 40.0
"""The distance from a lamp's middle to the holes for its wires."""

CLAMP_PITCH, ARM_BELOW, ARM_LONGEST, POST_ABOVE = 24.0, 14.0, 212.0, 14.0
"""The distance between the arm's two screws, the arm's length below the lower, and the post's above the upper."""

SEAT = -48.0
"""The place where the arm's beam becomes level to carry the holder."""

POST_SCREWS = ((-8.0, 27.0), (-8.0, 39.0), (4.0, 27.0))
"""The places of the screws through console and post: along y, and above the console's underside, higher than the
board's parts beside them."""

POST_PAD, POST_PAD_LOW = 2.3, 12.0
"""The extra thickness of the console's wall beside the post, and the height at which it begins."""

CARD_GAP, PLUG_GAP, STANDOFF, CARD_PAST_POST = 0.5, 1.8, 4.0, 21.0
"""The space around the board: beside the card's edge, behind the connectors of the power edge, and below the board; and
the distance along y from the post's middle to the card's, which fingers need."""

CARD = 28.0
"""The place of the card along the left edge of all boards (ANC, NOP, SBC)."""

BOARD_WIDE = 2 * Design.WALL + CARD_GAP + 85.0 + 3.0
"""The width that the console needs for the largest board."""

BACK_HIGH, BAND = 31.0, 11.0
"""The height of the console's upright back wall, which the board's tallest part passes when it is inserted, and of the
upright band below the lid's back edge. Between them the wall slopes by 45 degrees, so it prints without supports."""

LAMP_HOLE = 14.0
"""The height above the console's underside of the hole for the lamps' wires, in its back wall."""

NOTCH, NOTCH_Y = 5.0, (-10.5, 9.4)
"""The width along x of the hole for the ribbon in the sloping wall, and its ends along y."""

BOSS, LID_BLOCK, SCREEN_GAP = 7.0, 8.0, 1.0
"""On the lid's underside: the width of the screws' bosses and of the blocks at the front and back edge, and the gap
around the largest board of the screen."""


@dataclass(frozen=True)
class Layout:
    """All lengths that follow from a choice, in millimetres."""

    choice: Choice

    @property
    def board(self) -> Board:
        """The chosen Raspberry Pi."""
        return BOARDS[self.choice.pi]

    @property
    def camera(self) -> Camera:
        """The chosen camera module."""
        return CAMERAS[self.choice.camera]

    @property
    def inside(self) -> float:
        """The half of the tray's inner width."""
        return self.choice.tray / 2

    @property
    def bottom(self) -> float:
        """The height of the underside of tray and console, relative to the felt, negative; the feet are below it."""
        return -Design.FELT - Design.FLOOR

    @cached_property
    def lens(self) -> float:
        """The height of the entrance pupil above the felt at which the tray fits the picture's short side.

        H = (1 + 2 margin) S / (2 tan(V / 2)) above the plane of the dice's tops.
        """
        return (1 + 2 * Design.MARGIN) * self.inside / math.tan(math.radians(self.camera.field / 2)) + Design.DIE

    def half_view(self, z: float, lift: float = 0.0) -> float:
        """Return half of the picture's short side at height z, with the arm raised by `lift`."""
        return (self.lens + lift - z) * math.tan(math.radians(self.camera.field / 2))

    @cached_property
    def lamp(self) -> float:
        """The distance of the diffusers' front from the axis: outside the picture, even with the arm at its highest."""
        return math.ceil(4 / 3 * self.half_view(self.bottom, Design.ADJUST)) + Design.LAMP_AWAY

    @cached_property
    def lamp_top(self) -> float:
        """The upper end of the diffusers: too low for a reflection in any level face, at any height of the arm.

        A face at level t reflects a lamp at distance y and height h into the lens if the face is
        y (H - t) / (H + h - 2 t) from the axis. This distance is smallest at the floor, and outside the tray for this
        h.
        """
        lowest = self.lens - Design.ADJUST
        unseen = lowest * (self.lamp / ((1 + Design.MIRROR) * self.inside) - 1)
        return float(math.floor(min(unseen, Design.LAMP_TOP)))

    @property
    def lamp_low(self) -> float:
        """The lower end of the diffusers' visible part."""
        return self.lamp_top - Design.LAMP_HIGH

    @property
    def lamp_length(self) -> float:
        """The length of lamp and diffuser."""
        return min(self.choice.tray, Design.LAMP_LONGEST)

    @property
    def board_front(self) -> float:
        """The height of the camera board's front, which faces down."""
        return self.lens - PUPIL + self.camera.tip

    # The lamps: a channel along x that is open towards the tray, on a back plate on the tray's ears.

    @property
    def lamp_back(self) -> float:
        """The distance from the axis to the inner face of the lamps' back plate, which holds the LEDs."""
        return self.lamp + Design.GROOVE + Design.LAMP_DEEP

    @property
    def lamp_side(self) -> float:
        """The distance from the axis to the lamps' outer face."""
        return self.lamp_back + Design.WALL

    @property
    def ears(self) -> tuple[float, float]:
        """The places along x of the tray's ears, which carry the lamps."""
        return -0.3 * self.choice.tray, 0.3 * self.choice.tray

    @property
    def ear_screw(self) -> float:
        """The distance from the axis of the screws between ears and lamps."""
        return self.lamp + 8.0

    # The arm: the post is between console and tray, and the arm slides along it.

    @property
    def side(self) -> float:
        """The distance from the axis to the post's face: outside the picture, even with the arm at its highest."""
        return math.ceil(self.half_view(self.bottom, Design.ADJUST)) + 1.0

    @property
    def beam_top(self) -> float:
        """The upper side of the arm's beam, which carries the holder."""
        return self.board_front - HOLDER_FLOOR

    @property
    def clamp(self) -> tuple[float, float]:
        """The heights of the two screws that hold the arm to the post."""
        above_lid = self.bottom + BACK_HIGH + 40.0 + Design.ADJUST + ARM_BELOW
        lower = max(above_lid, self.beam_top - ARM_LONGEST + ARM_BELOW)
        return lower, lower + CLAMP_PITCH

    @property
    def arm_bottom(self) -> float:
        """The lower end of the arm."""
        return self.clamp[0] - ARM_BELOW

    @property
    def knee(self) -> float:
        """The height at which the arm's leg ends and its beam rises diagonally to the holder, which saves ribbon."""
        return min(self.clamp[1] + Design.ADJUST + 10.0, self.beam_top)

    @property
    def slope(self) -> float:
        """The angle of the arm's beam above the horizon, in radians."""
        return math.atan2(self.beam_top - self.knee, self.side + SEAT)

    @property
    def beam(self) -> float:
        """The length of the beam's sloping part."""
        return math.hypot(self.side + SEAT, self.beam_top - self.knee)

    def on_beam(self, along: float, deep: float) -> tuple[float, float, float]:
        """Return a point below the beam's upper side, at a distance from the upper end of its slope."""
        sin, cos = math.sin(self.slope), math.cos(self.slope)
        return SEAT - along * cos + deep * sin, 0.0, self.beam_top - along * sin - deep * cos

    @property
    def post_top(self) -> float:
        """The upper end of the post."""
        return self.clamp[1] + POST_ABOVE

    # The console: to the left of the post, its lid sloping towards the player.

    @property
    def console_x(self) -> tuple[float, float]:
        """The outer faces of the console, left and right."""
        right = -self.side - Design.POST[0]
        return right - self.panel.wide, right

    @property
    def console_y(self) -> tuple[float, float]:
        """The outer faces of the console, front and back: the card is in front of the post, not behind it."""
        back = math.ceil(CARD - CARD_PAST_POST + PLUG_GAP + Design.WALL)
        return back - self.console_deep, back

    @cached_property
    def console_deep(self) -> float:
        """The depth of the console: the board is behind STOP, and below the lid's back edge is the whole panel."""
        tan = math.tan(math.radians(Design.TILT))
        board = self.panel.deepest + 1.0 + self.board.size[1] + PLUG_GAP + Design.WALL
        ridge = max((self.panel.end + LID_BLOCK + 6.0) * math.cos(math.radians(Design.TILT)), self.board.size[1] + 12.0)
        return max(board, ridge * (1 + tan) + self.front_high - BAND - BACK_HIGH, ridge)

    @property
    def ridge(self) -> float:
        """The back edge of the lid along y."""
        rise = math.tan(math.radians(Design.TILT)) * self.console_deep
        slope = (self.front_high + rise - BAND - BACK_HIGH) / (1 + math.tan(math.radians(Design.TILT)))
        return self.console_y[1] - max(slope, 0.0)

    @property
    def floor(self) -> float:
        """The upper side of the console's floor."""
        return self.bottom + Design.FLOOR

    @property
    def front_high(self) -> float:
        """The height of the lid's upper side at its front edge above the console's underside."""
        return Design.FLOOR + max(self.panel.below, 12.0) + 1.0

    @property
    def lid_front(self) -> float:
        """The height of the lid's upper side at its front edge."""
        return self.bottom + self.front_high

    def lid(self, y: float) -> float:
        """Return the height of the lid's upper side at y."""
        return self.lid_front + (y - self.console_y[0]) * math.tan(math.radians(Design.TILT))

    def on_board(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point of the board; its power edge is at the back, its right edge at the left."""
        return self.console_x[1] - Design.WALL - CARD_GAP - x, self.console_y[1] - Design.WALL - PLUG_GAP - y

    @property
    def board_x(self) -> Span:
        """The left and right edge of the Raspberry Pi's board in the console."""
        return self.on_board(self.board.size[0], 0)[0], self.on_board(0, 0)[0]

    @property
    def board_y(self) -> Span:
        """The front and back edge of the Raspberry Pi's board in the console."""
        return self.on_board(0, self.board.size[1])[1], self.on_board(0, 0)[1]

    @property
    def board_holes(self) -> list[tuple[float, float]]:
        """The mounting holes of the Raspberry Pi's board."""
        along, across = self.board.holes
        return [self.on_board(HOLE_INSET + i * along, HOLE_INSET + j * across) for i in (0, 1) for j in (0, 1)]

    @property
    def lid_blocks(self) -> list[tuple[float, float]]:
        """The middles along x of the blocks below the lid, and whether they are at the back (1) or front (-1)."""
        left, right = self.console_x
        return [(x, where) for where in (-1, 1) for x in (left + 13.0, right - 13.0)]

    @property
    def board_bottom(self) -> float:
        """The height of the Raspberry Pi's underside."""
        return self.floor + STANDOFF

    @cached_property
    def panel(self) -> Panel:
        """The places of screen and buttons on the lid."""
        return Panel.of(self.choice)

    @property
    def ribbon(self) -> list[tuple[float, float, float]]:
        """The corners of the ribbon's centre line, from the camera's connector to the Pi's."""
        x, y = self.on_board(*self.board.camera)
        in_post = self.console_x[1] + Design.RECESS[1] - 0.9
        hole = self.ribbon_hole
        points = [(-CAMERA_AXIS, 0.0, self.beam_top + 5.0), (SEAT, 0.0, self.beam_top + 5.0)]
        points += [self.on_beam(9.0, Design.RECESS[1] - 0.2), self.on_beam(self.beam + 1.0, Design.RECESS[1] - 0.2)]
        points.append((in_post, 0.0, self.post_top + 2.0))
        points.append((in_post, 0.0, self.slope_at(0.0) + 28.0))
        points.append((hole, 0.0, self.slope_at(0.0) + 12.0))
        points.append((hole, 0.0, self.slope_at(0.0) - 12.0))
        return [*points, (x, y, self.board_bottom + BOARD_THICKNESS + 3.0)]

    @property
    def ribbon_hole(self) -> float:
        """The place along x of the ribbon's hole in the console's sloping wall, beside the post at y = 0."""
        return self.console_x[1] - Design.WALL - POST_PAD - NOTCH / 2

    def slope_at(self, y: float) -> float:
        """Return the height of the outside of the console's wall behind the ridge."""
        return self.lid(self.ridge) - BAND - (y - self.ridge)

    @property
    def ribbon_length(self) -> float:
        """The length of ribbon that is needed, with 5 at each end inside the connectors."""
        return sum(math.dist(a, b) for a, b in pairwise(self.ribbon)) + 10.0


@dataclass(frozen=True, slots=True)
class Panel:
    """Screen and buttons on the lid, from the middle of its front edge: u to the right, v up the slope.

    Attributes:
        screen: The middle of the picture.
        letters: The middles of A, B and C.
        stop_at: The middle of STOP.
        button: The type of A, B and C.
        stop: The type of STOP.
        room: The space for the largest board with its bosses, from the picture's middle: to each side, down, and up.
        wide: The outer width of the console.
        end: The end of the panel, where the lid is free for the name.
    """

    screen: tuple[float, float]
    letters: tuple[tuple[float, float], ...]
    stop_at: tuple[float, float]
    button: Button
    stop: Button
    room: tuple[float, float, float]
    wide: float
    end: float

    @property
    def deepest(self) -> float:
        """The distance along y from the lid's front edge to the farthest point of STOP behind the lid."""
        tilt = math.radians(Design.TILT)
        across = self.stop_at[1] + self.stop.around / 2
        return across * math.cos(tilt) + self.stop.depth * math.sin(tilt)

    @property
    def below(self) -> float:
        """The distance of the buttons' lowest point below the height of the lid's front edge."""
        tilt = math.radians(Design.TILT)
        buttons = [(v, self.button) for _, v in self.letters] + [(self.stop_at[1], self.stop)]
        return max(button.depth * math.cos(tilt) - (v - button.around / 2) * math.sin(tilt) for v, button in buttons)

    @classmethod
    def of(cls, choice: Choice) -> Panel:
        """Return the panel of a choice: A, B and C left of the screen's lines, STOP right of it."""
        button, stop = BUTTONS[choice.button], BUTTONS[LARGER[choice.button]]
        screen = SCREENS[choice.oled]
        half = screen.most[0] / 2 + SCREEN_GAP
        down, up = (most + SCREEN_GAP + BOSS for _, most in (screen.below, screen.above))
        edge = Design.WALL + 2.0
        side, stop_side = (max(kind.around, kind.bezel) for kind in (button, stop))
        wide = max(2 * edge + side + 2.0 + 2 * half + 2.0 + stop_side, BOARD_WIDE)
        screen_v = max(edge + down, edge + LID_BLOCK + side / 2 + button.pitch)
        left = -wide / 2 + edge + side / 2
        right = wide / 2 - edge - stop_side / 2
        return cls(
            screen=((left + side / 2 + right - stop_side / 2) / 2, screen_v),
            letters=tuple((left, screen_v + step * button.pitch) for step in (1, 0, -1)),
            stop_at=(right, screen_v),
            button=button,
            stop=stop,
            room=(half, down, up),
            wide=wide,
            end=screen_v + max(button.pitch + side / 2, up) + 2.0,
        )
