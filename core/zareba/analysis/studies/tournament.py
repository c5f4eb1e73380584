"""A round-robin tournament of AI players with side swaps, rated in Elo."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from zareba.analysis.games.records import GameRecord
from zareba.analysis.statistics.intervals import Mean, Z
from zareba.base.errors import ZarebaError

_SCALE = 400 / math.log(10)
"""Elo points per unit of log odds: 400 points are odds of ten to one."""
_MOST_STEPS = 100
"""The most steps of Newton's method; it converges long before."""


@dataclass(frozen=True, slots=True)
class Match:
    """The games between two players. `wins`, `draws` and `losses` are those of `first`."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    score: float
    """The share of points of `first`, with a draw as half a point."""
    low: float
    high: float
    pairs: int
    """The number of pairs of games with the sides swapped. The interval of the score comes from them."""
    independent: float | None = None
    """The number of independent games with the same information as these pairs; None means all games."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def weight(self) -> float:
        """The number of independent games that the match is worth."""
        return self.games if self.independent is None else self.independent


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player's Elo with its 95 % interval, and the player's share of all points. The mean Elo of all players is 0."""

    player: str
    elo: float
    low: float
    high: float
    score: float
    games: int


def strongest_sentence(rated: Sequence[RatedPlayer], matches: Sequence[Match]) -> str:
    """Return a sentence that names the strongest player, if the intervals of all its matches show that it is."""
    best = rated[0].player
    least_shares = [
        match.low if match.first == best else 1 - match.high for match in matches if best in (match.first, match.second)
    ]
    if len(least_shares) == len(rated) - 1 and all(share > 0.5 for share in least_shares):
        return f"The strongest player is {best}."
    return f"No player is clearly the strongest; {best} took most points. More --games can decide it."


def match_of(first: str, second: str, records: Sequence[GameRecord]) -> Match:
    """Return the match between two players from the records of a run with sides swapped. Raises ZarebaError for no
    games.
    """
    if not records:
        raise ZarebaError(f"{first} and {second} have not played any games")
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
    """Return the number of independent games with the same error as this mean of pairs, at least two."""
    return max(2.0, mean.value * (1 - mean.value) / mean.error**2)


def _limits(score: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of points, from the log odds as in `ratings`, adding half a win and half a
    loss.
    """
    smoothed = (score * games + 0.5) / (games + 1)
    middle, half_width = math.log(smoothed / (1 - smoothed)), Z / math.sqrt((games + 1) * smoothed * (1 - smoothed))
    low, high = (1 / (1 + math.exp(-end)) for end in (middle - half_width, middle + half_width))
    return 0.0 if score == 0 else min(low, score), 1.0 if score == 1 else max(high, score)


def elo_of(score: float, games: int) -> float:
    """Return the Elo difference that corresponds to a share of points. Half a win and half a loss are added."""
    smoothed = (score * games + 0.5) / (games + 1)
    return _SCALE * math.log(smoothed / (1 - smoothed))


def ratings(players: Sequence[str], matches: Sequence[Match]) -> list[RatedPlayer]:
    """Rate the players in Elo by the model of Bradley and Terry, the best first. Draws count as half a win.

    Half a win and half a loss are added to every match, so that a player who has won every game still has a rating.
    Intervals come from the curvature of the likelihood. Each match counts as many games as its pairs are worth, so
    that the rating of two players agrees with the share of points in their match.
    """
    index_of = {player: index for index, player in enumerate(players)}
    results = [  # the two players, the points of the first and those of the second
        (
            index_of[match.first],
            index_of[match.second],
            match.score * match.weight + 0.5,
            (1 - match.score) * match.weight + 0.5,
        )
        for match in matches
    ]
    values = [0.0] * len(players)
    for _ in range(_MOST_STEPS):
        gradient, curvature = _slopes(values, results)
        step = _solve(curvature, gradient)
        values = [value + max(-2.0, min(2.0, change)) for value, change in zip(values, step, strict=True)]
        if max(map(abs, step)) < 1e-10:
            break
    middle = math.fsum(values) / len(values)
    _, curvature = _slopes(values, results)
    rated = []
    for player, index in index_of.items():
        # The rating relative to the mean is this combination of all values.
        weights = [-1 / len(players) + (other == index) for other in range(len(players))]
        error = math.sqrt(max(0.0, math.fsum(a * b for a, b in zip(weights, _solve(curvature, weights), strict=True))))
        elo, half = _SCALE * (values[index] - middle), _SCALE * Z * error
        score, games = _score_of(player, matches)
        rated.append(RatedPlayer(player, elo, elo - half, elo + half, score, games))
    return sorted(rated, key=lambda player: -player.elo)


def _slopes(
    values: Sequence[float], results: Sequence[tuple[int, int, float, float]]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the log likelihood and minus its second derivatives, with the mean rating held at 0."""
    n = len(values)
    gradient, curvature = [0.0] * n, [[1.0 / n] * n for _ in range(n)]
    for a, b, wins, losses in results:
        p = 1 / (1 + math.exp(values[b] - values[a]))
        pull, weight = wins - (wins + losses) * p, (wins + losses) * p * (1 - p)
        gradient[a] += pull
        gradient[b] -= pull
        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            curvature[row][column] += sign * weight
    return gradient, curvature


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a small set of linear equations by Gaussian elimination."""
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
    for match in matches:
        if player in (match.first, match.second):
            points.append((match.score if player == match.first else 1 - match.score, match.games))
    games = sum(count for _, count in points)
    return (math.fsum(score * count for score, count in points) / games if games else 0.0), games


def schedule(players: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of a round robin. Raises ZarebaError for fewer than two players or a repeated one."""
    if len(set(players)) != len(players) or len(players) < 2:
        raise ZarebaError("a tournament needs at least two players, each named once")
    return list(combinations(players, 2))


def complete_pairs(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games whose pair is complete. In an incomplete pair a player may have had only the better side."""
    counts = Counter(record.pair for record in records)
    return [record for record in records if counts[record.pair] == len(record.sides)]


def to_dict(rated: Sequence[RatedPlayer], matches: Sequence[Match]) -> Mapping[str, object]:
    """Return the JSON-ready form."""
    return {
        "ratings": [
            {"player": player.player, "elo": round(player.elo, 1), "low": round(player.low, 1), "high": round(player.high, 1),
             "score": round(player.score, 6), "games": player.games}
            for player in rated
        ],
        "matches": [
            {"first": match.first, "second": match.second, "wins": match.wins, "draws": match.draws, "losses": match.losses,
             "score": round(match.score, 6), "low": round(match.low, 6), "high": round(match.high, 6), "pairs": match.pairs}
            for match in matches
        ],
    }  # fmt: skip
