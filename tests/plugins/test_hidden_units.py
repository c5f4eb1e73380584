"""House rules that hide units from a seat: display, evaluation and imagined states of its view still work."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle, small_battle_file
from tests.systems import each_ruleset
from typer.testing import CliRunner

from zareba.agents import make_agent
from zareba.battle.umpire import Umpire
from zareba.cli import app
from zareba.cli.author import trials
from zareba.game import Game
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import new_session
from zareba.table import Answer, Choose, Confirm, Place, SeededTable

SCENARIOS = ("column_ambushed", "mission_station")
HEAD = "from zareba.api import hookimpl\n\n\n@hookimpl\ndef zareba_view(state, seat):\n"
FOES = "[name for name, unit in state.units.items() if unit.spec.side != seat]"
RULES = {
    "all": f"    for name in {FOES}:\n        del state.units[name]\n",
    "some": f"    for name in {FOES}[:2]:\n        del state.units[name]\n",
    "by turns": (
        f"    for number, name in enumerate(sorted({FOES})):\n"
        "        if (number + state.turn) % 3 == 0:\n"
        "            state.units.pop(name)\n"
    ),
}
"""Three house rules that hide enemies, as a club would write them."""
LOOKS: dict[str, Callable[[Game[Any], Any, str], object]] = {
    "drawn": lambda game, seen, seat: game.display.labelled_board(seen),
    "condition": lambda game, seen, seat: game.display.condition(seen),
    "strength": lambda game, seen, seat: game.strength(seen),
    "outcome": lambda game, seen, seat: game.play.outcome(seen),
    "places": lambda game, seen, seat: game.display.places(seen),
    "pieces": lambda game, seen, seat: game.display.pieces(seen),
    "headline": lambda game, seen, seat: game.display.headline(seen),
    "roster": lambda game, seen, seat: game.display.roster(seen, seat),
    "next step": lambda game, seen, seat: game.play.next_step(seen),
    "names by hand": lambda game, seen, seat: game.umpire_editor().piece_holders(seen),
    "prospect": lambda game, seen, seat: game.advisor.prospect(seen, seat),
    "written and read": lambda game, seen, seat: game.from_data(seen.to_data()),
}
"""Everything computed from a view for people and AI players, except the text of a question."""


def played_on(game: Game[Any], world: Any, most: int) -> None:
    """Play at most `most` steps of an imagined state with random players."""
    table = SeededTable(game.rules, world, 5, {seat: make_agent("random", game, seat, 5) for seat in game.seats})
    for _ in range(most):
        if (step := game.play.next_step(world)) is None:
            return
        table.begin(step)
        game.play.perform(table, world, step)


@pytest.mark.parametrize("hides", RULES)
@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_every_method_works_on_a_view_without_units(ruleset: str, hides: str, tmp_path: Path) -> None:
    path = tmp_path / "fog.py"
    path.write_text(HEAD + RULES[hides], encoding="utf-8")
    rules = load_rules(ruleset, house_rules=[find_house_rule(str(path))])
    for scenario in SCENARIOS:
        game: Game[Any] = rules.game(load_scenario(scenario))
        state = game.start()
        table = SeededTable(game.rules, state, 1, {seat: make_agent("random", game, seat, 1) for seat in game.seats})
        hidden = 0
        for number in range(150):
            if (step := game.play.next_step(state)) is None:
                break
            table.begin(step)
            game.play.perform(table, state, step)
            if number % 23:
                continue
            for seat in game.seats:
                seen = game.sight.view(state, seat)
                hidden += len(state.units) - len(seen.units)
                for look in LOOKS.values():
                    look(game, seen, seat)
                assert game.display.changes(seen, seen) == ()
            game.display.labelled_board(game.sight.public(state))
            if number % 69 == 0:
                for seat in game.seats:
                    played_on(game, game.sight.determinize(state, seat, number), 12)
        assert hidden


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_view_does_not_name_units_removed_from_it(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "fog.py"
    path.write_text(HEAD + RULES["all"], encoding="utf-8")
    game: Game[Any] = load_rules(ruleset, house_rules=[find_house_rule(str(path))]).game(
        load_scenario("column_ambushed")
    )
    state = game.start()
    table = SeededTable(game.rules, state, 2, {seat: make_agent("random", game, seat, 2) for seat in game.seats})
    for _ in range(120):
        if (step := game.play.next_step(state)) is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    for seat in game.seats:
        taken = {name for name, unit in state.units.items() if unit.spec.side != seat}
        shown = {piece.id for piece in game.display.labelled_board(game.sight.view(state, seat)).pieces}
        assert taken and not taken & shown
        board = game.display.labelled_board(game.sight.view(state, seat))
        assert not taken & {awaited.id for awaited in board.awaited}


# --- the shipped rule -------------------------------------------------------------------------------------------------

fog: Any = import_module("zareba_plugins.rules.common.fog_of_war")


def fog_game(ruleset: str, sight: int) -> Game[Any]:
    game: Game[Any] = load_rules(ruleset, {"fog_of_war.sight": sight}, [find_house_rule("fog_of_war")]).game(
        load_scenario("patrol_clash").model_copy(update={"turns": 5})
    )
    return game


@pytest.mark.parametrize("player", ["random", "doctrine"])
@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_fog_hides_distant_units_and_shows_near_ones(ruleset: str, player: str) -> None:
    game = fog_game(ruleset, 12)
    state = game.start()
    table = SeededTable(game.rules, state, 3, {seat: make_agent(player, game, seat, 3) for seat in game.seats})
    hidden = seen_at_all = 0
    steps = 0
    while (step := game.play.next_step(state)) is not None and steps < 3000:
        table.begin(step)
        umpire = Umpire(game, table, state)
        there = umpire.pieces_on_table()
        game.play.between(table, state, step)
        for seat in game.seats:
            own = [at for piece, (whose, at) in there.items() if whose == seat and fog.pieces_of(state, piece)]
            view = game.sight.view(state, seat)
            for piece, (whose, at) in there.items():
                if piece not in state.units or whose in ("", seat):
                    continue
                near = min(((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5 for x, y in own) if own else 1000.0
                assert piece in view.units or near > fog.CLOSE
                assert piece not in view.units or near <= 12
                hidden += piece not in view.units
                seen_at_all += piece in view.units
        game.play.perform(table, state, step)
        steps += 1
    assert game.play.next_step(state) is None, "the game ends"
    assert hidden and (seen_at_all or player == "random")


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_unseen_targets_are_not_offered(ruleset: str) -> None:
    game = fog_game(ruleset, 8)
    offered = 0

    def player(question: Choose | Place | Confirm, state: Any) -> Answer:
        nonlocal offered
        if isinstance(question, Choose):
            hidden = frozenset(state.own.get(f"fog_of_war.unseen/{question.seat}", ()))
            unseen = [option for option in question.options if fog.names_hidden_piece(option, hidden)]
            assert len(unseen) in (0, len(question.options))
            offered += bool(hidden)
        return agents[question.seat](question, state)

    agents = {seat: make_agent("random", game, seat, 4) for seat in game.seats}
    state = game.start()
    table = SeededTable(game.rules, state, 4, dict.fromkeys(game.seats, player))
    for _ in range(300):
        if (step := game.play.next_step(state)) is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    assert offered


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_person_plays_a_game_in_fog_to_its_end(ruleset: str) -> None:
    scenario = small_battle()
    rules = [find_house_rule("fog_of_war")]
    person, program = scenario.sides
    session = new_session(ruleset, scenario, {person: "human", program: "doctrine"}, seed=5, house_rules=rules)
    session.drive()
    game = session.game
    for _ in range(3000):
        question = session.pending
        if question is None:
            break
        seen = game.sight.view(session.state, person)
        assert game.narrator.describe(seen, question)
        if isinstance(question, Choose):
            assert all(game.narrator.describe_option(seen, question, option) for option in question.options[:3])
        game.display.labelled_board(seen)
        session.answer(session.suggestion("random")[0])
        session.drive()
    assert session.pending is None


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_game_in_the_fog_in_the_terminal(ruleset: str, tmp_path: Path) -> None:
    command = ["play", "patrol_clash", "--ruleset", ruleset, "--house-rule", "fog_of_war", "--seed", "3"]
    command += ["--seat", "tribesmen=doctrine", "--journal", str(tmp_path / "fog.journal")]
    played = CliRunner().invoke(app, command, input="board\n" + "1\n" * 12 + "board\nquit\n")
    assert played.exit_code == 0, played.output[-2000:]


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_check_plays_a_game_in_fog(ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "DEFAULT_SCENARIO", small_battle_file(tmp_path))
    lines = trials.try_house_rule(find_house_rule("fog_of_war"), [], ruleset, 1)
    assert lines[0].startswith("fog_of_war with")
