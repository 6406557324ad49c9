"""Every tunable of the reader, in one place: unit, range and why it has its value."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from vision.tray.calibration import Calibration
from vision.tray.empty import EmptyTray


@dataclass(frozen=True, slots=True)
class FinderParams:
    """Stage 1, `vision.stages.finding`.

    Attributes:
        pixels: Size of the picture that the network is shown, width x height, 160 x 120 to 640 x 480.
        closer: Factor on the side of that for a look from closer, 1.4 to 2: the third, which of 59 readable scenes that
            two looks refused reads 16 with 1.75, 12 with 1.4, and of 235 spoilt ones none and one; and the first
        small: at dice of less than this half side in pixels of the usual look, 3 to 6. With 5.5 as many of 289 scenes
            with small dice are read, but of 333 photographs of many dice 11 fewer: it sees dice on figured cloth.
        farther: Factor on the side of that for a second look, 0.4 to 0.8,
        large: at dice of more than this half side in pixels of the first look, 20 to 28: the network was fitted to
            dice of 4 to 28.
        least: Least score of a place that is looked at, 0.02 to 0.3.
        surely: From this probability of "inside of the tray" on a cell is surely of the tray, 0.5 to 0.8,
        neck: what joins two parts of it is cut if it is narrower than twice so many cells and one, 1 to 4,
        edge: and cells no farther than this from what is surely tray can be tray, 2 to 4. Of 40 dice on the table
            beside or on the rim that seemed inside 23 are apart so, of 3,200 dice in the tray none; with 0.35, 0 and
            any way off 16 of 40.
        stretch: How far colours are set apart for the second look, 0 to 1: see `colour_axes.stretched`. Of 1,600
            readable scenes 1 refused 7 as covered and 12 for their number of dice, 0.5 8 and 13, 0 11 and 13, with
            weights that had not learned it.
        apart: Two places nearer than this, in halves of the larger, are one die, 0.8 to 1.5. Dice that touch are 2
            halves apart; on dice of 45 pixels half side the network has second peaks up to 0.8 halves off.
    """

    pixels: int = 320 * 240
    closer: float = 1.75
    small: float = 4.5
    farther: float = 0.6
    large: float = 24.0
    least: float = 0.2
    surely: float = 0.7
    neck: int = 2
    edge: int = 3
    stretch: float = 1.0
    apart: float = 1.1


@dataclass(frozen=True, slots=True)
class UprightParams:
    """How the camera stands, `pose`: what is likely before anything is seen, and how far dice are trusted.

    Attributes:
        die_off: How far off the way is that uprights point at one die, beside level edges of the same length, 0.05 to
            0.3: deviation. A die that is farther off what all say weighs less.
        tilt_off: Sine of the usual tilt of a camera, 0.05 to 0.3: deviation in each direction.
        width: The picture's usual width, as a tangent: 1.2 for a horizontal field of view of 62 degrees,
        width_off: and its deviation, 0.1 to 1. With 0.35, and 0.15 for `tilt_off`, half of 1,240 random scenes were
            within 3.0 degrees of the camera's tilt, with these within 2.7.
        rounds: So often the weights of dice that are off are found anew, 1 to 10.
        after: After so many looks, one of `ValueParams.rounds`, other uprights are tried, by
        looks: so many in the dice's own colours, 1 to 4,
        leaning: where a die seems to lean with this probability, 0.3 to 0.8,
        several: and so many do at once, 2 or 3. Tried after two looks reading took 17 % longer in the mean, so 2 to 6,
            and as much was read.
        most: But not where there are more dice than this, 4 to 8, as each of them takes as long again.
        off: How far off the vertical may have been told, deviation of `up`, 0.05 to 0.2,
        steps: and how far off others are tried one after another, each in eight directions. In 6 of 54 path-traced
            pictures, where shadows are unlike those learned, it is off by 0.15 to 0.21. With this one of the 54 more is
            read; of 1,400 own scenes neither more nor fewer, and of 220 spoilt ones.
    """

    die_off: float = 0.12
    tilt_off: float = 0.3
    width: float = 1.25
    width_off: float = 0.8
    rounds: int = 4
    after: int = 10
    looks: int = 2
    leaning: float = 0.5
    several: int = 2
    most: int = 6
    off: float = 0.1
    steps: tuple[float, ...] = (0.2, 0.1)


class Marks(Enum):
    """Which of the small marks on a die stay when the others are painted over.

    Attributes:
        DARK: Those darker than what is round them,
        LIGHT: those lighter,
        DULL: or all that are not nearly white.
    """

    DARK = "dark"
    LIGHT = "light"
    DULL = "dull"


class Look(NamedTuple):
    """How a crop of a die is taken.

    Attributes:
        turn_deg: Turned by so many degrees,
        is_mirrored: mirrored or not,
        zoom: and zoomed by this factor.
        axis: In grey, along this axis of the top face's colours (`colour_axes`), 0 or 1; None for its own colours.
        marks: With marks of one kind alone, all others painted over; None for all that is there.
    """

    turn_deg: float
    is_mirrored: bool
    zoom: float
    axis: int | None = None
    marks: Marks | None = None


@dataclass(frozen=True, slots=True)
class ValueParams:
    """Stage 2, `vision.stages.values`.

    Attributes:
        looks: How each die is looked at. The network was fitted to turns of 15 degrees at most, most often, and to
            zooms of 0.8 to 1.25; the first look is in the die's own colours.
        rounds: Each die is looked at once, those that leave a doubt until it was so often, and so on: rising, up to
            len(looks). One look along each axis tells more than five in the die's colours: of 1,500 scenes and 400 with
            a mirrored lamp 1,418 and 307 were read rightly with 2, 6, 10 and 16 looks, the first six in the die's
            colours, 1,420 and 306 with the axes after two looks, 1,421 and 310 with them after one; 8 of the 400
            wrongly each time. Since what is left is asked of the second witness, 1,443 and 305 are with 16 looks, 1,446
            and 304 with 10, 1,440 and 303 with 6; 7 wrongly.
        plain: A die leaves a doubt if its likeliest value has less than this probability among the six, 0.999 to 1:
            neither is it looked at on, nor asked of the second witness, nor by its marks or middle pip. Of those scenes
            1,445 and 310 are read rightly with 0.9999, 1,443 and 305 with this; 9 and 7 of the 400 wrongly.
        whole: or if it has less than this probability to show a value at all, 0.5 to 1,
        hopeless: but more than this, 0 to 0.05: else it is refused anyhow, or none. With 0 all looks together take
            five quarters of the time, and as much is read.
        leaning: A face that seems to lean at the first look with this probability is looked at on however surely it
            does, 0.3 to 0.8: that look goes by where the finder saw it, and a face seen from far off the axis that is
            cut a little off its middle is no square. Of the path-traced scenes in thirteen colourings 637 of 702 are
            read with it, 633 without, and of 1,500 own ones one more; of those to be refused neither more nor fewer.
        there: A face is looked at where the first look saw it if that holds it likelier than this to be one at all,
            0.2 to 0.8.
        sharper: The power to which the six values' chances are raised where a die surely shows one, 1 to 2. Of 1,972
            dice of 500 scenes the logarithm of what was held likely of the true values adds up to -3.7 with 1, -2.2
            with 1.4, -1.6 with 2; of 1,522 in photographs to -12.4, -7.7, -5.8; of 3,152 dice of which some show no
            pips to -35.9, -37.1, -45. None of the wrong ones was held likelier than 0.93 before.
        blunter: And where it surely shows none, 0 to 1; in between it is in proportion. Of 1,200 scenes one was read
            wrongly with the same power everywhere: blue specks on a pale 1, a value with 0.45, and that a 3 at 0.9994.
        trust: And the power for what is seen along an axis, where that surely shows a value, 0.5 to 1.5; less as the
            square of how surely. Of 252 dice that left a doubt, 86 of them in 1,600 readable scenes, 91 have their
            value at 0.995 and more with 0, 118 with 1, 126 with 1.5; none a wrong one, nor at 0.98. Of
            1,000 scenes and of 400 with a mirrored lamp the weights here read 961 and 308 rightly with 1, 968 and 313
            with 1.25, 970 and 319 with 1.5, two of the 400 wrongly with each; but with 1.5 a value is sure at 0.999
            that looks in the die's colours and those along their axes, each at 0.99, tell otherwise.
    """

    looks: tuple[Look, ...] = (
        Look(0.0, False, 1.0),
        Look(0.0, False, 1.0, 0),
        Look(0.0, False, 1.0, 1),
        Look(0.0, True, 1.1),
        Look(0.0, True, 1.1, 0),
        Look(0.0, True, 1.1, 1),
        Look(7.0, False, 1.15),
        Look(-7.0, True, 1.05),
        Look(-7.0, False, 1.2),
        Look(7.0, True, 1.12),
    )
    rounds: tuple[int, ...] = (2, 3, 6, 10)
    plain: float = 0.99999
    whole: float = 0.8
    hopeless: float = 0.02
    leaning: float = 0.5
    there: float = 0.5
    sharper: float = 1.5
    blunter: float = 0.35
    trust: float = 1.25


@dataclass(frozen=True, slots=True)
class LatticeParams:
    """The second witness, `vision.stages.second_opinion`, and the lattices that pips lie on, `vision.stages.pip_grid`.

    Of 1,500 dice of readable scenes that the looks are sure of, pips' places and radii were measured by the best
    lattice of the true value; deviations here are wider, for dice that nobody drew.

    Attributes:
        worth: What the part of a pattern that colours do not tell counts for: see `second_opinion`, 2 to 4,
        usual: logarithm of how much more often each value, 1 to 6, is the right one than its pattern alone tells,
        trust: and the power to which what the looks hold likely is raised beside it, 0.4 to 1. Fitted to 1,209 dice
            that the looks left in doubt, most of refused scenes. Of those, 456 rightly and 10 wrongly had a value at
            0.999 by the looks alone, 738 and 3 have one with these; with 1 for the power 827 and 7.
        shown: It is asked about a die in doubt that shows a value with this probability at least, 0.4 to 0.8.
        certain: And about one that left no doubt, up to this probability, 0.999999 to 1. That holds
        enough: if colours tell so much of its pattern, 0.6 to 0.8,
        contrary: or if no other value but 1 is likelier by this logarithm, 2 to 5. Of 5,848 such dice of 1,500 scenes
            none is refused for it; of ten that were sure and wrong, in 25,000 scenes, five.
        plainer: A value is plain if colours tell `enough` of its pattern, and it is likelier than all others by more
            than this logarithm, 1.5 to 4. An odd-looking die whose value is plain needs no look from closer.
        distinct: A die's pips are so plain that little else counts if so much of its value's pattern is told, 0.85 to
            0.97,
        distinct_plainer: and the value is so much likelier than others, 3 to 6: it bears no emblem then, and neither an
            odd middle pip nor what it shows by some marks counts against its value. Of 168 emblems that were refused as
            such none is taken for pips, of 59 readable scenes that were refused for one 8 are read. Of 68 dice that the
            rest spoke against in 64 others, all read rightly, 38 hold; of eight with a lamp's image the one read
            wrongly does not.
        centre_off: How far the lattice's middle is off the face's, in half sides, 0.05 to 0.12: deviation in each
            direction.
        width: How far the outer pips are off the lattice's middle, in half sides, 0.42 to 0.52,
        width_off: and its deviation, 0.05 to 0.12.
        oblong: How much closer the rows of a 6 are than the pips of a row, in half sides, 0.03 to 0.08: deviation.
        radius: A pip's radius, in half sides, 0.12 to 0.2,
        radius_off: and its deviation, 0.04 to 0.15;
        radius_of_1: that of a 1, 0.15 to 0.25,
        radius_of_1_off: and its deviation, 0.04 to 0.15.
        smallest: No pip has a smaller radius, 0.05 to 0.1,
        largest: nor a larger one, 0.4 to 0.6.
        turn_off_deg: How far the lattice is turned from the face's edges, 3 to 8 degrees: deviation
        plainly: where they tell that so surely or surer, 0.25 to 0.5; the more the less surely.
        misled: Other edges may have been taken for the face's: no turn is less likely than this logarithm, 3 to 8.
        edged: Where edges tell less than this, lattices of all turns are looked for, 0.1 to 0.3.
        beaten: Values so much less likely than another at first are not looked at more closely, 3 to 8.
    """

    worth: float = 2.9
    usual: tuple[float, ...] = (0.2, -0.33, 0.11, -1.0, -0.3, -0.8)
    trust: float = 0.8
    shown: float = 0.5
    certain: float = 0.9999999
    enough: float = 0.7
    contrary: float = 3.0
    plainer: float = 2.0
    distinct: float = 0.9
    distinct_plainer: float = 4.0
    centre_off: float = 0.08
    width: float = 0.47
    width_off: float = 0.09
    oblong: float = 0.045
    radius: float = 0.155
    radius_off: float = 0.1
    radius_of_1: float = 0.2
    radius_of_1_off: float = 0.054
    smallest: float = 0.07
    largest: float = 0.5
    turn_off_deg: float = 5.4
    plainly: float = 0.35
    misled: float = 5.0
    edged: float = 0.2
    beaten: float = 3.5


@dataclass(frozen=True, slots=True)
class KnownTrayParams:
    """`vision.tray.known`, where the empty tray is known.

    Attributes:
        levels: By so many grey levels a cell of the empty tray may differ, 2 to 8: noise,
        part: or by this part of its own level, 0.03 to 0.1: light that has changed unevenly.
        least: Part of the picture that must look as it did, 0.2 to 0.6: else all may have changed.
        whole: A place of which so much looks as the empty tray is no die, unless it shows a value, 0.7 to 0.95. Of 153
            readable scenes that were refused, 29 are read with each of four settings of `part` and `whole`.
        shown: What shows a value with this probability is never taken for the tray, 0.5 to 0.9.
        cut: The tray's edge counts where the picture cuts the tray along no more than so much of its own four edges in
            all, 0.8 to 1.5: of a floor that fills the picture shadows and stripes are taken for edges. Of 4,500 clean
            scenes 16 were refused for such an edge, 11 of them are read with this; of 400 with a die beside the tray or
            on its rim 38 are read where no edge counts, 2 where each does, 10 with this.
    """

    levels: float = 4.0
    part: float = 0.06
    least: float = 0.4
    whole: float = 0.8
    shown: float = 0.6
    cut: float = 1.0


@dataclass(frozen=True, slots=True)
class NewThingParams:
    """`vision.tray.new_things`, where the empty tray is known.

    The figures are of 98 scenes with a hand or a thing that are read without it, 1,456 readable ones, 490 trays that
    were last seen empty with the lamp dimmed or in another one's light, 245 seen by a camera that was pushed since by
    4 to 10 % of the tray, and 297 in a warm lamp's and a cold sky's light or the other way round. 78 of the 98 are told
    so, of the others none, 4, 42 and none.

    Attributes:
        beside: So far from a die's middle, in half sides, the floor may look otherwise for it, 2.2 to 3: its sides, and
            what it mirrors,
        sides: and from here on what is darker there is its shadow, 1.7 to 2.2.
        dark: Added to grey levels before they are divided, 10 to 30, so that noise in the dark is no change.
        tint: A cell is of something new if one of its colours is off what light can make of it by this part of the
            brightest, 0.06 to 0.1,
        noise: and by so many times what floor is in the median, 6 to 8,
        figured: and by this part of what the empty tray itself varies round it, 0.15 to 0.5.
        shadows: Where all colours are darker, or all lighter, it must be off by more than so many hundredths of the
            cells that the dice's shadows darken, 50 to 90. Without it five of the 297 have something new.
        brighter: Or if it has become brighter by this part, 0.15 to 0.25,
        whitest: and is brighter than so many hundredths of the floor were, 95 to 99,
        whiter: times this, 1 to 1.2: where a shadow lay when the tray was last seen empty is no thing. Without these
            two 79 of the 98 are told, and 16 of the 490.
        least: So many cells in one piece are a thing, as a part of the picture, 0.0005 to 0.002: five of 4,800.
        known: Part of the tray's floor beside the dice that must look as it did, or be something new, 0.75 to 0.9: else
            it is another light, or the camera was moved. With 0.9 13 of the pushed ones have something new, and 65 of
            the 98.
    """

    beside: float = 2.8
    sides: float = 1.9
    dark: float = 20.0
    tint: float = 0.08
    noise: float = 7.0
    figured: float = 0.25
    shadows: float = 80.0
    brighter: float = 0.2
    whitest: float = 98.0
    whiter: float = 1.1
    least: float = 0.001
    known: float = 0.8


@dataclass(frozen=True, slots=True)
class VerdictParams:
    """Stage 3, `vision.verdict.judge`.

    Attributes:
        sure: Least probability of each die's value, among the six values, 0.99 to 0.9995. Of 9,592 readings of 10,000
            random scenes with 0.997 three were wrong, at 0.9983, 0.9985 and 0.9991; 0.999 refuses 56 of them, two of
            the wrong ones, 0.9992 refuses 82, all three. Of 9,585 of 10,000 others, with weights before, 0.999 refuses
            85 and none of four wrong ones; of the path-traced scenes and of photographs with four dice none.
        sure_if_distinct: The same for a value whose pips are very plain to the second witness (`distinct` in
            `LatticeParams`), 0.97 to 0.999. Of 718 dice of 41,000 scenes that are less sure than `sure`, 102 of them
            of another value, 64 are so plain, none of another one; of these 43 are at 0.99 and more.
        flawed: Most probability that a die shows no value: that it leans, is smeared, covered or the like, 0.6 to 0.9.
            The network was shown one leaning die to nine flat ones; where one in a hundred leans, 0.9 of its answer is
            an even chance. Of 500 readable scenes 0.8 refuses none more, 0.6 one; of 805 spoilt ones 0.8
            refuses 4 more, 0.6 nine. Of path-traced scenes in thirteen colourings, 702 readable ones, 0.8 refuses 14
            more, whose dice all lie flat, and of 598 spoilt ones none more.
        lean: What shows no value with more than `blank` is refused as well if its own uprights point farther than this
            off the vertical, 0.1 to 0.2. Of 200 scenes with a cocked die two were read wrongly without: a side face
            taken for the top, at 0.65 and 0.82 with 0.28 and 0.17. Of 215 such scenes 9 fewer are read; of 1,700
            readable ones none is refused, of 1,600 others two; the farthest in a path-traced one is 0.15.
        crooked: A reading with a die whose own uprights point farther than this off the vertical, or that shows no
            value with more than `blank`, holds only if a look from closer reads the same, 0.15 to 0.3. Of 1,600
            readable scenes one was read wrongly without: a 1, off whose middle the die had been found, and a side pip
            of the die it touched, taken for a 2, at 0.23. Of 1,566 other readings two are refused for it, and 4 of 63
            of spoilt scenes, one of them a wrong one: the side of a die that leans, at 0.71.
            Refused at once, or looked at again, where the finder's score is below `clear` as well: it has not found the
            die's middle. Of 10,000 scenes one was read wrongly without: the top 1 and a pip of the side 4 taken for a
            2, at 0.28, also from closer; the second look reads it rightly. Of 1,600 others none is lost.
            A look from closer takes three times as long, and often sees another number of dice: it is not needed where
            the second witness finds the die's value plain,
        aslant: and its uprights point no farther off than this, 0.25 to 0.4: sides have plain pips too. Of 1,350 scenes
            that were refused 36 are read for it, none of them wrongly, and of 690 spoilt ones none more.
        emblem: Most probability that a die bears an emblem, 0.1 to 0.3. Of 220 spoilt scenes one was read wrongly
            without: an emblem on a 2, taken for a 1, at 0.75. Of 180 scenes with one three were read with 0.5, at 0.16
            to 0.22; of 1,700 readable ones four are refused for it, of 413 photographs none.
        marred: Most probability that a die is smeared, covered or in glare, 0.4 to 0.7. With this for emblems as well,
            of 3,504 readable scenes that are read four are refused, at 0.79 to 0.9; in all others it is below 0.33.
        lost: Of the dice of the first look those that show no value with less than this probability must be among the
            dice of the second look, 0.3 to 0.8.
        die: Score of the finder from which a place is a die, unless
        nothing: the values' network finds nothing there with this probability.
        contrary: A place of this score of which the other says "nothing" makes the picture unsure, 0.6 to 0.9: where
            two pale dice touch, the finder may see one between them. Of 500 readable scenes 0.7 refuses one more, and
            of 785 spoilt ones none more.
        unlike: A place of a lower score is a die if "nothing" has less than this probability, 0.02 to 0.2. Of 500
            readable scenes 0.1 refuses 2 more, 0.2 refuses 4 more, and of 785 spoilt ones 0.1 none more.
        surplus: Where there are more places than dice, one that shows no value is no die if "nothing" has more than
            this probability, 0.01 to 0.1, or its score is below `die`, so that the number of dice is right: a letter, a
            knot in wood. Of 171 real dice that lean, have an emblem or glare on them 0.02 takes one for none, and of
            80 readable scenes that were refused 9 are read.
        blank: Least probability to show no value for that and for `lean`, 0.4 to 0.8.
        odd_one: So is one that shows none with more than this, up to `blank`, 0.2 to 0.4, if its score is below `clear`
            and all the others show a value but for
        unspoilt: less than this, 0.05 to 0.2: a washer, a round mark on the table. Of 5,000 readable scenes three more
            are read for it, and of 800 with another number of dice none more.
        size_ratio: How much a die may differ from the others in size once perspective is undone, as a ratio, 1.8 to
            2.2: dice of 12 and 19 mm make 1.6, on the tray's floor. Of 500 readable scenes the largest is 1.87, and
            2.3 with perspective, which refused two of them. Where there are more places than dice, one that differs by
            more from their median is no die: of 5,000 readable scenes two more are read, of 800 with another number of
            dice none more.
        reach: From the middle of a top face to where its die must still be in the picture, in half sides, 0.9 to 1.4.
            Of 500 readable scenes 1 refuses none and 1.1 three.
        near: And so far, 1.1 to 1.5, where the finder's score is below
        clear: this, 0.5 to 0.7: a side that is seen of a die whose top face is cut off can look like a top face. One
            was read as a 1, at 1.02 half sides from the edge, with a score of 0.43; of 500 readable scenes 20 have a
            die within 1.3, with scores of 0.72 and more.
        beyond: And so far, 1.3 to 1.8, where its own uprights point farther off the vertical than
        askew: this, 0.2 to 0.35, as those of a side face do. In one of 150 films a die that a push of the camera had
            cut off was read by its side, 1.17 half sides from the edge, at 0.47 to 0.51; of 303 dice within 1.6 in
            1,554 readings the farthest was 0.2.
        strange: Probability from which a cell of the map is foreign, 0.5 to 0.95. Hands weigh five times as much as
            the rest when the network is fitted, so that 0.83 of its answer is an even chance. Of 500 readable scenes
            0.85 refuses 4 fewer than 0.8, and of 165 spoilt ones one.
        foreign: Part of the picture that something foreign may cover within the tray, 0.001 to 0.02. Of 800 readable
            scenes 0.002 refuses 5 more than 0.008, and of 440 spoilt ones none more.
        plainly: What covers more than this part of it is there, and no second look is taken, 0.12 to 0.3. Of 500
            readable scenes the most that seemed covered was 0.1; of 115 with a hand 51 have more than 0.15.
        inside: Least probability, at a die's place, of "inside of the tray".
        beside: What lies outside of the tray and shows no value with this probability is no die but a thing on the
            table, 0.4 to 0.8, where the number of dice is told: if it was one of them, one is missing.
        dark: Level, 0 to 255, that the brightest parts of the picture or of its dice must reach, 90 to 100. Seven
            labelled dark scenes: 57 to 92, lit ones 135 and more; of 80 drawn too dark 79 below 95, of 1,600 readable
            ones all at 95 and more.
    """

    sure: float = 0.999
    sure_if_distinct: float = 0.99
    flawed: float = 0.9
    lean: float = 0.155
    crooked: float = 0.2
    aslant: float = 0.3
    emblem: float = 0.15
    marred: float = 0.5
    lost: float = 0.5
    die: float = 0.4
    nothing: float = 0.5
    contrary: float = 0.8
    unlike: float = 0.05
    surplus: float = 0.02
    blank: float = 0.5
    odd_one: float = 0.25
    unspoilt: float = 0.1
    size_ratio: float = 2.0
    reach: float = 1.0
    near: float = 1.3
    clear: float = 0.6
    beyond: float = 1.6
    askew: float = 0.25
    strange: float = 0.85
    foreign: float = 0.008
    plainly: float = 0.15
    inside: float = 0.4
    beside: float = 0.5
    dark: float = 95.0


@dataclass(frozen=True, slots=True)
class MarksParams:
    """Whether a value is shown by pips alone, `vision.verdict.painted_over`.

    Of 500 pictures of one shiny die under a lamp 8 were read wrongly without this and 3 with it, and of 487 readings of
    four dice it refused one. By dark and light marks four of 800 dice that left a doubt are refused, in 4,600 scenes.

    Attributes:
        dark: How a die is looked at with its dark marks alone,
        light: with its light ones,
        dull: and with all that are not nearly white: at first once, and more only if that shows another value.
        part: Nearly white marks are no lamps if they cover more than this part of the face, 0.15 to 0.4,
        pale: or if others reach this level in blue, green and red, 180 to 225.
        least: A picture counts if with this probability it shows a value at all, 0.05 to 0.4.
        other: What is read does not hold if it shows another value with more than this probability among the six,
            0.8 to 0.98,
        same: unless dark or light marks alone show what was read with more than this, 0.8 to 0.95.
    """

    dark: tuple[Look, ...] = (Look(0.0, False, 1.0, marks=Marks.DARK), Look(0.0, True, 1.1, marks=Marks.DARK))
    light: tuple[Look, ...] = (Look(0.0, False, 1.0, marks=Marks.LIGHT), Look(0.0, True, 1.1, marks=Marks.LIGHT))
    dull: tuple[Look, ...] = (Look(0.0, False, 1.0, marks=Marks.DULL), Look(0.0, True, 1.1, marks=Marks.DULL))
    part: float = 0.25
    pale: int = 215
    least: float = 0.1
    other: float = 0.95
    same: float = 0.9


@dataclass(frozen=True, slots=True)
class MiddleParams:
    """Whether the middle of a face is as its value says, `middle_pip`: `contrast` to `apart` are for 3s and 5s.

    With `trust` 1.5, of 1,377 right readings in which it is asked 17 are refused for it, and five of eight wrong ones,
    with mirrored lamps. Before, with 0.1 for `alike` four of 963 readings were refused and none of 393 photographs,
    with 0.2 five and one.

    Attributes:
        contrast: The others must differ from the body by so much, in grey levels of 255 over blue, green and red, 10
            to 60,
        alike: and from one another by no more than this part of that, 0.1 to 0.4: else they were not found.
        apart: And the middle from them by no more than this part, 0.3 to 0.8.
        burnt: The middle of a 2 or a 4 may hide a pip if it reaches this level in blue, green and red, 240 to 250,
        beside: and differs from the body by more than this in their mean, 20 to 40 grey levels. Of 150 scenes with
            glare 17 were read, 7 of them wrongly, 3s taken for 2s and 5s for 4s; now 12 and 2, whose bodies are burnt
            out too. Of 1,700 others two are refused for it, of 413 photographs one, of 400 with a mirrored lamp 10.
        pale: Unless this level, 225 to 245, is reached
        about: by so much of the circle on which the other pips lie, 0.3 to 0.5: those show in it, so would one in the
            middle;
        unlike: if none of them is so many grey levels lighter than another, 40 to 60: glare may hide one then. Of 46
            readable 2s and 4s that were refused for the rest 25 are read, of 12 3s and 5s that glare makes 2s and
            4s of none; without `unlike` one.
        reached: Or unless it reaches so much of what is round two pips at least, 0.3 to 0.5,
        dark_pip: and none of these is lighter than this in the mean of blue, green and red, 140 to 200. Of 26 readable
            2s and 4s that were refused for the rest, of 25,000 scenes and 200 with a mirrored lamp, 14 are read, of 19
            3s and 5s that glare makes 2s and 4s of none, with 210 neither.
        other: The middle of one that left a doubt may hide a pip if it differs by more than this, 10 to 20 grey levels,
        whiter: and if the least of its blue, green and red is so much above the body's, 40 to 80: a lamp's image. Of
            250 such dice at 0.99 and more nine were wrong, five of them for it, of those right 12 are refused.
        bare: A 1 has no pip in its middle if nothing there differs from the body by so much in the mean of blue, green
            and red, 6 to 11 grey levels. Of 180 scenes with an emblem on a die two were read with one taken for a 1, at
            8.3 and 8.6; the palest pip of 1,444 others is 11.8 off.
        disc: The middle of a 2 or a 4 may bear a worn pip if a disc of a pip's size tells the colours there so well,
            0.5 to 0.75 (the multiple correlation),
        left: and if it is off what is round it by so much of what the other pips are off the body, 0.06 to 0.2,
        kind: in the same direction of colour (the cosine between both, 0.8 to 0.95). Chosen on 1,944 3s and 5s with a
            fifth to a third of the middle pip's paint that were read as 2s and 4s, of which 1,760 are refused for it,
            193 that the renderer drew with a tenth to a half (111), 1,225 2s and 4s (3), and 5,000 readable scenes: 13
            are refused for it, 36 with 0.55 for `disc`.
        marked: A 6 has a mark in its middle if a disc of a pip's size tells the colours there so well, 0.8 to 0.9. Of
            1,319 6s read rightly the likeliest is at 0.78, of 78 in scenes with a mirrored lamp two are above 0.85; a
            1 that was read as a 6, for the nine panes of a window that it mirrors, is at 0.94.
    """

    contrast: float = 40.0
    alike: float = 0.1
    apart: float = 0.4
    burnt: float = 245.0
    beside: float = 30.0
    pale: float = 225.0
    about: float = 0.4
    unlike: float = 50.0
    reached: float = 0.4
    dark_pip: float = 165.0
    other: float = 14.0
    whiter: float = 50.0
    bare: float = 10.0
    disc: float = 0.65
    left: float = 0.1
    kind: float = 0.9
    marked: float = 0.85


@dataclass(frozen=True, slots=True)
class Params:
    """All tunables of `vision.reader.read`.

    Attributes:
        dice: How many dice there must be; None for any number.
        calibration: What `cantstop calibrate` has learnt of this tray; None if nothing: reading works without.
        empty: The tray as it was last seen empty; None: as the calibration keeps it, if it does.
        finder: Stage 1.
        upright: How the camera stands, by what stage 1 sees.
        values: Stage 2,
        lattice: and its second witness.
        tray: What the empty tray tells, where it is known,
        new: and what is new in it.
        verdict: Stage 3.
        marks: The last word on values: whether pips alone show them,
        middle: and whether a middle pip is one.
    """

    dice: int | None = 4
    calibration: Calibration | None = None
    empty: EmptyTray | None = None
    finder: FinderParams = field(default_factory=FinderParams)
    upright: UprightParams = field(default_factory=UprightParams)
    values: ValueParams = field(default_factory=ValueParams)
    lattice: LatticeParams = field(default_factory=LatticeParams)
    tray: KnownTrayParams = field(default_factory=KnownTrayParams)
    new: NewThingParams = field(default_factory=NewThingParams)
    verdict: VerdictParams = field(default_factory=VerdictParams)
    marks: MarksParams = field(default_factory=MarksParams)
    middle: MiddleParams = field(default_factory=MiddleParams)
