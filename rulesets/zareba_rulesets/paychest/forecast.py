"""The odds that a player may ask before he takes an option (not a rule; the procedures of `zareba odds`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from zareba.amounts import amount, listed
from zareba.exact import dist
from zareba.space import Point
from zareba.space.bases import mean_centre
from zareba.table import Choose, Option, Question
from zareba_rulesets.paychest.allowances import factor, may_run, mover_of
from zareba_rulesets.paychest.battle import Battle, Engine
from zareba_rulesets.paychest.calls import Calls
from zareba_rulesets.paychest.contact import base_of
from zareba_rulesets.paychest.cover import covers_of, exposures
from zareba_rulesets.paychest.crews import servers
from zareba_rulesets.paychest.fire import Firer, groups_of, in_reach, may_fire, muzzles_of
from zareba_rulesets.paychest.firestep import readiness
from zareba_rulesets.paychest.gunnery import GunTarget, gun_facts, gun_groups
from zareba_rulesets.paychest.melee import ALL, contacts, pair_all
from zareba_rulesets.paychest.movement import movers
from zareba_rulesets.paychest.odds.fire import ShotFacts, VolleyFacts, VolleyLossesFacts
from zareba_rulesets.paychest.odds.guns import MachineGunFacts, ShellFacts, ShockFacts
from zareba_rulesets.paychest.odds.melee import MeleeFactsOfTwo
from zareba_rulesets.paychest.odds.morale import TargetLeaderFacts
from zareba_rulesets.paychest.odds.moves import MoveFacts
from zareba_rulesets.paychest.shooting import FireFacts, aim, ready_weapon
from zareba_rulesets.paychest.sight import box_of, view_of
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["odds_before", "volley_group"]

Asked = tuple[str, str, Any]
FIGHTS = 6
"""Fights of one melee step whose odds are told."""


def odds_before(battle: Battle, question: Question, option: Option) -> Sequence[Asked]:
    """What a move reaches, a volley, a single shot or a gun does, a melee comes to; as things stand now."""
    if not isinstance(question, Choose):
        return ()
    if question.why == "move" and option in ("advance", "run"):
        return _move(battle, battle.unit(question.actor), str(option), question.about)
    if question.why == "volley at" and isinstance(option, tuple):
        return _volley(battle, battle.unit(question.actor), option, question.about)
    if question.why == "fire at":
        return _single(battle, battle.figure(question.actor), battle.figure(str(option)))
    if question.why == "gun at" and isinstance(option, tuple):
        return _gun(battle, battle.engines[question.actor], option)
    if question.why == "melee" and option == ALL:
        pairs = pair_all(contacts(battle, battle.unit(question.actor)), battle.book.file.most_against_one.most)
        return [
            _fight(battle, battle.figure(foe), [battle.figure(man) for man in men])
            for foe, men in pairs.items()
            if len(men) < 3
        ][:FIGHTS]
    if question.why == "fights" and str(option).rpartition(".")[0] in battle.units:
        return [_fight(battle, battle.figure(str(option)), [battle.figure(question.actor)])]
    return ()


# --- moving -----------------------------------------------------------------------------------------------------------


def _move(battle: Battle, unit: Unit, gait: str, spent: Collection[Any]) -> list[Asked]:
    """Whether the man of the unit who is nearest to the enemy comes to grips, over open ground (PAY-071).

    `spent`: who has had his move.
    """
    foe = Calls(battle, unit).enemy
    enemy, base = (foe.at, base_of(battle, foe)) if foe is not None else (None, None)
    going = [figure for figure in movers(battle, unit) if figure.spec.id not in spent]
    if enemy is None or base is None or not going:
        return []
    man = min(going, key=lambda figure: dist(figure.at or enemy, enemy))
    away = max(0.0, dist(man.at or enemy, enemy) - battle.radius(man) - base)
    halved = factor(battle, man)
    runs = gait == "run" and may_run(battle, man)
    facts = MoveFacts(
        mover_of(battle, man),  # type: ignore[arg-type]  # one of the known movers
        advance_inches=0.0 if runs else away / halved,
        run_inches=away / halved if runs else 0.0,
    )
    return [(f"{man.spec.name} reaches the enemy {away:.1f} inches away", "move", facts)]


# --- fire -------------------------------------------------------------------------------------------------------------


class _Shot(NamedTuple):
    facts: FireFacts
    weapon: str
    inches: float


def _shots(battle: Battle, unit: Unit, firers: Sequence[Firer], targets: Sequence[Figure]) -> list[_Shot]:
    """The shot of each man who has a target figure in sight and range, as P5 works it out."""
    spots = [figure.at for figure in targets if figure.at is not None]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    muzzles = muzzles_of(battle, firers)
    view = view_of(battle, unit.spec.side, box_of(muzzles), (min(xs), min(ys), max(xs), max(ys)))
    covers = covers_of(battle, targets)
    found = []
    for firer in firers:
        facts = aim(battle, view, firer.figure, firer.weapon, targets, covers)
        if facts is not None:
            limits = dict(battle.book.bands[firer.weapon])
            found.append(_Shot(facts, firer.weapon, limits[facts.band]))
    return found


def _shot_facts(shot: _Shot) -> dict[str, Any]:
    """The shot in the words of the procedures: any distance within its band will do."""
    facts = shot.facts
    return {
        "skill": facts.skill,
        "inches": shot.inches,
        "weapon": shot.weapon,
        "gait": facts.gait,
        "cover": facts.cover,
        "arm_wounds": facts.arm_wounds + facts.recovered,
        "body_wounds": facts.body_wounds,
    }


def _deck(battle: Battle) -> dict[str, Any]:
    """The casualty deck as it stands."""
    pile = battle.casualties.pile
    drawn = [name for name, copies in battle.book.full_deck().items() for _ in range(copies - pile.get(name, 0))]
    return {"drawn": tuple(drawn) if pile else ()}


def volley_group(
    battle: Battle, unit: Unit, option: tuple[Any, ...], who: Collection[str]
) -> tuple[list[Firer], list[Figure]]:
    """Who fires in a volley, all of the group unless men are named, and the group at which it is aimed (PAY-094)."""
    able = readiness(battle, unit)
    firers = [f for f in (*able.group, *able.joining) if f.figure.spec.id in who] if who else able.group
    groups = groups_of(battle, in_reach(battle, unit, firers)) if firers else {}
    return firers, groups.get((option[0], option[1]), [])


def _volley(battle: Battle, unit: Unit, option: tuple[Any, ...], who: Collection[str]) -> list[Asked]:
    """One volley of the group, or of those named, leaders among them (PAY-094).

    With what it does where all shoot alike at fresh men who show as much to a card, else the hits of each sort of man.
    """
    firers, targets = volley_group(battle, unit, option, who)
    if not targets:
        return []
    counts: dict[_Shot, int] = {}
    for shot in _shots(battle, unit, firers, targets):
        counts[shot] = counts.get(shot, 0) + 1
    name = battle.unit(option[0]).spec.name
    exposure = _exposure_to_fire(battle, [firer.figure for firer in firers], targets)
    if len(counts) == 1 and _are_fresh(targets) and exposure:
        ((shot, men),) = counts.items()
        struck = _deck(battle) | {"exposure": exposure}
        facts = VolleyLossesFacts(**_shot_facts(shot), **struck, firers=men, group=len(targets))
        return [(f"{amount(men, 'shot')} at {len(targets)} of {name}", "volley_losses", facts)]
    return [
        (
            f"{amount(men, 'shot')} at {name}, {shot.facts.band} range",
            "volley",
            VolleyFacts(**_shot_facts(shot), firers=men, shots=1),
        )
        for shot, men in counts.items()
    ]


def _exposure_to_fire(battle: Battle, firers: Sequence[Figure], targets: Sequence[Figure]) -> str:
    """What shows of each of some men to a volley of small arms (PAY-188); "" where not all show the same."""
    spots = [figure.at for figure in firers if figure.at is not None]
    if battle.book.settings.exposure_check == "guns_only" or not spots:
        return "open"
    return _exposure(battle, mean_centre(spots), targets)


def _exposure(battle: Battle, at: Point, targets: Sequence[Figure]) -> str:
    """What shows of each of some men to a point, in the words of Table 7; "" where not all show the same."""
    found = set(exposures(battle, at, targets, covers_of(battle, targets)))
    return next((name for name, parts in battle.book.exposed.items() if {parts} == found), "")


def _are_fresh(figures: Iterable[Figure]) -> bool:
    return not any(figure.wounds for figure in figures)


def _single(battle: Battle, firer: Figure, target: Figure) -> list[Asked]:
    """A leader's shot at a man; if that man leads, with what his loss does to his unit (PAY-092, PAY-128)."""
    unit, enemy = battle.unit_of(firer), battle.unit_of(target)
    armed = next(
        (f for f in may_fire(battle, unit) if f.figure is firer), Firer(firer, ready_weapon(battle.book, firer))
    )
    shots = _shots(battle, unit, [armed], [target])
    if not shots:
        return []
    facts = _shot_facts(shots[0])
    if _would_shake(battle, enemy, target):
        kind: Any = enemy.spec.kind
        legs = target.wounds.count("leg_wound")
        struck = _deck(battle) | {"exposure": _exposure_to_fire(battle, [firer], [target])}
        struck |= {"leader_leg_wounds": legs, "leader_other_wounds": len(target.wounds) - legs}
        asked = TargetLeaderFacts(**facts, **struck, kind=kind)
        return [(f"a shot at {target.spec.name}, who leads {enemy.spec.name}", "shots_at_leader", asked)]
    return [(f"a shot at {target.spec.name}", "to_hit", ShotFacts(**facts))]


def _would_shake(battle: Battle, unit: Unit, target: Figure) -> bool:
    """Whether the loss of a man calls for a roll of his unit, of which others are left (PAY-128, PAY-132, PAY-135)."""
    leads = target.spec.id == unit.leader
    if battle.book.settings.leader_loss_scope == "any":
        leads = leads or battle.is_leader(target)
    return leads and target.spec.id not in unit.lost and not unit.rout and len(unit.able) > 1


def _gun(battle: Battle, engine: Engine, option: tuple[Any, ...]) -> list[Asked]:
    """One shot of a piece, and the cover shock of those who hide (PAY-172, PAY-179, PAY-189)."""
    target = gun_groups(battle, engine).get((option[0], option[1]))
    crew = servers(battle, engine)
    if target is None or not crew:
        return []
    facts = gun_facts(battle, engine, crew[0], target)
    if facts is None:
        return []
    asked = [_piece(battle, engine, option, target, facts)] if target.exposed else []
    hidden: dict[str, int] = {}
    for figure in target.hidden:
        hidden[figure.spec.unit] = hidden.get(figure.spec.unit, 0) + 1
    when = ", if it hits" if battle.book.settings.shock_trigger == "on_hit" else ""
    for name, count in hidden.items():
        kind: Any = battle.unit(name).spec.kind
        asked.append((f"{count} hidden of {battle.unit(name).spec.name}{when}", "cover_shock", ShockFacts(count, kind)))
    return asked


def _piece(battle: Battle, engine: Engine, option: tuple[Any, ...], target: GunTarget, facts: FireFacts) -> Asked:
    kind = facts.weapon
    shot: dict[str, Any] = {
        "skill": facts.skill,
        "inches": dict(battle.book.bands[kind])[facts.band],
        "group": len(target.exposed),
        "hidden": len(target.hidden),
        "gait": facts.gait,
        "arm_wounds": facts.arm_wounds + facts.recovered,
        "body_wounds": facts.body_wounds,
    }
    title = f"{engine.name} at {len(target.exposed)} of {battle.unit(option[0]).spec.name}"
    exposure = _exposure(battle, engine.at, target.exposed) if kind == "shell" and engine.at is not None else ""
    if not exposure and covers_of(battle, target.exposed) is not None:
        title += ", as if every card counted"
    if kind == "shell" and not _are_fresh(target.exposed):
        title += ", as if nobody had a wound"
    if kind == "machine_gun":
        one = bool(engine.first_ones)
        return title, "machine_gun", MachineGunFacts(**shot, shots=1, cover=facts.cover, first_one=one)
    return title, "shell", ShellFacts(**shot, **_deck(battle), exposure=exposure or "open")  # type: ignore[arg-type]


# --- melee ------------------------------------------------------------------------------------------------------------


def _fight(battle: Battle, foe: Figure, men: Sequence[Figure]) -> Asked:
    """One fight as man a against one or two: who stands alone is a."""
    if len(men) == 1:
        a, others = men[0], [foe]
    else:
        a, others = foe, list(men)
    facts: dict[str, Any] = {}
    for letter, figure in zip(("a", "b", "b2"), (a, *others), strict=False):
        facts[f"{letter}_skill"] = figure.spec.melee
        facts[f"{letter}_body_wounds"] = figure.wounds.count("body_wound")
        facts[f"{letter}_smashed_arms"] = figure.wounds.count("smashed_arm")
        facts[f"{letter}_back_turned"] = "back turned" in figure.marks
        facts[f"{letter}_lame"] = "lame" in figure.marks
        facts[f"{letter}_recovered"] = "recovered" in figure.marks
        facts[f"{letter}_unarmed"] = not figure.weapons
    title = f"{listed(f.spec.name for f in men)} against {foe.spec.name} of {battle.unit_of(foe).spec.name}"
    return title, "melee", MeleeFactsOfTwo(**facts)
