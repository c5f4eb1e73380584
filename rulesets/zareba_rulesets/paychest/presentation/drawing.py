"""Turns the state of a battle into the board that players see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from zareba.presentation.board import (
    Appearance,
    Board,
    BoardCell,
    BoardFigure,
    BoardPiece,
    Condition,
    Kind,
    split_hidden,
)
from zareba.scenario import Scenario
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.ground import Field
from zareba_rulesets.paychest.presentation.words import figure_line, unit_states, words
from zareba_rulesets.paychest.translation import Plan

SYMBOLS = {"": "•", "horse": "h", "camel": "c", "pack": "p"}
_ENGINES = {"gun": "A", "machine_gun": "M", "wagon": "W", "carriage": "W", "tractor": "T", "flyer": "F"}
_MOUNTS: Mapping[str, Kind] = {"": "foot", "horse": "horse", "camel": "camel", "pack": "wagon"}
KINDS: Mapping[str, Kind] = {
    "gun": "gun", "machine_gun": "machine_gun", "wagon": "wagon", "carriage": "wagon", "tractor": "vehicle",
    "flyer": "flyer",
}  # fmt: skip


def ground_cells(book: PaychestBook, field: Field) -> tuple[BoardCell, ...]:
    """Return the terrain other than open ground as cells of one inch. It is the same all game."""
    width, depth = field.table.extent
    kinds, signs = {id(ground): name for name, ground in book.file.terrain.items()}, words().tables["marks"]
    cells = []
    for y in range(int(depth)):
        for x in range(int(width)):
            grounds = [field.areas[name].ground for name in field.table.areas_at((x + 0.5, y + 0.5))]
            marks = [mark for ground in grounds if (mark := signs.get(kinds[id(ground)], ""))]
            if grounds:
                titles = dict.fromkeys(ground.title for ground in grounds)
                cells.append(BoardCell(x, y, marks[-1] if marks else "", ", ".join(titles)))
    return tuple(cells)


def draw_board(battle: Battle, scenario: Scenario, headline: str, ground: tuple[BoardCell, ...] = ()) -> Board:
    """Return the board with terrain, figures, guns and things on the table."""
    width, depth = battle.field.table.extent
    pieces = []
    for unit in battle.units.values():
        strength, states = len(unit.able), tuple(unit_states(unit))
        for key, figure in unit.figures.items():
            if figure.at is None or figure.aboard:
                continue
            symbol = "+" if figure.fate != "able" else "★" if battle.is_leader(figure) else SYMBOLS[figure.mount]
            condition: Condition = "out" if figure.fate != "able" else "lying" if "down" in figure.marks else ""
            leads = battle.is_leader(figure) and not figure.mount
            look = Appearance(
                "leader" if leads else _MOUNTS[figure.mount],
                unit.spec.id,
                unit.spec.name,
                strength=strength,
                states=states,
                men=(BoardFigure(*figure.at, condition=condition),),
            )
            pieces.append(BoardPiece(key, unit.spec.side, symbol, figure_line(battle, figure), *figure.at, look))
    for key, engine in battle.engines.items():
        if engine.at is not None:
            look = _look_of_engine(battle, key, engine)
            pieces.append(BoardPiece(key, engine.side, _ENGINES[engine.kind], engine.name, *engine.at, look))
    for key, thing in battle.things.items():
        if thing.at is not None:
            name = thing.name.replace("_", " ")
            symbol, look = "◆" if thing.kind != "weapon" else "'", Appearance("thing", name=name)
            pieces.append(BoardPiece(key, "", symbol, name, *thing.at, look))
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    return Board("free", ceil(width), ceil(depth), "inches", headline, ground, tuple(pieces), sides)


def _look_of_engine(battle: Battle, key: str, engine: Engine) -> Appearance:
    """Return how a gun, a conveyance or a flyer looks. If its whole unit is aboard, it has the tag of that unit."""
    unit = battle.units.get(engine.unit)
    crew = [man for man in unit.figures.values() if man.at is not None] if unit is not None else []
    if unit is None or not crew or any(man.aboard != key for man in crew):
        return Appearance(KINDS[engine.kind], name=engine.name)
    states = tuple(unit_states(unit))
    return Appearance(KINDS[engine.kind], unit.spec.id, unit.spec.name, strength=len(unit.able), states=states)


def pieces_by_side(plan: Plan, seats: Sequence[str], scenario: Scenario) -> dict[str, list[str]]:
    """Return all pieces that may be on the board, by side: the figures of every unit, then guns, conveyances and
    flyers.

    Those of the units that the scenario hides come last.
    """
    pieces: dict[str, list[str]] = {side: [] for side in seats}

    def begins_hidden(unit: str) -> bool:
        source = plan.sources.get(unit, unit)
        leader = scenario.leaders.get(source)
        host = scenario.units.get((leader.unit if leader is not None else source) or "")
        return host is not None and host.hidden

    openly, hidden = split_hidden(plan.units, begins_hidden)
    for units in (openly, hidden):
        for unit in units:
            pieces[plan.units[unit].side] += plan.units[unit].figures
        for key, engine in plan.engines.items():
            if engine.side in pieces and (engine.unit in hidden) is (units is hidden):
                pieces[engine.side].append(key)
    return pieces
