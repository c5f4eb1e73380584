"""The odds worth seeing before a choice is made, from the very facts that the dice will be thrown for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zareba.amounts import amount
from zareba.exact import hypot
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Question
from zareba_rulesets.fixed_baynet.aiming import firers, target_figures
from zareba_rulesets.fixed_baynet.artillery import aims_of_gun, ammunition_of, building_facts, gun_facts, strays_always
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.building_damage import house_shots, room_behind
from zareba_rulesets.fixed_baynet.bursts import SHELL, Impact, rolls_of, struck_by
from zareba_rulesets.fixed_baynet.cavalry import riders
from zareba_rulesets.fixed_baynet.charges import chargers, home_spot, in_order
from zareba_rulesets.fixed_baynet.close_combat import FightFacts, fight_facts, foe_before, strikers
from zareba_rulesets.fixed_baynet.counter_attack import NONE, may_answer
from zareba_rulesets.fixed_baynet.fire import ShotFacts, turn_to
from zareba_rulesets.fixed_baynet.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.gun_targets import duel_facts, planned_gun_shots
from zareba_rulesets.fixed_baynet.machine_guns import salvo_aims
from zareba_rulesets.fixed_baynet.mounted_charges import charge_spot
from zareba_rulesets.fixed_baynet.odds.artillery import BurstFacts, DeviationFacts
from zareba_rulesets.fixed_baynet.odds.buildings import BuildingFacts, DoorFacts
from zareba_rulesets.fixed_baynet.odds.fire import AnswerFacts, ExchangeFacts, aim_of
from zareba_rulesets.fixed_baynet.odds.glory import CheckFacts
from zareba_rulesets.fixed_baynet.odds.machine_guns import MachineGunFacts
from zareba_rulesets.fixed_baynet.odds.melee import melee_of
from zareba_rulesets.fixed_baynet.options import is_act, menu_of
from zareba_rulesets.fixed_baynet.ranges import chest_sign
from zareba_rulesets.fixed_baynet.sight import scene_of, stand_point
from zareba_rulesets.fixed_baynet.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.volley_forecast import planned_shot, volley_odds

__all__ = ["odds_before"]

Forecast = tuple[str, str, Any]


def odds_before(battle: Battle, question: Question, option: Option) -> Sequence[Forecast]:
    """(title, procedure, facts) of what an option is about to throw; nothing that tells a range to be guessed (FBN-006)."""
    if isinstance(question, Confirm):
        return _answer(battle, question.actor, *question.about) if question.why == "answer" and option is True else ()
    if not isinstance(question, Choose):
        return ()
    if is_act(question.why):
        unit = battle.units[question.actor]
        if question.why == "act":
            acts = menu_of(battle, unit).of(option)
            if len(acts) > 1:
                return ()
            (option,) = acts
        verb = option[0] if isinstance(option, tuple) else option
        tell = ACTS.get(str(verb))
        if tell is None:
            return ()
        return tell(battle, unit, *(option[1:] if isinstance(option, tuple) else ()))
    if question.why in ("aim at", "strike"):
        return _one_man(battle, question.why, question.actor, str(option))
    if question.why == "aim the gun at":
        key, _, number = question.actor.rpartition(" ")
        unit, home = battle.units[key], battle.home(str(option))
        gun = unit.guns[int(number) - 1]
        return [] if home is None else _round_at(battle, unit, gun, home, home.figures[str(option)])
    if question.why == "counter-attack" and option != NONE and len(question.about) == 2:
        return _answer(battle, *question.about)
    return ()


def counted(found: Sequence[Any]) -> dict[Any, int]:
    """How often each thing is there, in order."""
    counts: dict[Any, int] = {}
    for one in found:
        counts[one] = counts.get(one, 0) + 1
    return counts


# --- small arms ----------------------------------------------------------------------------------------------------------


def _fire(battle: Battle, unit: Unit, target_id: str) -> list[Forecast]:
    return volley_odds(battle, unit, battle.units[target_id])


def _fire_at_gun(battle: Battle, unit: Unit, home: str, number: int) -> list[Forecast]:
    gun = battle.units[home].guns[number]
    shots = [facts for _, facts in planned_gun_shots(battle, unit, gun, firers(battle, unit, home))]
    return [
        (f"{amount(count, 'shot')} at the piece, {facts.band} range", "shot", facts)
        for facts, count in counted(shots).items()
    ]


def _fire_at_house(battle: Battle, unit: Unit, house: str) -> list[Forecast]:
    shots = house_shots(battle, unit, house, firers(battle, unit, house))
    inside = len(room_behind(battle, house, stand_point(battle, shots[0][0]))) if shots else 0
    return [
        (
            f"{amount(count, 'shot')} at {facts.band} range",
            "building",
            _building(battle, house, facts, count, damage, inside),
        )
        for (facts, damage), count in counted([(facts, damage) for _, facts, damage in shots]).items()
    ]


def _building(battle: Battle, name: str, facts: ShotFacts, shots: int, damage: int, inside: int) -> BuildingFacts:
    house, numbers = battle.field.buildings[name], battle.book.file.damage_points
    full = house.row.cv - numbers.minus + numbers.per_section * house.size
    return BuildingFacts(
        material="wooden_building" if house.row is battle.book.terrain["wooden_building"] else "stone_building",
        sections=house.size,
        lost=max(0, full - battle.houses[name].points),
        shots=shots,
        damage=damage,
        band=facts.band,
        cs=facts.cs,
        saddle=facts.saddle,
        dark=facts.dark,
        sniper=facts.sniper,
        occupants=min(60, inside),
    )


def _one_man(battle: Battle, why: str, actor: str, aim: str) -> list[Forecast]:
    """One man's shot or blow at one man; a soldier who may answer with his answer (FBN-096)."""
    unit, target = battle.home(actor), battle.home(aim)
    if unit is None or target is None:
        return []
    figure, man = unit.figures[actor], target.figures[aim]
    if why == "strike":
        return _blows([_meeting(battle, unit, figure, target, man)])
    (x, y), (tx, ty) = stand_point(battle, figure), stand_point(battle, man)
    facts = planned_shot(
        battle, figure, target, man, scene_of(battle, (min(x, tx), min(y, ty), max(x, tx), max(y, ty)))
    )
    title = f"a shot at {man.spec.name}, {facts.band} range"
    if man.spec.leads:
        return [(title, "hero_shot", facts)]
    draft = battle.aside(unit.spec.id)
    shooter = draft.units[unit.spec.id].figures[actor]
    rise_to_attack(shooter)  # who fires lying down shows himself (FBN-054, FBN-168)
    if battle.book.settings.counter_attack == "wounded" and may_answer(draft, target, man, shooter):
        skill = man.spec.cs + chest_sign(battle, man)
        exchange = ExchangeFacts(**aim_of(facts), firer_ds=figure.spec.ds, target_cs=skill)
        return [(f"{title}, and his answer", "exchange", exchange)]
    return [(title, "shot", facts)]


def _answer(battle: Battle, figure_id: str, foe_id: str) -> list[Forecast]:
    unit, foe = battle.home(figure_id), battle.specs.get(foe_id)
    if unit is None or foe is None:
        return []
    figure = unit.figures[figure_id]
    facts = AnswerFacts(figure.spec.cs + chest_sign(battle, figure), foe.ds)
    return [(f"{figure.spec.name} answers {foe.name}", "counter_attack", facts)]


# --- hand to hand ---------------------------------------------------------------------------------------------------------


def _meeting(battle: Battle, unit: Unit, figure: Figure, home: Unit, foe: Figure) -> tuple[FightFacts, FightFacts]:
    return fight_facts(battle, unit, figure, foe, True), fight_facts(battle, home, foe, figure, False)


def _blows(fights: Sequence[tuple[FightFacts, FightFacts]]) -> list[Forecast]:
    return [
        (f"{amount(count, 'blow')}, each", "close_combat", melee_of(attacker, defender))
        for (attacker, defender), count in counted(fights).items()
    ]


def _fight(battle: Battle, unit: Unit) -> list[Forecast]:
    """Every man's blow, those alike together (FBN-104)."""
    fights = []
    for figure in strikers(battle, unit):
        foe = foe_before(battle, unit, figure)
        home = None if foe is None else battle.home(foe.spec.id)
        if foe is not None and home is not None:
            fights.append(_meeting(battle, unit, figure, home, foe))
    return _blows(fights)


def _after_charge(battle: Battle, unit: Unit, target: Unit, man: Figure, spot: Point) -> list[Forecast]:
    """The first blow of a man who has got home, as if he stood there now."""
    draft = battle.aside(unit.spec.id)
    here, there = draft.units[unit.spec.id], draft.units[target.spec.id]
    runner = here.figures[man.spec.id]
    turn_to(runner, spot)
    draft.put(runner, *spot)
    struck = min(there.figures.values(), key=lambda foe: hypot(foe.x - spot[0], foe.y - spot[1]))
    facts = melee_of(*_meeting(draft, here, runner, there, struck))
    return [(f"a blow of {man.spec.name} once he is home", "close_combat", facts)]


def _charge(battle: Battle, unit: Unit, target_id: str) -> list[Forecast]:
    target = battle.units[target_id]
    for man in in_order(chargers(battle, unit), target):
        spot = home_spot(battle, unit, man, target)
        if spot is not None:
            return _after_charge(battle, unit, target, man, spot)
    return []


def _ride_down(battle: Battle, unit: Unit, target_id: str, gait: int) -> list[Forecast]:
    target = battle.units[target_id]
    for man in in_order(riders(battle, unit), target):
        spot = charge_spot(battle, unit, man, target, gait)
        if spot is not None:
            return _after_charge(battle, unit, target, man, spot)
    return []


# --- guns -----------------------------------------------------------------------------------------------------------------


def _gun_fire(battle: Battle, unit: Unit, number: int, target_id: str) -> list[Forecast]:
    """The aim, and for a shell that hits the others under its marker (FBN-215, FBN-217)."""
    gun = unit.guns[number]
    man = next(aims_of_gun(battle, unit, gun, battle.units[target_id]), None)
    return [] if man is None else _round_at(battle, unit, gun, battle.units[target_id], man)


def _round_at(battle: Battle, unit: Unit, gun: Gun, target: Unit, man: Figure) -> list[Forecast]:
    if strays_always(battle, gun):
        return _astray(gun)
    aim = gun_facts(battle, unit, gun, target, man)
    return [(f"the round at {man.spec.name}", "gun_aim", aim), *_under(battle, unit, gun, man.at, man)]


def _under(battle: Battle, unit: Unit, gun: Gun, at: Point, spared: Figure | None) -> list[Forecast]:
    """Who else is under a shell that comes down at a point, those alike together (FBN-217)."""
    if SHELL not in ammunition_of(gun):
        return []
    caught, rolls = struck_by(battle, gun, SHELL, Impact(*at), spared), rolls_of(battle, gun)
    groups = counted([(home.spec.side == unit.spec.side, one.spec.leads, facts) for home, one, facts in caught])
    found: list[Forecast] = []
    for (friends, leader, facts), count in groups.items():
        named = {name: getattr(facts, name) for name in type(facts).__dataclass_fields__}
        who = ("friends" if friends else "others") + (" who lead" if leader else "")
        blast = BurstFacts(**named, men=count, rolls=rolls, leader=leader)
        found.append((f"a shell that hits: {count} {who} under it", "burst", blast))
    return found


def _astray(gun: Gun) -> list[Forecast]:
    """A piece that always deviates hits what it is aimed at by luck alone (FBN-219), and farther off on a 1 (FBN-220)."""
    found: list[Forecast] = []
    for ammunition in ammunition_of(gun):
        facts = DeviationFacts(ammunition)  # type: ignore[arg-type]  # one of the two
        found.append((f"where the {ammunition} comes down, unless the D12 is a 1", "deviation", facts))
    return found


def _gun_at_gun(battle: Battle, unit: Unit, number: int, home: str, other: int) -> list[Forecast]:
    if strays_always(battle, unit.guns[number]):
        return _astray(unit.guns[number])
    gun, piece = unit.guns[number], battle.units[home].guns[other]
    facts = duel_facts(battle, unit, gun, piece)
    round_at = f"the round at the piece, {facts.band} range"
    return [(round_at, "gun_aim", facts), *_under(battle, unit, gun, piece.at, None)]


def _gun_at_house(battle: Battle, unit: Unit, number: int, house: str) -> list[Forecast]:
    if strays_always(battle, unit.guns[number]):
        return _astray(unit.guns[number])
    facts = building_facts(battle, unit, unit.guns[number], house)
    return [(f"the round at the building, {facts.band} range", "gun_aim", facts)]


def _salvo(battle: Battle, unit: Unit, number: int, target_id: str) -> list[Forecast]:
    """Six shots like the first (FBN-229), after the jam die if it has not been thrown this turn (FBN-232)."""
    gun, target = unit.guns[number], battle.units[target_id]
    men = list(salvo_aims(battle, unit, gun, target))
    if not men:
        return []
    shot = aim_of(gun_facts(battle, unit, gun, target, men[0]))
    hidden_by_others = battle.book.settings.figures_block_los  # they come in sight as those fall (FBN-078)
    count = len(target_figures(battle, unit.spec.side, target)) if hidden_by_others else len(men)
    facts = MachineGunFacts(**shot, salvos=1, men=count, jam_die=not gun.jam, leader=men[0].spec.leads)
    return [(f"a salvo at {target.spec.name}, {facts.band} range", "machine_gun", facts)]


def _salvo_at_house(battle: Battle, unit: Unit, number: int, house: str) -> list[Forecast]:
    """Six shots at the wall, if the gun does not jam (FBN-229, FBN-247)."""
    gun = unit.guns[number]
    facts, inside = building_facts(battle, unit, gun, house), len(room_behind(battle, house, gun.at))
    kind, shots = battle.book.guns[gun.kind], battle.book.file.salvo.shots
    walls = _building(battle, house, facts, shots, kind.multiple, inside)
    return [(f"{amount(shots, 'shot')} at {facts.band} range", "building", walls)]


# --- others ---------------------------------------------------------------------------------------------------------------


def _check(battle: Battle, unit: Unit) -> list[Forecast]:
    worst = max(unit.steady, key=lambda figure: figure.gl)
    return [("the worst of its men", "glory_check", CheckFacts(worst.spec.gl, worst.gl))]


def _bash(battle: Battle, unit: Unit, man: str, door: str) -> list[Forecast]:
    figure = unit.figures[man]
    return [(f"{figure.spec.name} at the door", "door", DoorFacts(figure.spec.cs + chest_sign(battle, figure)))]


ACTS: dict[str, Callable[..., list[Forecast]]] = {
    "fire": _fire,
    "fire at gun": _fire_at_gun,
    "fire at house": _fire_at_house,
    "fight": _fight,
    "charge": _charge,
    "ride down": _ride_down,
    "gun fire": _gun_fire,
    "gun at gun": _gun_at_gun,
    "gun at house": _gun_at_house,
    "salvo": _salvo,
    "salvo at house": _salvo_at_house,
    "check glory": _check,
    "bash": _bash,
}
