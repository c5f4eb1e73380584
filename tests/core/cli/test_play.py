"""A session at the prompt: choices, why, odds, undo, physical dice, leaving and resuming."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle_file

from zareba.base.tally import Tally
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.render import acts_in_words
from zareba.cli.study.distributions import changes_table
from zareba.explain import by_kind, explanations
from zareba.game import UnitChange
from zareba.odds import ChoiceOdds
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session import Answered, new_session, replay
from zareba.table import Event
from zareba_rulesets.vcc.game import VccNarrator, VccPlay

PLAY = ("play", "patrol_clash", "--ruleset=vcc", "--seed=4", "--journal=mine.jsonl")
ALONE = (*PLAY, "--seat=tribesmen=random")
PROMPT = re.compile(r"\[\d+-?\d*[^]]*help\] > ")


def _answers(journal: str = "mine.jsonl", *house_rules: str) -> list[Any]:
    session = replay(Path(journal), house_rules=[Path(file) for file in house_rules]).session
    return [answer for _, answers, _ in session.log() for answer in answers]


def test_choices_go_into_the_journal(run: Any) -> None:
    result = run(*ALONE, typed="E2\n1\nquit\n")
    assert result.exit_code == 0
    assert "Fusiliers: deploy in which box? (VCC-025)" in result.stdout
    assert "  1 E2    2 B1" in result.stdout
    assert "saved; continue with: zareba continue mine.jsonl" in result.stderr
    first, second = _answers()[:2]
    assert (first.question.why, first.by) == ("deploy in", "person")
    assert second.question.why == "face"


def test_nonsense_input_changes_nothing(run: Any) -> None:
    result = run(*ALONE, typed="E9\n99\nrules VCC-9999\nfoo bar\nwhi\nredo\nundo\nodds\nwhy\nquit\n")
    assert "no option is called 'E9'" in result.stdout
    assert "there is no option 99; type a number from 1 to 7" in result.stdout
    assert "there is no rule of vcc called 'VCC-9999'" in result.stdout
    assert "(or the command 'why'?)" in " ".join(result.stdout.split())
    assert "there is nothing to redo" in result.stdout
    assert "you have no choice to undo" in result.stdout
    assert "no option here leads straight to dice" in result.stdout
    assert "nothing to explain yet" in result.stdout
    assert _answers() == []


def test_an_unknown_option_word_is_not_taken_for_undo(run: Any) -> None:
    shown = " ".join(run(*ALONE, typed="done\nwhi\nquit\n").stdout.split())
    assert "no option is called 'done'; type a number from 1 to 7, or help [1-7" in shown
    assert "no option is called 'whi'; type a number from 1 to 7, or help (or the command 'why'?)" in shown


def test_a_question_mark_shows_help_and_save_goes_on(run: Any) -> None:
    shown = run(*ALONE, typed="?\nsave\nE2\nnorth\nquit\n").stdout
    assert "the units on the map" in shown
    assert "every answer is already saved" in shown
    assert [answer.answer for answer in _answers()[:2]] == [12, 0]


def test_a_rule_is_found_by_its_number(run: Any) -> None:
    for typed in ("25", "vcc25", "VCC-025"):
        assert "VCC-025 (" in run("rules", "vcc", typed).stdout
    assert run(*ALONE, typed="rules 25\nrules vcc-025\nquit\n").stdout.count("VCC-025 (") == 2


def test_odds_name_the_choices_that_lead_to_dice(run: Any) -> None:
    session = _presses_until(lambda session: session.pending.why == "fire with")
    shown = run("continue", "until.jsonl", typed="odds\nodds 1\nodds done\nquit\n").stdout
    assert "the odds belong to the choice that follows:\n  1 " in shown
    target = session.after(session.pending.options[0])
    assert target is not None and target[0].why == "fire at"
    assert "odds N shows them for option N" in shown
    assert re.search(
        r"the odds of what you can do after option 1, \w.* bases:\n  1 \w.* bases \(.*\):\n      \w.*: .*probably",
        shown,
    )
    assert re.search(
        r"no change \(exact\)\nAll outcomes \(exact\), .*\n.*\nchance +outcome *\n100.0\u00a0% +█+ +no change", shown
    )
    assert session.pending == replay(Path("until.jsonl")).session.pending


def test_a_zone_is_announced_and_enter_takes_the_suggested_place(run: Any) -> None:
    shown = run("play", "patrol_clash", "--ruleset=paychest", "--seed=4", typed="quit\n").stdout
    assert "its zone: x 6 to 42, y 1 to 7 (inches)" in shown
    assert re.search(
        r"Enter takes [a-z0-9].* \(24 7\)", shown
    ) and "Reason: the scenario suggests this place" in " ".join(shown.split())


def test_umpire_edits_are_reported_at_once(run: Any) -> None:
    shown = " ".join(run(*ALONE, typed="do phase\nmove horsemen to H6 because it slipped\nquit\n").stdout.split())
    assert "the umpire moves Horsemen to H6 (it slipped); undo takes it back" in shown


def test_and_separates_two_answers(run: Any) -> None:
    assert run(*ALONE, typed="E2 and north then F1\nquit\n").exit_code == 0
    assert [answer.question.why for answer in _answers() if answer.by == "person"] == ["deploy in", "face", "deploy in"]


def test_units_lists_who_is_still_to_come(run: Any) -> None:
    shown = run(*ALONE, typed="units\nE2\nunits\nquit\n").stdout
    assert "1 Fusiliers, to be set up" in shown.split("help] > ")[1]
    assert "1 Fusiliers, to be set up" not in shown.split("help] > ")[3]
    assert "2 Sikhs, to be set up" in shown.split("help] > ")[3]


def test_men_are_shown_by_unit_and_singly_on_request(run: Any) -> None:
    args = ("play", "patrol_clash", "--ruleset=paychest", "--seed=4", "--journal=men.jsonl", "--seat=tribesmen=random")
    first = run(*args, typed="1\n1\n1\nquit\n").stdout.split("help] > ")[1]
    assert "1 Fusiliers (14)" in first and "private 14 of Fusiliers" not in first
    last = run("continue", "men.jsonl", typed="units\nboard\nquit\n").stdout.split("help] > ")
    assert "Sikhs (14)" in last[1] and "private 14 of Sikhs" not in last[1]
    assert "private 14 of Sikhs" in last[2]


def test_undo_and_redo_return_to_the_same_question(run: Any) -> None:
    undone = run(*ALONE, typed="E2\nundo\nB1\n1\nquit\n")
    assert "taken back" in undone.stdout
    assert "Fusiliers at B1" in undone.stdout
    redone = run(*ALONE[:-2], "--journal=other.jsonl", ALONE[-1], typed="E2\nundo\nredo\nquit\n")
    assert redone.exit_code == 0
    assert [answer.question.why for answer in _answers("other.jsonl")] == ["deploy in"]


def test_prompt_says_in_advance_if_a_choice_can_be_undone(run: Any) -> None:
    alone = run(*ALONE, typed="quit\n").stdout
    together = run(*PLAY[:-1], "--journal=two.jsonl", typed="quit\n").stdout
    assert "undo takes it back; help] > " in alone
    assert "undo takes it back until dice or cards are seen; help] > " in together


def test_rules_and_help_are_available_at_the_prompt(run: Any) -> None:
    shown = run(*ALONE, typed="rules vcc-083\nhelp\nunits\nboard\nlog\nquit\n").stdout
    assert "VCC-083 (chapter fire): Fire modifier 1: 1 die more against a mounted target." in shown
    assert "dice and modifiers of the last act" in shown
    assert shown.count("Turn 1 of 12 · Deployment") == 2


def test_end_of_input_saves_the_game(run: Any) -> None:
    result = run(*ALONE, typed="E2\n")
    assert result.exit_code == 0
    assert "saved; continue with" in result.stderr
    assert len(_answers()) == 1


def test_a_game_is_resumed_where_it_stood(run: Any) -> None:
    run(*ALONE, typed="E2\nquit\n")
    result = run("continue", "mine.jsonl", typed="N\nquit\n")
    assert "Fusiliers: face which way?" in result.stdout
    assert [answer.question.why for answer in _answers()[:2]] == ["deploy in", "face"]


def test_a_whole_game_can_be_played_by_typing_1(run: Any) -> None:
    result = run(*ALONE, typed="1\n" * 2000)
    assert re.search(r"The game is over: .* Deciding factor: \w", " ".join(result.stdout.split()))
    assert replay(Path("mine.jsonl")).session.pending is None
    assert "The game is over: " in run("continue", "mine.jsonl").stdout
    told = run("log", "mine.jsonl", "--json")
    events = [sentence for step in json.loads(told.stdout) for sentence in step["events"]]
    assert len(events) > 20
    # The prompt shows all events since each question, except those it leaves to 'more'.
    shown = " ".join(result.stdout.split())
    assert sum(sentence in shown for sentence in events) > len(events) / 2


def test_why_explains_the_last_numbers(run: Any) -> None:
    result = run(*ALONE, typed="1\n" * 120 + "why\nwhy 1\nwhy 2\nquit\n")
    assert re.search(r"change +total +rule +reason +rule in short", result.stdout)
    assert re.search(r"VCC-\d{3}", result.stdout)


def _presses_until(ready: Callable[[Any], bool]) -> Any:
    """Return a session that takes only first options until `ready` is true."""
    found = load_scenario("patrol_clash")
    session = new_session("vcc", found, {"tribesmen": "random"}, seed=4, path=Path("until.jsonl"))
    session.drive()
    while not ready(session):
        session.answer(session.pending.options[0])  # type: ignore[union-attr]  # these rules ask only choices
        session.drive()
    session.close()
    return session


def test_why_gives_the_numbers_of_several_units_in_the_order_of_their_throws(run: Any) -> None:
    played = ("play", "patrol_clash", "--ruleset=risk_factor", "--seed=3", "--seat=tribesmen=doctrine")
    told = " ".join(run(*played, typed="\n" * 18 + "why\nwhy 1\nquit\n").stdout.split())
    assert "1 risk factor: 1, 1, -1, -1, 1 (RSK-125) 2 Action for Fusiliers 1: 3; Fusiliers 2: 2; Sikhs 1: 1;" in told
    assert "risk factor: 1 (RSK-125), the same 3 times" in told


def test_why_lists_every_number_of_the_last_act_and_explains_each(run: Any) -> None:
    session = _presses_until(lambda session: len(session.last_numbers()) > 3)
    numbers = [entry for entry in session.last_numbers() if isinstance(entry, Tally)]
    throws = [entry for entry in session.last_numbers() if isinstance(entry, Answered)]
    assert isinstance(session.last_numbers()[0], Tally) and isinstance(session.last_numbers()[1], Answered)
    shown = run("continue", "until.jsonl", typed="why\nwhy all\nwhy 1\nwhy 2\nwhy 99\nquit\n").stdout
    told = " ".join(shown.split())
    for number in numbers:
        assert f"{number.rule.name.replace('_', ' ')}: {number.total}" in told
    for throw in throws:
        assert f": {' '.join(map(str, throw.faces))}" in told
    assert "why N explains one of them in detail; why all lists every number and throw" in shown
    kinds = by_kind(explanations(session.last_numbers()))
    assert [number for number in range(1, len(kinds) + 1) if f"  {number} " not in shown] == []
    assert len(re.findall("rule in short", shown)) == 1 + (len(numbers) == 1)
    # A roll is explained by its rule.
    assert f"{throws[0].question.rule} (" in told.partition("rule in short")[2]
    assert "there is no option 99" in shown


def test_a_returning_player_sees_the_recent_events_again(run: Any) -> None:
    session = _presses_until(lambda session: len(session.news()) > 9)
    told = [session.game.narrator.describe_event(event) for event in session.news()]
    shown = run("continue", "until.jsonl", typed="more\nquit\n").stdout
    brief, more = (" ".join(part.split()) for part in shown.split("help] > ")[:2])
    assert told[0] in brief or "more: type more)" in brief
    assert [sentence for sentence in told if f"- {sentence}" not in more] == []


def test_more_shows_no_dice_of_an_earlier_act(run: Any) -> None:
    _presses_until(lambda session: session.last_numbers() and not next(session.history.acts(None)).numbers)
    more = run("continue", "until.jsonl", typed="more\nquit\n").stdout.split("help] > ")[1]
    assert "throw" not in more


def test_a_unit_is_lost_after_its_losses() -> None:
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    unit = next(iter(game.scenario.units))
    events = [
        Event("destroyed", "VCC-100", {"unit": unit}),
        Event("loss", "VCC-100", {"unit": unit, "lost": 2, "left": 0}),
    ]
    name = game.scenario.units[unit].name
    assert acts_in_words(game, [events]) == [f"{name} lost 2 bases; that was the end of {name}"]


def test_losses_are_named_even_if_the_news_are_cut(run: Any) -> None:
    play = ("play", "patrol_clash", "--ruleset=vcc", "--seed=9", "--seat=tribesmen=doctrine", "--journal=mine.jsonl")
    shown = run(*play, typed="do phase\ndo turn\ndo turn\ndo turn\nquit\n").stdout
    assert "Losses of the band: Young men: 4 bases\n" in shown
    assert "Losses of the band: Swordsmen: 3 bases (none left); leader: Mir Alam\n" in shown


def test_help_explains_one_command_and_the_first_question_names_help_and_undo(run: Any) -> None:
    shown = run(*ALONE, typed="help why\nhelp measure\nhelp give\nhelp wyh\nquit\n").stdout
    first, why, measure, give, unknown, *_ = shown.split("help] > ")
    assert "undo takes back your last choice; help lists commands" in " ".join(first.split())
    assert why.startswith("why, why N, why all") and "board" not in why
    assert measure.startswith("measure UNIT UNIT    distance") and "goal OBJECTIVE SIDE" in give
    assert "there is no command 'wyh'" in unknown


def test_a_term_is_explained_once_where_it_first_appears(run: Any) -> None:
    shown = run(*ALONE, typed="1\n1\n1\n1\nquit\n").stdout
    assert shown.count("box: a square of the grid; distances and moves are counted in boxes") == 1


def test_odds_of_the_options_come_before_the_choice(run: Any) -> None:
    """`odds` summarises every option; `odds 1` shows all outcomes of one, the assumptions, and the numbers used."""
    _presses_until(lambda session: session.pending.why == "fire at")
    before = Path("until.jsonl").read_bytes()
    shown = run("continue", "until.jsonl", typed="odds\nodds 1\nodds 99\nquit\n").stdout
    told = " ".join(shown.split())
    brief = re.search(r"1 .{1,60} \(.*\): .{1,60}: .{0,40}probably .{1,40}\(\d+\.\d on average\)", told)
    assert brief is not None and "odds N shows all outcomes of option N" in told
    assert "left out, because they roll no dice themselves: 2 hold fire" in told
    assert re.search(r"All outcomes \((exact|sampled from [\d,]+ plays)\)", told)
    assert "if you then do nothing more and the AI player doctrine decides for the others" in told
    assert "fire dice: " in told and "rule in short" in told
    assert "there is no option 99" in told
    assert Path("until.jsonl").read_bytes() == before


@pytest.mark.parametrize("samples", [0, 145])
def test_all_outcomes_are_listed_with_a_bar_each(samples: int) -> None:
    """The chance comes first, so that a long outcome is wrapped in its own column."""
    session = _presses_until(lambda session: session.pending.why == "fire at")
    lost = UnitChange("jezails", "lost", 0, 2), UnitChange("jezails", "hits", 0, 4)
    found = ChoiceOdds(outcomes={lost: Fraction(9, 10), lost[:1]: Fraction(1, 10)}, samples=samples)
    console = SafeConsole()
    with console.capture() as captured:
        console.print(changes_table(session.game, found))
    head, *rows = captured.get().splitlines()
    assert re.search(r"chance .*outcome", head)
    starts = [row for row in rows if "%" in row]
    assert len(starts) == 2 and all("█" in row for row in starts)
    assert all(not row[: head.index("outcome")].strip() for row in rows if row not in starts)


def test_odds_are_shown_before_a_yes_or_no_and_for_questions_of_house_rules(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ruleset does not know the question, so options are evaluated by their odds; yes may cost a base."""

    def perform(self: VccPlay, table: Any, state: Any, step: Any) -> None:
        yes = table.confirm("patrol", why="storms the well", rule="")
        if yes and table.roll(1, 2, why="coin", rule="VCC-083") == 1:
            next(iter(state.units.values())).bases -= 1

    monkeypatch.setattr(VccPlay, "perform", perform, raising=False)
    known = "storms the well"
    monkeypatch.setattr(VccNarrator, "knows_question", lambda self, state, question: question.why != known)
    monkeypatch.setattr(VccNarrator, "describe", lambda self, state, question: "Does the patrol storm the well?")
    told = " ".join(run(*ALONE, typed="odds\nodds yes\nodds no\nquit\n").stdout.split())
    assert "1 no: no change (exact)" in told
    assert re.search(r"2 yes \(exact\): [^:]+: 1 base lost \(50 % chance\) no change \(50 % chance\)", told)
    assert told.count("All outcomes (exact)") == 2 and "50.0 %" in told


def _presses_until_dice(run: Any) -> int:
    """Return how many first options are taken before physical dice are requested."""
    probe = (*PLAY[:-1], "--journal=probe.jsonl", ALONE[-1], "--dice=physical")
    before, asked, _ = run(*probe, typed="1\n" * 200).stdout.partition("[the faces of")
    assert asked, "no dice in 200 choices"
    return len(PROMPT.findall(before))


def test_real_dice_are_requested_and_checked(run: Any) -> None:
    start = "1\n" * _presses_until_dice(run)
    wrong = "1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6\nboots\n"
    shown = run(*ALONE, "--dice=physical", typed=f"{start}{wrong}undo\nredo\nauto\nquit\n").stdout
    assert re.search(r"\[the faces of \d+d\d, or auto; undo takes it back; help\] > ", shown)
    assert re.search(r"\d+ dice thrown, but 18 faces given", shown)
    assert "'boots' is not a list of dice; type " in shown
    cast = re.search(r"the dice show ([\d ]+)", shown)
    assert cast is not None
    (thrown,) = [answer for answer in _answers() if answer.faces and answer.by == "dice"]
    assert list(thrown.faces) == [int(face) for face in cast[1].split()]


def test_ai_players_finish_a_game_without_questions(run: Any) -> None:
    both = ("--seat=patrol=doctrine", "--seat=tribesmen=random")
    quiet = run(*PLAY, *both)
    loud = run(*PLAY[:-1], "--journal=loud.jsonl", *both, "--verbose")
    assert quiet.exit_code == 0
    assert quiet.stdout.startswith("The game is over: ")
    assert loud.stdout.endswith(quiet.stdout)
    assert "Turn 1, deployment\n  Fusiliers deployed in " in loud.stdout


def test_a_general_takes_a_seat(run: Any, tmp_path: Path) -> None:
    play = ("play", small_battle_file(tmp_path, turns=1), "--ruleset=vcc", "--journal=mine.jsonl")
    played = run(*play, "--seat=patrol=general", "--seat=tribesmen=doctrine")
    assert played.exit_code == 0 and "The game is over: " in played.stdout
    assert any(answer.by == "general" for answer in _answers())
    assert run("replay", "mine.jsonl", "--check").exit_code == 0
    typo = run(*play[:-1], "--seat=patrol=generale")
    assert typo.exit_code == 2 and "did you mean 'general'" in typo.stderr


def test_without_a_name_the_journal_goes_to_the_data_folder(run: Any, tmp_path: Path) -> None:
    seats = ("--seat=patrol=random", "--seat=tribesmen=random")
    for number in (1, 2):
        result = run("play", "patrol_clash", "--ruleset=vcc", *seats)
        path = tmp_path / "data" / "zareba" / "journals" / f"patrol_clash-vcc-{number}.jsonl"
        assert f"journal: {path}" in result.stderr
        assert replay(path).session.pending is None


def test_seed_is_hidden_from_players(run: Any) -> None:
    result = run(*[arg.replace("seed=4", "seed=987654") for arg in ALONE], typed="E2\nlog\nquit\n")
    assert "987654" not in result.output
    assert "987654" not in run("log", "mine.jsonl", "--json").output


def test_a_failing_house_rule_is_named_and_the_game_is_kept(run: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "import zareba\n\n\n@zareba.hookimpl\ndef zareba_options(state, question):\n"
        "    if question.why == 'face':\n        raise ValueError('no compass')\n",
        encoding="utf-8",
    )
    result = run(*ALONE, "--house-rule=broken.py", typed="E2\nquit\n")
    told = " ".join(result.output.split())
    assert "house rule 'broken' failed in zareba_options" in told
    assert "no compass" in told
    assert result.exit_code == 0
    assert _answers("mine.jsonl", "broken.py") == []


# --- a full disk ------------------------------------------------------------------------------------------------------


def _full(monkeypatch: pytest.MonkeyPatch, refused: Callable[[int], bool]) -> None:
    """Make the disk refuse writes to the journal: the nth `fsync` fails if `refused(n)`, counted from 1."""
    calls, fsync = count(1), os.fsync

    def write_through(file: int) -> None:
        if refused(next(calls)):
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", write_through)


NOT_WRITTEN = "the journal mine.jsonl cannot be written (No space left on device); nothing has changed, so do it again"


def test_an_answer_that_cannot_be_written_can_be_repeated(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*ALONE[:-2], "--journal=other.jsonl", ALONE[-1], typed="E2\n1\nquit\n")
    _full(monkeypatch, lambda entry: entry in (3, 4))  # 1 is the file name, 2 the header
    result = run(*ALONE, typed="E2\nE2\nE2\n1\nquit\n")
    assert " ".join(result.stdout.split()).count(NOT_WRITTEN) == 2
    assert result.exit_code == 0 and "saved; continue with: zareba continue mine.jsonl" in result.stderr
    assert Path("mine.jsonl").read_bytes().split(b"\n")[1:] == Path("other.jsonl").read_bytes().split(b"\n")[1:]


def test_answers_of_ai_players_are_written_once_the_disk_has_room(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    against = "--seat=tribesmen=doctrine"  # doctrine gives the same answer again
    run(*PLAY[:-1], "--journal=other.jsonl", against, typed="1\n" * 12 + "quit\n")
    by_us = list(takewhile(lambda answer: answer.by == "person", _answers("other.jsonl")))
    first = 2 + len(by_us) + 1  # the file name and the header come before the answers
    _full(monkeypatch, lambda entry: entry in (first, first + 1))
    result = run(*PLAY, against, typed="1\n" * len(by_us) + "\n\n" + "1\n" * (12 - len(by_us)) + "quit\n")
    assert " ".join(result.stdout.split()).count(f"{NOT_WRITTEN} [Enter: try again; quit] >") == 2
    assert "saved; continue with" in result.stderr
    assert Path("mine.jsonl").read_bytes().split(b"\n")[1:] == Path("other.jsonl").read_bytes().split(b"\n")[1:]


@pytest.mark.parametrize(("seat", "room", "answered"), [("random", 2, 0), ("human", 4, 2)])
def test_answers_are_called_saved_only_if_they_are(
    run: Any, monkeypatch: pytest.MonkeyPatch, seat: str, room: int, answered: int
) -> None:
    """A person's answers are written one at a time, those of AI players together."""
    with monkeypatch.context() as patched:
        _full(patched, lambda entry: entry > room)
        result = run(*ALONE, f"--seat=patrol={seat}", typed="1\n1\n1\nquit\n")
    told = " ".join(result.output.split())
    assert NOT_WRITTEN in told and "saved; continue with" not in told
    assert "only saved up to the last accepted answer; when the journal is writable again: zareba continue mine" in told
    assert result.exit_code == (2 if seat == "random" else 0)
    assert len(_answers()) == answered
    assert run("continue", "mine.jsonl", typed="quit\n").exit_code == 0


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux has prlimit, which limits another process")
def test_a_full_disk_loses_no_answer(bare_environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "zareba", *ALONE]
    with subprocess.Popen(
        command, env=bare_environment, text=True, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as played:
        assert played.stdin is not None and played.stdout is not None
        typed, shown = played.stdin, played.stdout

        def until(words: str) -> str:
            told = ""
            while words not in told:
                read = shown.read(1)
                assert read, told
                told += read
            return told

        def answer(text: str) -> None:
            typed.write(f"{text}\n")

        until("help] > ")
        size = Path("mine.jsonl").stat().st_size
        limits = resource.prlimit(played.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(played.pid, resource.RLIMIT_FSIZE, (size + 20, limits[1]))
        for _ in range(2):
            answer("E2")
            assert "(File too large)" in " ".join(until("help] > ").split())
            assert Path("mine.jsonl").stat().st_size == size
        resource.prlimit(played.pid, resource.RLIMIT_FSIZE, limits)
        answer("E2")
        assert "cannot be written" not in until("help] > ")
        assert Path("mine.jsonl").stat().st_size > size
        answer("quit")
        assert played.wait() == 0
    assert len(_answers()) == 1


def test_hostile_names_reach_the_terminal_as_text(run: Any, tmp_path: Path) -> None:
    run("new", "scenario", "hostile")
    file = tmp_path / "hostile.yaml"
    text = file.read_text(encoding="utf-8").replace("name: First company", "name: '[bold]First[/red] :smile:'")
    file.write_text(text, encoding="utf-8")
    args = ("play", "hostile.yaml", "--ruleset=vcc", "--journal=hostile.jsonl")
    result = run(*args, "--seat=hillmen=random", typed="1\n1\nlog\nquit\n")
    assert result.exit_code == 0
    assert "[bold]First[/red] :smile:: deploy in which box?" in result.stdout
    assert "- [bold]First[/red] :smile: deployed in" in result.stdout


def test_house_rule_messages_name_the_house_rule(run: Any) -> None:
    result = run(*ALONE, "--house-rule=weather", typed="E2\n1\nwhy\nrule house-weather\nrule HOUSE-RAIN\nquit\n")
    said = " ".join(result.stdout.split())
    assert said.count("HOUSE-WEATHER (house rule): Weather: every turn it may change") == 2
    assert "no rule of vcc contains 'HOUSE-RAIN'" in said


def test_q_alone_explains_how_to_leave_and_the_score_lists_destroyed_shares(run: Any) -> None:
    told = " ".join(run(*ALONE, typed="q\nscore\nquit\n").stdout.split())
    assert "quit leaves the game; every answer is already saved" in told
    assert "the patrol destroyed 0 % and the band destroyed 0 % so far; 50 % needed at the end" in told


def test_measure_names_each_obstacle_once(run: Any) -> None:
    told = " ".join(run("tutorial", "afriboria", typed="measure 1 a\nquit\n").stdout.split())
    between = told.partition("between them: ")[2]
    assert between.startswith("objective: The well, orchard ") and "orchard; orchard" not in told
