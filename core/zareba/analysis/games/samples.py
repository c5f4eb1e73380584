"""The value of each metric in each game, and the columns of `games.csv`."""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from zareba.analysis.games.activity import ACTS, SECONDS
from zareba.analysis.games.measures import (
    acts_of,
    cause_share,
    decisive_moment,
    drama,
    final_lead,
    lead_changes,
    lost,
    mean_losses,
    table_time,
)
from zareba.analysis.games.records import CAUSES, ENDINGS, Effort, GameRecord
from zareba.analysis.games.simulate import uncertainty
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import join_with_and

# --- The samples behind the metrics: the kind of estimate, unit and values per game of each number --------------------


PER_HOUR = "per hour of table time"
"""The end of the name of a number that is counted per hour of table time."""
_BOOKKEEPING = ("handful", "card", "look-up", "marker")

Kind = Literal["share", "mean", "count", "median", "p10", "p90", "spread"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What all variants of a comparison share: the sides, every ending seen, and the seconds of each act."""

    sides: tuple[str, ...]
    endings: tuple[str, ...]
    seconds: Mapping[str, float] = field(default_factory=lambda: SECONDS)

    @classmethod
    def of(cls, records: Sequence[GameRecord], seconds: Mapping[str, float] = SECONDS) -> Scope:
        """Return the scope of at least one game of a scenario."""
        seen = {record.ending for record in records} | {"act_limit"}
        known = tuple(name for name in ENDINGS if name in seen)
        return cls(records[0].sides, known + tuple(sorted(seen - set(ENDINGS))), seconds)


@dataclass(frozen=True, slots=True)
class Sample:
    """One number of a metric: its kind of estimate, unit, value in each game, and bounds.

    The value is None for a game to which it does not apply, and such games are not counted. A share is 0 or 1 in each
    game; a count is a mean of small whole numbers, often 0.
    """

    name: str
    kind: Kind
    unit: str
    values: tuple[float | None, ...]
    low: float = 0.0
    high: float | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        top = 1.0 if self.unit in ("share", "of length") else math.inf
        return self.low, top if self.high is None else self.high


def _gain(record: GameRecord, side: str) -> float:
    """Return 1 for a win, 0 for a draw and -1 / (other sides) for a loss: 0 on average if all sides win equally
    often.
    """
    return 0.0 if record.winner is None else 1.0 if record.winner == side else -1.0 / (len(record.sides) - 1)


def _each(records: Iterable[GameRecord], value: Callable[[GameRecord], float | None]) -> tuple[float | None, ...]:
    return tuple(value(record) for record in records)


_Measure: TypeAlias = Callable[[GameRecord], float | None]


def _per_turn(count: _Measure) -> _Measure:
    return lambda record: _ratio(count(record), record.turns)


def _per_hour(count: _Measure, scope: Scope) -> _Measure:
    """Return a function that gives a count per hour of table time, by the declared seconds."""

    def rate(record: GameRecord) -> float | None:
        time = table_time(record, scope.seconds)
        return _ratio(count(record), None if time is None else time / 60)

    return rate


def _ratio(part: float | None, whole: float | None) -> float | None:
    """Return `part / whole`, or None if either is unknown or there is no whole."""
    return part / whole if part is not None and whole else None


def outcome(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the share of wins of each side, and of draws."""

    def share(name: str, winner: str | None) -> Sample:
        return Sample(name, "share", "share", _each(records, lambda record: float(record.winner == winner)))

    return [*(share(f"won by {side}", side) for side in scope.sides), share("drawn", None)]


def side_balance(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the lead of the first side in wins."""
    name = f"won by {scope.sides[0]}, minus the rest"
    return [Sample(name, "mean", "share", _each(records, lambda record: _gain(record, scope.sides[0])), -1.0)]


def first_listed_bias(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the advantage of the side that is listed first."""
    gains = _each(records, lambda record: _gain(record, record.listed))
    return [Sample("won by the side listed first, minus the rest", "mean", "share", gains, -1.0)]


def own_victory_rule(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the results by the ruleset's own victory rule: wins, how often the winner differs, and the reasons if
    so.
    """
    bound = [record for record in records if record.own_ground]

    def differs(record: GameRecord) -> float | None:
        return float(record.own_winner != record.winner) if record.own_ground else None

    def share(name: str, winner: str | None) -> Sample:
        return Sample(
            name, "share", "share", _each(records, lambda r: float(r.own_winner == winner) if r.own_ground else None)
        )

    def because(ground: str, own_ground: str) -> Sample:
        name = f"common rule by {ground}, own rule by {own_ground}"
        both = _each(
            records,
            lambda r: float(r.own_winner != r.winner and (r.ground, r.own_ground) == (ground, own_ground)) if r.own_ground else None,
        )  # fmt: skip
        return Sample(name, "share", "share", both)

    reasons = sorted({(record.ground, record.own_ground) for record in bound if record.own_winner != record.winner})
    return [
        Sample("games with a different winner by the own rule", "share", "share", _each(records, differs)),
        *(share(f"won by {side} by the own rule", side) for side in scope.sides),
        share("drawn by the own rule", None),
        *(because(*reason) for reason in reasons),
    ]


def ending(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the share of games per ending."""

    def share(name: str) -> Sample:
        values = _each(records, lambda record: float(record.ending == name))
        return Sample(name.replace("_", " "), "share", "share", values)

    decided = _each(records, lambda record: float(record.ending not in ("turn_limit", "act_limit")))
    return [Sample("ended before a limit", "share", "share", decided), *map(share, scope.endings)]


def length(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the length of the games in turns."""
    turns = _each(records, lambda record: record.turns)
    kinds: tuple[tuple[str, Kind], ...] = (
        ("mean", "mean"),
        ("median", "median"),
        ("shortest tenth: up to", "p10"),
        ("longest tenth: from", "p90"),
    )
    return [Sample(name, kind, "turns", turns) for name, kind in kinds]


def time_at_table(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the table time and the number of acts of each kind."""

    def time(record: GameRecord) -> float | None:
        return table_time(record, scope.seconds)

    return [
        Sample("mean", "mean", "index", _each(records, time)),
        Sample("median", "median", "index", _each(records, time)),
        Sample("per turn", "mean", "index", _each(records, _per_turn(time))),
        *(_act(act, records) for act in ACTS),
    ]


def _act(act: str, records: Sequence[GameRecord]) -> Sample:
    return Sample(_plural(act), "mean", "per game", _each(records, lambda record: acts_of(record, act)))


def _plural(act: str) -> str:
    return {"die": "dice", "unit moved": "units moved", "piece moved": "pieces moved"}.get(act, f"{act}s")


def choice(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the number and kind of decisions."""

    def genuine(record: GameRecord) -> int:
        return sum(effort.genuine for effort in record.effort.values())

    def genuine_share(record: GameRecord) -> float | None:
        decisions = sum(effort.decisions for effort in record.effort.values())
        return genuine(record) / decisions if decisions else None

    def options(record: GameRecord) -> float | None:
        forced = sum(effort.decisions - effort.genuine for effort in record.effort.values())
        offered = sum(effort.options for effort in record.effort.values())
        return (offered - forced) / genuine(record) if genuine(record) else None

    def of_side(side: str) -> Sample:
        values = _each(records, lambda record: record.effort[side].genuine)
        return Sample(f"genuine choices of {side}", "mean", "choices", values)

    def sensible(record: GameRecord) -> float | None:
        return acts_of(record, "decision")

    return [
        Sample("decisions per battle", "mean", "choices", _each(records, sensible)),
        Sample(f"decisions {PER_HOUR}", "mean", "choices", _each(records, _per_hour(sensible, scope))),
        Sample("decisions per turn", "mean", "choices", _each(records, _per_turn(sensible))),
        Sample("genuine choices per turn", "mean", "choices", _each(records, _per_turn(genuine))),
        *(of_side(side) for side in scope.sides),
        Sample("decisions that are genuine", "mean", "share", _each(records, genuine_share)),
        Sample("answers per genuine choice", "mean", "acts", _each(records, options)),
    ]


def losses(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the losses by side and by cause."""

    def of_side(side: str) -> Sample:
        values = _each(records, lambda record: lost(record, side))
        return Sample(f"lost by {side}", "mean", "share", values)

    def by_cause(cause: str) -> Sample:
        values = _each(records, lambda record: cause_share(record, cause))
        return Sample(f"losses by {cause}", "mean", "share", values)

    return [
        Sample("strength lost per side", "mean", "share", _each(records, mean_losses)),
        *(of_side(side) for side in scope.sides),
        *(by_cause(cause) for cause in CAUSES),
        Sample("turn of first loss", "mean", "turns", _each(records, lambda record: record.first_loss)),
    ]


def changes_of_lead(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the number of lead changes."""
    return [Sample("changes per game", "count", "changes", _each(records, lead_changes))]


def drama_of_winner(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return how far the winner was behind."""
    return [Sample("winner behind by", "mean", "share", _each(records, drama))]


def decision(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the time at which the game was decided."""
    return [Sample("decided after", "mean", "of length", _each(records, decisive_moment))]


def dice_spread(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the spread of the final lead."""
    return [Sample(f"final lead of {scope.sides[0]}", "spread", "share", _each(records, final_lead), -1.0)]


def decision_stakes(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the average stake of a choice."""
    stakes = _each(records, lambda record: _ratio(record.stake, record.weighed))
    return [Sample("stake per choice", "mean", "of a unit", stakes)]


def openness(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the average uncertainty of the result during the games."""
    return [
        Sample("openness over the turns", "mean", "share", _each(records, lambda record: uncertainty(record.chances)))
    ]


def no_choice_turns(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the shares of unit turns without an action and without a choice."""

    def share(part: _Measure) -> tuple[float | None, ...]:
        return _each(records, lambda record: _ratio(part(record), record.unit_turns))

    return [
        Sample("unit turns in which the rules allow no action", "mean", "share", share(lambda record: record.denied)),
        Sample("unit turns without an action", "mean", "share", share(lambda record: record.idle)),
    ]


def bookkeeping(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    """Return the number of throws, cards, lookups and markers."""

    def together(record: GameRecord) -> float | None:
        return acts_of(record, *_BOOKKEEPING)

    def of_act(act: str) -> Sample:
        values = _each(records, _per_turn(lambda record: acts_of(record, act)))
        return Sample(f"{_plural(act)} per turn", "mean", "per turn", values)

    return [
        Sample("throws, cards, lookups and markers per battle", "mean", "per battle", _each(records, together)),
        Sample(
            f"throws, cards, lookups and markers {PER_HOUR}",
            "mean",
            "per hour",
            _each(records, _per_hour(together, scope)),
        ),
        Sample("throws, cards, lookups and markers per turn", "mean", "per turn", _each(records, _per_turn(together))),
        *(of_act(act) for act in (*_BOOKKEEPING, "die")),
    ]


# --- Flatten the record of a game into one row of `games.csv`, and select games by conditions on its columns ----------


_CONDITION = re.compile(r"(\w+)\s*(<=|>=|!=|=|<|>)\s*([^<>=!].*)")
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def as_columns(record: GameRecord) -> dict[str, Any]:
    """Return a record as flat columns. `strength_<side>` is a list of the shares at the end of each turn.

    The columns of acts at the table are None if they were not counted.
    """
    row: dict[str, Any] = {
        "variant": record.variant,
        "scenario": record.scenario,
        "game": record.game,
        "pair": record.pair,
        "seed": record.seed,
        "swapped": record.swapped,
        "listed": record.listed,
        "winner": record.winner,
        "ground": record.ground,
        "own_winner": record.own_winner,
        "own_ground": record.own_ground,
        "in_play": record.in_play,
        "ending": record.ending,
        "turns": record.turns,
        "first_loss": record.first_loss,
        "dice": record.dice,
        "rolls": record.rolls,
        "draws": record.draws,
        "lookups": record.lookups,
    }
    row |= {"stake": None if record.stake is None else float(record.stake), "weighed": record.weighed}
    row |= {"unit_turns": record.unit_turns, "idle": record.idle, "denied": record.denied}
    acts: Mapping[str, int | None] = dict.fromkeys(ACTS) if record.acts is None else record.acts
    row |= {f"acts_{act.replace(' ', '_').replace('-', '_')}": number for act, number in acts.items()}
    for side, agent in record.agents.items():
        row[f"agent_{side}"] = agent
        row[f"points_{side}"] = float(record.points[side])
        for name, count in record.effort[side].to_dict().items():
            row[f"{name}_{side}"] = count
        for cause, share in record.losses[side].items():
            row[f"lost_{side}_{cause}"] = float(share)
        row[f"strength_{side}"] = [float(share) for share in record.strength[side]]
        row[f"score_{side}"] = [float(scored) for scored in record.score[side]]
    row["chances"] = [float(chance) for chance in record.chances]
    return row


def matching_games(records: Sequence[GameRecord], conditions: Sequence[str]) -> tuple[GameRecord, ...]:
    """Return the games that meet all conditions, such as `ending=collapse` or `turns<=6`. `none` matches a missing
    value.

    Raises ZarebaError if the column is unknown, if a list or text is compared by order, and if no game is left.
    """
    matching = tuple(records)
    for condition in conditions:
        holds, rows = _condition(condition), [as_columns(record) for record in matching]
        matching = tuple(record for record, row in zip(matching, rows, strict=True) if holds(row))
        if rows and not matching:
            raise ZarebaError(f"no game has {' and '.join(conditions)}; {_values_in_words(condition, rows)}")
    return matching


def _values_in_words(condition: str, rows: Sequence[dict[str, Any]]) -> str:
    """Describe the values of a condition's column in these games: its words, the most frequent first, or its range."""
    column = _parts(condition)[0]
    values = [row[column] for row in rows]
    if numbers := [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]:
        return f"{column} is from {min(numbers):g} to {max(numbers):g}"
    words = Counter("none" if value is None else str(value).lower() or "empty" for value in values)
    return f"{column} is {join_with_and(f'{word} in {number}' for word, number in words.most_common())}"


def check_conditions(written: Sequence[str], sides: Sequence[str]) -> None:
    """Raise ZarebaError for an invalid condition on games between these sides, before any game is played."""
    some = as_columns(_unplayed(sides))
    for entry in written:
        _condition(entry)(some)


def _unplayed(sides: Sequence[str]) -> GameRecord:
    """Return the record of an empty game, whose columns have the same types as those of real games."""
    none = dict.fromkeys(sides, 0.0)
    return GameRecord(
        variant="", scenario="", game=0, pair=0, seed=0, swapped=False, listed=sides[0], agents=dict.fromkeys(sides, ""),
        winner=sides[0], ground="", own_winner=sides[0], own_ground="", points=none, in_play=0, ending="", turns=0,
        acts=dict.fromkeys(ACTS, 0), stake=0.0, weighed=0, unit_turns=0, idle=0, denied=0, effort=dict.fromkeys(sides, Effort(0, 0, 0)),
        dice=0, rolls=0, draws=0, lookups=0, losses=dict.fromkeys(sides, dict.fromkeys(CAUSES, 0.0)),
        strength=dict.fromkeys(sides, (1.0,)), score=dict.fromkeys(sides, (0.0,)), first_loss=0,
    )  # fmt: skip


def _parts(written: str) -> tuple[str, str, str]:
    match = _CONDITION.fullmatch(written.strip())
    if match is None:
        raise ZarebaError(f"'{written}' is not a condition; write COLUMN=VALUE, or use !=, <, <=, > or >=")
    column, sign, value = match.groups()
    return column, sign, value


def _condition(condition: str) -> Callable[[dict[str, Any]], bool]:
    column, sign, value = _parts(condition)
    compared = _COMPARISONS[sign]

    def holds(row: dict[str, Any]) -> bool:
        if column not in row:
            raise unknown_name("column of games.csv", column, row)
        actual = row[column]
        if isinstance(actual, list):
            raise ZarebaError(f"{column} is a list with one number per turn; conditions need a single value")
        if isinstance(actual, (int, float)) and not isinstance(actual, bool):
            if value.lower() == "none" and sign in ("=", "!="):
                return sign == "!="
            try:
                return compared(actual, float(value))
            except ValueError:
                raise ZarebaError(f"{column} is a number, but '{value}' is not") from None
        if sign not in ("=", "!="):
            if actual is None:
                return False
            raise ZarebaError(f"{column} is a word and can only be compared with = or !=")
        return compared("none" if actual is None else str(actual).lower(), value.lower())

    return holds
