"""Numbers of play that depend on a condition: ranges in every ruleset, hits on leaders, glory, to-hit numbers, command
distance and action counters.

These numbers are tallies of the printed values, so a modifier with any condition can change them. "Why" shows it, and
odds include it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.base.errors import RuleBroken
from zareba.game import Game
from zareba.journal import Journal, read_journal
from zareba.registry import find_house_rule, load_rules, rules_from_record
from zareba.scenario import load_scenario
from zareba.session import new_session, replay
from zareba.testing import chances, game_with_rules, play

DUST = """
from fractions import Fraction
from zareba.api import StateVariable, Modifier, hookimpl

dust = StateVariable("dust", {dust}, of="game")

@hookimpl
def zareba_state():
    return [dust]

@hookimpl
def zareba_modifiers():
    near = Modifier("dust", "H-1", "times", Fraction(1, 2), when={{"dust.dust": True}}, summary="a cloud of dust")
    return {{"range": [near]}}
"""


def dusty(at: Path, dust: bool = True) -> Path:
    rule = at / "dust.py"
    rule.write_text(DUST.format(dust=dust), encoding="utf-8")
    return rule


def reached(game: Game[Any], data: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Return the weapon ranges of all units on the table: limits of their bands, or numbers of cells reached."""
    state, editor = game.from_data(data), game.umpire_editor()

    def of(piece: str) -> Iterator[Any]:
        for reach in editor.reaches(state, piece):
            if reach.kind == "fire":
                yield from [limit for _, limit in reach.bands]
                yield from [len(cells) for cells in reach.cells.values()]

    return {piece: far for piece in state.units if (far := tuple(of(piece)))}


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_range_may_depend_on_a_state_variable(tmp_path: Path, ruleset: str) -> None:
    lasts_a_turn = {"short_evening.turns": 1}
    data = play("short_evening", ruleset=ruleset, settings=lasts_a_turn).state.to_data()
    plain = reached(game_with_rules(ruleset=ruleset), data)
    assert reached(game_with_rules(dusty(tmp_path, dust=False), ruleset=ruleset), data) == plain
    short = reached(game_with_rules(dusty(tmp_path), ruleset=ruleset), data)
    assert plain and short != plain
    for piece, far in plain.items():
        near = short.get(piece, (0,))
        if ruleset in ("afriboria", "vcc"):
            assert sum(near) <= sum(far)
        else:
            assert near == tuple(limit / 2 for limit in far)


NEW = {"vcc": ["leader_hit"], "fixed_baynet": ["glory", "counters"], "risk_factor": ["to_hit", "command_distance"]}

LONG = """\
house_rule: long
title: Long rifles
ruleset: {ruleset}
changes:
  - add: tallies.range.modifiers.flat
    entry: {{rule: H-2, summary: the plain is flat, when: {{of: {weapon}, band: {band}}}, add: 1}}
    why: nothing stands in the way
"""


@pytest.mark.parametrize(
    ("ruleset", "weapon", "band"),
    [
        ("afriboria", "inf_a", '""'),
        ("fixed_baynet", "rifle", "long"),
        ("paychest", "rifle", "long"),
        ("risk_factor", "rifle", "long"),
        ("vcc", "rifle", "long"),
    ],
)
def test_one_range_of_one_weapon_is_changed_without_python(
    tmp_path: Path, ruleset: str, weapon: str, band: str
) -> None:
    rule = tmp_path / "long.yaml"
    rule.write_text(LONG.format(ruleset=ruleset, weapon=weapon, band=band), encoding="utf-8")
    rules = load_rules(ruleset, None, [find_house_rule(str(rule))])
    assert rules.number("range", 3, None, of=weapon, band=band.strip('"')) == 4
    assert rules.number("range", 3, None, of="catapult", band=band.strip('"')) == 3


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_why_and_ai_players_use_the_changed_ranges(tmp_path: Path, ruleset: str) -> None:
    """In dust, fewer shots are fired, each shot lists the dust among its modifiers, and AI players move closer."""
    short = {"short_evening.turns": 4}
    played = play(dusty(tmp_path), "short_evening", ruleset=ruleset, seed=5, player="doctrine", settings=short)
    assert played.lines["a cloud of dust"] > 0


def test_a_range_cannot_depend_on_dice(tmp_path: Path) -> None:
    rule = tmp_path / "gusts.py"
    rule.write_text(
        "from zareba.api import Modifier, DiceResult, hookimpl\n\n@hookimpl\ndef zareba_modifiers():\n"
        "    return {'range': [Modifier('gusts', 'H-3', 'add', DiceResult(1, 6))]}\n",
        encoding="utf-8",
    )
    with pytest.raises(
        RuleBroken, match="the range of a unit is read many times a turn, so its lines cannot roll dice"
    ):
        load_rules("vcc", None, [find_house_rule(str(rule))])


ONE_MORE = """
from zareba.api import Modifier, hookimpl

@hookimpl
def zareba_modifiers():
    return {{"{number}": [Modifier("more", "H-4", "add", {add}, when={when}, summary="one more")]}}
"""


def one_more(at: Path, number: str, when: str, add: int = 1) -> Path:
    rule = at / "more.py"
    rule.write_text(ONE_MORE.format(number=number, when=when, add=add), encoding="utf-8")
    return rule


def test_glory_depends_on_conditions_and_so_do_its_odds(tmp_path: Path) -> None:
    """A figure of GL 5 takes heart on a 5 or 6, a better one on a 4 (FBN-148). A modifier of "morale" applies here too,
    where higher is better.
    """
    facts: dict[str, Any] = {"ruleset": "fixed_baynet", "printed": 4, "gl": 4}

    def heart(*rules: Path) -> Fraction:
        return sum((p for end, p in chances("glory", *rules, **facts).items() if end.gl < 5), Fraction(0))

    assert heart() == Fraction(2, 6)
    assert heart(one_more(tmp_path, "glory", '{"of": "test"}', -1)) == Fraction(3, 6)
    assert heart(one_more(tmp_path, "morale", "None")) == Fraction(3, 6)
    assert heart(one_more(tmp_path, "glory", '{"of": "recovery"}', -1)) == Fraction(2, 6)


def test_to_hit_numbers_of_risk_factor_depend_on_weapon_and_band(tmp_path: Path) -> None:
    """A rifle at short range hits on 2 or more of a D8 in the open (RSK-098); with a modifier of one, on 3 or more."""
    facts: dict[str, Any] = {
        "ruleset": "risk_factor",
        "weapon": "rifle",
        "band": "short",
        "troop_class": "regular",
        "cover": "open",
    }

    def missed(*rules: Path) -> Fraction:
        return next(p for end, p in chances("single_shot", *rules, **facts).items() if end.effect == "miss")

    before = missed()
    assert missed(one_more(tmp_path, "to_hit", '{"of": "rifle", "band": "short"}')) == before + Fraction(1, 8)
    assert missed(one_more(tmp_path, "to_hit", '{"band": "long"}')) == before


def test_command_distance_depends_on_conditions_and_why_shows_them(tmp_path: Path) -> None:
    """Orders reach 50 cm in the open and 25 cm in enclosed ground (RSK-055). A rule may change either; "why" shows
    it.
    """
    deaf = tmp_path / "deaf.py"
    deaf.write_text(
        "from fractions import Fraction\nfrom zareba.api import Modifier, hookimpl\n\n@hookimpl\ndef zareba_modifiers():\n"
        "    return {'command_distance': [Modifier('wind', 'H-5', 'times', Fraction(1, 10), when={'of': 'open'}, summary='wind')]}\n",
        encoding="utf-8",
    )
    short = {"short_evening.turns": 2}
    plain = play("short_evening", ruleset="risk_factor", seed=5, player="doctrine", settings=short)
    played = play(deaf, "short_evening", ruleset="risk_factor", seed=5, player="doctrine", settings=short)
    assert played.lines["wind"] > 0
    data = play("short_evening", ruleset="risk_factor", settings={"short_evening.turns": 1}).state.to_data()

    def heard(game: Game[Any]) -> list[float]:
        state, editor = game.from_data(data), game.umpire_editor()
        return [
            reach.bands[0][1]
            for unit in state.units
            for reach in editor.reaches(state, unit)
            if reach.kind == "command"
        ]

    assert set(heard(plain.game)) == {50.0} and set(heard(played.game)) == {
        25.0
    }  # not below the distance in enclosed ground


def test_action_counters_depend_on_conditions_and_why_shows_them(tmp_path: Path) -> None:
    """A soldier has the AC of his entry (FBN-033); with one less, his activation achieves less."""
    short = {"short_evening.turns": 2}
    rule = one_more(tmp_path, "counters", '{"of": "soldier"}', -1)
    plain = play("short_evening", ruleset="fixed_baynet", seed=5, player="doctrine", settings=short)
    played = play(rule, "short_evening", ruleset="fixed_baynet", seed=5, player="doctrine", settings=short)
    assert played.lines["one more"] > 0
    assert sum(played.event_counts.values()) < sum(plain.event_counts.values())


# --- older journals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_journal_from_before_a_number_was_a_tally_replays(tmp_path: Path, ruleset: str) -> None:
    path, scenario = tmp_path / "old.jsonl", load_scenario("patrol_clash")
    seats, short = dict.fromkeys(scenario.sides, "random"), find_house_rule("short_evening")
    settings = {"short_evening.turns": 2}
    session = new_session(ruleset, scenario, seats, seed=3, path=path, settings=settings, house_rules=[short])
    session.drive()
    ended = session.state
    session.close()
    file = read_journal(path)
    new = ["range", *(NEW.get(ruleset, []))]
    header = file.header
    for name in new:
        del header["rules"]["tallies"][name]
    old = tmp_path / "older.jsonl"
    with Journal(old) as journal:
        for entry in (header, *file.entries):
            journal.write(entry)
    again = replay(old)
    assert again.notice == "" and again.session.state.to_data() == ended.to_data()
    rules = rules_from_record(ruleset, header["rules"], header["settings"], [short], ())
    assert set(new) <= set(rules.tallies)
