"""The table drawn as a board: terrain, each unit as one counter, markers and objects."""

from __future__ import annotations

from zareba.base.grammar import amount, in_a_sentence
from zareba.battle.carried_objects import objects_on_ground
from zareba.presentation.board import Appearance, Board, BoardCell, BoardFigure, BoardPiece, Kind, arrow
from zareba.scenario import Scenario
from zareba_rulesets.risk_factor.chapters.setting_up import marker_name
from zareba_rulesets.risk_factor.forces import Battle, Unit
from zareba_rulesets.risk_factor.ground import Field
from zareba_rulesets.risk_factor.presentation.words import unit_line, words
from zareba_rulesets.risk_factor.translation import Plan

_STEP = 5  # cm between the points at which the ground is sampled


def ground_cells(field: Field) -> tuple[BoardCell, ...]:
    """Return the terrain sampled every 5 cm, and the points of lines."""
    symbols = words().tables["marks"]
    cells: dict[tuple[int, int], BoardCell] = {}
    for x in range(_STEP // 2, int(field.width), _STEP):
        for y in range(_STEP // 2, int(field.depth), _STEP):
            for name in field.table.areas_at((x, y)):
                ground = field.pieces[name].ground
                level = 1 if field.pieces[name].crest else 0
                symbol, title = symbols.get(ground.title, ""), ground.title
                if level and not symbol:
                    symbol, title = "∩", "hill"
                cells[x, y] = BoardCell(x, y, symbol, title, level)
    for piece in field.pieces.values():
        if not piece.is_area:
            for px, py in piece.points:
                cells[int(px), int(py)] = BoardCell(int(px), int(py), "#", piece.ground.title)
    return tuple(cells.values())


def draw_board(battle: Battle, scenario: Scenario, headline: str, ground: tuple[BoardCell, ...] = ()) -> Board:
    """Return the board: the ground, every unit with the number of its figures, prisoners, markers and objects."""
    field = battle.field
    pieces = [_counter(battle, unit) for unit in battle.units.values() if unit.is_on_table]
    for captives in battle.captives:
        middle = captives.body.centre
        text = f"{amount(captives.count, 'prisoner')} of {battle.units[captives.unit].spec.name}"
        men = tuple(BoardFigure(x, y) for x, y in captives.body.at)
        look = Appearance(name="prisoners", strength=captives.count, men=men, base=captives.body.radius)
        pieces.append(BoardPiece(_prisoners(captives.unit), captives.side, "ø", text, *middle, look))
    for name, marker in battle.markers.items():
        title = marker_title(name, scenario)
        pieces.append(BoardPiece(name, marker.side, "?", title, *marker.at, Appearance("marker", name=title)))
    pieces += objects_on_ground(battle.carried_objects, scenario, lambda carried_object: carried_object.at)
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    return Board(
        "free",
        int(field.width),
        int(field.depth),
        "cm",
        headline,
        ground,
        tuple(pieces),
        sides,
        inches=1 / battle.book.settings.scenario_cm_per_inch,
    )


def _counter(battle: Battle, unit: Unit) -> BoardPiece:
    """Return the counter of a unit on the board."""
    x, y = unit.body.centre
    symbol = "★" if unit.spec.leader else f"{unit.count}{arrow(unit.facing)}"
    return BoardPiece(unit.spec.id, unit.spec.side, symbol, unit_line(battle, unit), x, y, _appearance_of(unit))


def _appearance_of(unit: Unit) -> Appearance:
    """Return the appearance of a unit: its figures on their bases with the wounded marked, its action and its
    status.
    """
    spec = unit.spec
    men = tuple(
        BoardFigure(x, y, unit.facing, "wounded" if wounded else "")
        for (x, y), wounded in zip(unit.body.at, unit.hurt, strict=True)
    )
    # A unit that routs or retreats does nothing else.
    states = [unit.status] if unit.status != "steady" else [unit.action] if unit.action != "halt" else []
    states += ["commanded"] if unit.marks & {"commanded", "linked"} else []
    kind: Kind = "leader" if spec.leader and not spec.mounted else "horse" if spec.mounted else "foot"
    return Appearance(kind, "", spec.name, unit.count, unit.facing, "", tuple(states), men, unit.body.radius)


def possible_markers(plan: Plan, scenario: Scenario, side: str) -> list[str]:
    """Return the names of markers that a side may use (RSK-187).

    There are always more than needed, so that neither the number of markers nor their contents can be inferred.
    """
    hidden = [name for members in plan.hidden.values() for name in members if plan.specs[name].side == side]
    forces = scenario.hidden.get(side)
    most = 2 * len(hidden) + (forces.dummies or 0 if forces is not None else 0)
    return [marker_name(side, number) for number in range(1, most + 1)]


def marker_title(name: str, scenario: Scenario) -> str:
    """Return a marker's name for players: "marker 2 of the tribes"."""
    side, _, number = name.partition(" marker ")
    return f"marker {int(number)} of {in_a_sentence(scenario.sides[side].name)}"


def pieces_by_side(plan: Plan, scenario: Scenario) -> dict[str, list[str]]:
    """Return all pieces that may be on the board: units, markers, prisoners from the other side, and last the units
    that may hide (RSK-187).

    The names of markers are those of `possible_markers`.
    """
    hidden = {name for members in plan.hidden.values() for name in members}
    found: dict[str, list[str]] = {}
    for side in scenario.sides:
        own = [name for name, spec in plan.specs.items() if spec.side == side]
        others = [name for name, spec in plan.specs.items() if spec.side != side]
        secret_others = [name for name in others if name in hidden]
        secret = [name for name in own if name in hidden]
        found[side] = [name for name in own if name not in hidden]
        found[side] += [_prisoners(name) for name in others if name not in hidden]
        found[side] += possible_markers(plan, scenario, side)
        found[side] += [_prisoners(name) for name in secret_others]
        found[side] += secret
    return found


def _prisoners(unit: str) -> str:
    """Return the id of a unit's prisoners on the board."""
    return f"prisoners {unit}"
