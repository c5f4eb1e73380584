"""A small table for the odds: units on open ground in the turn of side red, and the types that facts use (RSK-045)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.state import blank
from zareba.odds import Procedures
from zareba.rules import Rules
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import Battle, Unit, UnitSpec
from zareba_rulesets.risk_factor.ground import Field as Battlefield

Class = Literal["veteran", "raw", "hero"]
Fate = Literal["unhurt", "wounded", "killed"]
Group = Annotated[int, Field(ge=1, le=30)]
Men = Annotated[int, Field(ge=0, le=30)]
Tenths = Annotated[int, Field(ge=0, le=10)]
Factor = Annotated[int, Field(ge=-20, le=20)]
Centimetres = Annotated[float, Field(ge=0, le=500)]

PROCEDURES = Procedures()
RADIUS = 1.25  # of a base, in cm
SIZE = 1200.0  # of the table, in cm: larger than any range or move
MIDDLE = SIZE / 2
OF_SPEC = frozenset(field.name for field in fields(UnitSpec))


def row(count: int, y: float = MIDDLE) -> list[Point]:
    """Return points in a row from west to east."""
    return [(MIDDLE + (index - count // 2) * (2 * RADIUS + 0.25), y) for index in range(count)]


def unit_of(name: str, side: str, at: Sequence[Point], hurt: int = 0, marks: str = "", **said: Any) -> Unit:
    """Return a unit with figures at these points, the last `hurt` of them wounded. `marks` are separated by spaces.

    Red faces north, blue south. Other keywords set fields of the unit or of its UnitSpec.
    """
    spec: dict[str, Any] = {"troop_class": "veteran", "parent": name, "figures": len(at), "armed": len(at)}
    spec |= {field: said.pop(field) for field in OF_SPEC & said.keys()}
    return Unit(
        Body(tuple(at), RADIUS),
        tuple(index >= len(at) - hurt for index in range(len(at))),
        (True,) * len(at),
        0.0 if side == "red" else 180.0,
        len(at),
        marks=frozenset(marks.split()),
        spec=UnitSpec(id=name, name=name, side=side, **spec),
        **said,
    )


def small_table(rules: Rules, *units: Unit, ground: tuple[str, Sequence[Point]] | None = None, **known: Any) -> Battle:
    """Return a plain with these units, and a terrain piece of one kind: `ground` is its kind and its points, two for a
    line, more for an area.
    """
    book = RskBook(rules)
    named = [ground] if ground is not None else []
    pieces = {
        kind: (TerrainPiece.area if len(points) > 2 else TerrainPiece.line)(kind, book.file.grounds[kind], points)
        for kind, points in named
    }
    cursor: dict[str, Any] = {"turn": 1, "order": ["red", "blue"], "phase": "start", "begun": True}
    field = Battlefield(book, SIZE, SIZE, pieces)
    return blank(Battle, **cursor | known, units={unit.spec.id: unit for unit in units}, book=book, field=field)


def fate_of(man: Unit) -> Fate:
    """Return the fate of a single figure."""
    return "killed" if man.dead else "wounded" if any(man.hurt) else "unhurt"
