"""Small test battles for the odds: figures with given facts on open ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field as Limits

from zareba.base.errors import unknown_name
from zareba.base.grammar import amount
from zareba.base.state import CopyOnWrite, blank
from zareba.odds import refuse
from zareba.rules import Rules
from zareba.space import Point
from zareba.space.geometry import Bounds
from zareba.table import Deck
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Cover, Gait
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, FigureSpec, Unit, UnitSpec
from zareba_rulesets.paychest.ground.field import Field, Shelter

__all__ = [
    "FIRERS", "HERE", "TARGETS", "Cover", "DeckFacts", "Exposure", "Fate", "FirerFacts", "Firers", "Hits", "Inches", "Kind", "Men", "Rank", "Shelters", "Shots", "Skill", "StruckFacts", "Wounds",
    "bare_battle", "bare_unit", "deck_of", "facing", "lone", "losses_of", "man_as", "refuse_who_is_down", "shelter_of",
]  # fmt: skip

Kind = Literal["regular", "irregular"]
Exposure = Literal["open", "low_wall", "parapet", "wagon"]
Skill = Annotated[int, Limits(ge=0, le=12)]
Men = Annotated[int, Limits(ge=1, le=200)]
Firers = Annotated[int, Limits(ge=1, le=40)]  # the largest unit (PAY-030)
Hits = Annotated[int, Limits(ge=0, le=200)]
Shots = Annotated[int, Limits(ge=1, le=5)]
Wounds = Annotated[int, Limits(ge=0, le=10)]
Inches = Annotated[float, Limits(ge=0, le=400)]
Fate = Literal["killed", "unconscious", "cannot walk", "wounded", "unhurt"]
Rank = tuple[int, Shelter, int]
"""A row of identical figures: their number, cover and wounds."""

FIRERS, TARGETS = "firers", "targets"
HERE: Point = (0.0, 24.0)
HAIR = 1e-9
"""The distance in inches between figures in different cover.

It separates their positions without affecting the range.
"""
WOUNDS = ("crippled_leg", "leg_wound", "arm_wound", "body_wound", "smashed_arm")


@dataclass(frozen=True)
class DeckFacts:
    """`drawn`: the casualty cards out of the pile, by class, listed once for each copy (PAY-116, PAY-117)."""

    drawn: tuple[str, ...] = ()


@dataclass(frozen=True)
class StruckFacts(DeckFacts):
    """`exposure`: the exposure of the figures where a card must name an exposed part of the body (PAY-187)."""

    exposure: Exposure = "open"


@dataclass(frozen=True)
class FirerFacts:
    """The firer (roster Firearms Skill and wounds) and the range. `recovered`: it was unconscious earlier."""

    skill: Skill = 4
    inches: Inches = 20.0
    gait: Gait = "halt"
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    recovered: bool = False


class Shelters(Field):
    """Open ground where figures at certain points have cover from all directions."""

    __slots__ = ("places",)

    def __init__(self, book: PaychestBook, width: float, depth: float, places: Mapping[Point, Shelter]) -> None:
        super().__init__(book, width, depth, {}, {}, {"red": "south", "blue": "north"})
        self.places = places

    def has_cover_near(self, box: Bounds) -> bool:
        """Return True if there is any cover at all."""
        return bool(self.places)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        """Return the cover at that point."""
        return (self.places[at],) if at in self.places else ()


def bare_battle(
    rules: Rules,
    units: Sequence[Unit],
    *,
    deck: Mapping[str, int] | None = None,
    home: Mapping[str, str] | None = None,
    width: float = 60.0,
    depth: float = 48.0,
    field: Field | None = None,
) -> Battle:
    """Return a battle with these units on open ground.

    By default red's home edge is in the south and blue's in the north.
    """
    book = PaychestBook(rules)
    homes = {"red": "south", "blue": "north"} if home is None else dict(home)
    field = field or Field(book, width, depth, {}, {}, homes)
    for unit in units:
        unit.measure()
    return blank(
        Battle, turn=1, stage="fire", acting=units[0].spec.id if units else "", drawn=1,
        units=CopyOnWrite((unit.spec.id, unit) for unit in units), cards=Deck({}, {}),
        casualties=Deck(dict(book.full_deck() if deck is None else deck), {}), commanders={"red": "", "blue": ""},
        book=book, field=field,
    )  # fmt: skip


def bare_unit(
    name: str,
    side: str,
    spots: Sequence[Point],
    *,
    kind: str = "regular",
    firearms: int = 4,
    melee: int = 4,
    shots: int = 2,
    weapons: tuple[str, ...] = ("rifle", "bayonet"),
    leader: str = "",
    mount: str = "",
) -> Unit:
    """Return a unit of identical figures at these points. With `leader` (a rank) the first of them leads."""
    figures = {}
    for number, at in enumerate(spots, start=1):
        rank = leader if leader and number == 1 else "private" if kind == "regular" else "warrior"
        key = f"{name}.{number}"
        spec = FigureSpec(key, name, f"{rank} {number}", "", kind, rank, firearms, melee, shots, weapons, mount)
        figures[key] = Figure(at, "able", "halt", weapons, rank, mount, appearances=1, spec=spec)
    spec_of_unit = UnitSpec(name, name, side, kind, tuple(figures))
    unit = Unit(figures, f"{name}.1" if leader else "", spec=spec_of_unit)
    unit.measure()
    return unit


def lone(rules: Rules, kind: Kind, *, led: bool = False, at: Point = (30.0, 24.0), depth: float = 48.0) -> Battle:
    """Return a battle with two figures only; with `led` the first is their leader."""
    rank = "sergeant" if kind == "regular" else "leader"
    unit = bare_unit("unit", "red", [at, (at[0] + 3, at[1])], kind=kind, leader=rank if led else "")
    return bare_battle(rules, [unit], depth=depth)


def facing(rules: Rules, facts: Any, firers: Unit, targets: Mapping[str, Sequence[Rank]], **unit: str) -> Battle:
    """Return a battle with figures facing target units, all `inches` away, and the casualty deck of the facts.

    `unit` holds further facts of the target units. Raises ZarebaError for figures whose wounds would put them out of
    action.
    """
    book = PaychestBook(rules)
    inches = getattr(facts, "inches", 20.0)
    shelters = list(dict.fromkeys(shelter for ranks in targets.values() for _, shelter, _ in ranks))
    places = {shelter: (inches, HERE[1] + number * HAIR) for number, shelter in enumerate(shelters)}
    units = [firers]
    for name, ranks in targets.items():
        units.append(bare_unit(name, "blue", [places[s] for men, s, _ in ranks for _ in range(men)], **unit))  # type: ignore[arg-type]  # all of them are words
        wounds = [number for men, _, number in ranks for _ in range(men)]
        for figure, number in zip(units[-1].figures.values(), wounds, strict=True):
            figure.wounds = ("body_wound",) * number
            refuse_who_is_down(book, figure, "targets")
    for figure in firers.figures.values():
        man_as(book, figure, facts)
        refuse_who_is_down(book, figure, "arm_wounds, body_wounds")
    covered = {at: shelter for shelter, at in places.items() if shelter.cover != "none"}
    battle = bare_battle(rules, units, field=Shelters(book, inches + 1, 2 * HERE[1], covered))
    battle.casualties = deck_of(book, facts)
    return battle


def shelter_of(facts: Any) -> Shelter:
    """Return the cover of figures by their `cover` and `exposure`.

    With an exposure but no cover in the facts it is hard.
    """
    exposure = getattr(facts, "exposure", "open")
    cover = getattr(facts, "cover", "none" if exposure == "open" else "hard")
    refuse(
        exposure != "open" and cover != "hard",
        f"exposure {exposure} needs hard cover: exposure, cover (PAY-187)",
    )
    return Shelter(cover, exposure)


def deck_of(book: PaychestBook, facts: DeckFacts | object) -> Deck:
    """Return the casualty deck of some facts: the pack, with the cards already drawn among the discards."""
    pile = book.full_deck()
    out = dict.fromkeys(pile, 0)
    for card in getattr(facts, "drawn", ()):
        if card not in pile:
            raise unknown_name("casualty card", card, pile)
        pile[card] -= 1
        out[card] += 1
        refuse(pile[card] < 0, f"the pack has fewer cards '{card}' than that: drawn (PAY-116)")
    return Deck(pile, out)


def man_as(book: PaychestBook, figure: Figure, facts: Any, prefix: str = "") -> None:
    """Set a figure's condition from facts whose names begin with `prefix`. Unspecified wounds become body wounds."""

    def fact_of(fact: str) -> Any:
        return getattr(facts, prefix + fact, 0)

    times = {wound: fact_of(wound + "s") + fact_of(wound) for wound in WOUNDS}
    times["crippled_leg"] += fact_of("lame")
    times["body_wound"] += fact_of("other_wounds")
    figure.wounds = tuple(wound for wound in WOUNDS for _ in range(times[wound]))
    figure.gait = fact_of("gait") or figure.gait
    figure.weapons = () if fact_of("unarmed") else figure.weapons
    lame = times["crippled_leg"] or times["leg_wound"] >= book.file.leg_wounds_that_lame.wounds
    marks = {"lame": lame, "back turned": fact_of("back_turned"), "recovered": fact_of("recovered")}
    figure.mark(*(mark for mark, is_set in marks.items() if is_set))
    if 0 < book.settings.collapse_at_wounds <= len(figure.wounds) and not fact_of("recovered"):
        figure.fate = "unconscious"


def refuse_who_is_down(book: PaychestBook, figure: Figure, names: str) -> None:
    """Raise ZarebaError if the figure's wounds have already put it out of action, unless it has recovered."""
    wounds = len(figure.wounds)
    refuse(
        0 < book.settings.collapse_at_wounds <= wounds and "recovered" not in figure.marks,
        f"a figure with {amount(wounds, 'wound')} is out of action: {names} (PAY-119)",
    )


def losses_of(battle: Battle, unit: str = TARGETS) -> tuple[int, int]:
    """Return the killed and unconscious figures of a unit, by default of the targets."""
    fates = [figure.fate for figure in battle.unit(unit).figures.values()]
    return fates.count("dead"), fates.count("unconscious")
