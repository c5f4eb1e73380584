"""Each shipped house rule, on and off, with the same dice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.core.toy import ToyGame
from tests.plugins.luck import play, rules_with

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.game.advance import advance
from zareba.odds import Odds, odds
from zareba.plugins.entry_points import house_rule_files, plugins
from zareba.plugins.ruleset import Advisor, Evaluation
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.table import Choose, ScriptedTable, SeededTable
from zareba_rulesets.vcc.chapters.casualties import leader_dies
from zareba_rulesets.vcc.chapters.fire import FireFacts
from zareba_rulesets.vcc.chapters.morale import check_morale

OF_VCC = (
    "dig_in",
    "fire_before_moving",
    "gatling_never_jams",
    "nightfall",
    "no_fire_on_the_hospital",
    "second_wind",
    "smoke_and_dust",
    "steady_bugler",
)
OF_FIXED_BAYNET = ("lantern",)
OF_ALL = (
    "after_dark",
    "alternate_units",
    "ambush",
    "ammunition",
    "card_a_unit",
    "characters",
    "clear_victory",
    "colour_cards",
    "colour_order",
    "experience",
    "fatigue",
    "fog_of_war",
    "gun_friction",
    "heroes",
    "late_reserve",
    "no_pursuit",
    "random_events",
    "ransom",
    "secret_orders",
    "short_evening",
    "stand_and_fire",
    "steady_nerves",
    "sudden_death",
    "thorn_hedge",
    "two_cards_and_a_die",
    "unit_deck",
    "weather",
)
SHIPPED = tuple(sorted((*OF_ALL, *OF_FIXED_BAYNET, *OF_VCC)))
GUNS, HOSPITAL, PATROL = "battle_of_the_wells", "mission_station", "patrol_clash"


def ask(procedure: str, *house_rules: str, **facts: Any) -> Odds:
    rules = rules_with(*house_rules)
    asked = rules.ruleset.procedure(procedure)
    return odds(rules, asked, asked.facts(**facts))


def test_the_shipped_rules_are_found_by_name() -> None:
    shipped = next(plugin for plugin in plugins() if plugin.name == "shipped")
    assert tuple(sorted(shipped.house_rules)) == SHIPPED
    assert [find_house_rule(name).name for name in SHIPPED] == list(SHIPPED)


def test_the_shipped_commanders_differ_in_temper() -> None:
    even = [Evaluation(inflicts=1.0, suffers=1.0, reason="an even fight"), Evaluation(ground=0.1, reason="wait")]
    options = Choose("charge", "T-1", "lancers", "patrol", ("charge", "wait"), ())

    class EvenAdvisor(Advisor[Any]):
        def evaluate(self, state: Any, question: Any) -> Any:
            return even

    class Even(ToyGame):
        advisor_class = EvenAdvisor

    assert make_agent("bold", Even(), "patrol", 1)(options, None) == "charge"
    assert make_agent("doctrine", Even(), "patrol", 1)(options, None) == "wait"
    even[0] = Evaluation(inflicts=1.2, suffers=1.0, reason="a good fight")
    assert make_agent("doctrine", Even(), "patrol", 1)(options, None) == "charge"
    assert make_agent("cautious", Even(), "patrol", 1)(options, None) == "wait"


@pytest.mark.parametrize("name", SHIPPED)
def test_each_file_begins_with_an_introduction(name: str) -> None:
    file = house_rule_files()[name]
    text = (file / "rule.yaml" if file.is_dir() else file).read_text(encoding="utf-8")
    head = text.split("house_rule:")[0] if text.startswith("#") else text.split('"""')[1]
    assert len(head.split()) > 40


def test_all_shipped_rules_can_be_played_together() -> None:
    rules = rules_with(*OF_VCC)
    assert rules.house_rules == OF_VCC
    played = play(PATROL, 4, *OF_VCC)
    assert played.state.over


WHERE_IT_MATTERS = {"gatling_never_jams": GUNS, "no_fire_on_the_hospital": HOSPITAL}


@cache
def throws(scenario: str, *house_rules: str) -> dict[str, tuple[int, ...]]:
    return dict(play(scenario, 1, *house_rules).throws)


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        pytest.param(name, battle, marks=[] if battle == WHERE_IT_MATTERS.get(name, PATROL) else pytest.mark.deep)
        for name in OF_VCC
        for battle in (PATROL, GUNS, HOSPITAL)
    ],
)
def test_a_house_rule_changes_the_luck_of_no_throw(name: str, scenario: str) -> None:
    """A roll for the same purpose shows the same faces in both games, even after the games have diverged."""
    without, with_it = throws(scenario), throws(scenario, name)
    common = without.keys() & with_it.keys()
    assert len(common) >= 5
    assert {key: without[key] for key in common} == {key: with_it[key] for key in common}


# --- fire_before_moving -----------------------------------------------------------------------------------------------


def phases_of_turns(*house_rules: str) -> list[str]:
    """Return the fire and movement phases of a game in order."""
    rules = rules_with(*house_rules)
    phases = rules.game(load_scenario(PATROL)).policy.phases
    return [entry.step for entry in phases.values() if entry.step in ("fire", "move")]


def test_zareba_policy_lets_all_units_fire_before_any_moves() -> None:
    assert phases_of_turns() == ["fire", "fire", "move", "move", "fire", "fire"]
    assert phases_of_turns("fire_before_moving") == ["fire", "fire", "fire", "fire", "move", "move"]
    assert play(PATROL, 4, "fire_before_moving").state.turn > 1


def started(folder: Path, name: str, hook: str) -> Any:
    """Return a game of VCC under a house rule with this hook."""
    file = folder / f"{name}.py"
    file.write_text(f"import zareba\n{hook}\n", encoding="utf-8")
    rules = rules_with(str(file))
    return rules.game(load_scenario(PATROL))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("CommandPoints", "which needs a FixedPhases"),
        ("3", "it returned 3, which is not a function that makes a policy"),
        ("lambda sequence, sides: sequence['dawn']", "KeyError: 'dawn'"),
    ],
)
def test_a_policy_that_cannot_order_the_play_is_blamed_on_its_house_rule(
    tmp_path: Path, given: str, sentence: str
) -> None:
    hook = f"@zareba.hookimpl\ndef zareba_policy(ruleset): return {given}"
    with pytest.raises(RuleBroken, match=f"'odd' failed in zareba_policy .*{sentence}"):
        started(tmp_path, "odd", f"from zareba.game.activation import CommandPoints\n{hook}")


def test_two_house_rules_cannot_both_provide_a_policy(tmp_path: Path) -> None:
    other = tmp_path / "other_order.py"
    other.write_text(house_rule_files()["fire_before_moving"].read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ZarebaError, match="'fire_before_moving' and 'other_order' both have an activation policy"):
        rules_with("fire_before_moving", str(other))


# --- nightfall --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 6))
def test_zareba_steps_night_falls_on_a_six_and_not_before_the_sixth_turn(seed: int) -> None:
    played = play(PATROL, seed, "nightfall")
    thrown = [(int(key.split("/")[0]), faces) for key, faces in played.throws if "/nightfall/" in key]
    assert [turn for turn, _ in thrown] == list(range(6, 6 + len(thrown)))
    assert all(faces != (6,) for _, faces in thrown[:-1])
    dark = bool(thrown) and thrown[-1][1] == (6,)
    assert (played.state.ending == "nightfall") is dark is ("nightfall" in played.kinds())


def test_night_falls_in_some_games_and_not_in_others() -> None:
    assert {play(PATROL, seed, "nightfall").state.ending == "nightfall" for seed in range(1, 9)} == {True, False}


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "paychest"])
def test_night_falls_under_other_rules_too(ruleset: str) -> None:
    rules = load_rules(ruleset, house_rules=[find_house_rule("nightfall")])
    game = rules.game(load_scenario(PATROL))

    def ending(seed: int) -> str:
        state = game.start()
        table = SeededTable(rules, state, seed, {side: make_agent("random", game, side, seed) for side in game.seats})
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
        return str(state.ending)

    assert any(ending(seed) == "nightfall" for seed in range(1, 9))


def test_a_wrong_name_of_a_step_is_refused_with_the_nearest(tmp_path: Path) -> None:
    hook = "@zareba.hookimpl\ndef zareba_steps(ruleset): return {'end.trun': print}"
    with pytest.raises(RuleBroken, match=r"'typo' failed in zareba_steps .*step of vcc called 'end.trun'.*'end.turn'"):
        started(tmp_path, "typo", hook)


def test_a_step_that_fails_is_blamed_on_its_house_rule(tmp_path: Path) -> None:
    hook = """def dark(step, table, battle): raise ValueError('too dark')
@zareba.hookimpl
def zareba_steps(ruleset): return {'deploy.place': dark}"""
    game = started(tmp_path, "loud", hook)
    with pytest.raises(RuleBroken, match=r"'loud' failed in zareba_steps .*ValueError: too dark"):
        advance(game, game.start(), [])


# --- gatling_never_jams -----------------------------------------------------------------------------------------------


def test_after_the_patch_the_gatling_never_jams_and_has_a_shorter_range() -> None:
    off, on = load_rules("vcc"), rules_with("gatling_never_jams")
    assert (off.settings["mg_overheat"], on.settings["mg_overheat"]) == ("on", "off")
    assert (off.data["weapons"]["machine_gun"]["long"], on.data["weapons"]["machine_gun"]["long"]) == (6, 5)
    gun = on.sources["weapons", "machine_gun", "long"]
    assert (gun.name, gun.was) == ("house rule gatling_never_jams", 6)


def test_no_die_is_thrown_for_overheating() -> None:
    seed = next(seed for seed in range(10) if "overheating" in play(GUNS, seed).purposes())
    on = play(GUNS, seed, "gatling_never_jams")
    assert "overheating" not in on.purposes()
    assert {"overheated", "broken for good"}.isdisjoint(on.kinds())


# --- smoke_and_dust ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "off", "on"),
    [
        (FireFacts(bases=8, band="long"), 4, 3),
        (FireFacts(bases=4, band="long"), 2, 2),  # 1.5 dice round up
        (FireFacts(bases=3, band="long"), 2, 2),  # too few bases for a bank of smoke
        (FireFacts(bases=8), 8, 8),
        (FireFacts(bases=8, target_mounted=True), 9, 8),
        (FireFacts(bases=4, band="long", cover="hard"), 1, 1),
    ],
)
def test_long_lines_lose_dice_to_smoke_and_riders_are_hidden_by_dust(facts: FireFacts, off: int, on: int) -> None:
    rules = rules_with("smoke_and_dust")
    assert load_rules("vcc").tally("fire_dice", facts).total == off
    assert rules.tally("fire_dice", facts).total == on


def test_the_explanation_of_a_shot_names_the_house_rule() -> None:
    parts = rules_with("smoke_and_dust").tally("fire_dice", FireFacts(bases=8, band="long")).parts()
    smoke = next(part for part in parts if part.id == "own_smoke")
    assert (smoke.change, smoke.running, smoke.rule) == ("x 3/4", 3, "HOUSE-SMOKE")
    assert smoke.source.startswith("house rule smoke_and_dust (") and ".yaml:" in smoke.source


# --- steady_bugler ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "off", "on"),
    [
        ({"bases": 2, "leader": True}, Fraction(3, 6), Fraction(4, 6)),
        ({"bases": 2}, Fraction(2, 6), Fraction(2, 6)),
        ({"bases": 1, "leader": True, "commander": True}, Fraction(4, 6), Fraction(4, 6)),
    ],
)
def test_zareba_modifiers_the_bugler_helps_men_to_rally(facts: dict[str, Any], off: Fraction, on: Fraction) -> None:
    assert ask("rally", **facts).probability(lambda outcome: outcome.rallied) == off
    assert ask("rally", "steady_bugler", **facts).probability(lambda outcome: outcome.rallied) == on


def fallen_leader(*house_rules: str, bases: int = 3) -> tuple[list[str], frozenset[str]]:
    """Return the events and the marks of a unit whose leader falls."""
    rules = rules_with(*house_rules)
    battle = rules.game(load_scenario(PATROL)).start()
    unit = battle.unit("fusiliers")
    unit.bases = bases
    with ScriptedTable(rules, battle, []) as table:
        leader_dies(table, battle, unit, "fire")
    return [event.kind for event in table.events], unit.marks


def test_zareba_event_the_bugler_sounds_when_the_leader_falls() -> None:
    assert fallen_leader() == (["leader killed", "loss"], frozenset({"lost_base"}))
    assert fallen_leader("steady_bugler") == (["leader killed", "bugle", "loss"], frozenset({"lost_base", "jest"}))


def test_no_bugler_is_left_when_the_whole_unit_falls_with_its_leader() -> None:
    told, marks = fallen_leader("steady_bugler", bases=0)
    assert "bugle" not in told and "jest" not in marks


# --- second_wind ------------------------------------------------------------------------------------------------------


def broken(*house_rules: str, script: list[tuple[str, Any]]) -> tuple[str, bool]:
    """Return the result of the morale check of two bases without a leader, and whether they are broken after it."""
    rules = rules_with(*house_rules)
    battle = rules.game(load_scenario(PATROL)).start()
    unit = battle.unit("swordsmen")
    unit.bases, unit.leader, unit.facing = 2, False, 4
    battle.move(unit, battle.field.grid.parse("D3"))
    with ScriptedTable(rules, battle, script) as table:
        result = check_morale(table, battle, unit)
    return result, "broken" in unit.marks


def test_zareba_procedures_a_six_undoes_the_breaking() -> None:
    assert broken(script=[("morale", [6])]) == ("breaks", True)
    assert broken("second_wind", script=[("morale", [6]), ("second wind", [5])]) == ("breaks", True)
    assert broken("second_wind", script=[("morale", [6]), ("second wind", [6])]) == ("breaks", False)


def test_a_unit_that_does_not_break_throws_no_die() -> None:
    assert broken("second_wind", script=[("morale", [2])]) == ("passes", False)
    assert broken("second_wind", script=[("morale", [3]), ("hits from morale", [1])]) == ("shaken", False)


def test_games_with_second_wind_are_the_same_until_a_six() -> None:
    winds = 0
    for seed in range(4):
        off, on = play("hill_fort", seed), play("hill_fort", seed, "second_wind")
        winds += "second wind" in on.purposes()
        if "second wind" not in on.kinds():
            assert on.without("second wind") == off.throws
            assert on.state.to_data() == off.state.to_data()
    assert winds


# --- no_fire_on_the_hospital ------------------------------------------------------------------------------------------


def test_zareba_options_removes_the_hospital_as_a_target() -> None:
    rules = rules_with("no_fire_on_the_hospital")
    battle = rules.game(load_scenario(HOSPITAL)).start()
    question = Choose("fire at", "VCC-093", "young_bulls", "zulu", ("sick", "young_bulls", "hold fire"), ())
    assert list(rules.filter_options(battle, question)) == ["young_bulls", "hold fire"]
    other = question._replace(why="fight", rule="VCC-133")
    assert list(rules.filter_options(battle, other)) == list(other.options)


def test_a_hospital_is_shot_at_only_without_the_house_rule() -> None:
    clash = load_scenario(PATROL)
    units = {**clash.units, "jezails": clash.units["jezails"].model_copy(update={"name": "Field Hospital"})}
    clash = clash.model_copy(update={"units": units})

    def shots(*house_rules: str) -> int:
        games = [play(clash, seed, *house_rules) for seed in range(3)]
        return sum(
            event.kind == "fire" and event.data["target"] == "jezails" for game in games for event in game.events
        )

    assert shots() > 0
    assert shots("no_fire_on_the_hospital") == 0


# --- after_dark -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("vcc", ["failed_morale.shaken.hit_dice is now 2, not 1", "failed_morale.breaks.retreat is now 3, not 2"]),
        ("paychest", ["rally.passes_at is now 9, not 7"]),
        ("fixed_baynet", ["pinned.turns is now 3, not 2"]),
    ],
)
def test_from_the_fifth_turn_on_numbers_change_and_the_change_is_reported(ruleset: str, told: list[str]) -> None:
    game = load_rules(ruleset, None, [find_house_rule("after_dark")]).game(load_scenario(PATROL))
    for turn, notes in ((4, []), (5, [f"{note} (after_dark)" for note in told])):
        state = game.start()
        state.turn = next(number for number in range(40) if _in_turn(game, state, number) == turn)
        table = SeededTable(game.rules, state, 1, {side: make_agent("random", game, side, 1) for side in game.seats})
        step = game.play.next_step(state)
        assert step is not None
        table.begin(step)
        game.play.perform(table, state, step)
        assert [event.data["text"] for event in table.events if event.rule == "after_dark"] == notes


def _in_turn(game: Any, state: Any, number: int) -> int:
    state.turn = number
    turn: int = game.game_turn(state)
    return turn
