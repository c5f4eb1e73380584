"""Journals that are replayed, verified, truncated and printed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from tests.small_battle import small_battle_file

from zareba.base.state import digest
from zareba.cli.play.journals import bare_steps
from zareba.renamed import warn_renamed
from zareba.session import replay


def _change(path: Path, line: int, old: str, new: str) -> None:
    """Change an entry as a forger would, including its checksum."""
    lines = path.read_text(encoding="utf-8").splitlines()
    body = lines[line].partition(" ")[2].replace(old, new)
    lines[line] = f"{crc32(body.encode()):08x} {body}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_whole_journal_is_verified(run: Any, game: Path) -> None:
    result = run("replay", str(game), "--check")
    replayed = replay(game)
    assert result.exit_code == 0
    state = digest(replayed.session.state.to_data())
    assert result.stdout == (
        f"{replayed.steps} steps replayed and every question and state is as recorded; "
        f"checksum of the last state: {state}\n"
    )
    assert result.stderr == ""


def test_the_former_name_of_the_command_still_works_and_warns(run: Any, game: Path) -> None:
    warn_renamed.cache_clear()
    result = run("resume", str(game))
    assert result.exit_code == 0
    assert "resume is now called continue" in result.stderr


def test_a_replay_stops_at_the_given_step(run: Any, game: Path) -> None:
    part, whole = run("replay", str(game), "--to", "5").stdout, run("replay", str(game)).stdout
    assert part.startswith("5 steps replayed; checksum of the last state: ")
    assert part.split()[-1] != whole.split()[-1]


def test_forged_state_is_detected(run: Any, game: Path) -> None:
    number = next(n for n, line in enumerate(game.read_text().splitlines()) if '"steps"' in line)
    entry = json.loads(game.read_text().splitlines()[number].partition(" ")[2])
    _change(game, number, entry["steps"][0][1], "0" * 32)
    result = run("replay", str(game), "--check")
    assert result.exit_code == 1
    assert f"{game}:{number + 1}: after " in result.stderr
    assert "the state is not the one in the journal" in result.stderr
    assert run("replay", str(game)).exit_code == 0


def test_a_cut_off_journal_is_reported_and_resumed(run: Any, game: Path) -> None:
    whole = game.read_bytes()
    game.write_bytes(whole[: len(whole) // 2])
    checked, plain = run("replay", str(game), "--check"), run("replay", str(game))
    assert (checked.exit_code, plain.exit_code) == (1, 0)
    assert "is damaged or cut off" in checked.stderr
    assert "is damaged or cut off" in plain.stderr
    resumed = run("continue", str(game))
    assert "is damaged or cut off" in resumed.stderr
    assert "The game is over: " in resumed.stdout
    # AI players with the same seed replay the lost part identically.
    assert run("replay", str(game), "--check").exit_code == 0
    assert game.with_name("game.jsonl.damaged").read_bytes() == whole[: len(whole) // 2]


def test_a_log_tells_questions_answers_dice_and_events(run: Any, game: Path) -> None:
    steps = json.loads(run("log", str(game), "--json").stdout)
    assert list(steps[0]) == ["step", "answers", "events"]
    answers = [answer for step in steps for answer in step["answers"]]
    assert list(answers[0]) == ["question", "rule", "seat", "by", "answer", "faces"]
    assert answers[0]["question"] == "Fusiliers: deploy in which box?"
    assert (answers[0]["rule"], answers[0]["seat"], answers[0]["by"]) == ("VCC-025", "patrol", "random")
    entries = [json.loads(line.partition(" ")[2]) for line in game.read_text().splitlines()[1:]]
    assert [answer["faces"] for answer in answers] == [entry["faces"] for entry in entries]
    assert any(len(answer["faces"]) > 1 for answer in answers)
    events = [sentence for step in steps for sentence in step["events"]]
    assert any(" fired " in sentence for sentence in events)


def test_a_log_for_people_has_one_line_an_answer(run: Any, game: Path) -> None:
    shown = run("log", str(game)).stdout
    assert shown.startswith("Turn 1, deployment\n  Fusiliers: deploy in which box? random: ")
    assert "\nTurn 1, step 4: British units rally and move\n" in shown
    assert "  - Fusiliers deployed in " in shown
    assert re.search(
        r": throw\s+\dd6\s+and\s+add\s+them;\s+the\s+highest\s+die\s+counts\s+too:\s+\d(\s+\d)+;\s+\d+\s+hits?\s+\(the\s+sum\s+of\s+the\s+dice\),\s+\d\s+on\s+the\s+highest\s+die",
        shown,
    )
    assert re.search(r"  Morale for .*: throw 1d6: \d; \d( or less)?: \w+", shown), "a single die needs no explanation"
    assert re.search(r"\nthe end\n  - The game is over: .* Points:\s.*\sDeciding\s+factor:\s.*\.\n$", shown, re.DOTALL)


def test_the_log_of_an_unfinished_game_has_no_end(run: Any, game: Path) -> None:
    lines = game.read_bytes().splitlines(keepends=True)
    game.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert "the end" not in run("log", str(game)).stdout


def test_a_log_describes_points_by_landmarks_and_cards_in_words(run: Any, tmp_path: Path) -> None:
    journal, battle = tmp_path / "skirmish.jsonl", small_battle_file(tmp_path)
    sides = ("--seat", "patrol=doctrine", "--seat", "tribesmen=random")
    run("play", battle, "--ruleset", "paychest", "--seed", "4", "--journal", str(journal), *sides)
    shown = run("log", str(journal)).stdout
    joined = " ".join(shown.split())
    assert re.search(r"\? doctrine: (at|\d+ inch(es)? [a-z-]+ of) the [A-Z]?[a-z]+ ", joined)
    assert not re.search(r"\d\.\d, \d", joined)
    assert re.search(r"and add them, against 7:\s\d \d; (7\s+or\s+more|less\s+than\s+7):\s", shown)
    told = json.loads(run("log", str(journal), "--json").stdout)
    cards = {answer["answer"] for step in told for answer in step["answers"] if answer["rule"] == "PAY-115"}
    assert cards and not any("_" in card for card in cards)


# --- house rules in Python --------------------------------------------------------------------------------------------

BUGLE = """import zareba

@zareba.hookimpl
def zareba_event(table, event):
    pass
"""


@pytest.fixture
def club_game(run: Any, tmp_path: Path) -> Path:
    """Return a game played with a single-file Python house rule from another folder."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "club.py").write_text(BUGLE, encoding="utf-8")
    seats = ("--seat=patrol=random", "--seat=tribesmen=random")
    args = ("--seed=3", "--journal=club.jsonl", "--house-rule=elsewhere/club.py", *seats)
    assert run("play", "patrol_clash", "--ruleset=vcc", *args).exit_code == 0
    path = tmp_path / "club.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:30]))
    return path


def test_a_file_that_was_named_once_is_remembered_by_its_text(run: Any, club_game: Path) -> None:
    for command in ("replay", "log", "continue"):
        assert run(command, str(club_game)).exit_code == 0
    club_game.with_name("elsewhere").joinpath("club.py").write_text(BUGLE + "\n", encoding="utf-8")
    refused = run("continue", str(club_game))
    assert refused.exit_code == 2
    assert "with the house rule 'club' in Python, and a journal cannot run a file; name its file" in refused.stderr


def test_unnamed_house_rule_file_is_not_run(run: Any, club_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the journal and the file come from another person
    monkeypatch.setenv("XDG_CONFIG_HOME", str(club_game.with_name("another person")))
    elsewhere = club_game.with_name("elsewhere") / "club.py"
    (club_game.with_name("club.py")).write_text(elsewhere.read_text(), encoding="utf-8")
    monkeypatch.setattr("zareba.plugins.rule_files._run", None)
    assert run("continue", str(club_game)).exit_code == 2
    assert run("replay", str(club_game), "--check").exit_code == 1
    assert "not replayed: " in run("replay", str(club_game)).stderr
    told = run("log", str(club_game))
    assert told.exit_code == 0
    assert "showing the recorded text, because the game cannot be replayed: this game was played" in told.stderr
    assert "Fusiliers: deploy in which box? random: F1" in told.stdout


def test_a_file_named_for_an_old_game_is_run_and_remembered(
    run: Any, club_game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(club_game.with_name("another person")))
    named = "--house-rule=elsewhere/club.py"
    assert run("replay", str(club_game), "--check", named).exit_code == 0
    assert run("continue", str(club_game)).exit_code == 0


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ("nowhere.py", "there is no house rule file nowhere.py"),
        ("rule.yaml", "rule.yaml is not a Python house rule; the journal already contains the others"),
        (
            "other.py",
            "this game was not played with other.py; name only the Python house rules that it was played with",
        ),
    ],
)
def test_a_file_that_does_not_belong_to_the_game_is_refused(
    run: Any, club_game: Path, monkeypatch: pytest.MonkeyPatch, named: str, sentence: str
) -> None:
    club_game.with_name("rule.yaml").write_text("house_rule: rule\n", encoding="utf-8")
    club_game.with_name("other.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    result = run("continue", str(club_game), f"--house-rule={named}")
    assert result.exit_code == 2 and sentence in " ".join(result.stderr.split())


@pytest.mark.parametrize("wanted", ["../../secret", "0" * 32, "\0"])
def test_paths_in_a_journal_are_not_opened(
    run: Any, club_game: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    header = json.loads(club_game.read_text().splitlines()[0].partition(" ")[2])
    _change(club_game, 0, f'"digest":"{header["house_rules"][0]["digest"]}"', f'"digest":{json.dumps(wanted)}')
    opened: list[str] = []
    real = Path.read_text

    def read_text(path: Path, **more: Any) -> str:
        opened.append(str(path))
        return real(path, **more)

    monkeypatch.setattr(Path, "read_text", read_text)
    assert run("continue", str(club_game)).exit_code == 2
    ours = str(club_game.parent)
    asked = [name for name in opened if name.startswith(ours)]
    assert asked == ([f"{ours}/config/zareba/house_rules/{wanted}"] if wanted == "0" * 32 else [])


# --- the log without its ruleset --------------------------------------------------------------------------------------


def test_a_log_without_rules_prints_all_events(run: Any, game: Path) -> None:
    whole, steps = run("log", str(game), "--json").stdout, run("replay", str(game)).stdout
    lines = run("log", str(game)).stdout
    _change(game, 0, '"ruleset":"vcc"', '"ruleset":"gone"')
    bare = run("log", str(game), "--json")
    assert bare.exit_code == 0 and "there is no ruleset 'gone'" in bare.stderr
    assert json.loads(bare.stdout) == json.loads(whole)
    assert run("log", str(game)).stdout == lines
    replayed = run("replay", str(game))
    assert replayed.exit_code == 0 and "not replayed: there is no ruleset 'gone'" in replayed.stderr
    assert replayed.stdout == steps.replace("replayed;", "as recorded;")
    assert run("replay", str(game), "--check").exit_code == 1


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([], []),
        ([{"answer": "a", "faces": [], "by": "person", "steps": [["1/x", "h"]]}], [("1/x", ["person: a"])]),
        ([{"answer": "ace", "faces": [], "by": "chance"}], [("under way", ["chance: a card"])]),
        ([{"answer": 9, "faces": [4, 5], "by": "chance"}], [("under way", ["chance: 4 5"])]),
        ([{"answer": [1, [True, None]], "by": "x"}], [("under way", ["x: 1, yes, None"])]),
        ([{"answer": 1, "by": "x"}, {"undo": 1}], []),
        ([{"answer": 1, "by": "x"}, {"undo": 1}, {"redo": 1}], [("under way", ["x: 1"])]),
        ([{"answer": 1, "by": "x"}, {"undo": 1}, {"answer": 2, "by": "x"}, {"redo": 1}], [("under way", ["x: 2"])]),
        (
            [{"answer": n, "by": "x", "steps": [["s", "h"]]} for n in (1, 2, 3)] + [{"undo": 2}, {"redo": 1}],
            [("s", ["x: 1"]), ("s", ["x: 2"])],
        ),
        (
            [{"answer": 1, "by": "x", "said": {"question": "Which?", "line": "Which? x: one"}}, {"by": "x", "said": 3}],
            [("under way", ["Which? x: one", "x: None"])],
        ),
        (
            [{"answer": 1, "by": "x", "said": {"question": "Whom?", "line": "Whom? x: Ali", "secret": True}}],
            [("under way", ["Whom? x: secret until the battle is over"])],
        ),
        (
            [{"by": "x", "over": True, "said": {"question": "Whom?", "line": "Whom? x: Ali", "secret": True}}],
            [("under way", ["Whom? x: Ali"])],
        ),
        ([{"by": "x", "steps": [["1/x", "h"]], "story": "x"}], [("1/x", ["x: None"])]),
        ([{"undo": "all"}, {"redo": None}, {"undo": -3}, {"undo": 9}], []),
        ([{"steps": 3}, {"steps": [3]}, {"faces": 3, "by": 4}], [("under way", ["None: None"] * 2 + ["4: None"])]),
    ],
)
def test_journal_entries_without_rules_are_printed_with_any_content(
    entries: list[dict[str, Any]], told: list[tuple[str, list[str]]]
) -> None:
    assert [(key, [line for _, line in lines]) for key, lines, _ in bare_steps(entries)] == told
