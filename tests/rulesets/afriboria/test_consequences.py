"""The odds of a choice piece by piece: a battle is resolved in its own step, with the odds of its procedure."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from zareba.game.activation import Step
from zareba.odds import odds, odds_of
from zareba.plugins.ruleset import UnitChange
from zareba.table import GivenAnswer, SeededTable
from zareba_rulesets.afriboria.odds.facts import BattleFacts


def meeting(game: Any, **parts: Any) -> tuple[Any, Any]:
    """A game in the battle stage: the first red unit, ordered, is next to the first blue one."""
    play = game(**parts)
    battle = play.start()
    red, blue = (next(unit for unit in battle.units.values() if unit.spec.side == side) for side in ("red", "blue"))
    here = play.plan.field.grid.columns * 3 + 3
    battle.move(red, here)
    battle.move(blue, play.plan.field.near[here][0])
    battle.active, battle.stage, battle.turn = "red", "battles", 1
    red.mark("ordered", "battle")
    return play, battle


def asked(play: Any, battle: Any, why: str) -> tuple[list[GivenAnswer], Any]:
    """Return the questions of the next step up to a given one, answered with their first options."""
    given: list[GivenAnswer] = []

    def agent(question: Any, state: Any) -> Any:
        given.append(GivenAnswer(question, question.options[0]))
        return question.options[0]

    draft = battle.copy()
    step = play.play.next_step(draft)
    table = SeededTable(play.rules, draft, 1, dict.fromkeys(play.seats, agent))
    table.begin(step)
    play.play.perform(table, draft, step)
    at = next(place for place, one in enumerate(given) if one.question.why == why)
    return given[:at], given[at]


@pytest.mark.rule("AFR-163", "AFR-170")
def test_the_odds_of_a_battle_that_is_under_way_are_those_of_its_facts(game: Any) -> None:
    play, battle = meeting(game)
    before, (question, target) = asked(play, battle, "battle against")
    facts = BattleFacts("inf_a", 6, 1, rows_behind=2, defender="inf_c", defender_figures=8, defender_missile=False)
    (loser,) = [unit.spec.id for unit in battle.units_in(target[1])]

    def lost(was: Any, now: Any) -> Any:
        changed = {(one.unit, one.what): one for one in play.display.changes(was, now)}
        figures = changed.get((loser, "figures"))
        return 0 if figures is None else figures.was - figures.now

    found = odds_of(
        play, battle, before, question, target, lost, policy=lambda asked, state: play.odds_horizon.hold(asked), seconds=20
    )  # fmt: skip
    by_facts: Counter[int] = Counter()
    men = battle.units[loser].figures
    for outcome, p in odds(play.rules, play.rules.ruleset.procedure("battle"), facts).outcomes.items():
        by_facts[men if outcome.destroyed else outcome.kills + outcome.lost_to_flags] += p  # type: ignore[assignment]  # a share
    assert found.method == "exact" and len(by_facts) > 2
    assert {n: p for n, p in found.outcomes.items() if p} == dict(by_facts)
    assert sum(by_facts.values()) == Fraction(1)
    after = battle.copy()
    assert not any(play.odds_horizon.includes(battle, after, Step(stage, 1, "")) for stage in play.policy.steps)


def test_changes_are_told_of_every_piece(game: Any) -> None:
    plane = "{name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, armament: [machine_gun], position: [20, 5]}"
    ship = plane.replace("Plane", "Ship").replace("aircraft", "airship")
    foot = "{name: Foot, side: red, arm: infantry, kind: european_regular, figures: 12, weapon: breech_rifle}"
    spears = "{name: Spears, side: blue, arm: infantry, kind: tribal, figures: 16}"
    boss = "boss: {name: Boss, side: red, rank: officer, unit: rifles}"
    play, battle = meeting(game, units=f"rifles: {foot}, spears: {spears}, plane: {plane}, ship: {ship}", leaders=boss)
    after = battle.copy()
    first, second = [unit for unit in after.units.values() if unit.spec.side == "red"]
    first.figures -= 2
    first.mark("defended", "battle")
    after.gone[second.spec.id] = "left the field"
    after.gone["boss"] = "killed"
    after.gone["plane"] = "shot down"
    after.fliers["ship"].strength -= 2
    changes = play.display.changes(battle, after)
    assert changes == (
        UnitChange(first.spec.id, "figures", 6, 4),
        UnitChange(first.spec.id, "defended", 0, True),
        UnitChange(second.spec.id, "figures", 6, 0),
        UnitChange("boss", "figures", 1, 0),
        UnitChange("plane", "figures", 1, 0),
        UnitChange("ship", "strength", 6, 4),
    )
    assert [play.narrator.describe_change(change).split(": ")[1] for change in changes] == [
        "2 figures lost", "defended", "6 figures lost", "1 figure lost", "1 figure lost", "strength 6 to 4"
    ]  # fmt: skip
    assert play.narrator.describe_change(changes[3]).startswith("Boss: ")
