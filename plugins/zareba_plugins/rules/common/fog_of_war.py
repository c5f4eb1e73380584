"""Fog of war: each side sees only the enemies in sight of one of its pieces.

The rule works in all systems. An enemy is in sight if one of the side's own pieces is within `fog_of_war.sight` inches
and no terrain blocks the line of sight (`umpire.sees`); within 6 inches it is always in sight. Distances are measured
from the centre of one unit to the centre of the other. Sight is updated before each step of play.

An enemy out of sight is missing from the view of the side: the board, the log, the odds and the AI players do not know
about it. A player cannot choose it as a target while other choices are left. All enemies are out of sight until they
are first seen on the table. An enemy that is lost out of sight stays unknown.
"""

from zareba.api import Setting, StateVariable, hookimpl

RULE = "HOUSE-FOG"
CLOSE = 6.0
"""The distance in inches within which an enemy is always in sight."""
unseen = StateVariable("unseen", None, of="side", secret=True)
"""For each side: the enemy pieces that it does not see; None before the first look, when it sees no enemy. A note of
the umpire that no side can see.
"""


@hookimpl
def zareba_settings():
    """Add a setting for the sighting distance."""
    return {
        "sight": Setting(
            rule=RULE, summary="distance in inches at which an enemy is sighted", default=24, at_least=3, at_most=200
        )
    }


@hookimpl
def zareba_step(table, state, umpire, settings):
    """Note which enemies each side does not see now."""
    places = {piece: found for piece, found in umpire.pieces_on_table().items() if pieces_of(state, piece) is not None}
    for side in umpire.scenario.sides:
        own = [at for owner, at in places.values() if owner == side]
        before = unseen[table, side]
        found = enemies(state, side) if before is None else list(before)
        for piece, (owner, at) in places.items():
            if owner in ("", side):
                continue
            is_seen = in_sight(umpire, own, at, settings["sight"])
            if is_seen and piece in found:
                found.remove(piece)
            elif not is_seen and piece not in found:
                found.append(piece)
        if before is None or found != list(before):
            unseen[table, side] = tuple(found)


def enemies(state, side):
    """Return all enemy units and commanders of a side, by their ids on the board."""
    found = [name for name, unit in state.units.items() if unit.spec.side != side]
    for name, commander in getattr(state, "commanders", {}).items():
        if hasattr(commander, "spec"):
            found += [name] if commander.spec.side != side else []
        elif hasattr(commander, "side"):  # vcc stores commanders by side
            found += [f"commander {name}"] if commander.side != side else []
    return found


def in_sight(umpire, own, at, sight):
    """Return True if a piece at one of the points `own` sees the point `at`."""
    near = sorted(
        (distance, observer)
        for observer in own
        if (distance := ((observer[0] - at[0]) ** 2 + (observer[1] - at[1]) ** 2) ** 0.5) <= sight
    )
    return any(distance <= CLOSE or umpire.sees(observer, at) for distance, observer in near)


def pieces_of(state, piece):
    """Return the records that contain a piece of the board, and its key in them; None if it is no unit or commander."""
    for records in (state.units, getattr(state, "commanders", {})):
        for key in (
            piece,
            piece.removeprefix("commander "),
        ):  # on the board, a commander of vcc is called "commander SIDE"
            if key in records:
                return records, key
    return None


@hookimpl
def zareba_view(state, seat):
    """Remove the pieces that the seat does not see."""
    hidden = unseen[state, seat]
    for piece in enemies(state, seat) if hidden is None else hidden:
        found = pieces_of(state, piece)
        if found is not None:
            del found[0][found[1]]
    state.own.pop(unseen.key(seat), None)


@hookimpl
def zareba_options(state, question):
    """Remove targets that the side does not see, as long as another option is left."""
    hidden = frozenset(unseen[state, question.seat] or ())
    if not hidden:
        return None
    left = [option for option in question.options if not names_hidden_piece(option, hidden)]
    return left if left and len(left) < len(question.options) else None


def names_hidden_piece(option, hidden):
    """Return True if an option names a hidden piece, or one of its figures or guns."""
    if isinstance(option, tuple):
        return any(names_hidden_piece(part, hidden) for part in option)
    if not isinstance(option, str):
        return False
    return not hidden.isdisjoint((option, option.rpartition(".")[0], option.partition(" gun ")[0]))
