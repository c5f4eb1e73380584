"""`zareba tutorial`: a small battle of ten minutes that teaches a ruleset and the prompt."""

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

_SEED = 1
"""All pupils get the same dice."""


def tutorial(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="A name from 'zareba rulesets'.")] = "vcc",
) -> None:
    """Learn a ruleset and the prompt in ten minutes, on a small battle.

    You play the picket at the well. An AI plays the raiders; both sides are already set up. Each step explains the
    decision and one more thing that you can type. Mistakes cost nothing.

    Example: zareba tutorial vcc
    """
    path = journal_path(first_steps(), ruleset, None)
    session = begun(ruleset, path)
    teacher = Teacher(session)
    _say(teacher.opening())
    run_session(session, path, verbose=False, teacher=teacher)
    _say(teacher.farewell())


def begun(ruleset: str, path: Path | None = None) -> Session:
    """Return the tutorial battle with both sides set up, recorded in a new journal at `path`."""
    battle = first_steps()
    yours, *others = battle.sides
    seats = {yours: "human", **dict.fromkeys(others, "doctrine")}
    session = new_session(ruleset, battle, seats, seed=_SEED, path=path)
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
