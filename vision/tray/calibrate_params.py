"""The tunables of learning a tray, each with its unit, its range and the evidence for its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CalibrateParams:
    """The tunables of measuring.

    "Rendered" figures are over 250 empty trays of the project's renderer, 32 of them round, whose true opening was made
    a map of 80 by 60 cells, blurred by 0.8 cells, with smooth noise of deviation 0.4 in its logits.

    Attributes:
        smallest: Least share of the picture that a tray has, 0.02 to 0.2; what is smaller holds no four dice that
            could be read.
        knob: What hangs on to the tray and is narrower than this is cut off, as a part of the side of a square of the
            tray's size, 0.1 to 0.4. On 51 rendered trays with the maps of a finder that had learnt for a few minutes,
            0.25 against 0.02 brought the worst overlap of the edge with the true opening from 0.59 to 0.62, and of 23
            dice beside the tray 20 in place of 16 lay outside; of 52 in the tray none did, the nearest 16 px of 640 in.
        clear: Least overlap (intersection over union) of the edge's inside with the map, 0.85 to 0.95. With the same
            maps 0.9 refused two trays, one of them the worst.
        straight: How far the border may leave its sides before a corner is added, as a part of its length, 0.003 to
            0.015. Rendered: at 0.007 the edge lies up to 7.6 px of 640 too far in (19 of 20 trays: 6 px) and, where
            the picture cuts it, up to 19 px too far out (19 of 20: 10 px); at 0.01 short sides at the picture's edge
            get lost, up to 12 px further in.
        most_sides: A border of more sides than this is round, 6 to 9. Rendered: trays of four walls, cut by the
            picture, come to 4 to 8 in 214 of 218, round ones to more in 29 of 32.
        round_corners: Most corners that a round edge gets, 16 to 48. Rendered: with 24 it lies up to 6 px too far in.
        rectangle: Least overlap (intersection over union) of the border's inside with the best polygon of four sides
            around it that makes the tray a rectangle, 0.88 to 0.94; see `bench.trays`.
        side_reach: How far from the sides of a rectangular tray in the map those in the picture are looked for, as a
            part of the picture's width, 0.02 to 0.05,
        side_sigma: and the distance, as a part of the width, 0.01 to 0.04, at which
        side_pull: a contrast has to be clearer by this part of the greatest clearness, 0.05 to 0.3. Of 113 rectangular
            trays of `bench.trays` with four sides in the map, 30 outlines were right without this, 54 with it, and nine
            of ten tilts were right to 5.4 degrees without and to 2.0 with it.
        side_contrast: Grey levels a pixel from which a contrast is as clear as can be, 2 to 12: with 12 of the same
            outlines 42 were right.
        no_edge: Where the tray goes on beyond more than this part of each of the picture's four edges, no edge of the
            tray is in view, 0.4 to 0.8.
        agree: Least overlap (intersection over union) of one frame's tray with that of all, 0.7 to 0.95; less means
            that the camera or the tray was moved in between.
        foreign: Share of the tray that something foreign must cover to be told, 0.002 to 0.05; a finger's tip over a
            tray of 20 cm covers 0.005.
        strange: Probability from which a place is foreign, 0.5 to 0.95; see `vision.params.VerdictParams`.
        burnt: Level of the weakest channel from which a pixel is burnt out, 245 to 255.
        fine_sigma: Blur, in pixels, with which the picture's gradient is measured, 1 to 2,
        coarse_sigma: and that with which it is measured again, twice as much; see `blur_of`. 36 rendered trays, blurred
            by 1, 2, 4 and 6 px, not sharpened by the camera, are measured as 1.3, 2.2, 3.9 and 5.0 (medians; nine of
            ten within 0 to 1.7, 1.0 to 2.5, 2.7 to 4.9 and 3.2 to 6.5). The usual measure, the variance of the
            Laplacian over that of the picture, tells less: with a blur of 0.6 px it is 0.02 to 1.5 in nine of ten of
            24 scenes, and its median falls only from 0.12 to 0.09 between blurs of 0.6 and 4 px.
        rim: How far beyond the tray's edge its rim is looked at for sharpness, as a part of the picture's width, 0.01
            to 0.03; a rim of 5 mm is 0.02 wide where 25 cm fill the picture.
        edge_noise: An edge's gradient is at least so many times the picture's median gradient, 3 to 6,
        edge_least: and at least so many grey levels a pixel, 1 to 4. With 3 a third of trays blurred by 8 px had none.
        edges_least: With fewer edge pixels than this the blur is not measured, 20 to 100.
    """

    smallest: float = 0.06
    knob: float = 0.25
    clear: float = 0.9
    straight: float = 0.007
    most_sides: int = 8
    round_corners: int = 24
    rectangle: float = 0.9
    side_reach: float = 0.04
    side_sigma: float = 0.025
    side_pull: float = 0.1
    side_contrast: float = 3.0
    no_edge: float = 0.5
    agree: float = 0.8
    foreign: float = 0.005
    strange: float = 0.8
    burnt: int = 250
    fine_sigma: float = 1.5
    coarse_sigma: float = 3.0
    rim: float = 0.02
    edge_noise: float = 4.0
    edge_least: float = 1.5
    edges_least: int = 30
