"""Settings: defaults, values as people write them, parts, and error messages that list the allowed values."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.rules.settings import Setting, Settings, default_settings, flat_settings, read_settings, text


def setting(**fields: Any) -> Setting:
    return Setting.model_validate({"rule": "T-1", "summary": "", **fields})


SETTINGS = {
    "square": setting(default="full", values=["full", "half"]),
    "pins": setting(default=True, values=[True, False]),
    "diagonal": setting(default=1.5, values=[1.5, 1]),
    "stack": setting(default=4, at_least=1, at_most=12),
    "binding": setting(default=["rout", "retreat"], values=[["rout", "retreat"], ["rout"]]),
    "share": setting(default="off", values=["off"], at_least=0.05, at_most=1.0),
    "figures": setting(
        parts={"foot": setting(default=4, at_least=1, at_most=12), "horse": setting(default=2, at_least=1, at_most=12)}
    ),
}


def read(**given: Any) -> dict[str, Any]:
    return read_settings(SETTINGS, given, "toy")


def test_every_single_switch_has_its_full_name_and_default() -> None:
    assert [name for name, _ in flat_settings(SETTINGS)] == [
        "square", "pins", "diagonal", "stack", "binding", "share", "figures.foot", "figures.horse",
    ]  # fmt: skip
    assert read() == default_settings(SETTINGS) == {
        "square": "full", "pins": True, "diagonal": 1.5, "stack": 4, "binding": ["rout", "retreat"], "share": "off",
        "figures.foot": 4, "figures.horse": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("square", "half", "half"), ("square", " Half ", "half"), ("pins", "false", False), ("pins", False, False),
        ("diagonal", "1", 1), ("diagonal", "1.5", 1.5), ("stack", "1", 1), ("stack", 12, 12), ("share", "0.05", 0.05),
        ("share", "1", 1), ("share", "off", "off"), ("figures.horse", "3", 3),
        ("binding", "rout", ["rout"]), ("binding", "Rout, retreat", ["rout", "retreat"]), ("binding", ["rout"], ["rout"]),
    ],
)  # fmt: skip
def test_setting_values_are_parsed_from_text(name: str, written: Any, value: Any) -> None:
    found = read_settings(SETTINGS, {name: written}, "toy")[name]
    assert found == value and type(found) is type(value)


def test_parts_may_be_given_in_one_text_or_list() -> None:
    for written in ("5,3", [5, 3]):
        assert {name: value for name, value in read(figures=written).items() if "." in name} == {
            "figures.foot": 5,
            "figures.horse": 3,
        }


@pytest.mark.parametrize(
    ("name", "written", "message"),
    [
        ("square", "quarter", "setting square cannot be 'quarter'; it takes full, half (T-1)"),
        ("pins", "yes", "setting pins cannot be 'yes'; it takes true, false (T-1)"),
        ("pins", 1, "setting pins cannot be '1'"),
        ("stack", 0, "setting stack cannot be '0'; it takes 1 to 12 (T-1)"),
        ("stack", 13, "setting stack cannot be '13'"),
        ("stack", "4.5", "setting stack cannot be '4.5'"),
        ("stack", True, "setting stack cannot be 'true'"),
        ("share", "0.04", "setting share cannot be '0.04'; it takes off, 0.05 to 1.0 (T-1)"),
        ("share", "nan", "setting share cannot be 'nan'"),
        ("share", "on", "setting share cannot be 'on'"),
        ("figures", "5", "setting figures takes 2 values (foot, horse), as in figures=4,2"),
        ("figures", 5, "setting figures takes 2 values (foot, horse), as in figures=4,2"),
        ("figures", None, "setting figures takes 2 values"),
        ("figures", {"foot": 4}, "setting figures takes 2 values"),
        ("binding", [1, [True]], "setting binding cannot be '1 true'; it takes rout retreat, rout (T-1)"),
        ("figures", "5,13", "setting figures.horse cannot be '13'"),
        ("sqare", "half", "there is no setting of toy called 'sqare'; did you mean 'square'?"),
        ("figures.camel", "2", "there is no part of the setting figures called 'camel'; known: foot, horse"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_it_takes(name: str, written: Any, message: str) -> None:
    with pytest.raises(ZarebaError) as caught:
        read_settings(SETTINGS, {name: written}, "toy")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("written", ["", "half,full", "\x00", "9" * 5000])
def test_nonsense_settings_are_refused_without_a_traceback(written: str) -> None:
    for name in ("square", "stack", "figures"):
        with pytest.raises(ZarebaError):
            read_settings(SETTINGS, {name: written}, "toy")


def test_settings_are_attributes() -> None:
    found = Settings(read(share=0.1))
    assert (found.square, found.pins, found.diagonal, found.stack, found.share) == ("full", True, 1.5, 4, 0.1)
    assert found.binding == ("rout", "retreat")
    assert (found.figures_foot, found.figures_horse) == (4, 2)
    assert found.figures == {"foot": 4, "horse": 2}, "a setting with parts is also available as a whole"
    assert Settings({"figures.foot": True, "figures.horse": False}).figures == ("foot",)


def test_settings_are_immutable() -> None:
    found = Settings(read())
    with pytest.raises(AttributeError, match="setting stack cannot be changed"):
        found.stack = 3
    other = found.with_changes(stack=3)
    assert (other.stack, other.figures, found.stack) == (3, found.figures, 4)
    assert other != found and other.with_changes(stack=4) == found == deepcopy(found)


def test_a_list_with_unknown_values_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ZarebaError, match="setting binding cannot be 'halt'; it takes rout retreat, rout"):
        read(binding="halt")


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(AttributeError, match="stacks"):
        print(Settings(read()).stacks)


TEXT = Setting(rule="H-1", summary="the name of the club", default="ours")
WORDS = Setting(rule="H-1", summary="who stays at home", default=["lancers"])
SOME = Setting(rule="H-1", summary="arms", default=[], values=["foot", "horse", "guns"])


@pytest.mark.parametrize(
    ("setting", "written", "value"),
    [
        (TEXT, "The Sudan Club", "The Sudan Club"),
        (TEXT, "12", "12"),
        (TEXT, "", ""),
        (WORDS, "lancers, young bulls", ["lancers", "young bulls"]),
        (WORDS, "a b", ["a", "b"]),
        (WORDS, "", []),
        (WORDS, ("a", "b"), ["a", "b"]),
        (SOME, "horse,foot", ["horse", "foot"]),
    ],
)
def test_settings_may_be_text_and_lists(setting: Setting, written: Any, value: Any) -> None:
    assert setting.admits(setting.default)
    assert read_settings({"x": setting}, {"x": written}, "club") == {"x": value}
    assert read_settings({"x": setting}, {"x": text(value)}, "club") == {"x": value}


@pytest.mark.parametrize(
    ("setting", "written", "takes"),
    [
        (TEXT, "x" * 201, "any text of one line, up to 200 characters"),
        (TEXT, "two\nlines", "any text"),
        (TEXT, 3, "any text"),
        (WORDS, ["a", "a"], "a list of up to 50 words"),
        (WORDS, ["a", 3], "a list"),
        (SOME, "camels", "a list of foot, horse, guns, each once"),
    ],
)
def test_setting_values_other_than_text_or_list_are_rejected(setting: Setting, written: Any, takes: str) -> None:
    with pytest.raises(ZarebaError, match=f"(?s)setting x cannot be .*it takes {takes}"):
        read_settings({"x": setting}, {"x": written}, "club")
