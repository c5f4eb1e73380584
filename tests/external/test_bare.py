"""A small ruleset written by `zareba new ruleset --bare`: installed, played, and changed by house rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.external.conftest import install_wheel, write_ruleset
from tests.systems import each_battle
from typer.testing import CliRunner

from zareba.agents import make_agent
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.intervals import ShareEstimate
from zareba.api.rulesets import lose_leader
from zareba.base.state import canonical_json
from zareba.chance import KeyedDice
from zareba.cli import app
from zareba.game.advance import AtQuestion, Done, advance
from zareba.odds import odds_of
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.simple_ruleset.model import Rows
from zareba.simple_ruleset.setup import leave, pick_up_objects
from zareba.table import ChanceKeys, Choose, Confirm, Draw, GivenAnswer, Place, Roll, ScriptedTable

PROGRAM = Path(sys.executable).with_name("zareba")
MOST_YAML, MOST_PYTHON = 120, 300
Run = Callable[..., str]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the distribution; return its folder."""
    return write_ruleset(tmp_path_factory.mktemp("bare"), "sudan", "--bare")


@pytest.fixture(scope="module")
def site(
    project: Path,
    installed_here: Callable[[Path, str], AbstractContextManager[Path]],
) -> Iterator[Path]:
    """Install the distribution for this process too; yield its folder."""
    install_wheel(project, project.parent / "site")
    with installed_here(project.parent / "site", "zareba_sudan") as site:
        yield site


@pytest.fixture
def run_here(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that runs a command in this process, where the distribution is installed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run_it(*words: str | Path) -> str:
        done = CliRunner().invoke(app, [str(word) for word in words])
        assert done.exit_code == 0, done.output
        return done.stdout

    return run_it


def played(scenario: str, count: int, agents: dict[str, str], seed: int = 1) -> list[Any]:
    """Play games of the ruleset; two different agents change sides."""
    return run_games(GameTask(Variant("sudan", "sudan"), scenario, 0, count, seed, tuple(agents.items()), swap=True))


def test_bare_ruleset_fits_one_page(project: Path) -> None:
    yaml = [line for file in project.rglob("*.yaml") for line in file.read_text(encoding="utf-8").splitlines()]
    python = [line for file in project.rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(yaml) <= MOST_YAML
    assert len(python) <= MOST_PYTHON
    assert not [line for line in python if line.startswith("class ") and "(" in line], "no subclasses"


def test_the_tests_of_a_bare_ruleset_pass(project: Path, site: Path, tmp_path: Path, run: Run) -> None:
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests", cwd=tmp_path, path=site)


@pytest.mark.parametrize("scenario", each_battle("patrol_clash"))
def test_bare_ruleset_plays_every_shipped_scenario_repeatably(site: Path, scenario: str) -> None:
    agents = dict.fromkeys(load_scenario(scenario).sides, "random")
    (game,) = played(scenario, 1, agents)
    assert game.ending in ("objectives", "collapse", "turn_limit")
    assert game.first_loss is not None
    assert played(scenario, 1, agents) == [game]


def test_a_game_in_the_terminal_is_kept_and_replayed(site: Path, tmp_path: Path, run: Run, run_here: Run) -> None:
    seats = ("--seat", "patrol=doctrine", "--seat", "tribesmen=random")
    journal = tmp_path / "game.journal"
    shown = run(
        PROGRAM, "play", "patrol_clash", "--ruleset", "sudan", *seats, "--seed", "4", "--journal", journal,
        cwd=tmp_path, path=site,
    )  # fmt: skip
    assert "The game is over" in shown
    assert "marched to" in run_here("log", journal)
    run_here("replay", journal, "--check")


@pytest.mark.deep
def test_bare_ruleset_can_be_compared(site: Path, tmp_path: Path, run: Run) -> None:
    words = [
        "compare",
        "patrol_clash",
        "--rulesets",
        "sudan,vcc",
        "--games",
        "2",
        "--agents",
        "random",
        "--jobs",
        "1",
        "--json",
    ]
    told = json.loads(run(PROGRAM, *words, cwd=tmp_path, path=site))
    assert {"sudan", "vcc"} <= set(json.dumps(told).replace('"', " ").split())


def test_a_word_of_one_row_is_reported_at_its_table() -> None:
    row = {"rule": "SUD-010", "move": 6}
    data = {"horse": row, "foot": {"rule": "SUD-010", "mve": 6}, "guns": row}
    with pytest.raises(ValueError, match="'foot' lacks move, which other rows have; no other row has mve"):
        TypeAdapter(Rows).validate_python(data)
    with pytest.raises(ValueError, match="'horse' lacks mve, which other rows have"):
        TypeAdapter(Rows).validate_python({**data, "foot": {**row, "mve": 6}})


@pytest.mark.deep
def test_decisions_of_the_bare_rulesets_ai_player_are_counted(site: Path) -> None:
    record = next(iter(played("patrol_clash", 1, dict.fromkeys(load_scenario("patrol_clash").sides, "doctrine"))))
    met = sum(effort.genuine for effort in record.effort.values())
    assert 0 < record.acts["decision"] < met and record.stake > 0


def test_the_numbers_of_a_bare_ruleset_are_explained(run_here: Run) -> None:
    assert "SUDA-010" in run_here("explain", "sudan", "troops.horse.move")
    shown = run_here("rules", "sudan", "SUDA-003")
    assert "each success kills one figure" in " ".join(shown.split())


def test_every_choice_has_its_odds(site: Path) -> None:
    """At each choice of the third turn of a random game, the odds of every option add up to one."""
    game = load_rules("sudan").game(load_scenario("patrol_clash"))
    asked = 0
    for start, given, question in questions(game, seed=5):
        if start.turn != 3 or isinstance(question, Place):
            continue
        answers = question.options if isinstance(question, Choose) else (False, True)
        for answer in answers:
            found = odds_of(game, start, given, question, answer, game.display.changes, then=0.0, plays=5)
            assert sum(found.outcomes.values()) == Fraction(1)
            asked += 1
        volley = isinstance(question, Choose) and question.why == "shoot at"
        assert not volley or found.method == "exact"
    assert asked > 30


def questions(game: Any, seed: int) -> Iterator[tuple[Any, list[GivenAnswer], Any]]:
    """Yield each question of a random game as (state before the step, answers given in it, question)."""
    players = {side: make_agent("random", game, side, seed) for side in game.seats}
    dice = KeyedDice(seed)
    state = game.start()
    while (step := game.play.next_step(state)) is not None and state.turn < 4:
        keys, given = ChanceKeys(step), list[GivenAnswer]()
        while isinstance(paused := advance(game, state, [answer.answer for answer in given]), AtQuestion):
            question = paused.question
            if isinstance(question, (Roll, Draw)):
                given.append(GivenAnswer(question, keys.answer(dice, question)[0]))
                continue
            assert isinstance(question, (Choose, Place, Confirm))
            yield state, given, question
            given.append(GivenAnswer(question, players[question.seat](question, paused.draft)))
        assert isinstance(paused, Done)
        state = paused.checkpoint


YAML_RULE = """\
house_rule: camels
title: The camel corps
ruleset: sudan
changes:
  - {add: troops.camelry, entry: {rule: HOUSE-1, move: 9, fight: 5, steady: 9}, why: they were not on foot}
  - {add: unit_mapping.camels, entry: {before: riders, when: {mount: camel}, then: {troop: camelry}}, why: as above}
  - {at: weapons.rifle.range, was: 24, to: 30, why: picked shots}
"""
EVENT_RULE = """
import zareba

@zareba.hookimpl
def zareba_event(table, event):
    if event.kind in ("fled", "fell back"):
        table.emit("panic", "panic", unit=event.data["unit"])
"""
PYTHON_RULE = """\
import zareba

@zareba.hookimpl
def zareba_procedures(ruleset):
    def twice(volley, table, battle, unit, target):
        volley(table, battle, unit, target)
        if target.at is not None and "bayonet" in unit.spec.scenario_facts.close_weapon:
            table.emit("note", "HOUSE-2", text="and again")
            volley(table, battle, unit, target)
    return {"volley": twice} if ruleset == "sudan" else {}
"""


def test_a_house_rule_in_yaml_adds_a_troop_that_scenarios_use(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "camels.yaml"
    file.write_text(YAML_RULE, encoding="utf-8")
    scenario = load_scenario("patrol_clash")
    riders = scenario.units["lancers"].model_copy(update={"mount": "camel"})
    scenario = scenario.model_copy(update={"units": {**scenario.units, "lancers": riders}})
    plain, changed = load_rules("sudan"), load_rules("sudan", {}, [find_house_rule(str(file))])
    assert plain.game(scenario).start().units["lancers"].troop.move == 12
    assert changed.game(scenario).start().units["lancers"].troop.move == 9
    assert changed.game(scenario).start().units["fusiliers"].weapon.range == 30


def test_a_house_rule_in_python_wraps_a_procedure_and_is_in_the_odds(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text(PYTHON_RULE, encoding="utf-8")
    lost = {}
    for rules in (load_rules("sudan"), load_rules("sudan", {}, [find_house_rule(str(file))])):
        game = rules.game(load_scenario("patrol_clash"))
        for start, given, question in questions(game, seed=5):
            if getattr(question, "why", "") == "shoot at" and question.actor == "fusiliers":
                found = odds_of(game, start, given, question, question.options[0], game.display.changes, plays=100)
                lost[rules.house_rules] = found.mean(
                    lambda changes: sum(
                        Fraction(change.was - change.now) for change in changes if change.what == "figures"
                    )
                )
                break
    assert lost["twice",] > Fraction(3, 2) * lost[()]


def test_a_house_rule_may_react_to_the_events_of_the_core_actions(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "panic.py"
    file.write_text(EVENT_RULE, encoding="utf-8")
    assert load_rules("sudan", {}, [find_house_rule(str(file))]).house_rules == ("panic",)


def test_a_battle_goes_to_json_and_back(site: Path) -> None:
    game = load_rules("sudan").game(load_scenario("paychest_raid"))
    for start, _, _ in questions(game, seed=5):
        again = game.from_data(json.loads(canonical_json(start.to_data())))
        assert again == start
        assert [unit.troop for unit in again.units.values()] == [unit.troop for unit in start.units.values()]


def test_objects_are_carried_and_units_leave_where_the_scenario_sends_them(site: Path) -> None:
    game = load_rules("sudan").game(load_scenario("paychest_raid"))
    battle = game.start()
    goal = next(goal for goal in game.scenario.objectives.values() if goal.kind == "carry_off")
    raider = next(unit for unit in battle.on_table() if unit.side == goal.by[0])
    carried_object = battle.carried_objects[goal.object]
    for unit in battle.on_table():
        if unit is not raider:
            unit.at = None
    carried_object.carrier, carried_object.at, raider.at = "", (20.0, 20.0), (21.0, 20.0)
    table = ScriptedTable(game.rules, battle, [])
    pick_up_objects(table, battle)
    assert carried_object.carrier == raider.id
    leave(table, battle)
    assert raider.at is not None, "units do not leave from the middle of the table"
    width, depth = battle.field.table.extent
    raider.at = {"north": (9.0, depth), "south": (9.0, 0.0), "east": (width, 9.0), "west": (0.0, 9.0)}[goal.edge]
    leave(table, battle)
    assert (raider.at, raider.gone) == (None, f"left {goal.edge}")
    assert game.scoreboard(battle).carried_off(goal) == raider.side
    assert [event.kind for event in table.events] == ["taken up", "left the table"]


def test_the_ai_player_of_a_bare_ruleset_gives_reasons(site: Path) -> None:
    game = load_rules("sudan").game(load_scenario("patrol_clash"))
    player = make_agent("doctrine", game, "patrol", 1)
    start, given, question = next(
        asked for asked in questions(game, seed=5) if asked[0].turn == 1 and asked[2].seat == "patrol"
    )
    player.follow(start, given)  # type: ignore[attr-defined]  # this player has it
    assert player(question, start) in question.options
    assert "figures" in player.reason  # type: ignore[attr-defined]  # like all doctrine players


@pytest.mark.deep
@pytest.mark.parametrize("scenario", ["patrol_clash", "river_ford", "column_ambushed"])
def test_the_ai_player_of_a_bare_ruleset_beats_random_play(site: Path, scenario: str) -> None:
    """Over games with alternating sides, the lower 95 % bound of its score is 0.75 or more."""
    count = 100
    sides = list(load_scenario(scenario).sides)
    score = 0.0
    for game in played(scenario, count, dict(zip(sides, ("doctrine", "random"), strict=True))):
        mine = next(side for side, agent in game.agents.items() if agent == "doctrine")
        score += 0.5 if game.winner is None else float(game.winner == mine)
    assert ShareEstimate(score, count).limits().low >= 0.75


def test_a_leader_falls_and_the_unit_fights_on_without_him(site: Path) -> None:
    rules = load_rules("sudan")
    game = rules.game(load_scenario("battle_of_the_wells"))
    state = game.start()
    unit = next(candidate for candidate in state.units.values() if candidate.leaders)
    (leader, *_), before = unit.leaders, state.to_data()
    assert "fallen" not in before["units"][unit.id], "old journals are read and hashed as they were"
    with ScriptedTable(rules, state, []) as table:
        assert lose_leader(table, state, unit, "SUDAN-005")
        assert not lose_leader(table, state, unit, "SUDAN-005", leader)
    assert not unit.is_led and unit.figures == unit.spec.figures
    assert game.scoreboard(state).leader_lost(leader)
    name = game.scenario.leaders[leader].name
    assert game.narrator.describe_event(table.events[0]) == f"{name} of {unit.spec.name} was killed"
    assert "its leader has fallen" in game.narrator.describe_option(
        state, Choose("who acts", "", "", unit.side, (unit.id, "x"), ()), unit.id
    )
    again = game.from_data(json.loads(canonical_json(state.to_data())))
    assert again == state and not again.units[unit.id].is_led
    assert state.copy().units[unit.id].fallen == {leader: "fire"}


def test_the_rules_set_the_sizes_of_units(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "sizes.yaml"
    file.write_text(
        "house_rule: sizes\nruleset: sudan\nchanges:\n"
        "  - {add: unit_mapping.small, entry: {before: guns, when: {kind: tribal}, then: {figures: 12}}}\n"
        "  - {add: unit_mapping.stands, entry: {before: guns, when: {kind: {not: tribal}}, then: {figures_for: 4}}}\n",
        encoding="utf-8",
    )
    scenario = load_scenario("patrol_clash")
    plain = load_rules("sudan").game(scenario).start()
    game = load_rules("sudan", None, [find_house_rule(str(file))]).game(scenario)
    state = game.start()
    kinds = {name: unit.kind for name, unit in scenario.units.items()}
    for name, unit in state.units.items():
        was = scenario.units[name].figures
        assert unit.figures == (12 if kinds[name] == "tribal" else -(-was // 4))
        assert unit.radius == pytest.approx(plain.units[name].radius * (unit.figures / was) ** 0.5)
    assert {"tribal"} < set(kinds.values())
    scoreboard = game.scoreboard(state)
    assert all(scoreboard.share_left((name,)) == 1 for name in state.units)
