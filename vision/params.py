"""Every tunable of the reader, in one place: unit, range and why it has its value.

"Labelled" figures were measured on path-traced stills and on photographs of four dice, by percentiles over the faces
that were found at their labelled place; failures in all of these were looked at, so that none of them is unseen.
"r" is the radius of the spot in question, "step" the distance of neighbouring pip places, "half" half the side of a
die's top face; all in pixels of the picture at working size.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PipParams:
    """Stage 1, `vision.pips`.

    Attributes:
        octaves: Halvings of the picture that are searched, 1 to 5. Four reach spots of r = 2 to 40: the pips of
            dice of a thirtieth to a quarter of the width, and whole small dice.
        smallest_level: A halved picture of a shorter side than this, pixels, is not searched.
        seed_radii: Spot sizes sought in each halving, pixels; half an octave apart.
        inner_sigma: Blur of the centre, in r. 0.45 keeps the peak of a disk.
        outer_box: Side of the box that is the surround, in r, 1.5 to 2.5.
        seed_strength: Least difference of centre and surround, grey levels of the strongest channel. 6 is what the
            faintest pips that can be read (dark red on black, photographs) give; below lies sensor noise.
        seed_share: What the picture must change from the centre in each of eight directions, as a share of the
            difference; 0 lets lines through, above 0.5 loses pips near a die's rim.
        ring_probe: Where that is looked at, in r.
        most_seeds: The strongest of each size that are measured; bounds the time on carpets.
        rays: Directions along which a spot is measured, 12 to 32.
        ray_length: How far, in r as guessed by the seed.
        ray_step: Distance of the samples, in r.
        ink_within: The inside of the spot whose mean colour is the ink, in r.
        ring_from: The ground is looked at from here, in r,
        ring_to: to here. Pips of a 6 leave 1.4 to 1.9 r free in most directions; the median ignores the rest.
        ring_steps: How many samples beyond the edge of a ray the ground must begin.
        contrast: Least distance of ink and ground in BGR, grey levels. 14 is three times the noise of a good
            camera; real pips lie above 40.
        most_shift: How far the middle may be from the seed, in r.
        shrink: Least measured size, in the seed's r.
        grow: Largest measured size, in the seed's r.
        ring_tolerance: How far a sample of the ring may be from the ground, as a share of the contrast.
        unclean: Share of the ring beyond that tolerance at which the quality is 0.
        misfit: Root mean square distance of the edge from the ellipse, in r, at which the quality is 0.
        ink_off: Mean deviation inside, as a share of the contrast, at which the quality is 0: pips with a lamp's
            reflection in them come to 0.3.
        quality: Least quality of a spot that is kept; low, since later stages weigh it.
        aspect: Least short axis / long axis. Pips on side faces come down to 0.3.
        same_spot: Spots nearer than this, in the larger's r, are one,
        same_size: unless one is this many times larger: a die is a spot too, and holds its pips.
        most: Spots kept; bounds the time of stage 2.
        veil_quality: A spot of this quality or more hides marks beside it,
        veil_contrast: that have less than this share of its contrast,
        veil_ground: lie on a ground that differs by less than this share of its contrast,
        veil_reach: and are nearer than this, in its r (7 r is from corner to corner of a face).
    """

    octaves: int = 4
    smallest_level: int = 24
    seed_radii: tuple[float, ...] = (2.2, 3.2)
    inner_sigma: float = 0.45
    outer_box: float = 1.9
    seed_strength: int = 6
    seed_share: float = 0.3
    ring_probe: float = 1.7
    most_seeds: int = 300
    rays: int = 16
    ray_length: float = 2.4
    ray_step: float = 0.2
    ink_within: float = 0.5
    ring_from: float = 1.4
    ring_to: float = 1.9
    ring_steps: int = 1
    contrast: float = 14.0
    most_shift: float = 0.8
    shrink: float = 0.55
    grow: float = 2.0
    ring_tolerance: float = 0.4
    unclean: float = 0.6
    misfit: float = 0.3
    ink_off: float = 0.6
    quality: float = 0.1
    aspect: float = 0.3
    same_spot: float = 0.8
    same_size: float = 2.2
    most: int = 200
    veil_quality: float = 0.5
    veil_contrast: float = 0.25
    veil_ground: float = 0.3
    veil_reach: float = 7.0


@dataclass(frozen=True, slots=True)
class FaceParams:
    """Stage 2, `vision.faces`.

    Attributes:
        radius_ratio: How much the pips of one face may differ in size, as a ratio. Those of one die differ by 1.2;
            a reflection in a pip makes it 1.4.
        contrast_ratio: Least contrast of a pip as a share of another's on the same face (gloss fades some).
        ink_alike: Least cosine between two pips' ways from ground to ink, as colours.
        ground_apart: How far their grounds may differ, as a share of the contrast.
        aspect_apart: How far their aspects may differ.
        usual_step: Step / r of ordinary dice; labelled ones have about 2 to 3.7.
        step_spread: Standard deviation of its logarithm.
        least_step: Least step / r.
        most_step: Largest step / r.
        face_reach: How far from the middle, in steps, a spot is on the face; half the side is 1.85 steps.
        seat: How far from its place, in steps, a pip may be before the fit.
        misfit: Largest distance of a pip from its place after the fit, in steps; real faces stay below 0.2.
        lattice_aspect: Least foreshortening of the places.
        smooth: Least share of pip-free points that have the body's colour. Marbled dice come down to 0.7.
        smooth_apart: How far such a point may be from that colour, as a share of the contrast.
        full_contrast: Contrast from which a pip counts fully, grey levels; reflections and grain lie below.
        most_pairs: Pairs of spots tried as a diagonal; bounds the time.
        most_patterns: Faces of two and more pips that go on to stage 3; bounds the time.
        most_ones: Lone pips that do.
        least_aspect_of_one: Least aspect of a lone pip; on labelled top faces it is 0.63 and more.
    """

    radius_ratio: float = 1.5
    contrast_ratio: float = 0.4
    ink_alike: float = 0.85
    ground_apart: float = 0.6
    aspect_apart: float = 0.4
    usual_step: float = 2.6
    step_spread: float = 0.3
    least_step: float = 1.7
    most_step: float = 4.4
    face_reach: float = 1.5
    seat: float = 0.5
    misfit: float = 0.35
    lattice_aspect: float = 0.4
    smooth: float = 0.6
    smooth_apart: float = 0.5
    full_contrast: float = 60.0
    most_pairs: int = 600
    most_patterns: int = 60
    most_ones: int = 60
    least_aspect_of_one: float = 0.5


@dataclass(frozen=True, slots=True)
class BodyParams:
    """Stage 3, `vision.bodies`.

    Attributes:
        turns: Angles tried for the square around a lone pip, over a quarter turn.
        least_half_of_one: Least half / r of a die that shows a 1. Ordinary pips: 3.9 to 7 on labelled dice; a
            large single pip down to 2.6.
        most_half_of_one: Largest half / r of such a die.
        sizes_of_one: Sizes tried between them.
        least_half: Least half / step of a die that shows more; labelled dice: 1.55 to 2.7.
        most_half: Largest half / step.
        sizes: Sizes tried between them.
        least_ratio: Least width / height of the rim, for the foreshortening of a tilted camera.
        least_ratio_of_one: The same for a lone pip, where no lattice gives the direction.
        points: Samples along a side.
        gap: How far inside and outside of the rim is compared, as a share of half.
        edge: Change of colour, grey levels of the strongest channel, that counts as a full edge.
        homely: How far the inside may be from the body's colour, grey levels; glossy dice shade by 50.
    """

    turns: int = 8
    least_half_of_one: float = 2.6
    most_half_of_one: float = 7.5
    sizes_of_one: int = 13
    least_half: float = 1.4
    most_half: float = 2.9
    sizes: int = 14
    least_ratio: float = 0.72
    least_ratio_of_one: float = 0.8
    points: int = 7
    gap: float = 0.12
    edge: float = 30.0
    homely: float = 60.0


@dataclass(frozen=True, slots=True)
class TopParams:
    """Stage 4, `vision.tops`.

    Attributes:
        side_aspect: Aspect of pips at which a face weighs nothing: those of side faces have 0.3 to 0.6.
        top_aspect: Aspect from which a face weighs fully. Labelled top faces: 0.63 and more, 95 % above 0.7.
        least_aspect: Aspect at which the confidence is 0: smeared and leaning dice have 0.69 to 0.74.
        full_aspect: Aspect from which it is full; in 99 of 100 random scenes the least of four dice has 0.80.
        six_allowance: Added to the aspect of a 6, whose pips run into each other along the rows when small.
        no_rim: Share of the rim found at which a face weighs nothing; chance gives 0.3 to 0.5.
        full_rim: Share from which the confidence is full; labelled faces have 0.8 and more (95 %).
        no_weak_sides: For a 1 or 2, mean share of the rim at the weaker two sides at which the confidence is 0;
            a large 1 that made a 2 with a pip of a side face had 0.55.
        full_weak_sides: That share from which it is full; 0.63 and more for 95 % of the labelled 2s.
        reach: Faces whose middles are nearer than this, in halves, belong to one die. Two dice cannot be nearer
            than 2; a side face's middle is at 1.6 at most.
        side_reach: A much weaker face is part of a die up to this distance, in halves,
        side_share: if it weighs less than this share of the die's top.
        overlap: How far, in halves, corners of one die may reach into another.
        least_weight: Faces of less weight are not looked at.
        margin: Share by which a top must outweigh its rival of another value for full confidence.
        blemish: Difference from the body's colour at an empty place, in contrasts, at which the confidence is 0.
            Labelled faces: 0.25 (rendered) and 0.53 (photographs) at most in 95 %.
        missed_pip: Factor on differences towards the ink, against the other empty places.
        missed_middle: The same factor at the middle, where one faint pip divides 4 from 5 and 2 from 3. The share
            there is 0.10 at most in 98 % of labelled 4s; a pip faded to a quarter of its contrast shows 0.23.
        full_weight: Weight from which the confidence is full; a clean 1 weighs 0.9.
        stray_within: Spots within this, in halves, must belong to the pattern.
        stray_beyond: So must frontal ones up to here, or the rim is only the outline of neighbouring pips,
        stray_aspect: frontal being an aspect above this.
        stray_least: Only spots from this size, in r of the face's pips,
        stray_most: to this size count.
        stray: Strength of such a spot, as a share of the pips', at which the confidence is 0.
    """

    side_aspect: float = 0.4
    top_aspect: float = 0.75
    least_aspect: float = 0.7
    full_aspect: float = 0.8
    six_allowance: float = 0.1
    no_rim: float = 0.3
    full_rim: float = 0.9
    no_weak_sides: float = 0.4
    full_weak_sides: float = 0.8
    reach: float = 1.75
    side_reach: float = 2.3
    side_share: float = 0.25
    overlap: float = 0.2
    least_weight: float = 0.02
    margin: float = 0.6
    blemish: float = 0.7
    missed_pip: float = 1.2
    missed_middle: float = 4.0
    full_weight: float = 0.5
    stray_within: float = 0.9
    stray_beyond: float = 1.3
    stray_aspect: float = 0.75
    stray_least: float = 0.6
    stray_most: float = 1.7
    stray: float = 0.8


@dataclass(frozen=True, slots=True)
class VerdictParams:
    """Stage 5, `vision.verdict`.

    Attributes:
        sure: Least confidence of each die. At 0.5 no labelled throw is read wrong, and none of 1,000 random scenes of
            four readable dice (`python -m bench.scenes 2000`).
        seen: Least weight of a face that counts as a die, sure or not; edges and grain stay below 0.1.
        size_ratio: How much a die may differ from the others in size, as a ratio: perspective makes 1.3, dice of
            different make 1.4.
        usual_half: Half / r below which a 1 has a large pip or is none, and must
        same_size: not differ by more than this ratio from the other dice.
        lean_aspect: Least short / long direction of a rim, and
        lean_skew: largest cosine between its sides, of a die that lies flat: 0.77 and 0.22 in 99 of 100 random
            scenes; 0.60 and 0.36, 0.74 and 0.14 where a die leaned.
        cut: How far a top face may reach out of the picture, in halves.
        stray_quality: A spot of this quality,
        stray_contrast: of this share of the dice's contrast,
        stray_aspect: of this aspect,
        stray_size: and within this ratio of their pips' size, is a pip, and must lie on a die.
        die_reach: Up to this distance, in halves, a spot is on a die, side faces included.
        blob_least: Where the number of dice is not known, spots from this size, in halves,
        blob_most: to this may be dice whose pips were not made out,
        disk_quality: unless they are a clean disk: of more than this quality, and nothing on it.
        dark: Level, 0 to 255, that the brightest 2 % of a picture must reach. Labelled dark scenes: 57 to 86,
            lit ones: 130 and more.
    """

    sure: float = 0.5
    seen: float = 0.15
    size_ratio: float = 1.7
    usual_half: float = 3.8
    same_size: float = 1.35
    lean_aspect: float = 0.75
    lean_skew: float = 0.3
    cut: float = 0.1
    stray_quality: float = 0.5
    stray_contrast: float = 0.5
    stray_aspect: float = 0.6
    stray_size: float = 1.6
    die_reach: float = 2.2
    blob_least: float = 0.7
    blob_most: float = 1.6
    disk_quality: float = 0.9
    dark: float = 95.0


@dataclass(frozen=True, slots=True)
class Params:
    """All tunables of `vision.read.read`.

    Attributes:
        dice: How many dice there must be; None for any number.
        working_pixels: Sizes at which a picture is looked at, in pixels (width x height), one after the other until
            it is read: a larger one finds smaller pips, and takes longer.
        pips: Stage 1.
        faces: Stage 2.
        bodies: Stage 3.
        tops: Stage 4.
        verdict: Stage 5.
    """

    dice: int | None = 4
    working_pixels: tuple[int, ...] = (640 * 480, 1024 * 768)
    pips: PipParams = field(default_factory=PipParams)
    faces: FaceParams = field(default_factory=FaceParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    tops: TopParams = field(default_factory=TopParams)
    verdict: VerdictParams = field(default_factory=VerdictParams)
