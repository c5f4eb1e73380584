"""Set pieces: the same small situations under all rulesets, compared by the odds of their procedures.

The situations are described here once, in words that favour no ruleset. Each ruleset names the procedures and facts
that resolve a piece, or the reason why its rules do not cover it. No AI player is involved, so the results do not
depend on one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import TypeAdapter

from zareba.base.errors import ZarebaError
from zareba.odds.procedures import Odds, odds

if TYPE_CHECKING:
    from zareba.rules import Rules


_PATHS = 100_000
"""A piece with more paths is sampled. The limit is not in seconds, so that it is the same on every machine."""


@dataclass(frozen=True, slots=True)
class SetPiece:
    """A situation. `struck` is the unit that is hit or tested; losses are a share of its strength."""

    title: str
    struck: str


MEN = 20
"""The number of figures on each side, in pieces that do not state other sizes."""
LOST = {"morale_tenth": Fraction(1, 10), "morale_quarter": Fraction(1, 4), "morale_half": Fraction(1, 2)}
"""The share of the unit lost before each morale check."""
_TARGET = "twenty warriors on foot, steady"
PIECES: Mapping[str, SetPiece] = {
    "rifles_near": SetPiece("Twenty rifles at near range, on a unit in the open", _TARGET),
    "rifles_middle": SetPiece("Twenty rifles at middle range, on a unit in the open", _TARGET),
    "rifles_far": SetPiece("Twenty rifles at far range, on a unit in the open", _TARGET),
    "rifles_cover": SetPiece("Twenty rifles at middle range, on a unit behind a low stone wall", _TARGET),
    "rifles_charging": SetPiece("Twenty rifles at near range, on a unit that charges", _TARGET),
    "rifles_skirmishing": SetPiece("Twenty rifles at middle range, on a unit in skirmish order", _TARGET),
    "charge_formed": SetPiece(
        "Twenty warriors charge twenty formed riflemen", "twenty European regulars with bayonets, steady"
    ),
    "charge_shaken": SetPiece("Twenty warriors charge twenty shaken riflemen", "the same, but broken or running"),
    "machine_gun": SetPiece("A machine gun at middle range, on a unit in the open", _TARGET),
    "gun": SetPiece("A field gun at middle range, on a unit in the open", _TARGET),
    "morale_tenth": SetPiece("Twenty warriors test their morale after losing 10 %", _TARGET),
    "morale_quarter": SetPiece("The same after losing 25 %", _TARGET),
    "morale_half": SetPiece("The same after losing 50 %", _TARGET),
}
"""The pieces by id, in the order of reports. All figures are of regular quality; rifles are breech-loaders."""


@dataclass(frozen=True, slots=True)
class SetPieceAnswer:
    """The meaning of one outcome for the unit hit or tested. An aspect is None if the outcome does not cover it.

    `lost` is the share of its strength that is lost for good, `paid` that of the attackers. `gives_way`: it falls
    back, runs or is destroyed. `home`: the charge reaches it.
    """

    lost: Fraction | None = None
    paid: Fraction | None = None
    gives_way: bool | None = None
    home: bool | None = None


def drives_back(results: Container[str]) -> Callable[[Any], SetPieceAnswer]:
    """Return a reader for outcomes with a `result`: the results listed here drive the unit back."""
    return lambda outcome: SetPieceAnswer(gives_way=outcome.result in results)


@dataclass(frozen=True, slots=True)
class SetPieceQuestion:
    """A procedure with its facts, by name, and a reader for its outcomes; `label` says briefly what it represents."""

    procedure: str
    facts: Mapping[str, Any]
    read_outcome: Callable[[Any], SetPieceAnswer]
    label: str = ""


Staged: TypeAlias = "Mapping[str, Sequence[SetPieceQuestion] | str]"
"""For each piece, by id: the procedures that resolve it, or the reason why the rules do not cover it.

A later procedure answers only the aspects that those before it leave open.
"""


@dataclass(frozen=True, slots=True)
class SetPieceChance:
    """A probability and the number of plays it was sampled from, 0 if it is exact."""

    p: Fraction
    samples: int = 0


@dataclass(frozen=True, slots=True)
class SetPieceResult:
    """A piece under one set of rules.

    `lost` is the probability of each share of strength lost, `paid` the mean share that the attackers lose. `why_not`
    is the reason why these rules do not cover the piece.
    """

    piece: str
    lost: Mapping[Fraction, Fraction] = field(default_factory=dict)
    paid: Fraction | None = None
    samples: int = 0
    gives_way: SetPieceChance | None = None
    home: SetPieceChance | None = None
    label: str = ""
    why_not: str = ""
    asked: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @property
    def mean(self) -> Fraction | None:
        """The mean share lost."""
        return sum((share * p for share, p in self.lost.items()), Fraction(0)) if self.lost else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the share lost."""
        mean = self.mean
        if mean is None:
            return None
        return sqrt(sum((p * (share - mean) ** 2 for share, p in self.lost.items()), Fraction(0)))

    @property
    def nothing(self) -> Fraction | None:
        """The probability of no losses."""
        return self.lost.get(Fraction(0), Fraction(0)) if self.lost else None

    @property
    def exact(self) -> bool:
        """True if all its numbers are exact."""
        return not (self.samples or any(share and share.samples for share in (self.gives_way, self.home)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with each probability as a number and as an exact fraction."""
        if self.why_not:
            return {"not_in_these_rules": self.why_not}
        mean, nothing, deviation = self.mean, self.nothing, self.deviation
        return {
            "told": self.label,
            "method": "exact" if self.exact else "sampled",
            "samples": max([self.samples, *(share.samples for share in (self.gives_way, self.home) if share)]),
            "lost": [{"share": float(share), "p": float(p), "exact": str(p)} for share, p in sorted(self.lost.items())],
            "mean_lost": _as_json(mean),
            "deviation": None if deviation is None else {"value": round(deviation, 9)},
            "attackers_lose": _as_json(self.paid),
            "no_effect": _as_json(nothing),
            "gives_way": _as_json(self.gives_way.p if self.gives_way else None),
            "charge_gets_home": _as_json(self.home.p if self.home else None),
            "asked": [{"procedure": name, "facts": facts} for name, facts in self.asked],
        }


def _as_json(p: Fraction | None) -> dict[str, Any] | None:
    return None if p is None else {"value": float(p), "exact": str(p)}


def measure_set_pieces(rules: Rules, staged: Staged) -> list[SetPieceResult]:
    """Return the result of every piece under some rules. Raises ZarebaError for an unknown or missing piece."""
    if strange := staged.keys() - PIECES.keys():
        raise ZarebaError(f"there is no set piece '{min(strange)}'; known: {', '.join(PIECES)}")
    if missing := PIECES.keys() - staged.keys():
        raise ZarebaError(f"the ruleset has no entry for the set piece '{min(missing)}'")
    return [_measured(rules, name, staged[name]) for name in PIECES]


def _measured(rules: Rules, piece: str, asked: Sequence[SetPieceQuestion] | str) -> SetPieceResult:
    if isinstance(asked, str):
        return SetPieceResult(piece, why_not=asked)
    lost: dict[Fraction, Fraction] = {}
    paid: Fraction | None = None
    samples = 0
    chances: dict[str, SetPieceChance] = {}
    facts = []
    for measurement in asked:
        procedure = rules.ruleset.procedure(measurement.procedure)
        situation = TypeAdapter(procedure.facts).validate_python(dict(measurement.facts))
        found = odds(rules, procedure, situation, budget=_PATHS, seconds=inf)
        facts.append((measurement.procedure, dict(measurement.facts)))
        answers = {outcome: measurement.read_outcome(outcome) for outcome in found.outcomes}
        if not lost:
            lost = _shares(found, answers)
            paid = _mean_paid(found, answers)
            samples = found.samples if lost else 0
        for name in ("gives_way", "home"):
            if name not in chances and all(getattr(came, name) is not None for came in answers.values()):
                holds = {outcome for outcome, came in answers.items() if getattr(came, name)}
                chances[name] = SetPieceChance(found.probability(holds.__contains__), found.samples)
    words = "; ".join(measurement.label for measurement in asked if measurement.label)
    return SetPieceResult(
        piece, lost, paid, samples, chances.get("gives_way"), chances.get("home"), words, asked=tuple(facts)
    )


def _mean_paid(found: Odds, answers: Mapping[Any, SetPieceAnswer]) -> Fraction | None:
    paid = [(p, answers[outcome].paid) for outcome, p in found.outcomes.items()]
    return (
        sum((p * share for p, share in paid if share), Fraction(0))
        if any(share is not None for _, share in paid)
        else None
    )


def _shares(found: Odds, answers: Mapping[Any, SetPieceAnswer]) -> dict[Fraction, Fraction]:
    """Return the probability of each share lost; empty if an outcome does not cover losses."""
    shares: dict[Fraction, Fraction] = {}
    for outcome, p in found.outcomes.items():
        share = answers[outcome].lost
        if share is None:
            return {}
        shares[share] = shares.get(share, Fraction(0)) + p
    return shares
