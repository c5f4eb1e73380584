"""Ranking of the active unit's actions. A kind of action is worth as much as its best action; results are cached."""

from __future__ import annotations

from operator import attrgetter

from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import ActionKinds
from zareba.table import Option
from zareba_rulesets.fixed_baynet.actions.firing import FEW, FIRE, best_shot
from zareba_rulesets.fixed_baynet.actions.unit_actions import END, MOVES, UNIT_ACTIONS, menu_of
from zareba_rulesets.fixed_baynet.estimates.objectives import SideObjectives
from zareba_rulesets.fixed_baynet.estimates.positions import NOTHING
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit

__all__ = ["GO_ON", "ActRanking"]

GO_ON = Evaluation(ground=1.0, reason="the unit must move (FBN-160, FBN-177)")


def _verb_of(option: Option) -> str:
    return str(option[0] if isinstance(option, tuple) else option)


class ActRanking:
    """Evaluates the actions of the active unit. The results stay on the menu for the second choice (`judged`)."""

    def __init__(self, battle: Battle, mission: SideObjectives, unit: Unit) -> None:
        self.actions, self.book = UNIT_ACTIONS.of(battle.book.rules), battle.book
        self.flat = self.actions.flat(battle.book)
        self.menu = menu_of(battle, unit)
        self.look = UnitView(battle, mission, unit)
        self.goes_on = END.verb not in self.menu.kinds
        if FIRE.verb in self.menu.kinds.listed and FIRE.verb not in self.menu.judged:
            self.menu.judged[FIRE.verb] = best_shot(self.look, self.menu, self.act)

    def best_of(self, kinds: ActionKinds) -> dict[Option, Evaluation]:
        """Return the available kinds of action, without those worth less than doing nothing.

        If the men in the middle of the unit see no target, the men at its sides are not asked either.
        """
        found = {}
        for kind in kinds.listed:
            alike = self.menu.judged.get(FIRE.verb) if kind == FIRE.verb else self.flat.get(_verb_of(kind))
            if not self.goes_on and alike is not None and (alike is FEW or alike.total < 0):
                continue
            if kind in kinds:
                found[kind] = self.kind(kind)
        return found

    def kind(self, kind: Option) -> Evaluation:
        """Return the value of a kind of action: that of its best action.

        A unit that may not end its activation here must move first.
        """
        verb = _verb_of(kind)
        if self.goes_on and verb in MOVES:
            return GO_ON
        alike = self.flat.get(verb)
        if alike is not None:
            return alike
        if kind == FIRE.verb:
            return self.menu.judged[FIRE.verb]
        options = self.menu.of(kind)
        if options == [kind]:
            return self.act(kind)
        return max([self.act(option) for option in options], key=attrgetter("total"))

    def act(self, option: Option) -> Evaluation:
        """Return the value of one action."""
        evaluation = self.menu.judged.get(option)
        if evaluation is None:
            action = self.actions.read(option)
            evaluation = NOTHING if action is None else self.actions.value(action, self.look, self.book)
            self.menu.judged[option] = evaluation
        return evaluation
