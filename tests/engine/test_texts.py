"""The text forms: rolls, plays, positions, steps and transcripts, as the box writes them and as people do."""

from __future__ import annotations

from time import process_time

import pytest

from engine import (
    MOST_PLAYERS,
    BadText,
    Game,
    Play,
    Rolled,
    Stop,
    Variants,
    parse_play,
    parse_position,
    parse_roll,
    parse_transcript,
    play_text,
    transcript,
)
from engine.variants import WHO_CAN_PLAY

WRITTEN = """\
Can't Stop
players: yellow, green
columns to win: 3
variants: fast start
begins: yellow

turn 1: yellow
  3-3-5-6  8+9
  1-4-5-5  -> 1-4-5-6  6+10: 6
  stop
turn 2: green
  1-3-3-5  4+8
  set 3+fast 6:1,8:1,9:1/- 2 4:1,7:1,8:1 1-1-3-3
  -> 1-1-1-1  bust
turn 3: yellow
  1-1-1-1
result: unfinished
"""

HEADER = ["Can't Stop", "players: a, b", "columns to win: 3", "begins: a"]


def game_of(*lines: str) -> Game:
    """Read a game of a and b from the lines after the header."""
    return parse_transcript("\n".join([*HEADER, *lines]))


# --- rolls and plays


def test_rolls_and_plays_are_read_as_people_write_them():
    for text in ("1-3-5-6", "6531", "6 3 1 5", "1,3,5,6", " 5, 1, 6, 3 "):
        assert parse_roll(text) == (1, 3, 5, 6)
    for text in ("6+9", "9+6", " 6 + 9 ", "6+9: 9 6"):
        assert parse_play(text, ()) == Play((6, 9), (6, 9))
    assert parse_play("6+10: 6", ()) == Play((6, 10), (6,))
    assert parse_play("10+6:10", ()) == Play((6, 10), (10,))
    assert parse_play("3+3: 3", ()) == Play((3, 3), (3,))


def test_a_pairing_alone_is_enough_only_if_it_leaves_no_choice():
    assert parse_play("6+10", (Play((6, 10), (10,)), Play((7, 9), (7, 9)))) == Play((6, 10), (10,))
    with pytest.raises(BadText, match=r"leaves a choice: write 6\+10: 6 or 6\+10: 10"):
        parse_play("6+10", (Play((6, 10), (6,)), Play((6, 10), (10,))))


def test_a_play_names_its_columns_only_if_they_are_not_the_two_sums():
    assert play_text(Play((6, 9), (6, 9))) == "6+9"
    assert play_text(Play((3, 3), (3, 3))) == "3+3"
    assert play_text(Play((3, 3), (3,))) == "3+3: 3"
    assert play_text(Play((6, 10), (10,))) == "6+10: 10"


# --- transcripts


def test_a_transcript_that_was_read_is_written_unchanged():
    assert transcript(parse_transcript(WRITTEN)) == WRITTEN


def test_a_transcript_keeps_players_variants_colours_and_levels():
    coloured = Game.new(["Zoë", "green"], colours=["yellow", "green"], levels=["", "strongest"])
    unknown = Game.new(["a", "b"], levels=["person", "someone's own bot"])
    three = Game.new(["a", "b", "c"], Variants.of(4, ["fast start strict", "leap"]), begins=2)
    for game in (coloured, unknown, three, Game.new(["a", "b"]).do(Rolled((6, 1, 5, 3)))):
        assert parse_transcript(transcript(game)) == game
    assert coloured.level == ""
    assert coloured.do(Rolled((3, 3, 5, 6))).do(Play((8, 9), (8, 9))).do(Stop()).level == "strongest"
    assert unknown.levels == ("", "someone's own bot")


def test_colours_equal_to_names_and_levels_of_people_are_left_out():
    game = Game.new(["a", "b"], colours=["a", "b"], levels=["", ""])
    assert game == Game.new(["a", "b"])
    assert transcript(game) == transcript(Game.new(["a", "b"]))


def test_people_may_leave_out_turn_lines_indents_and_the_result():
    assert game_of("3-3-5-6 8+9", "stop", "3344 7+7") == game_of(
        "", "turn 1: a", "    3-3-5-6   8+9", "    stop", "turn 2: b", "  3-3-4-4 7+7", "", "result: unfinished"
    )
    won = ["set 3 2:3,12:3/- 1 7:13 -", "stop"]
    assert game_of(*won) == game_of(*won, "result: a wins")
    assert transcript(game_of(*won)).endswith("  stop\nresult: a wins\n")


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85", "\r"])
def test_only_a_line_feed_ends_a_line_so_a_comment_cannot_hide_a_step(character):
    shown = ["3-3-5-6 8+9", f"# we went on{character}stop"]
    assert game_of(*shown).steps == game_of(shown[0]).steps


@pytest.mark.parametrize("character", ["\u2028", "\x0b", "\x0c", "\x1b", "\u200b", "\xa0", "\ud800"])
def test_an_invisible_character_is_refused_with_its_code_and_line(character):
    for line in (f"stop{character}", f"3-3-5-6{character}8+9"):
        with pytest.raises(BadText, match=rf"^line 6: .* U\+{ord(character):04X}: delete it$"):
            game_of("3-3-5-6 8+9", line)


def test_the_first_error_is_reported_whatever_follows():
    with pytest.raises(BadText, match=r"^line 5: 'jump' is not a roll"):
        game_of("jump", "stop\x1b")


LONG = "9" * 900_000


@pytest.mark.parametrize(
    "lines",
    [
        [HEADER[0], f"players: {'a,' * 450_000}a", *HEADER[2:]],
        [*HEADER[:2], f"colours: {LONG}, a", *HEADER[2:]],
        [*HEADER[:2], f"columns to win: {LONG}", HEADER[3]],
        [*HEADER[:3], f"variants: {LONG}", HEADER[3]],
        [*HEADER[:3], f"begins: {LONG}"],
        [*HEADER, LONG],
        [*HEADER, f"result: {LONG}"],
        [*HEADER, f"1-3-5-6 {LONG}"],
        [*HEADER, f"1-3-5-6 6+9:{' ' * 900_000}x"],
        [*HEADER, "->" * 450_000],
        [*HEADER, f"set 3 -/- 1 - {LONG}"],
    ],
)
def test_a_huge_line_is_refused_quickly_and_not_repeated_in_full(lines):
    began = process_time()
    with pytest.raises(BadText) as caught:
        parse_transcript("\n".join(lines))
    assert len(str(caught.value)) < 300
    assert process_time() - began < 5  # a hundred times what it takes


@pytest.mark.parametrize("between", ["", "\n"])
def test_reading_time_grows_linearly_with_corrections(between):
    def seconds(corrections: int) -> float:
        text = "\n".join([*HEADER, "3-3-4-4"]) + f"{between}->3-3-4-4" * corrections
        times = []
        for _ in range(4):  # the shortest is the one that other programs have disturbed least
            began = process_time()
            assert len(parse_transcript(text).steps) == corrections + 1
            times.append(process_time() - began)
        return min(times)

    # Eight times as many take eight times as long, and would take 64 times if each looked at all those before.
    assert seconds(4_000) < 20 * max(seconds(500), 0.002)


def test_people_may_add_comments_and_number_turns_as_they_like():
    game = game_of("# our first game", "turn 9: a", "3-3-5-6 8+9  # cautious", "turn: a", "stop # at last")
    assert game.steps == (Rolled((3, 3, 5, 6)), Play((8, 9), (8, 9)), Stop())


def test_people_may_write_a_roll_and_its_play_in_many_ways():
    ways = (["6 3 5 3  9+8"], ["3356 8 + 9"], ["1-1-1-1->3-3-5-6 8+9"], ["1-1-1-1", "-> 2222 -> 3356", "9+8: 9 8"])
    assert {game_of(*lines).position for lines in ways} == {parse_position("3 -/- 1 8:1,9:1 -")}


@pytest.mark.parametrize(
    ("lines", "number", "reason"),
    [
        ([], 1, "the text ends where the title should be"),
        (["Ludo"], 1, "a transcript begins with \"Can't Stop\", not 'Ludo'"),
        ([HEADER[0], *HEADER[2:]], 2, "here should be 'players: …'"),
        ([HEADER[0], f"players: {', '.join('abcdefgh'[: MOST_PLAYERS + 1])}", *HEADER[2:]], 2, WHO_CAN_PLAY),
        ([*HEADER[:2], "colours: red", *HEADER[2:]], 3, "2 players need as many colours, not 1"),
        (["# ours", HEADER[0], "", HEADER[1], "", "colours: red", *HEADER[2:]], 6, "2 players need as many colours"),
        ([*HEADER[:2], "colours: red, ", *HEADER[2:]], 3, "a colour cannot be called ''"),
        ([*HEADER[:2], "colours: red, red", *HEADER[2:]], 3, "players need different colours: 'red, red'"),
        ([*HEADER[:2], "colours: c, d", "played by: x", *HEADER[2:]], 4, "2 players need as many levels, not 1"),
        ([*HEADER[:2], "played by: person, ", *HEADER[2:]], 3, "a player without a level: write 'person' for one"),
        ([HEADER[0], "players: a, b, a", *HEADER[2:]], 2, "players need different names"),
        ([*HEADER[:2], "columns to win: many", HEADER[3]], 3, "'many' is not a number of columns"),
        ([*HEADER[:3], "variants: jump", HEADER[3]], 4, "unknown variant 'jump'"),
        ([*HEADER[:3], "begins: c"], 4, "'c' is not one of the players 'a, b'"),
        ([*HEADER, "", "turn 1: b"], 6, "it is a's turn, not that of 'b'"),
        ([*HEADER, "jump"], 5, "'jump' is not a roll, 'stop', 'set …'"),
        ([*HEADER, "Turn 1: a"], 5, "'Turn 1: a' is not a roll, 'stop', 'set …'"),
        ([*HEADER, "stop"], 5, "nothing has been rolled this turn yet"),
        ([*HEADER, "1-3-5-6-6 6+9"], 5, "'1-3-5-6-6' is not a roll: write four dice of 1 to 6"),
        ([*HEADER, "\u0661-\u0663-\u0665-\u0666  6+9"], 5, "'\u0661-\u0663-\u0665-\u0666' is not a roll"),
        ([*HEADER, "turn \u0661: a"], 5, "'turn \u0661: a' is not a roll"),
        ([*HEADER, "3-3-5-6\r8+9"], 5, "U+000D"),
        ([*HEADER, "1-3-5-6  jump"], 5, "'jump' is not a play"),
        ([*HEADER, "1-3-5-6  5+10"], 5, "1-3-5-6 does not make 5+10"),
        ([*HEADER, "1-3-5-6  bust"], 5, "no bust: 4+11, 6+9, 7+8 can be used"),
        ([*HEADER, "1-3-5-6", "1-3-5-6"], 6, "use that roll first"),
        ([*HEADER, "1-3-5-6  6+9 -> 1-3-5-5"], 5, "is not a roll"),
        ([*HEADER, "result: a wins"], 5, "the result is 'unfinished', not 'a wins'"),
        ([*HEADER, "result: unfinished", "1-3-5-6"], 6, "nothing comes after the result"),
        ([*HEADER, "set 3 2:3,7:13,12:3/- 1 - -", "1-3-5-6"], 6, "the game is over"),
        ([*HEADER, "set 3 2:3,7:13,12:3/- 1 - -", "turn 2: b"], 6, "the game is over: a has won"),
    ],
)
def test_a_bad_transcript_is_refused_with_the_line_and_the_reason(lines, number, reason):
    with pytest.raises(BadText, match=rf"^line {number}: ") as caught:
        parse_transcript("\n".join(lines))
    assert caught.value.line == number
    assert reason in str(caught.value)
