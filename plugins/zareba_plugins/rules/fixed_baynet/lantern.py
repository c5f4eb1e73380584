"""Lantern: a man near a building may throw a lantern into its thatch; on 4 or more it burns and loses 2 damage points.

For Fixed Bay'net. This rule adds a whole action. The class says where it is legal (`options`), how it reads (`text`),
that its odds are shown (`odds`), what it does (`perform`) and what it is worth to AI players (`value`). The prompt, the
log, the page and the AI players then treat it like any action of the rules.
"""

from typing import Any

from zareba.api import Action, Evaluation, at_least, call, hookimpl

RULESETS = ("fixed_baynet",)


class ThrowLantern(
    Action[Any, Any],
    verb="throw lantern",
    text="throw a lantern into the thatch of {building:house} (1 AC)",
    odds="building",
):
    """Throw a lantern into the thatch of a building."""

    building: str

    @classmethod
    def options(cls, actor):
        """Return one action for each building within 6 inches."""
        return [cls(building) for building in actor.buildings_within(6)]

    def perform(self, table, actor):
        """Spend one AC of the first able man and roll."""
        actor.able.men[0].ac -= 1
        means = at_least(4, "the thatch burns", "the lantern goes out")
        if table.roll(1, 6, why="lantern", rule="HOUSE-LANTERN", actor=actor.unit.id, means=means) >= 4:
            call(table, "building.damage", actor.battle, self.building, 2, False, False, actor.unit)

    def value(self, view):
        """Return a value only for a building that holds enemies."""
        if self.building in view.held:
            return Evaluation(inflicts=0.1, reason="enemies are inside, and thatch burns")
        return Evaluation(ground=-0.02, reason="no known enemies inside")


@hookimpl
def zareba_actions():
    """Add the action to the first choice of a unit."""
    return {"act": [ThrowLantern]}
