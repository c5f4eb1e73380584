"""Explanations: the numbers and dice of the last act, and the odds of an option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import with_unit
from zareba.base.tally import Tally
from zareba.explain import explanations
from zareba.game import Game
from zareba.odds import ChoiceOdds, ProcedureExplanation
from zareba.odds.phrases import by_unit, changes_in_brief
from zareba.session import Answered
from zareba.session.narration import outcome_text
from zareba.table import Choose, Confirm
from zareba.web.seat.view import Viewer, answer_of
from zareba.web.security.pages import render

__all__ = ["forecast", "numbers_told", "why"]

ROWS = 12
MOST_CHARTS = 4
NUMBERS = (int, float)
BRIEFLY = 0.05
"""Seconds to compute the odds of an option under the pointer."""


def why(viewer: Viewer) -> str:
    """Return the numbers of the last act with its dice and cards, part by part."""
    numbers = viewer.open.session.last_numbers(viewer.seat or "")  # a watcher sees no hidden card
    return render("why.html.j2", {"reckonings": numbers_told(viewer, numbers)})


def numbers_told(viewer: Viewer, numbers: Sequence[Tally | Answered]) -> list[dict[str, Any]]:
    """Return numbers and throws in words, with the text of their rules."""
    game = viewer.open.game
    state = viewer.seen(viewer.open.session.state)
    says = game.rules.says
    told = []
    for one in explanations(numbers):
        tallies = [
            {
                "title": f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)}",
                "rule": tally.rule.rule,
                "says": says(tally.rule.rule),
                "parts": [
                    (part.change, str(part.running), part.rule, part.summary, says(part.rule) or part.source)
                    for part in tally.parts()
                ],
            }
            for tally in {(tally.rule.name, tally.facts): tally for tally in one.tallies}.values()
        ]
        throws = [
            {
                "words": game.narrator.describe(state, throw.question),
                "thrown": outcome_text(game, throw),
                "rule": throw.question.rule,
                "says": says(throw.question.rule),
            }
            for throw in one.throws
        ]
        told.append({"title": one.title, "tallies": tallies, "throws": throws})
    return told


def forecast(viewer: Viewer, number: int, *, at_length: bool) -> str:
    """Return the odds of an option: in brief with small charts, or with all outcomes.

    `at_length` computes as long as the prompt does for one option; otherwise as long as it does for each of many.
    """
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if not viewer.is_asked() or not isinstance(question, (Choose, Confirm)):
        raise ZarebaError("odds are available only for a choice of options, or a yes or no")
    answer = answer_of(question, number)
    if answer is None:
        raise ZarebaError(f"there is no option {number + 1}")

    def looked_at() -> str:
        told: dict[str, Any] = {"number": number, "whole": at_length, "trouble": ""}
        try:
            found = session.odds_of(answer) if at_length else session.odds_of(answer, BRIEFLY)
            told |= {"brief": changes_in_brief(game, found), "how": found.told(), "charts": list(_charts(game, found))}
            told["rows"] = _changes(game, found) if at_length else []
            told["numbers"] = _numbers(session.explain(answer)) if at_length else []
        except ZarebaError as error:
            told["trouble"] = str(error)
        return render("odds.html.j2", told)

    return viewer.open.once(("odds", number, at_length), looked_at)


def _charts(game: Game[Any], found: ChoiceOdds) -> Iterator[dict[str, Any]]:
    """Yield small charts of unit losses; the units most likely to have losses come first."""
    spreads: dict[tuple[str, str], dict[float, Fraction]] = {}
    for changes, p in found.outcomes.items():
        for change in changes:
            if type(change.was) in NUMBERS and type(change.now) in NUMBERS and change.now < change.was:
                lost = round(float(change.was) - float(change.now), 2)
                spread = spreads.setdefault((change.unit, change.what), {})
                spread[lost] = spread.get(lost, Fraction(0)) + p
    for (unit, what), spread in sorted(spreads.items(), key=lambda item: -sum(item[1].values()))[:MOST_CHARTS]:
        none = 1 - sum(spread.values())
        rows = sorted({**spread, **({0.0: none} if none > 0 else {})}.items())
        mean, most = sum(float(p) * lost for lost, p in rows), max(p for _, p in rows)
        bars = [
            {"label": f"{lost:g}", "share": f"{float(p):.1%}", "height": round(40 * float(p / most), 1)}
            for lost, p in rows
        ]
        yield {"name": f"{game.narrator.name_of(unit)}: {what} lost", "mean": f"mean {mean:.1f}", "bars": bars}


def _numbers(found: ProcedureExplanation) -> list[tuple[str, str]]:
    """Return the numbers of the odds and the throws and cards with their meanings, each with its rule."""
    tallies = [
        (f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)}", tally.rule.rule)
        for tally in found.tallies
    ]
    return [
        *tallies,
        *((f"{' '.join(filter(None, [one.why, one.dice]))}: {one.means}", one.rule) for one in found.chances),
    ]


def _changes(game: Game[Any], found: ChoiceOdds) -> list[dict[str, Any]]:
    """Return the outcomes for the units, the most likely first; the last row sums up the rest."""
    rows = sorted(found.outcomes.items(), key=lambda item: (-item[1], str(item[0])))
    shown = [
        (by_unit(game, [(change.unit, game.narrator.describe_change(change)) for change in changes]) or "no change", p)
        for changes, p in rows[:ROWS]
    ]
    if len(rows) > ROWS:
        shown.append((f"{len(rows) - ROWS} other outcomes", sum((p for _, p in rows[ROWS:]), Fraction(0))))
    most = max(p for _, p in shown)
    return [
        {"words": words, "share": f"{float(p):.1%}", "width": round(100 * float(p / most), 1)} for words, p in shown
    ]
