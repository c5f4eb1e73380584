"""Larger units, native forces, and the tools of whoever makes scenarios."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import rules_with, scenario

from zareba.errors import ZarebaError
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.organisation import amalgamate, muster, notes_on, strength_of

BOOK = PaychestBook(rules_with())


@pytest.mark.rule(
    "PAY-198", "PAY-199", "PAY-200", "PAY-201", "PAY-202", "PAY-203", "PAY-204", "PAY-205", "PAY-206", "PAY-207",
    "PAY-208", "PAY-211",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("infantry_company", 20),
        ("platoon", 10),
        ("battalion", 86),
        ("brigade", 175),
        ("cavalry_squadron", 12),
        ("troop", 6),
        ("cavalry_regiment", 28),
        ("artillery_section", 4),
        ("battery", 14),
        ("native_warband", 20),
        ("native_regiment", 43),
        ("native_army", 90),
        ("native_cavalry_warband", 12),
        ("native_artillery_section", 4),
        ("machine_gun_section", 4),
    ],
)
def test_strengths_of_table_10(name: str, figures: int) -> None:
    assert strength_of(BOOK, name) == figures


@pytest.mark.rule("PAY-206")
def test_a_native_regiment_has_two_to_six_warbands() -> None:
    assert strength_of(BOOK, "native_regiment", 6) == 123
    with pytest.raises(ZarebaError, match="2 to 6"):
        muster(BOOK, "native_regiment", 7)


@pytest.mark.rule("PAY-212")
def test_each_company_and_each_staff_has_a_card() -> None:
    battalion = muster(BOOK, "battalion")
    assert [unit.figures for unit in battalion] == [6, 20, 20, 20, 20]
    assert sum(unit.guns for unit in muster(BOOK, "battery")) == 3
    assert all(formation.card for formation in BOOK.file.organisation.values())
    with pytest.raises(ZarebaError, match="battalion"):
        muster(BOOK, "batallion")


def test_weak_units_may_be_put_together() -> None:
    seven, nine = muster(BOOK, "troop")[0], muster(BOOK, "platoon")[0]
    both = amalgamate(seven, nine)
    assert both.figures == 16 and both.ranks["lieutenant"] == 2


def test_the_scenario_tool_warns_of_many_guns_and_notes_odd_strengths() -> None:
    notes = " ".join(notes_on(BOOK, scenario("battle_of_the_wells")))
    assert "PAY-185" in notes and "PAY-209" in notes
