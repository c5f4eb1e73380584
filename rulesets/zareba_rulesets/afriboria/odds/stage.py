"""Small made-up situations: the words of facts, and a bare field for a handful of pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from zareba.chance import Deck
from zareba.space import Edge, HexGrid
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.field import Field, StructureSpec
from zareba_rulesets.afriboria.pieces import Commander, Flier, Side, Structure, Unit, UnitSpec
from zareba_rulesets.afriboria.roster import Roster

__all__ = ["StructureKey", "TerrainKey", "UnitKey", "bare_battle", "unit_of"]

UnitKey = Literal[
    "inf_a", "inf_b", "inf_c", "civ_n", "pack", "cav_a", "cav_b", "cav_c", "cav_a_foot", "cav_b_foot", "cav_c_foot",
    "art_field", "art_horse", "art_heavy", "mg_foot", "mg_horse", "aa_gun", "rocket", "vehicle", "vehicle_mg", "vehicle_gun",
]  # fmt: skip
TerrainKey = Literal[
    "open", "wood", "orchard", "hill", "building", "river", "ford", "marsh", "depression", "debris", "sandbags", "barbed_wire",
    "bridge", "field", "rough", "fence", "fieldwork",
]  # fmt: skip
StructureKey = Literal["wood", "adobe", "stone", "stone_fort"]

QUOTA = 1000
HOMES: Mapping[str, Edge] = {"red": "south", "blue": "north"}


def unit_of(
    book: AfrBook,
    name: str,
    side: str,
    key: str,
    cell: int,
    figures: int | None = None,
    *,
    colour: str = "red",
    missile: bool = True,
    firearms: int | None = None,
    lancers: bool = False,
    ladders: bool = False,
    points: int = 1,
) -> Unit:
    """A unit of a kind in a hex, by default at full strength and armed; cavalry in the saddle."""
    profile = book.profiles[key]
    men = profile.figures if figures is None else figures
    armed = men if firearms is None else firearms
    spec = UnitSpec(
        id=name,
        name=name,
        side=side,
        key=key,
        profile=profile,
        colour=colour,
        figures=max(men, profile.figures),
        firearms=armed,
        missile=missile,
        foot=book.profiles[profile.on_foot] if profile.on_foot else None,
        lancers=lancers,
        points=points,
        source=name,
    )
    return Unit(cell, men, armed, bool(profile.on_foot), ladders=ladders, spec=spec)


def bare_battle(
    book: AfrBook,
    units: Sequence[Unit] = (),
    commanders: Sequence[Commander] = (),
    fliers: Sequence[Flier] = (),
    *,
    size: tuple[int, int] = (9, 11),
    terrain: Mapping[int, Sequence[str]] | None = None,
    structures: Mapping[int, StructureSpec] | None = None,
    bases: Mapping[str, tuple[int, ...]] | None = None,
    hilltops: frozenset[int] = frozenset(),
    homes: Mapping[str, Edge] = HOMES,
    active: str = "red",
) -> Battle:
    """A plain with the pieces of a situation, in the stage of battles of the first player turn of `active`."""
    grid = HexGrid(*size)
    kinds = [list((terrain or {}).get(cell, ())) for cell in range(grid.size)]
    field = Field(book, grid, kinds, homes, hilltops, structures, bases)
    battle = Battle(
        turn=1,
        active=active,
        stage="battles",
        tick=0,
        over=False,
        ending="",
        winner="",
        sides={side: Side([], False, 0, QUOTA) for side in homes},
        units={unit.spec.id: unit for unit in units},
        commanders={chief.spec.id: chief for chief in commanders},
        fliers={flier.spec.id: flier for flier in fliers},
        companies={},
        structures={cell: Structure(spec.value) for cell, spec in field.structures.items()},
        deck=Deck({}, {}),
        event_deck=Deck({}, {}),
        prizes={},
        book=book,
        field=field,
        roster=Roster(
            homes,
            {unit.spec.id: unit.spec for unit in units},
            {chief.spec.id: chief.spec for chief in commanders},
        ),
    )
    for unit in units:
        cell, unit.hex = unit.hex, -1
        battle.move(unit, cell)
    for chief in commanders:
        cell, chief.hex = chief.hex, -1
        battle.place(chief, cell)
    return battle
