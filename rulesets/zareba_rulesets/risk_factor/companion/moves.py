"""Companion acts that move units: Action results and orders (RSK-038, RSK-066)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.moves import points_around
from zareba.table import Answer, Table
from zareba_rulesets.risk_factor.actions import ORDERS, OrderedUnit, formats, give_order
from zareba_rulesets.risk_factor.book import Ground
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
    carry_out_result,
)
from zareba_rulesets.risk_factor.chapters.charge import TOUCH
from zareba_rulesets.risk_factor.chapters.movement import full_move
from zareba_rulesets.risk_factor.companion.book import (
    ASIDE,
    NO_UNIT,
    STAGE,
    Count,
    Length,
    bound_units,
    end_wait,
    enemy_units,
    figure_count,
    place_ahead,
    place_alone,
    set_positions,
    table_of,
    unit_choices,
)
from zareba_rulesets.risk_factor.forces import Battle, Unit
from zareba_rulesets.risk_factor.presentation.words import words

_FULL, _HALF = "full", "half"


def _obeys(battle: Battle) -> list[str]:
    """Return the units that are free to obey and have not moved yet."""
    if battle.phase != "move":
        return []
    return [name for name in battle.waiting if "free" in battle.units[name].marks and battle.units[name].is_on_table]


def _enemies_or_none(battle: Battle, scene: Scene) -> Choices:
    enemies = [battle.units[name] for name in enemy_units(battle, scene.actor)]
    return {NO_UNIT: "none in sight", **unit_choices(battle, enemies)}


def _acts_as(*actions: str) -> Callable[[Battle, Scene], bool]:
    """Return a test: the result of the actor is one of these actions."""
    return lambda battle, scene: action_this_turn(battle.units[scene.actor]) in actions


def _distance_text(battle: Battle, scene: Scene) -> str:
    """How far from the unit to that enemy?"""
    return f"How far from {{actor}} to {battle.units[scene['enemy']].spec.name}?"


def _distance_matters(battle: Battle, scene: Scene) -> bool:
    return bool(scene.answers.get("enemy")) and action_this_turn(battle.units[scene.actor]) in ("advance", "rout")


def _captor_is_known(battle: Battle, scene: Scene) -> bool:
    return bool(scene.answers.get("enemy")) and action_this_turn(battle.units[scene.actor]) == "rout"


def _enemy_text(battle: Battle, scene: Scene) -> str:
    """The nearest enemy in sight."""
    unit = battle.units[scene.actor]
    return f"{{actor}} must {_WILL[action_this_turn(unit)]}. Which enemy in sight is nearest?"


def _beyond_its_move(battle: Battle, scene: Scene) -> float:
    """Return a distance at which a unit that marches does not arrive this turn: the usual case."""
    return full_move(battle, battle.units[scene.actor]) + ASIDE


def _marches(battle: Battle, scene: Scene) -> Choices:
    """Return how far a unit may march; people type the distance of a place that is nearer (RSK-191)."""
    cm = full_move(battle, battle.units[scene.actor])
    return {_beyond_its_move(battle, scene): f"its whole move ({cm:g} cm in the open)", 0.0: "it stays"}


def _cm_of_march(battle: Battle, scene: Scene, cm: float) -> float:
    """Return the distance of the place to which a unit marches."""
    return float(cm)


_WILL = {
    "advance": "advance", "retreat": "retreat", "rout": "rout", "halt_in_cover": "halt in cover", "march": "march on",
    "attack": "attack", "halt": "halt",
}  # fmt: skip


def _figures_over(battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(battle.units[scene.actor].count, count)


def _lay_out_result(battle: Battle, scene: Scene) -> None:
    """Put the nearest enemy, cover, a goal and the table edge where people see them."""
    unit = battle.units[scene.actor]
    pieces: dict[str, TerrainPiece[Ground]] = {}
    over = scene["over"]
    at = (ASIDE, STAGE) if not (scene["cover"] or scene["surrounded"]) else (ASIDE / 2, ASIDE / 2)
    place_alone(battle, unit, at)
    enemy = battle.units.get(scene["enemy"])
    if scene["surrounded"]:
        set_positions(unit, [at] * unit.count)
    if enemy is not None:
        place_ahead(
            battle, unit, enemy, scene["distance"] if scene["distance"] is not None else full_move(battle, unit)
        )
    if unit.result == "towards" and enemy is None:
        unit.result = "continue"
        unit.action = action_this_turn(unit)
    if over:
        set_positions(unit, [*unit.body.at[: unit.count - over], *[(at[0], 0.5)] * over])
    if action_this_turn(unit) == "march" and scene["goal"] is not None:
        x, y = unit.body.centre
        unit.goal = (x - scene["goal"], y)
    grounds = battle.book.file.grounds
    if scene["cover"]:
        x, y = unit.body.centre[0] + scene["cover"] - unit.body.radius, unit.body.centre[1]
        pieces["cover"] = TerrainPiece.area("cover", grounds["bush"], _square((x, y), 50.0))
    if scene["surrounded"]:
        ring = [*points_around(at, full_move(battle, unit) / 2, 0.0, range(0, 361, 30))]
        pieces["enemies"] = TerrainPiece.line("enemies", grounds["high_wall"], tuple(ring))
    field = table_of(battle).new_plain(pieces, ASIDE if pieces else 0.0)
    field.in_sight = enemy.body if enemy is not None else unit.body
    battle.field = field


def _square(west: Point, wide: float) -> tuple[Point, ...]:
    """Return a square to the east of the middle of its west side."""
    (x, y), half = west, wide / 2
    return (x, y - half), (x + wide, y - half), (x + wide, y + half), (x, y + half)


def _carry_out(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, scene.actor)
    unit = battle.units[scene.actor]
    goal = battle.units[scene.actor].goal
    carry_out_result(table, battle, unit)
    unit.goal = goal if unit.goal is not None else None
    if not table.events:
        table.emit("stays", "RSK-038", unit=scene.actor)


def _orders(battle: Battle, scene: Scene) -> Choices:
    """Return the orders that a unit may get, in words for people who move the figures."""
    unit = battle.units[scene.actor]
    if battle.enemies_in_contact(unit):
        return {"hold": "fight on", "withdraw": "withdraw"}
    enemies = bool(battle.against(unit.spec.side))
    may_charge = enemies and not unit.spec.support and not unit.spec.civilian
    orders = {"hold": "stay (and load, if it must)"}
    orders |= {"charge": "charge"} if may_charge else {}
    orders |= {"advance": "move nearer to an enemy"} if enemies else {}
    orders |= {"march": "move, no nearer to an enemy", "withdraw": "move straight away from the enemy"}
    if unit.spec.can_dismount:
        orders |= {"dismount": "dismount"} if unit.mounted else {"mount": "mount"}
    return {**orders, **_orders_of_house_rules(battle, scene)}


def _near_in_turn(battle: Battle, scene: Scene) -> Iterator[tuple[str, Battle]]:
    """Yield a copy of the battle with no enemy near a unit, and one with each of the enemies close by."""
    for enemy in (NO_UNIT, *enemy_units(battle, scene.actor)):
        draft = battle.copy()
        _put_near(draft, draft.units[scene.actor], enemy)
        yield enemy, draft


def _put_near(battle: Battle, unit: Unit, enemy: str) -> None:
    """Put an enemy close to a unit; none is in sight without one."""
    place_alone(battle, unit, (ASIDE, STAGE))
    field = table_of(battle).new_plain()
    if enemy:
        place_ahead(battle, unit, battle.units[enemy], 1.0)
    else:
        field.blind = {unit.body}
    battle.field = field


def _house_options(battle: Battle, scene: Scene) -> dict[Any, str]:
    """Return the orders of house rules that a unit may get, each with the enemy that must be near for it, "" for
    none.
    """
    orders, found = ORDERS.for_session(battle.book.rules), dict[Any, str]()
    if orders.house_actions:
        for enemy, draft in _near_in_turn(battle, scene):
            actor = OrderedUnit(draft, draft.units[scene.actor], scene.game.plan)
            for option in orders.house_options(actor, draft):
                found.setdefault(option, enemy)
    return found


def _orders_of_house_rules(battle: Battle, scene: Scene) -> Choices:
    """Return these orders in the words of the house rule."""
    orders, found = ORDERS.for_session(battle.book.rules), {}
    for option in _house_options(battle, scene):
        order = orders.action_of(option)
        assert order is not None, "the table has listed it"
        found[option] = orders.text(order, {}, formats(battle, scene.actor), words())
    return found


def _ordered(*orders: str) -> Callable[[Battle, Scene], bool]:
    """Return a test: the order is one of these."""
    return lambda battle, scene: scene.answers.get("order") in orders


def _moves_by_order(battle: Battle, scene: Scene) -> bool:
    return scene.answers.get("order") in ("advance", "march", "withdraw")


def _paces(battle: Battle, scene: Scene) -> Choices:
    """Return the paces of a unit: at half pace its troops may still shoot (RSK-089, RSK-090)."""
    cm = full_move(battle, battle.units[scene.actor])
    return {_FULL: f"more than half a move (up to {cm:g} cm)", _HALF: f"half a move at most ({cm / 2:g} cm)"}


def _pace_of(battle: Battle, scene: Scene, cm: float) -> str:
    """Return the pace for a distance. Raises ZarebaError if the unit cannot go so far (RSK-074)."""
    unit = battle.units[scene.actor]
    most = full_move(battle, unit)
    if cm > most:
        raise ZarebaError(f"{unit.spec.name} goes {most:g} cm at most in the open, not {cm:g} (RSK-074)")
    return _HALF if cm <= most / 2 else _FULL


def _leader_moves(battle: Battle, scene: Scene) -> bool:
    return bool(battle.units[scene.actor].spec.leader) and _moves_by_order(battle, scene)


def _may_be_with(battle: Battle, scene: Scene) -> Choices:
    return {NO_UNIT: "none", **unit_choices(battle, battle.groups(battle.units[scene.actor].spec.side))}


def _charge_targets(battle: Battle, scene: Scene) -> Choices:
    return unit_choices(battle, [battle.units[name] for name in enemy_units(battle, scene.actor)])


def _lay_out_order(battle: Battle, scene: Scene) -> None:
    """Put an enemy in reach of an order to charge, or far ahead for a move towards or away from him."""
    unit = battle.units[scene.actor]
    met = battle.enemies_in_contact(unit)
    place_alone(battle, unit, (ASIDE, STAGE))
    enemies = [battle.units[name] for name in enemy_units(battle, scene.actor)]
    field = table_of(battle).new_plain()
    if met:
        for enemy in met[:1]:
            place_ahead(battle, unit, enemy, TOUCH)
    elif (near := _house_options(battle, scene).get(scene["order"])) is not None:
        _put_near(battle, unit, near)
        return
    elif scene["order"] == "charge":
        place_ahead(battle, unit, battle.units[scene["enemy"]], 1.0)
    elif scene["order"] in ("advance", "withdraw") and enemies:
        place_ahead(battle, unit, enemies[0], ASIDE)
    else:
        field.blind = {unit.body}
    battle.field = field


def _obey(table: Table, battle: Battle, scene: Scene) -> None:
    """Carry out an order. A leader then stands with the group that people name."""
    end_wait(battle, scene.actor)
    unit = battle.units[scene.actor]
    give_order(table, battle, unit, scene.game.plan)
    host = battle.units.get(scene["host"])
    if host is not None and unit.spec.leader and "moved" in unit.marks:
        set_positions(unit, [host.body.at[-1]])
    if not table.events and scene["order"] == "charge":
        table.emit("will charge", "RSK-066", unit=scene.actor, target=scene["enemy"])
    elif not table.events:
        table.emit("stays", "RSK-066", unit=scene.actor)


def _wanted_order(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the order that people gave."""
    orders, verb = ORDERS.for_session(battle.book.rules), scene["order"]
    if verb in question.options:  # an order of a house rule
        return verb
    found = [
        option for option in question.options if (order := orders.action_of(option)) is not None and order.verb == verb
    ]
    return found[0] if found else question.options[0]


def _pace(battle: Battle, scene: Scene, question: Any) -> Answer:
    return scene["pace"] if scene["pace"] in question.options else question.options[0]


def _destination(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return a point to the west: at the end of the move if the unit arrives there, else beyond it."""
    unit = battle.units[scene.actor]
    cm = full_move(battle, unit) * (1.0 if scene["pace"] == _FULL else 0.5)
    x, y = unit.body.centre
    return (x - (cm if scene["arrives"] else cm + 100.0), y)


def _rest_of_move(battle: Battle, scene: Scene, question: Any) -> Answer:
    return "march" if scene["goes_on"] else "hold"


def _keep_facing(battle: Battle, scene: Scene, question: Any) -> Answer:
    return question.options[0]


CARRY_OUT_RESULT: CompanionAct[Battle] = CompanionAct(
    name="act",
    title="do what its Action throw says",
    rule="RSK-038",
    run=_carry_out,
    actors=bound_units,
    asks=(
        Asked(
            "enemy",
            _enemy_text,
            choices=_enemies_or_none,
            when=_acts_as("advance", "retreat", "rout", "halt_in_cover"),
            default=NO_UNIT,
        ),
        Asked("distance", _distance_text, kind=Length, unit="cm", when=_distance_matters),
        Asked(
            "surrounded",
            "Is {actor} surrounded, with no gap to run through?",
            default=False,
            kind=bool,
            when=_captor_is_known,
        ),
        Asked(
            "cover",
            "How far is cover that {actor} can reach, away from the enemy? (0: none)",
            default=0.0,
            kind=Length,
            unit="cm",
            when=_acts_as("retreat", "halt_in_cover"),
        ),
        Asked(
            "goal",
            "How far does {actor} march?",
            default=_beyond_its_move,
            choices=_marches,
            kind=Length,
            unit="cm",
            measured=_cm_of_march,
            when=_acts_as("march"),
        ),
        Asked(
            "over",
            "How many figures of {actor} cross the edge of the table?",
            default=0,
            kind=Count,
            when=_acts_as("retreat", "rout"),
            measured=_figures_over,
        ),
    ),
    lay_out=_lay_out_result,
    out_of_turn=False,
)


OBEY_ORDER: CompanionAct[Battle] = CompanionAct(
    name="order",
    title="obey an order",
    rule="RSK-066",
    run=_obey,
    actors=_obeys,
    asks=(
        Asked("order", "{actor}: which order?", choices=_orders),
        Asked(
            "enemy",
            "Which enemy should {actor} charge?",
            choices=_charge_targets,
            when=_ordered("charge"),
            default=NO_UNIT,
        ),
        Asked(
            "pace",
            "How far should {actor} go?",
            default=_FULL,
            choices=_paces,
            when=_moves_by_order,
            unit="cm",
            measured=_pace_of,
        ),
        Asked("arrives", "Does {actor} reach its destination?", default=False, kind=bool, when=_ordered("march")),
        Asked(
            "goes_on",
            "Does {actor} use the other half of its move?",
            default=False,
            kind=bool,
            when=_ordered("mount", "dismount"),
        ),
        Asked("host", "Which group is {actor} with then?", default=NO_UNIT, choices=_may_be_with, when=_leader_moves),
    ),
    lay_out=_lay_out_order,
    preset_answers={
        "order": _wanted_order,
        "pace": _pace,
        "march to": _destination,
        "go on": _rest_of_move,
        "face": _keep_facing,
    },
    out_of_turn=False,
)
