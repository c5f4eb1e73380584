"""A plain for one exchange: battles of a few figures on open ground, for odds."""

from __future__ import annotations

from typing import Any

from zareba.rules import Rules
from zareba.state import CopyOnWrite
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.book import FbnBook
from zareba_rulesets.fixed_baynet.field import Field
from zareba_rulesets.fixed_baynet.units import Figure, FigureSpec, Gun, Unit, UnitSpec

__all__ = ["bare_battle", "bare_figure", "bare_unit"]


def bare_figure(figure_id: str, side: str, x: float, y: float, *, gl: int = 4, **spec: Any) -> Figure:
    """A figure at a point; the rest of its spec by name, by default a European Regular with a rifle."""
    line: dict[str, Any] = {
        "role": "soldier", "table": "european", "column": "regular", "cs": 0, "ds": 5, "sp": 5, "ac": 3, "gl": gl, "weapon": "rifle",
    }  # fmt: skip
    line["crew"] = spec.get("role") == "crew"
    facing = spec.pop("facing", 0.0 if side == "red" else 180.0)
    mounted = spec.pop("mounted", False)
    made = FigureSpec(id=figure_id, name=figure_id, side=side, **(line | spec))
    return Figure(x, y, 0.0, facing, gl, made.weapon, ac=made.ac, mounted=mounted, spec=made)


def bare_unit(
    unit_id: str, side: str, figures: list[Figure], formation: str = "open", guns: list[Gun] | None = None, **spec: Any
) -> Unit:
    kind = spec.pop("kind", "squad")
    unit = Unit(
        formation, len(figures), {figure.spec.id: figure for figure in figures}, guns or [],
        spec=UnitSpec(unit_id, unit_id, side, kind, unit_id, **spec),
    )  # fmt: skip
    unit.measure()
    return unit


def bare_battle(rules: Rules, units: list[Unit], field: Field | None = None) -> Battle:
    """The units on a table of 200 by 200 inches, or on a given field."""
    book = FbnBook(rules)
    ground = field or Field(book, 200.0, 200.0)
    return Battle(
        turn=1, phase="actions", over=False, ending="", active="", acts=0, order=["red", "blue"], at=0, waiting=[],
        units=CopyOnWrite({unit.spec.id: unit for unit in units}), fallen=(), captives=(), calls=[], flares=[], houses=CopyOnWrite(), arrivals={},
        gone={}, prizes=CopyOnWrite(), achieved={}, left={unit.spec.id: unit.start for unit in units}, brought={}, book=book,
        field=ground, specs={figure.spec.id: figure.spec for unit in units for figure in unit.figures.values()},
    )  # fmt: skip
