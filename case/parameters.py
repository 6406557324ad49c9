"""All dimensions of the case, in millimetres and degrees, with their sources.

Boards, cameras, screens and buttons are tables of measured dimensions. `Choice` names one of each; `Print` and `Design`
hold this project's decisions. `case.layout` computes what follows from them.

Sources: RPD = documentation of Raspberry Pi; FOM = fpgas-online/fpgas.online-mechanical, read from Raspberry Pi's own
drawings; NOP = nophead/NopSCADlib; ANC = owebeeone/anchorscad; ZAE = Zaephor/openscad-libs, which quotes the drawings;
SBC = hominoids/SBC_Model_Framework; OWN = chosen or computed here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple


class Port(NamedTuple):
    """A connector at an edge of a board, and the space for its plug.

    Attributes:
        name: The name of the plug.
        edge: "power" (the long edge away from the 40-pin header) or "left" (the short edge that the mounting holes
            start from).
        at: The middle of the connector along its edge: x for the power edge, y for the left one.
        width: The width of the opening along the edge.
        bottom: The lower end of the opening above the board's underside; negative below the board.
        top: The upper end of the opening above the board's underside.
        reach: The length of the plug outside the board's edge.
    """

    name: str
    edge: str
    at: float
    width: float
    bottom: float
    top: float
    reach: float = 40.0


class Board(NamedTuple):
    """A Raspberry Pi, seen from above with the 40-pin header along the upper edge and the origin at the lower left.

    Attributes:
        size: The outline along x and y.
        holes: The distances between the mounting holes along x and y; the pattern starts 3.5 from the left and lower
            edge.
        overhang: The length of connectors beyond the right edge.
        height: The height of the tallest part above the board's upper side.
        camera: The middle of the camera connector, which the ribbon leaves upwards.
        ports: The connectors with openings in the console; those at the right edge have none.
    """

    size: tuple[float, float]
    holes: tuple[float, float]
    overhang: float
    height: float
    camera: tuple[float, float]
    ports: tuple[Port, ...]


HOLE_INSET = 3.5
"""The distance from the board's edges to the centre of its first mounting hole (FOM, NOP, ZAE)."""

BOARD_THICKNESS = 1.7
"""The thickness of all boards, which no drawing states: 1.4 to 1.65 in sources (NOP, SBC), plus some clearance."""

# The mouldings of plugs are 12.35 x 6.5 for USB-C, 11 x 8 for micro-USB, 11.5 x 8.5 for micro-HDMI and 21 x 11.5 for
# HDMI (OWN, as cables on sale are); the openings fit them.
_CARD = Port("microSD card", "left", 28.0, 15.0, -6.2, 5.0, reach=20.0)  # ANC, NOP, SBC; size OWN

# FOM, ANC, NOP.
_PORTS_4 = (
    Port("USB-C power", "power", 11.2, 13.5, -1.0, 7.5),
    Port("micro-HDMI 0 and 1", "power", 32.75, 25.5, -1.5, 7.5),
    Port("audio", "power", 54.0, 10.0, 1.0, 9.5),
    _CARD,
)
_PORTS_5 = (  # its power button is beside the card, and needs room in the wall
    Port("USB-C power", "power", 11.2, 13.5, -1.0, 7.5),
    Port("micro-HDMI 0 and 1", "power", 32.5, 25.4, -1.5, 7.5),
    Port("microSD card and power button", "left", 24.5, 22.0, -6.2, 5.0, reach=20.0),
)
_PORTS_3A = (
    Port("micro-USB power", "power", 10.6, 12.5, -2.0, 7.0, reach=30.0),
    Port("HDMI", "power", 32.0, 22.5, -1.5, 10.5),
    Port("audio", "power", 53.5, 10.0, 1.0, 9.5),
    _CARD,
)

BOARDS = {
    "4": Board((85.0, 56.0), (58.0, 49.0), 3.0, 16.0, (46.5, 11.5), _PORTS_4),
    "5": Board((85.0, 56.0), (58.0, 49.0), 3.0, 16.0, (51.85, 8.5), _PORTS_5),
    "3a": Board((65.0, 56.0), (58.0, 49.0), 2.6, 8.5, (45.0, 11.5), _PORTS_3A),
}
"""The dimensions are from FOM, ANC, NOP and ZAE, the connectors' heights from ZAE, the openings' sizes as above."""


class Camera(NamedTuple):
    """A camera module; all three share board, holes and optical axis.

    Attributes:
        name: The name under which it is sold, after "Camera Module".
        field: The angle of view across the shorter side of the picture, which is the whole height of the sensor.
        tip: The distance from the board's front to the front of the lens.
    """

    name: str
    field: float
    tip: float


CAMERAS = {
    "2": Camera("2", 48.8, 5.0),
    "3": Camera("3", 41.0, 6.98),
    "3wide": Camera("3 Wide", 67.0, 8.3),
}
"""Field: RPD hardware_specification. Tip: NOP (2), FOM (3), gh:56570626079 (3 Wide)."""

CAMERA_BOARD = (25.0, 23.862)
"""The size along and across the connector's edge (FOM, NOP)."""

CAMERA_AXIS = 9.46
"""The distance from the connector's edge to the optical axis, which is in its middle (FOM, gh:56570626079)."""

CAMERA_HOLES = ((-10.5, -0.1), (10.5, -0.1), (-10.5, 12.4), (10.5, 12.4))
"""The holes for M2 screws from the optical axis: along the connector's edge, and away from it (FOM, NOP)."""

PUPIL = 2.0
"""The distance from the front of the lens back to its entrance pupil, where the field of view starts: 1 to 3 (OWN)."""

RIBBON = 500.0
"""The length of the longest official camera cable (gh:55078098226)."""


class Screen(NamedTuple):
    """OLED modules of 128 x 64 pixels and one size: boards that are sold as the same differ by up to 12 mm.

    Attributes:
        least: The size of the smallest board along the picture's width and height.
        most: The size of the largest board.
        active: The size of the picture.
        offset: The least and the greatest height of the picture's middle above the board's, which has its pins at the
            top; negative is down.
        depth: The depth of glass, board, pins and plugs behind the front of the glass.
        thick: The least and the greatest distance from the front of the glass to the back of the board.
    """

    least: tuple[float, float]
    most: tuple[float, float]
    active: tuple[float, float]
    offset: tuple[float, float]
    depth: float
    thick: tuple[float, float]

    @property
    def below(self) -> tuple[float, float]:
        """The least and the greatest distance from the picture's middle to the board's lower edge."""
        return self.least[1] / 2 + self.offset[0], self.most[1] / 2 + self.offset[1]

    @property
    def above(self) -> tuple[float, float]:
        """The least and the greatest distance from the picture's middle to the board's upper edge."""
        return self.least[1] / 2 - self.offset[1], self.most[1] / 2 - self.offset[0]


SCREENS = {
    "0.96": Screen((26.5, 27.0), (28.0, 28.5), (21.744, 10.864), (-2.0, -1.0), 12.0, (2.5, 3.5)),
    "1.3": Screen((29.0, 31.0), (36.0, 34.0), (29.42, 14.70), (-2.0, -0.5), 12.0, (2.5, 3.5)),
    "2.42": Screen((60.0, 38.0), (72.0, 50.0), (55.01, 27.49), (-1.0, 4.0), 14.0, (3.0, 4.5)),
}
"""The limits enclose what wiki.lckfb.com, gh:59976093525, JMD0.96A-2 and Waveshare measured, with some clearance.
Active areas: displaymodule.com, Waveshare. Depths, with a plug on the pins, and thicknesses are estimates (OWN)."""


class Button(NamedTuple):
    """A push button.

    Attributes:
        hole: The diameter of the hole in the panel.
        bezel: The diameter of the part in front of the panel.
        depth: The depth of button and plugs behind the front of the panel.
        around: The diameter of nut or tabs behind the panel.
        pitch: The least distance between two.
    """

    hole: float
    bezel: float
    depth: float
    around: float
    pitch: float


BUTTONS = {
    "12": Button(12.5, 17.5, 18.0, 17.5, 20.0),  # PBS-33B: gh:70092260222, gh:71361726651
    "16": Button(16.2, 18.0, 31.5, 22.0, 24.0),  # Omron A16's data sheet
    "24": Button(24.5, 28.0, 36.0, 28.0, 30.0),  # Sanwa OBSF-24: gh:14040137568, gh:13974180231, MakoReactor
    "30": Button(30.5, 34.0, 36.0, 34.0, 38.0),  # Sanwa OBSF-30, the next larger one; as OBSF-24, 6 wider (OWN)
}

LARGER = {"12": "16", "16": "24", "24": "30"}
"""The button type of STOP for each of A, B and C: the next larger one (OWN)."""


OFFERED: dict[str, Collection[str]] = {
    "pi": BOARDS,
    "camera": CAMERAS,
    "oled": SCREENS,
    "button": LARGER,
    "parts": ("standard", "full"),
}
"""What a builder can choose; A, B and C are of this button type, STOP is the next larger one."""


@dataclass(frozen=True)
class Choice:
    """The builder's choice of parts.

    Attributes:
        pi: A key of `BOARDS`.
        camera: A key of `CAMERAS`.
        oled: A key of `SCREENS`.
        button: A key of `LARGER`, the size of A, B and C.
        parts: "standard" for console and mast, "full" for a printed tray with lamps, too.
        tray: The inner width of the square tray, 180 to 240; printed, at most 200.
    """

    pi: str = "4"
    camera: str = "3"
    oled: str = "2.42"
    button: str = "12"
    parts: str = "standard"
    tray: float = 200.0

    def __post_init__(self) -> None:
        """Validate the choice.

        Raises:
            ValueError: If a part is not offered; the message names it and the parts that are.
        """
        for name, table in OFFERED.items():
            if getattr(self, name) not in table:
                raise ValueError(f"{name}={getattr(self, name)} is not offered. Choose one of {', '.join(table)}.")
        if not 180 <= self.tray <= 240:
            raise ValueError(f"tray={self.tray:g} is not offered. Choose a width from 180 to 240 mm.")
        if self.parts == "full" and self.tray > 200:
            raise ValueError(
                f"tray={self.tray:g} does not fit a 220 mm printer. Choose at most 200 mm with parts=full."
            )


class Print:
    """The printer's requirements (sources: layout-one.com.au, printparams.com, bd_warehouse)."""

    BED = (220.0, 220.0, 250.0)
    THINNEST = 1.6
    """The thinnest wall: four lines of a 0.4 nozzle."""
    FIT = 0.3
    """The gap on each side between parts that slide or are inserted into each other."""
    M2, M2_5, M3 = 2.4, 2.9, 3.4
    """The diameters of clearance holes."""
    M2_5_TAP, M3_TAP = 2.15, 2.65
    """The diameters of holes in which a screw cuts its own thread: 2.05 and 2.5, plus an allowance for printing."""


class Design:
    """This project's decisions; the reasons are in docs/case.md."""

    MARGIN = 0.05
    """The visible margin beyond the floor on each side, as a fraction of its width, at the height of the dice's
    tops."""
    DIE = 16.0
    """The height of the dice's tops for which the margin holds."""
    ADJUST = 15.0
    """The travel of the arm up and down, since lenses and fields of view vary."""
    WALL = 1.7
    """The thickness of upright walls: four lines of a 0.4 nozzle, which needs no slow filling between them."""
    FLOOR = 2.2
    """The thickness of floors and lid; a snap-in button needs 2 to 3.9."""
    FELT = 2.0
    """The thickness of the felt, 1 to 3."""
    TRAY_WALL = 24.0
    """The height of the tray's wall above the felt: a higher one casts a wider shadow."""
    FOOT = 3.0
    """The height of the feet, which are bought; screw heads below the floors must fit within it."""
    LAMP_AWAY = 15.0
    """The distance from the edge of the picture to the diffusers."""
    LAMP_TOP = 90.0
    """The greatest height of the diffusers' upper end: a seated player looks over the front lamp at all of the
    floor."""
    LAMP_HIGH = 25.0
    """The visible height of the diffusers."""
    MIRROR = 0.02
    """The least distance of the lamps' reflections from the tray, as a fraction of half of it."""
    LAMP_DEEP = 16.0
    """The distance from the diffuser's back to the LEDs: about the distance between LEDs."""
    LAMP_LONGEST = 210.0
    DIFFUSER, GROOVE = 2.0, 3.4
    """The thickness of the diffuser, and of its groove, whose front slopes by 45 degrees so that it prints."""
    TILT = 30.0
    """The slope of the lid towards the player, in degrees."""
    POST = (12.0, 24.0)
    """The section of post and arm: towards the tray, and along its side."""
    RECESS = (17.0, 3.6)
    """The width and depth of the recess in post and arm in which the ribbon is out of sight, above screw heads."""
