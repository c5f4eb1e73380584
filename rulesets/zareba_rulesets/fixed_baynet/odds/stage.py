"""The small battles in which odds are computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from zareba.base.state import CopyOnWrite, blank
from zareba.odds import Procedures, first_option
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.table import Answer, Choose, Confirm, Option, Place, Table
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.aiming import ANSWER_NONE
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Gun, Unit, UnitSpec
from zareba_rulesets.fixed_baynet.ground import Field

# --- Small test battles for the odds: a few figures on open ground, and the acts they carry out -----------------------


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


def step_of(unit: str, option: Option) -> Callable[[Table, Battle, Any], Any]:
    """Return a step in which a unit carries out this option."""
    return lambda table, battle, _: perform_action(table, battle, battle.units.change(unit), option)


def passive(question: Choose | Place | Confirm, state: Any) -> Answer:
    """Return an answer for the odds: counter-attacks are declined, and all other questions take the first option."""
    return ANSWER_NONE if question.why == "counter-attack" else first_option(question)


# --- The set pieces that compare all systems, under these rules: man for man, with warriors in mass -------------------


BLOCK = 9
"""Men in the block under a shell: three ranks of three."""
_NO_LOSS = "losses cause no glory test before half of a unit is lost (FBN-148)"


def set_pieces(rules: Rules) -> Staged:
    """Return how each set piece is resolved under these rules."""
    book = FbnBook(rules)
    regular, warrior = book.file.stat_lines["european"]["regular"], book.file.stat_lines["native"]["regular"]
    wall = book.terrain[book.file.mapping.linear_terrain["low_wall"]]

    def down(men: int) -> Any:
        """Return how to read the share of the men who are down from an outcome."""
        return lambda outcome: SetPieceAnswer(Fraction(outcome.down, men))

    def rifles(band: str, text: str, **more: Any) -> list[SetPieceQuestion]:
        """Return the question of a volley of regulars at warriors in mass; `more` holds further facts."""
        facts = {
            "ds": warrior.ds,
            "cs": regular.cs,
            "formation": "mass",
            "band": band,
            "shots": MEN,
            "men": MEN,
            **more,
        }
        return [SetPieceQuestion("volley", facts, down(MEN), text)]

    def blow(outcome: Any) -> SetPieceAnswer:
        """Return the chances of each side in a blow between two men."""
        return SetPieceAnswer(Fraction(outcome.loser == "defender"), Fraction(outcome.loser == "attacker"))

    blows = {
        "attacker_cs": warrior.cs, "defender_cs": regular.cs, "attacker_weapon": True, "defender_weapon": True,
    }  # fmt: skip
    crew = {"ds": warrior.ds, "cs": regular.cs, "formation": "mass"}

    return {
        "rifles_near": rifles("short", "one shot each at short range at men in mass; no immediate test"),
        "rifles_middle": rifles("medium", "the same at medium range"),
        "rifles_far": rifles("long", "the same at long range"),
        "rifles_cover": rifles("medium", "cover of a stone wall", cv=wall.cv),
        "rifles_charging": rifles("short", "at men charging in closed order", formation="closed", charging=True),
        "rifles_skirmishing": rifles("medium", "at men in open order", formation="open"),
        "charge_formed": [
            SetPieceQuestion("close_combat", blows, blow, "one blow, man against man; men in reach make contact")
        ],
        "charge_shaken": "panic makes men run, freeze or lie down; it does not change how they fight (FBN-163)",
        "machine_gun": [
            SetPieceQuestion(
                "machine_gun", {**crew, "band": "medium", "men": MEN}, down(MEN), "three salvos at medium range"
            )
        ],
        "gun": [
            SetPieceQuestion(
                "artillery_direct",
                {**crew, "gun": "light_gun", "distance": 30.0},
                down(BLOCK),
                f"a shell at {BLOCK} men in three ranks, 30 inches away",
            )
        ],
        **dict.fromkeys(LOST, _NO_LOSS),
        "morale_half": [
            SetPieceQuestion(
                "glory",
                {"printed": warrior.gl, "gl": warrior.gl},
                _panics,
                "one glory event, and the glory test at the end of the turn",
            )
        ],
    }


def _panics(outcome: Any) -> SetPieceAnswer:
    """Return the answer of a set piece about glory: the unit gives way if it panics."""
    return SetPieceAnswer(gives_way=outcome.panicked)
