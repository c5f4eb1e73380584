"""Reading YAML: plain values with positions, every limit at its boundary, and error messages instead of tracebacks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from zareba.base import yamlfile
from zareba.base.errors import FileError
from zareba.base.yamlfile import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_KEY,
    MAX_NAME,
    MAX_NUMBER,
    MAX_TEXT,
    Id,
    Name,
    YamlModel,
    parse_yaml,
    read_yaml,
)


def faults(text: str) -> list[str]:
    """Return the problems found in a text as `line:column: path: message`."""
    with pytest.raises(FileError) as caught:
        parse_yaml(text, "f")
    return [str(problem).removeprefix("f:") for problem in caught.value.problems]


def test_values_are_plain_python_objects() -> None:
    text = """\
whole: 12
signed: -3
decimal: 1.5
power: 1e3
octal_looking: 010
yes_is_text: yes
time_is_text: 12:30
range_is_text: 2-4
quoted: "12"
empty:
truth: true
list: [1, [a, null]]
block: |
  two
  lines
map: {1: one, 2-4: more, 5+: most}
"""
    data = parse_yaml(text, "f").data
    assert data == {
        "whole": 12,
        "signed": -3,
        "decimal": 1.5,
        "power": 1000.0,
        "octal_looking": 10,
        "yes_is_text": "yes",
        "time_is_text": "12:30",
        "range_is_text": "2-4",
        "quoted": "12",
        "empty": None,
        "truth": True,
        "list": [1, ["a", None]],
        "block": "two\nlines\n",
        "map": {"1": "one", "2-4": "more", "5+": "most"},
    }
    assert _types_in(data) <= {dict, list, str, int, float, bool, type(None)}


def _types_in(value: Any) -> set[type]:
    found = {type(value)}
    if isinstance(value, dict):
        for key, entry in value.items():
            found |= {type(key)} | _types_in(entry)
    elif isinstance(value, list):
        for entry in value:
            found |= _types_in(entry)
    return found


def test_every_part_has_a_line_and_a_column() -> None:
    document = parse_yaml("a: 1\nb:\n  c: [x, y]\n  d:\n    - {e: 2}\n", "f")
    assert document.place(()) == (1, 1)
    assert document.place(("b",)) == (2, 1)
    assert document.place(("b", "c")) == (3, 3)
    assert document.place(("b", "c", 1)) == (3, 10)
    assert document.place(("b", "d", 0, "e")) == (5, 8)
    assert document.place(("b", "d", 0, "missing", 3)) == (5, 7), "the nearest parent"
    assert str(document.error(("b", "c", 1), "wrong")) == "f:3:10: b.c.1: wrong"


@pytest.mark.parametrize(
    ("at_limit", "beyond", "message"),
    [
        ("a: 1\n#" + "x" * (MAX_BYTES - 6), "a: 1\n#" + "x" * (MAX_BYTES - 5), "longer than 1,048,576 bytes"),
        (
            "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1),
            "a: " + "[" * MAX_DEPTH,
            "deeper than 32 levels",
        ),
        ("k" * MAX_KEY + ": 1", "k" * (MAX_KEY + 1) + ": 1", "a key of 65 characters; shorten it to 64"),
        (
            "a: " + "x" * MAX_TEXT,
            "a: " + "x" * (MAX_TEXT + 1),
            "text of 2001 characters; shorten it to 2,000",
        ),
        (f"a: {MAX_NUMBER}", f"a: {MAX_NUMBER + 1}", "the number '1000001' is too large"),
        (f"a: -{MAX_NUMBER}", f"a: -{MAX_NUMBER + 1}", "the number '-1000001' is too large"),
        ("a: 999999.5", "a: 1000000.5", "the number '1000000.5' is too large"),
    ],
    ids=["bytes", "depth", "key", "text", "number", "negative", "decimal"],
)
def test_values_at_their_limits_are_accepted(at_limit: str, beyond: str, message: str) -> None:
    assert parse_yaml(at_limit, "f").data
    assert message in faults(beyond)[0]


def test_limit_of_values_and_keys_holds_at_its_border(monkeypatch: pytest.MonkeyPatch) -> None:
    assert yamlfile.MAX_NODES == 100_000  # so many take seconds to read
    monkeypatch.setattr(yamlfile, "MAX_NODES", 1_000)
    assert parse_yaml("a: [" + "1," * 997 + "]", "f").data
    assert "more than 1,000 values and keys" in faults("a: [" + "1," * 998 + "]")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: expected a mapping of keys to values; write 'key: value' lines"),
        ("just words", "1:1: expected a mapping of keys to values; write 'key: value' lines"),
        ("- a\n- b", "1:1: expected a mapping of keys to values; write 'key: value' lines"),
        ("a: 1\nb: 2\na: 3", "3:1: the key 'a' is already in line 1; keep one"),
        ("1: x\n'1': y", "2:1: the key '1' is already in line 1; keep one"),
        ("a: &x 1", "1:4: a: the anchor '&x' is not supported; remove it"),
        ("a: *x", "1:4: a: the alias '*x' is not supported; write the value out"),
        (
            "a: !!python/object/apply:os.system [ls]",
            "1:4: a: the tag 'tag:yaml.org,2002:python/object/apply:os",
        ),
        ("a: !secret x", "1:4: a: the tag '!secret' is not supported; remove it"),
        ("<<: {a: 1}", "1:1: the merge key '<<' is not supported; write the values out"),
        ("? [a, b]\n: 1", "1:3: a key must be text; write 'key: value'"),
        ("'': 1", "1:1: a key is empty; name it"),
        (": 1", "1:1: a key is empty; name it"),
        ("a: .inf", "1:4: a: '.inf' is not a finite number; write one"),
        ("a: -.INF", "1:4: a: '-.INF' is not a finite number"),
        ("a: .nan", "1:4: a: '.nan' is not a finite number"),
        ("a: 1e999", "1:4: a: the number '1e999' is too large"),
        ("a: " + "9" * 1500, "1:4: a: the number '99999999"),
        ("a: 1\nb: \x07", "2:4: the control character U+0007 is not allowed; remove it"),
        ("a: fusi\u200bliers", "1:8: the invisible character U+200B is not allowed; remove it"),
        ("fusi\u00adliers: 1", "1:5: the invisible character U+00AD is not allowed; remove it"),
        ('a: "x\\u2060y"', "1:4: a: the invisible character U+2060 is not allowed; remove it"),
        ('"a\\U000E0041": 1', "1:1: the invisible character U+E0041 is not allowed; remove it"),
        ("a: x\ufe0f", "1:5: the invisible character U+FE0F is not allowed; remove it"),
        ("a: 1\nb: x\u202ey", "2:5: the control character U+202E is not allowed; remove it"),
        ('a: "x\\e[2J"', "1:4: a: the control character U+001B is not allowed; remove it"),
        ('"a\\0": 1', "1:1: the control character U+0000 is not allowed; remove it"),
        ("%YAML 1.1\n---\na: 1", "2:1: '%' directives are not supported; remove the line"),
        ("a: 1\n---\nb: 2", "2:1: a second document begins here; keep one document per file"),
        ("a:\n\tb: 1", "2:1: a: this is not YAML (found character '\\t'"),
        ("a: b: c", "1:5: this is not YAML (mapping values are not allowed here); check the indentation"),
        (
            "a: [1, 2",
            "1:9: a.2: this is not YAML (expected ',' or ']', but got '<stream end>'); close the br",
        ),
        ("a: {b: 1", "1:9: a: this is not YAML (expected ',' or '}', but got '<stream end>'); close the br"),
        ("a: 'open", "1:9: a: this is not YAML (found unexpected end of stream); close the quotation mark"),
        ("a: 1\n b: 2", "2:3: this is not YAML (mapping values are not allowed here); check the inden"),
        ("a:\n  - 1\n b: 2", "3:2: this is not YAML (expected <block end>, but found"),
        (
            "a: @x",
            "1:4: a: this is not YAML (found character '@' that cannot start any token); correct it here or in the line above",
        ),
    ],
)
def test_faults_are_reported_with_place_and_remedy(text: str, expected: str) -> None:
    assert faults(text)[0].startswith(expected)


@pytest.mark.parametrize(
    ("text", "place", "space"),
    [
        ("a: 1\nb:\xa0x\nc: 2", "2:3", "no-break space U+00A0"),
        ("a: 1\nb:\xa0x", "2:3", "no-break space U+00A0"),
        ("b:\xa0x", "1:3", "no-break space U+00A0"),
        ("b\xa0: x", "1:1", "no-break space U+00A0"),
        ("a:\n  b:\u202f1\n  c: 2\nd: 3", "2:5", "no-break space U+202F"),
        ("a:\n\xa0 b: 1\nc: 2", "2:1", "no-break space U+00A0"),
        ("a:\n  - 1\n  -\xa02\n  - 3", "3:4", "no-break space U+00A0"),
        ("a: {b:\xa01, c: 2}", "1:5", "no-break space U+00A0"),
        ("a:\u3000\n  b: 1", "1:3", "space U+3000"),
    ],
)
def test_a_space_that_yaml_takes_for_a_letter_is_reported_at_its_line(text: str, place: str, space: str) -> None:
    told = faults(text)[0]
    assert told.startswith(f"{place}: ")
    assert told.endswith(f"the {space} is used where YAML needs a plain space; type a space")


def test_another_syntax_error_is_not_blamed_on_a_space() -> None:
    assert faults("b: |\n  Le but:\xa0tenir\na: [1\n")[0].startswith("4:1: a.1: this is not YAML")


def test_other_spaces_may_stand_in_text() -> None:
    text = "a: Fort\xa0Herat\nb: |\n  Le but:\xa0tenir\n  - 1\nc: 'but:\u202ftenir'\nd: but:\xa0tenir"
    assert parse_yaml(text, "f").data["b"] == "Le but:\xa0tenir\n- 1\n"


@pytest.mark.parametrize("text", ["\ufeffa: 1\n", "\ufeffa: 1\r\nb: 2\r\n"])
def test_a_byte_order_mark_and_other_line_ends_are_read_over(text: str) -> None:
    assert parse_yaml(text, "f").data["a"] == 1


def test_a_byte_order_mark_within_a_file_is_refused() -> None:
    assert faults("a: 1\n\ufeffb: 2\n") == ["2:1: the invisible character U+FEFF is not allowed; remove it"]


def test_joiners_are_read_where_a_script_is_spelt_with_them() -> None:
    text = "a: شمشیر\u200cزنان\nb: क्\u200dष  # تفنگ\u200cها\n"
    assert parse_yaml(text, "f").data == {"a": "شمشیر\u200cزنان", "b": "क्\u200dष"}
    assert faults("a: fusi\u200cliers") == ["1:8: the invisible character U+200C is not allowed; remove it"]


def test_all_faults_of_a_file_are_reported_at_once() -> None:
    found = faults("a: 1\na: 2\nb: &x 1\nc: *x\nd: !t y\ne: .inf\nf: [1\n")
    assert [fault.split(":")[0] for fault in found] == ["2", "3", "4", "5", "6", "8"]


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 50_000, "- " * 50_000, "? " * 50_000, "a: &x " * 9_000])
def test_hostile_nesting_is_refused_early(text: str) -> None:
    assert faults(text)


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes("\ufeffname: Ü\n".encode())
    assert read_yaml(path).data == {"name": "Ü"}
    assert read_yaml(str(path)).file == str(path)


def test_unreadable_files_are_rejected(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"a: 1\nb: \xe4\n")
    big = tmp_path / "big.yaml"
    big.write_bytes(b"#" * (MAX_BYTES + 1))
    for path, message in (
        (tmp_path / "absent.yaml", ":1:1: there is no such file; check the path"),
        (tmp_path, ":1:1: this is not a file; name a YAML file"),
        (latin, ":2:4: this byte is not UTF-8 text; save the file as UTF-8"),
        (big, ":1:1: the file is longer than 1,048,576 bytes (1 MiB); split it"),
    ):
        with pytest.raises(FileError) as caught:
            read_yaml(path)
        assert str(caught.value) == f"{path}{message}"


class Gun(YamlModel):
    name: Name
    kind: Literal["field", "siege"]
    crew: int = Field(default=4, ge=1, le=12)
    at: tuple[float, float] | None = None
    horse_drawn: bool = False


class Circle(YamlModel):
    shape: Literal["circle"]
    radius: float


class Box(YamlModel):
    shape: Literal["box"]
    width: float


class Park(YamlModel):
    title: Name
    guns: dict[Id, Gun] = Field(default_factory=dict, max_length=4)
    limit: int | str = 3
    shape: Annotated[Circle | Box, Field(discriminator="shape")] | None = None


def misfits(text: str) -> list[str]:
    with pytest.raises(FileError) as caught:
        parse_yaml(text, "f").validate(Park)
    return [str(problem).removeprefix("f:") for problem in caught.value.problems]


def test_a_model_is_filled_without_converting_values() -> None:
    park = parse_yaml("title: T\nguns: {a: {name: A, kind: siege, at: [1, 2.5]}}\nlimit: '3'", "f").validate(Park)
    assert park.guns["a"] == Gun(name="A", kind="siege", at=(1.0, 2.5))
    assert park.limit == "3"


GUN = "title: T\nguns:\n  a:\n    name: A\n    kind: field\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", "1:1: title: this field is missing; add it"),
        ("guns: {a: {}}\ntitle: T", "1:8: guns.a.kind: this field is missing; add it"),
        ("titel: T\ntitle: T", "1:1: titel: unknown field; did you mean 'title'?"),
        (f"{GUN}    crw: 3", "6:5: guns.a.crw: unknown field; did you mean 'crew'?"),
        (f"{GUN}    zzz: 3", "6:5: guns.a.zzz: unknown field; known: name, kind, crew, at, horse_drawn"),
        (
            "title: T\nguns: {a: {name: A, kind: feild}}",
            "2:21: guns.a.kind: 'feild' is not known here; did you",
        ),
        ("title: T\nguns: {a: {name: A, kind: 3}}", "2:21: guns.a.kind: expected 'field' or 'siege', got 3"),
        (f"{GUN}    crew: '4'", "6:5: guns.a.crew: expected a whole number, got '4'"),
        (f"{GUN}    crew: 4.5", "6:5: guns.a.crew: expected a whole number, got 4.5"),
        (f"{GUN}    crew: true", "6:5: guns.a.crew: expected a whole number, got true"),
        (f"{GUN}    crew: 0", "6:5: guns.a.crew: must be at least 1, got 0"),
        (f"{GUN}    crew: 13", "6:5: guns.a.crew: must be at most 12, got 13"),
        (f"{GUN}    at: [1, x]", "6:13: guns.a.at.1: expected a number, got 'x'"),
        (f"{GUN}    at: [1]", "6:5: guns.a.at.1: this field is missing; add it"),
        (f"{GUN}    at: 3", "6:5: guns.a.at: expected a list, got 3"),
        (f"{GUN}    horse_drawn: yes", "6:5: guns.a.horse_drawn: expected true or false, got 'yes'"),
        ("title: 3", "1:1: title: expected text, got 3"),
        ("title: ''", "1:1: title: the text is empty; write something"),
        *[
            (f"title: '{blank}'", "1:1: title: the text is blank; write something")
            for blank in (" ", "\u3000\xa0", "\u2800")
        ],
        ('title: "a\\nb"', "1:1: title: expected text on one line, got 'a\\nb'"),
        ("title: " + "x" * (MAX_NAME + 1), "1:1: title: text of 81 characters; shorten it to 80"),
        (
            "title: T\nguns: {Big Gun: {name: A, kind: field}}",
            "2:8: guns.Big Gun: expected an id of lower-case",
        ),
        ("title: T\nguns: 3", "2:1: guns: expected a mapping, got 3"),
        ("title: T\nguns: {a: [1]}", "2:8: guns.a: expected a mapping, got [1]"),
        ("title: T\nlimit: 1.5", "2:1: limit: expected a whole number or text, got 1.5"),
        ("title: T\nshape: {width: 1}", "2:1: shape: the field 'shape' is missing; add it"),
        ("title: T\nshape: {shape: bx}", "2:9: shape.shape: 'bx' is not known here; did you mean 'box'?"),
        ("title: T\nshape: {shape: box, width: w}", "2:21: shape.width: expected a number, got 'w'"),
        (
            "title: T\nshape: {shape: box, width: 1, widht: 1}",
            "2:31: shape.widht: unknown field; did you mean",
        ),
    ],
)
def test_misfits_are_reported_with_place_and_remedy(text: str, expected: str) -> None:
    assert misfits(text)[0].startswith(expected)


def test_too_many_entries_are_refused() -> None:
    guns = ", ".join(f"{name}: {{name: A, kind: field}}" for name in "abcde")
    assert misfits(f"title: T\nguns: {{{guns}}}") == ["2:1: guns: must have at most 4 entries"]


def test_a_name_may_have_eighty_characters() -> None:
    assert parse_yaml("title: " + "x" * MAX_NAME, "f").validate(Park).title == "x" * MAX_NAME


def test_all_misfits_are_reported_at_once() -> None:
    assert len(misfits("titel: T\nguns: {a: {name: '', kind: x, crew: no}, b: 3}\nlimit: [1]")) == 7


words = st.sampled_from(
    [
        "a",
        ": ",
        "\n",
        "  ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&x ",
        "*x",
        "!t ",
        "? ",
        "|",
        ">",
        "'",
        '"',
        "#",
        "%",
        "@",
        "\t",
        "---",
        "...",
        "1",
        ".inf",
        "1e9",
        "<<",
        "\r",
        "\x00",
        "\\",
        "\u2028",
        "é",
        "\ud800",
        "\x85",
        "`",
        "~",
    ]
)


@given(st.one_of(st.lists(words, max_size=40).map("".join), st.text(max_size=80)))
def test_any_text_is_parsed_or_refused_with_a_place(text: str) -> None:
    try:
        document = parse_yaml(text, "f")
    except FileError as error:
        lines = len(re.split("\r\n|[\r\n]", text)) + 1
        assert error.problems
        assert all(1 <= problem.line <= lines and problem.column >= 1 for problem in error.problems)
    else:
        assert _types_in(document.data) <= {dict, list, str, int, float, bool, type(None)}
