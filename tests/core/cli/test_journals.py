"""Journals replayed, verified, cut off and told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from zlib import crc32

from zareba.session import replay
from zareba.state import digest


def _change(path: Path, line: int, old: str, new: str) -> None:
    """Change an entry as a forger would, checksum included."""
    lines = path.read_text(encoding="utf-8").splitlines()
    body = lines[line].partition(" ")[2].replace(old, new)
    lines[line] = f"{crc32(body.encode()):08x} {body}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_whole_journal_is_verified(run: Any, game: Path) -> None:
    result = run("replay", str(game), "--check")
    replayed = replay(game)
    assert result.exit_code == 0
    assert result.stdout == f"{replayed.steps} steps replayed; state {digest(replayed.session.state.to_data())}\n"
    assert result.stderr == ""


def test_a_replay_stops_where_it_is_told(run: Any, game: Path) -> None:
    part, whole = run("replay", str(game), "--to", "5").stdout, run("replay", str(game)).stdout
    assert part.startswith("5 steps replayed; state ")
    assert part.split()[-1] != whole.split()[-1]


def test_a_forged_state_is_found(run: Any, game: Path) -> None:
    number = next(n for n, line in enumerate(game.read_text().splitlines()) if '"steps"' in line)
    entry = json.loads(game.read_text().splitlines()[number].partition(" ")[2])
    _change(game, number, entry["steps"][0][1], "0" * 32)
    result = run("replay", str(game), "--check")
    assert result.exit_code == 1
    assert f"{game}:{number + 1}: after " in result.stderr
    assert "the state is not the one in the journal" in result.stderr
    assert run("replay", str(game)).exit_code == 0


def test_a_cut_off_journal_is_told_and_resumed(run: Any, game: Path) -> None:
    whole = game.read_bytes()
    game.write_bytes(whole[: len(whole) // 2])
    checked, plain = run("replay", str(game), "--check"), run("replay", str(game))
    assert (checked.exit_code, plain.exit_code) == (1, 0)
    assert "is damaged or cut off" in checked.stderr
    assert "is damaged or cut off" in plain.stderr
    resumed = run("resume", str(game))
    assert "is damaged or cut off" in resumed.stderr
    assert "The game is over: " in resumed.stdout
    # Programs that play by the seed play the lost part as before.
    assert run("replay", str(game), "--check").exit_code == 0
    assert game.with_name("game.jsonl.damaged").read_bytes() == whole[: len(whole) // 2]


def test_a_log_tells_questions_answers_dice_and_events(run: Any, game: Path) -> None:
    steps = json.loads(run("log", str(game), "--json").stdout)
    assert list(steps[0]) == ["step", "answers", "events"]
    answers = [one for step in steps for one in step["answers"]]
    assert list(answers[0]) == ["question", "rule", "seat", "by", "answer", "faces"]
    assert answers[0]["question"] == "Fusiliers: deploy in which box?"
    assert (answers[0]["rule"], answers[0]["seat"], answers[0]["by"]) == ("VCC-025", "patrol", "random")
    entries = [json.loads(line.partition(" ")[2]) for line in game.read_text().splitlines()[1:]]
    assert [one["faces"] for one in answers] == [entry["faces"] for entry in entries]
    assert any(len(one["faces"]) > 1 for one in answers)
    events = [sentence for step in steps for sentence in step["events"]]
    assert any(" fired " in sentence for sentence in events)


def test_a_log_for_people_has_one_line_an_answer(run: Any, game: Path) -> None:
    shown = run("log", str(game)).stdout
    assert shown.startswith("1/deployment/deploy.place\n  Fusiliers: deploy in which box? random: ")
    assert "  - Fusiliers deployed in " in shown
    assert re.search(r": throw \dd6, read as sum and highest:\s\d( \d)+, so \d+, \d\n", shown)
    assert re.search(r"  Morale for .*: throw 1d6, read as sum: \d\n", shown), "one die speaks for itself"
    assert re.search(r"\nthe end\n  - The game is over: .* Points: .* Reason: .*\.\n$", shown, re.DOTALL)


def test_the_log_of_a_game_that_is_not_over_tells_no_end(run: Any, game: Path) -> None:
    lines = game.read_bytes().splitlines(keepends=True)
    game.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert "the end" not in run("log", str(game)).stdout


def test_a_log_tells_points_of_an_open_table_with_one_decimal(run: Any, tmp_path: Path) -> None:
    journal = tmp_path / "clash.jsonl"
    sides = ("--seat", "patrol=doctrine", "--seat", "tribesmen=random")
    run("play", "patrol_clash", "--ruleset", "paychest", "--seed", "3", "--journal", str(journal), *sides)
    assert re.search(r"\? doctrine: \d+\.\d, \d+\.\d\n", run("log", str(journal)).stdout)


def test_a_card_is_told_in_words(run: Any, tmp_path: Path) -> None:
    journal = tmp_path / "raid.jsonl"
    sides = ("--seat", "legion=doctrine", "--seat", "raiders=doctrine")
    run("play", "paychest_raid", "--ruleset", "paychest", "--seed", "3", "--journal", str(journal), *sides)
    shown = run("log", str(journal)).stdout
    assert re.search(r"read as sum against 7:\s\d \d, so (7\sor\smore|less\sthan\s7)\n", shown)
    told = json.loads(run("log", str(journal), "--json").stdout)
    cards = {answer["answer"] for step in told for answer in step["answers"] if answer["rule"] == "PAY-115"}
    assert cards and not any("_" in card for card in cards)
