"""Draw the battlefield as a board."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from zareba.base.exact import hypot
from zareba.base.grammar import amount
from zareba.battle.carried_objects import objects_on_ground
from zareba.presentation.board import Appearance, Board, BoardCell, BoardFigure, BoardOpening, BoardPiece, arrow
from zareba.scenario import Scenario
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.presentation.words import STATES, unit_state, words
from zareba_rulesets.fixed_baynet.translation import Plan

_FAR = 12.0  # inches: a man this far from the middle of his unit is drawn separately


def ground_cells(book: FbnBook, field: Field) -> tuple[BoardCell, ...]:
    """Return every square inch that is not open ground. The result is the same all game."""
    kinds, marks = {id(row): name for name, row in book.terrain.items()}, words().tables["marks"]
    cells = []
    for y in range(ceil(field.depth)):
        for x in range(ceil(field.width)):
            middle = (x + 0.5, y + 0.5)
            pieces = field.areas_at(middle)
            pieces += [piece for piece in field.pieces if not piece.is_area and piece.distance(middle) <= 0.5]
            level = round(field.height(middle))
            if pieces or level:
                mark = next((marks.get(kinds[id(piece.ground)], "#") for piece in pieces), "")
                text = ", ".join(dict.fromkeys(piece.ground.title for piece in pieces))
                cells.append(BoardCell(x, y, mark, text, level))
    return tuple(cells)


def draw_board(battle: Battle, scenario: Scenario, headline: str, ground: tuple[BoardCell, ...] = ()) -> Board:
    """Return the board: the ground, units, guns, stray men and objects on the ground."""
    field = battle.field
    not_set_up = units_to_set_up(battle)
    pieces = [piece for unit in battle.on_table() if unit.spec.id not in not_set_up for piece in _unit_pieces(unit)]
    pieces += objects_on_ground(battle.carried_objects, scenario, lambda carried_object: carried_object.at)
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    width, depth = ceil(field.width), ceil(field.depth)
    return Board("free", width, depth, "inches", headline, ground, tuple(pieces), sides, openings=_openings(battle))


def _openings(battle: Battle) -> tuple[BoardOpening, ...]:
    """Return the ground-floor doors and windows of standing buildings (FBN-245, FBN-250)."""
    return tuple(
        BoardOpening(*opening.at, "door" if opening.kind == "door" else "window", key in battle.houses[name].open_doors)
        for name, house in battle.field.buildings.items()
        for key, opening in house.openings.items()
        if opening.kind in ("door", "window")
        and not opening.other
        and opening.level == 0
        and battle.houses[name].points > 0
    )


def _unit_pieces(unit: Unit) -> list[BoardPiece]:
    """Return a counter at the middle of a unit, one for each man far from it, and its guns.

    Moves are measured from the middle. The counter looks like the man nearest to the middle.
    """
    (x, y), side = unit.middle, unit.spec.side

    def away(figure: Figure) -> float:
        return hypot(figure.x - x, figure.y - y)

    text = f"{unit.spec.name} ({unit_state(unit)})"
    nearest = min(unit.figures.values(), key=away)
    found = [BoardPiece(unit.spec.id, side, _symbol(nearest), text, x, y, _look(unit, nearest))]
    for figure in unit.figures.values():
        if away(figure) > _FAR:
            text = f"{figure.spec.name} of {unit.spec.name}, detached"
            look = Appearance(unit=unit.spec.id, name=figure.spec.name)
            found.append(BoardPiece(figure.spec.id, side, _symbol(figure), text, figure.x, figure.y, look))
    for number, gun in enumerate(unit.guns):
        if gun.wounds > 0:
            text = f"{gun.kind.replace('_', ' ')} of {unit.spec.name}, {amount(gun.wounds, 'wound')} left"
            look = Appearance("gun", unit.spec.id, gun.kind.replace("_", " "), facing=gun.bearing)
            found.append(
                BoardPiece(_gun_id(unit.spec.id, number), side, "A" + arrow(gun.bearing), text, gun.x, gun.y, look)
            )
    return found


def _look(unit: Unit, nearest: Figure) -> Appearance:
    """Return the appearance of a unit: its men in their places, formation and states."""
    men = tuple(
        BoardFigure(figure.x, figure.y, figure.facing, "lying" if figure.prone else "")
        for figure in unit.figures.values()
    )
    kind = "horse" if nearest.mounted else "leader" if len(men) == 1 and nearest.spec.leads else "foot"
    reactions = {figure.reaction.replace("_", " "): None for figure in unit.figures.values() if figure.reaction}
    return Appearance(
        kind,  # type: ignore[arg-type]  # mypy does not narrow a conditional to the words of Kind
        name=unit.spec.name,
        strength=len(men),
        facing=nearest.facing,
        formation=FORMATION_NAMES[unit.shape] if len(men) > 1 else "",
        states=(*reactions, *(state for state in STATES if state in unit.marks)),
        men=men,
    )


def units_to_set_up(battle: Battle) -> list[str]:
    """Return the units not yet set up. Their places are reserved, but they are in no unit's way (FBN-011)."""
    if battle.phase != "deployment":
        return []
    return [key for key, unit in battle.units.items() if key in battle.waiting or unit.box[0] < 0]


def pieces_by_side(battle: Battle, plan: Plan, seats: Sequence[str]) -> dict[str, list[str]]:
    """Return all pieces that may be on the board: units, guns, stray men, hidden units, units formed in play."""
    pieces: dict[str, list[str]] = {}
    for side in seats:
        squads = {key: squad for key, squad in plan.squads.items() if squad.spec.side == side}
        openly, hidden = (
            [key for key in squads if not squads[key].hidden],
            [key for key in squads if squads[key].hidden],
        )
        pieces[side] = []
        for keys in (openly, hidden):
            pieces[side] += keys
            pieces[side] += [_gun_id(key, number) for key in keys for number in range(len(squads[key].guns))]
            pieces[side] += [man.id for key in keys for man in squads[key].men]
        pieces[side] += [key for key, unit in battle.units.items() if key not in plan.squads and unit.spec.side == side]
    return pieces


def _gun_id(unit: str, number: int) -> str:
    """Return the id of a gun on the board."""
    return f"{unit} gun {number + 1}"


def _symbol(figure: Figure) -> str:
    """Return the character of a man on the text board, with an arrow for his facing."""
    letter = "C" if figure.mounted else "★" if figure.spec.leads else "i"
    return "_" if figure.prone else letter + arrow(figure.facing)
