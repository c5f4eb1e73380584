"""House rules: patches, modifiers, options, wrapped procedures, events, and added actions."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import house, squad

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.state import digest
from zareba.battle.fallbacks import default_name
from zareba.odds import odds
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Event, ScriptedTable, SeededTable
from zareba_rulesets.fixed_baynet.actions.activation import legal_actions, perform_action
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, fire_volley
from zareba_rulesets.fixed_baynet.chapters.machine_guns import roll_for_jam
from zareba_rulesets.fixed_baynet.chapters.morale import glory_event
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit
from zareba_rulesets.fixed_baynet.presentation.words import words
from zareba_rulesets.fixed_baynet.translation import lay_out

LANTERN = ("throw lantern", "hut")


def at_the_hut(rules: Rules, away: float = 4.0) -> Battle:
    """Six men south of a hut, which holds an enemy."""
    red, blue = squad("red", "patrol", 6, (43, 38 - away)), squad("blue", "tribesmen", 1, (43, 43))
    (man,) = blue.figures.values()
    man.place, man.post = "hut:0:0", "hut:window"
    on = house()
    state = bare_battle(rules, [red, blue], on)
    state.houses["hut"] = BuildingState(4)
    state.active = "red"
    return state


def lantern() -> Rules:
    return load_rules("fixed_baynet", {}, [find_house_rule("lantern")])


def of(state: Battle) -> tuple[Battle, Any]:
    return state, state.units["red"]


def test_an_action_of_a_house_rule_is_offered_where_it_is_legal() -> None:
    rules = lantern()
    assert LANTERN in legal_actions(*of(at_the_hut(rules))).kinds
    assert LANTERN not in legal_actions(*of(at_the_hut(rules, away=12.0))).kinds
    assert LANTERN not in legal_actions(*of(at_the_hut(load_rules("fixed_baynet")))).kinds


def question(state: Battle) -> Choose:
    return Choose("act", "FBN-016", "red", "patrol", legal_actions(state, state.units["red"]).kinds, ())


def test_house_action_has_text_odds_and_value() -> None:
    rules = lantern()
    game = FbnGame(rules, load_scenario("patrol_clash"))
    state = at_the_hut(rules)
    asked = question(state)
    assert game.narrator.describe_option(state, asked, LANTERN) == "throw a lantern into the thatch of the hut (1 AC)"
    assert game.advisor.has_odds(state, asked, LANTERN)
    best = game.advisor.best_options(state, asked)
    assert best[LANTERN].inflicts == 0.1 and best[LANTERN].reason == "enemies are inside, and thatch burns"
    assert list(best).index(LANTERN) < list(best).index("end")


def test_odds_of_a_house_action_show_the_damage_to_the_building() -> None:
    game = FbnGame(lantern(), load_scenario("patrol_clash"))
    before, after = at_the_hut(game.rules), at_the_hut(game.rules)
    after.houses.change("hut").points = 2
    assert [game.narrator.describe_change(change) for change in game.display.changes(before, after)] == [
        "hut: 2 damage points lost"
    ]


@pytest.mark.parametrize(("face", "left"), [(3, 4), (4, 2)])
def test_house_action_is_performed_through_the_table(face: int, left: int) -> None:
    rules = lantern()
    state = at_the_hut(rules)
    with ScriptedTable(rules, state, [("lantern", face)]) as table:
        perform_action(table, state, state.change(state.units["red"]), LANTERN)
    assert state.houses["hut"].points == left
    assert sorted(man.ac for man in state.units["red"].figures.values()) == [2, 3, 3, 3, 3, 3]


def test_games_with_a_house_action_replay_equally() -> None:
    ends = []
    for kind in ("random", "random", "doctrine"):
        game = lantern().game(load_scenario("mission_station"))
        state = game.start()
        table = SeededTable(game.rules, state, 3, {seat: make_agent(kind, game, seat, 3) for seat in game.seats})
        while (step := game.play.next_step(state)) is not None and state.turn <= 3:
            table.begin(step)
            game.play.perform(table, state, step)
        ends.append(digest(state.to_data()))
    assert ends[0] == ends[1] != ends[2]


ROW = """
from zareba.api import Evaluation, RulesValue, SimpleAction, hookimpl
@hookimpl
def zareba_actions():
    row = SimpleAction("{verb}", "{text}", may=lambda actor: {may}, does=lambda table, actor: None,
                       worth=RulesValue(lambda book: Evaluation(ground=9.0)))
    return {{"{question}": [{row}]}}
"""
SOUND = {"verb": "salute", "text": "salute", "may": "True", "question": "act", "row": "row"}


def rule(folder: Path, text: str) -> Rules:
    file = folder / "ours.py"
    file.write_text(text, encoding="utf-8")
    return load_rules("fixed_baynet", {}, [find_house_rule(str(file))])


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        ({"verb": "lie down"}, "there is an action 'lie down' already"),
        ({"text": "salute {whom}"}, "the text of 'salute' has a gap {whom}"),
        ({"question": "acts"}, "did you mean 'act'"),
        ({"row": "7"}, "7 is not an action"),
    ],
)
def test_a_faulty_action_is_refused_when_the_rules_are_loaded(
    tmp_path: Path, faulty: dict[str, str], said: str
) -> None:
    with pytest.raises(ZarebaError, match=r"house rule 'ours' failed in zareba_actions") as error:
        rule(tmp_path, ROW.format(**{**SOUND, **faulty}))
    assert said in str(error.value)


def test_an_error_in_the_options_of_a_house_action_names_the_house_rule(tmp_path: Path) -> None:
    state = at_the_hut(rule(tmp_path, ROW.format(**{**SOUND, "may": "actor.unit.nerve > 3"})))
    with pytest.raises(RuleBroken, match=r"house rule 'ours' failed in zareba_actions .*ours.py:5"):
        legal_actions(*of(state))


def test_an_action_of_one_man_is_offered_after_those_of_the_rules(tmp_path: Path) -> None:
    rules = rule(tmp_path, ROW.format(**{**SOUND, "question": "what he does"}))
    game = FbnGame(rules, load_scenario("patrol_clash"))
    state = at_the_hut(rules)
    table = ScriptedTable(rules, state, [("which man", "red/1"), ("what he does", "salute")])
    with table:
        perform_action(table, state, state.change(state.units["red"]), "one man")
    asked = Choose("what he does", "FBN-016", "red/1", "patrol", ("salute", "nothing"), ())
    assert [game.narrator.describe_option(state, asked, option) for option in asked.options] == ["salute", "do nothing"]
    assert game.advisor.evaluate(state, asked)[0].ground == 9.0


HEAD = "import zareba\nfrom zareba.base.tally import Modifier\n\n"


def with_rule(folder: Path, text: str, name: str = "mine.py", **settings: Any) -> Rules:
    """Return the rules with a house rule of this text."""
    file = folder / name
    file.write_text(HEAD + text if name.endswith(".py") else text, encoding="utf-8")
    return load_rules("fixed_baynet", settings, [find_house_rule(str(file))])


@pytest.mark.rule("FBN-232")
def test_a_patch_makes_the_gatling_never_jam(tmp_path: Path) -> None:
    patch = "house_rule: no_jam\nruleset: fixed_baynet\ntitle: Our Gatling never jams\nchanges:\n  - {at: jam.from, was: 6, to: never}\n"
    rules = with_rule(tmp_path, patch, "no_jam.yaml")
    with ScriptedTable(rules, None, []) as table:
        assert not roll_for_jam(table, "gun")
    facts = rules.ruleset.procedure("machine_gun").facts(salvos=1)
    assert odds(rules, rules.ruleset.procedure("machine_gun"), facts).probability(lambda o: o.jammed) == 0


def line_of_fire(rules: Rules, away: float = 10.0) -> tuple[Any, Any, Any]:
    red = bare_unit("red", "red", [bare_figure("red/1", "red", 10, 10)])
    blue = bare_unit("blue", "blue", [bare_figure("blue/1", "blue", 10, 11 + away, weapon="none")])
    state = bare_battle(rules, [red, blue])
    state.active = "red"
    return state, red, blue


@pytest.mark.rule("FBN-082")
def test_a_modifier_of_a_house_rule_is_in_play_in_the_odds_and_in_why(tmp_path: Path) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\n"
        "def zareba_modifiers(ruleset):\n"
        "    steady = Modifier('steady_hands', 'HOUSE-1', 'add', -1, when=lambda facts: facts.band == 'short')\n"
        "    return {'fire': [steady]}\n",
    )
    assert [rules.tally("fire", ShotFacts(5, band=band)).total for band in ("short", "medium")] == [3, 5]
    found = odds(rules, rules.ruleset.procedure("shot"), rules.ruleset.procedure("shot").facts(ds=5, band="short"))
    assert found.probability(lambda o: o.result != "miss") == F(10, 12)
    state, red, blue = line_of_fire(rules, 5.0)
    with ScriptedTable(rules, state, [("shot", [3])]) as table:
        fire_volley(table, state, red, blue)
        assert any(part.rule == "HOUSE-1" for part in table.tallies[-1].parts())
    assert not blue.figures


@pytest.mark.rule("FBN-093", "FBN-016")
def test_house_rules_veto_and_add_options(tmp_path: Path) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\n"
        "def zareba_options(state, question):\n"
        "    if question.why == 'act':\n"
        "        return [option for option in question.options if option not in ('lie down', 'one man')]\n",
    )
    game = FbnGame(rules, load_scenario("patrol_clash"))
    default_name = FbnGame(load_rules("fixed_baynet"), load_scenario("patrol_clash"))
    offered: dict[bool, set[str]] = {True: set(), False: set()}
    for number, each_game in enumerate((game, default_name)):
        state = each_game.start()

        def agent(question: Any, _: Any, number: int = number) -> Any:
            if isinstance(question, Choose):
                offered[number == 0].update(str(option) for option in question.options)
                return question.options[-1]
            return question.suggestions[0] if hasattr(question, "suggestions") else False

        table = SeededTable(each_game.rules, state, 3, dict.fromkeys(each_game.seats, agent))
        for _ in range(30):
            step = each_game.play.next_step(state)
            assert step is not None
            table.begin(step)
            each_game.play.perform(table, state, step)
    assert "lie down" in offered[False] and not offered[True] & {"lie down", "one man"}


@pytest.mark.rule("FBN-146", "FBN-087")
def test_house_rules_wrap_and_replace_procedures(tmp_path: Path) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\n"
        "def zareba_procedures(ruleset):\n"
        "    def fearless(event, table, battle, unit, kind):\n"
        "        if kind != 'charge':\n"
        "            event(table, battle, unit, kind)\n"
        "    def no_blood(to_hit, table, situation, actor, target):\n"
        "        return min(1, to_hit(table, situation, actor, target))\n"
        "    return {'glory.event': fearless, 'fire.to_hit': no_blood}\n",
    )
    state, red, blue = line_of_fire(rules)
    with ScriptedTable(rules, state, [("shot", [12])]) as table:
        glory_event(table, state, red, "charge")
        glory_event(table, state, red, "pinned")
        fire_volley(table, state, red, blue)
    assert red.events == ("pinned",) and red.figures["red/1"].gl == 5
    assert [casualty.curable for casualty in state.fallen] == [True], "an ordinary hit, not a bloody death"


@pytest.mark.rule("FBN-091")
def test_house_rules_react_to_events(tmp_path: Path) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\n"
        "def zareba_event(table, event):\n"
        "    if event.kind == 'loss':\n"
        "        table.emit('note', 'HOUSE-1', text='the bugler sounds for ' + event.data['figure'])\n",
    )
    state, red, blue = line_of_fire(rules)
    with ScriptedTable(rules, state, [("shot", [11])]) as table:
        fire_volley(table, state, red, blue)
        notes = [event.data["text"] for event in table.events if event.kind == "note"]
    assert notes == ["the bugler sounds for blue/1"]
    game = FbnGame(rules, load_scenario("patrol_clash"))
    assert game.narrator.describe_event(next(event for event in table.events if event.kind == "note")) == notes[0]


def test_a_failing_house_rule_is_named(tmp_path: Path) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\ndef zareba_procedures(ruleset):\n    return {'fire.to_hit': lambda *args: 1 // 0}\n",
        "broken.py",
    )
    state, red, blue = line_of_fire(rules)
    with pytest.raises(ZarebaError, match=r"broken"):
        fire_volley(ScriptedTable(rules, state, []), state, red, blue)


@pytest.mark.rule("FBN-073")
def test_slopes_are_as_slow_as_the_book_says(tmp_path: Path) -> None:
    scenario = load_scenario("column_ambushed")
    patch = "house_rule: easy_slopes\nruleset: fixed_baynet\ntitle: Steep slopes are no worse than others\nchanges:\n  - {at: terrain.high_slope.uphill, was: jagged, to: bumpy}\n"
    steep = {hill.difficulty for hill in lay_out(FbnBook(load_rules("fixed_baynet")), scenario, {}, []).heights}
    easy = {
        hill.difficulty for hill in lay_out(FbnBook(with_rule(tmp_path, patch, "easy.yaml")), scenario, {}, []).heights
    }
    assert (steep, easy) == ({2}, {1})


def test_the_procedures_that_may_be_wrapped_are_those_of_the_rulebook() -> None:
    names = set(ruleset("fixed_baynet").wrappable)
    chapters = {name.partition(".")[0] for name in names}
    assert {"activation", "fire", "counter_attack", "close_combat", "hits", "glory", "panic", "rally"} <= chapters
    assert {"cavalry", "charge", "artillery", "machine_gun", "building", "door", "medic", "night"} <= chapters


@pytest.mark.parametrize("player", ["random", "doctrine"])
def test_commanders_answer_the_questions_of_a_house_rule(tmp_path: Path, player: str) -> None:
    rules = with_rule(
        tmp_path,
        "@zareba.hookimpl\n"
        "def zareba_procedures(ruleset):\n"
        "    def begin(proceed, table, battle, unit):\n"
        "        proceed(table, battle, unit)\n"
        "        side, mine = unit.spec.side, {'rule': 'HOUSE-1', 'actor': unit.spec.id}\n"
        "        asked = [table.confirm(side, why='parley', **mine)]\n"
        "        asked += [table.choose(side, ['gold', 'nothing'], why='bribe', **mine)]\n"
        "        asked += [table.place(side, [(3.0, 4.0)], lambda point: None, why='bury it at', **mine)]\n"
        "        table.emit('loss', 'HOUSE-1', unit=unit.spec.id, asked=asked)\n"
        "    return {'activation.begin': begin}\n",
    )
    game = FbnGame(rules, load_scenario("patrol_clash"))
    state = game.start()
    agents = {seat: make_agent(player, game, seat, 7) for seat in game.seats}
    heard: list[str] = []

    def noted(question: Any, now: Any) -> Any:
        if question.rule == "HOUSE-1":
            heard.append(game.narrator.describe(now, question))
        return agents[question.seat](question, now)

    table = SeededTable(rules, state, 7, dict.fromkeys(game.seats, noted))
    while len(heard) < 3:
        step = game.play.next_step(state)
        assert step is not None
        table.begin(step)
        game.play.perform(table, state, step)
    (event,) = [event for event in table.events if event.rule == "HOUSE-1"]
    unit = game.plan.squads[event.data["unit"]].spec.name
    assert heard == [f"{unit}: parley?", f"{unit}: bribe?", f"{unit}: bury it at?"]
    assert game.narrator.describe_event(event).endswith("loss"), "though it names no man"
    assert event.data["asked"][1] in ("gold", "nothing")


@pytest.mark.rule("FBN-159")
def test_units_men_and_sides_have_their_names_in_what_a_house_rule_tells(tmp_path: Path) -> None:
    told = "@zareba.hookimpl\ndef zareba_event(table, event):\n    pass\n"
    game = FbnGame(with_rule(tmp_path, told), load_scenario("patrol_clash"))
    squad = game.plan.squads["swordsmen.2"]
    names = {"swordsmen.2": "Swordsmen (2)", squad.men[1].id: squad.men[1].name, "gathered:tribes:1": "gathered men"}
    names |= {side: entry.name for side, entry in game.scenario.sides.items()}
    for word, name in names.items():
        assert game.narrator.describe_event(Event("sings", "HOUSE-1", {"unit": word})) == f"{name}: sings"
        assert default_name(game.narrator, ("who_sings", word, 2)) == f"who sings {name} 2"


@pytest.mark.parametrize("data", [{}, {"unit": "fusiliers"}, {"unit": 7, "figure": None, "men": "some", "result": 9}])
def test_events_of_house_rules_without_usual_fields_are_described(tmp_path: Path, data: dict[str, Any]) -> None:
    """A house rule may emit an event without fields that our sentences use, such as a loss without the man. It still
    has a description.
    """
    told = "@zareba.hookimpl\ndef zareba_event(table, event):\n    pass\n"
    game = FbnGame(with_rule(tmp_path, told), load_scenario("patrol_clash"))
    for kind in words().events:
        assert game.narrator.describe_event(Event(kind, "HOUSE-1", data))
