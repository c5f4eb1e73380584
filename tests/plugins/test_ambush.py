"""The house rule for hidden set-up and spotting: units are really hidden, in every ruleset without a rule for it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.rulesets.test_hidden_information import shown
from tests.systems import each_ruleset
from typer.testing import CliRunner

from zareba.base.errors import ZarebaError
from zareba.battle.positions import GROWTH, SOLID
from zareba.battle.umpire import Umpire
from zareba.cli import app
from zareba.game import Game
from zareba.game.parts.play import sets_up
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import Scenario, load_scenario, vocabulary
from zareba.session import Session, new_session, replay
from zareba.session.briefing import briefing
from zareba.table import Choose

ambush: Any = import_module("zareba_plugins.rules.common.ambush")
"""The module of the house rule; its functions have no type annotations, as is usual for house rules."""
SYSTEMS = ("vcc", "afriboria", "paychest")
"""The rulesets without a rule for ambushes."""
FIELDS = ("square_attacked", "column_ambushed", "paychest_raid", "patrol_clash")
"""Three shipped scenarios with hidden units, and one without, in which all foot may be hidden."""


def game_of(ruleset: str, scenario: Scenario, **settings: Any) -> Game[Any]:
    game: Game[Any] = load_rules(ruleset, settings or None, [find_house_rule("ambush")]).game(scenario)
    return game


def all_foot(ruleset: str, name: str) -> tuple[Game[Any], str, str]:
    """Return a game in which all foot of either side may be hidden, the side that hides it, and the other side."""
    scenario = load_scenario(name)
    foe, side = scenario.sides
    return game_of(ruleset, scenario, **{"ambush.who": "foot"}), side, foe


def hiders(scenario: Scenario) -> tuple[str, str]:
    """Return the side with hidden units, and the other side."""
    side = next(
        candidate for candidate in scenario.sides if any(unit.hidden for unit in scenario.units_of(candidate).values())
    )
    return side, next(candidate for candidate in scenario.sides if candidate != side)


def world(game: Game[Any], number: int, most: int, hiding: str = "") -> Iterator[Session]:
    """Play a game, one question at a time, with the hidden units in the place of this number throughout.

    If all foot may be hidden, the foot of the side `hiding` is; the other side's is set up openly.
    """
    session = Session(game, dict.fromkeys(game.seats, "human"), 3)
    session.drive()
    for _ in range(most):
        question = session.pending
        if question is None:
            return
        if question.why == "ambush at":
            session.answer(question.options[number % len(question.options)])  # type: ignore[union-attr]  # a choice
        elif question.why == "ambush or not":
            places = question.options[1:]  # type: ignore[union-attr]  # a choice
            session.answer(places[number % len(places)] if question.seat == hiding else "openly")  # type: ignore[union-attr]  # a choice
        else:
            session.answer("stay hidden" if question.why == "ambush" else session.suggestion()[0])
        session.drive()
        yield session


def compare(ruleset: str, name: str, first: int, second: int, most: int) -> int:
    """Compare two games with hidden units in different places; return how many states looked alike to the other
    side.
    """
    scenario = load_scenario(name)
    if any(unit.hidden for unit in scenario.units.values()):
        side, foe = hiders(scenario)
        game = game_of(ruleset, scenario)
    else:
        game, side, foe = all_foot(ruleset, name)
    hidden = {key: unit.name for key, unit in game.scenario.units_of(side).items() if unit.hidden}
    compared = 0
    for one, other in zip(world(game, first, most, side), world(game, second, most, side), strict=False):
        if game.sight.view(one.state, foe) != game.sight.view(other.state, foe):
            break  # a unit was spotted in one of them
        seen = [*shown(one, one.state, foe), *map(str, briefing(game, foe).sections)]
        assert seen == [*shown(other, other.state, foe), *map(str, briefing(game, foe).sections)]
        away = {piece.partition(".")[0].rstrip("_0123456789") for piece, _ in one.state.own.get("ambush.absent", ())}
        assert [hidden[unit] for unit in away & hidden.keys() if hidden[unit] in "\n".join(seen)] == []
        compared += one.state != other.state
    return compared


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_hidden_positions_do_not_change_what_the_enemy_sees(ruleset: str) -> None:
    assert compare(ruleset, "square_attacked", 0, 1, 9) >= 5


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_hidden_foot_of_either_side_changes_nothing_for_the_enemy(ruleset: str) -> None:
    assert compare(ruleset, "patrol_clash", 0, 1, 9) >= 5


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_foot_that_stands_openly_is_set_out_by_the_scenario_and_the_rest_sets_up_as_ever(ruleset: str) -> None:
    game, side, foe = all_foot(ruleset, "patrol_clash")
    session = Session(game, dict.fromkeys(game.seats, "human"), 3)
    session.drive()
    asked = []
    while session.pending is not None and session.pending.why == "ambush or not":
        question = session.pending
        assert isinstance(question, Choose)
        asked.append(question.actor)
        session.answer("openly" if question.actor in ("swordsmen", "fusiliers") else question.options[1])
        session.drive()
    assert asked == ["fusiliers", "sikhs", "swordsmen", "young_men", "jezails"], "cavalry and guns do not hide"
    board = game.display.board(session.state)
    there = {piece.look.unit or piece.id for piece in board.pieces}
    assert any(name.startswith("swordsmen") for name in there) and not any(name.startswith("jezails") for name in there)
    assert session.pending is not None and sets_up(session.history.now.step)  # type: ignore[union-attr]  # it is pending
    assert "jezails" in str(session.state.to_data()) and "sikhs" in str(session.state.to_data())
    assert "jezails" not in str(game.sight.view(session.state, foe).to_data())
    assert "sikhs" not in str(game.sight.view(session.state, side).to_data()), "either side may hide"


def test_unit_behind_terrain_is_not_spotted_at_any_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    game, side, _ = all_foot("vcc", "patrol_clash")
    umpire = Umpire(game, None, game.start())
    there = {"fusiliers": ("patrol", (24.5, 12.0))}
    monkeypatch.setattr(umpire, "pieces_on_table", lambda: there)
    nullah = ambush.lies_at(game.scenario, side, "jezails", "nullah")
    assert 25 < nullah[1] < 27
    assert not ambush.is_seen(umpire, side, "jezails", "nullah", 6)
    assert not ambush.is_seen(umpire, side, "jezails", "nullah", 48), "the village is in between"
    there["fusiliers"] = "patrol", (10.0, 22.0)
    assert ambush.is_seen(umpire, side, "jezails", "nullah", 10)
    assert not ambush.is_seen(umpire, side, "jezails", "nullah", 3), "too far off"
    assert not ambush.is_seen(umpire, "patrol", "sikhs", "nullah", 10), "a side does not spot its own units"


def test_the_default_rule_of_sight_hides_units_behind_terrain() -> None:
    """The patrol clash has a village (x 20 to 29, y 15 to 21), an orchard (4 inches do not block sight), and a
    crest.
    """
    game = game_of("vcc", load_scenario("patrol_clash"))
    umpire = Umpire(game, None, game.start())
    assert not umpire.sees((24, 12), (24, 25)), "solid terrain hides units behind it"
    assert umpire.sees((24, 18), (24, 25)), "but not from a unit inside it"
    assert umpire.sees((30.5, 17), (35.5, 17)), "growth hides only behind enough of it"
    assert not umpire.sees((5, 16), (16, 16)), "the crest of a hill"
    assert umpire.sees((10, 16), (16, 16))
    assert {*SOLID, *GROWTH, *ambush.COVER} <= {*get_args(vocabulary.AreaKind), *get_args(vocabulary.LineKind)}


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_five_hundred_pairs_of_states_look_the_same_to_the_enemy(ruleset: str) -> None:
    pairs = [(first, second) for first in range(7) for second in range(first)]
    found = 0
    for first, second in pairs:
        found += sum(compare(ruleset, name, first, second, 90) for name in FIELDS)
        if found >= 500:
            break
    assert found >= 500


@pytest.mark.parametrize(
    "ruleset", ["vcc", *(pytest.param(name, marks=pytest.mark.deep) for name in ("afriboria", "paychest"))]
)
def test_ai_players_fight_with_the_rule_and_the_journal_replays(ruleset: str, tmp_path: Path) -> None:
    scenario, path = load_scenario("column_ambushed"), tmp_path / "game.jsonl"
    rule = find_house_rule("ambush")
    seats = dict.fromkeys(scenario.sides, "doctrine")
    session = new_session(ruleset, scenario, seats, seed=2, house_rules=[rule], path=path)
    session.drive()
    told = [event.kind for _, _, events in session.log() for event in events]
    lay = [answer.question.actor for answer in session.history.answers if answer.question.why == "ambush at"]  # type: ignore[union-attr]  # it had no umpire
    assert len(lay) == 7 and 0 < told.count("sprung") + told.count("spotted") <= 7
    session.close()
    assert replay(path, house_rules=[rule.file]).notice == ""


def test_zareba_step_reveals_units_to_approaching_enemies_and_the_log_stays_secret(tmp_path: Path) -> None:
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
    assert "ambush.lairs" not in str(game.sight.view(session.state, foe).own)
    rule = find_house_rule("ambush")
    seats = {side: "doctrine", foe: "human"}
    kept = new_session("vcc", scenario, seats, seed=1, house_rules=[rule], path=tmp_path / "game.jsonl")
    kept.drive()
    kept.close()
    log = CliRunner().invoke(app, ["log", str(tmp_path / "game.jsonl"), "--house-rule", str(rule.file)]).stdout
    log = " ".join(log.split())
    assert "where does it lie hidden?" in log and "secret until the battle is over" in log
    assert "mimosa" not in log.casefold()


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "risk_factor"])
def test_systems_with_their_own_rule_for_ambushes_keep_it(ruleset: str) -> None:
    scenario = load_scenario("column_ambushed")
    game = game_of(ruleset, scenario)
    assert game.scenario == scenario
    session = Session(game, dict.fromkeys(game.seats, "human"), 3)
    session.drive()
    assert session.pending is not None and session.pending.why not in ("ambush at", "ambush")


def test_ambush_is_off_by_default_and_rejects_invalid_settings() -> None:
    assert "ambush" not in str(load_rules("vcc").house_rules)
    result = CliRunner().invoke(
        app, ["play", "square_attacked", "--ruleset=vcc", "--house-rule=ambush", "--set=ambush.cover=0"]
    )
    assert result.exit_code != 0 and "ambush.cover" in result.stderr
    with pytest.raises(ZarebaError, match="did you mean 'ambush'"):
        find_house_rule("ambsh")


@pytest.mark.parametrize(("ruleset", "answers"), [("vcc", 30), ("fixed_baynet", 30), ("risk_factor", 1)])
def test_the_log_of_a_game_that_goes_on_names_no_hidden_unit(ruleset: str, answers: int, tmp_path: Path) -> None:
    scenario = load_scenario("square_attacked")
    hidden = [unit.name for unit in scenario.units.values() if unit.hidden]
    rules = [find_house_rule("ambush")] if ruleset in SYSTEMS else []
    path = tmp_path / "game.jsonl"
    session = new_session(ruleset, scenario, {}, seed=1, house_rules=rules, path=path)
    session.drive()
    for _ in range(answers):
        session.answer(session.suggestion()[0])
        session.drive()
    unseen = session.game.sight.hidden_pieces(session.state, "")
    names = [name for name in hidden if any(session.game.narrator.name_of(piece).startswith(name) for piece in unseen)]
    session.close()
    named = [f"--house-rule={rule.file}" for rule in rules]
    log = " ".join(CliRunner().invoke(app, ["log", str(path), *named]).stdout.split())
    assert names and log and [name for name in names if name in log] == []
