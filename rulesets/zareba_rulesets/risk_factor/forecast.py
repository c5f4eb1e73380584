"""The odds that a player may want to see before he chooses: the very situation that will be thrown for."""

from __future__ import annotations

from typing import Any

from zareba.table import Choose, Confirm, Option, Question
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.command import GIVE, LINK, is_loyal
from zareba_rulesets.risk_factor.marksmen import Figure
from zareba_rulesets.risk_factor.odds.action import ActionFacts
from zareba_rulesets.risk_factor.odds.command import PointsFacts
from zareba_rulesets.risk_factor.odds.melee import MeleeFightFacts
from zareba_rulesets.risk_factor.odds.shooting import ShotFacts, VolleyFacts
from zareba_rulesets.risk_factor.orders import CHARGE
from zareba_rulesets.risk_factor.pushback import follow_up_reach
from zareba_rulesets.risk_factor.risk import RiskFacts, risk_facts
from zareba_rulesets.risk_factor.shooting import aimed
from zareba_rulesets.risk_factor.targets import may_use, picks_figures
from zareba_rulesets.risk_factor.weapons import action_table, melee_factor, missiles

__all__ = ["odds_before"]

Offer = tuple[str, str, Any]
"""A title, a procedure and its facts."""


def odds_before(battle: Battle, question: Question, option: Option) -> list[Offer]:
    """The odds of what an option leads to: an Action throw under orders, a volley, a shot, a melee; else none."""
    if not isinstance(question, (Choose, Confirm)):
        return []
    unit = battle.units.get(question.actor)
    if unit is None or not unit.hurt:
        return []
    if isinstance(question, Confirm):
        return _of_following(battle, unit) if question.why == "follow up" and option is True else []
    if question.why == "command" and isinstance(option, tuple):
        return _of_command(battle, unit, option)
    if question.why == "shoot at" and option in battle.units:
        rest = frozenset(range(unit.count)).difference(question.about)
        return _of_volley(battle, unit, battle.units[str(option)], rest)
    if question.why == "pick a man":
        return _of_shot(battle, unit, battle.units[question.about[0]], int(str(option)))
    if question.why == "order" and isinstance(option, tuple) and option[0] == CHARGE:
        return _of_charge(battle, unit, battle.units[option[1]])
    return []


def _of_command(battle: Battle, character: Unit, option: tuple[Any, ...]) -> list[Offer]:
    """The Action throw of a group that is commanded; the points of a leader who is linked, for the group he is with."""
    other = battle.units[option[1]]
    if option[0] == GIVE:
        found = risk_facts(battle, other)
        conditions = {name: getattr(found, name) for name in RiskFacts.__dataclass_fields__}
        back = other.action in ("retreat", "rout")
        sheet: Any = action_table(battle, other)
        return [
            ("its Action throw", "action", ActionFacts(**conditions, table=sheet, commanded=True, falling_back=back))
        ]
    host = battle.host(other)
    if option[0] != LINK or other.spec.musician or host is None:
        return []
    by_officer = battle.book.settings.command_loyalty_via == "officer"
    points = PointsFacts(
        host.count,
        other.spec.troop_class,  # type: ignore[arg-type]  # the roster knows the three classes only
        "busy" in other.marks or bool(battle.touching(other)),
        is_loyal(battle, host.spec, character.spec if by_officer else other.spec),
        host.status == "routing",
    )
    return [(f"his points, for {host.spec.name}", "command_points", points)]


def _of_volley(battle: Battle, unit: Unit, target: Unit, among: frozenset[int]) -> list[Offer]:
    """One offer for each weapon that reaches; none for shells. With split fire the second half are `among` the unit."""
    if picks_figures(battle, unit):
        return []
    found: list[Offer] = []
    for weapon in missiles(battle, unit):
        aim = aimed(battle, unit, target, weapon, among=among) if may_use(battle, unit, weapon) else None
        entry = battle.book.weapons[weapon]
        if aim is None or entry.blast:
            continue
        shots: Any = [
            (s.weapon, s.unit.spec.troop_class, battle.book.band(s.weapon, s.distance)) for s in aim.shots
        ]  # Table W and the roster name these, and whoever is able is in reach
        alike = len({(arm, troop_class) for arm, troop_class, _ in shots}) == 1
        arm, troop_class, _ = shots[0]
        wounded = sum(_is_hurt(battle, figure) for figure in aim.victims())
        facts = VolleyFacts(
            shooters=len(shots),
            weapon=arm,
            troop_class=troop_class,
            cover=aim.cover,
            unhurt=len(aim.victims()) - wounded,
            wounded=wounded,
            bands=tuple(band for *_, band in shots) if alike else (),
            mixed=() if alike else tuple(shots),
        )
        others = " and other arms" if len({arm for arm, *_ in shots}) > 1 else ""
        found.append((f"{len(shots)} shots with the {entry.title}{others}", "volley", facts))
    return found


def _is_hurt(battle: Battle, figure: Figure) -> bool:
    return battle.units[figure[0]].hurt[figure[1]]


def _of_shot(battle: Battle, unit: Unit, target: Unit, index: int) -> list[Offer]:
    """The shot of a Player Character at one man, with each weapon that reaches him (RSK-087)."""
    found: list[Offer] = []
    for weapon in missiles(battle, unit):
        aim = aimed(battle, unit, target, weapon, index) if may_use(battle, unit, weapon) else None
        entry = battle.book.weapons[weapon]
        if aim is None or entry.blast:
            continue
        band = battle.book.band(weapon, aim.shots[0].distance)
        facts = ShotFacts(weapon, unit.spec.troop_class, band, aim.cover, target.hurt[index])  # type: ignore[arg-type]  # as above
        found.append((f"a shot with the {entry.title}", "single_shot", facts))
    return found


def _of_charge(battle: Battle, unit: Unit, enemy: Unit) -> list[Offer]:
    """A round of melee if every man of both comes to fight; the real number is known when they have run."""
    return [("melee, if all men come to fight", "melee", _melee_facts(battle, unit, enemy))]


def _of_following(battle: Battle, unit: Unit) -> list[Offer]:
    """The round that is fought in the next player turn when winners go after those who were pushed back (RSK-179, RSK-181)."""
    enemies = battle.within(unit, list(battle.against(unit.spec.side)), follow_up_reach(battle))
    found = battle.nearest(unit, enemies)
    if found is None:
        return []
    return [("the next round, if all men come to fight", "melee", _melee_facts(battle, unit, found[0]))]


def _melee_facts(battle: Battle, unit: Unit, enemy: Unit) -> MeleeFightFacts:
    a, b = unit.spec, enemy.spec
    return MeleeFightFacts(
        unit.count,
        enemy.count,
        a.troop_class == "raw",
        a.troop_class == "hero" or a.superior_melee,
        _factor(battle, unit),
        battle.field.barrier_between(unit.body.centre, enemy.body.centre),
        b.troop_class == "raw",
        b.troop_class == "hero" or b.superior_melee,
        _factor(battle, enemy),
        sum(unit.hurt),
        sum(enemy.hurt),
        enemy.status == "routing",
    )


def _factor(battle: Battle, unit: Unit) -> int:
    return 0 if "disarmed" in unit.marks else melee_factor(battle.book, unit.spec, bool(unit.armed and unit.armed[0]))
