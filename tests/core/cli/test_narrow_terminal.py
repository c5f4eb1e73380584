"""Tables lose nothing on a narrow terminal: cells wrap, or each row is printed line by line with its labels."""

from __future__ import annotations

import json
import string
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.cli.output import SafeConsole, plain_table
from zareba.cli.prompt.render import fit_news

CELLS = st.text(alphabet=string.ascii_letters + " ", max_size=30)


def _drawn(heads: list[str], rows: list[list[str]], width: int) -> list[str]:
    console = SafeConsole()
    console.width = width
    with console.capture() as captured:
        console.print(plain_table(heads, rows, right=heads[2:]))
    return captured.get().splitlines()


@given(
    st.integers(1, 4).flatmap(
        lambda columns: st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=1, max_size=6)
    ),
    st.integers(8, 100),
)
def test_tables_keep_every_letter_and_no_line_is_too_long(rows: list[list[str]], width: int) -> None:
    heads = ["one", "two", "three", "four"][: len(rows[0])]
    lines = _drawn(heads, rows, width)
    assert max(map(len, lines), default=0) <= width
    cells = "".join(cell for row in rows for cell in row).replace(" ", "")
    assert Counter(cells) <= Counter("".join(lines))


def test_table_cells_keep_words_whole_if_possible() -> None:
    rows = [["rifle", "far reaching and accurate", "2"], ["musket", "short", "10"]]
    heads = ["weapon", "what it is", "reach"]
    assert [line.rstrip() for line in _drawn(heads, rows, 24)] == [
        "        what it",
        "weapon  is         reach",
        "rifle   far            2",
        "        reaching",
        "        and",
        "        accurate",
        "musket  short         10",
    ]
    assert [line.rstrip() for line in _drawn(heads, rows, 22)] == [
        "weapon: rifle",
        "what it is: far",
        "reaching and accurate",
        "reach: 2",
        "",
        "weapon: musket",
        "what it is: short",
        "reach: 10",
    ]


@pytest.mark.parametrize("command", ["rulesets", "scenarios"])
def test_every_value_is_shown_on_a_narrow_screen(run: Any, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    rows = json.loads(run(command, "--json").stdout)
    for columns in (20, 40, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = run(command).stdout
        assert max(map(len, shown.splitlines())) <= columns
        words = "".join(shown.split())
        for row in rows:
            assert row["id"] in words
            for name, value in row.items():
                if isinstance(value, (str, int)) and name not in ("place", "tests"):  # `tests` is in the briefing
                    assert all(part in words for part in str(value).split())


ABSURD = ["0", "-5", "00", "²", "٣", "abc", "1e3", "", " ", "80 ", "9" * 8, "9" * 5_000]


def test_an_impossible_terminal_size_is_ignored(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    plain = run("briefing", "patrol_clash", "--ruleset", "vcc").stdout
    for size in ABSURD:
        for name in ("COLUMNS", "LINES"):
            monkeypatch.setenv(name, size)
        assert run("briefing", "patrol_clash", "--ruleset", "vcc").stdout == plain, size


@pytest.mark.parametrize(("columns", "lines"), [("0", "0"), ("1", "1"), ("2", "2"), ("7", "3"), ("1000", "10000")])
def test_a_game_is_played_on_a_screen_of_any_size(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: str, lines: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", lines)
    typed = "help\nmap\nscore\nbriefing\nmore\n1\n1\nquit\n"
    command = ["play", "patrol_clash", "--ruleset=afriboria", "--seat=tribesmen=doctrine", "--seed=3"]
    result = run(*command, f"--journal={tmp_path / 'a.jsonl'}", typed=typed)
    assert (result.exit_code, result.exception) == (0, None)


NEWS = [f"Sikhs fired {number} dice at Jezails: {number} hits" for number in range(1, 9)]


@pytest.mark.parametrize(
    ("count", "most", "lines"),
    [
        (3, 4, ["- Sikhs fired 1 dice at Jezails: 1 hits", "- Sikhs fired 2 dice at Jezails: 2 hits"]),
        (7, 4, ["- Sikhs fired 1 dice at Jezails: 1 hits · Sikhs fired 2 dice at Jezails: 2 hits"]),
        (8, 3, ["- Sikhs fired 1 dice at Jezails: 1 hits · (3 more: type more) · Sikhs fired 5"]),
    ],
)
def test_news_are_listed_or_joined_to_fit(count: int, most: int, lines: list[str]) -> None:
    told = fit_news(NEWS[:count], 80, most)
    assert told[: len(lines)] == lines
    assert len(told) <= most and all(len(line) <= 80 for line in told)
    assert told[-1].endswith(f"Sikhs fired {count} dice at Jezails: {count} hits"), "the last item is always shown"


def test_a_long_first_sentence_is_cut_if_nothing_else_fits() -> None:
    assert fit_news(["word " * 60, "the end"], 20, 1) == ["- word word word…"]
