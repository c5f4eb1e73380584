"""The page after the battle: the after-action report, with its turning points as moments of the replay."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.game import Game
from zareba.session.after_action import OTHER_CAUSES, AfterAction, DiceLuck
from zareba.session.score import CHANGES_TITLE
from zareba.web.seat.history import spectators_path
from zareba.web.seat.viewer import Viewer

SECONDS_FOR_LUCK = 3.0
"""Seconds to compute the luck with the dice; the report says how many choices it covers."""


def after_battle(viewer: Viewer, address: str) -> dict[str, Any]:
    """Return the values of the page after the battle. `address` is that of the viewer's table.

    Raises ZarebaError while the battle goes on.
    """
    session, game = viewer.open.session, viewer.open.game
    if session.pending is not None:
        raise ZarebaError("The battle is not over. The after-action report can be read at its end.")
    report: AfterAction = viewer.open.cached("after_action", lambda: session.after_action_report(SECONDS_FOR_LUCK))
    sides = list(game.seats)
    most_lost = max((lost for causes in report.losses.values() for lost in causes.values()), default=0) or 1
    return {
        "title": f"After the battle: {game.scenario.title}",
        "report": report,
        "changes_title": CHANGES_TITLE,
        "address": address,
        "name": viewer.open.name,
        "plays": bool(viewer.seats),
        "share": spectators_path(viewer.open),
        "turning": list(zip(_places_in_log(viewer, report), report.turning, strict=True)),
        "loss_noun": game.narrator.loss_noun,
        "losses": [
            {
                "side": game.narrator.name_of(side),
                "number": sides.index(side),
                "causes": [
                    {
                        "cause": OTHER_CAUSES.get(cause, cause),
                        "lost": f"{lost:g}",
                        "width": round(100 * lost / most_lost),
                    }
                    for cause, lost in sorted(causes.items(), key=lambda item: -item[1])
                ],
            }
            for side, causes in report.losses.items()
        ],
        "luck": [
            {"number": sides.index(side), **_luck_of(game, side, luck)}
            for side, luck in report.luck.items()
            if luck.attacks
        ],
        "favoured": report.dice_favoured(game),
    }


def _luck_of(game: Game[Any], side: str, luck: DiceLuck) -> dict[str, Any]:
    """Return the losses that a side dealt and suffered, and those expected by the odds, as text for the page."""
    return {
        "side": game.narrator.name_of(side),
        "dealt": f"{luck.dealt:.1f}",
        "expected_dealt": f"{luck.expected_dealt:.1f}",
        "suffered": f"{luck.suffered:.1f}",
        "expected_suffered": f"{luck.expected_suffered:.1f}",
        "attacks": luck.attacks,
        "all_attacks": luck.all_attacks,
    }


def _places_in_log(viewer: Viewer, report: AfterAction) -> list[int]:
    """Return for each turning point the number of the moment after it in the replay; 0 if the viewer cannot see it."""
    steps = viewer.open.session.history.steps
    moments = {id(step.played): number for number, step in enumerate(viewer.log(), start=1)}
    return [moments.get(id(steps[index]), 0) for index in report.turning_steps]
