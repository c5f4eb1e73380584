"""A short evening: no battle lasts longer than the number of turns in a setting, whatever its scenario says.

`zareba_scenario` changes the scenario before it is set up, in every system: turns, arrivals, units. The journal stores
the original scenario together with the rule, so a game that is continued is shortened in the same way.
"""

from zareba.api import Setting, hookimpl


@hookimpl
def zareba_settings():
    """Add a setting for the number of turns."""
    return {"turns": Setting(rule="HOUSE-SHORT", summary="maximum number of turns", default=5, at_least=1, at_most=100)}


@hookimpl
def zareba_scenario(scenario, settings):
    """Shorten the battle; units that would arrive later arrive in the last turn."""
    turns = min(scenario.turns or settings["turns"], settings["turns"])
    late = {name: unit.arrival for name, unit in scenario.units.items() if unit.arrival and unit.arrival.turn > turns}
    arrivals = {name: {"arrival": arrival.model_copy(update={"turn": turns})} for name, arrival in late.items()}
    units = {name: unit.model_copy(update=arrivals.get(name, {})) for name, unit in scenario.units.items()}
    return scenario.model_copy(update={"turns": turns, "units": units})
