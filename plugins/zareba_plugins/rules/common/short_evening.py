"""A short evening: no battle takes more turns than a setting says, whatever its scenario has.

`zareba_scenario` changes the scenario before it is laid out, under whatever system: turns, arrivals, who is there. The journal
keeps the scenario as it was and the rule beside it, so an evening that goes on is cut short in the same way.
"""

from zareba.api import Setting, hookimpl


@hookimpl
def zareba_settings():
    """How many turns there are."""
    return {"turns": Setting(rule="HOUSE-SHORT", summary="turns at most", default=5, at_least=1, at_most=100)}


@hookimpl
def zareba_scenario(scenario, settings):
    """Cut its turns; who would have come later comes in the last."""
    turns = min(scenario.turns or settings["turns"], settings["turns"])
    late = {name: unit.arrival for name, unit in scenario.units.items() if unit.arrival and unit.arrival.turn > turns}
    comes = {name: {"arrival": arrival.model_copy(update={"turn": turns})} for name, arrival in late.items()}
    units = {name: unit.model_copy(update=comes.get(name, {})) for name, unit in scenario.units.items()}
    return scenario.model_copy(update={"turns": turns, "units": units})
