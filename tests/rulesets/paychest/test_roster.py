"""The roster: a line for every figure, with boxes for what befalls him."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import game

from zareba.report.roster import roster_page
from zareba.roster import Boxes, RosterUnit
from zareba_rulesets.paychest.casualties import apply_card
from zareba_rulesets.paychest.game import PaychestGame


def line(unit: RosterUnit, number: int) -> dict[str, object]:
    return dict(zip(unit.columns, unit.lines[number].cells, strict=True))


@pytest.mark.rule("PAY-010", "PAY-011", "PAY-016", "PAY-031")
def test_the_roster_has_a_line_for_every_figure() -> None:
    played = game("patrol_clash")
    battle = played.start()
    found = played.roster(battle)
    assert sum(len(unit.lines) for unit in found.units) == len(played.plan.figures)
    first = line(found.units[0], 0)
    assert (first["Fire"], first["Melee"], first["Shots"]) == (4, 5, 2)
    assert first["Figure"] == "lieutenant 1 *" and first["Weapons"] == "pistol, sword"
    assert [unit.side for unit in played.roster(battle, "tribesmen").units] == ["tribesmen"] * 5
    assert set(battle.cards.pile).isdisjoint(battle.casualties.pile)  # two decks that never mix


@pytest.mark.rule("PAY-118", "PAY-123", "PAY-043")
def test_wounds_and_deeds_are_ticked_and_who_is_out_is_struck_out() -> None:
    played = game("patrol_clash")
    battle = played.start()
    unit = battle.unit("fusiliers")
    struck = {
        "fusiliers.2": ("leg_wound", "arm_wound", "arm_wound"),
        "fusiliers.3": ("killed",),
        "fusiliers.4": ("crippled_leg",),
    }
    for figure in unit.figures.values():
        figure.at = (20.0, 5.0)
    unit.figures["fusiliers.2"].brave = 2
    for name, results in struck.items():
        for result in results[:2]:
            hit(played, name, result, battle)
    found = next(u for u in played.roster(battle).units if u.id == "fusiliers")
    wounded, dead, lame = (line(found, number) for number in (1, 2, 3))
    assert (wounded["Leg"], wounded["Arm"], wounded["Deeds"]) == (Boxes(1, 2), Boxes(1, 3), 2)
    assert dead["Killed"] == Boxes(1, 1) and found.lines[2].out and not found.lines[1].out
    assert lame["Lame"] == Boxes(1, 1) and lame["K.O."] == Boxes(0, 1)
    page = roster_page(played.roster(battle))
    assert page.count('class="out"') == 1 and 'aria-label="1 of 2"' in page


def hit(played: PaychestGame, name: str, result: str, battle: object) -> None:
    from zareba.table import ScriptedTable
    from zareba_rulesets.paychest.battle import Battle

    assert isinstance(battle, Battle)
    with ScriptedTable(played.rules, battle, []) as table:
        apply_card(table, battle, battle.figure(name), result, "fire", [])
