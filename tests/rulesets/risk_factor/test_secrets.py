"""Markers keep their secrets: two states that differ only in what is behind them look the same to the other side."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with
from tests.rulesets.risk_factor.skirmishes import UNITS, game

from zareba.base.state import digest
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba.table.questions import fingerprint
from zareba_rulesets.risk_factor.chapters.setting_up.deployment import begin
from zareba_rulesets.risk_factor.chapters.victory import take_prizes
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.game import RskGame

SHOWN = {"revealed", "dummy"}
Asked = list[tuple[Any, ...]]


def other_world(state: Battle, seat: str, random: Random) -> Battle:
    """Return a copy in which the contents of the enemy's markers are exchanged."""
    other = state.copy()
    names = [name for name, marker in other.markers.items() if marker.side != seat]
    secrets = [(other.markers[name].units, other.markers[name].mounted) for name in names]
    random.shuffle(secrets)
    for name, (units, mounted) in zip(names, secrets, strict=True):
        other.markers[name].units, other.markers[name].mounted = units, mounted
    return other


def plainly(appraisal: Evaluation) -> tuple[Any, ...]:
    """Return an evaluation with its reason in words."""
    reason = appraisal.reason
    told = reason if isinstance(reason, str) else reason()
    return appraisal.inflicts, appraisal.suffers, appraisal.ground, appraisal.steadies, told


def step_on(of: RskGame, state: Battle, seat: str, seed: int) -> tuple[Asked, Asked]:
    """Return a seat's questions in one step, with all option texts, and its events, up to the reveal of a marker."""
    asked: Asked = []
    random = Random(seed)

    def answer(question: Any, now: Battle) -> Any:
        seen = of.sight.view(now, seat)
        if question.seat == seat and not any(event.kind in SHOWN for event in table.events):
            words = [of.narrator.describe(seen, question)]
            if isinstance(question, Choose):
                words += [of.narrator.describe_option(seen, question, option) for option in question.options]
                words += [
                    repr(one[:2])
                    for option in question.options[:2]
                    for one in of.advisor.odds_for(seen, question, option)
                ]
            if len(asked) % 5 == 0:
                words += [repr(plainly(appraisal)) for appraisal in of.advisor.evaluate(seen, question)]
            asked.append((fingerprint(question), *words))
        if isinstance(question, Place):
            return question.suggestions[random.randrange(len(question.suggestions))]
        if isinstance(question, Confirm):
            return random.random() < 0.5
        return question.options[random.randrange(len(question.options))]

    table = SeededTable(of.rules, state, seed, dict.fromkeys(of.seats, answer))
    step = of.play.next_step(state)
    assert step is not None
    table.begin(step)
    of.play.perform(table, state, step)
    told: Asked = [(event.kind, of.narrator.describe_event(event)) for event in table.events]
    return asked, told


@pytest.mark.rule("RSK-187", "RSK-188", "RSK-189")
@pytest.mark.parametrize("solo", [("tribes",), ()])
def test_two_worlds_look_the_same_to_those_who_look_for_them(solo: tuple[str, ...]) -> None:
    of = RskGame(rules_with(hidden_use="on"), load_scenario("column_ambushed"), frozenset(solo))
    random, compared, hidden = Random(str(solo)), 0, 0
    while compared < 60:
        state = of.start()
        while of.play.next_step(state) is not None and (not state.begun or len(state.markers) > 1):
            seed = random.randrange(10**6)
            if state.side != "column" or not state.begun:
                step_on(of, state, "column", seed)
                continue
            other = other_world(state, "column", random)
            hidden += other.to_data() != state.to_data()
            assert digest(of.sight.view(other, "column").to_data()) == digest(of.sight.view(state, "column").to_data())
            (there, told), (here, heard) = (step_on(of, world, "column", seed) for world in (other, state))
            if any(kind in SHOWN for kind, _ in (*told, *heard)):
                assert all(one == two for one, two in zip(there, here, strict=False))
            else:
                assert (there, told) == (here, heard)
                assert digest(of.sight.view(other, "column").to_data()) == digest(
                    of.sight.view(state, "column").to_data()
                )
            compared += len(here)
    assert hidden >= 10, "there was something to hide"


@pytest.mark.rule("RSK-187")
def test_a_view_has_nothing_of_hidden_units_but_blank_markers() -> None:
    of = RskGame(rules_with(), load_scenario("column_ambushed"), frozenset({"tribes"}))
    state = of.start()
    begin(SeededTable(of.rules, state, 3, {}), state, of.scenario, of.plan)
    next(iter(state.markers.values())).mounted = True
    seen = of.sight.view(state, "column")
    secret = {name for marker in state.markers.values() for name in marker.units}
    assert secret and not any(f'"{name}"' in repr(seen.to_data()).replace("'", '"') for name in secret)
    assert not any(marker.units or marker.mounted for marker in seen.markers.values())
    assert len({marker.at for marker in seen.markers.values()}) > 1
    board = repr(of.display.board(seen))
    assert not any(f"{name}'" in board for name in secret)
    assert of.sight.view(state, "tribes") is state


@pytest.mark.rule("RSK-185", "RSK-187")
def test_an_object_stays_with_hidden_men_and_is_not_shown() -> None:
    of = game(
        solo=["blue"],
        units=UNITS.replace("formation: mass", "formation: mass, hidden: true"),
        terrain="bush: {kind: scrub, area: [[5, 28], [55, 28], [55, 34], [5, 34]]}",
        objectives=", off: {kind: carry_off, name: Off, object: chest, edge: north, by: [blue]}",
        objects="chest: {name: Chest, kind: paychest, carrier: spears}",
    )
    state = of.start()
    table = SeededTable(of.rules, state, 3, {})
    begin(table, state, of.scenario, of.plan)
    take_prizes(table, state, of.scenario)
    assert state.prizes["chest"].carrier.startswith("spears")
    assert "chest" not in of.sight.view(state, "red").prizes and "chest" in of.sight.view(state, "blue").prizes
