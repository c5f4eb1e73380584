"""The odds that a player may want to see before he chooses: the very situation that will be thrown for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zareba.amounts import amount
from zareba.table import Choose, Confirm, Option, Question
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.charge import MEAN, enemy_of_charge, likely_bonus, run_home
from zareba_rulesets.risk_factor.command import GIVE, LINK, is_loyal
from zareba_rulesets.risk_factor.manoeuvre import nearest_first
from zareba_rulesets.risk_factor.marksmen import Figure
from zareba_rulesets.risk_factor.matching import Match, fighters, pair_off
from zareba_rulesets.risk_factor.melee import crosses, factor_of, find_fights
from zareba_rulesets.risk_factor.odds.action import ActionFacts
from zareba_rulesets.risk_factor.odds.command import PointsFacts
from zareba_rulesets.risk_factor.odds.melee import Kind, MeleeFightFacts
from zareba_rulesets.risk_factor.odds.shooting import ShotFacts, VolleyFacts
from zareba_rulesets.risk_factor.orders import CHARGE
from zareba_rulesets.risk_factor.paths import full_move
from zareba_rulesets.risk_factor.pushback import go_after, whom_to_follow
from zareba_rulesets.risk_factor.risk import RiskFacts, risk_facts
from zareba_rulesets.risk_factor.shooting import Aimed, aimed, men_in_reach
from zareba_rulesets.risk_factor.targets import may_use, picks_figures
from zareba_rulesets.risk_factor.weapons import action_table, missiles

__all__ = ["odds_before"]

LARGEST = 30  # men on a side of the odds
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


def _aims(
    battle: Battle, unit: Unit, target: Unit, man: int | None = None, among: frozenset[int] | None = None
) -> Iterator[tuple[str, Aimed, list[Any]]]:
    """Each weapon that reaches, but for shells: its title, what is aimed at, and the shots as facts tell them."""
    for weapon in missiles(battle, unit):
        aim = aimed(battle, unit, target, weapon, man, among) if may_use(battle, unit, weapon) else None
        entry, band = battle.book.weapons[weapon], battle.book.band
        if aim is not None and not entry.blast:
            yield entry.title, aim, [(s.weapon, s.unit.spec.troop_class, band(s.weapon, s.distance)) for s in aim.shots]


def _of_volley(battle: Battle, unit: Unit, target: Unit, among: frozenset[int]) -> list[Offer]:
    """One offer for each weapon that reaches. With split fire the second half are `among` the unit."""
    if picks_figures(battle, unit):
        return _of_the_only_man(battle, unit, target)
    found: list[Offer] = []
    for title, aim, shots in _aims(battle, unit, target, among=among):
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
        found.append((f"{amount(len(shots), 'shot')} with the {title}{others}", "volley", facts))
    return found


def _of_the_only_man(battle: Battle, character: Unit, target: Unit) -> list[Offer]:
    """The shot of a Player Character who can hit one man of a target only, and so is not asked which (RSK-087)."""
    usable = [weapon for weapon in missiles(battle, character) if may_use(battle, character, weapon)]
    men = {man for weapon in usable for man in men_in_reach(battle, character, target, weapon)}
    return _of_shot(battle, character, target, men.pop()) if len(men) == 1 else []


def _is_hurt(battle: Battle, figure: Figure) -> bool:
    return battle.units[figure[0]].hurt[figure[1]]


def _of_shot(battle: Battle, unit: Unit, target: Unit, man: int) -> list[Offer]:
    """The shot of a Player Character at one man, with each weapon that reaches him (RSK-087)."""
    return [
        (f"a shot with the {title}", "single_shot", ShotFacts(arm, troop_class, band, aim.cover, target.hurt[man]))
        for title, aim, ((arm, troop_class, band), *_) in _aims(battle, unit, target, man)
    ]


def _of_charge(battle: Battle, unit: Unit, enemy: Unit) -> list[Offer]:
    """The melee that a charge leads to, between those who will come to fight; none if nobody gets there.

    Friends who have been told to charge, or are bound to, run in as well, all in their order. Natives are taken to throw
    the mean, or what they need if that is more; friends the mean (RSK-137).
    """
    then = battle.copy()
    charger = then.units[unit.spec.id]
    charger.target = enemy.spec.id
    ordered = [own.spec.id for own in then.of(unit.spec.side) if own.target]
    for name in nearest_first(then, dict.fromkeys([*then.charging, *ordered])):
        own = then.units[name]
        foe = enemy_of_charge(then, own) if own.hurt and not then.touching(own) and not own.spec.support else None
        if foe is not None:
            bonus = likely_bonus(then, own, foe)
            bonus = bonus if own is charger else min(bonus, MEAN)
            if then.gap(own, foe).gap <= full_move(then, own) + bonus:
                run_home(then, own, foe, bonus)
    return _of_melee(then, charger, "melee")


def _of_following(battle: Battle, unit: Unit) -> list[Offer]:
    """The round that is fought in the next player turn when winners go after those who were pushed back (RSK-179, RSK-181)."""
    found = whom_to_follow(battle, unit, battle.against(unit.spec.side))
    if found is None:
        return []
    then = battle.copy()
    winner = then.units[unit.spec.id]
    go_after(then, winner, then.units[found[0].spec.id], found[1])
    for other in then.units.values():
        other.unmark("charged")
    winner.mark("charger")
    return _of_melee(then, winner, "the next round, if nobody goes")


def _of_melee(then: Battle, unit: Unit, title: str) -> list[Offer]:
    """The melee of a unit as it is going to stand: of men who are alike by their numbers, else match by match."""
    names = next((names for names in find_fights(then) if unit.spec.id in names), ())
    if not names:
        return []
    sides = fighters(then, [then.units[name] for name in names])
    ours, theirs = (sides[side][:LARGEST] for side in (unit.spec.side, then.enemy(unit.spec.side)))
    if not ours or not theirs:
        return []
    smaller, larger = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    pairs = pair_off(then, smaller, larger, larger is ours and "charged" in unit.marks)
    kinds = _kinds(then, pairs)
    hurt = [sum(_is_hurt(then, figure) for figure in side) for side in (ours, theirs)]
    men: dict[str, Any] = {"attackers_wounded": hurt[0], "defenders_wounded": hurt[1]}
    own, others = ({kinds[figure] for figure in side if figure in kinds} for side in (ours, theirs))
    if len(own) == len(others) == 1 and not any(crossing for *_, crossing, _ in others):
        for side, (raw, superior, factor, _, _) in (("attackers", *own), ("defenders", *others)):
            men |= {f"{side}_raw": raw, f"{side}_superior": superior, f"{side}_factor": factor}
        ((*_, crossing, _),), ((*_, routing),) = own, others
        men |= {"attackers_crossing": crossing, "defenders_routing": routing}
    else:
        men["mixed"] = tuple((kinds[pair.single], tuple(kinds[one] for one in pair.several)) for pair in pairs)
    facts = MeleeFightFacts(len(ours), len(theirs), **men)
    return [(f"{title}, {len(ours)} against {len(theirs)}", "melee", facts)]


def _kinds(battle: Battle, pairs: Sequence[Match]) -> dict[Figure, Kind]:
    """What counts in melee for every man who is matched (Table M)."""
    found: dict[Figure, Kind] = {}
    for pair in pairs:
        for man, opponents in ((pair.single, pair.several), *((other, [pair.single]) for other in pair.several)):
            unit = battle.units[man[0]]
            raw, routing = unit.spec.troop_class == "raw", unit.status == "routing"
            found[man] = (raw, unit.spec.is_superior, factor_of(battle, man), crosses(battle, man, opponents), routing)
    return found
