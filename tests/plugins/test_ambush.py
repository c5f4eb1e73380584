"""The house rule for hidden set-up and spotting: really hidden, in every system that has no rule of its own for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.test_two_worlds import shown
from typer.testing import CliRunner

from zareba.cli import app
from zareba.errors import ZarebaError
from zareba.game import Game
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import Scenario, load_scenario
from zareba.session import Session, new_session, replay
from zareba.session.briefing import briefing

SYSTEMS = ("vcc", "afriboria", "paychest")
"""Those without a rule of their own."""
FIELDS = ("square_attacked", "column_ambushed", "paychest_raid")
"""The shipped scenarios that hide somebody."""


def game_of(ruleset: str, scenario: Scenario, **settings: Any) -> Game[Any]:
    game: Game[Any] = load_rules(ruleset, settings or None, [find_house_rule("ambush")]).game(scenario)
    return game


def hiders(scenario: Scenario) -> tuple[str, str]:
    """The side that hides somebody, and the other."""
    side = next(one for one in scenario.sides if any(unit.hidden for unit in scenario.units_of(one).values()))
    return side, next(one for one in scenario.sides if one != side)


def world(game: Game[Any], number: int, most: int) -> Iterator[Session]:
    """A game in which the hidden units lie in the place of this number and stay there, question by question."""
    session = Session(game, dict.fromkeys(game.seats, "human"), 3)
    session.drive()
    for _ in range(most):
        question = session.pending
        if question is None:
            return
        if question.why == "ambush at":
            session.answer(question.options[number % len(question.options)])  # type: ignore[union-attr]  # a choice
        else:
            session.answer("stay hidden" if question.why == "ambush" else session.suggestion()[0])
        session.drive()
        yield session


def compare(ruleset: str, name: str, first: int, second: int, most: int) -> int:
    """Two worlds that differ only in where men lie hidden; gives how many states looked the same to the other side."""
    scenario = load_scenario(name)
    game = game_of(ruleset, scenario)
    side, foe = hiders(scenario)
    hidden = {key: unit.name for key, unit in scenario.units_of(side).items() if unit.hidden}
    compared = 0
    for one, other in zip(world(game, first, most), world(game, second, most), strict=False):
        if game.view(one.state, foe) != game.view(other.state, foe):
            break  # somebody was spotted in one of them
        seen = [*shown(one, one.state, foe), *map(str, briefing(game, foe).sections)]
        assert seen == [*shown(other, other.state, foe), *map(str, briefing(game, foe).sections)]
        away = {piece.partition(".")[0].rstrip("_0123456789") for piece, _ in one.state.own.get("ambush.absent", ())}
        assert [hidden[unit] for unit in away & hidden.keys() if hidden[unit] in "\n".join(seen)] == []
        compared += one.state != other.state
    return compared


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_where_men_lie_hidden_changes_nothing_that_the_enemy_is_shown(ruleset: str) -> None:
    assert compare(ruleset, "square_attacked", 0, 1, 14) >= 8


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_five_hundred_states_of_two_worlds(ruleset: str) -> None:
    pairs = [(first, second) for first in range(7) for second in range(first)]
    found = 0
    for first, second in pairs:
        found += sum(compare(ruleset, name, first, second, 90) for name in FIELDS)
        if found >= 500:
            break
    assert found >= 500


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_commanders_fight_with_it_and_the_journal_is_exact(ruleset: str, tmp_path: Path) -> None:
    scenario, path = load_scenario("column_ambushed"), tmp_path / "game.jsonl"
    rule = find_house_rule("ambush")
    seats = dict.fromkeys(scenario.sides, "doctrine")
    session = new_session(ruleset, scenario, seats, seed=2, house_rules=[rule], path=path)
    session.drive()
    told = [event.kind for _, _, events in session.log() for event in events]
    lay = [one.question.actor for one in session.history.answers if one.question.why == "ambush at"]  # type: ignore[union-attr]  # no umpire was there
    assert len(lay) == 7 and 0 < told.count("sprung") + told.count("spotted") <= 7
    session.close()
    assert replay(path, house_rules=[rule.file]).notice == ""


def test_by_zareba_step_whoever_comes_near_sees_them_and_the_log_keeps_the_secret(tmp_path: Path) -> None:
    scenario = load_scenario("square_attacked")
    side, foe = hiders(scenario)
    near = game_of("vcc", scenario, **{"ambush.cover": 48})
    for session in world(near, 0, 40):
        if any(event.kind == "spotted" for _, _, events in session.log() for event in events):
            break
    else:
        raise AssertionError("men in cover are seen from 48 inches")
    assert len({unit.rstrip("_0123456789") for unit, _ in session.state.own.get("ambush.absent", ())}) < 2
    game = game_of("vcc", scenario)
    session = next(iter(world(game, 0, 1)))
    assert "ambush.lairs" not in str(game.view(session.state, foe).own)
    rule = find_house_rule("ambush")
    seats = {side: "doctrine", foe: "human"}
    kept = new_session("vcc", scenario, seats, seed=1, house_rules=[rule], path=tmp_path / "game.jsonl")
    kept.drive()
    kept.close()
    log = CliRunner().invoke(app, ["log", str(tmp_path / "game.jsonl"), "--house-rule", str(rule.file)]).stdout
    log = " ".join(log.split())
    assert "where does it lie hidden?" in log and "told when the battle is over" in log
    assert "mimosa" not in log.casefold()


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "risk_factor"])
def test_systems_with_a_rule_of_their_own_keep_it(ruleset: str) -> None:
    scenario = load_scenario("column_ambushed")
    game = game_of(ruleset, scenario)
    assert game.scenario == scenario
    session = Session(game, dict.fromkeys(game.seats, "human"), 3)
    session.drive()
    assert session.pending is not None and session.pending.why not in ("ambush at", "ambush")


def test_it_is_off_unless_it_is_asked_for_and_refuses_nonsense() -> None:
    assert "ambush" not in str(load_rules("vcc").house_rules)
    result = CliRunner().invoke(
        app, ["play", "square_attacked", "--ruleset=vcc", "--house-rule=ambush", "--set=ambush.cover=0"]
    )
    assert result.exit_code != 0 and "ambush.cover" in result.stderr
    with pytest.raises(ZarebaError, match="did you mean 'ambush'"):
        find_house_rule("ambsh")
