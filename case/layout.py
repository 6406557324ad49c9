"""The layout of the case: heights, distances and lengths that follow from a choice.

The origin is the middle of the felt. x points from the console to the tray (to the player's right), y away from the
player, z up. The picture's short side is along x, so that camera, arm and ribbon are along x as well.
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

CLAMP_PITCH, ARM_BELOW, ARM_LONGEST, POST_ABOVE = 24.0, 25.0, 212.0, 14.0
"""The distance between the arm's two screws, the arm's length below the lower, and the post's above the upper."""

SEAT = -48.0
"""The place where the arm's beam becomes level to carry the holder."""

POST_SCREWS, LAMP_SCREW, LAMP_WIRE = ((-7.0, 6.0), (-7.0, 18.0), (7.0, 6.0), (7.0, 18.0)), (-75.0, 12.0), (-40.0, 30.0)
"""The places along y and z, next to the left lamp: of the screws through lamp, post and console, of the one through
lamp and console, and of the hole for the lamp's wires."""

CONSOLE_BACK = 55.0
"""The console's back edge: the post, at y = 0, is near the ribbon, and not in the way of the card."""

CARD_ROOM, BOARD_GAP, PLUG_GAP, STANDOFF = 18.0, 0.6, 1.8, 4.0
"""The space around the board: for removing the card, beyond the USB ports, behind the connectors of the power edge, and
below the board."""

CONSOLE_WIDE = 2 * Design.WALL + CARD_ROOM + 85.0 + 3.0 + BOARD_GAP
"""The outer width of the console: the largest board, its overhang and the space around it."""

NOTCH, NOTCH_SHARE = (26.0, 23.0), 0.85
"""The size of the lid's notch for the ribbon along x and y; the fraction of its way along y that it has made there."""

BOSS, LID_BLOCK, SCREEN_GAP = 7.0, 9.0, 1.0
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
        away = Design.LAMP_AWAY_WIDE if self.choice.camera == "3wide" else Design.LAMP_AWAY
        return math.ceil(self.half_view(self.bottom, Design.ADJUST)) + away

    @cached_property
    def lamp_top(self) -> float:
        """The upper end of the diffusers: too low for a reflection in any level face, at any height of the arm.

        A face at level t reflects a lamp at distance x and height h into the lens if the face is
        x (H - t) / (H + h - 2 t) from the axis. This distance is smallest at the floor, and outside the tray for this
        h. There must also be space for the post and its screws between lamp and beam.
        """
        lowest = self.lens - Design.ADJUST
        unseen = lowest * (self.lamp / ((1 + Design.MIRROR) * self.inside) - 1)
        below_beam = self.beam_top - 2 * Design.ADJUST - 1.0 - LAMP_RIM - ARM_BELOW - CLAMP_PITCH - POST_ABOVE
        return float(math.floor(min(unseen, below_beam)))

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

    # The lamps: a channel along y that is open towards the tray, on a back plate on the tray's ears.

    @property
    def lamp_back(self) -> float:
        """The distance from the axis to the inner face of the lamps' back plate, which holds the LEDs."""
        return self.lamp + Design.GROOVE + Design.LAMP_DEEP

    @property
    def side(self) -> float:
        """The distance from the axis to the lamps' outer face, where post and console begin."""
        return self.lamp_back + Design.WALL

    @property
    def ears(self) -> tuple[float, float]:
        """The places along y of the tray's ears, which carry the lamps."""
        return -0.3 * self.choice.tray, 0.3 * self.choice.tray

    @property
    def ear_screw(self) -> float:
        """The distance from the axis of the screws between ears and lamps."""
        return self.lamp + 8.0

    @property
    def tray_feet(self) -> list[tuple[float, float]]:
        """The places of the tray's feet: near its seams and under its ears."""
        far, ear = self.inside - 14.0, (self.inside + Design.WALL + self.lamp) / 2
        quarter = [(14.0, 14.0), (14.0, far), (ear, self.ears[1])]
        return [(i * x, j * y) for x, y in quarter for i in (-1, 1) for j in (-1, 1)]

    # The arm: the post is between lamp and console, and the arm slides along it.

    @property
    def beam_top(self) -> float:
        """The upper side of the arm's beam, which carries the holder."""
        return self.board_front - HOLDER_FLOOR

    @property
    def clamp(self) -> tuple[float, float]:
        """The heights of the two screws that hold the arm to the post."""
        above_lamp = self.lamp_top + LAMP_RIM + Design.ADJUST + 1.0
        lower = max(above_lamp + ARM_BELOW, self.beam_top - ARM_LONGEST + ARM_BELOW)
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
    def post_top(self) -> float:
        """The upper end of the post."""
        return self.clamp[1] + POST_ABOVE

    # The console: to the left of the left lamp, its lid sloping towards the player.

    @property
    def niche(self) -> float:
        """The depth of the recess in the console's wall for the post."""
        return Design.POST[0] + Print.FIT

    @property
    def console_x(self) -> tuple[float, float]:
        """The outer faces of the console, left and right."""
        return -self.side - CONSOLE_WIDE, -self.side

    @property
    def console_y(self) -> tuple[float, float]:
        """The outer faces of the console, front and back."""
        tilt = math.cos(math.radians(Design.TILT))
        return -(self.niche_half + 1.0) - self.panel.end * tilt, CONSOLE_BACK

    @property
    def niche_half(self) -> float:
        """The half of the width along y of the recess for the post, with its walls."""
        return Design.POST[1] / 2 + Print.FIT + Design.WALL

    @property
    def floor(self) -> float:
        """The upper side of the console's floor."""
        return self.bottom + Design.FLOOR

    @property
    def lid_front(self) -> float:
        """The height of the lid's upper side at its front edge."""
        return self.floor + max(self.panel.button.depth, self.panel.stop.depth) + 1.0

    def lid(self, y: float) -> float:
        """Return the height of the lid's upper side at y."""
        return self.lid_front + (y - self.console_y[0]) * math.tan(math.radians(Design.TILT))

    def on_board(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point of the board; its power edge is at the back, its right edge at the left."""
        return self.console_x[1] - Design.WALL - CARD_ROOM - x, self.console_y[1] - Design.WALL - PLUG_GAP - y

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
    def console_feet(self) -> list[tuple[float, float]]:
        """The places of the console's feet."""
        (left, right), (front, back) = self.console_x, self.console_y
        return [(x, y) for x in (left + 11.0, right - 11.0) for y in (front + 11.0, back - 7.5)]

    @property
    def lid_blocks(self) -> list[tuple[float, float]]:
        """The middles along x of the blocks below the lid, and whether they are at the back (1) or front (-1)."""
        left, right = self.console_x
        return [(left + 13.0, -1), (right - 13.0, -1), (left + 13.0, 1), (right - NOTCH[0] - 9.0, 1)]

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
        notch = self.ribbon_notch
        top = self.beam_top + 5.0
        beside_post = -self.side - Design.POST[0] - 3.0
        points = [(-CAMERA_AXIS, 0.0, top), (SEAT, 0.0, top), (-self.side, 0.0, self.knee + 4.0)]
        points.append((beside_post, 0.0, max(self.post_top, self.knee - 10.0)))
        points.append((notch[0], notch[1], self.lid(notch[1])))
        if not self.board.standing:  # over the board, and back to a connector that faces away
            points.append((x - 10.0, y, self.board_bottom + 12.0))
        return [*points, (x, y, self.board_bottom + BOARD_THICKNESS + 3.0)]

    @property
    def ribbon_notch(self) -> tuple[float, float]:
        """The place where the ribbon passes the lid: the inner end of a notch in its right edge."""
        return -self.side - NOTCH[0] + 10.0, NOTCH_SHARE * self.on_board(*self.board.camera)[1]

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
        end: The end of the panel, where the part above the Raspberry Pi begins.
    """

    screen: tuple[float, float]
    letters: tuple[tuple[float, float], ...]
    stop_at: tuple[float, float]
    button: Button
    stop: Button
    room: tuple[float, float, float]
    end: float

    @classmethod
    def of(cls, choice: Choice) -> Panel:
        """Return the panel of a choice: A, B and C left of the screen's lines, STOP below."""
        button, stop = BUTTONS[choice.button], BUTTONS[LARGER[choice.button]]
        screen = SCREENS[choice.oled]
        half = screen.most[0] / 2 + SCREEN_GAP
        down, up = (most + SCREEN_GAP + BOSS for _, most in (screen.below, screen.above))
        edge = Design.WALL + 2.0
        stop_v = edge + stop.around / 2 + LID_BLOCK
        below = stop_v + stop.around / 2 + 2.0
        screen_v = max(below + down, edge + button.around / 2 + button.pitch)
        left = -CONSOLE_WIDE / 2 + edge + button.around / 2
        screen_u = max(left + button.around / 2 + 2.0 + half, 0.0)
        return cls(
            screen=(screen_u, screen_v),
            letters=tuple((left, screen_v + step * button.pitch) for step in (1, 0, -1)),
            stop_at=(screen_u, stop_v),
            button=button,
            stop=stop,
            room=(half, down, up),
            end=screen_v + max(button.pitch + button.around / 2, up) + 2.0,
        )
