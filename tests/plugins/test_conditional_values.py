"""Conditional values: any number of a ruleset can change by a condition in YAML or during a wrap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.base.errors import FileError, RuleBroken, ZarebaError
from zareba.base.state import digest
from zareba.game import Game
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import new_session, replay
from zareba.table import SeededTable
from zareba.testing import chances, game_with_rules

ALWAYS, NEVER = "{game.turn: {at_least: 0}}", "{game.turn: {at_most: -1}}"
NUMBERS = [
    ("vcc", "weapons.rifle.long", 3, 9),
    ("vcc", "profiles.regular_infantry.fire_die", 6, 3),
    ("afriboria", "sure_kill.from_hits", 2, 1),
    ("afriboria", "commander_move.foot", 2, 1),
    ("paychest", "movers.foot.run", 3, 5),
    ("fixed_baynet", "prices.bumpy", 1.5, 2),
    ("risk_factor", "lengths.with_group.cm", 5.0, 9.0),
]
"""Numbers of the book, the terrain and the units, in each ruleset."""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write


def change(ruleset: str, path: str, was: Any, to: Any, when: str = "") -> str:
    condition = f", when: {when}" if when else ""
    return f"house_rule: night\nruleset: {ruleset}\nchanges:\n  - {{at: {path}, was: {was}, to: {to}, why: dark{condition}}}\n"


def played(game: Game[Any], turns: int, player: str = "random") -> tuple[str, list[str]]:
    """Return the digest of the last state, without the record of the numbers themselves, and the notes."""
    state, notes = game.start(), []
    table = SeededTable(game.rules, state, 3, {seat: make_agent(player, game, seat, 3) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= turns:
        table.begin(step)
        game.play.perform(table, state, step)
        notes += [event.data["text"] for event in table.events if event.kind == "note"]
    state.own.clear()
    return digest(state.to_data()), notes


@pytest.mark.parametrize(
    ("ruleset", "path", "was", "to"),
    [
        pytest.param(*number, marks=[] if number[0] in ("vcc", "afriboria") else [pytest.mark.deep])
        for number in NUMBERS
    ],
)
def test_a_condition_that_always_holds_equals_a_changed_number(
    write: Callable[[str, str], Path], ruleset: str, path: str, was: Any, to: Any
) -> None:
    turns = 3 if ruleset in ("vcc", "afriboria") else 1
    plain = played(game_with_rules(ruleset=ruleset), turns)[0]
    for when, other in (("", None), (ALWAYS, None), (NEVER, plain)):
        game = game_with_rules(write("night.yaml", change(ruleset, path, was, to, when)), ruleset=ruleset)
        end, _ = played(game, turns)
        if when == "":
            changed = end
        assert end == (other or changed)


def test_conditional_value_holds_from_its_turn_and_is_reported(write: Callable[[str, str], Path]) -> None:
    file = write("night.yaml", change("vcc", "weapons.rifle.long", 3, 9, "{game.turn: {at_least: 2, at_most: 3}}"))
    end, notes = played(game_with_rules(file), 6)
    assert notes == ["weapons.rifle.long is now 9, not 3 (night)", "weapons.rifle.long is 3 again (night)"]
    assert end != played(game_with_rules(), 6)[0]


SKY = """
from zareba.api import StateVariable, hookimpl, roll_on_chart
sky = StateVariable("sky", "clear", of="game", words="sky:")

@hookimpl
def zareba_turn(table):
    sky[table] = roll_on_chart(table, {1: "clear", 3: "dust"}, why="sky", rule="H-1", actor="sky")
"""
DUSTY = """\
house_rule: weather_of_ours
rulesets: [vcc, paychest]
patches:
  vcc:
    - {at: leader_dies_at.wounds, was: 3, to: 1, when: {weather_of_ours.sky: dust}, why: nobody finds the surgeon}
  paychest:
    - {at: rally.passes_at, was: 7, to: 12, when: {weather_of_ours.sky: dust}, why: they lose each other}
"""


@pytest.mark.parametrize("ruleset", ["vcc", pytest.param("paychest", marks=pytest.mark.deep)])
def test_conditional_value_depends_on_a_state_variable(tmp_path: Path, ruleset: str) -> None:
    """Weather rolled in `rule.py` changes numbers of two rulesets in `rule.yaml`; the journal alone replays the
    game.
    """
    folder = tmp_path / "weather_of_ours"
    folder.mkdir()
    (folder / "rule.py").write_text(SKY, encoding="utf-8")
    (folder / "rule.yaml").write_text(DUSTY, encoding="utf-8")
    rule, scenario, path = find_house_rule(str(folder)), load_scenario("patrol_clash"), tmp_path / "game.jsonl"
    short = find_house_rule("short_evening")
    seats = dict.fromkeys(scenario.sides, "random")
    settings = {"short_evening.turns": 4}
    session = new_session(ruleset, scenario, seats, seed=5, path=path, house_rules=[rule, short], settings=settings)
    session.drive()
    texts = [event.data.get("text", "") for _, _, events in session.log() for event in events]
    end = session.state.to_data()
    session.close()
    assert any(" is now " in text for text in texts)
    again = replay(path, house_rules=[folder])
    assert again.notice == "" and again.session.state.to_data() == end


REFUSED = {
    "a_word_that_is_none": ("weapons.rifle.long", 3, 9, "{game.trun: 3}", "did you mean 'game.turn'"),
    "a_unit": ("weapons.rifle.long", 3, 9, "{unit.is.prone: true}", "does not apply to the whole battle"),
    "a_fact": ("weapons.rifle.long", 3, 9, "{band: long}", "does not apply to the whole battle"),
    "a_number_that_cannot_stand_there": (
        "weapons.rifle.long",
        3,
        1,
        ALWAYS,
        "but the order must be close < medium < long",
    ),
    "what_was_not_there": ("weapons.rifle.long", 4, 9, ALWAYS, "is 3, not 4"),
    "nothing_there": ("weapons.rifle.lng", 3, 9, ALWAYS, "did you mean 'weapons.rifle.long'"),
    "a_line_of_a_tally": ("tallies.fire_dice.modifiers.target_prone.times", "1/2", 2, ALWAYS, "its own 'when'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_cannot_be_conditional_are_rejected_at_their_line(
    write: Callable[[str, str], Path], name: str
) -> None:
    path, was, to, when, said = REFUSED[name]
    file = write("night.yaml", change("vcc", path, was, to, when))
    with pytest.raises(FileError) as error:
        load_rules("vcc", None, [find_house_rule(str(file))])
    assert "night.yaml:4:" in str(error.value) and said in str(error.value), error.value


def test_conditional_set_up_numbers_are_rejected_at_the_first_step(write: Callable[[str, str], Path]) -> None:
    file = write("night.yaml", change("afriboria", "cards.red_2.copies", 5, 6, "{game.turn: {at_least: 3}}"))
    with pytest.raises(RuleBroken, match=r"'night': cards\.red_2\.copies is used to set up the battle"):
        played(game_with_rules(file, ruleset="afriboria"), 1)


def test_one_rule_may_set_two_conditional_values_of_a_number(write: Callable[[str, str], Path]) -> None:
    line = "  - {{at: weapons.rifle.long, was: 3, to: {to}, why: x, when: {{game.turn: {turn}}}}}\n"
    text = "house_rule: night\nruleset: vcc\nchanges:\n" + line.format(to=4, turn=1) + line.format(to=5, turn=2)
    _, notes = played(game_with_rules(write("night.yaml", text)), 3)
    assert [note.partition(" (")[0] for note in notes] == [
        "weapons.rifle.long is now 4, not 3",
        "weapons.rifle.long is 3 again",
        "weapons.rifle.long is now 5, not 3",
        "weapons.rifle.long is 3 again",
    ]
    other = write("other.yaml", text.replace("night", "dusk"))
    with pytest.raises(FileError, match=r"other.yaml:4:\d+: .*already changed by house rule night"):
        load_rules("vcc", None, [find_house_rule(str(path)) for path in (write("night.yaml", text), other)])


SICK = """
from zareba.api import hookimpl, override_values

def for_the_weak(check, table, *about):
    with override_values(table, {numbers}, by="weak"):
        return check(table, *about)

@hookimpl
def zareba_procedures():
    return {{"leaders.check": for_the_weak}}
"""


def chance_of_death(*rules: Path) -> Any:
    facts: dict[str, Any] = {"ruleset": "vcc", "band": "close", "wounds": 0}
    return sum(p for end, p in chances("leader_check", *rules, **facts).items() if end.leader == "dead")


def test_wrap_may_change_numbers_for_chosen_units(write: Callable[[str, str], Path]) -> None:
    """Odds run the same code as play, so they include the change: a leader who dies of one wound dies of every hit."""
    rule = write("weak.py", SICK.format(numbers={"leader_dies_at.wounds": 1}))
    changed = write("one.yaml", change("vcc", "leader_dies_at.wounds", 3, 1))
    assert (
        chance_of_death(write("same.py", SICK.format(numbers={"leader_dies_at.wounds": 3})))
        == chance_of_death()
        < chance_of_death(rule)
    )
    assert chance_of_death(rule) == chance_of_death(changed)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"leader_dies_at.wonds": 1}, "did you mean 'leader_dies_at.wounds'"),
        ({"leader_dies_at.wounds": "many"}, "leader_dies_at.wounds"),
    ],
)
def test_a_wrap_that_changes_an_unknown_number_is_blamed(
    write: Callable[[str, str], Path], numbers: dict[str, Any], said: str
) -> None:
    with pytest.raises(RuleBroken, match=r"house rule 'weak' failed in zareba_procedures \(.*weak.py:5\): ") as error:
        chance_of_death(write("weak.py", SICK.format(numbers=numbers)))
    assert said in str(error.value)


# --- all numbers ------------------------------------------------------------------------------------------------------

NOT_OF_PLAY = {"tallies", "settings", "sequence", "unit_mapping", "supported_words", "words"}


def numbers_of(data: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if not above and key in NOT_OF_PLAY:
            continue
        if isinstance(value, dict):
            yield from numbers_of(value, (*above, key))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield ".".join((*above, key)), value


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ["vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor"])
def test_unconditional_and_always_true_changes_give_the_same_games(
    write: Callable[[str, str], Path], ruleset: str
) -> None:
    """Forty numbers of each ruleset, picked at random, in games of doctrine and random players. Some have no effect."""
    known = list(numbers_of(load_rules(ruleset).data))
    Random(1).shuffle(known)
    plain = [played(game_with_rules(ruleset=ruleset), 4, player)[0] for player in ("random", "doctrine")]
    tried = seen = 0
    for path, was in known:
        for to in (was + 1, was * 2):
            ends = []
            try:
                for when in ("", ALWAYS):
                    game = game_with_rules(write("night.yaml", change(ruleset, path, was, to, when)), ruleset=ruleset)
                    ends.append([played(game, 4, player)[0] for player in ("random", "doctrine")])
            except ZarebaError:  # an invalid value, or one with which the scenario cannot be set up
                continue
            assert ends[0] == ends[1], (path, was, to)
            tried, seen = tried + 1, seen + (ends[0] != plain)
            break
        if tried == 40:
            break
    assert tried == 40 and seen >= 3
