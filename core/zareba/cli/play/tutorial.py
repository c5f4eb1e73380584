"""`zareba tutorial`: ten minutes in which a small battle teaches a rule system and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from zareba.cli.lessons import Teacher, first_steps
from zareba.cli.output import hanging, out
from zareba.cli.play.play import THINK, journal_path, run_session
from zareba.session import Session, new_session
from zareba.session.delegation import sets_up

__all__ = ["begun", "tutorial"]

SEED = 1
"""Everybody is taught with the same dice."""


def tutorial(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="A name from 'zareba rulesets'.")] = "vcc",
) -> None:
    """Learn a system and the prompt in ten minutes, on a small battle.

    You play the picket at the well; a program plays the raiders, and has set out both. At each step you are told what the
    rules decide there, and one thing more that can be typed. Mistakes cost nothing.

    Example: zareba tutorial vcc
    """
    path = journal_path(first_steps(), ruleset, None)
    session = begun(ruleset, path)
    teacher = Teacher(session)
    _say(teacher.opening())
    run_session(session, path, verbose=False, teacher=teacher)
    _say(teacher.farewell())


def begun(ruleset: str, path: Path | None = None) -> Session:
    """The battle as the pupil finds it, set out on both sides; kept in a new journal at `path`."""
    battle = first_steps()
    yours, *others = battle.sides
    seats = {yours: "human", **dict.fromkeys(others, "doctrine")}
    session = new_session(ruleset, battle, seats, seed=SEED, path=path)
    session.think = THINK
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        value, reason = session.suggestion()
        session.answer(value, by="doctrine", reason=reason)
        session.drive()
    return session


def _say(lines: Sequence[str]) -> None:
    console = out()
    for said in lines:
        console.print(hanging(said, console.width, 2), style="cyan")
