"""Companion acts of movement: moves and charges on foot or mounted, and moves of guns and wagons (PAY-067)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Ge

from zareba.base.exact import dist
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Event, Table
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.movement import MOVE_ACTIONS, offer_moves
from zareba_rulesets.paychest.actions.wording import formats
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.marching import record_carrying
from zareba_rulesets.paychest.chapters.movement import ADVANCE, EACH, RUN, may_run, move_figures
from zareba_rulesets.paychest.chapters.sight import DOWN, report_posture
from zareba_rulesets.paychest.companion.common import (
    bring_close,
    enemy_units,
    figure_choices,
    is_to_mount,
    lay_out_other_move,
    note_contact,
    note_departure,
    touch_questions,
    units_that,
)
from zareba_rulesets.paychest.companion.real_table import MOVE, real_table_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.presentation.words import words


def rolls_of_mover(mover: str) -> frozenset[str]:
    """Return the purposes of the rolls for a type of mover that people throw in one go (PAY-069)."""
    return frozenset({f"{mover} advances", f"{mover} runs on"})


def _roll_of(waiting: str) -> tuple[str, float, float]:
    """Return the roll for a type of engine that is noted for the move step, with "" for any other note (PAY-069)."""
    name, is_roll, inches = waiting.partition(" rolled ")
    advance, _, run = inches.partition(" ")
    return (name, float(advance), float(run)) if is_roll else ("", 0.0, 0.0)


def unit_in_move_step(battle: Battle, unit: Unit) -> MovingUnit:
    """Return a unit in its move step, without the figures and engines that have used their move."""
    actor = MovingUnit(battle, unit, {})
    moved = [key for key, figure in unit.figures.items() if figure.gait != "halt" or "clearing" in figure.marks]
    actor.rolls.update({name: (advance, run) for name, advance, run in map(_roll_of, battle.waiting) if name})
    actor.spent |= {*battle.waiting, *moved, *(key for key, engine in battle.engines.items() if engine.moved != "halt")}
    actor.refresh()
    return actor


def _may_go(battle: Battle, unit: Unit) -> object:
    return unit_in_move_step(battle, unit).movable


def _other_moves(battle: Battle, unit: Unit) -> list[Any]:
    """Return what a unit can do in its move step besides going, with mounts and conveyances close by."""
    rides = any(figure.mount for figure in unit.able) or any(thing.kind == "mount" for thing in battle.things.values())
    if not (battle.engines or rides):
        return []
    usual, found = {"halt", ADVANCE, RUN, EACH}, []
    for mounts in (False, True):
        draft = battle.copy()
        bring_close(draft, draft.change(unit.spec.id), mounts=mounts)
        options = offer_moves(unit_in_move_step(draft, draft.unit(unit.spec.id)))
        rules = [
            option for option in options if MOVE_ACTIONS.action_of(option) is not None
        ]  # house rules have own acts
        found += [option for option in rules if option not in usual and mounts is is_to_mount(option)]
    return found


def _gaits(battle: Battle, scene: Scene) -> Choices:
    """Return the gaits of a unit, each with its dice (PAY-066, PAY-067)."""
    movable = unit_in_move_step(battle, battle.unit(scene.actor)).movable
    found: dict[str, str] = {ADVANCE: "all advance"}
    if any(may_run(battle, figure) for figure in movable):
        found[RUN] = "all run or charge"
    if len(movable) > 1 and battle.book.settings.gait_scope == "figure":
        found[EACH] = "some halt, or they move in different ways"
    if not any(figure.mount for figure in movable):
        found["climb"] = "climb a high wall that they touch"
    return found


def _movable(battle: Battle, scene: Scene) -> Choices:
    movable = unit_in_move_step(battle, battle.unit(scene.actor)).movable
    return figure_choices(
        battle, [figure.spec.id for figure in movable if figure.spec.id not in scene.answers.get("halting", ())]
    )


def _mixed(battle: Battle, scene: Scene) -> bool:
    return scene.answers.get("gait") == EACH


def _climbs_or_mixed(battle: Battle, scene: Scene) -> bool:
    return scene.answers.get("gait") in (EACH, "climb")


def _who_may_run(battle: Battle, scene: Scene) -> Choices:
    return {key: word for key, word in _movable(battle, scene).items() if may_run(battle, battle.figure(key))}


def _enemies_or_none(battle: Battle, scene: Scene) -> Choices:
    return {"": "no one", **{key: battle.unit(key).spec.name for key in enemy_units(battle, scene.actor)}}


def _goes(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind in ("allowance", "climbed", "stayed") for event in events)


def _met_text(battle: Battle, scene: Scene) -> str:
    """Which enemy unit do the figures touch at the end of the move?"""
    allowances = [scene.game.narrator.describe_event(event) for event in scene.events if event.kind == "allowance"]
    return f"{'; '.join([*allowances, 'move'])} the figures. Which enemy unit do they touch now?"


def _meets(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return bool(scene["met"])


def _comrades(battle: Battle, unit: Unit) -> list[tuple[str, str]]:
    """Return the bearers of a unit, each with the comrade that he carries."""
    return [(key, load) for key, man in unit.figures.items() for load in man.loads if load not in battle.things]


def _carries_comrade(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return bool(_comrades(battle, battle.unit(scene.actor))) and _goes(battle, scene, events)


def _lay_out_move(battle: Battle, scene: Scene) -> None:
    """Put the unit on the stage, so that a figure that goes nowhere stays exactly there."""
    unit = battle.change(scene.actor)
    for figure in unit.figures.values():
        if figure.at is not None and not figure.aboard:
            figure.at = real_table_of(battle).stage
    unit.measure()


def _move(table: Table, battle: Battle, scene: Scene) -> None:
    """Roll for the figures that go, and note their gaits and the enemies they touch (PAY-067 to PAY-071)."""
    unit, gait = battle.change(scene.actor), scene["gait"]
    movable = [figure for figure in unit_in_move_step(battle, unit).movable if figure.spec.id not in scene["halting"]]
    going = {figure.spec.id for figure in movable}
    if gait == "climb":
        for figure in movable:
            figure.gait = ADVANCE
        table.emit("climbed", "PAY-091", unit=scene.actor, figures=len(movable))
    else:
        running = going if gait == RUN else set(scene["running"] or ())
        gaits: dict[str, Gait] = {
            f.spec.id: RUN if f.spec.id in running and may_run(battle, f) else ADVANCE for f in movable
        }
        inches = move_figures(table, battle, unit, movable, gaits, {})
        _tell_allowances(table, unit, gaits, inches)
    note_departure(battle, unit, going)
    for bearer in dict.fromkeys(key for key, _ in _comrades(battle, unit) if key in going and scene["carried"]):
        x, y = battle.figure(bearer).at or (0.0, 0.0)
        record_carrying(table, battle, battle.change_figure(bearer), (x - scene["carried"], y))
    risen = [figure for figure in movable if DOWN in figure.marks]
    for figure in risen:
        figure.unmark(DOWN)  # PAY-086
    report_posture(table, scene.actor, "gets up", len(risen))
    note_contact(table, battle, scene)
    battle.waiting = [name for name in battle.waiting if name != MOVE]


def _tell_allowances(table: Table, unit: Unit, gaits: Mapping[str, str], inches: Mapping[str, float]) -> None:
    """Report how far the figures of each gait may go."""
    groups: dict[tuple[str, float], list[str]] = {}
    for key, far in inches.items():
        groups.setdefault((gaits[key], far), []).append(key)
    for (gait, far), men in groups.items():
        table.emit("allowance", "PAY-069", unit=unit.spec.id, figures=len(men), gait=gait, inches=far)


def _stay(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the place where the movers are: people move them."""
    return real_table_of(battle).stage


def _moves_left(battle: Battle, scene: Scene) -> Choices:
    actions = MOVE_ACTIONS.for_session(battle.book.rules)
    options = _other_moves(battle, battle.unit(scene.actor))
    texts = {option: actions.action_of(option) for option in options}
    return {o: actions.text(a, {}, formats(battle), words()) for o, a in texts.items() if a is not None}


def do_in_move_step(table: Table, battle: Battle, scene: Scene) -> None:
    """Do something else in the move step: with guns, conveyances or mounts, or an action of a house rule."""
    unit = battle.change(scene.actor)
    actor, actions = unit_in_move_step(battle, unit), MOVE_ACTIONS.for_session(battle.book.rules)
    before = {key: figure.gait for key, figure in unit.figures.items()}
    action = actions.action_of(scene["what"])
    assert action is not None, "only actions of the table are offered"
    spent = set(actor.spent)
    actions.perform(action, table, actor)
    unit = battle.change(scene.actor)
    gone = [key for key, figure in unit.figures.items() if figure.gait != before[key]]
    note_departure(battle, unit, {*gone, *(actor.spent - spent)})
    notes = [f"{mover} rolled {advance} {run}" for mover, (advance, run) in actor.rolls.items()]
    battle.waiting = [*(name for name in battle.waiting if " rolled " not in name), *notes]
    if actor.over:
        battle.waiting = [name for name in battle.waiting if name != MOVE]


def _where_it_stands(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the present place of the engine that is driven, or of the figures that walk on."""
    option = scene["what"]
    engine = battle.engines.get(option[1]) if isinstance(option, tuple) and len(option) > 1 else None
    if question.why == "drive to" and engine is not None and engine.at is not None:
        return engine.at
    return min(question.suggestions, key=lambda at: dist(at, battle.unit(scene.actor).positions.middle))


def _not_on(battle: Battle, scene: Scene, question: Any) -> Answer:
    return question.options[0]


MOVE_OR_CHARGE: CompanionAct[Battle] = CompanionAct(
    name="move",
    title="move or charge",
    rule="PAY-067",
    run=_move,
    actors=units_that("move", _may_go),
    asks=(
        Asked("gait", "How should {actor} move?", choices=_gaits),
        Asked("halting", "Who stays where he is?", default=(), choices=_movable, many=True, when=_climbs_or_mixed),
        Asked("running", "Who of the others runs?", default=(), choices=_who_may_run, many=True, when=_mixed),
        Asked(
            "carried",
            "How many inches were the wounded carried?",
            default=0.0,
            kind=Annotated[float, Ge(0)],
            unit="inches",
            after=_carries_comrade,
        ),
        Asked("met", _met_text, default="", choices=_enemies_or_none, after=_goes),
        *touch_questions(_meets),
    ),
    lay_out=_lay_out_move,
    preset_answers={"move to": _stay, "go on to": _stay},
    has_odds=False,
)


OTHER_MOVE: CompanionAct[Battle] = CompanionAct(
    name="other_move",
    title="mount, dismount, or move a gun or wagon",
    rule="PAY-084",
    run=do_in_move_step,
    actors=units_that("other_move", _other_moves),
    asks=(Asked("what", "{actor}: what does it do?", choices=_moves_left),),
    lay_out=lay_out_other_move,
    preset_answers={
        "move to": _where_it_stands,
        "go on to": _where_it_stands,
        "drive to": _where_it_stands,
        "get on": _not_on,
    },
    has_odds=False,
)
