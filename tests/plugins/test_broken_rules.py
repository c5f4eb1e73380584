"""Ninety broken house rules, as people write them: each is blamed by name and line (marked by `#!`), and the journal
stays intact.

Broken packages are in `tests/core/test_registry.py` and `test_packages.py`; this file covers those that contain house
rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.cli.play.journals import bare_steps
from zareba.journal import read_journal
from zareba.plugins.entry_points import plugins
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import new_session, open_session

HEAD = "from zareba.api import *\nfrom zareba.api import hookimpl\n"
MARK = "#!"

# --- YAML: errors are reported by line and column ---------------------------------------------------------------------

SHEET = "house_rule: club\nruleset: vcc\nchanges:\n"
SHEETS = {
    "no_yaml": ("  - {at: weapons.rifle.long, was: 3, to: 4, why: x  #!", "club.yaml:"),
    "unknown_path": ("  - {at: weapons.rifel.long, was: 3, to: 4, why: x}  #!", "did you mean 'weapons.rifle'"),
    "wrong_guard": ("  - {at: weapons.rifle.long, was: 9, to: 4, why: x}  #!", "3"),
    "unknown_operation": ("  - {ad: weapons.rifle.long, was: 3, to: 4, why: x}  #!", "ad"),
    "no_change_at_all": ("  - {at: weapons.rifle.long, was: 3, why: x}  #!", "to"),
    "a_word_for_a_number": ("  - {at: weapons.rifle.long, was: 3, to: far, why: x}  #!", "weapons.rifle.long"),
    "out_of_bounds": ("  - {at: weapons.rifle.long, was: 3, to: -4, why: x}  #!", "weapons.rifle.long"),
    "a_hundred_thousand": ("  - {at: weapons.rifle.long, was: 3, to: 100000, why: x}  #!", "weapons.rifle.long"),
    "no_number": ("  - {at: weapons.rifle.long, was: 3, to: .nan, why: x}  #!", ""),
    "added_twice": ("  - {add: weapons.rifle, entry: {rule: X}, why: x}  #!", "weapons.rifle"),
    "taken_out_twice": ("  - {remove: weapons.blunderbuss, why: x}  #!", "blunderbuss"),
    "unknown_setting": ("  - {set: mg_overheats, to: 'off', why: x}  #!", "did you mean 'mg_overheat'"),
    "no_such_value": ("  - {set: mg_overheat, to: never, why: x}  #!", "never"),
    "the_same_twice": (
        "  - {at: weapons.rifle.long, was: 3, to: 4, why: x}\n  - {at: weapons.rifle.long, was: 3, to: 5, why: x}  #!",
        "weapons.rifle.long",
    ),
    "unknown_fact": (
        "  - {add: tallies.fire_dice.modifiers.a, entry: {rule: X, summary: x, when: {bnd: long}, add: 1}, why: x}  #!",
        "did you mean 'band'",
    ),
    "unknown_grade": (
        "  - {add: tallies.fire_dice.modifiers.a, entry: {rule: X, summary: x, when: {band: far}, add: 1}, why: x}  #!",
        "far",
    ),
    "unknown_place_in_a_sum": (
        "  - {add: tallies.fire_dice.modifiers.a, entry: {rule: X, summary: x, add: 1, before: last}, why: x}  #!",
        "last",
    ),
    "what_the_rules_need": ("  - {remove: tallies.fire_dice, why: x}  #!", "fire_dice"),
    "a_key_twice": ("  - {at: weapons.rifle.long, at: weapons.rifle.close, was: 3, to: 4, why: x}  #!", "at"),
    "a_bomb": ("  - &a [*a, *a]  #!", ""),
    "tabs": ("\t- {at: weapons.rifle.long, was: 3, to: 4, why: x}  #!", "indent with spaces"),
    "a_word_of_no_situation": (
        "  - {add: tallies.range.modifiers.a, entry: {rule: X, summary: x, when: {game.trun: 3}, add: 1}, why: x}  #!",
        "did you mean 'game.turn'",
    ),
    "a_mark_of_nobody": (
        "  - {add: tallies.range.modifiers.a, entry: {rule: X, summary: x, when: {unit.is.prown: true}, add: 1}, why: x}  #!",
        "did you mean 'prone'",
    ),
    "a_fact_of_another_number": (
        "  - {add: tallies.range.modifiers.a, entry: {rule: X, summary: x, when: {cover: hard}, add: 1}, why: x}  #!",
        "there is no fact 'cover'",
    ),
    "a_number_of_five_hundred_digits": (
        f"  - {{at: weapons.rifle.long, was: 3, to: {'9' * 500}, why: x}}  #!",
        "is too large",
    ),
    "a_second_sheet": (
        "  - {at: weapons.rifle.long, was: 3, to: 4, why: x}\n---  #!\nhouse_rule: other",
        "one document",
    ),
}

HEADS = {
    "a_path_for_a_name": ("house_rule: ../../etc/passwd  #!\nruleset: vcc", "is not a name for a house rule"),
    "versions_that_nobody_can_read": ('house_rule: club\nruleset: vcc\nzareba: "~=1"  #!', "is not a version range"),
    "of_tomorrow": ('house_rule: club\nruleset: vcc\nzareba: ">=9"  #!', "written for zareba >=9"),
    "itself_first": ("house_rule: club\nruleset: vcc\nrequires: [club]  #!", "requires 'club'"),
    "against_itself": ("house_rule: club\nruleset: vcc\nconflicts: [club]  #!", "cannot be combined with 'club'"),
    "a_default_that_it_does_not_admit": (
        "house_rule: club\nruleset: vcc\nsettings: {n: {rule: X, summary: n, default: 9, at_most: 3}}  #!",
        "a default that it admits",
    ),
    "words_for_what_nobody_tells": (
        "house_rule: club\nruleset: vcc\nwords:\n  event leader kiled: he fell  #!",
        "did you mean 'leader killed'",
    ),
}


def line_marked(text: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if MARK in line)


def begun(path: Path, journal: Path, **more: Any) -> Any:
    scenario = load_scenario("patrol_clash")
    seats = dict.fromkeys(scenario.sides, more.pop("player", "random"))
    rules = [find_house_rule(str(path))]
    return new_session("vcc", scenario, seats, seed=2, house_rules=rules, path=journal, **more)


@pytest.mark.parametrize("name", SHEETS)
def test_a_broken_sheet_is_refused_at_its_line(tmp_path: Path, name: str) -> None:
    lines, said = SHEETS[name]
    file = tmp_path / "club.yaml"
    file.write_text(SHEET + lines + "\n", encoding="utf-8")
    with pytest.raises(ZarebaError) as error:
        begun(file, tmp_path / "game.jsonl")
    assert f"club.yaml:{line_marked(SHEET + lines)}" in str(error.value) or name == "no_yaml"
    assert "club.yaml:" in str(error.value) and said in str(error.value)
    assert not (tmp_path / "game.jsonl").exists()


@pytest.mark.parametrize("name", HEADS)
def test_a_broken_head_is_refused_at_its_line(tmp_path: Path, name: str) -> None:
    head, said = HEADS[name]
    text = f"{head}\nchanges:\n  - {{at: weapons.rifle.long, was: 3, to: 4, why: x}}\n"
    file = tmp_path / "club.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ZarebaError) as error:
        begun(file, tmp_path / "game.jsonl")
    assert f"club.yaml:{line_marked(text)}:" in str(error.value) and said in str(error.value)
    assert not (tmp_path / "game.jsonl").exists()


def test_rules_that_require_each_other_are_refused(tmp_path: Path) -> None:
    files = []
    for name, other in (("one", "two"), ("two", "one")):
        files.append(tmp_path / f"{name}.yaml")
        head = f"house_rule: {name}\nruleset: vcc\nrequires: [{other}]\nchanges:\n"
        files[-1].write_text(f"{head}  - {{set: mg_overheat, to: 'off', why: x}}\n", encoding="utf-8")
    with pytest.raises(ZarebaError, match=r"one.yaml:3:\d+: .*requires 'two'"):
        load_rules("vcc", None, [find_house_rule(str(file)) for file in files])


@pytest.mark.parametrize("begins", ["\ufeff", ""])
@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_files_with_windows_line_ends_are_read(tmp_path: Path, begins: str, ends: str) -> None:
    sheet, code = tmp_path / "club.yaml", tmp_path / "other.py"
    lines = "house_rule: club\nruleset: vcc\nchanges:\n  - {at: weapons.rifle.long, was: 3, to: 4, why: x}\n"
    sheet.write_bytes((begins + lines.replace("\n", ends)).encode())
    code.write_bytes((begins + (HEAD + hook("zareba_turn", "table", "pass")).replace("\n", ends)).encode())
    assert load_rules("vcc", None, [find_house_rule(str(sheet))]).data["weapons"]["rifle"]["long"] == 4
    assert load_rules("vcc", None, [find_house_rule(str(code))]).house_rules == ("other",)


# --- Python that cannot be loaded, or refers to missing names ---------------------------------------------------------

LOADED = {
    "no_python": ("def f(:  #!", "SyntaxError"),
    "no_such_module": ("import zareba_of_old  #!", "ModuleNotFoundError"),
    "no_such_name": ("from zareba.api import Batle  #!", "ImportError"),
    "leaves": ("raise SystemExit(3)  #!", "SystemExit"),
    "no_hook": ("def zareba_turn(table):\n    pass", "implements no hook"),
    "misspelt": ("@hookimpl\ndef zareba_turns(table):\n    pass", "did you mean 'zareba_turn'"),
    "asks_for_too_much": ("@hookimpl\ndef zareba_turn(table, weather):\n    pass", "weather"),
    "first_of_all": ("@hookimpl(tryfirst=True)\ndef zareba_turn(table):\n    pass", "tryfirst"),
    "settings_are_a_list": (
        "@hookimpl  #!\ndef zareba_settings():\n    return [3]",
        "not a dict of names and Settings",
    ),
    "a_default_that_it_does_not_admit": (
        "@hookimpl  #!\ndef zareba_settings():\n    return {'n': Setting(rule='H', summary='n', default=9, at_most=3)}",
        "a default that it admits",
    ),
    "keeps_a_list": (
        "x = StateVariable('x', [1])  #!\n@hookimpl\ndef zareba_state():\n    return [x]",
        "cannot start from",
    ),
    "state_is_no_list": ("@hookimpl  #!\ndef zareba_state():\n    return 3", "not a list of StateVariable"),
    "words_for_nothing": ("@hookimpl  #!\ndef zareba_words():\n    return {'events x': 'x'}", "cannot have a text"),
    "no_such_number": (
        "@hookimpl  #!\ndef zareba_modifiers():\n    return {'fire_dices': [Modifier('a', 'H', 'add', 1)]}",
        "did you mean 'fire_dice'",
    ),
    "a_line_of_nothing": ("@hookimpl  #!\ndef zareba_modifiers():\n    return {'fire_dice': [3]}", "3"),
    "dice_for_every_look": (
        "@hookimpl  #!\ndef zareba_modifiers():\n    return {'movement': [Modifier('a', 'H', 'add', DiceResult(1, 3))]}",
        "roll when the turn begins",
    ),
    "a_condition_on_nothing": (
        "@hookimpl  #!\ndef zareba_modifiers():\n    return {'shooting': [Modifier('a', 'H', 'add', 1, when={'game.trun': 3})]}",
        "did you mean 'game.turn'",
    ),
    "no_such_procedure": (
        "@hookimpl  #!\ndef zareba_procedures():\n    return {'morale.chek': print}",
        "did you mean 'morale.check'",
    ),
    "no_such_step": ("@hookimpl  #!\ndef zareba_steps():\n    return {'end.trun': print}", "did you mean 'end.turn'"),
    "a_wrap_that_is_none": ("@hookimpl  #!\ndef zareba_procedures():\n    return {'morale.check': 3}", "3"),
    "so_much_is_no_number": (
        "@hookimpl  #!\ndef zareba_modifiers():\n    return {'shooting': [Modifier('a', 'H', 'add', 10**400)]}",
        "the amount is too large",
    ),
    "a_scenario_of_chance": (
        "turns = list(range(9, 99))\n@hookimpl  #!\ndef zareba_scenario(scenario):\n"
        "    return scenario.model_copy(update={'turns': turns.pop()})",
        "it returned two different scenarios",
    ),
    "a_hook_that_looks_like_one": ("@hookimpl\ndef z\u0430reba_turn(table):\n    pass", "did you mean 'zareba_turn'"),
    "a_text_with_nothing_in_it": ("\0", "null bytes"),
    "the_same_twice_in_mind": (
        "x, y = StateVariable('x', 0), StateVariable('x', 1)\n@hookimpl  #!\ndef zareba_state():\n    return [x, y]",
        "two state variables called 'x'",
    ),
    "hears_what_nobody_tells": (
        "@hookimpl\ndef zareba_event(table, event):\n    if event.kind == 'leader kiled':  #!\n        pass",
        "did you mean 'leader killed'",
    ),
    "hears_one_of_several": (
        "HEARD = {\n    'vcc': ('fire', 'mele'),  #!\n}\n@hookimpl\ndef zareba_event(event, ruleset):\n"
        "    if event.kind in HEARD.get(ruleset, ()):\n        pass",
        "did you mean 'melee'",
    ),
    "hears_a_case": (
        "@hookimpl\ndef zareba_event(event):\n    match event.kind:\n        case 'fire' | 'destroied':  #!\n            pass",
        "did you mean 'destroyed'",
    ),
    "hears_a_part": (
        "@hookimpl\ndef zareba_event(event):\n    return None if 'capturred' in event.kind else None  #!",
        "listens for 'capturred'",
    ),
    "words_for_what_nobody_tells": (
        "@hookimpl\ndef zareba_words():\n    return {\n        'event leader kiled': 'he fell',  #!\n    }",
        "did you mean 'leader killed'",
    ),
    "waits_for_itself": ("@hookimpl  #!\nasync def zareba_turn(table):\n    pass\n", "write it with def"),
    "gives_bit_by_bit": ("@hookimpl  #!\ndef zareba_options(question):\n    yield 'hold'\n", "write it with def"),
    "throws_dice_of_a_friend": ("from heapq import random  #!", "roll dice with table.roll"),
    "throws_its_own_dice": ("import random  #!", "roll dice with table.roll"),
    "reads_the_clock": ("def f():\n    from time import monotonic  #!", "reads the clock"),
    "reads_the_environment": ("import os  #!", "use a setting for input (zareba_settings)"),
    "ends_the_program": ("import os  #!\ndef f():\n    os._exit(3)", "starts or ends programs"),
    "ends_the_program_by_a_friend": ("import zareba\nEND = zareba.api.os._exit  #!", "starts or ends programs"),
    "opens_a_file": ("NAMES = open('names.txt').read()  #!", "reads or writes a file"),
    "remembers_elsewhere": ("n = 0\ndef f():\n    global n  #!\n    n += 1", "use a StateVariable"),
    "has_a_file_read_at_once": (
        "from configparser import ConfigParser\nConfigParser().read('club.ini')  #!",
        "'open' (club.ini) reaches for files",
    ),
    "asks_for_a_mark_of_nobody": (
        "@hookimpl\ndef zareba_modifiers():\n"
        "    when = {'unit.is.prown': True}  #!\n    return {'shooting': [Modifier('a', 'H', 'add', 1, when=when)]}",
        "did you mean 'prone'",
    ),
    "a_line_and_no_list": (
        "@hookimpl  #!\ndef zareba_modifiers():\n    return {'shooting': Modifier('a', 'H', 'add', 1)}",
        "not a list of Modifier",
    ),
    "a_comparison_of_no_name": (
        "@hookimpl  #!\ndef zareba_modifiers():\n"
        "    return {'shooting': [Modifier('a', 'H', 'add', 1, when={'game.turn': {'atleast': 3}})]}",
        "did you mean 'at_least'",
    ),
    "what_is_kept_by_half_its_name": (
        "left = StateVariable('rounds', 6)\n@hookimpl  #!\ndef zareba_modifiers():\n"
        "    return {'shooting': [Modifier('a', 'H', 'add', 1, when={'rounds': 0})]}",
        "did you mean 'club.rounds'",
    ),
    "says_what_it_may_ask_for": ("@hookimpl\ndef zareba_over(turn):\n    pass", "its possible arguments are state"),
    "a_setting_without_a_rule": (
        "@hookimpl\ndef zareba_settings():\n    return {'n': Setting(summary='n', default=9)}  #!",
        "rule: Field required",
    ),
    "a_gap_that_is_never_closed": (
        "@hookimpl  #!\ndef zareba_words():\n    return {'event x': '{unit'}",
        "write them as {unit}",
    ),
    "a_scenario_with_more_in_it": (
        "@hookimpl  #!\ndef zareba_scenario(scenario):\n    return scenario.model_copy(update={'turn': 4})",
        "did you mean 'turns'",
    ),
    "otherwise_by_itself": (
        "@hookimpl\ndef zareba_turn(table):\n    override_values(table, {'leader_dies_at.wounds': 1})  #!",
        "write 'with override_values(...):'",
    ),
    "no_policy": ("@hookimpl  #!\ndef zareba_policy():\n    return 3", "is not a function that makes a policy"),
}


@pytest.mark.parametrize("name", LOADED)
def test_broken_python_is_refused_at_its_line(tmp_path: Path, name: str) -> None:
    lines, said = LOADED[name]
    file = tmp_path / "club.py"
    file.write_text(HEAD + lines + "\n", encoding="utf-8")
    with pytest.raises(ZarebaError) as error:
        begun(file, tmp_path / "game.jsonl")
    place = f"club.py:{line_marked(HEAD + lines)}" if MARK in lines else "club.py"
    assert "house rule 'club'" in str(error.value) and place in str(error.value), error.value
    assert said in str(error.value)
    assert not (tmp_path / "game.jsonl").exists()


# --- in play: only the step is lost -----------------------------------------------------------------------------------


def hook(name: str, arguments: str, *lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"@hookimpl\ndef {name}({arguments}):\n{body}\n"


def blame_function_line(text: str) -> str:
    """Move the mark to the function's line, which is blamed for a wrong return value."""
    return text.replace("@hookimpl", f"@hookimpl  {MARK}", 1)


ASKS = hook("zareba_turn", "table", "table.confirm('patrol', why='sure', rule='H')")

PLAYED = {
    "divides_by_nothing": (hook("zareba_turn", "turn", "1 // (turn - 2)  #!"), "ZeroDivisionError"),
    "in_a_helper": ("def helper():\n    [][1]  #!\n" + hook("zareba_turn", "turn", "turn < 2 or helper()"), "IndexError"),
    "leaves_in_play": (hook("zareba_step", "state", "if state.turn == 2: exit()  #!"), "SystemExit"),
    "no_such_unit": (hook("zareba_event", "table, event", "table.state.units['gone']  #!"), "KeyError"),
    "gives_where_nothing_is_asked": (blame_function_line(hook("zareba_turn", "turn", "return turn")), "this hook returns nothing"),
    "swallows": (
        hook("zareba_turn", "table", "try:", "    table.choose('patrol', ['a', 'b'], why='x', rule='H')", "except BaseException:", "    pass"),
        "swallowed the question",
    ),
    "a_line_of_chance": (
        "from itertools import count\ndice = count()\n"
        + hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', lambda f, here: next(dice))]}"),
        "for dice, use the amount DiceResult",
    ),
    "has_a_file_read": (
        "from configparser import ConfigParser\n" + hook("zareba_turn", "turn", "ConfigParser().read('club.ini')  #!"), "'open' (club.ini) reaches for files",
    ),
    "has_a_file_read_for_a_number": (
        "from configparser import ConfigParser\ndef cold(facts, here):\n    return bool(ConfigParser().read('club.ini'))  #!\n"
        + hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', 1, when=cold)]}"), "reaches for files",
    ),
    "has_a_program_run": (
        "import configparser\n" + hook("zareba_turn", "turn", "configparser.os.system('true')  #!"), "'os.system'",
    ),
    "no_options": (blame_function_line(hook("zareba_options", "question", "return []")), "it left no option"),
    "an_invented_option": (blame_function_line(hook("zareba_options", "question", "return [*question.options, 'fly']")), "fly"),
    "changes_the_state": (blame_function_line(hook("zareba_options", "state, question", "state.turn += 1", "return question.options")), "state"),
    "refuses_with_a_yes": (blame_function_line(hook("zareba_confirm", "question", "return 'yes'")) + ASKS, "'yes'"),
    "a_die_of_words": (blame_function_line(hook("zareba_roll", "roll, throw", "return 'six'")), "'six'"),
    "throws_and_forgets": (blame_function_line(hook("zareba_roll", "roll, throw", "throw(roll)")), "returned nothing"),
    "throws_a_number": (hook("zareba_roll", "roll, throw", "return throw(3)"), "write throw(roll)"),
    "an_evaluation_of_seven": (blame_function_line(hook("zareba_evaluate", "option", "return 7")), "7"),
    "a_line_that_fails": (
        "def when(facts, here):\n    return facts.luck  #!\n" + hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', 1, when=when)]}"),
        "luck",
    ),
    "a_line_of_words": (
        hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', lambda facts, here: 'much')]}"), "much",
    ),
    "a_line_that_counts": (
        "seen = []\ndef when(facts, here):\n    seen.append(1)\n    return len(seen) % 2 == 0\n"
        + hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', 1, when=when)]}"),
        "",
    ),
    "over_by_true": (blame_function_line(hook("zareba_over", "state", "return state.turn > 1")), ""),
    "an_outcome_of_names": (blame_function_line(hook("zareba_outcome", "outcome", "return 'patrol'")), "'patrol'"),
    "a_scenario_of_words": (blame_function_line(hook("zareba_scenario", "scenario", "return 'patrol_clash'")), ""),
    "a_scenario_that_cannot_be": (
        hook("zareba_scenario", "scenario", "return scenario.model_copy(update={'units': {}})"), "",
    ),
    "a_wrap_that_forgets": (
        "def wrapped(inner, table, *args):\n    inner(table, *args)\n" + hook("zareba_procedures", "", "return {'morale.check': wrapped}"), "",
    ),
    "a_wrap_that_fails": (
        "def wrapped(inner, table):\n    inner(table)\n" + hook("zareba_procedures", "", "return {'movement.unit': wrapped}"), "TypeError",
    ),
    "a_step_that_fails": (
        "def wrapped(step, table, battle):\n    battle.wether  #!\n" + hook("zareba_steps", "", "return {'end.turn': wrapped}"), "wether",
    ),
    "policy_returns_none": (hook("zareba_policy", "", "return lambda sequence, sides: None"), ""),
    "keeps_a_set": (
        "x = StateVariable('x', 0, of='game')\n" + hook("zareba_state", "", "return [x]") + hook("zareba_turn", "table", "x[table] = {1, 2}  #!"), "{1, 2}",
    ),
    "state_variable_of_no_owner": (hook("zareba_turn", "table", "StateVariable('x', 0, of='game')[table] = 2  #!"), "belongs to no house rule"),
    "modifier_changes_the_state": (
        "def when(facts, here):\n    here.state.turn += 1\n    return True\n"
        + blame_function_line(hook("zareba_modifiers", "", "return {'shooting': [Modifier('a', 'H', 'add', 1, when=when)]}")),
        "it changed the state",
    ),
    "answer_changes_the_state": (
        blame_function_line(hook("zareba_confirm", "state, question", "state.turn += 1")) + ASKS, "it changed the state",
    ),
    "evaluation_changes_the_state": (blame_function_line(hook("zareba_evaluate", "state, option", "state.turn += 1")), "it changed the state"),
    "end_check_changes_the_state": (blame_function_line(hook("zareba_over", "state", "state.turn += 1")), "it changed the state"),
    "outcome_changes_the_state": (
        blame_function_line(hook("zareba_outcome", "state, outcome", "state.turn += 1")), "it changed the state",
    ),
    "calls_itself_for_ever": ("def again(n):\n    return again(n + 1)  #!\n" + hook("zareba_turn", "table", "again(0)"), "RecursionError"),
    "more_memory_than_there_is": (hook("zareba_turn", "table", "[0] * 10**13  #!"), "MemoryError"),
    "a_thousand_million_dice": (hook("zareba_turn", "table", "table.roll(10**9, 6, why='x', rule='H')  #!"), "the limits are"),
    "losses_of_an_unknown_unit": (hook("zareba_turn", "table", "lose(table, 'fusilier', 1)  #!"), "did you mean 'fusiliers'"),
    "removes_no_unit": (hook("zareba_turn", "table", "remove_unit(table, None)  #!"), "None is not a unit"),
    "places_an_unknown_unit": (hook("zareba_step", "umpire", "umpire.put('fusilier', (9, 9))  #!"), "did you mean 'fusiliers'"),
    "reads_an_unknown_event_field": (
        hook("zareba_event", "event", "event.kind == 'fire' and event.data['shooter']  #!"), "the event 'fire' has no field 'shooter'; it has unit, target",
    ),
    "changes_its_settings": (hook("zareba_turn", "settings", "settings['n'] = 3  #!"), "does not support item assignment"),
    "lines_that_begin_with_two": (
        hook("zareba_turn", "table", "roll_on_chart(table, {2: 'a', 5: 'b'}, why='x', rule='H')  #!"), "starting with 1",
    ),
    "loses_less_than_none": (hook("zareba_turn", "table", "lose(table, 'fusiliers', -3)  #!"), "a unit cannot lose -3"),
    "asks_who_is_not_there": (hook("zareba_turn", "table", "table.choose('martians', ['a', 'b'], why='x', rule='H')  #!"), "not a side of this game"),
    "offers_things": (hook("zareba_turn", "table", "table.choose('patrol', [object(), object()], why='x', rule='H')  #!"), "options must be words or numbers"),
    "tells_a_thing": (hook("zareba_turn", "table", "table.emit('x', 'H', what=object())  #!"), "use only words and numbers"),
    "a_wrap_that_does_nothing": (
        "def wrapped(step, table, battle):\n    pass\n" + hook("zareba_steps", "", "return {'move.units': wrapped}"), "it would repeat forever",
    ),
    "an_offer_that_nobody_carries_out": (
        hook("zareba_options", "question", "return [*question.options, ExtraOption('fly', None)]"), "",
    ),
    "a_gap_without_a_word": (
        hook("zareba_words", "", "return {'event dust': '{who} is in the dust'}") + hook("zareba_turn", "table", "table.emit('dust', 'H', **{})"), "who",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYED)
def test_failure_in_play_stops_only_its_step(tmp_path: Path, name: str) -> None:
    lines, said = PLAYED[name]
    file, journal = tmp_path / "club.py", tmp_path / "game.jsonl"
    file.write_text(HEAD + lines + "\n", encoding="utf-8")
    with pytest.raises(ZarebaError) as error:
        session = begun(file, journal, player="doctrine" if "evaluate" in lines else "random")
        session.drive()
        session.game.play.outcome(session.state)
        [session.game.narrator.describe_event(event) for _, _, events in session.log() for event in events]
    shown = str(error.value)
    place = f"club.py:{line_marked(HEAD + lines)}" if MARK in lines else ""
    assert "house rule 'club'" in shown and place in shown
    assert said in shown
    assert [plugin.name for plugin in plugins() if plugin.error] == []
    if journal.exists():
        session.close()
        kept = read_journal(journal)
        assert not kept.damage
        assert bare_steps(kept.entries) or not kept.entries
        again = open_session(journal, house_rules=[file], without=["club"]).session
        assert len(again.history.answers) == 0 and again.game.rules.house_rules == ()
        again.close()


def test_at_least_ninety_broken_rules_are_tried() -> None:
    assert len(SHEETS) + len(HEADS) + len(LOADED) + len(PLAYED) >= 90
