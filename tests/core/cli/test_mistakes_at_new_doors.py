"""Twenty typical beginner's mistakes at each entry point: each gives a clear sentence and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zareba.journal import games_folder
from zareba.session import replay

GAME = ("play", "patrol_clash", "--ruleset=vcc", "--seed=4", "--seat=tribesmen=random", "--journal=mine.jsonl")
MANY = 20

UMPIRE = {
    "set": "name a unit",
    "set nobody figures 3": "there is no piece 'nobody'",
    "set fusilers figures 3": "did you mean 'Fusiliers'?",
    "set fusiliers figures": "give a value for figures",
    "set fusiliers figures lots": "whole number",
    "set fusiliers figures 99": "whole number from 0 to",
    "set fusiliers figures -1": "whole number from 0 to",
    "set fusiliers figurs 3": "did you mean 'figures'?",
    "move": "name a unit",
    "move fusiliers": "say where to put Fusiliers",
    "move fusiliers to Z9": "there is no Z9 on the table",
    "move fusiliers to the moon": "there is no place",
    "mark fusiliers": "name a mark; known",
    "mark fusiliers sleepy": "there is no mark",
    "unmark fusiliers prone": "has no such mark",
    "remove fusiliers please": "'please' is not expected",
    "again 7 7": "no dice have been thrown yet",
    "result prone": "no dice have been thrown yet",
    "goal village_hel patrol": "did you mean 'village_held'?",
    "goal village_held britain": "there is no side 'britain'",
    "turn": "type 'turn is N'",
    "turn is soon": "type 'turn is N'",
    "turn is 13": "whole number from 1 to 12",
    "give": "name a side and a card",
    "take patrol ace": "have no way to deal cards by hand",
}
DELEGATE = {
    "do": "say what to do",
    "do everything": "there is no piece 'everything'",
    "do phaze": "there is no piece 'phaze'",
    "do -1 turns": "'-1' is not a number of turns",
    "do 0 turns": "the number of turns must be at least 1",
    "do some turns": "'some' is not a number of turns",
    "do 2 3 turns": "there is no piece",
    "do turn by": "name the player",
    "do turn by me": "there is no AI player 'me'",
    "do turn by doctrin": "did you mean 'doctrine'?",
    "do turn by human": "there is no AI player 'human'",
    "do phase by solo": "there is no AI player 'solo'",
    "do sikhs": "has nothing to decide just now",
    "do jezails": "has nothing to decide just now",
    "do unit now": "there is no piece",
    "all": "type 'all hold'",
    "all fire": "type 'all hold'",
    "seat britain doctrine": "there is no side 'britain'",
    "seat patrol robot": "there is no AI player 'robot'",
    "seat patrol solo": "a solo side stays solo for the whole game",
    "seat tribesman doctrine": "did you mean 'tribesmen'?",
}
ORDERS = {
    "order nobody hold": "there is no piece 'nobody'",
    "order fusilers hold": "did you mean 'Fusiliers'?",
    "order fusiliers": "there is no order ''",
    "order fusiliers wait": "there is no order 'wait'",
    "order fusiliers hlod": "did you mean 'hold'?",
    "order fusiliers fier": "did you mean 'fire'?",
    "order fusiliers run E3": "there is no order 'run E3'",
    "order fusiliers go": "say where Fusiliers should go",
    "order fusiliers go to": "say where Fusiliers should go",
    "order fusiliers go on": "say where Fusiliers should go",
    "order fusiliers go Z99": "there is no Z99 on the table",
    "order fusiliers go A0": "there is no A0 on the table",
    "order fusiliers go nowhere": "there is no place 'nowhere'",
    "order fusiliers go 8 up": "there is no place",
    "order fusiliers go up the hill": "it is not on the table",
    "order fusiliers go 2 N": "it is not on the table",
    "order the hold": "'the' may mean several",
    "cancel": "name a unit: cancel UNIT",
    "cancel fusiliers": "has no standing order",
    "cancel nobody": "there is no piece 'nobody'",
    "orders please cancel": "no unit has a standing order",
    "cancel fusilers": "did you mean 'Fusiliers'?",
}
HEAD = "evening: x\nruleset: vcc\nscenario: patrol_clash\n"
EVENING = {
    "": "write 'key: value' lines",
    "evening: x\nruleset: vcc\n": "scenario: this field is missing",
    "evening: x\nscenario: patrol_clash\n": "ruleset: this field is missing",
    "evening: x\nruleset: vccc\nscenario: patrol_clash\n": "did you mean 'vcc'?",
    "evening: x\nruleset: vcc\nscenario: patrol_clsh\n": "did you mean 'patrol_clash'?",
    "evening: x\nruleset: vcc\nscenario: mine.yaml\n": "there is no file mine.yaml",
    "evening: ''\nruleset: vcc\nscenario: patrol_clash\n": "evening: the text is empty",
    "evening: x\nruleset: [vcc]\nscenario: patrol_clash\n": "ruleset",
    f"{HEAD}dice: real\n": "dice",
    f"{HEAD}seed: -1\n": "seed",
    f"{HEAD}seed: lucky\n": "seed",
    f"{HEAD}think: 0\n": "think",
    f"{HEAD}think: 601\n": "think",
    f"{HEAD}players: {{}}\n": "players",
    f"{HEAD}seat: {{}}\n": "did you mean 'seats'?",
    f"{HEAD}seats: {{tribes: random}}\n": "did you mean 'tribesmen'?",
    f"{HEAD}seats: {{tribesmen: doctrin}}\n": "did you mean 'doctrine'?",
    f"{HEAD}seats: [human]\n": "seats",
    f"{HEAD}settings: {{hits_per_bse: 4}}\n": "hits_per_base",
    f"{HEAD}settings: {{hits_per_base: many}}\n": "hits_per_base",
    f"{HEAD}house_rules: [nobody]\n": "nobody",
    f"{HEAD}house_rules: [./mine.py]\n": "there is no file",
    f"{HEAD}\tnote: x\n": "wrong.yaml:4",
    f"{HEAD}evening: y\n": "is already in line 1",
}
SHEET = {
    "sheet": "RULESET",
    "sheet vc": "did you mean 'vcc'?",
    "sheet vcc paychest": "unexpected extra argument",
    "sheet --rules vcc": "No such option",
    "sheet vcc --set": "requires an argument",
    "sheet vcc --set hits_per_base": "write NAME=VALUE",
    "sheet vcc --set hits_per_base=": "hits_per_base",
    "sheet vcc --set hits_per_bse=4": "did you mean 'hits_per_base'?",
    "sheet vcc --set hits_per_base=0": "hits_per_base",
    "sheet vcc --set hits_per_base=many": "hits_per_base",
    "sheet vcc --set hits_per_base=4 --set hits_per_base=5": "given twice",
    "sheet vcc --house-rule": "requires an argument",
    "sheet vcc --house-rule nobody": "nobody",
    "sheet vcc --house-rule ambsh": "did you mean 'ambush'?",
    "sheet vcc --house-rule ./none.yaml": "there is no house rule file",
    "sheet vcc --house-rule ambush --house-rule ambush": "given twice",
    "sheet vcc --out": "requires an argument",
    "sheet vcc --out none/sheet.html": "none",
    "sheet vcc --out .": "irectory",
    "sheet vcc --page": "No such option",
    "shet vcc": "did you mean 'sheet'?",
}
SAVED = {
    "continue munday": "did you mean 'monday'?",
    "continue nothing": "there is no game 'nothing'",
    "continue monday tuesday": "unexpected extra argument",
    "continue ./monday.jsonl": "there is no journal file",
    "continue monday --seat tribesman=random": "did you mean 'tribesmen'?",
    "continue monday --seat tribesmen": "write NAME=VALUE",
    "continue monday --seat tribesmen=robot": "there is no player 'robot'",
    "continue monday --seat patrol=solo": "no rules for solo play",
    "continue monday --think 0": "think",
    "continue monday --think soon": "think",
    "continue monday --house-rule none.py": "there is no house rule file",
    "resume": "JOURNAL",
    "resume monday": "there is no journal file monday",
    "resume .": "is a folder",
    "resume evening.yaml": "not a zareba journal",
    "games monday": "unexpected extra argument",
    "play patrol_clash --ruleset vcc --name monday": "already exists",
    "play patrol_clash --ruleset vcc --name ../x": "is not a valid name for a game",
    "play patrol_clash --ruleset vcc --name .x": "is not a valid name for a game",
    "play patrol_clash": "name a ruleset",
    "play patrol_clash --ruleset vcc --journal evening.yaml": "already exists",
    "log monday": "there is no journal file monday",
    "replay evening.yaml --check": "not a zareba journal",
}


@pytest.mark.parametrize("door", ["umpire", "delegate", "orders"])
def test_mistakes_at_the_prompt_are_told_and_nothing_is_changed(run: Any, door: str) -> None:
    mistakes = {"umpire": UMPIRE, "delegate": DELEGATE, "orders": ORDERS}[door]
    assert len(mistakes) >= MANY
    missed = []
    for number, (typed, sentence) in enumerate(mistakes.items()):
        args = [*GAME[:-1], f"--journal=game{number}.jsonl"]
        result = run(*args, typed=f"{typed}\nquit\n")
        told = " ".join(result.stdout.split())
        session = replay(Path(f"game{number}.jsonl")).session
        untouched = session.history.answers == [] and session.orders.given == {} and session.seats["patrol"] == "human"
        if sentence not in told or result.exit_code or not untouched or "Traceback" in result.stderr:
            missed.append((typed, told.partition("help] > ")[2][:200]))
    assert not missed, "\n".join(map(str, missed))


def test_mistakes_in_the_file_of_an_evening_are_told_with_their_place(run: Any) -> None:
    assert len(EVENING) >= MANY
    missed = []
    for text, sentence in EVENING.items():
        Path("wrong.yaml").write_text(text, encoding="utf-8")
        result = run("play", "wrong.yaml", typed="quit\n")
        if sentence not in " ".join(result.stderr.split()) or not result.exit_code or "Traceback" in result.stderr:
            missed.append((text, result.stderr[:200]))
    assert not missed, "\n".join(map(str, missed))
    assert not list(games_folder().glob("*")), "no game is begun"


def test_mistakes_with_a_sheet_are_told(run: Any) -> None:
    assert len(SHEET) >= MANY
    missed = []
    for line, sentence in SHEET.items():
        result = run(*line.split())
        if sentence not in " ".join(result.stderr.split()) or not result.exit_code or "Traceback" in result.stderr:
            missed.append((line, result.stderr[:200]))
    assert not missed, "\n".join(map(str, missed))
    assert not list(Path().glob("*.html"))


def test_mistakes_with_saved_games_are_told_and_they_stay_as_they_are(run: Any) -> None:
    assert len(SAVED) >= MANY
    run("play", "patrol_clash", "--ruleset=vcc", "--seat=tribesmen=random", "--name=monday", typed="1\n1\nquit\n")
    Path("evening.yaml").write_text(HEAD, encoding="utf-8")
    (journal,) = games_folder().glob("*.jsonl")
    before, missed = journal.read_bytes(), []
    for line, sentence in SAVED.items():
        result = run(*line.split(), typed="quit\n")
        if sentence not in " ".join(result.stderr.split()) or not result.exit_code or "Traceback" in result.stderr:
            missed.append((line, result.stderr[:200]))
    assert not missed, "\n".join(map(str, missed))
    assert journal.read_bytes() == before
    assert Path("evening.yaml").read_text(encoding="utf-8") == HEAD
