"""The state and settings of a house rule and its part in play: each hook with its example, and each possible error."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.test_hooks import example, loaded, played
from tests.small_battle import shortened, small_battle
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.errors import FileError, RuleBroken, ZarebaError
from zareba.game import Game
from zareba.journal import read_journal
from zareba.odds import odds
from zareba.registry import HouseRule, find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.session import Session, new_session, replay
from zareba.table import Choose, Event, Place, ScriptedTable, SeededTable

HEAD = "from zareba.api import *\nfrom zareba.api import hookimpl\n"


@pytest.fixture
def rule(tmp_path: Path) -> Callable[..., HouseRule]:
    """Return a function that writes a house rule to disk."""

    def write(text: str, name: str = "club") -> HouseRule:
        file = tmp_path / f"{name}.py"
        file.write_text(HEAD + text, encoding="utf-8")
        return find_house_rule(str(file))

    return write


def game_of(
    ruleset: str, *rules: HouseRule, scenario: str = "patrol_clash", settings: dict[str, Any] | None = None
) -> Game[Any]:
    resolved = load_rules(ruleset, settings, rules)
    game: Game[Any] = resolved.game(load_scenario(scenario))
    return game


def driven(game: Game[Any], seed: int = 4, player: str = "random") -> tuple[Any, list[Event]]:
    """Return the last state of a game between AI players, and all its events."""
    session = Session(game, dict.fromkeys(game.seats, player), seed)
    session.drive()
    return session.state, [event for _, _, events in session.log() for event in events]


KEEPS = """
rounds = StateVariable("rounds", lambda settings: settings["start"], words="rounds left")
weather = StateVariable("weather", "fair", of="game", words="weather")
morale = StateVariable("morale", 10, of="side", words="morale", secret=True)

@hookimpl
def zareba_settings(ruleset):
    return {"start": Setting(rule="H-1", summary="rounds at first", default=6, at_least=1, at_most=20)}

@hookimpl
def zareba_state(ruleset):
    return [rounds, weather, morale]

@hookimpl
def zareba_turn(table, state, turn, settings):
    first = next(iter(state.units.values()))
    rounds.add(table, first, -1)
    weather[table] = "dust" if turn % 2 else "fair"
    for side in {unit.spec.side for unit in state.units.values()}:
        morale.add(table, side, -turn)
"""


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_zareba_state_is_saved_undone_and_played_again(
    ruleset: str, rule: Callable[..., HouseRule], tmp_path: Path
) -> None:
    keeps = rule(KEEPS)
    path = tmp_path / "game.jsonl"
    scenario = small_battle()
    with_it = new_session(
        ruleset, scenario, dict.fromkeys(scenario.sides, "random"), seed=3, house_rules=[keeps], path=path
    )
    with_it.drive()
    own = with_it.state.own
    assert own.get("club.weather", "fair") == ("dust" if own["zareba.turn"] % 2 else "fair")
    (first,) = [key for key in own if key.startswith("club.rounds/")]
    assert own[first] == 6 - own["zareba.turn"]
    with_it.close()
    assert replay(path, house_rules=[keeps.file]).notice == ""
    assert read_journal(path).header["settings"]["club.start"] == 6
    again, _ = driven(load_rules(ruleset, house_rules=[keeps]).game(scenario), 3)
    assert again.own == own
    plain, _ = driven(load_rules(ruleset).game(scenario), 3)
    assert "own" not in plain.to_data()


def test_state_variables_are_shown_with_unit_and_game(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule(KEEPS), settings={"club.start": 4})
    state, _ = driven(game)
    state.own.clear()
    unit = game.display.labelled_board(state).pieces[0].id
    state.own["club.weather"] = "dust"
    board = game.display.labelled_board(state)
    assert board.headline.endswith(
        "; weather dust; " + "; ".join(f"{game.narrator.name_of(s)}: morale 10" for s in game.seats)
    )
    assert {piece.text.rpartition(", ")[2] for piece in board.pieces if piece.id == unit} == {"rounds left 4"}
    before = state.copy()
    state.own[f"club.rounds/{unit}"] = 3
    (change,) = game.display.changes(before, state)
    assert game.narrator.describe_change(change) == f"{game.narrator.name_of(unit)}: rounds left from 4 to 3"


def test_secret_state_is_visible_to_its_own_side_only(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule(KEEPS))
    state = game.start()
    mine, other = game.seats
    state.own |= {f"club.morale/{mine}": 3, f"club.morale/{other}": 4}
    assert game.sight.view(state, mine).own == {f"club.morale/{mine}": 3}
    assert game.sight.determinize(state, other, 1).own == {f"club.morale/{other}": 4}
    assert game.sight.public(state).own == {}
    assert len(state.own) == 2


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("StateVariable('two words', 1)", "'two words' is not a name for a state variable"),
        ("StateVariable('rounds', [1])", "'rounds' cannot start from \\[1\\]"),
        ("StateVariable('rounds', 1, of='army')", "is a variable of 'army', which is none of game, side, unit"),
        ("StateVariable('rounds', lambda: {})", "'rounds' cannot start from {}"),
        ("3", "it returned \\[3\\], not a list of StateVariable"),
        ("StateVariable('a', 1), StateVariable('a', 2)", "it has two state variables called 'a'"),
    ],
)
def test_invalid_state_values_are_rejected_by_name(rule: Callable[..., HouseRule], line: str, sentence: str) -> None:
    with pytest.raises(ZarebaError, match=sentence) as raised:
        load_rules("vcc", house_rules=[rule(f"@hookimpl\ndef zareba_state():\n    return [{line}]")])
    assert "club" in str(raised.value)


def test_state_variables_must_be_values(rule: Callable[..., HouseRule]) -> None:
    keeps = rule(KEEPS + "\n@hookimpl\ndef zareba_begin(table, state):\n    weather[table] = {'wet'}")
    with pytest.raises(RuleBroken, match=r"'club' failed in zareba_begin .*'weather' cannot be {'wet'}"):
        driven(game_of("vcc", keeps))


def test_zareba_settings_are_set_like_those_of_the_ruleset(rule: Callable[..., HouseRule]) -> None:
    assert example("zareba_settings").zareba_settings("vcc")["rounds"].default == 6
    keeps = rule(KEEPS)
    assert load_rules("vcc", {"club.start": "9"}, [keeps]).settings["club.start"] == 9
    with pytest.raises(ZarebaError, match=r"club.start cannot be '99'; it takes 1 to 20"):
        load_rules("vcc", {"club.start": 99}, [keeps])
    with pytest.raises(ZarebaError, match=r"no setting of vcc called 'club.strat'; did you mean 'club.start'"):
        load_rules("vcc", {"club.strat": 9}, [keeps])


def test_two_sessions_with_one_house_rule_have_separate_settings(rule: Callable[..., HouseRule]) -> None:
    keeps = rule(KEEPS)
    few, many = (load_rules("vcc", {"club.start": number}, [keeps]) for number in (2, 12))
    assert [rules.state_variables["club.rounds"].start for rules in (few, many)] == [2, 12]


# --- contextual conditions --------------------------------------------------------------------------------------------

DRY = """
rounds = StateVariable("rounds", 1, words="rounds left")

@hookimpl
def zareba_state():
    return [rounds]

@hookimpl
def zareba_modifiers(ruleset):
    dry = Modifier("dry", "H-1", "times", 0, when={"club.rounds": {"at_most": 0}}, summary="no rounds left")
    late = Modifier("late", "H-2", "add", 1, when=lambda facts, here: here.turn > 3, summary="the sun is low")
    return {"fire_dice": [dry, late]}
"""


def test_a_modifier_may_depend_on_a_state_variable(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule(DRY))
    state = game.start()
    unit = state.unit(next(iter(state.units)))
    facts = game.rules.ruleset.procedure("fire_pool").facts(bases=4)
    with ScriptedTable(game.rules, state, []) as table:
        full = table.tally("fire_dice", facts, unit)
        state.own[f"club.rounds/{unit.id}"] = 0
        dry = table.tally("fire_dice", facts, unit)
        state.turn = 4
        late = table.tally("fire_dice", facts, unit)
    assert (dry.total, late.total) == (0, 1)
    assert full.total > 0 and not [part for part in full.parts() if part.id in ("dry", "late")]
    assert [(part.id, part.summary) for part in late.parts()][-2:] == [
        ("dry", "no rounds left"),
        ("late", "the sun is low"),
    ]
    assert game.rules.tally("fire_dice", facts).total == full.total  # the context is unknown


def test_conditions_of_yaml_may_name_the_situation(rule: Callable[..., HouseRule], tmp_path: Path) -> None:
    patch = tmp_path / "dusk.yaml"
    patch.write_text(
        "house_rule: dusk\nruleset: vcc\nchanges:\n"
        "  - add: tallies.fire_dice.modifiers.dusk\n"
        "    entry: {rule: H-1, summary: dusk, when: {game.turn: {at_least: 3}, unit.side: patrol}, add: -club.rounds}\n"
    )
    rules = load_rules("vcc", house_rules=[rule(DRY.replace("1, words", "2, words")), find_house_rule(str(patch))])
    state = rules.game(load_scenario("patrol_clash")).start()
    units = {unit.side: unit for unit in state.units.values()}
    facts = rules.ruleset.procedure("fire_pool").facts(bases=4)
    early = rules.tally("fire_dice", facts, state, units["patrol"]).total
    state.turn = 3
    assert rules.tally("fire_dice", facts, state, units["patrol"]).total == early - 2
    assert rules.tally("fire_dice", facts, state, units["tribesmen"]).total == early
    wrong = patch.read_text().replace("game.turn", "game.trun")
    patch.write_text(wrong)
    with pytest.raises(
        ZarebaError, match=r"dusk.yaml:4:.*unknown word 'game.trun' in a condition; did you mean 'game.turn'"
    ):
        load_rules("vcc", house_rules=[rule(DRY), find_house_rule(str(patch))])


@pytest.mark.parametrize(
    ("when", "sentence"),
    [
        ("lambda facts, here: 0.5", "its condition returned 0"),
        ("lambda facts, here: here.turn", r"its condition returned \d, not True or False"),
        ("lambda facts, here: here.wind", "no attribute 'wind'|has no attribute"),
        ("{'club.round': 1}", "unknown word 'club.round' in a condition"),
    ],
)
def test_an_invalid_condition_is_blamed(rule: Callable[..., HouseRule], when: str, sentence: str) -> None:
    broken = rule(
        f"@hookimpl\ndef zareba_modifiers():\n    return {{'fire_dice': [Modifier('x', 'H-1', 'add', 1, when={when})]}}"
    )
    with pytest.raises(RuleBroken, match=rf"house rule 'club' failed in zareba_modifiers .*({sentence})"):
        game = game_of("vcc", broken)
        driven(game, 1, "doctrine")


def test_modifier_with_memory_is_detected(rule: Callable[..., HouseRule]) -> None:
    broken = rule(
        "asked = []\n@hookimpl\ndef zareba_modifiers():\n"
        "    return {'fire_dice': [Modifier('x', 'H-1', 'add', lambda facts, here: asked.append(1) or len(asked))]}"
    )
    with pytest.raises(RuleBroken, match="in the same context it returned 1 and 2"):
        driven(game_of("vcc", broken), 1, "doctrine")


# --- dice -------------------------------------------------------------------------------------------------------------

GUSTS = """
@hookimpl
def zareba_modifiers():
    return {"fire_dice": [Modifier("gusts", "H-1", "add", DiceResult(1, 3), summary="gusts of wind")]}
"""


def test_a_modifier_that_throws_dice_has_exact_odds(rule: Callable[..., HouseRule]) -> None:
    """One, two or three extra dice are equally likely: the odds are the mean of the three."""
    rules = load_rules("vcc", house_rules=[rule(GUSTS)])
    plain = load_rules("vcc")
    pool = rules.ruleset.procedure("fire_pool")

    def hits(of: Rules, bases: int) -> dict[Any, Fraction]:
        return dict(odds(of, pool, pool.facts(bases=bases)).outcomes)

    wanted: dict[Any, Fraction] = {}
    for more in (1, 2, 3):
        for outcome, chance in hits(plain, 2 + more).items():
            wanted[outcome] = wanted.get(outcome, Fraction(0)) + chance / 3
    assert hits(rules, 2) == wanted


def test_a_modifier_that_throws_dice_replays_equally(rule: Callable[..., HouseRule], tmp_path: Path) -> None:
    gusts, path = rule(GUSTS), tmp_path / "game.jsonl"
    scenario = load_scenario("patrol_clash")
    session = new_session(
        "vcc", scenario, dict.fromkeys(scenario.sides, "doctrine"), seed=3, house_rules=[gusts], path=path
    )
    session.drive()
    asked = [answer.question.why for _, answers, _ in session.log() for answer in answers]
    assert asked.count("gusts") == asked.count("fire") > 0
    session.close()
    assert replay(path, house_rules=[gusts.file]).notice == ""


def test_zareba_roll_changes_throws_before_the_rules_read_them(rule: Callable[..., HouseRule]) -> None:
    """A die counts as at least 3, so 1, 2 and 3 are one outcome."""
    rules = loaded("zareba_roll")
    table = SeededTable(rules, None, 5, {})
    thrown = [table.roll(1, 6, why="morale", rule="T-1") for _ in range(60)]
    assert min(thrown) == 3 and max(thrown) == 6
    assert {table.roll(1, 6, why="other", rule="T-1") for _ in range(60)} == {1, 2, 3, 4, 5, 6}
    assert table.rolls == table.dice_rolled == 120


def test_an_added_roll_leaves_all_other_dice_unchanged(rule: Callable[..., HouseRule]) -> None:
    again = rule(
        "@hookimpl\ndef zareba_roll(table, roll, throw):\n"
        "    first = throw(roll)\n    return throw(roll) if roll.why == 'a' and first == 1 else first"
    )
    with_it = SeededTable(load_rules("vcc", house_rules=[again]), None, 5, {})
    without = SeededTable(load_rules("vcc"), None, 5, {})
    thrown = [
        [(table.roll(1, 6, why="a", rule="T"), table.roll(1, 6, why="b", rule="T")) for _ in range(200)]
        for table in (with_it, without)
    ]
    assert [b for _, b in thrown[0]] == [b for _, b in thrown[1]]
    assert [a for a, _ in thrown[0] if a != 1] != [a for a, _ in thrown[1] if a != 1]
    assert all(a == was for (a, _), (was, _) in zip(*thrown, strict=True) if was != 1)


@pytest.mark.parametrize(
    ("does", "sentence"),
    [
        ("return 'six'", "for 'fire' it returned 'six', but the dice give a value of type"),
        ("throw(roll)", "it rolled for 'fire' and returned nothing"),
        ("return throw(6)", "it called throw\\(6\\); write throw\\(roll\\)"),
        ("return 1 / 0", "ZeroDivisionError"),
    ],
)
def test_an_invalid_throw_is_blamed(rule: Callable[..., HouseRule], does: str, sentence: str) -> None:
    broken = rule(f"@hookimpl\ndef zareba_roll(table, roll, throw):\n    if roll.why == 'fire':\n        {does}")
    with pytest.raises(RuleBroken, match=rf"house rule 'club' failed in zareba_roll .*{sentence}"):
        driven(game_of("vcc", broken), 1, "doctrine")


# --- choices ----------------------------------------------------------------------------------------------------------

DIG = """
dug = StateVariable("dug", False, words="dug in")

@hookimpl
def zareba_state():
    return [dug]

def dig_in(table, state, question):
    dug[table, question.actor] = True
    table.emit("dug in", "H-1", unit=question.actor)

@hookimpl
def zareba_options(state, question):
    if question.why == "fire at" and not dug[state, question.actor]:
        return [*question.options, ExtraOption("dig in", dig_in, then="hold fire")]

@hookimpl
def zareba_evaluate(state, question, option):
    if option == "dig in":
        return Evaluation(steadies=50.0, reason="cover for the next turns")

@hookimpl
def zareba_words():
    return {"option dig in": "{actor} digs in", "event dug in": "{unit} dug in", "question fire at": "{actor}: fire at whom?"}
"""


def test_zareba_options_may_offer_options_of_the_house_rule_alone(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule(DIG))
    session = Session(game, dict.fromkeys(game.seats, "doctrine"), 4)
    session.drive()
    told = [event for _, _, events in session.log() for event in events if event.kind == "dug in"]
    reasons = [
        answer.reason
        for _, answers, _ in session.log()
        for answer in answers
        if isinstance(answer.question, Choose) and answer.answer == "dig in"
    ]
    assert told and len(told) == len({event.data["unit"] for event in told})
    assert set(reasons) == {"cover for the next turns"}
    name = game.narrator.name_of(told[0].data["unit"])
    assert game.narrator.describe_event(told[0]) == f"{name} dug in"
    assert session.state.own[f"club.dug/{told[0].data['unit']}"] is True


def test_zareba_words_give_the_texts_of_an_option(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule(DIG))
    state, actor = game.start(), next(iter(game.scenario.units))
    question = Choose("fire at", "H-1", actor, game.seats[0], ("dig in", "hold fire"), (), ("dig in",))
    assert game.narrator.describe(state, question) == f"{game.narrator.name_of(actor)}: fire at whom?"
    assert game.narrator.describe_option(state, question, "dig in") == f"{game.narrator.name_of(actor)} digs in"
    evening = loaded("zareba_words").game(load_scenario("patrol_clash"))
    assert (
        evening.narrator.describe_event(Event("evening gun", "H-1", {"turn": 4}))
        == "the evening gun was fired in turn 4"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [("{'drink': 'x'}", "'drink' cannot have a text"), ("[1]", "it returned \\[1\\], not a dict of names and texts")],
)
def test_texts_for_unknown_events_are_refused(rule: Callable[..., HouseRule], words: str, sentence: str) -> None:
    with pytest.raises(ZarebaError, match=sentence):
        load_rules("vcc", house_rules=[rule(f"@hookimpl\ndef zareba_words():\n    return {words}")])


def test_a_placeholder_without_a_value_is_reported(rule: Callable[..., HouseRule]) -> None:
    game = game_of("vcc", rule("@hookimpl\ndef zareba_words():\n    return {'event fire': '{target} fell'}"))
    with pytest.raises(ZarebaError, match=r"'{target} fell' of the house rule 'club' uses an unknown field"):
        game.narrator.describe_event(Event("fire", "H-1", {"unit": "y"}))


@pytest.mark.parametrize(
    ("name", "template", "gap"),
    [
        ("option fire", "let fly at {target}", "target"),
        ("option fire", "let fly at {1.spec}", "1.spec"),
        ("question act", "{1}: what does it do?", "1"),
        ("card storm", "a storm over {actor}", "actor"),
    ],
)
def test_a_placeholder_that_nothing_fills_is_found_when_the_rule_is_loaded(
    rule: Callable[..., HouseRule], tmp_path: Path, name: str, template: str, gap: str
) -> None:
    with pytest.raises(ZarebaError, match=re.escape(f"{{{gap}}}")):
        load_rules("vcc", house_rules=[rule(f"@hookimpl\ndef zareba_words():\n    return {{{name!r}: {template!r}}}")])
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(f"house_rule: sheet\nruleset: vcc\nwords:\n  {name}: '{template}'\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"sheet\.yaml:4:\d+: .*" + re.escape(f"{{{gap}}}")):
        load_rules("vcc", house_rules=[find_house_rule(str(sheet))])


def acts_of(ruleset: str) -> set[str]:
    """Return the first words of the tuple options offered in a random game."""
    found: set[str] = set()
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))

    def player(question: Any, state: Any) -> Any:
        options = list(getattr(question, "options", ()))
        found.update(str(option[0]) for option in options if isinstance(option, tuple))
        return agents[question.seat](question, state)

    agents = {seat: make_agent("random", game, seat, 2) for seat in game.seats}
    table = SeededTable(game.rules, game.start(), 2, dict.fromkeys(game.seats, player))
    while (step := game.play.next_step(table.state)) is not None:
        table.begin(step)
        game.play.perform(table, table.state, step)
    return found


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_texts_for_an_act_apply_to_every_option_with_its_verb(rule: Callable[..., HouseRule], ruleset: str) -> None:
    acts = acts_of(ruleset)
    words = {f"option {act}": f"[{act} {{1}}]" for act in acts}
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": 3})
    given = rule(f"@hookimpl\ndef zareba_words():\n    return {words!r}")
    session = new_session(ruleset, scenario, dict.fromkeys(scenario.sides, "random"), seed=2, house_rules=[given])
    said = 0
    while session.pending is not None:
        question = session.pending
        if isinstance(question, Choose):
            for option in question.options:
                text = session.game.narrator.describe_option(session.state, question, option)
                assert text
                said += isinstance(option, tuple) and text.startswith(f"[{option[0]} ")
        session.drive(enough=lambda: True)
    assert said or not acts


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_zareba_evaluate_is_asked_once_for_each_option(rule: Callable[..., HouseRule], ruleset: str) -> None:
    given = rule(
        "calls = []\n\n@hookimpl\ndef zareba_evaluate(state, question, option):\n"
        "    calls.append((question.why, question.actor, option))\n"
    )
    game = load_rules(ruleset, house_rules=[given]).game(load_scenario("patrol_clash"))
    calls = game.rules.game_hooks["zareba_evaluate"][0].function.__globals__["calls"]
    asked = 0

    def player(question: Any, state: Any) -> Any:
        nonlocal asked
        calls.clear()
        answer = agents[question.seat](question, state)
        assert len(calls) == len(set(calls))
        asked += len(calls)
        return answer

    agents = {seat: make_agent("doctrine", game, seat, 2) for seat in game.seats}
    table = SeededTable(game.rules, game.start(), 2, dict.fromkeys(game.seats, player))
    for _ in range(60):
        if (step := game.play.next_step(table.state)) is None:
            break
        table.begin(step)
        game.play.perform(table, table.state, step)
    assert asked


def test_an_offered_option_must_count_as_one_that_the_rules_know(rule: Callable[..., HouseRule]) -> None:
    broken = rule(DIG.replace('then="hold fire"', 'then="sing"'))
    with pytest.raises(RuleBroken, match="'dig in' counts as 'sing', which the rules do not offer here"):
        driven(game_of("vcc", broken), 4, "doctrine")


def test_filter_that_changes_the_state_is_detected(rule: Callable[..., HouseRule]) -> None:
    broken = rule("@hookimpl\ndef zareba_options(state, question):\n    next(iter(state.units.values())).mark('seen')")
    with pytest.raises(RuleBroken, match="it changed the state while it computed the options of"):
        driven(game_of("vcc", broken), 4)


def test_zareba_evaluate_must_return_an_evaluation(rule: Callable[..., HouseRule]) -> None:
    broken = rule("@hookimpl\ndef zareba_evaluate(state, question, option):\n    return 3")
    with pytest.raises(
        RuleBroken, match=r"house rule 'club' failed in zareba_evaluate .*it returned 3, which is not an Evaluation"
    ):
        driven(game_of("vcc", broken), 4, "doctrine")
    shown = loaded("zareba_evaluate").game_hooks["zareba_evaluate"][0]
    assert shown(state=None, question=None, option="dig in").steadies == 0.2
    assert shown(state=None, question=None, option="hold") is None


def test_zareba_place_refuses_points(rule: Callable[..., HouseRule]) -> None:
    rules = loaded("zareba_place")
    offered: list[Any] = []

    def first_point(question: Any, state: Any) -> Any:
        offered[:] = question.suggestions
        return offered[0]

    table = SeededTable(rules, None, 1, {"red": first_point})

    def legal(point: tuple[float, float]) -> str | None:
        return None if point[1] < 5 else "too far"

    left: Any = table.place("red", [(1.0, 1.0), (3.0, 1.0), (4.0, 9.0)], legal, why="go", rule="T")
    assert left == (3.0, 1.0) and offered == [(3.0, 1.0)]
    with pytest.raises(RuleBroken, match="refuse every point for 'go'"):
        table.place("red", [(1.0, 1.0)], legal, why="go", rule="T")


def test_a_refused_point_is_reported_why_in_play(rule: Callable[..., HouseRule]) -> None:
    even = "None if round(point[0]) % 2 == 0 else 'the marsh'"
    marsh = rule(f"@hookimpl\ndef zareba_place(state, question, point):\n    return {even}")

    def asked(game: Game[Any]) -> tuple[Session, list[tuple[float, float]]]:
        session = Session(game, dict.fromkeys(game.seats, "human"), 4)
        session.drive()
        while not isinstance(session.pending, Place):
            session.answer(game.odds_horizon.hold(session.pending))  # type: ignore[arg-type]  # no dice here
            session.drive()
        return session, list(session.pending.suggestions)

    _, all_points = asked(game_of("paychest", scenario="river_ford"))
    session, points = asked(game_of("paychest", marsh, scenario="river_ford"))
    assert points == [point for point in all_points if round(point[0]) % 2 == 0] != all_points
    with pytest.raises(ZarebaError, match="the marsh"):
        session.answer(next(point for point in all_points if point not in points))


def test_zareba_confirm_answers_for_a_player(rule: Callable[..., HouseRule]) -> None:
    table = SeededTable(loaded("zareba_confirm"), None, 1, {"red": lambda question, state: True})
    assert table.confirm("red", why="square", rule="T") is False
    assert table.confirm("red", why="charge", rule="T") is True


# --- the game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_zareba_begin_and_zareba_turn_run_once_in_every_system(ruleset: str, rule: Callable[..., HouseRule]) -> None:
    tells = rule(
        "@hookimpl\ndef zareba_begin(table):\n    table.emit('begun', 'H-1')\n"
        "@hookimpl\ndef zareba_turn(table, turn):\n    table.emit('turn', 'H-1', number=turn)\n"
    )
    _, events = driven(load_rules(ruleset, house_rules=[tells]).game(small_battle()))
    assert [event.kind for event in events].count("begun") == 1
    turns = [event.data["number"] for event in events if event.kind == "turn"]
    assert turns == list(range(1, len(turns) + 1)) and len(turns) > 1


@pytest.mark.parametrize("hook", ["zareba_begin", "zareba_turn"])
def test_the_examples_of_begin_and_turn_are_played(hook: str) -> None:
    assert played(loaded(hook)).pending is None


def test_zareba_scenario_changes_the_battle(rule: Callable[..., HouseRule], tmp_path: Path) -> None:
    short = rule("@hookimpl\ndef zareba_scenario(scenario):\n    return scenario.model_copy(update={'turns': 2})")
    state, _ = driven(game_of("vcc", short))
    assert state.turn <= 3
    assert loaded("zareba_scenario").game(load_scenario("patrol_clash")).scenario.turns == 4
    scenario, path = load_scenario("patrol_clash"), tmp_path / "game.jsonl"
    session = new_session(
        "vcc", scenario, dict.fromkeys(scenario.sides, "random"), seed=1, house_rules=[short], path=path
    )
    session.drive()
    session.close()
    again = replay(path, house_rules=[short.file])
    assert again.notice == "" and again.session.game.scenario.turns == 2


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_zareba_over_ends_the_battle_and_zareba_outcome_decides_the_winner(
    ruleset: str, rule: Callable[..., HouseRule]
) -> None:
    ends = rule(
        "from dataclasses import replace\nlate = StateVariable('late', False, of='game')\n"
        "@hookimpl\ndef zareba_state():\n    return [late]\n"
        "@hookimpl\ndef zareba_turn(table, turn):\n    late[table] = turn >= 2\n"
        "@hookimpl\ndef zareba_over(state):\n    return 'dinner is served' if late[state] else None\n"
        "@hookimpl\ndef zareba_outcome(outcome):\n"
        "    if outcome.ending == 'dinner is served':\n        return replace(outcome, winner='tribesmen')\n"
    )
    game = game_of(ruleset, ends)
    state, _ = driven(game)
    assert (game.play.outcome(state).ending, game.play.outcome(state).winner) == ("dinner is served", "tribesmen")
    assert game.play.next_step(state) is None and game.game_turn(state) == 2


def test_the_example_of_over_ends_the_battle(rule: Callable[..., HouseRule]) -> None:
    game = loaded("zareba_over").game(load_scenario("patrol_clash"))
    state = game.start()
    assert game.play.next_step(state) is not None
    state.turn = 13
    assert game.play.next_step(state) is None
    drawn = loaded("zareba_outcome").game(load_scenario("patrol_clash"))
    state = drawn.start()
    state.over, state.ending = True, "turn limit"
    assert drawn.outcome(state).winner is None


def test_zareba_view_hides_units_from_a_seat(rule: Callable[..., HouseRule]) -> None:
    game = loaded("zareba_view").game(load_scenario("patrol_clash"))
    state = game.start()
    state.own["house.weather_tomorrow"] = "rain"
    assert game.sight.view(state, game.seats[0]).own == game.sight.determinize(state, game.seats[0], 1).own == {}
    assert state.own


def test_the_example_of_state_is_loaded() -> None:
    assert list(loaded("zareba_state").state_variables) == ["example.rounds"]


# --- numbers of the book ----------------------------------------------------------------------------------------------

MUD = """
mud = StateVariable("mud", False, of="game")

@hookimpl
def zareba_state():
    return [mud]

@hookimpl
def zareba_begin(table):
    mud[table] = True

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("mud", "H-1", "times", 0, when={"club.mud": True}, summary="knee-deep mud")]}
"""


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_movement_is_explained_in_every_system(ruleset: str, rule: Callable[..., HouseRule]) -> None:
    """With a movement of 0 in mud, no unit can move, and AI players that know the rule do not try."""
    mud, battle = rule(MUD), shortened("patrol_clash", turns=3)
    stuck, free = (driven(load_rules(ruleset, house_rules=rules).game(battle), 3)[1] for rules in ((mud,), ()))
    assert stuck and free
    game = game_of(ruleset, mud)
    state = game.start()
    unit = next(iter(state.units.values()))
    name = "movement"
    assert game.rules.number(name, 6, state, unit) == 6
    state.own["club.mud"] = True
    assert game.rules.number(name, 6, state, unit) == 0
    assert load_rules(ruleset).number(name, 6, state, unit) == 6
    moves = [sum(event.kind in ("move", "walk", "ride") for event in events) for events in (stuck, free)]
    assert moves[0] < moves[1]


CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "afriboria": ("attack_on_commander", {"attacker": "inf_a", "attacker_figures": 6, "range": 2}),
    "fixed_baynet": ("shot", {"ds": 7}),
    "paychest": ("to_hit", {}),
    "risk_factor": ("single_shot", {}),
    "vcc": ("fire_pool", {"bases": 2}),
}


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_modifier_with_dice_has_exact_odds_in_every_system(ruleset: str, rule: Callable[..., HouseRule]) -> None:
    """A modifier of one D3 gives exactly the mean of the odds with 1, 2 and 3 added."""
    name, facts = CASES[ruleset]

    def found(amount: str) -> dict[Any, Fraction]:
        line = f"Modifier('gusts', 'H-1', 'add', {amount}, summary='gusts')"
        rules = load_rules(
            ruleset, house_rules=[rule(f"@hookimpl\ndef zareba_modifiers():\n    return {{'shooting': [{line}]}}")]
        )
        asked = rules.ruleset.procedure(name)
        got = odds(rules, asked, asked.facts(**facts))
        assert not got.samples
        return {outcome: Fraction(chance) for outcome, chance in got.outcomes.items()}

    wanted: dict[Any, Fraction] = {}
    for amount in (1, 2, 3):
        for outcome, chance in found(str(amount)).items():
            wanted[outcome] = wanted.get(outcome, Fraction(0)) + chance / 3
    assert found("DiceResult(1, 3)") == wanted != found("0")


def test_unexpected_return_values_are_blamed_on_the_house_rule(rule: Callable[..., HouseRule]) -> None:
    broken = rule("@hookimpl\ndef zareba_turn(table, turn):\n    return turn + 1")
    with pytest.raises(RuleBroken, match=r"failed in zareba_turn .*it returned 2, but this hook returns nothing"):
        driven(game_of("vcc", broken))


COUNTED = """
seen = StateVariable("seen", False)

@hookimpl
def zareba_state():
    return [seen]

@hookimpl
def zareba_begin(table):
    for unit in units(table):
        seen[table, unit] = True

@hookimpl
def zareba_modifiers():
    marked = Modifier("marked", "H-1", "add", 1, when={"target.club.seen": True}, summary="a marked target")
    return {"shooting": [marked], "movement": [Modifier("double", "H-2", "add", 1, summary="at the double")]}
"""


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_why_explains_targets_and_movement_in_every_system(ruleset: str, rule: Callable[..., HouseRule]) -> None:
    game = game_of(ruleset, rule(COUNTED))
    session = Session(game, dict.fromkeys(game.seats, "doctrine"), 5)
    session.drive()
    tallies = [tally for _, reached in session.history.steps_backwards() for tally in reached.tallies]
    told = {part.summary for tally in tallies for part in tally.parts()}
    assert {"a marked target", "at the double"} <= told


def test_settings_of_a_rule_are_text_and_lists(rule: Callable[..., HouseRule]) -> None:
    lines = (
        "from zareba.api import Setting\n"
        "@hookimpl\ndef zareba_settings():\n"
        "    return {'motto': Setting(rule='H-1', summary='what the club says', default='hold'),\n"
        "            'home': Setting(rule='H-1', summary='who stays at home', default=['lancers'])}\n"
        "@hookimpl\ndef zareba_begin(table, settings):\n"
        "    table.emit('note', 'H-1', text=f\"{settings['motto']}: {settings['home']}\")\n"
    )
    given = {"club.motto": "no pay, no march", "club.home": "lancers, young bulls"}
    rules = load_rules("vcc", given, [rule(lines)])
    assert rules.settings["club.home"] == ["lancers", "young bulls"]
    session = Session(rules.game(load_scenario("patrol_clash")), {}, 1)
    told = [event.data.get("text") for _, _, told in session.log() for event in told]
    assert "no pay, no march: ('lancers', 'young bulls')" in told
