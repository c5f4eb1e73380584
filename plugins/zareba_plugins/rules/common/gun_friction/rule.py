"""Guns that foul: every turn a die is rolled for each gun; a fouled gun shoots worse until the next turn."""

from zareba.api import Modifier, StateVariable, at_most, hookimpl, scenario_unit, units

RULE = "HOUSE-FOUL"
fouled = StateVariable("fouled", False, words="gun fouled")


@hookimpl
def zareba_turn(table, settings):
    """Roll a die for each gun."""
    for unit in units(table):
        with_gun = scenario_unit(table, unit)
        if with_gun is None or with_gun.gun is None:
            continue
        means = at_most(settings["fouls_on"], "it fouls", "it stays clean")
        die = table.roll(1, 6, why="fouling", rule=RULE, actor=unit.spec.id, means=means)
        fouled[table, unit] = die <= settings["fouls_on"]
        if fouled[table, unit]:
            table.emit("fouled", RULE, unit=unit.spec.id)


@hookimpl
def zareba_modifiers():
    """Subtract 2 from the shooting of a fouled gun."""
    return {"shooting": [Modifier("fouled", RULE, "add", -2, when={"gun_friction.fouled": True}, summary="gun fouled")]}
