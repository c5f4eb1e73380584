"""Secret orders: a die roll gives each side a secret order before the battle; carrying it out is worth points at the
end.

Only its own side sees the value of a `secret` state variable. `zareba_view` changes a copy of the state for a seat:
here it removes the umpire's note, which no side may see. `zareba_outcome` adds the points.
"""

from zareba.api import Setting, StateVariable, add_points, hookimpl, roll_on_chart

RULE = "HOUSE-SECRET"
AIMS = {1: "spare your men", 3: "leave nobody alive", 5: "hold until the end"}
aim = StateVariable("aim", "", of="side", words="secret order:", secret=True)
strength = StateVariable("strength", (), of="game")


@hookimpl
def zareba_settings():
    """Add a setting for the value of an order."""
    return {"worth": Setting(rule=RULE, summary="points for carrying out an order", default=5, at_least=1, at_most=50)}


@hookimpl
def zareba_begin(table, state):
    """Roll an order for each side."""
    sides = sorted({unit.spec.side for unit in state.units.values()})
    for side in sides:
        aim[table, side] = roll_on_chart(table, AIMS, why="secret order", rule=RULE, actor=side)
    strength[table] = tuple(sorted(state.units))


@hookimpl
def zareba_view(state, seat):
    """Remove the umpire's note from the view of every seat."""
    state.own.pop("secret_orders.strength", None)


@hookimpl
def zareba_outcome(state, outcome, settings):
    """Add points for orders carried out; the side that then leads has won."""
    lost_units = {
        side: [name for name in strength[state] if not is_in_battle(state, name, side)] for side in outcome.points
    }
    bonus = {}
    for side in lost_units:
        foes = [name for other in lost_units if other != side for name in lost_units[other]]
        achieved = {
            "spare your men": not lost_units[side],
            "leave nobody alive": foes,
            "hold until the end": "turn" in outcome.ending,
        }
        bonus[side] = settings["worth"] if achieved.get(aim[state, side]) else 0
    return add_points(outcome, bonus)


def is_in_battle(state, name, side):
    """Return True if a unit belongs to another side, or has not left the battle for good."""
    unit = state.units.get(name)
    return unit is not None and (unit.spec.side != side or name not in getattr(state, "gone", {}))
