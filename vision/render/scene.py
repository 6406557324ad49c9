"""What there is to see: camera, light, tray, dice and hand, as plain values; nothing here draws.

Lengths are millimetres. The tray stands at the origin with its floor at z = 0; x and y lie in the floor along
the tray's walls and z points up to the camera. Colours are linear reflectances in BGR order, 0 to 1 each.
All values are frozen and hashable, so that what stays the same over a film can be drawn once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Vec3 = tuple[float, float, float]
"""A point or direction in millimetres: (x, y, z)."""

Colour = tuple[float, float, float]
"""Linear reflectance or light, in BGR order; reflectances are 0 to 1."""

Quaternion = tuple[float, float, float, float]
"""A rotation as a unit quaternion (w, x, y, z), from the die's own axes to the tray's."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera above the tray.

    Attributes:
        size: Width and height of its picture, in pixels.
        height_mm: The lens above the tray's floor; 170 to 400 for Pi cameras over a 20 to 25 cm tray.
        field_of_view_deg: Horizontal; 62.2 for camera v2, 66 for v3, 102 for v3 Wide.
        aim_mm: Where on the floor the optical axis meets it, (x, y).
        tilt_deg: The optical axis off the vertical, 0 to 20.
        lean_deg: To which side the camera stands off, counter-clockwise from +x.
        turn_deg: The direction in the tray to which the picture's x axis points, counter-clockwise from +x.
        barrel: Barrel distortion of the lens: how much further out than through a pinhole the picture's middle part
            is enlarged against its corners; 0 to 0.1. The corners stay where they are.
    """

    size: tuple[int, int] = (640, 480)
    height_mm: float = 300.0
    field_of_view_deg: float = 62.2
    aim_mm: tuple[float, float] = (0.0, 0.0)
    tilt_deg: float = 0.0
    lean_deg: float = 0.0
    turn_deg: float = 0.0
    barrel: float = 0.0


class Texture(StrEnum):
    """What a floor, a table or a wall is made of; decides the pattern, not the colour."""

    PLAIN = "plain"
    FELT = "felt"
    WOOD = "wood"
    LEATHER = "leather"
    SPECKLED = "speckled"
    CHECKED = "checked"
    WOVEN = "woven"
    MARBLE = "marble"
    STRIPED = "striped"
    GRID = "grid"
    CARPET = "carpet"
    SPOTTED = "spotted"
    PRINTED = "printed"
    WORN = "worn"


@dataclass(frozen=True, slots=True)
class Surface:
    """A material of the tray or of the table under it.

    Attributes:
        colour: Its mean reflectance.
        texture: Its pattern.
        contrast: How much the pattern changes the colour: standard deviation as a part of the mean, 0 to 0.5; of
            patterns of two colours (marble, stripes, grid, carpet, spots, print, wear) how far the second covers
            the first, 0 to 1.
        seed: Chooses one piece of that pattern.
        second: The other colour of patterns of two colours; None for a fifth of `colour`.
        gloss: How clearly lamps are mirrored in it, 0 matt to 1 lacquered.
    """

    colour: Colour
    texture: Texture = Texture.PLAIN
    contrast: float = 0.05
    seed: int = 0
    second: Colour | None = None
    gloss: float = 0.0


@dataclass(frozen=True, slots=True)
class Tray:
    """A tray on a table.

    Attributes:
        width_mm: Inner size along x, 150 to 300.
        depth_mm: Inner size along y, 150 to 300; for a round tray the same as the width.
        is_round: Whether the wall is a circle.
        wall_mm: Height of the wall above the floor, 0 for a bare mat.
        rim_mm: Thickness of the wall.
        floor: What the dice lie on.
        wall: What the wall is made of.
        table: What the tray stands on.
        sides: Of a tray that is not round: 4 for a rectangle, 8 for one with its corners cut off, 6 for a hexagon.
        fitting: Colour of blocks, clasps or buttons on the corners of the wall; None where there are none.
        fitting_mm: Their size, 4 to 25.
        button: Whether the fittings are round buttons on the wall's top instead of blocks round its corners.
    """

    width_mm: float
    depth_mm: float
    is_round: bool
    wall_mm: float
    rim_mm: float
    floor: Surface
    wall: Surface
    table: Surface
    sides: int = 4
    fitting: Colour | None = None
    fitting_mm: float = 12.0
    button: bool = False


@dataclass(frozen=True, slots=True)
class Pane:
    """A level bright thing above the tray that shiny dice mirror: a soft box, a skylight, a window, a ring of lamps.

    Attributes:
        middle_mm: Its middle, (x, y, z).
        half_mm: Half its sides.
        towards_deg: The direction of its first side, counter-clockwise from +x.
        brightness: 1 as bright as a fully lit white sheet; lamps are 10 to 100.
        bars: Window bars across each side, 0 for a plain pane.
        is_round: Whether it is an ellipse.
        hole: How much of its half sides is open, 0 for a full pane: a ring or a frame.
    """

    middle_mm: Vec3
    half_mm: tuple[float, float]
    towards_deg: float = 0.0
    brightness: float = 3.0
    bars: int = 0
    is_round: bool = False
    hole: float = 0.0


@dataclass(frozen=True, slots=True)
class Shade:
    """A strip on the tray from which something keeps a part of the lamp's light away.

    Attributes:
        towards_deg: The direction across the strip, counter-clockwise from +x.
        from_mm: Where it begins along that direction, measured from the tray's middle.
        width_mm: How wide it is; a very wide one leaves a single edge in view.
        soft_mm: Width of its soft edge.
        depth: The part of the lamp's light that is kept away, 0 to 1.
    """

    towards_deg: float
    from_mm: float
    width_mm: float = 1e4
    soft_mm: float = 10.0
    depth: float = 0.6


@dataclass(frozen=True, slots=True)
class Light:
    """The light: some points that shine together, and what comes from everywhere.

    A ring is a circle of points, a ceiling lamp a patch of points high up, a window a patch low at one side. The
    strength is told at the middle of the tray's floor and falls off by the square of the distance from there.

    Attributes:
        points: Where it shines from, each an equal part of the whole; one point gives hard shadows.
        colour: Light at the middle of the floor, facing the lamp; 1 lights a white sheet fully, 0 is switched off.
        ambient: Light from everywhere, the same in all directions.
        panes: Bright panes that are seen in shiny dice; what they add to the light is a part of the above.
    """

    points: tuple[Vec3, ...]
    colour: Colour = (0.8, 0.8, 0.8)
    ambient: Colour = (0.25, 0.25, 0.25)
    panes: tuple[Pane, ...] = ()


@dataclass(frozen=True, slots=True)
class DieBody:
    """How a die is made.

    Attributes:
        size_mm: Edge of the cube, 12 to 19.
        body: Colour of the body.
        pip: Colour of the pips.
        one: Colour of the single pip; None where it is like the others.
        edge: Radius of the rounded edges, as a part of the size, 0.01 to 0.2.
        corner: Radius of the ball that rounds the corners, as a part of the size; 0.866 leaves them, 0.68 is
            a very round die.
        crease: Width over which the face bends into the ball, in half sides, 0.03 to 0.2: tumbled dice have a soft
            border there, in which shiny ones mirror a lamp as a bright arc.
        pip_radius: As a part of the size, 0.05 to 0.13; 0 for a die without pips.
        one_scale: The single pip's radius as a multiple of the others', 1 to 1.9.
        spread: Distance of the outer pips from the middle lines, as a part of the size, 0.18 to 0.28.
        pip_depth: 0 for painted pips, 1 for deep bowls.
        gloss: Mirror-like part, 0 matt to 1 polished.
        grain: Strength of streaks and clouds in the body: wood, marble; 0 to 0.4.
        quarter_turns: Bit k set: the pattern of face k+1 lies turned by 90 degrees, as makers differ in it.
        second: Another colour in the body: swirls and speckles are of it.
        swirl: How much of the second colour swirls through the body, 0 to 1.
        speckle: Part of the body that is specks of the second colour, 0 to 0.3.
        seed: Chooses swirls, specks, wear and the emblem.
        translucency: Part of the light that goes through the body instead of being reflected, 0 to 0.8.
        metal: 0 plastic, 1 metal, whose mirror images have the body's colour.
        wear: How much paint some pips have lost, 0 to 0.95.
        middle_wear: And the middle pips of its 3 and its 5, 0 to 1.
        ring: Inner radius of pips that are rings, as a part of the outer; 0 for full pips.
        lattice: How far the pips of each face, 1 to 6, are apart across its columns and along them, as multiples of
            `spread`, 0.6 to 1.15: a 6 is often narrower than a 4, and a 2 or a 3 closer to the middle.
        dome: How far the middle of each face bulges, as the slope at its rim, -0.15 to 0.3: tumbled dice are domed or
            hollow, so that a lamp is mirrored as an arc.
        emblem: The face, 1 to 6, that bears a drawing instead of pips; None for none.
        see_through: How clearly the pips of the far face show through the body, 0 to 1.
    """

    size_mm: float = 16.0
    body: Colour = (0.8, 0.8, 0.8)
    pip: Colour = (0.02, 0.02, 0.02)
    one: Colour | None = None
    edge: float = 0.06
    corner: float = 0.78
    crease: float = 0.03
    pip_radius: float = 0.09
    one_scale: float = 1.0
    spread: float = 0.25
    pip_depth: float = 0.5
    gloss: float = 0.3
    grain: float = 0.0
    quarter_turns: int = 0
    second: Colour = (0.8, 0.8, 0.8)
    swirl: float = 0.0
    speckle: float = 0.0
    seed: int = 0
    translucency: float = 0.0
    metal: float = 0.0
    wear: float = 0.0
    middle_wear: float = 0.0
    ring: float = 0.0
    lattice: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * 6
    dome: float = 0.0
    emblem: int | None = None
    see_through: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die somewhere in the air or on the floor.

    Attributes:
        body: How it is made.
        centre: Its middle, in millimetres.
        turn: Its orientation.
        velocity: Of its middle, in mm/s; smears it over the exposure.
        spin: Its turning as a vector in tray axes, rad/s.
    """

    body: DieBody
    centre: Vec3
    turn: Quaternion
    velocity: Vec3 = (0.0, 0.0, 0.0)
    spin: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and forearm above the tray.

    Attributes:
        palm_mm: Middle of the palm, (x, y, z).
        towards_deg: The way the fingers point, counter-clockwise from +x.
        length_mm: From wrist to the tip of the middle finger, 150 to 200.
        spread: 0 fingers side by side, 1 wide apart.
        curl: 0 fingers straight, 1 a fist.
        skin: Colour of the skin.
        sleeve: Colour of the sleeve, None for a bare arm.
        is_left: Which hand; the thumb is on the other side.
    """

    palm_mm: Vec3
    towards_deg: float
    length_mm: float = 180.0
    spread: float = 0.4
    curl: float = 0.3
    skin: Colour = (0.25, 0.36, 0.60)
    sleeve: Colour | None = (0.20, 0.08, 0.05)
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Limb:
    """A piece of a thing: a cone with two round ends.

    Attributes:
        start_mm: Middle of one end.
        end_mm: Middle of the other.
        radii_mm: The radius at each.
        colour: Its reflectance.
    """

    start_mm: Vec3
    end_mm: Vec3
    radii_mm: tuple[float, float]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """A piece of a thing: an ellipsoid.

    Attributes:
        centre_mm: Its middle.
        turn: From its own axes to the tray's.
        radii_mm: Its half axes.
        colour: Its reflectance.
    """

    centre_mm: Vec3
    turn: Quaternion
    radii_mm: Vec3
    colour: Colour


@dataclass(frozen=True, slots=True)
class Slab:
    """A piece of a thing: a level plate with upright sides; a sheet of paper if it is thin, a cup if it is thick.

    Attributes:
        outline_mm: Its convex outline from above, counter-clockwise, (x, y) each.
        top_mm: Height of its upper side.
        thick_mm: How thick it is.
        surface: What its upper side looks like; its sides have that colour.
    """

    outline_mm: tuple[tuple[float, float], ...]
    top_mm: float
    thick_mm: float
    surface: Surface


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is neither tray nor die: a hand, a sleeve, paper, a cup, a coin.

    Attributes:
        pieces: What it is made of.
        foreign: Whether it does not belong over the tray; False for things on the table beside it.
        holds_dice: Whether the dice lie on it, so that it is drawn before them.
    """

    pieces: tuple[Limb | Ellipsoid | Slab, ...]
    foreign: bool = True
    holds_dice: bool = False


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera makes of the light.

    Attributes:
        exposure: Factor on all light; 1 shows a white sheet in full light just below white.
        shutter_s: How long a frame is exposed; 0.002 to 0.03.
        noise: Standard deviation of the noise at middle grey, in grey levels of 255; 0.5 to 12.
        blur_px: Standard deviation of the lens's blur, 0 to 1.5.
        vignette: Part of light lost in the picture's corners, 0 to 0.6.
        white: Errors of white balance: factors on B, G, R.
        jpeg_quality: 45 to 100, None for no compression.
        haze: Light that a dusty lens or a bright room spreads over the whole picture, 0 to 0.2 of white.
        blotch: Standard deviation of slow colour noise, some pixels wide, in grey levels of 255; 0 to 6.
        sharpen: How much the camera exaggerates edges, 0 to 1.
        saturation: 0 grey to 1.4 lurid.
    """

    exposure: float = 1.0
    shutter_s: float = 0.008
    noise: float = 1.5
    blur_px: float = 0.5
    vignette: float = 0.15
    white: Colour = (1.0, 1.0, 1.0)
    jpeg_quality: int | None = 92
    haze: float = 0.0
    blotch: float = 0.0
    sharpen: float = 0.0
    saturation: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in view at one moment.

    Camera, tray and the lamp's places are drawn once for all scenes that share them; all else may change at will.

    Attributes:
        camera: Where it is seen from.
        tray: What the dice lie in.
        light: What shines.
        sensor: What the camera makes of it.
        dice: In no special order.
        hand: A hand over the tray.
        things: All else that lies about or is held over the tray.
        shade: A shadow that falls over a part of the tray.
    """

    camera: Camera
    tray: Tray
    light: Light
    sensor: Sensor
    dice: tuple[PlacedDie, ...] = ()
    hand: Hand | None = None
    things: tuple[Thing, ...] = ()
    shade: Shade | None = None
