"""The metrics of a comparison: each with a definition in words and samples of one value per game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from zareba.analysis.games import samples
from zareba.analysis.games.records import GameRecord
from zareba.analysis.games.samples import Kind, Sample, Scope
from zareba.analysis.games.simulate import ACTIVITY_GAMES, PLAYOUTS
from zareba.base.errors import ZarebaError
from zareba.base.grammar import percent
from zareba.plugins.entry_points import broken_entry_points, installed_metrics
from zareba.scenario.victory import EVEN

__all__ = ["METRICS", "Kind", "Metric", "Sample", "Scope", "all_metrics", "measure"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and the question it helps to answer. A comparison uses its first sample.

    `margin` is the largest difference that is too small to matter, declared in advance.
    """

    id: str
    title: str
    question: str
    definition: str
    primary: bool
    samples: Callable[[Sequence[GameRecord], Scope], list[Sample]]
    margin: float | None = None


_OF_FIRST_GAMES = f"Measured in the first {ACTIVITY_GAMES} games of each variant."

METRICS = (
    Metric(
        "M1",
        "Outcome",
        "balance",
        "Share of games won by each side by the scenario's objectives and points, and share drawn.",
        True,
        samples.outcome,
        0.05,
    ),
    Metric(
        "M2",
        "Side balance",
        "balance",
        "Share of games won by the first side minus that of the other sides, on average; 0 is even.",
        False,
        samples.side_balance,
    ),
    Metric(
        "M3",
        "First-listed bias",
        "balance",
        "Share of games won by the side listed first minus that of the other sides, on average. Each side is listed first equally"
        " often, so this measures the advantage that a ruleset gives to the side that it names, moves or sets up first if"
        " the scenario leaves that open; 0 is no advantage.",
        False,
        samples.first_listed_bias,
    ),
    Metric(
        "M18",
        "Ruleset's own victory rule",
        "balance",
        "The results of the same games by the ruleset's own victory rule, if it has one: how often it gives a different"
        " winner than the scenario's objectives and points, and the reasons of both.",
        False,
        samples.own_victory_rule,
    ),
    Metric(
        "M4",
        "Ending",
        "decision",
        "Share of games by the way they end; no game should reach the act limit.",
        False,
        samples.ending,
    ),
    Metric("M5", "Length", "speed", "Game turns started until the end.", True, samples.length, 0.5),
    Metric(
        "M6",
        "Table time",
        "speed",
        "Acts of people at a table (handfuls of dice, cards, units and pieces moved, measurements, lookups, markers,"
        " decisions with more than one sensible answer), weighted by assumed seconds and divided by 60. This is an"
        f" index for comparing rulesets; it was not timed at a table. {_OF_FIRST_GAMES}",
        False,
        samples.time_at_table,
    ),
    Metric(
        "M7",
        "Choice",
        "control",
        "Decisions with something at stake and more than one sensible answer, per battle and per hour of table time (M6). Values"
        " per turn are for one ruleset alone, because turns differ between rulesets. A move is a decision if the AI evaluates"
        " more than one destination, which it does not do under all rules. Also genuine choices, which have"
        " more than one legal answer: per turn for both sides, per game for each side, their share of all decisions,"
        " and the number of answers. Answers that are searched for one by one count unless a search found them illegal."
        f" Decisions are counted in the first {ACTIVITY_GAMES} games of each variant, genuine choices in all games.",
        False,
        samples.choice,
    ),
    Metric(
        "M8",
        "Decision stakes",
        "control",
        "The stake of a choice with more than one answer evaluated by a rule-aware player: the value of the best answer minus"
        " that of the median answer, in shares of a unit's strength. Choices in which only the best answer is searched for,"
        f" such as destinations under some rules, are left out. {_OF_FIRST_GAMES}",
        False,
        samples.decision_stakes,
    ),
    Metric(
        "M9",
        "No-choice turns",
        "control",
        "Of the turns of units that could still fight, from the second turn on: the share in which a unit neither moved nor threw"
        " dice and no player could choose an action for it (no card, no order, not called);"
        " and the share in which it did nothing for any reason. A failed test is a throw and does not count as idle."
        f" {_OF_FIRST_GAMES}",
        False,
        samples.no_choice_turns,
    ),
    Metric(
        "M10",
        "Losses",
        "bloodiness",
        "Share of a side's strength lost for good (dead, captured, fled), averaged over the sides; losses by cause as"
        " shares of all strength lost, in games with a loss.",
        True,
        samples.losses,
        0.05,
    ),
    Metric(
        "M11",
        "Lead changes",
        "suspense",
        "How often a different side is in front at the end of a turn: it would win if the battle ended then, by points, or with equal"
        f" points by more than {percent(EVEN)} of strength. Taking the first lead is not a change.",
        True,
        samples.changes_of_lead,
        0.1,
    ),
    Metric(
        "M12",
        "Drama",
        "suspense",
        "How far the eventual winner was behind, as a share of the points in play (of strength if there are none), averaged"
        " over the turns; won games only.",
        False,
        samples.drama_of_winner,
    ),
    Metric(
        "M13",
        "Decisive moment",
        "suspense",
        "The turn in which the winner took the lead for good, as a share of the length: 0 if it led from the first"
        " turn on, 1 if it took the lead in the last turn; won games only.",
        False,
        samples.decision,
    ),
    Metric(
        "M14",
        "Uncertainty",
        "suspense",
        f"4 W (1 - W) averaged over the turns, where W is the first side's chance to win from there, from {PLAYOUTS} games played"
        " on between doctrine players, which do not simulate house rules here: 1 if even, 0 if certain. Measured only for the"
        " games requested with --win-probability.",
        False,
        samples.openness,
    ),
    Metric(
        "M16",
        "Spread of the dice",
        "luck",
        "Standard deviation of the first side's final lead, as a share of the points in play (of strength if there are"
        " none), with the same players throughout.",
        False,
        samples.dice_spread,
    ),
    Metric(
        "M17",
        "Bookkeeping",
        "bookkeeping",
        "Handfuls of dice, cards drawn, numbers looked up and markers laid or removed, per battle and per hour of table time (M6);"
        f" for one ruleset alone also per turn, with the number of dice. {_OF_FIRST_GAMES}",
        False,
        samples.bookkeeping,
    ),
)
"""The metrics of a comparison. The primary ones were chosen in advance; the others are exploratory."""


@cache
def all_metrics() -> tuple[Metric, ...]:
    """Return the metrics of zareba and of installed plugins. Metrics of plugins are exploratory and never primary.

    An invalid plugin metric is left out with a warning.
    """
    by_id = {metric.id: metric for metric in METRICS}
    for package, metric in installed_metrics():
        if not isinstance(metric, Metric):
            broken_entry_points(package, "metrics", f"{metric!r} is not a Metric")
        elif metric.primary:
            broken_entry_points(package, "metrics", f"'{metric.id}' is primary, and only zareba's own can be")
        elif metric.id in by_id:
            broken_entry_points(package, "metrics", f"the id '{metric.id}' is taken")
        else:
            by_id[metric.id] = metric
    return tuple(by_id.values())


def measure(metric: Metric, records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the samples of a metric for some games. Raises ZarebaError with the metric's name if it fails."""
    try:
        return metric.samples(records, scope)
    except Exception as error:
        raise ZarebaError(f"the metric '{metric.id}' cannot be measured: {type(error).__name__}: {error}") from error
