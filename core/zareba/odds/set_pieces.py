"""Set pieces: the same small situations under all systems, side by side, from the odds of their procedures.

What the pieces are is said here, once, in words of no system. A ruleset says by which of its procedures, with which facts,
each of them is settled under it, or why it is not in its rules. Nothing here is played by a commander, so nothing hangs on
one.
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

__all__ = [
    "LOST",
    "MEN",
    "PIECES",
    "SetPiece",
    "SetPieceAnswer",
    "SetPieceChance",
    "SetPieceQuestion",
    "SetPieceResult",
    "Staged",
    "back",
    "measure_set_pieces",
]

PATHS = 100_000
"""A piece that has more paths is played: a number of paths and not of seconds, for the same pieces everywhere."""


@dataclass(frozen=True, slots=True)
class SetPiece:
    """A situation. `struck`: who is struck or tested in it, of whose strength losses are a share."""

    title: str
    struck: str


MEN = 20
"""Men on either side, where there are no pieces of other sizes."""
LOST = {"morale_tenth": Fraction(1, 10), "morale_quarter": Fraction(1, 4), "morale_half": Fraction(1, 2)}
"""The shares of a unit that are gone when its morale is tested."""
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
"""The pieces by id, in the order in which they are told. All men are of regular quality; rifles are breech-loaders."""


@dataclass(frozen=True, slots=True)
class SetPieceAnswer:
    """What an outcome says of those who are struck; None: nothing.

    `lost`: the share of their strength that is gone for good, and `paid` that of who attacks them; `gives_way`: they go back,
    run or are no more; `home`: the charge reaches them.
    """

    lost: Fraction | None = None
    paid: Fraction | None = None
    gives_way: bool | None = None
    home: bool | None = None


def back(results: Container[str]) -> Callable[[Any], SetPieceAnswer]:
    """Reads outcomes whose result, if it is one of these, drives a unit from its place."""
    return lambda outcome: SetPieceAnswer(gives_way=outcome.result in results)


@dataclass(frozen=True, slots=True)
class SetPieceQuestion:
    """A procedure with its facts, by name, and how its outcomes are read. `told`: in a few words, what it stands for here."""

    procedure: str
    facts: Mapping[str, Any]
    reads: Callable[[Any], SetPieceAnswer]
    told: str = ""


Staged: TypeAlias = "Mapping[str, Sequence[SetPieceQuestion] | str]"
"""By the id of a piece: the procedures that settle it, each of what the others leave open, or why it is not in these rules."""


@dataclass(frozen=True, slots=True)
class SetPieceChance:
    """A probability, and of how many plays it is the share; 0: it is exact."""

    p: Fraction
    samples: int = 0


@dataclass(frozen=True, slots=True)
class SetPieceResult:
    """A piece under some rules. `lost`: the chances of each share of strength lost; `paid`: the mean share that the attackers
    lose; `why_not`: it is not in these rules."""

    piece: str
    lost: Mapping[Fraction, Fraction] = field(default_factory=dict)
    paid: Fraction | None = None
    samples: int = 0
    gives_way: SetPieceChance | None = None
    home: SetPieceChance | None = None
    told: str = ""
    why_not: str = ""
    asked: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @property
    def mean(self) -> Fraction | None:
        """The mean share lost."""
        return sum((share * p for share, p in self.lost.items()), Fraction(0)) if self.lost else None

    @property
    def deviation(self) -> float | None:
        """Its standard deviation."""
        mean = self.mean
        if mean is None:
            return None
        return sqrt(sum((p * (share - mean) ** 2 for share, p in self.lost.items()), Fraction(0)))

    @property
    def nothing(self) -> Fraction | None:
        """How likely nobody is lost."""
        return self.lost.get(Fraction(0), Fraction(0)) if self.lost else None

    @property
    def exact(self) -> bool:
        """Whether every number of it is exact."""
        return not (self.samples or any(one and one.samples for one in (self.gives_way, self.home)))

    def to_dict(self) -> dict[str, Any]:
        """As plain data: each probability as a number and as an exact fraction."""
        if self.why_not:
            return {"not_in_these_rules": self.why_not}
        mean, nothing, deviation = self.mean, self.nothing, self.deviation
        return {
            "told": self.told,
            "method": "exact" if self.exact else "sampled",
            "samples": max([self.samples, *(one.samples for one in (self.gives_way, self.home) if one)]),
            "lost": [{"share": float(share), "p": float(p), "exact": str(p)} for share, p in sorted(self.lost.items())],
            "mean_lost": _told(mean),
            "deviation": None if deviation is None else {"value": round(deviation, 9)},
            "attackers_lose": _told(self.paid),
            "no_effect": _told(nothing),
            "gives_way": _told(self.gives_way.p if self.gives_way else None),
            "charge_gets_home": _told(self.home.p if self.home else None),
            "asked": [{"procedure": name, "facts": facts} for name, facts in self.asked],
        }


def _told(p: Fraction | None) -> dict[str, Any] | None:
    return None if p is None else {"value": float(p), "exact": str(p)}


def measure_set_pieces(rules: Rules, staged: Staged) -> list[SetPieceResult]:
    """Every piece under some rules. Raises ZarebaError for a piece that nobody knows, and for one that nobody answers."""
    if strange := staged.keys() - PIECES.keys():
        raise ZarebaError(f"no set piece is called {min(strange)}; there are {', '.join(PIECES)}")
    if missing := PIECES.keys() - staged.keys():
        raise ZarebaError(f"the ruleset says nothing of the set piece {min(missing)}")
    return [_measured(rules, name, staged[name]) for name in PIECES]


def _measured(rules: Rules, piece: str, asked: Sequence[SetPieceQuestion] | str) -> SetPieceResult:
    if isinstance(asked, str):
        return SetPieceResult(piece, why_not=asked)
    lost: dict[Fraction, Fraction] = {}
    paid: Fraction | None = None
    samples = 0
    chances: dict[str, SetPieceChance] = {}
    facts = []
    for one in asked:
        procedure = rules.ruleset.procedure(one.procedure)
        situation = TypeAdapter(procedure.facts).validate_python(dict(one.facts))
        found = odds(rules, procedure, situation, budget=PATHS, seconds=inf)
        facts.append((one.procedure, dict(one.facts)))
        told = {outcome: one.reads(outcome) for outcome in found.outcomes}
        if not lost:
            lost = _shares(found, told)
            paid = _mean_paid(found, told)
            samples = found.samples if lost else 0
        for name in ("gives_way", "home"):
            if name not in chances and all(getattr(came, name) is not None for came in told.values()):
                holds = {outcome for outcome, came in told.items() if getattr(came, name)}
                chances[name] = SetPieceChance(found.probability(holds.__contains__), found.samples)
    words = "; ".join(one.told for one in asked if one.told)
    return SetPieceResult(
        piece, lost, paid, samples, chances.get("gives_way"), chances.get("home"), words, asked=tuple(facts)
    )


def _mean_paid(found: Odds, told: Mapping[Any, SetPieceAnswer]) -> Fraction | None:
    paid = [(p, told[outcome].paid) for outcome, p in found.outcomes.items()]
    return (
        sum((p * share for p, share in paid if share), Fraction(0))
        if any(share is not None for _, share in paid)
        else None
    )


def _shares(found: Odds, told: Mapping[Any, SetPieceAnswer]) -> dict[Fraction, Fraction]:
    """The chances of each share lost; nothing where outcomes do not tell of it."""
    shares: dict[Fraction, Fraction] = {}
    for outcome, p in found.outcomes.items():
        share = told[outcome].lost
        if share is None:
            return {}
        shares[share] = shares.get(share, Fraction(0)) + p
    return shares
