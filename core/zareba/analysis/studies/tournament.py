"""A tournament of commanders: each against each, sides changed in every second game, and what that makes each worth in Elo."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from zareba.analysis.games.records import GameRecord
from zareba.analysis.statistics.intervals import Mean, Z
from zareba.base.errors import ZarebaError

__all__ = ["Match", "Rated", "elo_of", "match_of", "ratings", "schedule", "to_dict", "whole_pairs"]

SCALE = 400 / math.log(10)
"""Elo points to a unit of log odds: 400 points are ten to one."""
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Match:
    """Games of two players. `score` is the share of `first`, a draw half, with its 95 % interval from `pairs` of games in
    which they change sides; `wins`, `draws` and `losses` are those of `first`.

    `independent` is how many games that have nothing in common tell as much as these pairs; None: all of them do.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    pairs: int
    independent: float | None = None

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def weight(self) -> float:
        """The number of independent games that the match is worth."""
        return self.games if self.independent is None else self.independent


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's Elo, of which the mean over all is 0, with its 95 % interval, and his share of all points."""

    player: str
    elo: float
    low: float
    high: float
    score: float
    games: int


def match_of(first: str, second: str, records: Sequence[GameRecord]) -> Match:
    """What a run between two players, sides swapped, says of them. Raises ZarebaError for no games."""
    if not records:
        raise ZarebaError(f"{first} and {second} have played no game")
    scores: dict[int, list[float]] = {}
    wins = draws = 0
    for record in records:
        won = None if record.winner is None else (record.winner == record.sides[0]) is not record.swapped
        wins, draws = wins + (won is True), draws + (won is None)
        scores.setdefault(record.pair, []).append(0.5 if won is None else float(won))
    pairs = [math.fsum(values) / len(values) for values in scores.values()]
    mean = Mean.of(pairs, 0.0, 1.0)
    independent = min(float(len(records)), _independent(mean) if mean.error else math.inf)
    low, high = _limits(mean.value, independent)
    return Match(
        first, second, wins, draws, len(records) - wins - draws, mean.value, low, high, len(pairs), independent
    )


def _independent(mean: Mean) -> float:
    """How many independent games have the error of this mean of pairs, two at least."""
    return max(2.0, mean.value * (1 - mean.value) / mean.error**2)


def _limits(score: float, games: float) -> tuple[float, float]:
    """The 95 % interval of a share of the points: that of the log odds, as ratings have it, half a game lent to either."""
    lent = (score * games + 0.5) / (games + 1)
    middle, reach = math.log(lent / (1 - lent)), Z / math.sqrt((games + 1) * lent * (1 - lent))
    low, high = (1 / (1 + math.exp(-end)) for end in (middle - reach, middle + reach))
    return 0.0 if score == 0 else min(low, score), 1.0 if score == 1 else max(high, score)


def elo_of(score: float, games: int) -> float:
    """By how many points of Elo a player is better who has this share of all points; half a game is lent to either."""
    lent = (score * games + 0.5) / (games + 1)
    return SCALE * math.log(lent / (1 - lent))


def ratings(players: Sequence[str], matches: Sequence[Match]) -> list[Rated]:
    """Elo by Bradley and Terry's model, draws as half a win; the best first.

    Half a game either way is lent to every match, so that who has won all of his games has a rating. Intervals are by the
    curvature of the likelihood, each match counting as many games as its pairs are worth, so that the rating of two players
    and the share of points of their match say the same.
    """
    number = {player: index for index, player in enumerate(players)}
    won = [
        (number[one.first], number[one.second], one.score * one.weight + 0.5, (1 - one.score) * one.weight + 0.5)
        for one in matches
    ]
    values = [0.0] * len(players)
    for _ in range(_STEPS):
        gradient, curvature = _slopes(values, won)
        step = _solved(curvature, gradient)
        values = [value + max(-2.0, min(2.0, change)) for value, change in zip(values, step, strict=True)]
        if max(map(abs, step)) < 1e-10:
            break
    middle = math.fsum(values) / len(values)
    _, curvature = _slopes(values, won)
    found = []
    for player, index in number.items():
        own = [-1 / len(players) + (other == index) for other in range(len(players))]
        error = math.sqrt(max(0.0, math.fsum(a * b for a, b in zip(own, _solved(curvature, own), strict=True))))
        elo, half = SCALE * (values[index] - middle), SCALE * Z * error
        score, games = _score_of(player, matches)
        found.append(Rated(player, elo, elo - half, elo + half, score, games))
    return sorted(found, key=lambda one: -one.elo)


def _slopes(
    values: Sequence[float], won: Sequence[tuple[int, int, float, float]]
) -> tuple[list[float], list[list[float]]]:
    """The gradient of the log likelihood, and minus its second derivatives with the mean of all held at 0."""
    n = len(values)
    gradient, curvature = [0.0] * n, [[1.0 / n] * n for _ in range(n)]
    for a, b, wins, losses in won:
        p = 1 / (1 + math.exp(values[b] - values[a]))
        pull, weight = wins - (wins + losses) * p, (wins + losses) * p * (1 - p)
        gradient[a] += pull
        gradient[b] -= pull
        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            curvature[row][column] += sign * weight
    return gradient, curvature


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small set of linear equations, by Gauss."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for column in range(n):
        pivot = max(range(column, n), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(n):
            if row != column:
                share = rows[row][column] / rows[column][column]
                rows[row] = [a - share * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[index][n] / rows[index][index] for index in range(n)]


def _score_of(player: str, matches: Sequence[Match]) -> tuple[float, int]:
    points: list[tuple[float, int]] = []
    for one in matches:
        if player in (one.first, one.second):
            points.append((one.score if player == one.first else 1 - one.score, one.games))
    games = sum(count for _, count in points)
    return (math.fsum(score * count for score, count in points) / games if games else 0.0), games


def schedule(players: Sequence[str]) -> list[tuple[str, str]]:
    """Each against each. Raises ZarebaError for fewer than two, and for one who is named twice."""
    if len(set(players)) != len(players) or len(players) < 2:
        raise ZarebaError("a tournament wants two players at least, and each of them once")
    return list(combinations(players, 2))


def whole_pairs(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games whose pair is finished: in half of one a player had the better side, perhaps."""
    counts = Counter(one.pair for one in records)
    return [one for one in records if counts[one.pair] == len(one.sides)]


def to_dict(rated: Sequence[Rated], matches: Sequence[Match]) -> Mapping[str, object]:
    """The JSON-ready form."""
    return {
        "ratings": [
            {"player": one.player, "elo": round(one.elo, 1), "low": round(one.low, 1), "high": round(one.high, 1),
             "score": round(one.score, 6), "games": one.games}
            for one in rated
        ],
        "matches": [
            {"first": one.first, "second": one.second, "wins": one.wins, "draws": one.draws, "losses": one.losses,
             "score": round(one.score, 6), "low": round(one.low, 6), "high": round(one.high, 6), "pairs": one.pairs}
            for one in matches
        ],
    }  # fmt: skip
