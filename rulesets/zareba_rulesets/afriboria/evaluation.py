"""Estimates the value of the options of a choice, for AI players; it uses only means and distances.

Expected losses come from small formulas over the same charts as play. A kill that is likely to destroy a unit is worth
more, because units are points. The estimates never use the enemy's hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zareba.base.grammar import amount, join_with_and
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.scenario import Scenario
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.air import distance_from_base
from zareba_rulesets.afriboria.estimates import EXPOSURE, ExpectedLosses, HexValue, OrderValues, must_come_down
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit

NOTHING = Evaluation()
USUAL_CHOICE = Evaluation(steadies=0.05, reason="the usual choice")
SUGGESTED = Evaluation(steadies=0.05, reason="the scenario suggests this hex")

WEAK = 2
"""A unit with this many figures or fewer withdraws."""
WANTED_LEADER = 0.3
"""Value of a battle against a leader wanted by the scenario, per point that he is worth."""
REST = 0.005
"""Value of staying, so that a unit stays where moving gains nothing."""
TO_HIS_MEN = 0.03
"""Value of each hex that a commander who cannot reach a unit is nearer to one."""
# Options that are always preferred; all other options of their questions have value 0.
SENSIBLE = {
    "no company", "go first", "lend the die", "make a stand", "defend", "ignore the flags", "ignore the first flag", "climb", "show themselves",
    "leave it", "a figure", "pass it on unseen", "no more",
}  # fmt: skip
MOST_IS_BEST = {
    "figures regained": "the unit needs every figure",
    "flags to save": "each flag saved is a hex less to go back (AFR-227)",
    "dice of the section": "all dice at the nearest target",
}
"""Questions whose largest number is best, each with the reason."""
FIRST_IS_BEST = {"deploy in", "arrive in", "flags accepted", "figures there", "man", "gather in", "second unit"}


class Evaluator:
    """Evaluates the choices of one scenario."""

    def __init__(self, book: AfrBook, scenario: Scenario, plan: Plan) -> None:
        self.expected_losses = ExpectedLosses(book, scenario, plan)
        self.order_values = OrderValues(self.expected_losses)
        self.questions: dict[str, Callable[[Battle, Choose], list[Evaluation]]] = {
            "play": self.evaluate_cards,
            "first of two": self.evaluate_cards,
            "second of two": self.evaluate_cards,
            "card to discard": self.evaluate_cards_to_lose,
            "card to take away": self.evaluate_cards,
            "order": self.evaluate_orders,
            "move with": self.evaluate_in_turn,
            "move": self.evaluate_moves,
            "follow to": self.evaluate_places,
            "commander to": self.evaluate_commander_places,
            "retreat to": self.evaluate_retreats,
            "battle with": self.evaluate_fighters,
            "battle against": self.evaluate_targets,
            "fight on against": self.evaluate_second_targets,
            "which unit is attacked": self.evaluate_victims,
            "breakthrough": self.evaluate_breakthroughs,
            "mount": self.evaluate_mounting,
            "fly": self.evaluate_flights,
            "defender": self.evaluate_stands,
        }

    def evaluate(self, battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """Return one evaluation for each option, in order."""
        assert isinstance(question, Choose), "these rules ask for choices only"
        why, options = question.why, question.options
        found = self.questions.get(why)
        if found is not None:
            return found(battle, question)
        if why in MOST_IS_BEST:
            reason = MOST_IS_BEST[why]
            return [Evaluation(steadies=0.01 * option, reason=reason) for option in options if isinstance(option, int)]
        if why in FIRST_IS_BEST:
            return [SUGGESTED if why == "deploy in" else USUAL_CHOICE, *[NOTHING] * (len(options) - 1)]
        if why in battle.book.file.events:
            return self.evaluate_event_picks(battle, question)
        return [USUAL_CHOICE if option in SENSIBLE else NOTHING for option in options]

    # --- cards and orders ---------------------------------------------------------------------------------------------

    def evaluate_cards(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each card: the sum of its best orders."""
        values = self.order_values.cards(battle, question.seat, [str(option) for option in question.options])
        return [Evaluation(inflicts=value, reason=partial(_card_reason, value)) for value in values]

    def evaluate_cards_to_lose(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of losing each card: the fewer orders it gives, the better."""
        cards = battle.book.cards
        sizes = [sum(cards[str(option)].orders.values()) for option in question.options]
        return [Evaluation(steadies=-0.1 * size, reason=_orders_of(size)) for size in sizes]

    def evaluate_orders(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each order, and 0 for giving no more."""
        worths = self.order_values.units(battle, question.seat)
        values = [
            self.order_values.order(battle, worths, option) if isinstance(option, tuple) else 0.0
            for option in question.options
        ]
        return [Evaluation(inflicts=value, reason=partial(_order_reason, value)) for value in values]

    @evaluate_each
    def evaluate_in_turn(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of moving a piece next: units in the listed order, then commanders; all of them move."""
        if option == "done":
            return Evaluation(reason="every order is used")
        worth = 0.3 if option in battle.units else 0.1
        return Evaluation(steadies=worth, reason="units move first, then commanders and fliers")

    # --- moves --------------------------------------------------------------------------------------------------------

    def evaluate_moves(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each move or other action of a unit in the stage of moves."""
        unit = battle.units[question.actor]
        value_of, distances = self.expected_losses.places(battle, unit), battle.field.distance[unit.hex]
        value_here = value_of(unit.hex, 0)
        found = []
        for option in question.options:
            if isinstance(option, tuple):
                verb, cell = option
                if verb in ("to", "with"):
                    value = value_of(cell, distances[cell])
                    extra = 0.01 if verb == "with" else 0.0
                    ground = value.ground + extra
                    found.append(Evaluation(value.inflicts, value.suffers, ground, reason=_place_reason(value)))
                else:
                    found.append(
                        Evaluation(ground=0.3 if verb == "ladder" else 0.1, reason="a way onto the wall (AFR-330)")
                    )
            elif option == "stay":
                found.append(Evaluation(*value_here, steadies=REST, reason=_place_reason(value_here, stays=True)))
            elif option == "leave the table":
                found.append(Evaluation(ground=2.0, reason="leaving here is an objective (AFR-090)"))
            elif option == "dismount":
                found.append(self._dismount_value(battle, unit))
            else:
                found.append(NOTHING)
        return found

    def _dismount_value(self, battle: Battle, unit: Unit) -> Evaluation:
        """Return the value of dismounting: the expected carbine fire from here, less a small cost (AFR-175)."""
        value = self.expected_losses.on_foot(battle, unit)
        return Evaluation(inflicts=value - 0.1, reason=f"its carbines would cost the enemy {_loss(value)} (AFR-175)")

    def evaluate_places(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each hex to which a member may follow its officer."""
        unit = battle.units[question.actor]
        value_of = self.expected_losses.places(battle, unit)
        values = [value_of(int(str(cell)), 1) for cell in question.options]
        return [Evaluation(*value, reason=_place_reason(value)) for value in values]

    @evaluate_each
    def evaluate_commander_places(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of a hex for a commander: units to lead there or the way to them, the enemy near, and the
        risk of standing alone.
        """
        cell, side = int(str(option)), battle.commanders[question.actor].spec.side
        friends = len(battle.here.get(cell, ()))
        near = self.expected_losses.enemy_distance(battle, side, cell)
        if friends:
            return Evaluation(steadies=0.1 * friends - 0.005 * near, reason=f"{amount(friends, 'unit')} to lead there")
        distances = battle.field.distance[cell]
        way = min(map(distances.__getitem__, battle.hexes_held_by(side)), default=0)
        risk = 0.6 if near <= self.expected_losses.foot_reach else 0.0
        reason = "no unit to lead there"
        return Evaluation(suffers=risk, steadies=-TO_HIS_MEN * way - 0.005 * near, reason=reason)

    @evaluate_each
    def evaluate_retreats(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of a hex to retreat to: cover, a commander who rallies, and not the last row."""
        cell = int(str(option))
        cover = battle.ground(cell).cover.troops.level
        ends = 0.2 if question.seat in battle.sides and cell in battle.field.own_edge_hexes[question.seat] else 0.0
        rally = 0.3 if cell in battle.chiefs else 0.0
        return Evaluation(
            suffers=ends,
            steadies=0.05 * cover + rally,
            reason=f"the ground takes {amount(cover, 'die', 'dice')} from attackers" if cover else "open ground",
        )

    def evaluate_flights(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each flight: towards the enemy, or back to base when the fuel runs out."""
        flier = battle.fliers[question.actor]
        must_land = must_come_down(flier)
        hexes_with_action = battle.book.file.air[flier.spec.kind].act  # type: ignore[index]  # aircraft or airship
        reach = len(battle.book.file.air_ground_dice.dice)
        home = distance_from_base(battle, question.seat, flier.hex) if must_land else 0
        found = []
        for option in question.options:
            if not isinstance(option, tuple):
                found.append(NOTHING)
                continue
            verb, cell = option
            near = self.expected_losses.enemy_distance(battle, question.seat, cell)
            if verb == "land":
                found.append(Evaluation(steadies=1.0 if must_land else -0.5, reason=f"fuel {flier.fuel} (AFR-262)"))
            elif must_land:
                # Next turn it can fly and still land next to the base, or it crashes (AFR-260).
                left = distance_from_base(battle, question.seat, cell)
                flight_value = 0.02 * (home - left) + (0.6 if left <= hexes_with_action + 1 < home else 0.0)
                reason = f"{amount(left, 'hex', 'hexes')} from its base, fuel {flier.fuel} (AFR-262)"
                found.append(Evaluation(steadies=flight_value, reason=reason))
            else:
                target_value = (
                    0.2 if near <= reach and battle.field.distance[flier.hex][cell] <= hexes_with_action else 0.0
                )
                value = target_value - 0.01 * near + (0.2 if verb == "take off" else 0.0)
                found.append(Evaluation(inflicts=value, reason=f"{amount(near, 'hex', 'hexes')} from the enemy"))
        return found

    # --- battles ------------------------------------------------------------------------------------------------------

    @evaluate_each
    def evaluate_fighters(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of letting a unit battle next: that of its best attack."""
        unit = battle.units.get(str(option))
        value = max(0.01, self.expected_losses.best_attack(battle, unit)) if unit is not None else 0.0
        reason = f"its best target would lose {_loss(value)}" if option != "done" else "every battle is fought"
        return Evaluation(inflicts=value if option != "done" else 0.0, reason=reason)

    def evaluate_targets(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of each target of a unit or flier."""
        unit = battle.units.get(question.actor)
        found = []
        for option in question.options:
            if not isinstance(option, tuple):
                found.append(NOTHING)
                continue
            kind, goal = option
            if unit is None or kind != "hex":
                value = {"commander": 0.25, "structure": 0.1, "flier": 0.15, "parked": 0.4, "bomb": 0.4, "hex": 0.3}[
                    kind
                ]
                value += WANTED_LEADER * self.expected_losses.objectives.points_for(str(goal), question.seat)
                found.append(Evaluation(inflicts=value, reason=f"a {kind} within range"))
            else:
                damage, losses = self.expected_losses.battle(battle, unit, unit.hex, goal)
                found.append(
                    Evaluation(
                        damage,
                        losses,
                        reason=f"the enemy would lose {_loss(damage)}, this unit {_loss(losses)} (AFR-170)",
                    )
                )
        return found

    @evaluate_each
    def evaluate_second_targets(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of fighting on against the unit driven off (AFR-255)."""
        return (
            Evaluation(inflicts=0.3, reason="pursue the unit driven off (AFR-255)")
            if isinstance(option, int)
            else NOTHING
        )

    def evaluate_victims(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of attacking each unit of a hex: the attacker takes the weaker one, the defender offers the
        stronger one (AFR-169).
        """
        defends = battle.units[str(question.options[0])].spec.side == question.seat
        sign, reason = (
            (1, "the stronger unit stands it best (AFR-169)") if defends else (-1, "the weaker unit (AFR-169)")
        )
        return [
            Evaluation(steadies=0.02 * sign * battle.units[str(option)].figures, reason=reason)
            for option in question.options
        ]

    @evaluate_each
    def evaluate_stands(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of standing or withdrawing: weak units withdraw, all others stand (AFR-207)."""
        unit = battle.units.get(question.actor)
        weak = unit is not None and unit.figures <= WEAK
        left = f"{amount(unit.figures, 'figure')} left: " if unit is not None else ""
        return Evaluation(
            steadies=0.05 * ((option == "make a stand") != weak),
            reason=f"{left}too few to stand (AFR-239)" if weak else f"{left}enough to stand (AFR-207)",
        )

    def evaluate_breakthroughs(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of following into the emptied hex, or of staying."""
        unit = battle.units[question.actor]
        value_of = self.expected_losses.places(battle, unit)
        value_ahead, value_here = value_of(question.about[0], 0), value_of(unit.hex, 0)
        bonus = 0.15 if unit.profile.arm == "mounted" else 0.0
        return [
            Evaluation(*value_here, reason=_place_reason(value_here, stays=True))
            if option == "stay"
            else Evaluation(
                value_ahead.inflicts + bonus,
                value_ahead.suffers,
                value_ahead.ground,
                reason="follows the unit driven off (AFR-251)",
            )
            for option in question.options
        ]

    def evaluate_mounting(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Return the value of mounting: good while the enemy is out of reach of foot, else bad."""
        unit = battle.units[question.actor]
        near = self.expected_losses.enemy_distance(battle, unit.spec.side, unit.hex)
        return [
            Evaluation(
                steadies=0.05 if (option == "mount") == (near > self.expected_losses.foot_reach) else 0.0,
                reason=f"the enemy is {amount(near, 'hex', 'hexes')} away",
            )
            for option in question.options
        ]

    @evaluate_each
    def evaluate_event_picks(self, battle: Battle, question: Choose, option: Option) -> Evaluation:
        """Return the value of a unit as the target of an event: the weakest enemy unit, or the strongest own unit."""
        unit = battle.units.get(str(option))
        if unit is None or unit.hex == OFF:
            return NOTHING
        sign = 1 if unit.spec.side == question.seat else -1
        return Evaluation(steadies=0.02 * sign * unit.figures, reason=f"it has {amount(unit.figures, 'figure')}")


def _orders_of(size: int) -> str:
    """Return what a card is worth as a number of orders."""
    return f"it gives {amount(size, 'order')}" if size else "it gives no number of orders"


def _loss(share: float) -> str:
    """Return an expected loss, as a share of a common unit, in words."""
    if share < 0.08:
        return "almost nothing"
    if share < 0.35:
        return "a few figures"
    return "about half a unit" if share < 0.75 else "about a whole unit"


def _card_reason(worth: float) -> str:
    """Return how much the best orders of a card would achieve."""
    much = "much" if worth >= 1.0 else "something" if worth >= 0.3 else "little"
    return f"the units it orders could achieve {much} this turn (AFR-064)"


def _order_reason(worth: float) -> str:
    """Return how much one order would achieve."""
    if worth >= 0.5:
        return "it can do much with an order: fight, or reach an objective"
    return "it can get nearer to the enemy or an objective" if worth >= 0.1 else "an order would do little for it"


def _place_reason(value: HexValue, *, stays: bool = False) -> Callable[[], str]:
    """Return a function that says what a hex is worth: the ground gained, the attack from it, and the risk in it."""

    def reason() -> str:
        dealt, risk, ground = value
        gain = "gains ground" if ground > 0.02 else "gives up ground" if ground < -0.02 else "keeps its distance"
        said = ["stays where it is" if stays else gain]
        if dealt >= 0.02:
            said.append(f"can attack {'from here' if stays else 'from there'}")
        said.append("is in no danger" if risk < 0.02 else f"may lose {_loss(risk / EXPOSURE)}")
        return join_with_and(said)

    return reason
