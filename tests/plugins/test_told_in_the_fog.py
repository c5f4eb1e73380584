"""The log of a seat under a house rule that hides units: nothing about hidden enemies, everything about its own
units.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.presentation.narration import SHOT_FROM_HIDING, SHOT_OUT_OF_SIGHT
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Session, new_session
from zareba.table import Choose, Confirm, Event, Place
from zareba.table.questions import mentions

BLIND = """
from zareba.api import hookimpl


@hookimpl
def zareba_view(state, seat):
    for name in [name for name, unit in state.units.items() if unit.spec.side != seat]:
        del state.units[name]
    for name, one in list(getattr(state, "commanders", {}).items()):
        if getattr(one, "side", getattr(getattr(one, "spec", None), "side", seat)) != seat:
            del state.commanders[name]
"""
"""A rule under which a side sees no enemy at all."""


def played(ruleset: str, folder: Path, seed: int = 3, most: int = 10**6, rule: str = BLIND) -> Session:
    """Return a game between two AI players under the rule."""
    file = folder / "blind.py"
    file.write_text(rule, encoding="utf-8")
    scenario = load_scenario("patrol_clash")
    seats = dict.fromkeys(scenario.sides, "random")
    session = new_session(ruleset, scenario, seats, seed=seed, house_rules=[find_house_rule(str(file))])
    answers = iter(range(most))
    session.drive(enough=lambda: next(answers, None) is None)
    return session


def told(session: Session, seat: str | None) -> list[Event]:
    return [event for _, _, events in session.log(seat) for event in events]


def names_of(session: Session, side: str) -> list[str]:
    """Return the names of the units and leaders of a side."""
    scenario = session.game.scenario
    units = [unit.name for unit in scenario.units_of(side).values()]
    return [*units, *(leader.name for leader in scenario.leaders_of(side).values())]


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_seat_that_sees_no_enemy_hears_only_its_shots(ruleset: str, tmp_path: Path) -> None:
    session = played(ruleset, tmp_path)
    game = session.game
    shots = 0
    for seat in game.seats:
        (foe,) = (side for side in game.seats if side != seat)
        own = {*game.display.pieces(game.origin)[seat], *game.scenario.units_of(seat), *game.scenario.leaders_of(seat)}
        events = told(session, seat)
        text = "\n".join([*map(game.narrator.describe_event, events), *(str(event.data) for event in events)])
        assert [name for name in names_of(session, foe) if re.search(rf"(?<!\w){name}(?!\w)", text)] == []
        lost = [event for event in told(session, None) if event.kind == "loss" and event.data["side"] == seat]
        assert [event for event in events if event.kind == "loss"] == lost
        heard = [event for event in events if event.kind == SHOT_FROM_HIDING]
        assert all(mentions(own, event.data["unit"]) for event in heard)
        shots += len(heard)
        if heard:
            assert game.narrator.describe_event(heard[0]).endswith("came under fire from an unseen enemy")
        for event in events:
            if event.kind == SHOT_OUT_OF_SIGHT:
                assert mentions(own, event.data["unit"])
    assert shots


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_no_number_of_a_hidden_enemy_is_reported(ruleset: str, tmp_path: Path) -> None:
    session = played(ruleset, tmp_path, seed=4, most=250)
    game = session.game
    for seat in game.seats:
        (foe,) = (side for side in game.seats if side != seat)
        hidden = {*game.scenario.units_of(foe), *game.scenario.leaders_of(foe)}
        for step in session.history.steps_seen_by(seat):
            actors = {result.question.actor for result in step.results(seat) if hasattr(result, "question")}
            assert not {re.split(r"[./+ ]", actor)[0] for actor in actors} & hidden


def test_log_of_a_seat_does_not_depend_on_when_it_is_read(tmp_path: Path) -> None:
    """A journal read again, and an undone and repeated choice, give the same log."""
    session = played("vcc", tmp_path, most=120)
    seat = session.game.seats[0]
    before = told(session, seat)
    session.history.undo(40)
    session.history.redo(40)
    assert told(session, seat) == before


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_an_enemy_lost_out_of_sight_stays_unknown(ruleset: str, tmp_path: Path) -> None:
    session = played(ruleset, tmp_path)
    game: Any = session.game
    for seat in game.seats:
        (foe,) = (side for side in game.seats if side != seat)
        fallen = [
            event
            for event in told(session, None)
            if event.kind == "destroyed" and event.data.get("unit") in game.display.pieces(game.origin)[foe]
        ]
        assert not [event for event in told(session, seat) if event in fallen]


GLIMPSES = """
from zareba.api import hookimpl


@hookimpl
def zareba_view(state, seat):
    if state.turn % 2:
        for name in [name for name, unit in state.units.items() if unit.spec.side != seat]:
            del state.units[name]
"""
"""A rule under which a side sees the enemy in every second turn."""


def test_undo_stops_where_a_hidden_enemy_was_seen(tmp_path: Path) -> None:
    session = played("vcc", tmp_path, most=150, rule=GLIMPSES)
    game, history, seat = session.game, session.history, session.game.seats[0]
    turns = [played.turn for played in history.steps for _ in played.answers]
    now = game.game_turn(session.state)
    assert now % 2 and now > 2
    since = len(turns) - turns.index(now - 2)  # the enemy was hidden then, as now, and visible in between
    before = history.state_before(since)
    assert not game.sight.secrets(before, seat) - game.sight.secrets(session.state, seat)
    assert history.has_revealed(since, [seat])
    assert not history.has_revealed(len(turns) - turns.index(now), [seat])


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_no_option_names_a_hidden_enemy(ruleset: str, tmp_path: Path) -> None:
    file = tmp_path / "blind.py"
    file.write_text(BLIND, encoding="utf-8")
    scenario = load_scenario("patrol_clash")
    seats = {"patrol": "human", "tribesmen": "random"}
    session = new_session(ruleset, scenario, seats, seed=3, house_rules=[find_house_rule(str(file))])
    names = re.compile("|".join(rf"(?<!\w){name}(?!\w)" for name in names_of(session, "tribesmen")))
    unnamed = 0
    for _ in range(150):
        session.drive()
        question = session.pending
        if not isinstance(question, (Choose, Confirm, Place)):
            break
        seen = session.game.sight.view(session.state, "patrol")
        assert not names.search(session.game.narrator.describe(seen, question))
        if isinstance(question, Choose):
            told = [session.game.narrator.describe_option(seen, question, option) for option in question.options]
            assert not [phrase for phrase in told if names.search(phrase)]
            masked = [place for place, phrase in enumerate(told) if phrase == "an enemy out of sight"]
            assert not any(session.game.display.cell_of(seen, question, question.options[place]) for place in masked)
            unnamed += bool(masked)
        session.answer(session.suggestion("random")[0])
    assert unnamed
