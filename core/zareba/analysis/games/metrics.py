"""What a comparison measures: each metric with its definition in words and its samples, one value a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from zareba.analysis.games import samples
from zareba.analysis.games.playouts import PLAYOUTS
from zareba.analysis.games.records import GameRecord
from zareba.analysis.games.samples import Kind, Sample, Scope
from zareba.base.errors import ZarebaError
from zareba.plugins.brought import installed_metrics, left_out
from zareba.scenario.law import EVEN

__all__ = ["METRICS", "Kind", "Metric", "Sample", "Scope", "all_metrics", "measure"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and the press question it belongs to; its first sample is the one that is compared.

    `margin`: a difference that is too small to matter, declared in advance.
    """

    id: str
    title: str
    question: str
    definition: str
    primary: bool
    samples: Callable[[Sequence[GameRecord], Scope], list[Sample]]
    margin: float | None = None


METRICS = (
    Metric(
        "M1",
        "Outcome",
        "balance",
        "Share of games that each side wins by the scenario's objectives and points, and share drawn.",
        True,
        samples.outcome,
        0.05,
    ),
    Metric(
        "M2",
        "Side balance",
        "balance",
        "Share of games that the first side wins minus that of the others, on average; 0 is even.",
        False,
        samples.side_balance,
    ),
    Metric(
        "M3",
        "First place",
        "balance",
        "Share of games won by the side that is listed first minus that of the others, on average. Each side is listed first as"
        " often, so that this is what a system gives to the one that it names first, moves first or sets up first where"
        " the scenario leaves that open; 0 is nothing.",
        False,
        samples.first_listed,
    ),
    Metric(
        "M18",
        "Its own law",
        "balance",
        "What the system's own law of victory says of the same games, where its rules have one: how often it gives another"
        " winner than the scenario's objectives and points do, and what both went by.",
        False,
        samples.own_law,
    ),
    Metric(
        "M4",
        "Ending",
        "decision",
        "Share of games by the way they end; no game should be cut off by the act limit.",
        False,
        samples.ending,
    ),
    Metric("M5", "Length", "speed", "Game turns begun until the end.", True, samples.length, 0.5),
    Metric(
        "M6",
        "Table time",
        "speed",
        "What people would do at a table (handfuls of dice, cards, units and pieces moved, measurements, look-ups, markers,"
        " decisions with more than one sensible answer), each weighed by declared seconds, a sixtieth of which is told: an"
        " index to compare systems by and no minutes, for nobody has held a watch to it.",
        False,
        samples.time_at_table,
    ),
    Metric(
        "M7",
        "Choice",
        "control",
        "Decisions with something at stake and more than one sensible answer, a battle and an hour of table time (M6); a turn is"
        " told for one system alone, since a turn holds more in some systems than in others. Where to go is one where more than"
        " one place is weighed, which a commander under some rules does not do. And genuine choices, those with"
        " more than one legal act: how many both sides meet a turn, each side in a game, their share of all that is asked,"
        " and how many acts they offer; acts that are looked for one by one count unless somebody looked and found them closed.",
        False,
        samples.choice,
    ),
    Metric(
        "M8",
        "Weight of a choice",
        "control",
        "What is at stake in a choice of which a commander with sense weighs more than one answer: the worth of the best less"
        " that of the middling one, of those that he weighs, in shares of a unit's strength. Where he looks for the best alone,"
        " as for places under some rules, nothing is told.",
        False,
        samples.stake,
    ),
    Metric(
        "M9",
        "Friction",
        "control",
        "Of the game turns of units that could fight on, from the second on: the share in which a unit neither moved nor threw"
        " dice and nobody was asked what it should do, nor offered to have it do something (no card, no order, not its call);"
        " and the share in which it did nothing for whatever reason. A test that fails is a throw, and counts as no idleness.",
        False,
        samples.friction,
    ),
    Metric(
        "M10",
        "Losses",
        "bloodiness",
        "Share of its strength that a side loses for good (dead, taken, run off), averaged over the sides; losses by cause as"
        " shares of all strength lost, in games with a loss.",
        True,
        samples.losses,
        0.05,
    ),
    Metric(
        "M11",
        "Changes of lead",
        "suspense",
        "How often another side is in front at the end of a turn: would win if the battle ended then, by points, or with equal"
        f" points by more than {EVEN:.0%} of strength; going in front first is no change.",
        True,
        samples.changes_of_lead,
        0.1,
    ),
    Metric(
        "M12",
        "Drama",
        "suspense",
        "How far the later winner was behind, as a share of the points in play (of strength where there are none), averaged"
        " over the turns; won games only.",
        False,
        samples.drama_of_winner,
    ),
    Metric(
        "M13",
        "Decisive moment",
        "suspense",
        "The turn in which the winner went in front for good, as a share of the length: 0 when it was in front from the first"
        " turn on, 1 when it went in front in the last turn; won games only.",
        False,
        samples.decision,
    ),
    Metric(
        "M14",
        "Uncertainty",
        "suspense",
        f"4 W (1 - W) averaged over the turns, W being the chance of the first side to win from there, by {PLAYOUTS} games played"
        " on between commanders with sense: 1 while it is even, 0 when it is certain. Told of the games that --foretell asks for.",
        False,
        samples.openness,
    ),
    Metric(
        "M16",
        "Spread of the dice",
        "luck",
        "Standard deviation of the first side's final lead, as a share of the points in play (of strength where there are"
        " none), with the same players throughout.",
        False,
        samples.dice_spread,
    ),
    Metric(
        "M17",
        "Bookkeeping",
        "bookkeeping",
        "Handfuls of dice, cards drawn, numbers looked up and markers laid or taken, a battle and an hour of table time (M6); and"
        " for one system alone a turn, with the dice in the handfuls.",
        False,
        samples.bookkeeping,
    ),
)
"""The metrics of a comparison. The primary ones were chosen in advance; the others explore."""


@cache
def all_metrics() -> tuple[Metric, ...]:
    """The metrics of zareba and those that installed packages bring, which explore and are never primary.

    One that cannot stand beside the others is left out, with a warning.
    """
    found = {metric.id: metric for metric in METRICS}
    for package, metric in installed_metrics():
        if not isinstance(metric, Metric):
            left_out(package, "metrics", f"{metric!r} is none")
        elif metric.primary:
            left_out(package, "metrics", f"'{metric.id}' is primary, and only zareba's own can be")
        elif metric.id in found:
            left_out(package, "metrics", f"the id '{metric.id}' is taken")
        else:
            found[metric.id] = metric
    return tuple(found.values())


def measure(metric: Metric, records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """What a metric says of some games; raises ZarebaError naming the metric when it cannot."""
    try:
        return metric.samples(records, scope)
    except Exception as error:
        raise ZarebaError(f"the metric '{metric.id}' cannot be measured: {type(error).__name__}: {error}") from error
