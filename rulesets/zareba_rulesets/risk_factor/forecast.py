"""The odds that a player may want to see before he chooses: the very situation that will be thrown for."""

from __future__ import annotations

from typing import Any

from zareba.table import Choose, Option, Question
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.command import GIVE, LINK, is_loyal
from zareba_rulesets.risk_factor.marksmen import Figure
from zareba_rulesets.risk_factor.odds.action import ActionFacts
from zareba_rulesets.risk_factor.odds.command import PointsFacts
from zareba_rulesets.risk_factor.odds.fight import MeleeFightFacts, ShotFacts, VolleyFacts
from zareba_rulesets.risk_factor.orders import CHARGE
from zareba_rulesets.risk_factor.risk import RiskFacts, risk_facts
from zareba_rulesets.risk_factor.shooting import aimed
from zareba_rulesets.risk_factor.targets import may_use, picks_figures
from zareba_rulesets.risk_factor.weapons import action_table, melee_factor, missiles

__all__ = ["odds_before"]

Offer = tuple[str, str, Any]
"""A title, a procedure and its facts."""


def odds_before(battle: Battle, question: Question, option: Option) -> list[Offer]:
    """The odds of what an option leads to: an Action throw under orders, a volley, a shot, a melee; else none."""
    if not isinstance(question, Choose):
        return []
    unit = battle.units.get(question.actor)
    if unit is None or not unit.hurt:
        return []
    if question.why == "command" and isinstance(option, tuple):
        return _of_command(battle, unit, option)
    if question.why == "shoot at" and option in battle.units:
        return _of_volley(battle, unit, battle.units[str(option)])
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
    points = PointsFacts(
        host.count,
        other.spec.troop_class,  # type: ignore[arg-type]  # the roster knows the three classes only
        "busy" in other.marks or bool(battle.touching(other)),
        is_loyal(battle, host.spec, other.spec),
        host.status == "routing",
    )
    return [(f"his points, for {host.spec.name}", "command_points", points)]


def _of_volley(battle: Battle, unit: Unit, target: Unit) -> list[Offer]:
    """One offer for each weapon that reaches; none for shells, nor where men of several classes or arms do it together."""
    if picks_figures(battle, unit):
        return []
    found: list[Offer] = []
    for weapon in missiles(battle, unit):
        aim = aimed(battle, unit, target, weapon) if may_use(battle, unit, weapon) else None
        entry = battle.book.weapons[weapon]
        if aim is None or entry.blast or len({(shot.unit.spec.troop_class, shot.weapon) for shot in aim.shots}) > 1:
            continue
        bands = tuple(battle.book.band(weapon, shot.distance) for shot in aim.shots)
        wounded = sum(_is_hurt(battle, figure) for figure in aim.victims())
        facts = VolleyFacts(
            shooters=len(aim.shots),
            weapon=weapon,  # type: ignore[arg-type]  # Table W names these
            troop_class=aim.shots[0].unit.spec.troop_class,  # type: ignore[arg-type]  # one of three
            cover=aim.cover,
            unhurt=len(aim.victims()) - wounded,
            wounded=wounded,
            bands=bands,  # type: ignore[arg-type]  # whoever is able is in reach
        )
        found.append((f"{len(aim.shots)} shots with the {entry.title}", "volley", facts))
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
    a, b = unit.spec, enemy.spec
    if enemy.status == "routing" or any(unit.hurt) or any(enemy.hurt):
        return []
    facts = MeleeFightFacts(
        unit.count,
        enemy.count,
        a.troop_class == "raw",
        a.troop_class == "hero" or a.superior_melee,
        _factor(battle, unit),
        battle.field.barrier_between(unit.body.centre, enemy.body.centre),
        b.troop_class == "raw",
        b.troop_class == "hero" or b.superior_melee,
        _factor(battle, enemy),
    )
    return [("melee, if all men come to fight", "melee", facts)]


def _factor(battle: Battle, unit: Unit) -> int:
    return 0 if "disarmed" in unit.marks else melee_factor(battle.book, unit.spec, bool(unit.armed and unit.armed[0]))
