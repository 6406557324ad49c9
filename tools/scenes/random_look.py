"""Random colours, dice and trays: what things look like, apart from where they are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.scenes.bodies import RareBody
from tools.scenes.textures import (
    CARPET,
    CHECKED,
    GRID,
    LEATHER,
    MARBLE,
    PRINTED,
    SPECKLED,
    SPOTTED,
    STRIPED,
    WORN,
    WOVEN,
    RareSurface,
    one_of,
)
from tools.scenes.trays import ShapedTray
from vision.render.scene import Colour, DieBody, Texture, Tray, Vec3, colour
from vision.render.surfaces import FELT, WOOD

DICE: tuple[tuple[str, str, str | None], ...] = (
    ("#f0efe9", "#141414", None),
    ("#f0efe9", "#141414", "#c01818"),
    ("#f0efe9", "#b81c1c", None),
    ("#f0efe9", "#1c2f9c", None),
    ("#191919", "#efefef", None),
    ("#191919", "#c8a030", None),
    ("#191919", "#d02020", None),
    ("#b3161b", "#f2f0ea", None),
    ("#b3161b", "#161616", None),
    ("#7c1020", "#e8c050", None),
    ("#1b3fa0", "#f2f2f2", None),
    ("#2a6fd0", "#f2f2f2", None),
    ("#127a3c", "#f2f2f2", None),
    ("#0f5a30", "#e0c040", None),
    ("#ecc415", "#181818", None),
    ("#e8731a", "#f2f2f2", None),
    ("#e8731a", "#181818", None),
    ("#5c2383", "#f2f2f2", None),
    ("#e9dcbb", "#2a1c10", None),
    ("#e9dcbb", "#141414", "#b81c1c"),
    ("#b98a55", "#2a1a0c", None),
    ("#8a5a30", "#f0e6d0", None),
    ("#d9dde2", "#1a1a1a", None),
    ("#8d9298", "#f4f4f4", None),
    ("#f2a8bc", "#ffffff", None),
    ("#7fd3d8", "#102030", None),
)
"""The sRGB colours of dice as sold: body, pips, and the pip of the 1 if it differs."""

PEARLS: tuple[tuple[str, str, str], ...] = (
    ("#1d7cc4", "#0c1a30", "#b0205a"),
    ("#1d7cc4", "#0c1a30", "#b0205a"),
    ("#5a5654", "#3a3432", "#b02424"),
    ("#5a5654", "#3a3432", "#b02424"),
    ("#a8843c", "#4a2e10", "#181410"),
    ("#c22018", "#d83a28", "#c89a3c"),
    ("#8e2a48", "#b8607c", "#f4eaee"),
    ("#35407e", "#20264e", "#b8bccc"),
    ("#2c7a58", "#103a2c", "#d8c060"),
    ("#7a1a24", "#2a0c10", "#d0a040"),
    ("#4a2a6a", "#1c5a8a", "#e0c050"),
    ("#28282c", "#4c4c52", "#3f7fd0"),
)
"""The two colours of a marbled body and that of its pips, which differs by its hue more than by its lightness."""

FLOORS: tuple[tuple[str, Texture | None], ...] = (
    ("#1d6b3f", FELT),
    ("#0f4a2c", FELT),
    ("#7a1622", FELT),
    ("#c22238", FELT),
    ("#1c2c66", FELT),
    ("#3a3a3c", FELT),
    ("#151515", FELT),
    ("#b8a888", FELT),
    ("#a87747", WOOD),
    ("#6d4528", WOOD),
    ("#d2ad78", WOOD),
    ("#5a3a26", LEATHER),
    ("#201a18", LEATHER),
    ("#8c2f24", LEATHER),
    ("#cfcfcb", None),
    ("#8f979e", None),
    ("#2f6d88", None),
    ("#e6e3da", SPECKLED),
    ("#77736a", SPECKLED),
    ("#8e8574", WOVEN),
    ("#4a5560", WOVEN),
    ("#7c6a52", CHECKED),
    ("#4c6b58", CHECKED),
)
"""The sRGB colour and the pattern of tray floors."""

WALLS = ("#6b4a30", "#3c3c40", "#a9b1bd", "#c9c0b2", "#8a5d38", "#1c1c1e", "#5f6873", "#e2e0da", "#7a2a22", "#2f8088")
TABLES = ("#b8b6b1", "#8a6a4a", "#d8d4cc", "#5b4636", "#2e2a28", "#a0a8b2", "#c9a878", "#708070")

_PEARL_LEVELS = 35.0
"""The least difference between the pips of a marbled die and each of its colours in full light, in grey levels."""

_TIGHTEST = 0.47  # largest radius of pips, relative to the distance between two of them
_PEARL_SHARE = 0.2  # share of dice that are marbled with coloured pips

TWO_COLOURED = (MARBLE, STRIPED, GRID, CARPET, SPOTTED, PRINTED, PRINTED, PRINTED, WORN)
"""Patterns of two colours; printed ones three times, because no two are alike."""

_OTHER_GRIDS, _DOMED = 0.5, 0.5  # shares of dice with pips on another grid, and with domed or hollow faces


def pick(rng: np.random.Generator, codes: Sequence[str]) -> Colour:
    """Return one of the colours."""
    return colour(codes[int(rng.integers(len(codes)))])


def any_colour(rng: np.random.Generator, brightest: float = 0.85) -> Colour:
    """Return a random colour; hue, saturation and lightness are each uniform, so dark and pale ones are common."""
    hue, saturation = float(rng.uniform(0, 6)), float(rng.beta(0.8, 0.9))
    lightness = brightest * float(rng.uniform(0.12, 1.0)) ** 1.8
    blue, green, red = (1 - saturation * min(1.0, max(0.0, abs((hue + shift) % 6 - 3) - 1)) for shift in (4, 2, 0))
    return (blue * lightness, green * lightness, red * lightness)


def _blend(first: Colour, second: Colour, share: float) -> Colour:
    a, b, c = ((1 - share) * one + share * other for one, other in zip(first, second, strict=True))
    return (a, b, c)


def _lightness(shade: Colour) -> float:
    """Return how light a colour looks, 0 to 1: its luminance (Rec. 709) in the display's tone curve."""
    blue, green, red = shade
    return float((0.0722 * blue + 0.7152 * green + 0.2126 * red) ** (1 / 2.2))


def _clear_of(rng: np.random.Generator, pip: Colour) -> Colour:
    """Return a random colour unlike the pips': a swirl in their colour would hide them or look like them."""
    second = any_colour(rng)
    while abs(_lightness(second) - _lightness(pip)) < 0.3:
        second = any_colour(rng)
    return second


def _levels_apart(first: Colour, second: Colour) -> float:
    """Return the mean difference of two colours in blue, green and red as displayed, in grey levels of 255."""
    apart = np.abs(np.power(first, 1 / 2.2) - np.power(second, 1 / 2.2))
    return 255 * float(apart.mean())


def _pearl(rng: np.random.Generator, body: RareBody) -> RareBody:
    """Return the die marbled in two colours, with pips of a third one that may be as light or as dark as these."""
    if rng.random() < 0.6:
        first, second, pip = (colour(code) for code in PEARLS[int(rng.integers(len(PEARLS)))])
        first, second = (first, second) if rng.random() < 0.7 else (second, first)
    else:
        while True:
            first, second, pip = any_colour(rng), any_colour(rng), any_colour(rng)
            if min(_levels_apart(first, pip), _levels_apart(second, pip)) > _PEARL_LEVELS:
                break
    return replace(
        body,
        body=first,
        second=second,
        pip=pip,
        one=None,
        swirl=float(rng.uniform(0.2, 1.0)),
        speckle=0.0,
        grain=0.0,
        ring=0.0,
        wear=0.0,
        metal=0.0,
        translucency=float(rng.uniform(0.2, 0.7)) if rng.random() < 0.4 else 0.0,
        gloss=float(rng.uniform(0.2, 1.0)),
    )


def _special(rng: np.random.Generator, body: RareBody) -> RareBody:
    """Return the die in one of the rarer makes."""
    kind = str(rng.choice(["swirl", "speckle", "clear", "metal", "worn", "ring", "faint", "grid"]))
    if kind in ("swirl", "speckle"):
        # Marbled and speckled dice are sold with white or black pips, whichever is visible on both of their colours.
        pip = colour("#f2f0ea") if _lightness(body.body) < 0.6 else colour("#141414")
        mixed = replace(body, pip=pip, one=None, second=_clear_of(rng, pip), grain=0.0)
        if kind == "swirl":
            return replace(mixed, swirl=float(rng.uniform(0.4, 1.0)))
        return replace(mixed, speckle=float(rng.uniform(0.03, 0.25)))
    if kind == "clear":
        return replace(body, translucency=float(rng.uniform(0.3, 0.8)), gloss=float(rng.uniform(0.4, 1.0)))
    if kind == "metal":
        grey = float(rng.uniform(0.12, 0.5))
        tint = (grey, grey, grey) if rng.random() < 0.6 else (0.35 * grey, 0.75 * grey, grey)
        pip = colour("#101010") if grey > 0.3 else colour("#e8e6e0")
        return replace(body, body=tint, pip=pip, one=None, metal=float(rng.uniform(0.3, 0.8)), gloss=0.5, grain=0.0)
    if kind == "worn":
        return replace(body, wear=float(rng.uniform(0.2, 0.95)))
    if kind == "ring":
        return replace(body, ring=float(rng.uniform(0.35, 0.6)), pip_radius=float(rng.uniform(0.095, 0.12)))
    if kind == "faint":
        return replace(body, pip=_blend(body.pip, body.body, float(rng.uniform(0.4, 0.75))), one=None)
    narrow = (float(rng.uniform(0.75, 1.12)), 1.0)
    return replace(body, grid=((1.0, 1.0), narrow, narrow, (1.0, 1.0), (1.0, 1.0), narrow))


def _grid(rng: np.random.Generator, body: RareBody) -> RareBody:
    """Return the die with pips of another maker: another size, and another grid for each kind of face."""
    close, square = float(rng.uniform(0.72, 1.1)), float(rng.uniform(0.85, 1.08))
    six = (float(rng.uniform(0.6, 1.1)), float(rng.uniform(0.85, 1.1)))
    two = (close * float(rng.uniform(0.9, 1.0)), close)
    spread = body.spread * (float(rng.uniform(0.85, 1.0)) if rng.random() < 0.4 else 1.0)
    return replace(
        body,
        spread=spread,
        grid=((1.0, 1.0), two, two, (square, square), (square, square), six),
        pip_radius=body.pip_radius * float(np.exp(rng.normal(0, 0.15))),
    )


def _apart(body: RareBody) -> RareBody:
    """Return the die with pips small enough not to touch each other on any face."""
    pairs = (pair for value in range(2, 7) for pair in itertools.combinations(body.pip_places(value), 2))
    nearest = min(math.dist(one, other) for one, other in pairs) / 2
    return replace(body, pip_radius=min(body.pip_radius, _TIGHTEST * nearest))


def faded(rng: np.random.Generator, body: RareBody) -> RareBody:
    """Return the die with pips of exactly or nearly the colour of its body."""
    return replace(body, pip=_blend(body.pip, body.body, float(rng.uniform(0.7, 1.0))), one=None)


def is_ordinary(body: DieBody) -> bool:
    """Whether a die is like most: of one colour, wood or translucent, with full pips and all their paint."""
    is_rare = isinstance(body, RareBody) and (body.swirl or body.speckle or body.ring or body.wear)
    return not (is_rare or body.metal)


def random_body(rng: np.random.Generator, size_mm: float | None = None) -> RareBody:
    """Return a die of a random make, of a random size unless `size_mm` is given."""
    code, pips, one = DICE[int(rng.integers(len(DICE)))]
    is_wood = code in ("#b98a55", "#8a5a30")
    shade = float(rng.uniform(0.75, 1.1))
    blue, green, red = (min(part * shade, 0.92) for part in colour(code))
    pip, single = colour(pips), None if one is None else colour(one)
    if rng.random() < 0.3:
        # Besides the listed dice: a body of any colour, with the more visible of light and dark pips.
        blue, green, red = any_colour(rng)
        pip = colour("#f2f0ea") if 0.11 * blue + 0.59 * green + 0.3 * red < 0.25 else colour("#141414")
        single = any_colour(rng) if rng.random() < 0.1 else None
        if rng.random() < 0.25:
            pip = any_colour(rng)
    large_one = bool(rng.random() < 0.2)
    body = RareBody(
        size_mm=float(rng.uniform(12, 19)) if size_mm is None else size_mm,
        body=(blue, green, red),
        pip=pip,
        one=single,
        edge=float(rng.choice([0.02, 0.05, 0.08, 0.12, 0.16])) * float(rng.uniform(0.8, 1.2)),
        corner=float(rng.choice([0.70, 0.74, 0.78, 0.87], p=[0.2, 0.3, 0.25, 0.25])),
        pip_radius=float(rng.uniform(0.07, 0.112)),
        one_scale=float(rng.uniform(1.3, 1.8)) if large_one else 1.0,
        spread=float(rng.uniform(0.22, 0.275)),
        pip_depth=float(rng.choice([0.0, 0.3, 0.7, 1.0])),
        gloss=0.0 if is_wood else float(rng.choice([0.0, 0.25, 0.5, 0.9])),
        grain=float(rng.uniform(0.1, 0.25)) if is_wood or rng.random() < 0.08 else 0.0,
        quarter_turns=int(rng.integers(64)),
        seed=int(rng.integers(1 << 31)),
    )
    body = _special(rng, body) if rng.random() < 0.4 else body
    # From the die's own generator, so that the rest of the scene does not depend on it.
    own = np.random.default_rng(body.seed)
    body = replace(body, crease=float(np.exp(own.uniform(np.log(0.03), np.log(0.2)))))
    body = _pearl(own, body) if not is_wood and own.random() < _PEARL_SHARE else body
    body = _grid(own, body) if own.random() < _OTHER_GRIDS else body
    if own.random() < _DOMED:
        slope = float(np.exp(own.uniform(np.log(0.03), np.log(0.3))))
        body = replace(body, dome=slope if own.random() < 0.7 else -slope / 2)
    return _apart(body)


def random_floor(rng: np.random.Generator) -> RareSurface:
    """Return a floor of an ordinary kind, or of any colour and pattern."""
    contrasts: dict[Texture | None, float] = {None: 0.0, FELT: 0.08, CHECKED: 0.12, SPECKLED: 0.15}
    seed = int(rng.integers(1 << 31))
    gloss = float(rng.uniform(0.2, 1.0)) if rng.random() < 0.15 else 0.0
    if rng.random() < 0.4:
        code, kind = FLOORS[int(rng.integers(len(FLOORS)))]
        return RareSurface(colour(code), kind, contrasts.get(kind, 0.14), seed, gloss=gloss)
    if rng.random() < 0.5:
        kind = one_of(rng, [None, FELT, WOVEN, LEATHER, SPECKLED])
        return RareSurface(any_colour(rng), kind, contrasts.get(kind, 0.14), seed, gloss=gloss)
    kind = one_of(rng, TWO_COLOURED)
    first = any_colour(rng)
    return RareSurface(first, kind, float(rng.uniform(0.15, 0.8)), seed, second=any_colour(rng), gloss=gloss)


def random_tray(rng: np.random.Generator) -> Tray:
    """Return a tray with a random floor, wall and table."""
    is_round = bool(rng.random() < 0.12)
    sides = int(rng.choice([4, 6, 8], p=[0.84, 0.05, 0.11]))
    width = float(rng.uniform(150, 270))
    depth = width if is_round or sides == 6 or rng.random() < 0.5 else float(rng.uniform(150, 270))
    floor = random_floor(rng)
    seed = int(rng.integers(1 << 31))
    wall_kind = one_of(rng, [None, None, WOOD, LEATHER, PRINTED])
    wall = RareSurface(
        pick(rng, WALLS) if rng.random() < 0.6 else any_colour(rng),
        wall_kind,
        0.5 if wall_kind is PRINTED else 0.1,
        seed,
        second=any_colour(rng),
    )
    if rng.random() < 0.15:
        wall = replace(floor, gloss=0.0)
    table_kind = one_of(rng, [None, None, WOOD, WOVEN, PRINTED, STRIPED])
    table = RareSurface(
        pick(rng, TABLES) if rng.random() < 0.6 else any_colour(rng),
        table_kind,
        0.5 if table_kind in TWO_COLOURED else 0.08,
        seed + 1,
        second=any_colour(rng),
    )
    fitted = bool(rng.random() < 0.3)
    tray = ShapedTray(
        width_mm=width,
        depth_mm=depth,
        is_round=is_round,
        wall_mm=float(rng.uniform(4, 50)),
        rim_mm=float(rng.choice([1.5, 4.0, 10.0, 16.0])) * float(rng.uniform(0.8, 1.3)),
        floor=floor,
        wall=wall,
        table=table,
        sides=sides,
    )
    shade = tray.fitting
    if fitted:
        shade = pick(rng, ("#080808", "#c0c4c8", "#b08d3a")) if rng.random() < 0.8 else any_colour(rng)
    size, is_button = float(rng.uniform(5, 24)), bool(rng.random() < 0.4)
    return replace(tray, fittings=_fittings(tray, size, is_button=is_button), fitting=shade) if fitted else tray


def _fittings(tray: Tray, size_mm: float, *, is_button: bool) -> tuple[tuple[Vec3, ...], ...]:
    """Return the outlines of round buttons on the wall's top, or of blocks round its corners."""
    middle = tray.wall_line(tray.rim_mm / 2)
    corners = middle[:: max(1, len(middle) // 8)]
    if is_button:
        angles = np.arange(16) * (math.tau / 16)
        shape = np.stack([np.cos(angles), np.sin(angles)], axis=1) * min(size_mm, 0.9 * tray.rim_mm + 2.0) / 2
    else:
        half = max(size_mm, tray.rim_mm + 1.5) / 2
        shape = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    height = tray.wall_mm + 0.5
    return tuple(tuple((float(x), float(y), height) for x, y in corner + shape) for corner in corners)


def bare_table(rng: np.random.Generator, reach_mm: float) -> Tray:
    """Return a table without a tray, so wide that a camera that sees `reach_mm` sees nothing else."""
    floor = random_floor(rng)
    return Tray(reach_mm, reach_mm, 0.0, 0.0, floor, floor, floor)
