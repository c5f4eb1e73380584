"""Every hook of the core is used by shipped code, has a test of its name, and has a working example."""

from __future__ import annotations

import ast
import inspect
import logging
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests.plugins.luck import play
from tests.systems import each_ruleset

import zareba
import zareba_plugins
from zareba import api
from zareba.agents import agent_names
from zareba.analysis.games import metrics
from zareba.analysis.games.metrics import METRICS, Metric, Sample, Scope, all_metrics, measure
from zareba.analysis.games.records import GamePlan, GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import play_game, run_games
from zareba.api.reports import ReportSection, SheetTable
from zareba.base.errors import ZarebaError
from zareba.base.tally import Modifier
from zareba.cli.author import new
from zareba.game.activation import FixedPhases
from zareba.game.doctrine import Doctrine
from zareba.plugins import hook_specs
from zareba.plugins.entry_points import house_rule_files, warn
from zareba.plugins.ruleset import Ruleset
from zareba.registry import HouseRule, find_house_rule, load_rules, ruleset
from zareba.scenario import load_scenario
from zareba.session import Session
from zareba.table import ScriptedTable
from zareba.testing import play as play_under
from zareba_rulesets import vcc
from zareba_rulesets.vcc.book import VccFile
from zareba_rulesets.vcc.chapters.casualties import leader_dies
from zareba_rulesets.vcc.game import VccGame

HOOKS = [name for name in sorted(vars(hook_specs)) if name.startswith("zareba_")]


def implemented(module: Any) -> set[str]:
    return {hook for hook in HOOKS if hasattr(getattr(module, hook, None), "zareba_impl")}


def example(hook: str) -> ModuleType:
    """Return the example in the docstring of a hook as a module."""
    text = inspect.getdoc(getattr(hook_specs, hook)) or ""
    _, mark, code = text.partition("Example::\n")
    assert mark, f"{hook} has no example"
    module = ModuleType(f"example_of_{hook}")
    names = {
        "zareba": zareba,
        "Path": Path,
        "Doctrine": Doctrine,
        "FixedPhases": FixedPhases,
        "Metric": Metric,
        "ReportSection": ReportSection,
        "SheetTable": SheetTable,
        "Sample": Sample,
        "Ruleset": Ruleset,
        "Modifier": Modifier,
        "StateVariable": api.StateVariable,
        "Setting": api.Setting,
        "Evaluation": api.Evaluation,
        "replace": replace,
        "VccFile": VccFile,
        "VccGame": VccGame,
    }
    vars(module).update(names, __file__=str(Path(zareba_plugins.__file__)))
    exec(compile(dedent(code), f"<example of {hook}>", "exec"), vars(module))
    return module


def loaded(hook: str) -> Any:
    """Return VCC with the example as its only house rule."""
    return load_rules("vcc", house_rules=[HouseRule("example", Path("example.py"), hook, module=example(hook))])


def test_every_hook_is_used_by_a_shipped_rule() -> None:
    rules = [find_house_rule(name).module for name in house_rule_files()]
    used = set().union(*(implemented(module) for module in [vcc, zareba_plugins, *rules]))
    page = (Path(new.__file__).parent / "templates" / "bare" / "init.py.txt").read_text(encoding="utf-8")
    assert used | {hook for hook in HOOKS if f"def {hook}(" in page} == set(HOOKS)


def test_zareba_counts_decides_which_figures_count() -> None:
    counts = example("zareba_counts").zareba_counts
    assert counts(None, SimpleNamespace(marks={"shaken"}))
    assert not counts(None, SimpleNamespace(marks={"routed"}))


def test_every_hook_has_a_test_of_its_name() -> None:
    tested = {
        node.name
        for file in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert not [hook for hook in HOOKS if not any(name.startswith("test_") and f"_{hook}_" in name for name in tested)]


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_an_example_that_implements_it(hook: str) -> None:
    module = example(hook)
    assert implemented(module) == {hook}
    assert set(inspect.signature(getattr(module, hook)).parameters) <= set(
        inspect.signature(getattr(hook_specs, hook)).parameters
    )


# --- hooks of packages ------------------------------------------------------------------------------------------------


def test_zareba_ruleset_gives_the_ruleset_of_its_package() -> None:
    assert ruleset("vcc") == vcc.zareba_ruleset()
    shown = example("zareba_ruleset").zareba_ruleset()
    assert (shown.id, shown.file, shown.game) == ("vcc", VccFile, VccGame)


def test_zareba_house_rules_gives_the_files_of_its_package() -> None:
    files = house_rule_files()
    assert set(files.values()) == set(zareba_plugins.zareba_house_rules())
    shown = example("zareba_house_rules").zareba_house_rules()
    patches = {file.parent.name if file.name == "rule.yaml" else file.stem for file in shown}
    found = {name for name, file in files.items() if file.suffix != ".py"}
    assert found == patches | {f"zareba:{name}" for name in patches}


def test_zareba_agents_gives_players_that_take_seats() -> None:
    shown = example("zareba_agents").zareba_agents()
    shipped = zareba_plugins.zareba_agents()
    assert set(shown) <= set(shipped) <= set(agent_names())
    scenario = load_scenario("patrol_clash")
    game = load_rules("vcc").game(scenario)
    session = Session(game, {"patrol": "bold", "tribesmen": "cautious"}, 4)
    session.drive()
    assert session.pending is None and session.state.turn > 1


def test_zareba_metrics_adds_metrics_to_comparisons() -> None:
    (shown,) = example("zareba_metrics").zareba_metrics()
    (shipped,) = zareba_plugins.zareba_metrics()
    assert [metric.id for metric in all_metrics()] == [*(metric.id for metric in METRICS), shipped.id]
    agents = (("patrol", "random"), ("tribesmen", "random"))
    records = run_games(GameTask(Variant("vcc", "vcc"), "patrol_clash", 0, 6, 4, agents, True))
    scope = Scope.of(records)
    (costs,), (long,) = measure(shipped, records, scope), measure(shown, records, scope)
    for record, cost, over_ten in zip(records, costs.values, long.values, strict=True):
        assert over_ten == (record.turns > 10)
        lost = {side: sum(record.losses[side].values()) for side in record.sides}
        beaten = [side for side in record.sides if side != record.winner]
        assert cost == (None if record.winner is None else lost[record.winner] > lost[beaten[0]])


def test_metric_with_a_taken_name_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging.getLogger("zareba"), "propagate", True)
    (shown,) = example("zareba_metrics").zareba_metrics()
    for wrong, sentence in (
        (replace(shown, id="M1"), "the metrics of 'club' are left out: the id 'M1' is taken"),
        (replace(shown, primary=True), "the metrics of 'club' are left out: 'long' is primary"),
        ("long", "the metrics of 'club' are left out: 'long' is not a Metric"),
    ):
        warn.cache_clear()
        monkeypatch.setattr(metrics, "installed_metrics", lambda brought=wrong: (("club", brought),))
        assert all_metrics.__wrapped__() == metrics.METRICS
        assert sentence in caplog.messages[-1]
    broken = replace(shown, samples=lambda records, scope: 1 / 0)
    with pytest.raises(ZarebaError, match="the metric 'long' cannot be measured: ZeroDivisionError"):
        measure(broken, [], Scope((), ()))


# --- the examples of the other hooks, in play -------------------------------------------------------------------------


def played(rules: Any) -> Session:
    scenario = load_scenario("patrol_clash")
    game = rules.game(scenario)
    session = Session(game, dict.fromkeys(scenario.sides, "doctrine"), 4)
    session.drive()
    assert session.pending is None
    return session


def test_the_example_of_modifiers_adds_its_modifier() -> None:
    rules = loaded("zareba_modifiers")
    line = rules.tallies["fire_dice"].modifiers[-1]
    assert (line.id, line.source) == ("crack_shots", "house rule example (example.py)")
    played(rules)


def test_the_example_of_options_vetoes_an_option() -> None:
    rules = loaded("zareba_options")
    assert len(rules.option_hooks) == 1
    played(rules)


def test_the_example_of_procedures_wraps_a_procedure() -> None:
    told = [event.kind for _, _, events in played(loaded("zareba_procedures")).log() for event in events]
    assert told.count("note") >= told.count("morale passed") + told.count("morale failed") > 0


def test_the_example_of_steps_adds_to_its_step() -> None:
    session = played(loaded("zareba_steps"))
    told = [event.data.get("text") for _, _, events in session.log() for event in events]
    assert told.count("the evening gun was fired") == session.state.turn


def test_the_example_of_policy_replaces_the_policy() -> None:
    rules = loaded("zareba_policy")
    order = list(rules.game(load_scenario("patrol_clash")).policy.phases)
    assert order.index("british_moves") < order.index("native_moves")
    played(rules)


def test_the_example_of_events_reacts_to_an_event() -> None:
    rules = loaded("zareba_event")
    battle = rules.game(load_scenario("patrol_clash")).start()
    with ScriptedTable(rules, battle, []) as table:
        leader_dies(table, battle, battle.unit("fusiliers"), "fire")
    assert [event.kind for event in table.events] == ["leader killed", "note", "loss"]


def test_a_house_rule_that_does_nothing_changes_nothing() -> None:
    """Hooks that return nothing leave the game the same to the last roll."""
    quiet = ModuleType("quiet")
    exec("import zareba\n@zareba.hookimpl\ndef zareba_modifiers(ruleset): return {}\n"
         "@zareba.hookimpl\ndef zareba_options(question): pass\n"
         "@zareba.hookimpl\ndef zareba_procedures(ruleset): return {}\n"
         "@zareba.hookimpl\ndef zareba_event(event): pass\n", vars(quiet))  # fmt: skip
    rules = load_rules("vcc", house_rules=[HouseRule("quiet", Path("quiet.py"), "", module=quiet)])
    plain = play("patrol_clash", 4)
    assert played(rules).state == plain.state


@pytest.mark.parametrize("name", each_ruleset("afriboria", "vcc"))
def test_house_rule_without_effect_leaves_games_unchanged(tmp_path: Path, name: str) -> None:
    idle = tmp_path / "idle.py"
    hooks = "def zareba_options(state, question): pass", "def zareba_event(table, event): pass"
    idle.write_text("import zareba\n" + "".join(f"@zareba.hookimpl\n{hook}\n" for hook in hooks))

    def record(house_rules: list[HouseRule]) -> GameRecord:
        game = load_rules(name, house_rules=house_rules).game(load_scenario("patrol_clash"))
        agents = tuple((side, "random") for side in game.seats)
        return play_game(game, name, GamePlan(0, 0, 3, False, agents))

    with_it, without = record([find_house_rule(str(idle))]), record([])
    assert replace(with_it, effort=without.effort) == without  # more options are computed, to pass them to the hook


def test_module_level_state_variables_need_no_hook(tmp_path: Path) -> None:
    rule = tmp_path / "club.py"
    rule.write_text(
        "from zareba.api import StateVariable, Modifier, hookimpl\n"
        "turns = StateVariable('turns', 0, of='game', words='turns told')\n\n"
        "@hookimpl\ndef zareba_turn(table):\n    turns.add(table, None, 1, most=2)\n\n"
        "@hookimpl\ndef zareba_modifiers():\n"
        "    late = Modifier('late', 'H', 'add', -1, when={'club.turns': {'at_least': 2}}, summary='late')\n"
        "    return {'shooting': [late]}\n",
        encoding="utf-8",
    )
    played = play_under(rule, "short_evening", player="doctrine")
    assert played.state_variable("club.turns") == {"": 2} and played.lines["late"] > 0


def test_why_reports_the_result_that_a_house_rule_gives_a_throw(tmp_path: Path) -> None:
    rule = tmp_path / "floor.py"
    rule.write_text(
        "from zareba.api import hookimpl\n\n@hookimpl\ndef zareba_roll(roll, throw):\n"
        "    return max(5, throw(roll)) if roll.why == 'morale' else None\n",
        encoding="utf-8",
    )
    played = play_under(rule, seed=4, player="doctrine")
    assert played.lines["by floor"] > 0


def test_the_hook_zareba_actions_takes_a_dict_of_lists(tmp_path: Path) -> None:
    file = tmp_path / "ours.py"
    for returned, said in (
        ("[]", r"it returned \[\], not a dict"),
        ("{'act': 7}", "not a dict of questions and lists"),
    ):
        file.write_text(
            f"import zareba\n\n\n@zareba.hookimpl\ndef zareba_actions():\n    return {returned}\n", encoding="utf-8"
        )
        with pytest.raises(ZarebaError, match=f"house rule 'ours' failed in zareba_actions .* {said}"):
            load_rules("fixed_baynet", {}, [find_house_rule(str(file))])
