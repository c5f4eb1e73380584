"""The numbers behind the last act, and the odds of an option, as parts of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import chance_in_percent, percent, with_unit
from zareba.base.tally import Tally
from zareba.explain import explanations
from zareba.game import Game
from zareba.odds import ChoiceOdds, ProcedureExplanation
from zareba.odds.phrases import by_unit, changes_in_brief, odds_in_short
from zareba.session import Answered
from zareba.session.narration import outcome_text
from zareba.table import Answer, Choose, Confirm
from zareba.web.responses import render
from zareba.web.seat.view import answer_of
from zareba.web.seat.viewer import Viewer

_MOST_ROWS = 12
_MOST_CHARTS = 4
_NUMBERS = (int, float)
_NEARLY_SURE = Fraction(99, 100)
SECONDS_FOR_LINE = 0.05
"""Seconds to compute the odds of an option under the pointer."""


def why(viewer: Viewer) -> str:
    """Return the numbers of the last act with its dice and cards, part by part."""
    numbers = viewer.open.session.last_numbers(viewer.seat or "")  # a watcher sees no hidden card
    found = numbers_in_words(viewer, numbers)
    texts = [text for one in found for tally in one["tallies"] for part in tally["parts"] for text in part]
    texts += [text for one in found for throw in one["throws"] for text in throw.values()]
    terms = viewer.open.game.narrator.words.terms_in(*filter(None, texts))
    return render("why.html.j2", {"explanations": found, "terms": terms})


def numbers_in_words(viewer: Viewer, numbers: Sequence[Tally | Answered]) -> list[dict[str, Any]]:
    """Return numbers and throws in words, with the text of their rules. The rows of a chart are left out, unless there
    is nothing else.
    """
    game = viewer.open.game
    state = viewer.visible(viewer.open.session.state)
    says = game.rules.rule_in_a_line
    in_words = []
    groups = explanations(numbers)
    for explanation in [group for group in groups if not group.is_chart] or groups:
        distinct = {(tally.rule.name, tally.facts): tally for tally in explanation.tallies}
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
            for tally in distinct.values()
        ]
        throws = [
            {
                "words": game.narrator.describe(state, throw.question),
                "thrown": outcome_text(game, throw),
                "rule": throw.question.rule,
                "says": says(throw.question.rule),
            }
            for throw in explanation.throws
        ]
        in_words.append({"title": explanation.title, "tallies": tallies, "throws": throws})
    return in_words


def odds_line(viewer: Viewer, number: int) -> str:
    """Return the odds of an option in one line: the chances of losses as bars, and the likeliest result in words."""
    session, game = viewer.open.session, viewer.open.game
    answer = _weighed_answer(viewer, number)

    def compute() -> str:
        try:
            odds = session.odds_of(answer, SECONDS_FOR_LINE)
        except ZarebaError as error:
            return render("odds_line.html.j2", {"trouble": str(error)})
        sides = list(game.seats)
        mine = sides.index(viewer.seat) if viewer.seat in sides else 0
        enemy = 1 - mine if mine < 2 else 0
        own_units = {*game.scenario.units_of(sides[mine]), *game.display.pieces(session.state).get(sides[mine], ())}
        short = odds_in_short(game, odds, own_units)
        chance = max(short.enemy, short.own)
        one_side_loses = min(short.enemy, short.own) == 0 < chance
        values = {
            "trouble": "",
            "words": short.words,
            "bars": [
                {"side": enemy, "width": round(100 * float(short.enemy)), "y": 0},
                {"side": mine, "width": round(100 * float(short.own)), "y": 7},
            ],
            "enemy": chance_in_percent(short.enemy) if short.enemy else "",
            "own": chance_in_percent(short.own) if short.own else "",
            # then the words alone say it
            "in_words": one_side_loses
            and (chance > _NEARLY_SURE or short.words.partition(",")[0].endswith(f"({chance_in_percent(chance)})")),
        }
        return render("odds_line.html.j2", values)

    return viewer.open.cached(("odds", number, "line"), compute)


def all_odds(viewer: Viewer, number: int) -> str:
    """Return the odds of an option with all outcomes, small charts, and the numbers behind them."""
    session, game = viewer.open.session, viewer.open.game
    answer = _weighed_answer(viewer, number)

    def compute() -> str:
        try:
            odds = session.odds_of(answer)
        except ZarebaError as error:
            return render("odds.html.j2", {"trouble": str(error)})
        values = {
            "trouble": "",
            "brief": changes_in_brief(game, odds),
            "how": odds.method_text(),
            "charts": list(_loss_charts(game, odds)),
            "rows": _outcome_rows(game, odds),
            "numbers": _numbers(session.explain(answer)),
        }
        return render("odds.html.j2", values)

    return viewer.open.cached(("odds", number, "whole"), compute)


def _weighed_answer(viewer: Viewer, number: int) -> Answer:
    """Return the answer with the number in a request for odds. Raises ZarebaError if it has no odds."""
    question = viewer.open.session.pending
    if not viewer.is_asked() or not isinstance(question, (Choose, Confirm)):
        raise ZarebaError(
            "odds are available only for options and for yes or no, not for a place on the map or a throw"
        )
    answer = answer_of(question, number)
    if answer is None:
        raise ZarebaError(f"there is no option {number + 1}")
    return answer


def _loss_charts(game: Game[Any], odds: ChoiceOdds) -> Iterator[dict[str, Any]]:
    """Yield small charts of unit losses; the units most likely to have losses come first."""
    spreads = _loss_chances(odds)
    most_likely_first = sorted(spreads, key=lambda key: -sum(spreads[key].values()))
    for unit, what in most_likely_first[:_MOST_CHARTS]:
        chances = spreads[unit, what]
        no_loss = 1 - sum(chances.values())
        rows = sorted({**chances, **({0.0: no_loss} if no_loss > 0 else {})}.items())
        mean = sum(float(chance) * lost for lost, chance in rows)
        highest = max(chance for _, chance in rows)
        bars = [
            {"label": f"{lost:g}", "share": percent(chance, 1), "height": round(40 * float(chance / highest), 1)}
            for lost, chance in rows
        ]
        yield {"name": f"{game.narrator.name_of(unit)}: {what} lost", "mean": f"mean {mean:.1f}", "bars": bars}


def _loss_chances(odds: ChoiceOdds) -> dict[tuple[str, str], dict[float, Fraction]]:
    """Return the chances of the losses of each unit, by unit and value (such as figures), then by the number lost."""
    spreads: dict[tuple[str, str], dict[float, Fraction]] = {}
    for changes, chance in odds.outcomes.items():
        for change in changes:
            is_number = type(change.was) in _NUMBERS and type(change.now) in _NUMBERS
            if is_number and change.now < change.was:
                lost = round(float(change.was) - float(change.now), 2)
                chances = spreads.setdefault((change.unit, change.what), {})
                chances[lost] = chances.get(lost, Fraction(0)) + chance
    return spreads


def _numbers(explanation: ProcedureExplanation) -> list[tuple[str, str]]:
    """Return the numbers of the odds, and the throws and cards with their meanings, each in words with its rule."""
    tallies = [
        (f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)}", tally.rule.rule)
        for tally in explanation.tallies
    ]
    chances = [
        (f"{' '.join(filter(None, [chance.why, chance.dice]))}: {chance.means}", chance.rule)
        for chance in explanation.chances
    ]
    return [*tallies, *chances]


def _outcome_rows(game: Game[Any], odds: ChoiceOdds) -> list[dict[str, Any]]:
    """Return the outcomes for the units, the most likely first; the last row sums up the rest."""
    outcomes = sorted(odds.outcomes.items(), key=lambda item: (-item[1], str(item[0])))
    rows = []
    for changes, chance in outcomes[:_MOST_ROWS]:
        described = [(change.unit, game.narrator.describe_change(change)) for change in changes]
        rows.append((by_unit(game, described) or "no change", chance))
    others = outcomes[_MOST_ROWS:]
    if others:
        rows.append((f"{len(others)} other outcomes", sum((chance for _, chance in others), Fraction(0))))
    highest = max(chance for _, chance in rows)
    return [
        {"words": words, "share": percent(chance, 1), "width": round(100 * float(chance / highest), 1)}
        for words, chance in rows
    ]
