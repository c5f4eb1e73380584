"""Sessions: answers, undo and its limits, physical dice, refusals, seats, and writing to disk before accepting."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.toy import SIDES, ToyGame, ToyPlay, bare_rules, hook_of, raid

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.base.tally import Tally, TallyRule
from zareba.journal import Journal
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session import Answered, Session, check_seats, new_session, open_session, replay
from zareba.table import Choose, Draw, Event, Place, Roll, SeededTable
from zareba.table.questions import Step

PATROL = load_scenario("patrol_clash")


def session(patrol: str = "human", tribesmen: str = "doctrine", *, seed: int = 5, **more: Any) -> Session:
    made = Session(ToyGame(), dict(zip(SIDES, (patrol, tribesmen), strict=True)), seed, **more)
    made.drive()
    return made


def look(played: Session) -> tuple[Any, ...]:
    """Return everything a person can observe of a session."""
    log = [(key, [(a.answer, a.faces, a.by) for a in answers], events) for key, answers, events in played.log()]
    return canonical_json(played.state.to_data()), played.pending, log


def answers(played: Session) -> list[Answered]:
    return [answered for _, given_answers, _ in played.log() for answered in given_answers]


def legal(played: Session, luck: int = 0) -> Any:
    """Return an answer that a person might give."""
    question = played.pending
    if isinstance(question, Choose):
        return question.options[luck % len(question.options)]
    return question.suggestions[luck % 2] if isinstance(question, Place) else bool(luck % 2)


def play_out(played: Session) -> None:
    while played.pending is not None:
        played.answer(legal(played))
        played.drive()


# --- play -------------------------------------------------------------------------------------------------------------


def test_ai_players_and_dice_answer_until_a_person_is_asked() -> None:
    played = session()
    assert played.asks_person() and played.people == ["patrol"]
    assert isinstance(played.pending, Choose) and played.pending.seat == "patrol"
    shown: list[Answered] = []
    played.answer("raid")
    played.drive(shown.append)
    assert shown[0].by == "chance"
    assert {answered.by for answered in shown} <= {"chance", "doctrine"}
    assert all(answered.reason for answered in shown if answered.by == "doctrine")


def test_a_game_between_ai_players_runs_to_its_end() -> None:
    played = session("random", "doctrine")
    assert played.pending is None and not played.asks_person()
    assert len(played.log()) == 3
    with pytest.raises(ZarebaError, match="the game is over; there is nothing to answer"):
        played.answer("raid")


def test_the_same_seed_and_answers_make_the_same_game() -> None:
    one, same, other = session(seed=5), session(seed=5), session(seed=6)
    for played in (one, same, other):
        for _ in range(4):
            played.answer("raid" if isinstance(played.pending, Choose) else False)
            played.drive()
    assert look(one) == look(same) != look(other)


def test_a_session_and_a_simulation_throw_the_same_dice() -> None:
    played = session("doctrine", "doctrine", seed=9)
    game = ToyGame()
    state = game.start()
    table = SeededTable(game.rules, state, 9, {side: make_agent("doctrine", game, side, 9) for side in SIDES})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert state == played.state


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["fly", None, 3, True, ("raid",), ""])
def test_a_refused_answer_changes_nothing(value: Any) -> None:
    played = session()
    before = look(played)
    with pytest.raises(ZarebaError, match="is not an answer to 'act'"):
        played.answer(value)
    with pytest.raises(ZarebaError, match="there are no dice to throw now"):
        played.throw([3, 4])
    assert look(played) == before
    played.answer("raid")


def test_an_illegal_place_is_refused_with_the_reason_of_the_rules() -> None:
    played = session()
    played.answer("camp")
    before = look(played)
    with pytest.raises(ZarebaError, match="the plain reaches from 0 to 10"):
        played.answer((11.0, 3.0))
    assert look(played) == before
    played.answer((10.0, 3.0))
    assert played.state.camps == {"patrol": (10.0, 3.0)}


def test_failed_step_leaves_the_session_unchanged() -> None:
    played = session()

    def fail(table: Any, event: Event) -> None:
        raise ValueError("wet powder")

    before = look(played)
    played.game.rules.event_hooks = (hook_of("zareba_event", fail, "table", "event"),)
    played.answer("raid")
    with pytest.raises(RuleBroken, match="house rule 'club' failed in zareba_event"):
        played.drive()
    assert isinstance(played.pending, Roll)
    played.undo()
    assert look(played) == before


# --- undo and redo ----------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 12), st.integers(0, 99))
@settings(max_examples=60)
def test_undo_and_redo_are_inverse(luck: list[int], back: int, seed: int) -> None:
    played = session(seed=seed)
    seen = [look(played)]
    for number in luck:
        if played.pending is not None:
            played.answer(legal(played, number))
            played.drive()
            seen.append(look(played))
    back = min(back, len(seen) - 1)
    for expected in seen[-2 : -2 - back : -1]:
        played.undo()
        assert look(played) == expected
    for expected in seen[len(seen) - back :]:
        played.redo()
        assert look(played) == expected
    with pytest.raises(ZarebaError, match="there is nothing to redo"):
        played.redo()


def test_undo_works_after_the_end_of_the_game() -> None:
    played = session()
    play_out(played)
    over = look(played)
    played.undo()
    assert played.asks_person()
    played.redo()
    assert look(played) == over


def test_finished_steps_are_read_once_and_again_after_an_undo() -> None:
    played = session(tribesmen="human")
    while len(played.history.steps) < 3:
        played.drive()
        played.answer(legal(played))
    first, again = (list(played.history.steps_seen_by(None)) for _ in range(2))
    is_finished = [step.played.done is not None for step in first]
    assert [one is other for one, other in zip(first, again, strict=True)] == is_finished and any(is_finished)
    while len(played.history.steps) == 3:
        played.undo()
    last = next(played.history.steps_seen_by(None))
    assert last.played.done is None and last.end is played.history.now
    assert len(last.spans) == len(last.played.answers) + 1


def test_another_answer_after_undo_ends_the_redo() -> None:
    played = session()
    played.answer("raid")
    played.drive()
    played.undo()
    played.answer("camp")
    with pytest.raises(ZarebaError, match="there is nothing to redo"):
        played.redo()


def test_a_new_throw_after_undo_and_redo_is_the_old_one() -> None:
    played = session()
    played.answer("raid")
    played.drive()
    first = [answered.faces for answered in answers(played)]
    played.undo()
    played.answer("raid")
    played.drive()
    assert [answered.faces for answered in answers(played)] == first


def test_undo_needs_a_choice_of_ones_own() -> None:
    for played in (session(), session("random", "random")):
        assert played.why_no_undo() == "you have no choice to undo"
        with pytest.raises(ZarebaError, match="no choice to undo"):
            played.undo()


def test_between_two_people_undo_stops_at_what_was_seen() -> None:
    played = session("human", "human")
    played.answer("raid")
    assert played.why_no_undo() is None  # the dice have not been rolled yet
    played.drive()
    assert str(played.why_no_undo()).startswith("dice or cards have been revealed since that choice")
    before = look(played)
    with pytest.raises(ZarebaError, match="another person is playing"):
        played.undo()
    assert look(played) == before
    played.answer(False)  # the protest, a choice without dice after it
    assert played.why_no_undo() is None
    played.undo()
    assert look(played) == before


# --- physical dice ----------------------------------------------------------------------------------------------------


def test_people_type_real_dice_and_the_program_draws_cards() -> None:
    played = session(physical=True)
    played.answer("raid")
    played.drive()
    assert isinstance(played.pending, Roll) and played.asks_person()
    before = look(played)
    for faces, why in (([3], "2 dice thrown, but 1 face given"), ([3, 7], "cannot show 7"), ([], "0 faces")):
        with pytest.raises(ZarebaError, match=why):
            played.throw(faces)
    assert look(played) == before
    played.throw([6, 2])
    assert isinstance(played.pending, Draw) and not played.asks_person()
    thrown = answers(played)[-1]
    assert (thrown.by, thrown.faces, thrown.answer) == ("dice", (6, 2), (8, 6))
    played.undo()
    assert isinstance(played.pending, Roll)


# --- seats ------------------------------------------------------------------------------------------------------------


def test_unknown_seats_get_the_nearest_suggestion() -> None:
    rules = load_rules("vcc")
    assert check_seats(PATROL, rules, {"tribesmen": "random"}) == {"patrol": "human", "tribesmen": "random"}
    for seats, message in [
        ({"patrols": "random"}, "there is no side of patrol_clash called 'patrols'; did you mean 'patrol'"),
        ({"band": "random"}, "there is no side of patrol_clash called 'band'; type 'tribesmen' for the band"),
        ({"patrol": "doktrin"}, "there is no player 'doktrin'; did you mean 'doctrine'"),
        ({"patrol": "solo"}, "vcc has no rules that run a side without a player: the rulebook has no solo rules; "),
    ]:
        with pytest.raises(ZarebaError, match=message):
            check_seats(PATROL, rules, seats)


# --- answers are written before they count ----------------------------------------------------------------------------


def saved_session(path: Path, seed: int = 5) -> Session:
    """Return a VCC game between a person and doctrine, saved in a journal."""
    played = new_session("vcc", PATROL, {"tribesmen": "doctrine"}, seed=seed, path=path)
    played.drive()
    return played


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("error", [28, 5])
def test_a_disk_that_fails_refuses_the_answer_and_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: int
) -> None:
    path = tmp_path / "game.zareba"
    played = saved_session(path)
    before, written = look(played), path.read_bytes()

    def fail(*args: Any) -> int:
        raise OSError(error, os.strerror(error))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(ZarebaError, match=f"cannot be written .{os.strerror(error)}.; nothing has changed"):
            played.answer(legal(played))
    assert (look(played), path.read_bytes()) == (before, written)
    played.answer(legal(played))
    played.drive()
    state = digest(played.state.to_data())
    played.close()
    assert digest(replay(path).session.state.to_data()) == state


def test_answers_of_dice_and_ai_players_are_synced_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.zareba"
    played = saved_session(path)
    while played.asks_person():
        played.answer(legal(played))
    before, answered, written = look(played), len(played.history.answers), path.read_bytes()
    waits, fsync, refused = 0, os.fsync, True

    def wait(file: int) -> None:
        nonlocal waits
        waits += 1
        if refused:
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", wait)
    with pytest.raises(ZarebaError, match="nothing has changed"):
        played.drive()
    assert (look(played), path.read_bytes()) == (before, written), "answers that are not on disk do not count"
    refused, waits = False, 0
    played.drive()
    assert played.asks_person() and len(played.history.answers) > answered + 1
    assert waits == 1
    shown: list[Answered] = []
    while len(shown) < 5:
        while played.asks_person():
            played.answer(legal(played))
        waits, already = 0, len(shown)
        played.drive(shown.append)
        assert waits == len(shown) - already, "each reported answer is synced to disk"
    played.close()
    assert look(replay(path).session) == look(played)


def test_an_interrupted_write_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.zareba"
    played = saved_session(path)
    before, written, write, cut = look(played), path.read_bytes(), os.write, os.ftruncate
    room = 7

    def fill(file: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(28, "No space left on device")
        count = write(file, data[:room])
        room -= count
        return count

    def fail(*args: Any) -> None:
        raise OSError(5, "Input/output error")

    for mends in (True, False):
        room = 7
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", fill)
            patched.setattr(os, "ftruncate", cut if mends else fail)
            with pytest.raises(ZarebaError, match="nothing has changed"):
                played.answer(legal(played))
        assert look(played) == before
        assert path.read_bytes()[: len(written)] == written
        assert (len(path.read_bytes()) == len(written)) == mends
    played.answer(legal(played))
    played.close()
    assert look(open_session(path).session) == look(played), "remains of refused writes are removed"


def test_a_write_in_several_parts_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played, write = saved_session(tmp_path / "game.zareba"), os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:7]))
    played.answer(legal(played))
    played.close()
    assert look(replay(tmp_path / "game.zareba").session) == look(played)


def test_a_game_that_cannot_be_written_at_its_start_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ZarebaError, match="No space left on device"):
        saved_session(tmp_path / "game.zareba")
    assert list(tmp_path.iterdir()) == []


def test_undo_is_refused_too_when_the_disk_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = saved_session(tmp_path / "game.zareba")
    played.answer(legal(played))
    before = look(played)

    def fail(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(ZarebaError, match="nothing has changed"):
            played.undo()
    assert look(played) == before
    played.undo()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(ZarebaError, match="nothing has changed"):
            played.redo()
    played.redo()
    assert look(played) == before


def test_a_resumed_session_goes_on_as_the_first_would_have(tmp_path: Path) -> None:
    straight = saved_session(tmp_path / "straight.zareba")
    stopped = saved_session(tmp_path / "stopped.zareba")
    for turn in range(40):
        for played in (straight, stopped):
            if played.pending is not None:
                played.answer(legal(played, turn))
                played.drive()
        if turn % 10 == 3 and straight.why_no_undo() is None:
            for played in (straight, stopped):
                played.undo()
        if turn % 7 == 0:
            stopped.close()
            stopped = open_session(stopped_path := tmp_path / "stopped.zareba").session
            assert stopped_path.exists()
        assert look(stopped) == look(straight)
    straight.close()
    stopped.close()
    entries = [path.read_bytes().split(b"\n", 1)[1] for path in sorted(tmp_path.glob("*.zareba"))]
    assert entries[0] == entries[1]


def test_an_existing_journal_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.zareba"
    saved_session(path).close()
    before = path.read_bytes()
    with pytest.raises(ZarebaError, match="already exists; continue it with 'zareba continue"):
        new_session("vcc", PATROL, {}, seed=1, path=path)
    assert path.read_bytes() == before
    with pytest.raises(ZarebaError, match="is a folder; name a file in it for the journal"):
        Journal(tmp_path)
    with pytest.raises(ZarebaError, match="cannot be written"):
        Journal(tmp_path / "no" / "such" / "folder.zareba")


# --- news and explanations --------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    base: int


COUNT = TallyRule("count", "TOY-009", "men", "base", "none", ())


class CountingPlay(ToyPlay):
    """A raid evaluates a tally first, and a camp evaluates it twice without any dice."""

    def perform(self, table: Any, state: Any, step: Any) -> None:
        table.emit("dawn", "TOY-008", turn=state.turn)
        for side in SIDES:
            if table.choose(side, ["raid", "camp"], why="act", rule="TOY-001", actor=side) == "raid":
                table.tally("count", Counted(state.turn))
                raid(table, state, side)
            else:
                table.tally("count", Counted(10))
                table.tally("count", Counted(20))
        state.turn += 1


class CountingGame(ToyGame):
    """A game with a tally in every choice."""

    play_class = CountingPlay

    def __init__(self) -> None:
        super().__init__(bare_rules(tallies={"count": COUNT}))


def counted(played: Session) -> list[Any]:
    """Return the last numbers: totals of tallies, and faces of rolls."""
    return [number.total if isinstance(number, Tally) else number.faces for number in played.last_numbers()]


def facts_and_result(entry: Tally | Answered) -> Any:
    """Return a tally's facts and total, or a roll's question and faces: the parts a resumed game must repeat."""
    return (entry.rule.name, entry.facts, entry.total) if isinstance(entry, Tally) else (entry.question, entry.faces)


def counting(patrol: str, tribesmen: str, **more: Any) -> Session:
    played = Session(CountingGame(), dict(zip(SIDES, (patrol, tribesmen), strict=True)), 5, **more)
    played.drive()
    return played


def test_the_last_numbers_cover_the_whole_last_act() -> None:
    played = counting("human", "random")
    assert counted(played) == []
    played.answer("raid")
    played.drive()
    own, *others = counted(played)
    throws = [answer for answer in answers(played) if isinstance(answer.question, Roll)]
    assert own == 1 and others[0] == throws[0].faces and len(throws[0].faces) == 2
    # The other side's part of the turn belongs to the act too.
    assert others[1:] == ([1, throws[1].faces] if len(throws) == 2 else [10, 20])


def test_an_answer_without_numbers_leaves_those_before_it() -> None:
    played = session("human", "human")
    played.answer("raid")
    played.drive()
    thrown = played.last_numbers()
    assert [throw.question.why for throw in thrown if isinstance(throw, Answered)] == ["raid"]
    played.answer(True)  # the protest; the other side answers next
    assert isinstance(played.pending, Choose)
    assert played.last_numbers() == thrown


def test_typed_dice_do_not_end_an_act() -> None:
    played = counting("human", "human", physical=True)
    played.answer("raid")
    played.throw([2, 3])
    assert counted(played) == [1, (2, 3)]
    played.answer("camp")
    assert counted(played) == [10, 20]


def test_an_undone_act_has_no_numbers() -> None:
    played = counting("human", "random", physical=True)
    played.answer("raid")
    played.throw([2, 3])
    assert counted(played)[:2] == [1, (2, 3)]
    played.undo()
    assert counted(played) == [1]
    played.undo()
    assert counted(played) == []
    played.redo()
    played.redo()
    assert counted(played)[:2] == [1, (2, 3)]


def test_the_news_covers_everything_since_a_persons_last_answer() -> None:
    waiting = counting("random", "human")
    # The patrol has already acted, in a step without questions to another side.
    assert next(event.kind for event in waiting.news()) == "dawn"
    waiting.answer("camp")
    waiting.drive()
    assert next(event.kind for event in waiting.news()) == "dawn"
    assert all(event.data.get("turn", 2) == 2 for event in waiting.news())


def test_news_and_numbers_are_the_same_after_a_resume(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    seats = {"patrol": "human", "tribesmen": "random"}
    played = new_session("vcc", PATROL, seats, seed=4, path=path)
    played.drive()
    while not played.last_numbers():
        question = played.pending
        assert isinstance(question, Choose)
        played.answer(question.options[0])
        played.drive()
    played.close()
    again = open_session(path).session
    assert again.news() == played.news() != ()
    assert again.last_numbers()
    assert [facts_and_result(number) for number in again.last_numbers()] == [
        facts_and_result(number) for number in played.last_numbers()
    ]


def test_a_step_under_way_is_in_the_log_before_anything_is_answered() -> None:
    played = counting("human", "human")
    ((key, given_answers, events),) = played.log()
    assert (key, given_answers, [event.kind for event in events]) == (Step("turn", 1, "both").key, (), ["dawn"])


def test_next_question_is_found_without_answering() -> None:
    played = session("human", "human")
    before = look(played)
    assert played.after("raid") is None  # the dice come first
    further = played.after("camp")
    assert further is not None and isinstance(further[0], Place) and further[0].why == "camp"
    assert look(played) == before
    played.answer("camp")
    assert played.after((1.0, 1.0)) is None  # the other side answers next
    played.answer((1.0, 1.0))
    played.answer(False)
    played.answer("camp")
    played.answer((1.0, 1.0))
    further = played.after(False)  # the turn ends, and the next one begins with the same seat
    assert further is not None and further[0].why == "act" and further[1].turn == 2


def test_an_answer_that_makes_a_rule_fail_has_no_next_question() -> None:
    class NothingHappens(ToyPlay):
        def perform(self, table: Any, state: Any, step: Any) -> None:
            table.confirm("patrol", why="protest", rule="TOY-005")

    class StandingStill(ToyGame):
        play_class = NothingHappens

    played = Session(StandingStill(), dict.fromkeys(SIDES, "human"), 5)
    assert played.after(True) is None
    with pytest.raises(RuleBroken, match="it changed nothing, so it would repeat forever"):
        played.answer(True)


def test_a_finished_game_has_no_next_question() -> None:
    assert session("random", "random").after("raid") is None
