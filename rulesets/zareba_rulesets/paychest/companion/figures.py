"""Companion acts of single figures: posture, loads, boarding, leaving the table, contact and crews."""

from __future__ import annotations

from typing import Annotated, Any

from annotated_types import Ge

from zareba.companion import Asked, Choices, CompanionAct, Scene, edge_phrase
from zareba.space.outlines import EDGES, nearest_on_edge
from zareba.table import Answer, Table
from zareba_rulesets.paychest.actions.movement import LEAVE, leave_by_edge, set_postures
from zareba_rulesets.paychest.actions.wording import plain_name
from zareba_rulesets.paychest.chapters.command import replace_lost_leaders
from zareba_rulesets.paychest.chapters.marching import drop, pick_up, record_carrying, take_weapon
from zareba_rulesets.paychest.chapters.melee import contacts
from zareba_rulesets.paychest.chapters.mounts import board, boardable
from zareba_rulesets.paychest.chapters.movement import ADVANCE, EACH
from zareba_rulesets.paychest.chapters.sight import DOWN
from zareba_rulesets.paychest.companion.common import (
    able_figures_of,
    bring_close,
    enemy_units,
    figure_choices,
    lay_out_other_move,
    note_contact,
    note_departure,
    own_guns,
    raise_figures_touched,
    touch_questions,
    units_that,
    units_with_enemies_that,
)
from zareba_rulesets.paychest.companion.real_table import (
    COVERS,
    note_contacts,
    place_of,
    real_table_of,
    spot_behind_guns,
    with_contacts,
    without_contacts_of,
)
from zareba_rulesets.paychest.forces.battle import Battle, is_burdened, is_heavy
from zareba_rulesets.paychest.forces.units import Unit


def _upright(battle: Battle, unit: Unit) -> list[str]:
    """Return the figures that may get down if they are in hard cover: those that touch no enemy (PAY-086)."""
    return [figure.spec.id for figure in unit.able if not real_table_of(battle).contacts.get(figure.spec.id)]


def _loads(battle: Battle, unit: Unit) -> list[tuple[str, ...]]:
    """Return what figures of a unit may drop, pick up or take, if they are close enough (PAY-023, PAY-073)."""
    found: list[tuple[str, ...]] = [
        ("drop", key, load)
        for key, figure in unit.figures.items()
        if figure.able
        for load in figure.loads
        if load not in battle.things or battle.things[load].kind != "weapon"
    ]
    for key, thing in battle.things.items():
        if thing.kind == "weapon" and not thing.carrier and thing.at is not None:
            found.append(("take", key, thing.name))
        elif not thing.taken_by and (not thing.carrier or (thing.heavy and thing.side == unit.spec.side)):
            found.append(("pick up", key))
    for other in battle.units.values():
        for figure in other.positions.fallen:
            if other.spec.side == unit.spec.side:
                found.append(("pick up", figure.spec.id))
            if figure.fate != "able":
                found += [("take", figure.spec.id, weapon) for weapon in figure.weapons]
    return found


def _may_be_down(battle: Battle, scene: Scene) -> Choices:
    return figure_choices(battle, _upright(battle, battle.unit(scene.actor)))


def _lay_out_cover(battle: Battle, scene: Scene) -> None:
    """Put the unit behind hard cover from all sides."""
    places = [figure.at for figure in battle.unit(scene.actor).able if figure.at is not None]
    battle.field = real_table_of(battle).with_layout(covers=dict.fromkeys(places, (COVERS["hard"],)))


def _duck(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(scene.actor)
    unit.measure()
    set_postures(table, battle, unit)


def _posture(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the posture of the unit, or of one figure, as people say it."""
    down = set(scene["down"])
    men = [question.actor] if question.actor not in battle.units else _upright(battle, battle.unit(scene.actor))
    if not down.isdisjoint(men) and not down.issuperset(men) and EACH in question.options:
        return EACH
    return DOWN if men and down.issuperset(men) else "up"


def _load_words(battle: Battle, scene: Scene) -> Choices:
    found = {}
    for load in _loads(battle, battle.unit(scene.actor)):
        verb, what = load[0], load[-1]
        whose = f" of {plain_name(battle, load[1])}" if verb == "take" and load[1] not in battle.things else ""
        who = f"{plain_name(battle, load[1])} drops " if verb == "drop" else f"{verb} "
        found[load] = f"{who}{plain_name(battle, what)}{whose}"
    return found


def _bearers(battle: Battle, scene: Scene) -> Choices:
    """Return the figures that may pick up a load or take a weapon (PAY-023, PAY-073)."""
    verb, what = scene["what"][0], scene["what"][-1]
    men = [man for man in battle.unit(scene.actor).able if not man.has_no_arms and man.spec.id != scene["what"][1]]
    if verb == "take":
        return figure_choices(battle, [man.spec.id for man in men if what not in man.weapons])
    able = [man for man in men if man.can_walk and not man.aboard and not is_burdened(battle, man)]
    on_foot = [man for man in able if not man.mount or (what in battle.things and not is_heavy(battle, what))]
    return figure_choices(battle, [man.spec.id for man in on_foot if what not in man.loads])


def _lifts(battle: Battle, scene: Scene) -> bool:
    return "what" in scene.answers and scene["what"][0] != "drop"


def _lifts_comrade(battle: Battle, scene: Scene) -> bool:
    return "what" in scene.answers and scene["what"][0] == "pick up" and scene["what"][-1] not in battle.things


def _handle(table: Table, battle: Battle, scene: Scene) -> None:
    """Drop, take or pick up something. A figure with inches left may carry a comrade at once (PAY-044, PAY-073)."""
    verb, *names = scene["what"]
    battle.change(scene.actor)
    if verb == "drop":
        drop(table, battle, battle.change_figure(names[0]), names[1])
    elif verb == "take":
        take_weapon(table, battle, battle.change_figure(scene["man"]), names[0], names[1])
    else:
        bearer = battle.change_figure(scene["man"])
        pick_up(table, battle, bearer, names[0])
        if scene["carried"]:
            x, y = bearer.at or (0.0, 0.0)
            record_carrying(table, battle, bearer, (x - scene["carried"], y))


def _may_leave(battle: Battle, scene: Scene) -> Choices:
    return figure_choices(battle, [figure.spec.id for figure in battle.unit(scene.actor).able if figure.can_walk])


def _edges(battle: Battle, scene: Scene) -> Choices:
    return {edge: edge_phrase(scene.game.scenario, edge) for edge in EDGES}


def _lay_out_exit(battle: Battle, scene: Scene) -> None:
    """Put the figures that leave at the edge of the table (PAY-214)."""
    unit = battle.change(scene.actor)
    for key in scene["men"]:
        figure = unit.figures[key]
        at = nearest_on_edge(place_of(battle, scene.actor), battle.field.table.extent, scene["edge"])
        figure.at, figure.gait = at, ADVANCE if figure.gait == "halt" else figure.gait
        if figure.aboard:
            battle.engines.change(figure.aboard).at = at
    unit.measure()


def _leave(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(scene.actor)
    leave_by_edge(table, battle, unit)
    unit.measure()
    if unit.leader and unit.figures[unit.leader].at is None:
        replace_lost_leaders(table, battle)


def _all_leave(battle: Battle, scene: Scene, question: Any) -> Answer:
    return LEAVE.verb


def _touch(table: Table, battle: Battle, scene: Scene) -> None:
    note_contact(table, battle, scene)


def _touch_singly(table: Table, battle: Battle, scene: Scene) -> None:
    """Note which figures of a unit one figure touches, and no others of it."""
    man, enemies = scene["man"], set(battle.unit(scene.target).figures)
    field = real_table_of(battle)
    own = field.contacts.get(man, frozenset()) - enemies
    pairs = [(man, foe) for foe in (*own, *scene["foes"])]
    note_contacts(battle, with_contacts(without_contacts_of(field.contacts, {man}), pairs))
    raise_figures_touched(table, battle, scene.actor)


def _part(table: Table, battle: Battle, scene: Scene) -> None:
    note_contacts(battle, without_contacts_of(real_table_of(battle).contacts, set(battle.unit(scene.actor).figures)))


def _gun_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.engines[key].name for key in own_guns(battle, battle.unit(scene.actor))}


def _serve(table: Table, battle: Battle, scene: Scene) -> None:
    """Put the named figures at a gun or between two, and all others of the unit away from there (PAY-178)."""
    unit = battle.change(scene.actor)
    at = spot_behind_guns(battle, scene["guns"]) if scene["guns"] else None
    for key, figure in unit.figures.items():
        if figure.at is None or figure.aboard:
            continue
        if key in scene["men"]:
            figure.at = at or place_of(battle, scene.actor)
        elif figure.at == at:
            figure.at = place_of(battle, scene.actor)
    unit.measure()


def _conveyances(battle: Battle, unit: Unit) -> list[str]:
    """Return the conveyances of its side that figures of a unit may get on, if they reach them (PAY-080)."""
    if not battle.engines:
        return []
    draft, name = battle.copy(), unit.spec.id
    bring_close(draft, draft.change(name))
    return boardable(draft, draft.unit(name), tuple(unit.figures))


def _conveyance_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.engines[key].name for key in _conveyances(battle, battle.unit(scene.actor))}


def _board(table: Table, battle: Battle, scene: Scene) -> None:
    """Put figures that have reached a conveyance with half of their move left aboard (PAY-080)."""
    boarded = board(table, battle, battle.change(scene.actor), scene["wagon"], scene["men"])
    note_departure(battle, battle.change(scene.actor), set(boarded))


CHANGE_POSTURE: CompanionAct[Battle] = CompanionAct(
    name="duck",
    title="get down behind hard cover, or rise",
    rule="PAY-086",
    run=_duck,
    actors=units_that("duck", _upright),
    asks=(Asked("down", "Who of {actor} is down, out of sight?", default=(), choices=_may_be_down, many=True),),
    lay_out=_lay_out_cover,
    preset_answers={"posture": _posture},
    has_odds=False,
)


HANDLE_LOAD: CompanionAct[Battle] = CompanionAct(
    name="load",
    title="pick up, drop or take something",
    rule="PAY-073",
    run=_handle,
    actors=units_that("load", _loads),
    asks=(
        Asked("what", "{actor}: what?", choices=_load_words),
        Asked("man", "Who does it?", choices=_bearers, when=_lifts),
        Asked(
            "carried",
            "How many inches does he carry him in this move?",
            default=0.0,
            kind=Annotated[float, Ge(0)],
            unit="inches",
            when=_lifts_comrade,
        ),
    ),
    has_odds=False,
)


LEAVE_TABLE: CompanionAct[Battle] = CompanionAct(
    name="leave",
    title="leave the table",
    rule="PAY-214",
    run=_leave,
    actors=units_that("leave", lambda battle, unit: any(man.can_walk for man in unit.able)),
    asks=(
        Asked("men", "Who of {actor} leaves?", choices=_may_leave, many=True),
        Asked("edge", "Over which edge?", choices=_edges),
    ),
    lay_out=_lay_out_exit,
    preset_answers={"at the edge": _all_leave},
    has_odds=False,
)


BOARD: CompanionAct[Battle] = CompanionAct(
    name="board",
    title="get on a wagon or flyer that they have reached",
    rule="PAY-080",
    run=_board,
    actors=units_that("board", _conveyances),
    asks=(
        Asked("wagon", "On what?", choices=_conveyance_choices),
        Asked("men", "Who of {actor} gets on?", choices=able_figures_of(lambda scene: scene.actor), many=True),
    ),
    lay_out=lay_out_other_move,
    has_odds=False,
)


TOUCH: CompanionAct[Battle] = CompanionAct(
    name="touch",
    title="touch an enemy unit",
    rule="PAY-137",
    run=_touch,
    actors=units_with_enemies_that("touch", lambda battle, unit: True),
    targets=enemy_units,
    target_question="Which enemy unit is in contact with {actor}?",
    asks=touch_questions(None),
    has_odds=False,
)


TOUCH_SINGLY: CompanionAct[Battle] = CompanionAct(
    name="touch_man",
    title="note the enemies that one man touches",
    rule="PAY-137",
    run=_touch_singly,
    actors=units_with_enemies_that("touch_man", lambda battle, unit: True),
    targets=enemy_units,
    target_question="Which enemy unit does the man of {actor} touch?",
    asks=(
        Asked("man", "Which man of {actor}?", choices=able_figures_of(lambda scene: scene.actor)),
        Asked(
            "foes",
            "Which enemies does he touch?",
            default=(),
            choices=able_figures_of(lambda scene: scene.target),
            many=True,
        ),
    ),
    has_odds=False,
)


BREAK_CONTACT: CompanionAct[Battle] = CompanionAct(
    name="part", title="break contact", rule="PAY-076", run=_part, actors=units_that("part", contacts), has_odds=False
)


SERVE_GUN: CompanionAct[Battle] = CompanionAct(
    name="serve",
    title="stand at its gun, or leave it",
    rule="PAY-178",
    run=_serve,
    actors=units_that("serve", own_guns),
    asks=(
        Asked("guns", "At which gun? (none: to leave it)", default=(), choices=_gun_choices, many=True),
        Asked("men", "Who of {actor} stands there?", default=(), choices=able_figures_of(lambda s: s.actor), many=True),
    ),
    has_odds=False,
)
