"""The roster as a page: names are escaped, and every box can be ticked."""

from __future__ import annotations

import pytest

from zareba.presentation.narration import Boxes, Roster, RosterLine, RosterUnit
from zareba.report.sheet import roster_page


def made(name: str = "A & B", *lines: RosterLine) -> Roster:
    unit = RosterUnit("u", name, "red", "<b>Reds</b>", (("hits", Boxes(1, 3)),), ("Figure", "Skill", "Wounds"), lines)
    return Roster("T", "turn 1", (unit,))


def test_names_written_by_people_are_escaped() -> None:
    page = roster_page(made("<script>alert(1)</script>", RosterLine(("<i>x</i>", 4, Boxes(0, 1)))))
    assert "<script>" not in page and "<i>x" not in page and "<b>" not in page
    assert "&lt;script&gt;" in page and page.startswith("<!doctype html>") and "http" not in page


def test_boxes_are_drawn_and_ticked_and_the_dead_struck_out() -> None:
    page = roster_page(made("U", RosterLine(("One", 4, Boxes(2, 3))), RosterLine(("Two", 3, Boxes(3, 3)), out=True)))
    assert page.count("<i>&#215;</i>") == 1 + 2 + 3 and page.count("<i></i>") == 2 + 1
    assert 'aria-label="2 of 3"' in page and page.count('<tr class="out">') == 1
    assert '<th scope="col" class="number">Skill</th>' in page


def test_the_page_has_the_style_of_rosters() -> None:
    page = roster_page(made("U", RosterLine(("One", 4, Boxes(2, 3)))))
    assert ".boxes i {" in page and "tr.out td { text-decoration: line-through; }" in page


def test_a_line_needs_a_cell_for_every_column() -> None:
    with pytest.raises(ValueError, match="line 1 of u has 2 cells for 3 columns"):
        made("U", RosterLine(("One", 4)))
