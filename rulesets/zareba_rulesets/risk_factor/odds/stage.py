"""A small table for the odds with units on open ground in the turn of side red, and the set pieces of all rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.state import blank
from zareba.odds import Procedures
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged, drives_back
from zareba.rules import Rules
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import Battle, Unit, UnitSpec
from zareba_rulesets.risk_factor.ground import Field as Battlefield

# --- Units on open ground, and the types that facts use (RSK-045) -----------------------------------------------------


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


# --- The set pieces that all rulesets share: with figures as men, and riflemen under command --------------------------


GAP = 28.0
"""The distance of a charge in cm."""
BACK = frozenset({"retreat", "rout"})


def set_pieces(rules: Rules) -> Staged:
    """Return the questions that answer each set piece under these rules."""
    book = RskBook(rules)
    bayonet, spear = book.factor("rifle", True), book.factor("spear", False)

    def loss_share(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.killed, MEN))

    def fire(band: str, description: str, **more: Any) -> list[SetPieceQuestion]:
        return [
            SetPieceQuestion("volley", {"shooters": MEN, "band": band, "unhurt": MEN, **more}, loss_share, description)
        ]

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {"attackers": MEN, "defenders": MEN, "attackers_factor": spear, "defenders_factor": bayonet, **more}

        def round_(outcome: Any) -> SetPieceAnswer:
            loss, own_loss = Fraction(outcome.defenders_killed, MEN), Fraction(outcome.attackers_killed, MEN)
            return SetPieceAnswer(loss, own_loss, outcome.back in ("defenders", "both"))

        def reaches(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(home=outcome.contact)

        contact_facts = {"in_range": True, "advancing": True, "distance": GAP, "allowance": book.moves["foot"]}
        return [
            SetPieceQuestion("melee", facts, round_, description),
            SetPieceQuestion(
                "charge_contact",
                contact_facts,
                reaches,
                f"advancing natives {GAP:g} cm away, within range and without orders",
            ),
        ]

    def morale(tenths: int) -> list[SetPieceQuestion]:
        facts = {"casualties": tenths, "in_range": True, "table": "melee"}
        return [
            SetPieceQuestion("action", facts, drives_back(BACK), f"{tenths} tenths lost, within range of the enemy")
        ]

    support = rules.settings["extensions.support_weapons"] == "on"
    return {
        "rifles_near": fire(
            "short", "a commanded volley at short range; the wounded stay, and morale is tested next turn"
        ),
        "rifles_middle": fire("medium", "the same at medium range"),
        "rifles_far": fire("long", "the same at long range"),
        "rifles_cover": fire("medium", "hard cover", cover="hard"),
        "rifles_charging": "attackers are shot at like any other target (RSK-086)",
        "rifles_skirmishing": "no formation makes a group harder to hit (RSK-086)",
        "charge_formed": charge("a round of melee; only the killed are counted"),
        "charge_shaken": charge("against routers, who throw no dice", defenders_routing=True),
        "machine_gun": fire("medium", "with the setting extensions.support_weapons", weapon="machine_gun")
        if support
        else "machine guns are in these rules only with the setting extensions.support_weapons (RSK-008)",
        "gun": "guns are in these rules only with the setting extensions.support_weapons (RSK-008)"
        if not support
        else "no odds are available for the blast of a gun (RSK-008)",
        **{piece: morale(int(10 * share)) for piece, share in LOST.items()},
    }
