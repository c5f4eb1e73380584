"""Small test battles, in which the odds of single acts are computed."""

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
from zareba_rulesets.fixed_baynet.chapters.targets import ANSWER_NONE
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Gun, Unit, UnitSpec
from zareba_rulesets.fixed_baynet.ground import Field

# --- A few figures on open ground, and the acts that they carry out ---------------------------------------------------


PROCEDURES = Procedures()


def bare_figure(figure_id: str, side: str, x: float, y: float, *, gl: int = 4, **spec: Any) -> Figure:
    """Return a figure at a point, by default a European Regular with a rifle.

    Other values of its spec are given by name.
    """
    defaults: dict[str, Any] = {
        "role": "soldier", "table": "european", "column": "regular", "cs": 0, "ds": 5, "sp": 5, "ac": 3, "gl": gl, "weapon": "rifle",
    }  # fmt: skip
    defaults["crew"] = spec.get("role") == "crew"
    facing = spec.pop("facing", 0.0 if side == "red" else 180.0)
    mounted = spec.pop("mounted", False)
    figure_spec = FigureSpec(id=figure_id, name=figure_id, side=side, **(defaults | spec))
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


def field_with_cover(rules: Rules, at: Point, cv: int) -> Field:
    """Return an open field on which a figure at a point is in cover of this CV."""
    book, (x, y) = FbnBook(rules), at
    row = book.terrain["huts"].model_copy(update={"cv": cv})
    cover = TerrainPiece.area("cover", row, [(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)])
    return Field(book, 200.0, 200.0, (cover,) if cv else ())


def gun_with_crew(kind: str, cs: int, book: FbnBook) -> Unit:
    """Return a gun at (100, 10) that points north, with four men in contact with it at its sides and rear."""
    scale = (book.radius["gun"] + book.radius["foot"]) / 1.5
    spots = [(100.0 + x * scale, 10.0 + y * scale) for x, y in ((0.0, -1.5), (-1.3, -0.8), (1.3, -0.8), (-1.5, 0.0))]
    crew = [bare_figure(f"gunner {n + 1}", "red", *spot, role="crew", cs=cs) for n, spot in enumerate(spots)]
    gun = Gun(kind, 100.0, 10.0, 0.0, 0.0, book.guns[kind].wounds, ac=99)
    return bare_unit("battery", "red", crew, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")


def step_of(unit: str, option: Option) -> Callable[[Table, Battle, Any], Any]:
    """Return a step in which a unit carries out this option."""
    return lambda table, battle, _: perform_action(table, battle, battle.units.change(unit), option)


def passive_answer(question: Choose | Place | Confirm, state: Any) -> Answer:
    """Return an answer for the odds: decline counter-attacks, and take the first option of all other questions."""
    return ANSWER_NONE if question.why == "counter-attack" else first_option(question)


# --- The set pieces that compare all systems, under these rules: man for man, with warriors in mass -------------------


BLOCK = 9
"""Men in the block under a shell: three ranks of three."""
_NO_LOSS = "losses cause no glory test before half of a unit is lost (FBN-148)"


def set_pieces(rules: Rules) -> Staged:
    """Return how each set piece is resolved under these rules."""
    book = FbnBook(rules)
    regular, warrior = book.file.stat_lines["european"]["regular"], book.file.stat_lines["native"]["regular"]
    stone_wall = book.terrain[book.file.mapping.linear_terrain["low_wall"]]

    def share_down(men: int) -> Any:
        """Return a function that reads from an outcome the share of the men who are down."""
        return lambda outcome: SetPieceAnswer(Fraction(outcome.down, men))

    def volley(band: str, text: str, **more: Any) -> list[SetPieceQuestion]:
        """Return the question about a volley of regulars at warriors in mass; `more` holds further facts."""
        facts = {
            "ds": warrior.ds,
            "cs": regular.cs,
            "formation": "mass",
            "band": band,
            "shots": MEN,
            "men": MEN,
            **more,
        }
        return [SetPieceQuestion("volley", facts, share_down(MEN), text)]

    def blow_chances(outcome: Any) -> SetPieceAnswer:
        """Return the chances of each side in a blow between two men."""
        return SetPieceAnswer(Fraction(outcome.loser == "defender"), Fraction(outcome.loser == "attacker"))

    blow_facts = {
        "attacker_cs": warrior.cs, "defender_cs": regular.cs, "attacker_weapon": True, "defender_weapon": True,
    }  # fmt: skip
    mass_facts = {"ds": warrior.ds, "cs": regular.cs, "formation": "mass"}

    return {
        "rifles_near": volley("short", "one shot each at short range at men in mass; no immediate test"),
        "rifles_middle": volley("medium", "the same at medium range"),
        "rifles_far": volley("long", "the same at long range"),
        "rifles_cover": volley("medium", "cover of a stone wall", cv=stone_wall.cv),
        "rifles_charging": volley("short", "at men charging in closed order", formation="closed", charging=True),
        "rifles_skirmishing": volley("medium", "at men in open order", formation="open"),
        "charge_formed": [
            SetPieceQuestion(
                "close_combat", blow_facts, blow_chances, "one blow, man against man; men in reach make contact"
            )
        ],
        "charge_shaken": "panic makes men run, freeze or lie down; it does not change how they fight (FBN-163)",
        "machine_gun": [
            SetPieceQuestion(
                "machine_gun",
                {**mass_facts, "band": "medium", "men": MEN},
                share_down(MEN),
                "three salvos at medium range",
            )
        ],
        "gun": [
            SetPieceQuestion(
                "artillery_direct",
                {**mass_facts, "gun": "light_gun", "distance": 30.0},
                share_down(BLOCK),
                f"a shell at {BLOCK} men in three ranks, 30 inches away",
            )
        ],
        **dict.fromkeys(LOST, _NO_LOSS),
        "morale_half": [
            SetPieceQuestion(
                "glory",
                {"printed": warrior.gl, "gl": warrior.gl},
                _glory_answer,
                "one glory event, and the glory test at the end of the turn",
            )
        ],
    }


def _glory_answer(outcome: Any) -> SetPieceAnswer:
    """Return the answer of a set piece about glory: the unit gives way if it panics."""
    return SetPieceAnswer(gives_way=outcome.panicked)
