"""The reasons why a hex or a unit is not an option. A player sees them by pointing at it."""

from __future__ import annotations

from zareba.base.grammar import amount, in_a_sentence, join_with_and, with_unit
from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.combat import dice_of, may_strike
from zareba_rulesets.afriboria.chapters.movement import allowance
from zareba_rulesets.afriboria.chapters.orders import colours_left
from zareba_rulesets.afriboria.chapters.sight import sight_blockers
from zareba_rulesets.afriboria.forces.battle import Battle, commander_allowance, may_enter, reach_of, reachable
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

_FAR = 12
"""The number of hexes up to which the length of a move out of reach is computed."""
_PLACING = ("deploy in", "arrive in")


def why_not_hex(battle: Battle, question: Choose, cell: int) -> str:
    """Return why a hex is not an option of a question, in one sentence."""
    label = battle.field.grid.label(cell)
    unit, chief = battle.units.get(question.actor), battle.commanders.get(question.actor)
    mover = unit or chief
    if mover is None:
        return f"{label} cannot be chosen now ({question.rule})."
    name = mover.spec.name
    if cell == mover.hex:
        return f"{name} is in {label} already."
    if question.why in _PLACING:
        if len(battle.here.get(cell, ())) >= battle.book.room:
            return f"{label} has no room for {name} (AFR-081)."
        return f"{name} cannot start in {label}: it is outside the area for this unit ({question.rule})."
    if question.why == "move" and unit is not None:
        return _why_not_entered(battle, unit, cell)
    if question.why == "commander to" and chief is not None:
        return _why_not_joined(battle, chief, cell)
    if question.why == "battle against" and unit is not None:
        return _why_not_attacked(battle, unit, cell)
    return f"{name} cannot go to {label} now ({question.rule})."


def _why_not_entered(battle: Battle, unit: Unit, cell: int) -> str:
    """Return why a unit cannot move to a hex (AFR-078 to AFR-098)."""
    name, label, side = unit.spec.name, battle.field.grid.label(cell), unit.spec.side
    names = [battle.units[unit].spec.name for unit in battle.here.get(cell, ())]
    if battle.held_by_enemy(cell, side):
        who = join_with_and(names) or "an enemy"
        return f"{name} cannot enter {label}: {who} {'are' if len(names) > 1 else 'is'} there (AFR-081). Battle follows after the moves."
    ground = battle.ground(cell)
    kinds = (
        join_with_and([battle.book.file.terrain[kind].title for kind in ground.kinds]) if ground.kinds else "the ground"
    )
    if ground.closed:
        return f"{name} cannot enter {label}: {in_a_sentence(kinds)} is closed to all troops (AFR-134)."
    if ground.infantry_only and not unit.profile.walks:
        return f"{name} cannot enter {label}: only foot can enter {in_a_sentence(kinds)} (AFR-134)."
    if battle.structures and not may_enter(
        battle, cell, side, unit.profile.walks, unit.hex, climbs=unit.profile.climbs
    ):
        return f"{name} cannot enter {label}: the wall is shut, and no ladder stands against it (AFR-328)."
    if len(names) >= battle.book.room:
        return f"{label} has no room for {name}: {join_with_and(names)} {'are' if len(names) > 1 else 'is'} there (AFR-081)."
    limit = allowance(battle, unit) - unit.moved
    if limit <= 0:
        return f"{name} may not move now (AFR-078)."
    steps = _steps(battle, unit, cell)
    if steps is None:
        return f"{name} finds no way to {label}: enemies, full hexes or closed ground are in between (AFR-081)."
    if steps > limit:
        return f"{label} is too far: {with_unit(steps, 'hexes')} by the shortest way, and {name} may move {limit} (AFR-078)."
    if "along" in unit.marks:
        return f"{name} moves with its NCO and must end next to him (AFR-103)."
    if unit.company:
        return f"{name} must stay in the zone of its company, and {label} is outside it (AFR-116)."
    return f"{name} cannot end its move in {label} now (AFR-078)."


def _steps(battle: Battle, unit: Unit, cell: int) -> int | None:
    """Return the fewest hexes of a move to a hex if the unit could move far; None if there is no way."""
    profile = unit.profile
    found = reachable(
        battle, unit.hex, _FAR, unit.spec.side, profile.walks, room=battle.book.room, climbs=profile.climbs, guided=True
    )
    return found.get(cell)


def _why_not_joined(battle: Battle, chief: Commander, cell: int) -> str:
    """Return why a commander cannot go to a hex (AFR-040)."""
    name, label = chief.spec.name, battle.field.grid.label(cell)
    if battle.held_by_enemy(cell, chief.spec.side):
        return f"{name} cannot enter {label}: an enemy is there (AFR-095)."
    if cell in battle.chiefs:
        return f"{label} has a commander already (AFR-096)."
    limit, apart = commander_allowance(battle, chief), battle.field.distance[chief.hex][cell]
    if apart > limit:
        return f"{label} is too far: {with_unit(apart, 'hexes')}, and {name} may move {limit} (AFR-040)."
    return f"{name} finds no way to {label} within {with_unit(limit, 'hexes')} (AFR-040)."


def why_not_unit(battle: Battle, question: Choose, other: Unit | Commander) -> str:
    """Return why a unit or commander is not an option of a question, in one sentence."""
    name = other.spec.name
    unit = battle.units.get(question.actor)
    if other.spec.side == question.seat:
        return _why_not_own(battle, question, other)
    if question.why == "battle against" and unit is not None and other.hex != OFF:
        return _why_not_attacked(battle, unit, other.hex)
    if question.why == "move" and unit is not None and other.hex != OFF:
        return _why_not_entered(battle, unit, other.hex)
    if question.why in ("order", "move with", "battle with"):
        return f"{name} is an enemy; first choose a unit of your own ({question.rule})."
    return f"{name} cannot be chosen now ({question.rule})."


def _why_not_own(battle: Battle, question: Choose, piece: Unit | Commander) -> str:
    """Return why a piece of the player's own is not an option."""
    name, marks = piece.spec.name, piece.marks
    if piece.spec.id == question.actor:
        return f"{name} is the unit that you are asked about."
    if question.why == "order" and battle.card:
        card = battle.book.cards[battle.card]
        if "ordered" in marks:
            return f"{name} has an order already (AFR-063)."
        left = colours_left(battle.slots)
        if isinstance(piece, Unit) and left and "any" not in left and piece.spec.colour not in left:
            return f"The card '{card.title}' has orders for {join_with_and(left)} units left, and {name} is {piece.spec.colour} (AFR-041)."
        if card.who:
            return f"The card '{card.title}' cannot order {name}: {card.text or card.who} (AFR-062)."
        return f"{name} cannot be ordered now: units outside the zone of their company come first (AFR-118)."
    if question.why == "move with":
        if "moved" in marks:
            return f"{name} has moved already (AFR-079)."
        return (
            f"{name} has no order to move (AFR-062)."
            if "ordered" not in marks
            else f"{name} cannot move now (AFR-078)."
        )
    if question.why == "battle with" and isinstance(piece, Unit):
        return _why_no_battle(battle, piece)
    return f"{name} cannot be chosen now ({question.rule})."


def _why_no_battle(battle: Battle, unit: Unit) -> str:
    """Return why a unit may not battle in this stage (AFR-162)."""
    name, marks = unit.spec.name, unit.marks
    if "done" in marks:
        return f"{name} has battled already (AFR-162)."
    if not marks & {"battle", "company"}:
        return f"{name} has no order to battle (AFR-062)."
    if "no_battle" in marks:
        return f"{name} may not battle on the ground that it entered (AFR-147)."
    if unit.moved > unit.profile.battle_move:
        return f"{name} moved {with_unit(unit.moved, 'hexes')} and may battle after {unit.profile.battle_move} at most (AFR-078)."
    return f"{name} has no target in range and sight (AFR-152)."


def _why_not_attacked(battle: Battle, unit: Unit, cell: int) -> str:
    """Return why a unit may not battle the troops in a hex (AFR-152 to AFR-170)."""
    name, label = unit.spec.name, battle.field.grid.label(cell)
    if not battle.held_by_enemy(cell, unit.spec.side):
        return f"No enemy is in {label} (AFR-170)."
    origin = min(unit.hexes, key=lambda place: battle.field.distance[place][cell])
    apart, reach = battle.field.distance[origin][cell], reach_of(battle, unit)
    if apart > reach:
        return f"{label} is out of range: {amount(apart, 'hex', 'hexes')} away, and the dice of {name} reach {reach} (AFR-152)."
    if not may_strike(battle, unit, origin, cell):
        hidden_by = (
            [_name_or_word(battle, obstacle) for obstacle in sight_blockers(battle, origin, cell)] if apart > 1 else []
        )
        if hidden_by:
            return f"{name} cannot see {label}: {join_with_and(hidden_by)} blocks the line of sight (AFR-155)."
        return f"The ground of {label}, or an event in force, protects the troops there from {name} (AFR-134)."
    if dice_of(battle, unit, origin, cell) <= 0:
        return f"{name} has no dice left against {label}: range and ground take them all (AFR-182)."
    return f"The troops in {label} have fought already, or other troops cover them (AFR-168)."


def _name_or_word(battle: Battle, word: str) -> str:
    """Return the name of a piece; other words unchanged."""
    piece = battle.units.get(word) or battle.commanders.get(word)
    return piece.spec.name if piece is not None else word
