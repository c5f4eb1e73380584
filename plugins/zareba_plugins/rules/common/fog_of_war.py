"""Fog of war: each side sees only the enemies that one of its own pieces has in sight.

For all systems at once. An enemy is in sight when one of the side's own pieces is no more than `fog_of_war.sight` inches away
and no ground hides him (`umpire.sees`); within 6 inches he is always in sight. Distances run from the middle of a unit to that
of another. Sight is looked up before each step of play. Who is not in sight is missing from what the side sees: the board, the odds and the AI players know nothing of him. Nobody may choose
such a piece as a target while he has another choice. Units that have not arrived yet are told as the rules tell them.
"""

from zareba.api import Setting, StateVariable, hookimpl

RULE = "HOUSE-FOG"
CLOSE = 6.0
"""Inches within which an enemy is in sight whatever the ground."""
unseen = StateVariable("unseen", (), of="side", secret=True)
"""For each side: the enemy pieces on the table that it does not see. The umpire's note, in no side's view."""


@hookimpl
def zareba_settings():
    """How far everybody sees."""
    return {
        "sight": Setting(rule=RULE, summary="inches at which an enemy is sighted", default=24, at_least=3, at_most=200)
    }


@hookimpl
def zareba_step(table, state, umpire, settings):
    """Note whom each side does not see now."""
    there = {piece: found for piece, found in umpire.there().items() if pieces_of(state, piece) is not None}
    for side in umpire.scenario.sides:
        own = [at for whose, at in there.values() if whose == side]
        foes = [(piece, at) for piece, (whose, at) in there.items() if whose not in ("", side)]
        found = tuple(piece for piece, at in foes if not in_sight(umpire, own, at, settings["sight"]))
        if found != unseen[table, side]:
            unseen[table, side] = found


def in_sight(umpire, own, at, sight):
    """Return True if one of the points `own` sees the point `at`."""
    near = sorted(
        (distance, eye) for eye in own if (distance := ((eye[0] - at[0]) ** 2 + (eye[1] - at[1]) ** 2) ** 0.5) <= sight
    )
    return any(distance <= CLOSE or umpire.sees(eye, at) for distance, eye in near)


def pieces_of(state, piece):
    """Return the records in which a piece of the board stands, and its key there; None for what is no unit or commander."""
    for records in (state.units, getattr(state, "commanders", {})):
        for key in (piece, piece.removeprefix("commander ")):  # a commander of vcc is "commander SIDE" on the board
            if key in records:
                return records, key
    return None


@hookimpl
def zareba_view(state, seat):
    """Take out of a view whom the seat does not see."""
    for piece in unseen[state, seat]:
        found = pieces_of(state, piece)
        if found is not None:
            del found[0][found[1]]
    state.own.pop(unseen.key(seat), None)


@hookimpl
def zareba_options(state, question):
    """Leave out targets that the side does not see, while anything else is left."""
    hidden = frozenset(unseen[state, question.seat])
    if not hidden:
        return None
    left = [option for option in question.options if not names_one(option, hidden)]
    return left if left and len(left) < len(question.options) else None


def names_one(option, hidden):
    """Return True if an option names a hidden piece, or one of its men or guns."""
    if isinstance(option, tuple):
        return any(names_one(part, hidden) for part in option)
    if not isinstance(option, str):
        return False
    return not hidden.isdisjoint((option, option.rpartition(".")[0], option.partition(" gun ")[0]))
