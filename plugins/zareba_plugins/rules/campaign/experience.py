"""Experience: none of a side's units is worse than the quality that a setting gives.

Use it for campaigns. The quality is a setting, so the journal records it, and a comparison can measure its effect
(`--variant`). The scenario is changed before a ruleset translates it, so each system gives veterans its own
advantages.
"""

from zareba.api import Setting, hookimpl

GRADES = ["raw", "regular", "veteran", "elite"]


@hookimpl
def zareba_settings():
    """Add a setting for the quality of each side, in the order in which the scenario lists the sides."""
    words = "minimum quality of the units of the {} side".format
    return {
        name: Setting(rule="HOUSE-CAMPAIGN", summary=words(name), default="raw", values=[*GRADES])
        for name in ("first", "second")
    }


@hookimpl
def zareba_scenario(scenario, settings):
    """Raise units below the quality of their side."""
    lowest = dict(zip(scenario.sides, [settings["first"], settings["second"]], strict=False))

    def raise_quality(unit):
        quality = max(unit.quality, lowest.get(unit.side, "raw"), key=GRADES.index)
        return unit.model_copy(update={"quality": quality})

    return scenario.model_copy(update={"units": {name: raise_quality(unit) for name, unit in scenario.units.items()}})
