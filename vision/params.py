"""Every tunable of the reader, in one place: unit, range and why it has its value."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PipParams:
    """Stage 1, `vision.pips`."""

    octaves: int = 3
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
    """Stage 2, `vision.faces`."""

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


@dataclass(frozen=True, slots=True)
class BodyParams:
    """Stage 3, `vision.bodies`."""

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
    """Stage 4, `vision.tops`."""

    side_aspect: float = 0.4
    top_aspect: float = 0.75
    least_aspect: float = 0.6
    no_rim: float = 0.3
    full_rim: float = 0.9
    reach: float = 1.75
    side_reach: float = 2.3
    side_share: float = 0.25
    least_weight: float = 0.02
    margin: float = 0.6
    blemish: float = 0.7
    missed_pip: float = 1.5
    full_weight: float = 0.5
    stray_within: float = 0.9
    stray_beyond: float = 1.3
    stray_aspect: float = 0.75
    stray_least: float = 0.6
    stray_most: float = 1.7
    stray: float = 0.8


@dataclass(frozen=True, slots=True)
class VerdictParams:
    """Stage 5, `vision.verdict`."""

    sure: float = 0.5
    seen: float = 0.15
    size_ratio: float = 1.7
    usual_half: float = 3.8
    same_size: float = 1.35
    cut: float = 0.1
    stray_quality: float = 0.5
    stray_contrast: float = 0.5
    stray_aspect: float = 0.6
    stray_size: float = 1.6
    die_reach: float = 2.2
    blob_least: float = 0.7
    blob_most: float = 1.6
    dark: float = 95.0


@dataclass(frozen=True, slots=True)
class Params:
    """All tunables of `vision.read.read`."""

    dice: int | None = 4
    pips: PipParams = field(default_factory=PipParams)
    faces: FaceParams = field(default_factory=FaceParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    tops: TopParams = field(default_factory=TopParams)
    verdict: VerdictParams = field(default_factory=VerdictParams)
    working_pixels: tuple[int, ...] = (640 * 480, 1024 * 768)
