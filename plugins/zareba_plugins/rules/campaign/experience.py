"""Experience: a side that has been through battles before comes as it has become: none of its units is less than a setting says.

For campaigns: what is carried from battle to battle is a setting, so it stands in the journal, and a comparison can tell what it
is worth (`--variant`). The scenario is changed before any system translates it, so each gives veterans what its book gives.
"""

from zareba.api import Setting, hookimpl

GRADES = ["raw", "regular", "veteran", "elite"]


@hookimpl
def zareba_settings():
    """What each side has become; the sides are counted as the scenario lists them."""
    words = "the least that units of the {} side are".format
    return {
        name: Setting(rule="HOUSE-CAMPAIGN", summary=words(name), default="raw", values=[*GRADES])
        for name in ("first", "second")
    }


@hookimpl
def zareba_scenario(scenario, settings):
    """Lift those who are less."""
    least = dict(zip(scenario.sides, [settings["first"], settings["second"]], strict=False))

    def lifted(unit):
        grade = max(unit.quality, least.get(unit.side, "raw"), key=GRADES.index)
        return unit.model_copy(update={"quality": grade})

    return scenario.model_copy(update={"units": {name: lifted(unit) for name, unit in scenario.units.items()}})
