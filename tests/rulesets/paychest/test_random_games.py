"""Random games under random settings: they end, and after every step the table is in order."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import game, rules_with

from zareba.chance import KeyedDice
from zareba.rules.settings import Setting, flat_settings
from zareba.scenario import shipped_scenarios
from zareba.state import digest
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.battle import Battle

MOST_STEPS = 20_000
FATES = ("able", "unconscious", "dead", "off", "left")


class WatchedDice(KeyedDice):
    """Dice that refuse to be thrown twice for the same purpose."""

    __slots__ = ("seen",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: set[str] = set()

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        assert key not in self.seen, f"the same dice are thrown twice: {key}"
        self.seen.add(key)
        return super().faces(key, count, sides)


def random_value(setting: Setting, random: Random) -> Any:
    values = list(setting.values)
    if setting.at_least is not None and setting.at_most is not None:
        low, high = setting.at_least, min(setting.at_most, 6)
        whole = isinstance(setting.at_least, int)
        values.append(random.randint(int(low), int(high)) if whole else round(random.uniform(low, high), 2))
    return random.choice(values)


def random_settings(random: Random) -> dict[str, Any]:
    """About a third of the settings away from their defaults."""
    settings = rules_with().book.settings
    return {name: random_value(s, random) for name, s in flat_settings(settings) if random.random() < 0.35}


def check_order(battle: Battle, figures: int) -> None:
    """What must be true after every step."""
    seen = 0
    carried: set[str] = set()
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
                assert load not in carried, f"{load} is carried twice"
                carried.add(load)
                if load in battle.things:
                    assert battle.things[load].carrier == key and battle.things[load].at is None
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
    """No able figure on foot or in the saddle stands on another's base (PAY-007)."""
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


def play(scenario: str, settings: dict[str, Any], seed: int) -> Battle:
    """One game to its end, checked after every step."""
    played = game(scenario, **settings)
    state = played.start()
    random = Random(seed)

    def agent(question: Choose | Place | Confirm, battle: Any) -> Any:
        if isinstance(question, Choose):
            return random.choice(question.options)
        if isinstance(question, Place):
            assert question.suggestions, f"nothing is suggested for {question.why}"
            answer = random.choice(question.suggestions)
            assert question.legal(answer) is None, f"{question.why}: {question.legal(answer)}"
            return answer
        return random.random() < 0.5

    table = SeededTable(played.rules, state, seed, dict.fromkeys(played.seats, agent))
    table.dice = WatchedDice(seed)
    figures = len(played.plan.figures)
    for _ in range(MOST_STEPS):
        step = played.next_step(state)
        if step is None:
            break
        looks_at = random.random() < 0.02
        kept, as_it_was = (state.copy(), digest(state.to_data())) if looks_at else (None, "")
        table.begin(step)
        played.perform(table, state, step)
        check_order(state, figures)
        if kept is not None:
            assert digest(kept.to_data()) == as_it_was, "a copy changes with its original"
            data = json.loads(json.dumps(state.to_data()))
            assert digest(played.from_data(data).to_data()) == digest(state.to_data())
            check_bases(state)
            played.outcome(state)
            played.strength(state)
            for event in table.events:
                assert played.describe_event(event), f"nothing is said about {event.kind}"
    assert played.next_step(state) is None, f"{scenario} has no end after {MOST_STEPS} steps"
    assert state.turn <= played.scenario.turns
    assert played.outcome(state).ending in ("objectives", "collapse", "turn_limit")
    assert played.board(state).pieces is not None
    return state


@pytest.mark.rule("PAY-192", "PAY-196")
@pytest.mark.parametrize("scenario", ["patrol_clash", "paychest_raid", "mission_station", "river_ford"])
def test_random_games_end_in_order(scenario: str) -> None:
    for seed in range(3):
        play(scenario, random_settings(Random(seed)) if seed else {}, seed)


@pytest.mark.deep
@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_many_random_games(scenario: str) -> None:
    for seed in range(100, 350):
        play(scenario, random_settings(Random(seed)), seed)
