"""Beginner's mistakes with AI players, orders and umpire commands: each gives a clear sentence and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zareba.session import replay

GAME = ("play", "patrol_clash", "--ruleset=vcc", "--seed=4", "--seat=tribesmen=random", "--journal=mine.jsonl")
MISTAKES = {
    "do": "say what to do",
    "do trun": "there is no piece 'trun'",
    "do x turns": "'x' is not a number of turns",
    "do turn by doctrin": "'doctrine'",
    "do lancers": "has nothing to decide just now",
    "all": "type 'all hold'",
    "order fusliers hold": "did you mean 'Fusiliers'?",
    "order fusiliers hlod": "did you mean 'hold'?",
    "order fusiliers go": "say where Fusiliers should go",
    "order fusiliers go Z99": "there is no Z99 on the table",
    "cancel fusiliers": "has no standing order",
    "seat patrol robot": "'robot'",
    "set fusiliers figures": "give a value for figures",
    "set fusiliers figures many": "whole number",
    "set fusiliers morale 3": "editable field of Fusiliers",
    "move fusiliers to nowhere": "there is no place 'nowhere'",
    "mark fusiliers pron": "did you mean 'prone'?",
    "remove fusiliers now": "'now' is not expected",
    "again": "no dice have been thrown yet",
    "goal village patrol": "there is no objective",
    "turn is 99": "whole number from 1 to 12",
    "give patrol ace": "have no way to deal cards by hand",
    "measure fusiliers": "name two units",
    "rule zzz": "no rule of vcc contains 'zzz'",
    "hand": "these rules have no hands of cards",
    "map nobody": "there is no piece 'nobody'",
    "2-99": "no option is called",
    "9-2 hold": "is not a list of options",
    "keep": "name a file",
}


def test_each_is_told_and_nothing_is_changed(run: Any) -> None:
    result = run(*GAME, typed="\n".join([*MISTAKES, "quit", ""]))
    told = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert [typed for typed, sentence in MISTAKES.items() if sentence not in told] == []
    session = replay(Path("mine.jsonl")).session
    assert session.history.answers == [] and session.orders.given == {}
    assert session.seats == {"patrol": "human", "tribesmen": "random"}
