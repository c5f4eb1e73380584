"""The odds worth seeing before a choice is made: what it does, run in the battle as it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from zareba.amounts import amount
from zareba.memento import detached
from zareba.odds import Situation
from zareba.space.bearings import bearing
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Question, Table
from zareba_rulesets.fixed_baynet.aiming import aim_at, firers, target_figures
from zareba_rulesets.fixed_baynet.artillery import aims_of_gun, ammunition_of, building_facts, gun_facts, strays_always
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.building_damage import house_shots, room_behind
from zareba_rulesets.fixed_baynet.bursts import SHELL, Impact, rolls_of, struck_by
from zareba_rulesets.fixed_baynet.cavalry import riders
from zareba_rulesets.fixed_baynet.charges import chargers, home_spot, in_order
from zareba_rulesets.fixed_baynet.close_combat import blow, fight_facts, foe_before, strikers
from zareba_rulesets.fixed_baynet.counter_attack import NONE, may_answer
from zareba_rulesets.fixed_baynet.fire import ShotFacts, shot_facts
from zareba_rulesets.fixed_baynet.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.gun_targets import duel_facts, planned_gun_shots
from zareba_rulesets.fixed_baynet.machine_guns import salvo_aims
from zareba_rulesets.fixed_baynet.mounted_charges import charge_spot
from zareba_rulesets.fixed_baynet.odds.artillery import BurstFacts, DeviationFacts, aimed, round_of, strayed
from zareba_rulesets.fixed_baynet.odds.buildings import BuildingFacts, DoorFacts, is_open, shots_at_wall
from zareba_rulesets.fixed_baynet.odds.fire import (  # fmt: skip
    AnswerFacts,
    ExchangeFacts,
    ExchangeOutcome,
    HeroOutcome,
    ShotOutcome,
    aim_of,
    answered,
    one_shot,
    volley_of,
)
from zareba_rulesets.fixed_baynet.odds.glory import CheckFacts, check_of
from zareba_rulesets.fixed_baynet.odds.machine_guns import MachineGunFacts, salvo_of
from zareba_rulesets.fixed_baynet.odds.melee import blow_of
from zareba_rulesets.fixed_baynet.odds.stage import does, passive
from zareba_rulesets.fixed_baynet.openings import Openings
from zareba_rulesets.fixed_baynet.options import is_act, menu_of
from zareba_rulesets.fixed_baynet.panic import panicking_first
from zareba_rulesets.fixed_baynet.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.sight import Scene, joint_box, range_between, scene_of, stand_point
from zareba_rulesets.fixed_baynet.units import Figure, Gun, Unit

__all__ = ["odds_before"]

Forecast = tuple[str, str, Any]


def odds_before(battle: Battle, question: Question, option: Option) -> Sequence[Forecast]:
    """(title, procedure, facts) of what an option is about to throw; nothing that tells a range to be guessed (FBN-006).

    What is done there is run in the battle as it stands.
    """
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
        verb, *rest = option if isinstance(option, tuple) else (option,)
        return ACTS[str(verb)](battle, unit, *rest) if str(verb) in ACTS else ()
    if question.why in ("aim at", "strike"):
        return _one_man(battle, question.why, question.actor, str(option))
    if question.why == "aim the gun at":
        key, _, number = question.actor.rpartition(" ")
        home = battle.home(str(option))
        return [] if home is None else _round_at(battle, battle.units[key], int(number) - 1, home, str(option))
    if question.why == "counter-attack" and option != NONE and len(question.about) == 2:
        return _answer(battle, *question.about, volley=True)
    return ()


def _now(battle: Battle) -> Callable[[], Battle]:
    """The battle as it stands, whatever the step under way does with it meanwhile."""
    kept: Battle = detached(battle)
    return kept.copy


def _alone(battle: Battle, unit: Unit, figure: Figure) -> Callable[[], Battle]:
    """The battle as it stands, where of a unit only this man can act."""

    now = _now(battle)

    def start() -> Battle:
        draft = now()
        for other in draft.units.change(unit.spec.id).figures.values():
            other.ac = other.ac if other.id == figure.id else 0
        return draft

    return start


# --- small arms -------------------------------------------------------------------------------------------------------


def planned_shot(battle: Battle, figure: Figure, target: Unit, man: Figure, scene: Scene) -> ShotFacts:
    """The facts of one man's shot at another as things stand."""
    away = range_between(battle, figure, man)
    band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations)
    assert band is not None, "only men within reach are aimed at"
    return shot_facts(battle, figure, target, man, scene, band)


def _fire(battle: Battle, unit: Unit, target_id: str) -> list[Forecast]:
    """The volley as a whole, before answers; and its shots, those alike together, as they are aimed at first (FBN-092)."""
    target = battle.units[target_id]
    scene, openings = scene_of(battle, joint_box(unit.box, target.box)), Openings(battle)
    men = target_figures(battle, unit.spec.side, target)
    shots: Counter[tuple[bool, ShotFacts]] = Counter()
    for figure in firers(battle, unit, target_id):
        for man in aim_at(battle, unit, figure, men, scene):
            if openings.has_room(figure, stand_point(battle, man), man.place):
                shots[man.spec.leads, planned_shot(battle, figure, target, man, scene)] += 1
    whole = volley_of(_now(battle), unit.spec.id, target_id, len(battle.fallen))
    each = [
        (f"{_shots(count, facts)}, each at a leader", "hero_shot", facts)
        if leader
        else (f"{_shots(count, facts)}, each", "shot", facts)
        for (leader, facts), count in shots.items()
    ]
    return [(f"{amount(shots.total(), 'shot')} in all", "volley", whole), *each] if each else []


def _shots(count: int, facts: ShotFacts) -> str:
    return f"{amount(count, 'shot')} at {facts.band} range"


def _fire_at_gun(battle: Battle, unit: Unit, home: str, number: int) -> list[Forecast]:
    gun = battle.units[home].guns[number]
    shots = planned_gun_shots(battle, unit, gun, firers(battle, unit, home))

    def outcome(draft: Battle, _: object) -> ShotOutcome:
        return ShotOutcome("hit" if draft.units[home].guns[number].wounds < gun.wounds else "miss")

    first = {facts: figure for figure, facts in reversed(shots)}
    return [
        (
            f"{amount(count, 'shot')} at the piece, {facts.band} range",
            "shot",
            Situation(_alone(battle, unit, first[facts]), [does(unit.spec.id, ("fire at gun", home, number))], outcome),
        )
        for facts, count in Counter(facts for _, facts in shots).items()
    ]


def _fire_at_house(battle: Battle, unit: Unit, house: str) -> list[Forecast]:
    shots = house_shots(battle, unit, house, firers(battle, unit, house))
    kinds, option = Counter((facts, damage) for _, facts, damage in shots), ("fire at house", house)
    return [
        _at_wall(battle, unit, option, house, facts, count, damage, stand_point(battle, shots[0][0]))
        for (facts, damage), count in kinds.items()
    ]


def _at_wall(
    battle: Battle, unit: Unit, option: Option, name: str, shot: ShotFacts, shots: int, damage: int, origin: Point
) -> Forecast:
    house, numbers = battle.field.buildings[name], battle.book.file.damage_points
    full = house.row.cv - numbers.minus + numbers.per_section * house.size
    facts = BuildingFacts(
        "wooden_building" if house.row is battle.book.terrain["wooden_building"] else "stone_building",
        house.size,
        full - battle.houses[name].points,
        shots,
        damage,
        occupants=min(60, len(room_behind(battle, name, origin))),
        **{fact: getattr(shot, fact) for fact in ("band", "cs", "saddle", "dark", "sniper")},
    )
    run = shots_at_wall(_now(battle), [does(unit.spec.id, option)], name, len(battle.fallen), facts)
    return _shots(shots, shot), "building", run


def _one_man(battle: Battle, why: str, actor: str, aim: str) -> list[Forecast]:
    """One man's shot or blow at one man; a soldier who may answer with his answer (FBN-096)."""
    unit, target = battle.home(actor), battle.home(aim)
    if unit is None or target is None:
        return []
    key, figure, man = unit.spec.id, unit.figures[actor], target.figures[aim]
    if why == "strike":

        def strike(table: Table, draft: Battle, _: object) -> None:
            home, other = draft.units.change(key), draft.units[target.spec.id]
            blow(table, draft, home, home.figures[actor], other.figures[aim])

        return [("a blow", "close_combat", blow_of(_now(battle), [strike], actor))]
    (x, y), (tx, ty) = stand_point(battle, figure), stand_point(battle, man)
    facts: Any = planned_shot(
        battle, figure, target, man, scene_of(battle, (min(x, tx), min(y, ty), max(x, tx), max(y, ty)))
    )
    title, name = f"a shot at {man.spec.name}, {facts.band} range", "shot"
    kind: type = ShotOutcome
    draft = battle.aside(key)
    rise_to_attack(draft.units[key].figures[actor])  # who fires lying down shows himself (FBN-054, FBN-168)
    if man.spec.leads:
        name, kind = "hero_shot", HeroOutcome
    elif battle.book.settings.counter_attack == "wounded" and may_answer(
        draft, target, man, draft.units[key].figures[actor]
    ):
        title, name, kind = f"{title}, and his answer", "exchange", ExchangeOutcome
        skill = man.spec.cs + chest_sign(battle, man)
        facts = ExchangeFacts(**aim_of(facts), firer_ds=figure.spec.ds, target_cs=skill)

    def others(table: Table, draft: Battle, gave: Any) -> Any:
        panicking_first(table, draft, draft.units.change(key))
        return gave

    then = [others] if figure.reaction else []  # others in panic act after him (FBN-164)
    return [(title, name, one_shot(_now(battle), kind, actor, aim, then, facts))]


def _answer(battle: Battle, figure_id: str, foe_id: str, volley: bool = False) -> list[Forecast]:
    """A man's answer to a shot, and the rest of the volley to which it belongs."""
    unit, foe = battle.home(figure_id), battle.specs.get(foe_id)
    if unit is None or foe is None:
        return []
    figure = unit.figures[figure_id]
    facts = AnswerFacts(figure.spec.cs + chest_sign(battle, figure), foe.ds)
    then = [does(battle.active, ("fire", unit.spec.id))] if volley else []
    title = f"{figure.spec.name} answers {foe.name}"
    return [(title, "counter_attack", answered(_now(battle), figure_id, foe_id, then, facts))]


# --- hand to hand -----------------------------------------------------------------------------------------------------


def _fight(battle: Battle, unit: Unit) -> list[Forecast]:
    """Every man's blow, those alike together (FBN-104)."""
    kinds: dict[Any, list[Figure]] = {}
    for figure in strikers(battle, unit):
        foe = foe_before(battle, unit, figure)
        home = None if foe is None else battle.home(foe.spec.id)
        if foe is not None and home is not None:
            pair = fight_facts(battle, unit, figure, foe, True), fight_facts(battle, home, foe, figure, False)
            kinds.setdefault(pair, []).append(figure)
    return [
        (f"{amount(len(men), 'blow')}, each", "close_combat", _blow(battle, unit, men[0])) for men in kinds.values()
    ]


def _blow(battle: Battle, unit: Unit, man: Figure, *before: Option) -> Situation:
    """What comes of a man's blow when he alone of his unit acts; all act where a house rule may make that matter to him."""
    acts = [does(unit.spec.id, option) for option in (*before, "fight")]
    start = _now(battle) if battle.book.rules.wraps else _alone(battle, unit, man)
    return blow_of(start, acts, man.spec.id)


def _charge(battle: Battle, unit: Unit, target_id: str) -> list[Forecast]:
    target = battle.units[target_id]
    men = in_order(chargers(battle, unit), target)
    home = next((man for man in men if home_spot(battle, unit, man, target) is not None), None)
    return _at_home(battle, unit, home, ("charge", target_id))


def _ride_down(battle: Battle, unit: Unit, target_id: str, gait: int) -> list[Forecast]:
    target = battle.units[target_id]
    men = in_order(riders(battle, unit), target)
    home = next((man for man in men if charge_spot(battle, unit, man, target, gait) is not None), None)
    return _at_home(battle, unit, home, ("ride down", target_id, gait))


def _at_home(battle: Battle, unit: Unit, man: Figure | None, charge: Option) -> list[Forecast]:
    """The first blow of a man who gets home."""
    if man is None:
        return []
    return [(f"a blow of {man.spec.name} once he is home", "close_combat", _blow(battle, unit, man, charge))]


# --- guns -------------------------------------------------------------------------------------------------------------


def _gun_fire(battle: Battle, unit: Unit, number: int, target_id: str) -> list[Forecast]:
    """The aim, and for a shell that hits the others under its marker (FBN-215, FBN-217)."""
    man = next(aims_of_gun(battle, unit, unit.guns[number], battle.units[target_id]), None)
    return [] if man is None else _round_at(battle, unit, number, battle.units[target_id], man.spec.id)


def _round_at(battle: Battle, unit: Unit, number: int, target: Unit, name: str) -> list[Forecast]:
    gun, man = unit.guns[number], target.figures[name]
    option = ("gun fire", number, target.spec.id)
    if strays_always(battle, gun):
        return _astray(battle, unit, gun, option, man.at, name)
    aim = gun_facts(battle, unit, gun, target, man)
    shot = round_of(_now(battle), unit.spec.id, option, aimed, name, aim)
    return [(f"the round at {man.spec.name}", "gun_aim", shot), *_under(battle, unit, gun, man.at, man)]


def _under(battle: Battle, unit: Unit, gun: Gun, at: Point, spared: Figure | None) -> list[Forecast]:
    """Who else is under a shell that comes down at a point, those alike together (FBN-217)."""
    if SHELL not in ammunition_of(gun):
        return []
    caught, rolls = struck_by(battle, gun, SHELL, Impact(*at), spared), rolls_of(battle, gun)
    groups = Counter((home.spec.side == unit.spec.side, one.spec.leads, facts) for home, one, facts in caught)
    found: list[Forecast] = []
    for (friends, leader, facts), count in groups.items():
        named = {name: getattr(facts, name) for name in type(facts).__dataclass_fields__}
        who = ("friends" if friends else "others") + (" who lead" if leader else "")
        blast = BurstFacts(**named, men=count, rolls=rolls, leader=leader)
        found.append((f"a shell that hits: {count} {who} under it", "burst", blast))
    return found


def _astray(battle: Battle, unit: Unit, gun: Gun, option: Option, goal: Point, aim: str = "") -> list[Forecast]:
    """A piece that always deviates hits what it is aimed at by luck alone (FBN-219), and farther off on a 1 (FBN-220)."""
    outcome = strayed(goal, bearing(gun.at, goal))
    return [
        (
            f"where the {ammunition} comes down, unless the D12 is a 1",
            "deviation",
            round_of(_now(battle), unit.spec.id, option, outcome, aim, DeviationFacts(ammunition)),  # type: ignore[arg-type]  # one of the two
        )
        for ammunition in ammunition_of(gun)
    ]


def _gun_at_gun(battle: Battle, unit: Unit, number: int, home: str, other: int) -> list[Forecast]:
    gun, piece, option = unit.guns[number], battle.units[home].guns[other], ("gun at gun", number, home, other)
    if strays_always(battle, gun):
        return _astray(battle, unit, gun, option, piece.at)
    facts = duel_facts(battle, unit, gun, piece)
    shot = round_of(_now(battle), unit.spec.id, option, aimed, facts=facts)
    return [
        (f"the round at the piece, {facts.band} range", "gun_aim", shot),
        *_under(battle, unit, gun, piece.at, None),
    ]


def _gun_at_house(battle: Battle, unit: Unit, number: int, house: str) -> list[Forecast]:
    gun, option = unit.guns[number], ("gun at house", number, house)
    if strays_always(battle, gun):
        west, south, east, north = battle.field.buildings[house].box
        return _astray(battle, unit, gun, option, ((west + east) / 2, (south + north) / 2))
    facts = building_facts(battle, unit, gun, house)
    shot = round_of(_now(battle), unit.spec.id, option, aimed, facts=facts)
    return [(f"the round at the building, {facts.band} range", "gun_aim", shot)]


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
    salvo = salvo_of(_now(battle), unit.spec.id, number, target_id, 1, len(battle.fallen), facts)
    return [(f"a salvo at {target.spec.name}, {facts.band} range", "machine_gun", salvo)]


def _salvo_at_house(battle: Battle, unit: Unit, number: int, house: str) -> list[Forecast]:
    """Six shots at the wall, if the gun does not jam (FBN-229, FBN-247)."""
    gun, shots, option = unit.guns[number], battle.book.file.salvo.shots, ("salvo at house", number, house)
    facts, damage = building_facts(battle, unit, gun, house), battle.book.guns[gun.kind].multiple
    return [_at_wall(battle, unit, option, house, facts, shots, damage, gun.at)]


# --- others -----------------------------------------------------------------------------------------------------------


def _check(battle: Battle, unit: Unit) -> list[Forecast]:
    worst = max(unit.steady, key=lambda figure: figure.gl)
    check = check_of(_now(battle), unit.spec.id, worst.spec.id, CheckFacts(worst.spec.gl, worst.gl))
    return [("the worst of its men", "glory_check", check)]


def _bash(battle: Battle, unit: Unit, man: str, door: str) -> list[Forecast]:
    figure = unit.figures[man]
    facts = DoorFacts(figure.spec.cs + chest_sign(battle, figure))
    bash = Situation(
        _now(battle), [does(unit.spec.id, ("bash", man, door))], is_open(door), answer=passive, facts=facts
    )
    return [(f"{figure.spec.name} at the door", "door", bash)]


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
