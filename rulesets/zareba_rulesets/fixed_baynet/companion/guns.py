"""Guns and machine guns at a real table: direct and indirect fire, bursts, salvos, jams and hauling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from zareba.base.errors import ZarebaError
from zareba.companion import Asked, Choices, Scene
from zareba.table import Event, Table
from zareba_rulesets.fixed_baynet.book.tables import BANDS
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    SHELL,
    SHOT,
    Impact,
    ammunition_of,
    fire_direct,
    fire_indirect,
    fire_modes,
    guess_limits,
    may_fire_gun,
)
from zareba_rulesets.fixed_baynet.chapters.crews import crew_of, haul_gun, haul_reach, haulers, turn_gun
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    clear_jam,
    fire_piece_at_gun,
    fire_salvo,
    may_clear,
    may_salvo,
    volley_at_gun,
)
from zareba_rulesets.fixed_baynet.chapters.targets import firers, target_figures
from zareba_rulesets.fixed_baynet.companion.book import (
    COVER,
    EAST,
    HAIR,
    HITS,
    LIT,
    NONE,
    SHOTS,
    STAGE,
    WEST,
    Count,
    active_if,
    aim_targets,
    bring_unit,
    cover_rows,
    friends_of,
    has_gun,
    has_name,
    limit_at,
    make_act,
    open_plain,
    place_of,
    put_men,
    thrown_together,
    whole_inches,
    with_cover,
)
from zareba_rulesets.fixed_baynet.companion.fire import (
    DISTANCE,
    MEN_FIRE,
    aimed_men,
    face_off,
    firing_men,
    shelter_targets,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare, gun_limits
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

_MOST_UNITS_ASKED = 4
"""The most units under one burst for which the companion asks how many of their men it covers."""


_GunTest = Callable[[Battle, Unit, Gun], object]


def _guns_for(is_possible: _GunTest) -> Callable[[Battle, Unit], list[int]]:
    """Return a function that lists the numbers of the guns of a unit that have a crew and pass a test (FBN-206)."""

    def numbers(battle: Battle, unit: Unit) -> list[int]:
        return [
            number
            for number, gun in enumerate(unit.guns)
            if gun.in_play and crew_of(battle, unit, gun) and is_possible(battle, unit, gun)
        ]

    return numbers


def _may_fire_direct(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return may_fire_gun(battle, unit, gun) and "direct" in fire_modes(battle, gun)


def _may_fire_indirect(battle: Battle, unit: Unit, gun: Gun) -> bool:
    if not may_fire_gun(battle, unit, gun) or "indirect" not in fire_modes(battle, gun):
        return False
    return gun.kind != _MORTAR or (bool(gun.plot) and gun.plot_turn < battle.turn)


def _may_plot(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.kind == _MORTAR and not (gun.plot and gun.plot_turn == battle.turn)


def _may_turn(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.ac >= battle.book.file.gun_costs.turn


def _may_haul(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.ac >= battle.book.file.gun_costs.move and not gun.moved


_MORTAR = "trench_mortar"


guns_for_direct_fire, _guns_for_indirect_fire, _guns_for_salvos = (
    _guns_for(_may_fire_direct),
    _guns_for(_may_fire_indirect),
    _guns_for(may_salvo),
)


_guns_to_turn, _guns_to_haul, _guns_to_plot, _jammed_guns = (
    _guns_for(_may_turn),
    _guns_for(_may_haul),
    _guns_for(_may_plot),
    _guns_for(may_clear),
)


def _gun_choices(guns: Callable[[Battle, Unit], Sequence[int]]) -> Callable[[Battle, Scene], Choices]:
    """Return the function that lists these guns of the acting unit as choices."""

    def names(battle: Battle, scene: Scene) -> Choices:
        unit = battle.units[scene.actor]
        return {number: f"gun {number + 1}, {_kind_in_words(unit.guns[number])}" for number in guns(battle, unit)}

    return names


def _kind_in_words(gun: Gun) -> str:
    return gun.kind.replace("_", " ")


def chosen_gun(battle: Battle, scene: Scene) -> Gun:
    """Return the gun that people have chosen."""
    number: int = scene["gun"]
    return battle.units[scene.actor].guns[number]


def _gun_range_choices(battle: Battle, scene: Scene) -> Choices:
    """Return the range bands of the gun (FBN-212)."""
    unit = battle.units[scene.actor]
    bands = zip(BANDS, gun_limits(battle, unit, chosen_gun(battle, scene)), strict=True)
    return {whole_inches(limit): f'{band} (up to {limit:g}")' for band, limit in bands if limit > 0}


def _gun_at_distance(battle: Battle, scene: Scene, inches: float) -> float:
    return limit_at(battle, scene, _gun_range_choices(battle, scene), inches)


def _target_man_choices(battle: Battle, scene: Scene) -> Choices:
    """Return the possible aims of a gun: a common man, or one with a name."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    men = target_figures(battle, unit.spec.side, target)
    return {"": "a common man", **{man.id: man.spec.name for man in men if has_name(man)}}


def _target_gun_choices(battle: Battle, scene: Scene) -> Choices:
    guns = battle.units[scene.target].guns
    return {number: f"gun {number + 1}, {_kind_in_words(gun)}" for number, gun in enumerate(guns) if gun.in_play}


def _enemies_with_guns(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units that have a gun in play."""
    enemies = battle.enemies(battle.units[actor].spec.side)
    return [unit.spec.id for unit in enemies if any(gun.in_play for gun in unit.guns)]


def _ammunition_choices(battle: Battle, scene: Scene) -> Choices:
    return {load: load for load in ammunition_of(chosen_gun(battle, scene))}


def _point_gun_at_stage(battle: Battle, scene: Scene, inches: float) -> None:
    """Put the unit so that its gun points east at the stage, so many inches from its centre to the stage."""
    unit = battle.change(battle.units[scene.actor])
    gun = unit.guns[scene["gun"]]
    dx, dy = STAGE[0] - inches - gun.x, STAGE[1] - gun.y
    for man in unit.figures.values():
        battle.put(man, man.x + dx, man.y + dy)
    for piece in unit.guns:
        piece.x, piece.y, piece.bearing = piece.x + dx, piece.y + dy, EAST
    unit.measure()


def _lay_out_salvo(battle: Battle, scene: Scene) -> None:
    unit, target = battle.units[scene.actor], battle.change(battle.units[scene.target])
    aimed = aimed_men(battle, unit, target, 0)
    face_off(battle, (), aimed, float(scene["distance"]))
    target.measure()
    _point_gun_at_stage(battle, scene, float(scene["distance"]) - HAIR + battle.book.radius["gun"])
    shelter_targets(battle, scene, aimed)


def _lay_out_round(battle: Battle, scene: Scene) -> None:
    """Put the man or gun aimed at on the stage, and the gun at the distance that people name."""
    target = battle.change(battle.units[scene.target])
    if "mark" in scene.answers and scene["mark"] is not None:
        target_gun = target.guns[scene["mark"]]
        target_gun.x, target_gun.y = STAGE
        radius = battle.book.radius["gun"]
    else:
        man = _aimed_man(battle, scene)
        put_men(battle, [man], STAGE, WEST)
        radius = battle.radius(man)
    target.measure()
    _point_gun_at_stage(battle, scene, float(scene["distance"]) - HAIR + battle.book.radius["gun"] + radius)
    battle.field = with_cover(battle, scene["cover"], STAGE)
    battle.flares = [Flare(*STAGE, battle.turn)] if scene.answers.get("lit") else []


def _aimed_man(battle: Battle, scene: Scene) -> Figure:
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    if scene["foe"]:
        return target.figures[scene["foe"]]
    return min(target_figures(battle, unit.spec.side, target), key=has_name)


def _lay_out_guess(battle: Battle, scene: Scene) -> None:
    _point_gun_at_stage(battle, scene, _guess(battle, scene))


def _guess(battle: Battle, scene: Scene) -> float:
    """Return the guessed range: the mortar's plot, or what people say (FBN-222, FBN-227)."""
    gun, unit = chosen_gun(battle, scene), battle.units[scene.actor]
    if gun.kind == _MORTAR and gun.plot and gun.plot_turn < battle.turn:
        return gun.plot[2]
    least, most = guess_limits(battle, unit, gun)
    if not least <= scene["guess"] <= most:
        raise ZarebaError(f'the guess must lie between {least}" and {most}" (FBN-226)')
    return float(scene["guess"])


def _is_guess_needed(battle: Battle, scene: Scene) -> bool:
    """Return True if people guess the range now: not for a mortar with a plot."""
    gun = chosen_gun(battle, scene)
    return not (gun.kind == _MORTAR and gun.plot and gun.plot_turn < battle.turn)


def _fire_at_unit(table: Table, battle: Battle, scene: Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    on_landing = partial(lay_out_impact, battle, scene)
    fire_direct(
        table, battle, unit, chosen_gun(battle, scene), target, _aimed_man(battle, scene), scene["load"], on_landing
    )


def _fire_at_gun(table: Table, battle: Battle, scene: Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    on_landing = partial(lay_out_impact, battle, scene)
    gun, target_gun = chosen_gun(battle, scene), target.guns[scene["mark"]]
    fire_piece_at_gun(table, battle, unit, gun, target, target_gun, scene["load"], on_landing)


def _fire_at_guessed_range(table: Table, battle: Battle, scene: Scene) -> None:
    unit, gun = battle.change(battle.units[scene.actor]), chosen_gun(battle, scene)
    load = scene["load"] or SHELL
    fire_indirect(table, battle, unit, gun, STAGE, _guess(battle, scene), load, partial(lay_out_impact, battle, scene))


def lay_out_impact(battle: Battle, scene: Scene, impact: Impact) -> None:
    """Put the men and guns where the round has landed that people see there; everything else stands far away."""
    if scene.target and not impact.direct:
        bring_unit(battle, battle.change(battle.units[scene.target]), place_of(battle, scene.target))
    at, placed = impact.at, set[str]()
    if scene.target and impact.direct and "foe" in scene.answers and scene["foe"] is not None:
        placed.add(_aimed_man(battle, scene).id)
    for position, name in enumerate(scene["under"], 1):  # a unit, a man with a name, or "UNIT gun NUMBER"
        unit_id, _, number = name.partition(" gun ")
        unit = battle.unit_of(name) or battle.units[unit_id]
        unit = battle.change(unit)
        if number:
            unit.guns[int(number)].x, unit.guns[int(number)].y = at
        else:
            free = [man for man in unit.figures.values() if man.id not in placed]
            men = [unit.figures[name]] if name in unit.figures else sorted(free, key=has_name)
            count = len(men) if name in unit.figures or scene["load"] == SHOT else scene[f"under_{position}"]
            men = men[: 1 if scene["load"] == SHOT else count]
            put_men(battle, men, at, WEST)
            placed |= {man.id for man in men}
        unit.measure()
    row = cover_rows(battle).get(scene.answers.get("cover") or NONE)
    is_inside = row is not None and row.shelter != "behind" and not row.building
    battle.field = with_cover(battle, scene["cover"], at) if is_inside else open_plain(battle)


def _burst_choices(battle: Battle, scene: Scene) -> Choices:
    """Return everything that may be under a burst: units, their men with names, and guns.

    The target and its friends come first, the gun's own crew last.
    """
    found: dict[str, str] = {}
    actor = battle.units[scene.actor]

    def distance_in_list(unit: Unit) -> tuple[bool, bool, bool]:
        return unit.spec.id != scene.target, unit.spec.side == actor.spec.side, unit is actor

    units = sorted(battle.on_table(), key=distance_in_list)
    for unit in units:
        found[unit.spec.id] = unit.spec.name
        men = unit.figures.values()
        found |= {man.id: man.spec.name for man in men if has_name(man) and len(men) > 1}
        for number, gun in enumerate(unit.guns):
            if gun.in_play:
                found[f"{unit.spec.id} gun {number}"] = f"gun {number + 1} of {unit.spec.name}"
    return found


def _has_landed(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if the round has landed where it may strike others than the one aimed at."""
    fired = [event for event in events if event.kind == "gun fires"]
    return bool(fired) and (scene["load"] != SHOT or not fired[0].data["hit"])


def _burst_text(battle: Battle, scene: Scene) -> str:
    """Who else is under the marker where the shell bursts, or next to the shot?"""
    if scene["load"] == SHOT:
        return f'Who is nearest to where the shot landed, within {battle.book.file.ball.inches}"?'
    inches = 2 * battle.book.burst_radius(chosen_gun(battle, scene).kind)
    others = "else " if scene.target else ""
    return f'Put the {inches:g}" marker where the shell bursts: who {others}is under it?'


def _burst_number_text(position: int) -> Callable[[Battle, Scene], str]:
    def text(battle: Battle, scene: Scene) -> str:
        """How many of its men are under the marker?"""
        unit_id = scene["under"][position - 1]
        others = "other " if unit_id == scene.target else ""
        return f"How many {others}men of {battle.units[unit_id].spec.name} are under the marker?"

    return text


def _asks_for_number(position: int) -> Callable[[Battle, Scene], bool]:
    def is_asked(battle: Battle, scene: Scene) -> bool:
        under = scene.answers.get("under") or ()
        return len(under) >= position and under[position - 1] in battle.units and scene.answers.get("load") != SHOT

    return is_asked


def ask_burst() -> Iterator[Asked[Battle]]:
    """Yield the questions about a burst, for as many units as may be under it."""
    yield Asked("under", _burst_text, default=(), choices=_burst_choices, many=True, after=_has_landed)
    for position in range(1, _MOST_UNITS_ASKED + 1):
        yield Asked(
            f"under_{position}",
            _burst_number_text(position),
            default=1,
            kind=Count,
            when=_asks_for_number(position),
        )


def _fire_salvo(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    fire_salvo(table, battle, unit, chosen_gun(battle, scene), battle.units[scene.target])


def _turn_gun(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = chosen_gun(battle, scene)
    turn_gun(table, battle, unit, gun, gun.bearing)


def _clear_jam(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    clear_jam(table, battle, unit, chosen_gun(battle, scene))


def _plot_target(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = unit.guns[scene["gun"]]
    gun.plot = (*STAGE, float(scene["guess"]), float(battle.turn))


def _pulling_units(battle: Battle, scene: Scene) -> Choices:
    """Return the friendly units whose riders or men may pull the gun (FBN-207)."""
    unit = battle.units[scene.actor]
    others = [
        friend for friend in friends_of(battle, scene.actor) if friend is not unit and "activated" not in friend.marks
    ]
    return {friend.spec.id: friend.spec.name for friend in others}


def _needs_pulling_unit(battle: Battle, scene: Scene) -> bool:
    return haulers(battle, battle.units[scene.actor], chosen_gun(battle, scene)) is None


def _lay_out_haul(battle: Battle, scene: Scene) -> None:
    """Put the men of another unit who pull the gun in contact with it."""
    if scene["by"]:
        gun, pulling_unit = chosen_gun(battle, scene), battle.change(battle.units[scene["by"]])
        for man in pulling_unit.figures.values():
            battle.put(man, gun.x, gun.y - battle.book.radius["gun"] - battle.radius(man))
        pulling_unit.measure()


def _haul_gun(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = chosen_gun(battle, scene)
    pullers = haulers(battle, unit, gun)
    if pullers is None:
        raise ZarebaError(f"too few men or riders can pull the gun of {unit.spec.name} (FBN-207)")
    haul_gun(table, battle, unit, gun, pullers, (gun.x, gun.y + haul_reach(battle, gun, pullers)))


def _lay_out_shot_at_gun(battle: Battle, scene: Scene) -> None:
    """Put the firers at the distance that people name from an enemy gun."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    gun = target.guns[scene["mark"]]
    gun.x, gun.y, gun.z = STAGE[0] + battle.book.radius["gun"], STAGE[1], 0.0
    face_off(battle, firing_men(battle, scene), (), float(scene["distance"]))
    battle.field = with_cover(battle, scene["cover"], STAGE, 2 * battle.book.radius["gun"])
    for measured in (unit, target):
        measured.measure()


def _volley_at_gun(table: Table, battle: Battle, scene: Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    volley_at_gun(table, battle, unit, target, target.guns[scene["mark"]], firing_men(battle, scene))


BURST_ROLLS = (thrown_together("burst"), *HITS)


def ask_gun(guns: Callable[[Battle, Unit], Sequence[int]]) -> Asked[Battle]:
    """Return the question about the gun that acts."""
    return Asked("gun", "{actor}: which gun?", choices=_gun_choices(guns))


GUN_DISTANCE: Asked[Battle] = Asked(
    "distance",
    "How far from the gun to {target}?",
    choices=_gun_range_choices,
    unit="inches",
    measured=_gun_at_distance,
)


LOAD: Asked[Battle] = Asked("load", "{actor}: which ammunition?", choices=_ammunition_choices)


_GUESS: Asked[Battle] = Asked(
    "guess",
    "Guess the range in inches, without measuring",
    kind=Count,
    when=_is_guess_needed,
)


SILENCE_ACT = make_act(
    "silence",
    "aim at an enemy gun",
    "FBN-204",
    _volley_at_gun,
    active_if(
        lambda battle, unit: not has_gun(unit) and firers(battle, unit) and _enemies_with_guns(battle, unit.spec.id)
    ),
    Asked("mark", "Which gun of {target}?", choices=_target_gun_choices),
    MEN_FIRE,
    DISTANCE,
    COVER,
    targets=_enemies_with_guns,
    target_question="Which enemy unit's gun should {actor} aim at?",
    facts=ShotFacts,
    lay_out=_lay_out_shot_at_gun,
    roll_groups=SHOTS,
)


GUN_ACT = make_act(
    "gun",
    "gun fires at a unit",
    "FBN-215",
    _fire_at_unit,
    active_if(guns_for_direct_fire),
    ask_gun(guns_for_direct_fire),
    Asked("foe", "At which man of {target}?", default="", choices=_target_man_choices),
    GUN_DISTANCE,
    COVER,
    LIT,
    LOAD,
    *ask_burst(),
    targets=aim_targets,
    target_question="Which enemy should {actor} fire its gun at?",
    facts=ShotFacts,
    lay_out=_lay_out_round,
    roll_groups=BURST_ROLLS,
)


BATTERY_ACT = make_act(
    "battery",
    "counter-battery fire: gun at gun",
    "FBN-204",
    _fire_at_gun,
    active_if(lambda battle, unit: guns_for_direct_fire(battle, unit) and _enemies_with_guns(battle, unit.spec.id)),
    ask_gun(guns_for_direct_fire),
    Asked("mark", "Which gun of {target}?", choices=_target_gun_choices),
    GUN_DISTANCE,
    COVER,
    LIT,
    LOAD,
    *ask_burst(),
    targets=_enemies_with_guns,
    target_question="Which enemy unit's gun should {actor} fire at?",
    facts=ShotFacts,
    lay_out=_lay_out_round,
    roll_groups=BURST_ROLLS,
)


BOMBARD_ACT = make_act(
    "bombard",
    "bombard: indirect fire at a guessed range",
    "FBN-222",
    _fire_at_guessed_range,
    active_if(_guns_for_indirect_fire),
    ask_gun(_guns_for_indirect_fire),
    _GUESS,
    LOAD,
    *ask_burst(),
    lay_out=_lay_out_guess,
    roll_groups=BURST_ROLLS,
)


PLOT_ACT = make_act(
    "plot",
    "plot a target for a mortar",
    "FBN-227",
    _plot_target,
    active_if(_guns_to_plot),
    ask_gun(_guns_to_plot),
    _GUESS,
    has_odds=False,
)


SALVO_ACT = make_act(
    "salvo",
    "salvo of the machine gun",
    "FBN-229",
    _fire_salvo,
    active_if(_guns_for_salvos),
    ask_gun(_guns_for_salvos),
    GUN_DISTANCE,
    COVER,
    LIT,
    targets=aim_targets,
    target_question="Which enemy should {actor} fire a salvo at?",
    facts=ShotFacts,
    lay_out=_lay_out_salvo,
    roll_groups=SHOTS,
)


CLEAR_ACT = make_act(
    "clear", "clear a jam", "FBN-232", _clear_jam, active_if(_jammed_guns), ask_gun(_jammed_guns), has_odds=False
)


SWING_ACT = make_act(
    "swing",
    "swing a gun round by up to 90 degrees",
    "FBN-208",
    _turn_gun,
    active_if(_guns_to_turn),
    ask_gun(_guns_to_turn),
    has_odds=False,
)


HAUL_ACT = make_act(
    "haul",
    "haul a gun",
    "FBN-207",
    _haul_gun,
    active_if(_guns_to_haul),
    ask_gun(_guns_to_haul),
    Asked("by", "Which unit pulls it?", default="", choices=_pulling_units, when=_needs_pulling_unit),
    lay_out=_lay_out_haul,
    has_odds=False,
)
