"""Random games under random settings end, and the state is valid after every step."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import game
from tests.rulesets.random_games import play, random_settings

from zareba.scenario import shipped_scenarios
from zareba.table import Event
from zareba_rulesets.paychest.forces.battle import Battle, is_heavy

FATES = ("able", "unconscious", "dead", "off", "left")


def check_order(battle: Battle, figures: int) -> None:
    """Check the invariants of a state after a step."""
    seen = 0
    carried: dict[str, str] = {}
    for unit in battle.units.values():
        able = [f for f in unit.figures.values() if f.fate == "able" and f.at is not None]
        assert bool(able) is (unit.box[2] >= unit.box[0])
        for key, figure in unit.figures.items():
            seen += 1
            assert figure.fate in FATES and key == figure.spec.id
            assert figure.appearances <= 2
            if figure.at is not None:
                assert battle.field.table.is_on_table(figure.at)
            if figure.fate in ("off", "left"):
                assert figure.at is None
            for load in figure.loads:
                assert load not in carried or is_heavy(battle, load), f"{load} is carried twice"
                first = carried.setdefault(load, key)  # several men may carry it; it is where the first is
                if load in battle.things:
                    assert battle.things[load].carrier == first and battle.things[load].at is None
                elif figure.able:  # within arm's length of all his bearers
                    assert dist(battle.figure(load).at or (99.0, 99.0), figure.at or (0.0, 0.0)) <= 3.1
        assert unit.leader == "" or unit.leader in unit.figures
    assert seen == figures
    for thing in battle.things.values():
        places = (thing.at is not None) + bool(thing.carrier) + bool(thing.taken_by)
        assert places == 1, f"{thing.name} is nowhere, or twice"
    pack = dict(battle.casualties.pile)
    for card, copies in battle.casualties.discards.items():
        pack[card] = pack.get(card, 0) + copies
    assert pack == battle.book.full_deck()


def check_bases(battle: Battle) -> None:
    """Check that no able figure, on foot or mounted, overlaps another base (PAY-007)."""
    spots = [
        (f.at[0], f.at[1], battle.radius(f), key)
        for unit in battle.units.values()
        for key, f in unit.figures.items()
        if f.fate == "able" and f.at is not None and not f.aboard and not is_carried(battle, key)
    ]
    spots.sort()
    for number, (x, y, radius, key) in enumerate(spots):
        for other_x, other_y, other_radius, other in spots[number + 1 :]:
            if other_x - x > 2.0:
                break
            apart = ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5
            assert apart >= radius + other_radius - 1e-3, f"{key} stands on {other} by {radius + other_radius - apart}"


def is_carried(battle: Battle, key: str) -> bool:
    return any(key in f.loads for unit in battle.units.values() for f in unit.figures.values())


def referee(scenario: str, settings: dict[str, Any], seed: int) -> None:
    """Play one game to its end, checking every step."""
    played = game(scenario, **settings)
    figures, random = len(played.plan.figures), Random(seed)

    def check(state: Battle, _: str, __: Sequence[Event]) -> None:
        check_order(state, figures)
        if random.random() < 0.05:
            check_bases(state)

    play(played, seed, check, endings=("objectives", "collapse", "turn_limit"), sample=0.02)


@pytest.mark.rule("PAY-192", "PAY-196")
def test_random_games_end_in_order() -> None:
    referee("paychest_raid", {}, 0)
    referee("river_ford", random_settings("paychest", Random(2)), 2)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        referee(names[seed % len(names)], random_settings("paychest", Random(seed)), seed)
