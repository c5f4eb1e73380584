"""`zareba tutorial`: a small battle of ten minutes that teaches a ruleset and the prompt."""

from __future__ import annotations

from typing import Annotated

import typer

from zareba.cli.play.play import THINK, journal_path, print_lesson, run_session
from zareba.lessons import Teacher, first_steps, progress_file, start_tutorial


def tutorial(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="A name from 'zareba rulesets'.")] = "vcc",
) -> None:
    """Learn a ruleset and the prompt in ten minutes, on a small battle.

    You play the picket at the well. An AI plays the raiders; both sides are already set up. Each step explains the
    decision and one more thing that you can type. Mistakes cost nothing.

    Example: zareba tutorial vcc
    """
    path = journal_path(first_steps(), ruleset, None)
    session = start_tutorial(ruleset, path, THINK)
    teacher = Teacher(session, progress_file(path))
    print_lesson(teacher.opening())
    run_session(session, path, verbose=False, teacher=teacher)
