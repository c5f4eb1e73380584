"""Reading along: what an act came to, and the table as it stood at any step."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.tally import Tally
from zareba.game.advance import Done, Paused
from zareba.picture import pieces
from zareba.session import Answered
from zareba.session.history import Played
from zareba.table import Draw, Roll
from zareba.web.door.pages import render
from zareba.web.seat.reasons import numbers_told
from zareba.web.seat.view import Viewer

__all__ = ["act_told", "moment"]


def _logged(viewer: Viewer) -> list[tuple[Played, Done | Paused]]:
    """The steps that the log tells of, with what each came to."""
    reached = viewer.open.session.history.reached()
    return [(played, end) for played, end in reached if played.answers or end.events][::-1]


def act_told(viewer: Viewer, step: int) -> str:
    """The step of a sentence in the log: all that happened in it, with its dice, numbers and rules."""
    game, log = viewer.open.game, _logged(viewer)
    if not 0 <= step < len(log):
        raise ZarebaError("there is no such act")
    played, end = log[step]
    told = [(sentence, event.rule) for event in end.events if (sentence := game.describe_event(event))]
    return render(
        "act.html.j2", {"told": told, "reckonings": numbers_told(viewer, _numbers(viewer, played, end)), "step": step}
    )


def _numbers(viewer: Viewer, played: Played, end: Done | Paused) -> list[Tally | Answered]:
    """Every number, throw and card of a step that he has seen, in the order in which they were made."""
    numbers: list[Tally | Answered] = []
    last = 0
    for answered, (_, tallies) in zip(played.answers, end.marks, strict=False):
        numbers += end.tallies[last:tallies]
        last = tallies
        if isinstance(answered.question, (Roll, Draw)) and answered.seen_by(viewer.seat or ""):
            numbers.append(answered)
    return [*numbers, *end.tallies[last:]]


def moment(viewer: Viewer, step: int, letters: float) -> dict[str, Any]:
    """The table as it stood before a step of the log; behind the last one as it stands now."""
    game, log = viewer.open.game, _logged(viewer)
    if not 0 <= step <= len(log):
        raise ZarebaError("there is no such step")
    state = viewer.seen(log[step][0].start if step < len(log) else viewer.open.session.state)
    board = viewer.drawn(state)
    said = [game.describe_event(event) for event in log[step - 1][1].events] if step else []
    return {
        "said": "; ".join(filter(None, said)),
        "pieces": pieces(game.scenario, board, viewer.smoke(reversed(log[:step])), letters),
        "headline": board.headline,
        "steps": len(log),
        "step": step,
    }
