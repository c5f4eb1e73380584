"""What the options of a choice are worth, for commanders with sense.

No rule stands here: only the odds of the rules' own dice pools, distances, and what the scenario's objectives ask for.
One unit of worth is one base of six, so an average regular unit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.table import Choose, Option
from zareba_rulesets.vcc.battle import OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.fire import fire_facts
from zareba_rulesets.vcc.melee import MeleeFacts
from zareba_rulesets.vcc.movement import CHARGE, GO
from zareba_rulesets.vcc.retreat import OFF_EDGE
from zareba_rulesets.vcc.translation import EDGES, Translation
from zareba_rulesets.vcc.victory import is_effective

__all__ = ["Judgement"]

BASE = 1 / 6
STEP = 0.12  # worth of one box nearer to an objective
FEAR = 0.35  # how much of the fire expected at a place counts against going there
NOTHING = Appraisal()


class Judgement:
    """Appraises the choices of one game. Remembers each side's last outlook, which serves a whole phase."""

    def __init__(self, scenario: Scenario, plan: Translation) -> None:
        self.scenario = scenario
        self.plan = plan
        self.outlooks: dict[str, tuple[Hashable, Outlook]] = {}

    def appraise(self, battle: Battle, question: Choose) -> Sequence[Appraisal]:
        """One appraisal for each option, in order."""
        weigh = JUDGEMENTS.get(question.why)
        if weigh is None:
            return [NOTHING] * len(question.options)
        return weigh(Situation(battle, self, question.seat), question)


@dataclass(frozen=True, slots=True)
class Situation:
    """The table as the side that chooses sees it."""

    battle: Battle
    judgement: Judgement
    side: str

    def enemies(self) -> list[Unit]:
        side = self.side
        return [unit for unit in self.battle.units.values() if unit.box != OFF_TABLE and unit.spec.side != side]

    def outlook(self) -> Outlook:
        """Objectives and dangers, worked out once for each phase and position of the enemy."""
        battle = self.battle
        placed = tuple((u.box, u.strength, u.marks) for u in battle.units.values() if u.spec.side != self.side)
        prizes = tuple((p.box, p.carrier, p.taken_by) for p in battle.prizes.values())
        key = (battle.turn, self.side, placed, prizes)
        known = self.judgement.outlooks.get(self.side)
        if known is None or known[0] != key:
            known = self.judgement.outlooks[self.side] = (key, Outlook(self))
        return known[1]


class Outlook:
    """Where the objectives of a side lie, and how much fire falls where.

    `goals`: (worth, boxes) to be reached by any unit; `own_goals`: by unit id; `kept`: boxes to be held on to.
    """

    def __init__(self, situation: Situation) -> None:
        battle, side = situation.battle, situation.side
        scenario, plan = situation.judgement.scenario, situation.judgement.plan
        self.grid = battle.field.grid
        self.goals: list[tuple[float, tuple[int, ...]]] = []
        self.own_goals: dict[str, list[tuple[float, tuple[int, ...]]]] = {}
        self.kept: dict[int, float] = {}
        self.enemies = situation.enemies()
        self._potential: dict[tuple[str, int, bool], float] = {}
        self._danger: dict[int, float] = {}
        self._shots: dict[tuple[str, int], list[tuple[float, int]]] = {}
        self._battle = battle
        for key, goal in scenario.objectives.items():
            mine = not goal.by or side in goal.by
            if goal.kind == "hold":
                self._hold(battle, side, plan.places.get(key, frozenset()), goal.points * 0.25)
            elif goal.kind == "carry_off":
                self._carry_off(battle, side, goal.object, EDGES[goal.edge], goal.points * 0.3, mine)
            elif goal.kind == "escort":
                self._escort(battle, scenario, side, key, goal, plan)
            elif goal.kind == "destroy" and mine:
                wanted = set(goal.units)
                for enemy in self.enemies:
                    if not wanted or enemy.spec.id in wanted:
                        self.goals.append((0.15 + goal.points * 0.05, (enemy.box,)))
        if not self.goals:
            self.goals += [(0.2, (enemy.box,)) for enemy in self.enemies]

    def _hold(self, battle: Battle, side: str, boxes: frozenset[int], worth: float) -> None:
        inside = [unit for box in boxes for unit in battle.in_box(box) if is_effective(unit)]
        own = [unit for unit in inside if unit.spec.side == side]
        if own and len(own) == len(inside):
            for box in boxes:
                self.kept[box] = max(self.kept.get(box, 0.0), worth)
            if len(own) == 1:
                self.own_goals.setdefault(own[0].spec.id, []).append((worth + 1.0, tuple(sorted(boxes))))
            self.goals.append((worth * 0.5, tuple(sorted(boxes))))
        else:
            self.goals.append((worth + 0.5, tuple(sorted(boxes))))

    def _carry_off(self, battle: Battle, side: str, thing: str, edge: int, worth: float, mine: bool) -> None:
        prize = battle.prizes.get(thing)
        if prize is None or prize.taken_by:
            return
        carrier = battle.units.get(prize.carrier)
        if carrier is None:
            self.goals.append((worth + 0.6, (prize.box,)))
        elif carrier.spec.side != side:
            self.goals.append((worth + 0.6, (carrier.box,)))
        elif mine:
            self.own_goals[carrier.spec.id] = [(worth + 3.0, self.edge_boxes(edge))]

    def _escort(self, battle: Battle, scenario: Scenario, side: str, key: str, goal: Any, plan: Translation) -> None:
        boxes = tuple(sorted(plan.places.get(key, ()))) or self.edge_boxes(EDGES[goal.edge])
        for unit_id in goal.units:
            unit = battle.units.get(unit_id)
            if unit is None or unit.box == OFF_TABLE:
                continue
            if unit.spec.side == side:
                self.own_goals.setdefault(unit_id, []).append((3.0, boxes))
            else:
                self.goals.append((0.5, (unit.box,)))

    def edge_boxes(self, edge: int) -> tuple[int, ...]:
        """The boxes along an edge."""
        return tuple(box for box in range(self.grid.size) if self.grid.neighbour(box, edge) is None)

    def potential(self, unit: Unit, box: int) -> float:
        """How good it is for a unit to stand in a box as far as objectives go; a box nearer is worth STEP."""
        own = self.own_goals.get(unit.spec.id)
        key = (unit.spec.id if own else "", box, False)
        found = self._potential.get(key)
        if found is None:
            distance = self.grid.distance
            goals = own or self.goals
            found = max(
                (worth - STEP * min(distance(box, goal) for goal in boxes) for worth, boxes in goals if boxes),
                default=0.0,
            )
            self._potential[key] = found + (0.0 if own else 0.3 * self.kept.get(box, 0.0))
            found = self._potential[key]
        return float(found)

    def shots(self, weapon: str, box: int) -> list[tuple[float, int]]:
        """The enemies that a weapon reaches from a box: what range and cover make of each die, and its bases."""
        found = self._shots.get((weapon, box))
        if found is None:
            field = self._battle.field
            found = self._shots[weapon, box] = []
            for enemy in self.enemies:
                band = field.band[weapon, box, enemy.box]
                if band is not None and field.sight[box, enemy.box] is not None:
                    found.append((RANGE[band] * COVER[field.cover[box, enemy.box]], enemy.strength))
        return found

    def danger(self, box: int) -> float:
        """Bases that enemy fire may be expected to cost a unit in a box, if all who reach it shoot there."""
        found = self._danger.get(box)
        if found is None:
            field = self._battle.field
            found = 0.0
            for enemy in self.enemies:
                weapon = enemy.spec.weapon
                if not enemy.spec.fire_die or weapon in ("none", "rocket") or enemy.marks & {"broken", "wrecked"}:
                    continue
                band = field.band[weapon, enemy.box, box]
                if band is not None and not (enemy.mounted or field.sight[enemy.box, box] is None):
                    worth = RANGE[band] * COVER[field.cover[enemy.box, box]]
                    found += enemy.strength * (enemy.spec.fire_die + 1) / 2 * worth
            self._danger[box] = found = found / self._battle.book.settings.hits_per_base
        return found


RANGE = {"close": 2.0, "medium": 1.0, "long": 0.5}
COVER = {"none": 1.0, "soft": 0.5, "hard": 0.25}


# --- fire ----------------------------------------------------------------------------------------------------------------


def expected_loss(battle: Battle, unit: Unit, target: Unit) -> float:
    """Bases that a shot may be expected to cost its target, at most what there is."""
    dice = battle.book.rules.tally("fire_dice", fire_facts(battle, unit, target)).total
    hits = dice * (unit.spec.fire_die + 1) / 2 + target.hits
    return min(hits / battle.book.settings.hits_per_base, target.strength)


def shot_worth(battle: Battle, unit: Unit, target: Unit) -> Appraisal:
    loss = expected_loss(battle, unit, target)
    worth = loss * BASE * (1.3 if target.spec.troop in ("artillery", "machine_gun") else 1.0)
    if loss >= target.strength:
        worth += 0.5
    if "broken" in target.marks:
        worth *= 0.6
    risk = 0.0
    if "overheated" in unit.marks:
        risk = (unit.streak + 1) / 6 * unit.strength * BASE * 2
    return Appraisal(
        inflicts=worth, suffers=risk, reason=f"expect {loss:.1f} of {target.strength} bases off {target.spec.name}"[:80]
    )


def fire_at(situation: Situation, question: Choose) -> list[Appraisal]:
    battle = situation.battle
    unit = battle.unit(question.actor)
    return [
        shot_worth(battle, unit, battle.unit(option))
        if option in battle.units
        else Appraisal(reason="no shot worth taking")
        for option in question.options
    ]


def fire_with(situation: Situation, question: Choose) -> list[Appraisal]:
    battle = situation.battle
    found = []
    for option in question.options:
        unit = battle.units.get(str(option))
        if unit is None:
            found.append(NOTHING)
            continue
        loss = unit.strength * unit.spec.fire_die * BASE if unit.spec.fire_die else 1.0
        found.append(Appraisal(inflicts=loss, reason=f"{unit.spec.name} has {unit.strength} bases to fire"[:80]))
    return found


def rocket_at(situation: Situation, question: Choose) -> list[Appraisal]:
    battle, found = situation.battle, []
    for option in question.options:
        if not isinstance(option, int):
            found.append(Appraisal(reason="nothing worth a rocket"))
            continue
        worth = sum(
            (0.25 if unit.mounted else 0.15) * (1 if unit.spec.side != situation.side else -1.2)
            for unit in battle.in_box(option)
            if "broken" not in unit.marks
        )
        found.append(Appraisal(inflicts=worth, reason="one rocket in three comes down where it is aimed (VCC-098)"))
    return found


# --- moving ----------------------------------------------------------------------------------------------------------------


def move(situation: Situation, question: Choose) -> list[Appraisal]:
    battle = situation.battle
    unit = battle.unit(question.actor)
    outlook = situation.outlook()
    here = outlook.potential(unit, unit.box)
    return [_act_worth(situation, outlook, unit, here, option) for option in question.options]


def _act_worth(situation: Situation, outlook: Outlook, unit: Unit, here: float, option: Option) -> Appraisal:
    battle = situation.battle
    if isinstance(option, tuple):
        verb, what = option
        if verb == CHARGE:
            return charge_worth(battle, unit, battle.unit(what))
        assert verb == GO, "the two verbs of movement"
        gain = outlook.potential(unit, what) - here
        return _place_worth(situation, outlook, unit, what, gain, moved=True)
    if option == "leave the table":
        return Appraisal(ground=10.0, reason="the way out is open (VCC-057)")
    if option == "form square":
        near = _riders_near(outlook, unit)
        return Appraisal(
            ground=0.4 if near else -0.3, reason=f"{near} mounted enemies near: square has no flank (VCC-060)"
        )
    if option == "leave square":
        near = _riders_near(outlook, unit)
        return Appraisal(ground=-0.4 if near else 0.02, reason="nobody near to ride it down")
    if option == "dismount":
        fire = _best_fire(situation, outlook, unit, unit.box) if unit.spec.weapon != "none" else 0.0
        return Appraisal(inflicts=fire * 0.5, ground=-0.05, reason="dismounted men fire as infantry (VCC-024)")
    if option == "mount":
        fire = _best_fire(situation, outlook, unit, unit.box)
        return Appraisal(ground=0.15 if fire == 0 else -0.3, reason="no target in reach: ride on")
    if option == "lie down":
        return Appraisal(ground=-0.3, reason="lying down costs the next move (VCC-066)")
    if option == "get up":
        return Appraisal(ground=0.2, reason="up and on")
    return _place_worth(situation, outlook, unit, unit.box, 0.0, moved=False)


def _riders_near(outlook: Outlook, unit: Unit) -> int:
    return sum(enemy.mounted and outlook.grid.distance(enemy.box, unit.box) <= 3 for enemy in outlook.enemies)


def _place_worth(
    situation: Situation, outlook: Outlook, unit: Unit, box: int, gain: float, *, moved: bool
) -> Appraisal:
    fire = _best_fire(situation, outlook, unit, box)
    crewed = unit.troop in ("machine_gun", "rocket")
    inflicts = fire * BASE * (0.5 if moved else 1.0) * (0.2 if crewed and moved else 1.0)
    fear = FEAR if unit.spec.fire_die else FEAR * 0.3
    danger = outlook.danger(box)
    suffers = min(danger, unit.strength) * BASE * fear

    def reason() -> str:
        doing = f"to {outlook.grid.label(box)}, ground {gain:+.2f}" if moved else f"stands at {outlook.grid.label(box)}"
        return f"{doing}: fire {fire:.1f} bases, danger {danger:.1f}"

    return Appraisal(inflicts=inflicts, suffers=suffers, ground=gain, reason=reason)


def _best_fire(situation: Situation, outlook: Outlook, unit: Unit, box: int) -> float:
    """Bases that the unit's best shot from a box may be expected to cost, unmoved."""
    spec = unit.spec
    weapon = spec.weapon
    if not spec.fire_die or weapon in ("none", "rocket") or (unit.mounted and not spec.can_dismount):
        return 0.0
    bases = unit.strength * (spec.fire_die + 1) / 2 / situation.battle.book.settings.hits_per_base
    return max((min(factor * bases, float(there)) for factor, there in outlook.shots(weapon, box)), default=0.0)


def charge_worth(battle: Battle, unit: Unit, enemy: Unit) -> Appraisal:
    """The exchange to be expected: the enemy's volley on the way in, morale, then melee both ways (VCC-094, VCC-134)."""
    field, per_base = battle.field, battle.book.settings.hits_per_base
    flank = enemy.spec.troop != "wagon" and "square" not in enemy.marks and unit.box != enemy.box
    flank = flank and not field.front[enemy.facing, enemy.box, unit.box]
    volley = 0.0
    shoots = enemy.spec.weapon in ("musket", "rifle") and enemy.spec.fire_die and not enemy.mounted
    if shoots and "broken" not in enemy.marks:
        volley = (
            enemy.strength * 2 * (enemy.spec.fire_die + 1) / 2 / per_base * (0.5 if "prone" in enemy.marks else 1.0)
        )
    left = max(0.0, unit.strength - volley)
    steady = min(1.0, max(0.0, (left + (unit.spec.quality == "elite") - (unit.spec.quality == "raw")) / 6))
    mine = _blow(
        battle,
        unit,
        left,
        charging=True,
        flank=flank,
        enemy=enemy,
        uphill=field.level[unit.box] < field.level[enemy.box],
        cover=field.cover[unit.box, enemy.box],
    )
    theirs = _blow(
        battle, enemy, float(enemy.strength), charging=False, flank=False, enemy=unit, uphill=False, cover="none"
    )
    inflicts = min(mine / per_base, enemy.strength) * steady
    suffers = min(volley + theirs / per_base * steady, unit.strength)
    wavers = 1 - min(1.0, max(0.0, (enemy.strength - inflicts - 2 * flank) / 6))
    return Appraisal(
        inflicts=inflicts * BASE + 0.5 * wavers * steady,
        suffers=suffers * BASE * 0.8,
        ground=STEP,
        reason=lambda: f"charge {enemy.spec.name}: expect {inflicts:.1f} bases for {suffers:.1f}",
    )


def _blow(
    battle: Battle, unit: Unit, strength: float, *, charging: bool, flank: bool, enemy: Unit, uphill: bool, cover: str
) -> float:
    """Mean hits of a melee roll."""
    situation = MeleeFacts(
        bases=round(strength),
        quality=unit.spec.quality,  # type: ignore[arg-type]  # one of the three
        charging=charging,
        flank=flank,
        lancers=unit.spec.lancers and unit.mounted,
        enemy_broken="broken" in enemy.marks,
        mounted=unit.mounted,
        enemy_dervish_foot=enemy.spec.dervish_foot,
        broken="broken" in unit.marks,
        uphill=uphill,
        cover=cover,  # type: ignore[arg-type]  # one of the three
    )
    dice: int = battle.book.rules.tally("melee_dice", situation).total
    return dice * (unit.spec.melee_die + 1) / 2 if strength > 0 else 0.0


def move_with(situation: Situation, question: Choose) -> list[Appraisal]:
    """Shock troops first, so that charges land before others crowd the way; then the rest; never stop early."""
    found = []
    for option in question.options:
        unit = situation.battle.units.get(str(option))
        if unit is None:
            found.append(NOTHING)
            continue
        first = 2.0 if unit.is_line and not unit.spec.fire_die else 1.0
        found.append(Appraisal(ground=first, reason=f"{unit.spec.name} has its move to make"[:80]))
    return found


def face(situation: Situation, question: Choose) -> list[Appraisal]:
    """Towards the enemies who matter: near ones in the arc, weighed by distance."""
    battle = situation.battle
    unit = battle.unit(question.actor)
    field = battle.field
    weighed = [
        (enemy.box, 1.0 / (1.0 + float(field.grid.distance(unit.box, enemy.box)) ** 2)) for enemy in situation.enemies()
    ]
    found = []
    for option in question.options:
        if not isinstance(option, int):
            found.append(Appraisal(ground=-0.1, reason="a square has no front to aim"))
            continue
        seen = sum(weight for box, weight in weighed if field.front[option, unit.box, box])
        pivot = 0.15 if option != unit.facing and unit.troop in ("artillery", "machine_gun", "rocket") else 0.0
        found.append(Appraisal(ground=seen - pivot, reason="faces the nearest enemies (VCC-048)"))
    return found


# --- the rest -----------------------------------------------------------------------------------------------------------------


def retreat_to(situation: Situation, question: Choose) -> list[Appraisal]:
    outlook = situation.outlook()
    return [
        Appraisal(ground=-9.0, reason="off the table")
        if option == OFF_EDGE or not isinstance(option, int)
        else Appraisal(suffers=outlook.danger(option) * BASE, reason=f"danger {outlook.danger(option):.1f} bases")
        for option in question.options
    ]


def commander_to(situation: Situation, question: Choose) -> list[Appraisal]:
    """To the box where his +2 morale serves the most bases (VCC-143), out of the enemy's way."""
    battle, outlook = situation.battle, situation.outlook()
    found = []
    for option in question.options:
        assert isinstance(option, int), "boxes"
        own = battle.in_box(option, situation.side)
        need = sum(unit.strength * (2.0 if unit.marks & {"prone", "broken"} else 1.0) for unit in own)
        near = sum(outlook.grid.distance(option, enemy.box) <= 1 for enemy in outlook.enemies)
        worth = need * BASE * (1.0 + min(outlook.danger(option), 3.0) * 0.3)
        found.append(
            Appraisal(
                steadies=worth, suffers=0.0 if own else near * 1.0, reason=f"+2 morale for {len(own)} unit(s) (VCC-143)"
            )
        )
    return found


def attach(situation: Situation, question: Choose) -> list[Appraisal]:
    return [
        Appraisal(ground=0.1 if option == "alone" else 0.0, reason="alone nobody aims at him (VCC-163)")
        for option in question.options
    ]


def fight(situation: Situation, question: Choose) -> list[Appraisal]:
    battle = situation.battle
    found = []
    for option in question.options:
        enemy = battle.unit(str(option))
        found.append(
            Appraisal(
                inflicts=1.0 / (1 + enemy.strength), reason=f"{enemy.spec.name} has {enemy.strength} bases left"[:80]
            )
        )
    return found


def support(situation: Situation, question: Choose) -> list[Appraisal]:
    return [
        Appraisal(
            inflicts=0.0 if option == "nobody" else 0.5, reason="half its dice join in and it takes no hits (VCC-132)"
        )
        for option in question.options
    ]


def deploy_in(situation: Situation, question: Choose) -> list[Appraisal]:
    return [
        Appraisal(ground=1.0 if index == 0 else 0.0, reason="as the scenario suggests")
        for index in range(len(question.options))
    ]


JUDGEMENTS: dict[str, Callable[[Situation, Choose], list[Appraisal]]] = {
    "fire with": fire_with,
    "fire at": fire_at,
    "rocket at": rocket_at,
    "move with": move_with,
    "move": move,
    "face": face,
    "pivot to": face,
    "retreat to": retreat_to,
    "commander to": commander_to,
    "attach commander to": attach,
    "fight": fight,
    "support": support,
    "deploy in": deploy_in,
    "arrive in": deploy_in,
}
