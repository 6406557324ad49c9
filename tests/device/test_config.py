from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli import main
from device.config import (
    Config,
    ConfigError,
    OledConfig,
    load,
    parse,
    short_problem,
    usable_oled_settings,
)
from device.config_file import Setting, rows
from device.referee.inputs import Button
from device.screens.views import failure
from tests.device.helpers import overflows
from tests.every import every

TABLE = list(rows(Config))


REMEDY = "write each setting once, as name = value, a text in quotes and a switch as true or false"


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "config.toml")
    return caught.value.problems


@pytest.fixture(autouse=True)
def no_file_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.delenv("CANTSTOP_CONFIG", raising=False)
    monkeypatch.setattr("device.config.FILE", tmp_path / "etc" / "config.toml")


def values_of(row: Setting) -> st.SearchStrategy:
    """Values that a row allows."""
    if row.choices:
        return st.sampled_from(row.choices)
    if row.kind is bool:
        return st.booleans()
    if row.kind is int:
        return st.integers(*row.limits)
    if row.kind is float:
        return st.floats(*row.limits)
    return st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@st.composite
def configs(draw):
    """A configuration in which any one setting has any of its values."""
    row = draw(st.sampled_from(TABLE))
    section = replace(getattr(Config(), row.section), **{row.name: draw(values_of(row))})
    return replace(Config(), **{row.section: section})


def test_an_empty_or_complete_file_of_defaults_gives_the_defaults():
    assert parse("") == parse(Config().as_toml()) == Config()


@given(configs())
def test_a_written_file_reads_back_as_the_same_settings_or_reports_a_conflict(config):
    try:
        read_back = parse(config.as_toml())
    except ConfigError as error:
        problems_told = error.problems
    else:
        problems_told = []
        assert read_back == config
    clashes = ("on pin", "longer than", "only phones", "is not an IP address")
    assert all(any(clash in problem for clash in clashes) for problem in problems_told)


@every(row=TABLE)
def test_the_written_file_has_every_setting_with_its_meaning_range_and_default(row):
    text = Config().as_toml()
    assert row.meaning in re.sub(r"\n# ", " ", text)
    assert re.search(rf"^{row.name} = {re.escape(row.written(row.default))}$", text, re.MULTILINE)
    assert row.meaning.endswith(".")
    assert row.problem(row.default) == ""
    assert row.kind not in (int, float) or row.choices or row.limits is not None


@given(st.sampled_from([row for row in TABLE if row.limits is not None]), st.booleans(), st.integers(1, 10**9))
def test_a_number_out_of_its_range_is_refused_with_the_range(row, is_low, beyond):
    low, high = row.limits
    value = low - beyond if is_low else high + beyond
    (problem,) = problems(f"# a comment\n[{row.section}]\n\n{row.name} = {value!r}\n")
    assert problem.startswith(f"config.toml: [{row.section}] {row.name} cannot be ")
    assert problem.endswith(f"allowed: {row.allowed()}")


@every(
    row=TABLE,
    value=['"x"', "true", "1.5", "3", "[1]", "{a = 1}", "1979-05-27", "nan", "inf", "-inf"],
)
def test_a_value_of_another_type_is_refused_unless_the_type_accepts_it(row, value):
    text = f"[{row.section}]\n{row.name} = {value}\n"
    kind = type(tomllib.loads(text)[row.section][row.name])
    if kind is row.kind or (row.kind is float and kind is int):
        return
    (problem,) = problems(text)
    assert problem.startswith(f"config.toml: [{row.section}] {row.name} must be ")


TOLD = {  # "…" stands for words of Python's own
    "[buttons]\nhold_s = nan": ": [buttons] hold_s cannot be nan; allowed: 0.3 to 3.0 s, default 0.8",
    "[oled]\ntype = 'sh1106'\ncontrats = 3": ": [oled] has no setting contrats; did you mean contrast?",
    "[buzzer]\nmelody = 3": ": [buzzer] has no setting melody; choose from enabled, pin",
    "\n[lamb]\npin = 3": ": there is no section [lamb]; did you mean [lamp]?",
    "oled = 3": ": oled is a section; write [oled] on a line of its own",
    "[oled]\n\nrotation = 90": ": [oled] rotation cannot be 90; allowed: 0 or 180 degrees, default 0",
    "oled.bus = 1\n\noled.bus2 = 3": ": [oled] has no setting bus2; did you mean bus?",
    '[lamp]\n[oled]\n"b\\u0075s" = -1': ": [oled] bus cannot be -1; allowed: 0 to 22, default 1",
    "[oled]\naddress = 60.5": (
        ": [oled] address must be a whole number, not 60.5; allowed: 0x08 to 0x77, default 0x3C"
    ),
    "[oled]\noff_after_s = 30": ": [oled] off_after_s (30 s) must be longer than dim_after_s (60 s)",
    "[oled]\ntype = sh1106": f", line 2: …; {REMEDY}",
    "[oled]\nbus = 1\n\nbus = 3\n": f", line 4: …; {REMEDY}",
    "\n\n[oled": f", end of document: …; {REMEDY}",
    "[oled]\nbus = 0x" + "F" * 5000: ": [oled] bus cannot be a number that large; allowed: 0 to 22, default 1",
    "oled = " + "[" * 50_000: f": …; {REMEDY}",
    "[oled]\nbus = " + "9" * 5000: f": …; {REMEDY}",
}  # fmt: skip


@every(text=TOLD)
def test_a_fault_is_reported_in_one_short_line_with_the_remedy(text):
    (problem,) = problems(text)
    begins, _, ends = f"config.toml{TOLD[text]}".partition("…")
    assert problem == begins or (ends and problem.startswith(begins) and problem.endswith(ends))
    assert len(problem) < 250


def test_all_problems_are_reported_at_once_in_the_order_of_the_file():
    assert problems("[buttons]\na = 13\nb = 99\n[oled]\nbus = -1") == [
        "config.toml: [buttons] b cannot be 99; allowed: 2 to 27 (BCM number), default 6",
        "config.toml: [oled] bus cannot be -1; allowed: 0 to 22, default 1",
    ]


def test_a_button_on_the_oleds_pins_is_a_conflict_unless_the_oled_uses_another_bus():
    assert problems("[buttons]\na = 2") == [
        "config.toml: [buttons] a is on pin 2, which I2C needs for the OLED; choose another pin"
    ]
    assert parse("[oled]\nbus = 3\n[buttons]\na = 2").buttons.pins[Button.A] == 2


@pytest.mark.parametrize("part", ["lamp", "buzzer"])
def test_a_lamp_or_buzzer_on_a_buttons_pin_is_a_conflict_only_if_it_is_enabled(part, tmp_path, capsys):
    file = tmp_path / "config.toml"
    file.write_text(f"[{part}]\npin = 13\nenabled = true")
    assert main(["config", "check", str(file)]) == 1
    assert capsys.readouterr().err == (
        f"cantstop config: {file}: [{part}] pin is on pin 13, and so is [buttons] c; each needs its own pin, "
        f"or set [{part}] enabled = false\n"
    )
    file.write_text(f"[{part}]\npin = 13\nenabled = false")
    assert main(["config", "check", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: fine\n"


@pytest.mark.parametrize("text", ["[buttons]\na = 99\nb = 5", "buttons = 3\n[lamp]\nenabled = true\npin = 5"])
def test_an_invalid_setting_causes_no_conflict(text):
    (problem,) = problems(text)
    assert "on pin" not in problem


def test_a_named_file_must_exist(tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match=r"none\.toml: there is no such file; .* cantstop config show"):
        load(tmp_path / "none.toml")
    monkeypatch.setenv("CANTSTOP_CONFIG", str(tmp_path / "other.toml"))
    with pytest.raises(ConfigError, match=r"other\.toml: there is no such file"):
        load()


def test_an_argument_overrides_the_file_named_in_the_environment(tmp_path, monkeypatch):
    (tmp_path / "one.toml").write_bytes(b"\xef\xbb\xbf[oled]\nbus = 7")  # with a byte order mark
    (tmp_path / "other.toml").write_text("[oled]\nbus = 8")
    monkeypatch.setenv("CANTSTOP_CONFIG", str(tmp_path / "one.toml"))
    assert load().oled.bus == 7
    assert load(tmp_path / "other.toml").oled.bus == 8


PARTS = [b"[", b"]", b"{", b"}", b'"', b"'", b"=", b".", b",", b"\n", b"#", b"\\u", b"0x", b"9" * 5000, b"yes", b"nan"]
PARTS += [part.encode() for row in TABLE for part in (row.name, f"[{row.section}]\n", f"{row.name} = ")]


@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.lists(st.sampled_from(PARTS) | st.binary(max_size=3), max_size=30).map(b"".join)
)
def test_any_file_leads_to_settings_or_to_an_error_that_names_it(tmp_path_factory, content):
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(content)
    try:
        load(file)
    except ConfigError as error:
        told = error.problems
    else:
        told = [str(file)]
    assert told
    assert all(str(file) in problem for problem in told)


def test_an_error_is_shown_on_the_display_described_by_the_valid_part_of_the_file():
    with pytest.raises(ConfigError) as caught:
        parse('[oled]\ntype = "sh1106"\naddress = 0x3D\nbus = "one"\n[buttons]\na = 99', "/etc/cantstop/config.toml")
    assert usable_oled_settings(caught.value) == OledConfig(type="sh1106", address=0x3D)
    screen = failure(short_problem(caught.value))
    assert screen.text[0].startswith("config.toml: ")
    assert overflows(screen) == []


def test_config_check_without_a_file_says_that_the_defaults_apply(capsys):
    assert load() == Config()
    assert main(["config", "check"]) == 0
    assert "the defaults apply" in capsys.readouterr().out


def test_config_show_completes_a_file_and_keeps_its_values(tmp_path, capsys):
    file = tmp_path / "config.toml"
    file.write_text('[oled]\ntype = "sh1106"')
    assert main(["config", "show", str(file)]) == 0
    assert parse(capsys.readouterr().out) == Config(oled=OledConfig(type="sh1106"))
    assert main(["config", "show", "--defaults", str(file)]) == 0
    assert parse(capsys.readouterr().out) == Config()
