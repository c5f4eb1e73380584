"""Umpire edits under every ruleset: after each edit the state is valid, and replay and undo are exact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rulesets.afriboria.test_random_games import check_order as afriboria_order
from tests.rulesets.fixed_baynet.test_random_games import check as fixed_baynet_order
from tests.rulesets.paychest.test_random_games import check_order as paychest_order
from tests.rulesets.risk_factor.test_random_games import check_order as risk_factor_order
from tests.rulesets.vcc.test_random_games import check_order as vcc_order
from tests.systems import RULESETS, each_ruleset

from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.plugins.ruleset import Game
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.session import Correction, Session, new_session, replay
from zareba.table import Choose, Confirm, Place, Roll


def check(game: Any, state: Any) -> None:
    """Run the checks of a ruleset's own random games."""
    ruleset = game.rules.ruleset.id
    if ruleset == "vcc":
        vcc_order(state, {}, "umpire")
    elif ruleset == "afriboria":
        lost = Counter({name: unit.spec.figures - unit.figures for name, unit in state.units.items()})
        afriboria_order(state, lost, Counter())
    elif ruleset == "paychest":
        paychest_order(state, len(game.plan.figures))
    elif ruleset == "fixed_baynet":
        fixed_baynet_order(state, sum(len(squad.men) for squad in game.plan.squads.values()))
    else:
        risk_factor_order(game, state)


def go_on(session: Session, random: Random, most: int) -> None:
    """Give some random answers for the person at the table."""
    for _ in range(most):
        session.drive()
        question = session.pending
        if isinstance(question, Place):
            session.answer(random.choice(question.suggestions))
        elif isinstance(question, Choose):
            session.answer(random.choice(question.options))
        elif isinstance(question, Confirm):
            session.answer(random.random() < 0.5)


def random_act(game: Game[Any], state: Any, random: Random) -> Correction:
    """Return a random edit, sensible or not."""
    editor, board = game.umpire_editor(), game.display.board(state)
    piece = random.choice(list(editor.piece_holders(state)))
    match random.choice(
        ["set", "set", "set", "mark", "unmark", "move", "move", "move", "remove", "goal", "turn", "again"]
    ):
        case "set":
            field, _ = random.choice([*editor.editable_fields(state, piece), ("nonsense", 3)])
            allowed = editor.fields.get(field, range(editor.max_figures(state, piece) + 1 if field == "figures" else 3))
            values = (
                [True, False] if allowed is bool else sorted(allowed) if isinstance(allowed, Set) else list(allowed)
            )
            return Correction("set", piece, field, random.choice([*values, -1, "nonsense"]), "as agreed")
        case "mark":
            return Correction("mark", piece, random.choice([*sorted(editor.marks), "nonsense"]))
        case "unmark":
            return Correction("unmark", piece, random.choice([*sorted(editor.marks), "nonsense"]))
        case "move":
            x, y = random.uniform(-1, board.columns), random.uniform(-1, board.rows)
            return Correction("move", piece, value=(x, y) if board.space == "free" else (int(x), int(y)))
        case "goal":
            goals = [*game.scenario.objectives, "nonsense"]
            return Correction("goal", random.choice(goals), value=random.choice([*game.seats, "", "nonsense"]))
        case "turn":
            return Correction("turn", value=random.randint(0, game.scenario.turns + 1))
        case "again":
            return Correction("again", faces=random.choice([(), (), (1,), (6, 6)]))
        case _:
            return Correction("remove", piece)


def referee(ruleset: str, scenario: str, seed: int, acts: int, path: Path) -> Counter[str]:
    """Play a game with this many random edits. Return the accepted edits and the number of refusals."""
    random = Random(f"{ruleset}/{scenario}/{seed}")
    given = load_scenario(scenario)
    first, *others = given.sides
    seats = {first: "human", **dict.fromkeys(others, "random")}
    session = new_session(ruleset, given, seats, seed=seed, path=path)
    counted: Counter[str] = Counter()
    for _ in range(acts):
        go_on(session, random, random.randint(0, 7))
        before = digest(session.state.to_data())
        asked = session.pending
        act = random_act(session.game, session.state, random)
        try:
            session.correct(act)
        except ZarebaError as error:
            assert str(error)
            assert (session.pending, digest(session.state.to_data())) == (asked, before)
            counted["refused"] += 1
            continue
        counted[act.act] += 1
        after = digest(session.state.to_data())
        check(session.game, session.history.steps[-1].start)
        assert any(event.kind == "umpire" for _, _, events in session.log() for event in events)
        session.undo()
        assert digest(session.state.to_data()) == before, f"{act} is not taken back"
        session.redo()
        assert digest(session.state.to_data()) == after, f"{act} is not done again"
        if random.random() < 0.2:
            session.undo()
    session.close()
    again = replay(path, check=True).session
    assert digest(again.state.to_data()) == digest(session.state.to_data())
    go_on(again, random, 200)
    return counted


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_umpire_edits_keep_the_game_valid(ruleset: str, tmp_path: Path) -> None:
    counted = referee(ruleset, "patrol_clash", 1, 25, tmp_path / "game.jsonl")
    assert len(counted) > 4, counted


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_two_thousand_acts_of_umpires(ruleset: str, seed: int, tmp_path: Path) -> None:
    names = sorted(shipped_scenarios())
    referee(ruleset, names[seed % len(names)], seed, 40, tmp_path / "game.jsonl")


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_other_dice_count_instead_of_the_last(ruleset: str, tmp_path: Path) -> None:
    given, path = load_scenario("patrol_clash"), tmp_path / "game.jsonl"
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "random")}, seed=3, path=path)
    random = Random(3)
    for _ in range(300):
        go_on(session, random, 1)
        thrown = [answer for answer in session.history.answers if not isinstance(answer, Correction) and answer.faces]
        if thrown:
            break
    question = session.history.last_throw().question
    assert isinstance(question, Roll)
    wanted = tuple(question.sides for _ in range(question.dice))
    session.correct(Correction("again", faces=wanted, reason="the die was cocked"))
    assert any(not isinstance(answer, Correction) and answer.faces == wanted for answer in session.history.answers)
    with pytest.raises(ZarebaError, match="thrown"):
        session.correct(Correction("again", faces=(1,) * (question.dice + 1)))
    session.close()
    assert digest(replay(path).session.state.to_data()) == digest(session.state.to_data())


def just_thrown(ruleset: str, path: Path) -> tuple[Session, str]:
    """Return a game just after a roll that could have had another result, which has a name."""
    given = load_scenario("patrol_clash")
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=3, path=path)
    for _ in range(200):
        session.drive()
        with suppress(ZarebaError):
            found = session.results()
            so = next((way.consequences for way in found if way.is_actual), "")
            for way in found:
                if (
                    so
                    and way.consequences
                    and not set(way.consequences.casefold().split()) <= set(so.casefold().split())
                ):
                    return session, way.consequences
        session.answer(session.suggestion()[0])
    raise AssertionError("no dice fell that mattered")


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_an_umpire_says_the_result_instead_of_the_dice(ruleset: str, tmp_path: Path) -> None:
    session, wanted = just_thrown(ruleset, tmp_path / "game.jsonl")
    before = digest(session.state.to_data())
    for typed, sentence in {
        "moonlight": "these dice cannot give 'moonlight'; possible results: ",
        "": "name the result",
    }.items():
        with pytest.raises(ZarebaError, match=sentence):
            session.result(typed)
    assert digest(session.state.to_data()) == before
    assert session.result(wanted, reason="the die was cocked")
    told = [session.game.narrator.describe_event(event) for _, _, events in session.log() for event in events]
    assert any("the umpire replaces the dice" in line and "the die was cocked" in line for line in told)
    after = digest(session.state.to_data())
    session.undo()
    assert digest(session.state.to_data()) == before
    session.redo()
    assert digest(session.state.to_data()) == after != before
    session.close()
    assert digest(replay(tmp_path / "game.jsonl").session.state.to_data()) == after


def test_a_result_is_a_word_of_the_rules_or_a_mark(tmp_path: Path) -> None:
    given = load_scenario("patrol_clash")
    session = new_session("vcc", given, {"patrol": "human", "tribesmen": "doctrine"}, seed=1)
    session.drive()
    while not any("went down" in result.consequences and not result.is_actual for result in _results(session)):
        session.answer(session.suggestion()[0])
        session.drive()
    unit = session.history.last_throw().question.actor
    session.result("went down", unit, "we agreed")
    told = _told(session)
    assert any("failed morale" in line and "went down" in line for line in told[-8:]), "the rules tell it"
    mark = sorted(
        session.game.umpire_editor().marks - set(session.game.umpire_editor().piece(session.state, unit).marks)
    )[0]
    assert session.result(mark.replace("_", " "), unit) == mark.replace("_", " ")
    assert any(f"the umpire marks Swordsmen: {mark}" in line for line in _told(session)), "what no dice bring is a mark"
    with pytest.raises(ZarebaError, match="no dice have been thrown for Bengal Lancers yet"):
        session.result("passed", "lancers")


def _results(session: Session) -> tuple[Any, ...]:
    with suppress(ZarebaError):
        return session.results()
    return ()


def _told(session: Session) -> list[str]:
    return [session.game.narrator.describe_event(event) for _, _, events in session.log() for event in events]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_measure_says_range_sight_cover_what_a_shot_comes_to_and_what_blocks_sight(
    ruleset: str, tmp_path: Path
) -> None:
    session, _ = just_thrown(ruleset, tmp_path / "game.jsonl")
    game = session.game
    before = digest(session.state.to_data())
    told = all_measurements(session)
    assert digest(session.state.to_data()) == before
    said = {
        "vcc": (" range (VCC-081)", "cover (VCC-068)", "fire dice: "),
        "afriboria": ("in sight (AFR-155)", "its dice reach ", "battle dice: "),
        "fixed_baynet": (" range (FBN-081)", "has cover 0 (FBN-066)", "see the other unit (FBN-078)", "fire: "),
        "paychest": (" range, no cover (PAY-113, PAY-114)", "nearest men (PAY-007)", "firearms: "),
        "risk_factor": ("in sight (RSK-126)", "or more on a D8 (RSK-098, RSK-099)", " range, in the open"),
    }[ruleset]
    assert [words for words in said if words not in " ".join(told)] == []
    known = {
        game.narrator.name_of(word)
        for word in (*game.scenario.terrain, *game.umpire_editor().piece_holders(session.state))
    }
    while not (hidden := {line for line in told if "hidden by" in line}):
        turn = game.game_turn(session.state)
        assert session.pending is not None, "somebody hides behind something in every battle"
        while session.pending is not None and game.game_turn(session.state) == turn:
            session.answer(session.suggestion()[0])
            session.drive()
        told = all_measurements(session)
    assert not any(line.startswith("in sight") and "hidden" in line for line in told)
    for line in hidden:
        named = re.sub(r"^.*hidden by (.*) \([A-Z]+-\d+\)$", r"\1", line).replace(" and ", ", ").split(", ")
        assert all(name in known or re.search(r" at [A-Z]\d+$", name) for name in named), line


def all_measurements(session: Session) -> list[str]:
    """Return what is measured between any two pieces."""
    editor, state = session.game.umpire_editor(), session.state
    pieces = list(editor.piece_holders(state))
    return [line for a in pieces for b in pieces if a != b for line in editor.measurements(state, a, b)]


def units_to_act(session: Session) -> list[str]:
    """Return the units among which the pending question asks to choose the next to act."""
    question = session.pending
    if not isinstance(question, Choose) or session.game.game_turn(session.state) == 0 or "deploy" in question.why:
        return []
    commanded = [option[1] for option in question.options if isinstance(option, tuple) and option[0] == "command"]
    return [*commanded, *(option for option in question.options if option in session.game.scenario.units)]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_unit_removed_before_its_turn_does_not_act(ruleset: str) -> None:
    given = load_scenario("patrol_clash")
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=4)
    session.drive()
    while len(units_to_act(session)) < 2:
        session.answer(session.suggestion()[0])
        session.drive()
    removed, *_ = units_to_act(session)
    session.correct(Correction("remove", removed))
    random = Random(2)
    for _ in range(30):
        assert removed not in units_to_act(session)
        assert session.pending is None or session.pending.actor != removed
        go_on(session, random, 1)
        session.drive()
