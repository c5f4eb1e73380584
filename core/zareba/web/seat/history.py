"""Reading along: what an act came to, and the table as it stood at any step."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.tally import Tally
from zareba.picture import pieces
from zareba.session import Answered
from zareba.session.history import Seen
from zareba.table import Draw, Roll
from zareba.web.door.pages import render
from zareba.web.seat.reasons import numbers_told
from zareba.web.seat.view import Viewer

__all__ = ["act_told", "moment"]


def act_told(viewer: Viewer, step: int) -> str:
    """The step of a sentence in the log: all that happened in it, with its dice, numbers and rules."""
    game, log = viewer.open.game, viewer.log()
    if not 0 <= step < len(log):
        raise ZarebaError("there is no such act")
    told = [(sentence, event.rule) for event in log[step].events if (sentence := game.describe_event(event))]
    return render(
        "act.html.j2", {"told": told, "reckonings": numbers_told(viewer, _numbers(viewer, log[step])), "step": step}
    )


def _numbers(viewer: Viewer, step: Seen) -> list[Tally | Answered]:
    """Every number, throw and card of a step that he has seen, in the order in which they were made."""
    numbers: list[Tally | Answered] = []
    shown = () if step.closed else step.end.tallies
    last = 0
    for answered, (_, tallies) in zip(step.played.answers, step.end.marks, strict=False):
        numbers += shown[last:tallies]
        last = tallies
        if isinstance(answered.question, (Roll, Draw)) and step.sees(viewer.reader, answered):
            numbers.append(answered)
    return [*numbers, *shown[last:]]


def moment(viewer: Viewer, step: int, letters: float) -> dict[str, Any]:
    """The table as it stood before a step of the log; behind the last one as it stands now."""
    game, log = viewer.open.game, viewer.log()
    if not 0 <= step <= len(log):
        raise ZarebaError("there is no such step")
    state = viewer.seen(log[step].played.start if step < len(log) else viewer.open.session.state)
    board = viewer.drawn(state)
    said = [game.describe_event(event) for event in log[step - 1].events] if step else []
    return {
        "said": "; ".join(filter(None, said)),
        "pieces": pieces(game.scenario, board, viewer.smoke(reversed(log[:step])), letters),
        "headline": board.headline,
        "steps": len(log),
        "step": step,
    }
