"""A bare table for one exchange: the state from which odds and tests start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.chance import Deck
from zareba.rules import Rules
from zareba.space import Point
from zareba.state import CopyOnWrite
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.field import Field
from zareba_rulesets.paychest.units import Figure, FigureSpec, Unit, UnitSpec
from zareba_rulesets.paychest.ways import Ways

__all__ = ["bare_battle", "bare_unit"]


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
    """Open ground with these units on it, red at home in the south and blue in the north unless told otherwise."""
    book = PaychestBook(rules)
    homes = {"red": "south", "blue": "north"} if home is None else dict(home)
    field = field or Field(book, width, depth, {}, {}, homes)
    for unit in units:
        unit.measure()
    return Battle(
        turn=1,
        stage="fire",
        acting=units[0].spec.id if units else "",
        drawn=1,
        over=False,
        ending="",
        winner="",
        units=CopyOnWrite((unit.spec.id, unit) for unit in units),
        engines=CopyOnWrite(),
        things=CopyOnWrite(),
        cards=Deck({}, {}),
        casualties=Deck(dict(book.full_deck() if deck is None else deck), {}),
        order=[],
        waiting=[],
        arrivals={},
        returning=[],
        commanders={"red": "", "blue": ""},
        deeds={},
        achieved={},
        book=book,
        field=field,
        ways=Ways(field),
    )


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
    """A unit of equal figures at these places; with `leader` (a rank) the first of them leads."""
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
