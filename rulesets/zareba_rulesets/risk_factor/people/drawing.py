"""The table as a board to be drawn: terrain by its middle, every unit as one counter, markers and objects."""

from __future__ import annotations

from zareba.base.amounts import amount
from zareba.battle.prizes import lying
from zareba.people.board import Board, Cell, Kind, Look, Man, Piece, arrow
from zareba.scenario import Scenario
from zareba_rulesets.risk_factor.chapters.setting_up.hidden import marker_name
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.people.words import unit_line, words
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["draw_board", "pieces_by_side"]

STEP = 5


def draw_board(battle: Battle, scenario: Scenario, headline: str) -> Board:
    """Terrain sampled every 5 cm, lines along their length; units with the number of their figures."""
    field, marks = battle.field, words().tables["marks"]
    cells: dict[tuple[int, int], Cell] = {}
    for x in range(STEP // 2, int(field.width), STEP):
        for y in range(STEP // 2, int(field.depth), STEP):
            for name in field.table.areas_at((x, y)):
                ground = field.pieces[name].ground
                level = 1 if field.pieces[name].crest else 0
                cells[x, y] = Cell(x, y, marks.get(ground.title, "∩" if level else ""), ground.title, level)
    for piece in field.pieces.values():
        if not piece.is_area:
            for px, py in piece.points:
                cells[int(px), int(py)] = Cell(int(px), int(py), "#", piece.ground.title)
    pieces = [_counter(battle, unit) for unit in battle.units.values() if unit.hurt]
    for captives in battle.captives:
        middle = captives.body.centre
        text = f"{amount(captives.count, 'prisoner')} of {battle.units[captives.unit].spec.name}"
        men = tuple(Man(x, y) for x, y in captives.body.at)
        look = Look(name="prisoners", strength=captives.count, men=men, base=captives.body.radius)
        pieces.append(Piece(_prisoners(captives.unit), captives.side, "ø", text, *middle, look))
    for name, marker in battle.markers.items():
        pieces.append(Piece(name, marker.side, "?", name, *marker.at, Look("marker", name=name)))
    pieces += lying(battle.prizes, scenario, lambda prize: prize.at)
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    found = tuple(cells.values()), tuple(pieces), sides
    return Board(
        "free",
        int(field.width),
        int(field.depth),
        "cm",
        headline,
        *found,
        inches=1 / battle.book.settings.scenario_cm_per_inch,
    )


def _counter(battle: Battle, unit: Unit) -> Piece:
    x, y = unit.body.centre
    symbol = "★" if unit.spec.leader else f"{unit.count}{arrow(unit.facing)}"
    return Piece(unit.spec.id, unit.spec.side, symbol, unit_line(battle, unit), x, y, _look(unit))


def _look(unit: Unit) -> Look:
    """The figures of a unit on their bases, the wounded among them, what it does and how it is."""
    spec = unit.spec
    men = tuple(Man(x, y, unit.facing, hurt) for (x, y), hurt in zip(unit.body.at, unit.hurt, strict=True))
    states = [unit.status] if unit.status != "steady" else []
    states += [unit.action] if unit.action != "halt" else []
    states += ["commanded"] if unit.marks & {"commanded", "linked"} else []
    kind: Kind = "leader" if spec.leader and not spec.mounted else "horse" if spec.mounted else "foot"
    return Look(kind, "", spec.name, unit.count, unit.facing, "", tuple(states), men, unit.body.radius)


def pieces_by_side(plan: Plan, scenario: Scenario) -> dict[str, list[str]]:
    """All pieces that may be on the board: units, prisoners of the other side, markers, at last who may hide (RSK-187).

    Numbers enough for any markers: how many there are, and for whom they stand, is not to be read from a number.
    """
    hidden = {name for members in plan.hidden.values() for name in members}
    found: dict[str, list[str]] = {}
    for side in scenario.sides:
        own = [name for name, spec in plan.specs.items() if spec.side == side]
        others = [name for name, spec in plan.specs.items() if spec.side != side]
        secret_others = [name for name in others if name in hidden]
        secret = [name for name in own if name in hidden]
        forces = scenario.hidden.get(side)
        markers = 2 * len(secret) + (forces.dummies or 0 if forces is not None else 0)
        found[side] = [name for name in own if name not in hidden]
        found[side] += [_prisoners(name) for name in others if name not in hidden]
        found[side] += [marker_name(side, number) for number in range(1, markers + 1)]
        found[side] += [_prisoners(name) for name in secret_others]
        found[side] += secret
    return found


def _prisoners(unit: str) -> str:
    return f"prisoners {unit}"
