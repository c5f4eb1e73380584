"""Small test battles for the odds: a few figures on open ground, and the acts they carry out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zareba.base.state import CopyOnWrite, blank
from zareba.odds import Procedures, first_option
from zareba.rules import Rules
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.table import Answer, Choose, Confirm, Option, Place, Table
from zareba_rulesets.fixed_baynet.actions.activation import perform_act
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import NONE
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Gun, Unit, UnitSpec
from zareba_rulesets.fixed_baynet.ground.field import Field

__all__ = ["PROCEDURES", "bare_battle", "bare_figure", "bare_unit", "battery", "does", "passive", "sheltered"]

PROCEDURES = Procedures()


def bare_figure(figure_id: str, side: str, x: float, y: float, *, gl: int = 4, **spec: Any) -> Figure:
    """Return a figure at a point, by default a European Regular with a rifle.

    Other values of its spec are given by name.
    """
    line: dict[str, Any] = {
        "role": "soldier", "table": "european", "column": "regular", "cs": 0, "ds": 5, "sp": 5, "ac": 3, "gl": gl, "weapon": "rifle",
    }  # fmt: skip
    line["crew"] = spec.get("role") == "crew"
    facing = spec.pop("facing", 0.0 if side == "red" else 180.0)
    mounted = spec.pop("mounted", False)
    figure_spec = FigureSpec(id=figure_id, name=figure_id, side=side, **(line | spec))
    return Figure(x, y, 0.0, facing, gl, figure_spec.weapon, ac=figure_spec.ac, mounted=mounted, spec=figure_spec)


def bare_unit(
    unit_id: str, side: str, figures: list[Figure], formation: str = "open", guns: list[Gun] | None = None, **spec: Any
) -> Unit:
    """Return a unit of these figures, by default a squad in open order."""
    kind = spec.pop("kind", "squad")
    unit = Unit(
        formation, len(figures), {figure.spec.id: figure for figure in figures}, guns or [],
        spec=UnitSpec(unit_id, unit_id, side, kind, unit_id, **spec),
    )  # fmt: skip
    unit.measure()
    return unit


def bare_battle(rules: Rules, units: Sequence[Unit] = (), field: Field | None = None) -> Battle:
    """Return a battle with these units on a table of 200 by 200 inches, or on the given field."""
    book = FbnBook(rules)
    return blank(
        Battle, turn=1, phase="actions", order=["red", "blue"], units=CopyOnWrite({unit.spec.id: unit for unit in units}),
        left={unit.spec.id: unit.start for unit in units}, book=book, field=field or Field(book, 200.0, 200.0),
        specs={figure.spec.id: figure.spec for unit in units for figure in unit.figures.values()},
    )  # fmt: skip


def sheltered(rules: Rules, at: Point, cv: int) -> Field:
    """Return an open field on which a figure at a point is in cover of this CV."""
    book, (x, y) = FbnBook(rules), at
    row = book.terrain["huts"].model_copy(update={"cv": cv})
    cover = TerrainPiece.area("cover", row, [(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)])
    return Field(book, 200.0, 200.0, (cover,) if cv else ())


def battery(kind: str, cs: int, book: FbnBook) -> Unit:
    """Return a gun at (100, 10) that points north, with four men in contact with it at its sides and rear."""
    share = (book.radius["gun"] + book.radius["foot"]) / 1.5
    spots = [(100.0 + x * share, 10.0 + y * share) for x, y in ((0.0, -1.5), (-1.3, -0.8), (1.3, -0.8), (-1.5, 0.0))]
    crew = [bare_figure(f"gunner {n + 1}", "red", *spot, role="crew", cs=cs) for n, spot in enumerate(spots)]
    gun = Gun(kind, 100.0, 10.0, 0.0, 0.0, book.guns[kind].wounds, ac=99)
    return bare_unit("battery", "red", crew, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")


def does(unit: str, option: Option) -> Callable[[Table, Battle, Any], Any]:
    """Return a step in which a unit carries out this option."""
    return lambda table, battle, _: perform_act(table, battle, battle.units.change(unit), option)


def passive(question: Choose | Place | Confirm, state: Any) -> Answer:
    """Return an answer for the odds: counter-attacks are declined, and all other questions take the first option."""
    return NONE if question.why == "counter-attack" else first_option(question)
