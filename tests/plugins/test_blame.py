"""Every failure is reported with file and line: endless house rules, and installed AI players and rulesets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset
from typer.testing import CliRunner

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.cli import app
from zareba.plugins import entry_points
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.scenario import load_scenario
from zareba.session import new_session
from zareba.table import SeededTable

HEAD = "from zareba.api import *\nfrom zareba.api import hookimpl\n\n"
FOREVER = 'while table.roll(1, 6, why="thirst", rule="H-1") < 7: pass  #!'
ENDLESS = {
    "turn": f"@hookimpl\ndef zareba_turn(table, state, turn):\n    {FOREVER}\n",
    "event": f"@hookimpl\ndef zareba_event(table, event):\n    {FOREVER}\n",
    "step": f"@hookimpl\ndef zareba_step(table, step):\n    {FOREVER}\n",
    "throws again": ("@hookimpl\ndef zareba_roll(table, roll, throw):\n    while True:\n        throw(roll)  #!\n"),
}


def rule(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "thirst.py"
    path.write_text(HEAD + text, encoding="utf-8")
    return find_house_rule(str(path))


def line_of(text: str) -> str:
    lines = (HEAD + text).splitlines()
    return f"thirst.py:{next(number for number, line in enumerate(lines, 1) if '#!' in line)}"


@pytest.mark.parametrize("ruleset_id", each_ruleset("vcc"))
@pytest.mark.parametrize(("form", "player"), zip(ENDLESS, ["random", "doctrine"] * 2, strict=True))
def test_a_rule_that_asks_without_end_is_named(ruleset_id: str, form: str, player: str, tmp_path: Path) -> None:
    text = ENDLESS[form]
    rules = load_rules(ruleset_id, house_rules=[rule(tmp_path, text)])
    game = rules.game(load_scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 1, {seat: make_agent(player, game, seat, 1) for seat in game.seats})
    with pytest.raises(RuleBroken, match="did not come to an end") as caught:
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
    assert "'thirst'" in str(caught.value) and line_of(text) in str(caught.value)


@pytest.mark.parametrize("form", ["turn", "throws again"])
def test_a_rule_that_asks_without_end_is_named_in_a_session(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("zareba.table.table", "zareba.house_rules.hook_function"):
        monkeypatch.setattr(f"{module}.MOST_QUESTIONS_BY_RULE", 100)  # a session plays the step again after each answer
    scenario, text = load_scenario("patrol_clash"), ENDLESS[form]
    seats = dict.fromkeys(scenario.sides, "random")
    session = new_session("vcc", scenario, seats, seed=1, house_rules=[rule(tmp_path, text)])
    with pytest.raises(RuleBroken, match="did not come to an end") as caught:
        session.drive()
    assert line_of(text) in str(caught.value)
    assert session.pending is not None


def test_doctrine_names_the_rule_whose_wrap_asks_without_end(tmp_path: Path) -> None:
    text = (
        "@hookimpl\ndef zareba_procedures(ruleset):\n    def thirsty(fire, table, *rest):\n"
        f"        {FOREVER}\n    return {{'fire.shoot': thirsty}}\n"
    )
    known = load_rules("vcc").ruleset.wrappable
    name = next(one for one in known if "fire" in one)
    text = text.replace("fire.shoot", name)
    game = load_rules("vcc", house_rules=[rule(tmp_path, text)]).game(load_scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 1, {seat: make_agent("doctrine", game, seat, 1) for seat in game.seats})
    with pytest.raises(RuleBroken, match="did not come to an end") as caught:
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
    assert line_of(text) in str(caught.value)


@pytest.mark.parametrize("what", ["state.own['x']", "next(iter(state.units.values())).marks"])
@pytest.mark.parametrize("ruleset_id", each_ruleset("vcc"))
def test_an_object_in_the_state_is_blamed_on_the_rule_that_put_it_there(
    ruleset_id: str, what: str, tmp_path: Path
) -> None:
    scenario = load_scenario("patrol_clash")
    bad = rule(tmp_path, f"@hookimpl\ndef zareba_turn(table, state, turn):\n    {what} = object()\n")
    with pytest.raises(RuleBroken, match="house rule 'thirst' failed in zareba_turn") as caught:
        rules = [find_house_rule("weather"), bad, find_house_rule("ammunition")]
        new_session(ruleset_id, scenario, dict.fromkeys(scenario.sides, "random"), seed=1, house_rules=rules).drive()
    assert "thirst.py:" in str(caught.value)


# --- installed packages -----------------------------------------------------------------------------------------------

AGENTS = """
import zareba


class Rubbish:
    def __init__(self, game, seat, seed):
        pass

    def __call__(self, question, state):
        return {"what": question.why}


class Fails:
    def __init__(self, game, seat, seed):
        pass

    def __call__(self, question, state):
        return 1 / 0


@zareba.hookimpl
def zareba_agents():
    return {"rubbish": Rubbish, "fails": Fails}
"""


def installed(site: Path, package: str, group: str) -> None:
    """Describe a package in a folder as an installed distribution."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        f"[{group}]\n{package.removeprefix('zareba_')} = {package}\n", encoding="utf-8"
    )


def forget(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    ruleset.cache_clear()
    entry_points.installed_agents.cache_clear()


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Install a package of AI players that fail; yield the path of its file."""
    (tmp_path / "zareba_wrecks.py").write_text(AGENTS, encoding="utf-8")
    installed(tmp_path, "zareba_wrecks", "zareba.plugins")
    monkeypatch.syspath_prepend(str(tmp_path))
    forget("zareba_wrecks")
    yield str(tmp_path / "zareba_wrecks.py")
    forget("zareba_wrecks")


@pytest.mark.parametrize("player", ["rubbish", "fails"])
def test_a_player_of_a_package_is_named(player: str, agents: str) -> None:
    scenario = load_scenario("patrol_clash")
    session = new_session("vcc", scenario, dict.fromkeys(scenario.sides, player), seed=1)
    with pytest.raises(RuleBroken) as caught:
        session.drive()
    assert "zareba_wrecks" in str(caught.value) and f"{agents}:" in str(caught.value)
    done = CliRunner().invoke(app, ["play", "patrol_clash", "--ruleset", "vcc", "--seat", f"patrol={player}"])
    assert done.exit_code and "Traceback" not in done.output


@pytest.mark.parametrize("player", ["rubbish", "fails"])
def test_a_player_of_a_package_is_named_in_a_comparison(player: str, agents: str) -> None:
    with pytest.raises(ZarebaError) as caught:
        from zareba.analysis.games.records import GamePlan, Variant
        from zareba.analysis.games.simulate import game_for, play_game

        variant = Variant("vcc", "vcc")
        game = game_for(variant, "patrol_clash")
        plan = GamePlan(0, 0, 1, False, tuple((side, player) for side in game.seats))
        with game.rules.blamed("a game"):
            play_game(game, "vcc", plan)
    assert "zareba_wrecks" in str(caught.value) and f"{agents}:" in str(caught.value)


def test_a_ruleset_of_a_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["new", "ruleset", "hills", "--bare"]).exit_code == 0
    module = next(tmp_path.rglob("zareba_hills/__init__.py"))
    text = module.read_text(encoding="utf-8")
    first = text.index("def shoot(")
    body = text.index('"""', text.index('"""', first) + 3) + 3
    module.write_text(f"{text[:body]}\n    raise KeyError('powder')\n{text[body:]}", encoding="utf-8")
    site = module.parents[1]
    installed(site, "zareba_hills", "zareba.rulesets")
    monkeypatch.syspath_prepend(str(site))
    forget("zareba_hills")
    try:
        scenario = load_scenario("patrol_clash")
        with pytest.raises(RuleBroken) as caught:
            new_session("hills", scenario, dict.fromkeys(scenario.sides, "random"), seed=1).drive()
        assert "package 'zareba_hills'" in str(caught.value) and f"{module}:" in str(caught.value)
    finally:
        forget("zareba_hills")
