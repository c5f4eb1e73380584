"""The roster on screen, as data, as a page, and at the prompt of a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zareba.cli.output import SafeConsole
from zareba.cli.play.roster import show_roster
from zareba.presentation.narration import Boxes, Roster, RosterLine, RosterUnit

SHOW = ("roster", "patrol_clash", "--ruleset=paychest")


def test_the_roster_of_a_side_as_tables(run: Any) -> None:
    shown = run(*SHOW, "--seat=tribesmen").stdout
    assert "Swordsmen, The band" in shown and "Fusiliers" not in shown
    assert "Mir Alam *" in shown and max(map(len, shown.splitlines())) <= 80


def test_a_battered_unit_fits_a_narrow_terminal_without_broken_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    columns = ("Figure", "Rank", "Fire", "Shots", "Weapons", "Leg", "State")
    men = [
        RosterLine(
            (f"private {n}", "private", n % 2 + 3, 2, "rifle, bayonet", Boxes(n % 3, 2), ("", "unconscious")[n % 2])
        )
        for n in range(1, 5)
    ]
    first = RosterLine(("Colour-Sergeant Dunn *", "sergeant", 5, 2, "rifle, bayonet, telescope", Boxes(0, 2), ""))
    unit = RosterUnit("b", "B Company", "a", "The garrison", (("kind", "regular"),), columns, (first, *men))
    show_roster(Roster("Roster", "Turn 9", (unit,)), SafeConsole())
    shown = capsys.readouterr().out
    assert "kind regular; shots 2\n" in shown and "Shots" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    for word in ("sergeant", "telescope", "unconscious", "bayonet", "leg 1"):
        assert word in shown
    assert "leg 0" not in shown


def test_the_roster_is_available_as_json(run: Any) -> None:
    found = json.loads(run(*SHOW, "--json").stdout)
    gun = next(unit for unit in found["units"] if unit["id"] == "mountain_gun")
    assert gun["notes"]["hits this turn"] == {"ticked": 0, "boxes": 12}
    assert [figure["Rank"] for figure in gun["figures"]] == ["sergeant", "private", "private", "private"]
    assert gun["figures"][0]["Leg"] == {"ticked": 0, "boxes": 2} and gun["figures"][0]["out"] is False


def test_the_roster_is_available_as_html(run: Any) -> None:
    assert run(*SHOW, "--out=band.html").exit_code == 0
    page = Path("band.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "http" not in page and "<script" not in page
    assert page.count("<section") == 10 and "The patrol</h2>" in page
    both = run(*SHOW, "--out=band.html", "--json")
    assert both.exit_code == 2 and "choose one of them" in both.stderr


def test_missing_rosters_and_unknown_sides_are_reported(run: Any) -> None:
    none = run("roster", "patrol_clash", "--ruleset=vcc")
    assert none.exit_code == 2 and "has no roster of single figures" in none.stderr
    typo = run(*SHOW, "--seat=patrl")
    assert typo.exit_code == 2 and "did you mean 'patrol'" in typo.stderr


def test_the_roster_is_shown_at_the_prompt(run: Any) -> None:
    play = ("play", "patrol_clash", "--ruleset=paychest", "--seed=4", "--journal=a.jsonl", "--seat=tribesmen=random")
    shown = run(*play, typed="roster sikhs\nroster\nroster nobody\nquit\n").stdout
    assert shown.count("Sikhs, The patrol") == 2 and shown.count("Fusiliers, The patrol") == 1
    assert "Swordsmen, The band" not in shown and "no unit" in shown
    other = run(
        "play", "patrol_clash", "--ruleset=vcc", "--journal=b.jsonl", "--seat=tribesmen=random", typed="roster\nquit\n"
    )
    assert "has no roster of single figures" in " ".join(other.stdout.split())
