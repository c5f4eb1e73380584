"""The odds that a player may ask before he takes an option (not a rule; the procedures of `zareba odds`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

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
from zareba_rulesets.paychest.odds import fire, guns
from zareba_rulesets.paychest.odds.melee import MEN, MeleeFactsOfTwo
from zareba_rulesets.paychest.odds.morale import LeaderFacts, ShockFacts
from zareba_rulesets.paychest.odds.moves import MoveFacts
from zareba_rulesets.paychest.odds.stage import facts_of
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
    why, actor = question.why, question.actor
    if why == "move" and option in ("advance", "run"):
        return _move(battle, battle.unit(actor), str(option), question.about)
    if why == "volley at" and isinstance(option, tuple):
        return _volley(battle, battle.unit(actor), option, question.about)
    if why == "fire at":
        return _single(battle, battle.figure(actor), battle.figure(str(option)))
    if why == "gun at" and isinstance(option, tuple):
        return _gun(battle, battle.engines[actor], option)
    if why == "melee" and option == ALL:
        reach = contacts(battle, battle.unit(actor))
        return _fights(battle, reach, pair_all(reach, battle.book.file.most_against_one.most))
    if why == "fights" and str(option).rpartition(".")[0] in battle.units:
        return _fights(battle, contacts(battle, battle.unit_of(battle.figure(actor))), {str(option): [actor]})
    return ()


def _if_lost(battle: Battle, figures: Iterable[Figure]) -> list[Asked]:
    """What the loss of each leader among some men would do to his unit."""
    return [
        (f"{unit.spec.name} if {figure.spec.name} is lost", "leader_loss", LeaderFacts(unit.spec.kind))  # type: ignore[arg-type]  # one of the two
        for figure in figures
        if _would_shake(battle, unit := battle.unit_of(figure), figure)
    ]


def _would_shake(battle: Battle, unit: Unit, target: Figure) -> bool:
    """Whether the loss of a man calls for a roll of his unit (PAY-128, PAY-132, PAY-135)."""
    leads = target.spec.id == unit.leader
    if battle.book.settings.leader_loss_scope == "any":
        leads = leads or battle.is_leader(target)
    return leads and target.spec.id not in unit.lost and not unit.rout and not unit.spec.single


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
    reach = "run_inches" if gait == "run" and may_run(battle, man) else "advance_inches"
    facts = MoveFacts(mover_of(battle, man), **{reach: away / factor(battle, man)})  # type: ignore[arg-type]  # a known mover
    return [(f"{man.spec.name} reaches the enemy {away:.1f} inches away", "move", facts)]


# --- fire -------------------------------------------------------------------------------------------------------------


def _shot_facts(battle: Battle, shot: FireFacts, weapon: str) -> dict[str, Any]:
    """A shot in the words of the procedures: any distance within its band will do."""
    known = ("skill", "gait", "arm_wounds", "body_wounds")
    inches = dict(battle.book.bands[weapon])[shot.band]
    return {name: getattr(shot, name) for name in known} | {"inches": inches, "recovered": bool(shot.recovered)}


def _shots(battle: Battle, unit: Unit, firers: Sequence[Firer], targets: Sequence[Figure]) -> Counter[fire.ShotFacts]:
    """The shots of the men who have a target figure in sight and range, as P5 works them out."""
    xs, ys = zip(*[figure.at for figure in targets if figure.at is not None], strict=True)
    view = view_of(battle, unit.spec.side, box_of(muzzles_of(battle, firers)), (min(xs), min(ys), max(xs), max(ys)))
    covers = covers_of(battle, targets)
    shots = [(aim(battle, view, man, weapon, targets, covers), weapon) for man, weapon in firers]
    return Counter(
        fire.ShotFacts(**_shot_facts(battle, shot, weapon), weapon=weapon, cover=shot.cover)  # type: ignore[arg-type]  # a known one
        for shot, weapon in shots
        if shot is not None
    )


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
    shots = _shots(battle, unit, firers, targets)
    name, lost = battle.unit(option[0]).spec.name, _if_lost(battle, targets)
    exposure = _exposure_to_fire(battle, [firer.figure for firer in firers], targets)
    if len(shots) == 1 and not any(figure.wounds for figure in targets) and exposure:
        ((shot, men),) = shots.items()
        struck = _deck(battle) | {"exposure": exposure, "firers": men, "group": len(targets)}
        facts = fire.VolleyLossesFacts(**vars(shot), **struck)
        return [(f"{amount(men, 'shot')} at {len(targets)} of {name}", "volley_losses", facts), *lost]
    return [
        (
            f"{amount(men, 'shot')} at {name}, {battle.book.band(shot.weapon, shot.inches)} range",
            "volley",
            fire.VolleyFacts(**vars(shot), firers=men, shots=1),
        )
        for shot, men in shots.items()
    ] + lost


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


def _single(battle: Battle, firer: Figure, target: Figure) -> list[Asked]:
    """A leader's shot at a man; if that man leads, with what his loss does to his unit (PAY-092, PAY-128)."""
    unit, enemy = battle.unit_of(firer), battle.unit_of(target)
    armed = next(
        (f for f in may_fire(battle, unit) if f.figure is firer), Firer(firer, ready_weapon(battle.book, firer))
    )
    for shot in _shots(battle, unit, [armed], [target]):
        if not _would_shake(battle, enemy, target):
            return [(f"a shot at {target.spec.name}", "to_hit", shot)]
        struck = _deck(battle) | {"exposure": _exposure_to_fire(battle, [firer], [target]), "kind": enemy.spec.kind}
        facts = fire.TargetLeaderFacts(**vars(shot), **struck, **facts_of(target, fire.TargetLeaderFacts, "leader_"))
        return [(f"a shot at {target.spec.name}, who leads {enemy.spec.name}", "shots_at_leader", facts)]
    return []


def _gun(battle: Battle, engine: Engine, option: tuple[Any, ...]) -> list[Asked]:
    """One shot of a piece, and the cover shock of those who hide (PAY-172, PAY-179, PAY-189)."""
    target = gun_groups(battle, engine).get((option[0], option[1]))
    crew = servers(battle, engine)
    shot = gun_facts(battle, engine, crew[0], target) if target is not None and crew else None
    if target is None or shot is None:
        return []
    asked = [_piece(battle, engine, battle.unit(option[0]).spec.name, target, shot), *_if_lost(battle, target.exposed)]
    when = ", if it hits" if battle.book.settings.shock_trigger == "on_hit" else ""
    for name, count in Counter(figure.spec.unit for figure in target.hidden).items():
        unit = battle.unit(name).spec
        asked.append((f"{count} hidden of {unit.name}{when}", "cover_shock", ShockFacts(count, unit.kind)))  # type: ignore[arg-type]  # one of the two
    return asked


def _piece(battle: Battle, engine: Engine, name: str, target: GunTarget, shot: FireFacts) -> Asked:
    """The shot itself; its hits alone where all hide."""
    men = target.exposed
    known = _shot_facts(battle, shot, shot.weapon) | {"group": len(men), "hidden": len(target.hidden)}
    title = f"{engine.name} at {len(men)} of {name}" if men else f"{engine.name} at {name}, all of whom hide"
    is_shell, exposure = shot.weapon == "shell", ""
    if is_shell and engine.at is not None and men:
        exposure = _exposure(battle, engine.at, men)
    if not exposure and covers_of(battle, men) is not None:
        title += ", as if every card counted"
    if is_shell and any(figure.wounds for figure in men):
        title += ", as if nobody had a wound"
    if not is_shell:
        seen = {"cover": shot.cover, "first_one": bool(engine.first_ones), "shots": 1}
        return title, "machine_gun", guns.MachineGunFacts(**known | seen)
    facts = guns.ShellFacts(**known, **_deck(battle), exposure=exposure or "open")  # type: ignore[arg-type]  # one of Table 7
    return title, "shell" if men else "shell_hits", facts


# --- melee ------------------------------------------------------------------------------------------------------------


def _fights(battle: Battle, reach: dict[str, list[str]], pairs: dict[str, list[str]]) -> list[Asked]:
    """The fights of some men, and what the loss of leaders who may be drawn into them would do."""
    fights = [
        _fight(battle, battle.figure(foe), [battle.figure(man) for man in men])
        for foe, men in pairs.items()
        if len(men) < len(MEN)
    ]
    near = dict.fromkeys(name for man, foes in reach.items() for name in (man, *foes))
    return [*fights[:FIGHTS], *_if_lost(battle, map(battle.figure, near))]


def _fight(battle: Battle, foe: Figure, men: Sequence[Figure]) -> Asked:
    """One fight as man a against one or two: who stands alone is a."""
    sides = [*men, foe] if len(men) == 1 else [foe, *men]
    known = [facts_of(man, MeleeFactsOfTwo, f"{letter}_") for letter, man in zip(MEN, sides, strict=False)]
    title = f"{listed(f.spec.name for f in men)} against {foe.spec.name} of {battle.unit_of(foe).spec.name}"
    return title, "melee", MeleeFactsOfTwo(**{name: said for one in known for name, said in one.items()})
