"""Ranking of the active unit's acts. A kind of act is worth as much as its best act; results are cached."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, itemgetter

from zareba.battle.legal_actions import ActionKinds
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option
from zareba_rulesets.fixed_baynet.actions.unit_actions import END, FIRE, MOVES, UNIT_ACTIONS, menu_of
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import house_targets
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import Marksman, marksmen, may_reach
from zareba_rulesets.fixed_baynet.chapters.guns.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.estimates.expected_losses import NO_VOLLEY, few_shots, volley_worth
from zareba_rulesets.fixed_baynet.estimates.objectives import SideObjectives
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView
from zareba_rulesets.fixed_baynet.evaluation.acts import FLAT, NOTHING, WALLS, act_worth, shot_worth, verb_of
from zareba_rulesets.fixed_baynet.evaluation.guns import PIECES
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import longest
from zareba_rulesets.fixed_baynet.forces.units import Unit

__all__ = ["FEW", "GO_ON", "ActRanking"]

ENOUGH = 2  # number of targets considered
FEW = Evaluation(inflicts=0.01, reason="0.2 hits expected: the middle of the unit has no target (FBN-092)")

GO_ON = Evaluation(ground=1.0, reason="the unit must move (FBN-160, FBN-177)")


class ActRanking:
    """Evaluates the acts of the active unit. The results stay on the menu for the second choice (`judged`)."""

    def __init__(self, battle: Battle, mission: SideObjectives, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        self.actions = UNIT_ACTIONS.of(battle.book.rules)
        self.menu = menu_of(battle, unit)
        self.look = UnitView(battle, mission, unit)
        self.goes_on = END not in self.menu.kinds
        if FIRE in self.menu.kinds.listed and FIRE not in self.menu.judged:
            self.menu.judged[FIRE] = self._best_shot()

    def best_of(self, kinds: ActionKinds) -> dict[Option, Evaluation]:
        """Return the available kinds of act, without those worth less than doing nothing.

        If the men in the middle of the unit see no target, the men at its sides are not asked either.
        """
        found = {}
        for kind in kinds.listed:
            alike = self.menu.judged.get(FIRE) if kind == FIRE else self.flat(kind)
            if not self.goes_on and alike is not None and (alike is FEW or alike.total < 0):
                continue
            if kind in kinds:
                found[kind] = self.kind(kind)
        return found

    def kind(self, kind: Option) -> Evaluation:
        """Return the evaluation of a kind of act: that of its best act.

        A unit that may not end its activation here must move first.
        """
        if self.goes_on and verb_of(kind) in MOVES:
            return GO_ON
        alike = self.flat(kind)
        if alike is not None:
            return alike
        if kind == FIRE:
            return self.menu.judged[FIRE]
        acts = self.menu.of(kind)
        return self.act(kind) if acts == [kind] else max([self.act(act) for act in acts], key=attrgetter("total"))

    def flat(self, kind: Option) -> Evaluation | None:
        """Return the value of a kind of act if the rules alone decide it."""
        verb = verb_of(kind)
        return self.actions.flat(verb, self.battle.book) or FLAT.get(verb)

    def act(self, act: Option) -> Evaluation:
        kept = self.menu.judged.get(act)
        if kept is None:
            kept = self.menu.judged[act] = act_worth(self.look, act)
        return kept

    def _best_shot(self) -> Evaluation:
        """Return the best target for the unit's fire, without checking for every enemy whether a man can aim at it."""
        look = self.look
        if self.battle.book.settings.target_order_ac:
            acts = self.menu.of(FIRE)
            look.shoots = any(verb_of(act) == FIRE for act in acts)
            return max([self.act(act) for act in acts], key=attrgetter("total"), default=FEW)
        volleys = self._volleys()
        things = [
            worth
            for worth, marks in ((PIECES["fire at gun"], _served_guns), (WALLS["fire at house"], self._held_houses))
            if all(worth.total > shot.total for shot in volleys)
            and marks(self.battle, self.unit, marksmen(self.battle, self.unit, look.ready))
        ]
        look.shoots = bool(volleys)
        return max([*volleys, *things], key=attrgetter("total"), default=FEW)

    def _held_houses(self, battle: Battle, unit: Unit, men: Sequence[Marksman]) -> bool:
        """Return True if some of these men can fire at a building with enemies in it."""
        return bool(self.look.held) and not self.look.held.isdisjoint(house_targets(battle, unit, men))

    def _volleys(self) -> list[Evaluation]:
        """Return evaluations of volleys at the nearest targets of the middle man, and at units that carry an object.

        If there are any, other targets are worth nothing. If there are none, only a few shots by the men nearest to
        the enemy count.
        """
        look = self.look
        reach = longest(self.battle, look.ready)
        found: list[Evaluation] = []
        unseen: list[str] = []
        carriers = {prize.carrier for prize in self.battle.prizes.values()}
        for away, target in sorted(look.foes, key=itemgetter(0)) if look.ready else ():
            if len(found) == ENOUGH and target.spec.id not in carriers:
                unseen.append(target.spec.id)
            elif may_reach(self.battle, away, reach, look.ready, target):
                volley = volley_worth(self.battle, self.unit, target, look.ready)
                if volley is NO_VOLLEY:
                    unseen.append(target.spec.id)
                else:
                    shot = self.menu.judged[FIRE, target.spec.id] = shot_worth(look, target, volley)
                    found.append(shot)
        if not found:
            found = self._few_shots(unseen[:ENOUGH])
        for target_id in unseen:
            self.menu.judged.setdefault((FIRE, target_id), NOTHING if found else FEW)
        return found

    def _few_shots(self, unseen: list[str]) -> list[Evaluation]:
        """Return evaluations of fire by the men at the sides at enemies the middle man does not see (FBN-092)."""
        found: list[Evaluation] = []
        for target_id in unseen:
            target = self.battle.units[target_id]
            volley = few_shots(self.battle, self.unit, target, self.look.ready)
            if volley is not NO_VOLLEY:
                shot = self.menu.judged[FIRE, target_id] = shot_worth(self.look, target, volley)
                found.append(shot)
        return found


def _served_guns(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> bool:
    """Return True if some of these men can fire at a gun that still has men to serve it."""
    return any(battle.units[home].figures for home, _ in gun_marks(battle, unit, men))
