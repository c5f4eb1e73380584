"""The odds of a move include its consequences, reported unit by unit."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table.questions import Step
from zareba_rulesets.paychest.game import PaychestGame


@pytest.fixture
def game() -> PaychestGame:
    found = load_rules("paychest").game(load_scenario("river_ford"))
    assert isinstance(found, PaychestGame)
    return found


@pytest.mark.rule("PAY-053", "PAY-055")
@pytest.mark.parametrize(
    ("stage", "drawn", "step", "belongs"),
    [
        ("move", 3, "unit.fire", True),
        ("move", 3, "unit.melee", True),
        ("move", 4, "unit.melee", False),
        ("move", 3, "unit.card", False),
        ("fire", 3, "unit.melee", False),
        ("end", 3, "turn.end", False),
    ],
)
def test_the_melee_belongs_to_the_move_of_the_same_card(
    game: PaychestGame, stage: str, drawn: int, step: str, belongs: bool
) -> None:
    before = game.start()
    before.turn, before.drawn, before.stage = 1, 3, stage
    after = before.copy()
    after.drawn = drawn
    assert game.odds_horizon.includes(before, after, Step(step, 1, "any")) is belongs


@pytest.mark.rule("PAY-127", "PAY-128", "PAY-158", "PAY-175")
def test_hits_wounds_and_routs_of_a_unit_are_told(game: PaychestGame) -> None:
    before = game.start()
    name, (part, *_) = next(
        (name, game.plan.parts.get(name, (name,))) for name in before.units if name in game.scenario.units
    )
    assert not game.display.changes(before, before.copy())
    after = before.copy()
    unit = after.change(part)
    unit.hits, unit.rout, unit.lost = 2, "rout_3d6_rally_7", (next(iter(unit.figures)),)
    man, other = list(unit.figures.values())[:2]
    for figure in (man, other):
        figure.at = figure.at or (5.0, 5.0)
    unit.measure()
    without = game.display.condition(after)[name]["wounds"]
    man.wounds = ("arm_wound",)
    told = {
        change.what: (change.was, change.now) for change in game.display.changes(before, after) if change.unit == name
    }
    assert (told["hits"], told["routing"], told["leaders lost"]) == ((0, 2), (False, True), (0, 1))
    assert game.display.condition(after)[name]["wounds"] == float(without) + 1
