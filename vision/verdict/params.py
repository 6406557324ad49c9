"""The thresholds of the verdict."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictParams:
    """Thresholds of the verdict; lengths are in half sides of a die's top face.

    Attributes:
        sure: Probability of a die's value among the six from which it holds; 0.99 to 0.9995.
        flawed: Probability of showing no value from which a die is refused; 0.6 to 0.9.
        emblem: Probability of an emblem from which a die is refused; 0.1 to 0.3.
        die: Score of the finder from which a place is a die, unless "nothing" speaks against it; 0.3 to 0.5.
        contrary: Score from which a place that shows a value surely is a die; 0.6 to 0.9.
        unlike: Probability of "nothing" below which a place of a lower score is a die; 0.02 to 0.2.
        surplus: Probability of "nothing" from which a surplus place without a value is dropped; 0.01 to 0.1.
        reach: Distance from the picture's edge that a top face's middle needs, half sides; 0.9 to 1.4.
        beyond: The same distance where a die leans by more than `askew`; 1.3 to 1.8.
        askew: Lean from which what is seen near the picture's edge may be a side; 0.2 to 0.35.
        strange: Probability from which a cell is foreign; 0.5 to 0.95.
        foreign: Part of the picture that something foreign may cover within the tray; 0.002 to 0.01.
        outline: Change of colour along its outline below which it is a bare surface, L*a*b* units per pixel; 2 to 4.
        plainly: Part of it from which no outline is needed and no second look is taken; 0.12 to 0.3.
        inside: Probability of "inside of the tray" that a die needs; 0.3 to 0.6.
        lean_weight: Log odds of leaning for each standard deviation that a die's edges point off the vertical; 3 to 6.
        lean_doubt: Log odds of leaning up to which a die counts as flat; 4 to 6.
        lone_lean_doubt: The same for one die or two, of which no two others show the vertical; 2 to 4.
        far_pips: How much fainter and lower than the rest pips of a 5 may be (`vision.verdict.see_through`); 1 to 2.
        seventh_pip: Likeness to its pips from which a mark near the middle of a 6 is a seventh one; 0.6 to 0.9.
        widest: Width of a die's top face from which the camera is too near, as a part of the picture's; 0.35 to 0.5.
        dark: Level that the brightest parts of the picture or of its dice must reach, 0 to 255; 90 to 100.
    """

    sure: float = 0.999
    flawed: float = 0.9
    emblem: float = 0.15
    die: float = 0.4
    contrary: float = 0.8
    unlike: float = 0.05
    surplus: float = 0.02
    reach: float = 1.0
    beyond: float = 1.6
    askew: float = 0.25
    strange: float = 0.85
    foreign: float = 0.004
    outline: float = 2.5
    plainly: float = 0.15
    inside: float = 0.4
    lean_weight: float = 4.0
    lean_doubt: float = 4.5
    lone_lean_doubt: float = 2.5
    far_pips: float = 1.25
    seventh_pip: float = 0.7
    widest: float = 0.4
    dark: float = 95.0
