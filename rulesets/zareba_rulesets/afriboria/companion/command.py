"""Setting up, cards, orders, events, companies, and the end of a player turn at a real table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Choose, Event, Table
from zareba_rulesets.afriboria.chapters.cards import deal, discard_played_card, face_events
from zareba_rulesets.afriboria.chapters.orders import Order, give_order, order_options
from zareba_rulesets.afriboria.chapters.setting_up import bring_on
from zareba_rulesets.afriboria.companion.common import (
    IN_THE_WAY,
    NOTHING,
    TO_DO,
    WAY_BACK,
    named,
    no_actors,
    same_second,
    step_back,
    strike_off,
)
from zareba_rulesets.afriboria.companion.real_table import (
    carry_structures,
    free_next_to,
    free_site,
    gather,
    hexes_of,
    is_in_zone,
    lay_out_way_back,
    piece_named,
    put_stack,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import form_company
from zareba_rulesets.afriboria.forces.pieces import OFF
from zareba_rulesets.afriboria.presentation.words import option_phrase

_WHO = "who gets an order"
"""The facts whose questions depend on the battle, by the words of the reference."""
_IN_WATER = "who stands in water"
_CROCODILES = "ev_crocodiles"


def _founders(battle: Battle) -> list[str]:
    """Return the officers who could form a company (AFR-110): they lead none, and have enough units that belong to
    none.
    """
    sizes = battle.book.company
    return [
        chief.spec.id
        for side in battle.sides
        for chief in battle.side_commanders(side)
        if chief.spec.officer
        and battle.company_led_by(chief) is None
        and len([u for u in battle.side_units(side) if not u.company and "ordered" not in u.marks]) >= sizes.least
    ]


def _founders_by_order(battle: Battle) -> list[str]:
    """Return the officers of the active side who could form a company with an order of this card (AFR-120)."""
    card = battle.book.cards[battle.card] if battle.card else None
    if battle.stage != "orders" or card is None or card.who or not any(battle.slots.values()):
        return []
    own = battle.roster.commanders[battle.active]
    return [name for name in _founders(battle) if name in own and "ordered" not in battle.commanders[name].marks]


def _deserted(battle: Battle) -> list[str]:
    """Return the officers of the active side whose company is suspended (AFR-121)."""
    suspended = {company.officer for company in battle.companies.values() if company.state == "suspended"}
    return [chief.spec.id for chief in battle.side_commanders(battle.active) if chief.spec.id in suspended]


def _members_apart(battle: Battle) -> list[str]:
    return [
        unit.spec.id
        for unit in battle.units.values()
        if unit.company and unit.hex != OFF and not is_in_zone(battle, unit)
    ]


def _members_near(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in battle.units.values() if unit.company and is_in_zone(battle, unit)]


def _platoon_leaders(battle: Battle) -> list[str]:
    """Return the commanders who may name a second unit next to their hex (AFR-298)."""
    if battle.book.room != 1:
        return []
    return [chief.spec.id for chief in battle.commanders.values() if chief.hex != OFF and chief.hex in battle.here]


def _order_choices(battle: Battle, scene: Scene) -> Choices:
    card = battle.book.cards[battle.card]
    question = Choose("order", "AFR-062", battle.active, battle.active, (), ())
    options = order_options(battle, battle.active, card, battle.slots)
    others = [option for option in options if option[0] != "form"]
    return {
        option: _order_phrase(battle, scene, question, option)
        for option in (*others, *(("form", name) for name in _founders_by_order(battle)))
    }


def _officer_of_company(scene: Scene) -> str:
    """Return the officer who forms a company: at the start the actor, later the one with that order."""
    return scene.actor or next((name for kind, name in scene.answers.get(_WHO, ()) if kind == "form"), "")


def _forms_company(battle: Battle, scene: Scene) -> bool:
    return bool(_officer_of_company(scene))


def _members_question(battle: Battle, scene: Scene) -> str:
    officer = named(scene, _officer_of_company(scene))
    return f"Which units in the hex of {officer} or next to it form his company?"


def _order_phrase(battle: Battle, scene: Scene, question: Choose, order: Order) -> str:
    kind, name = order
    if kind == "unit":
        unit = battle.units[name]
        return f"{unit.spec.name} ({unit.spec.colour})"
    if kind in ("commander", "flier"):
        return named(scene, name)
    return option_phrase(battle, question, order)


def _orders_question(battle: Battle, scene: Scene) -> str:
    card = battle.book.cards[battle.card]
    any_colour = "" if card.who else " A commander counts as any colour."
    units = {colour: "unit" if colour == "any" else f"{colour} unit" for colour in battle.slots}
    left = ", ".join(amount(number, units[colour]) for colour, number in battle.slots.items() if number)
    return f"{named(scene, battle.active)}, '{card.title}': which get an order (left: {left})?{any_colour}"


def _recruits(battle: Battle, scene: Scene) -> Choices:
    """Return the units that could belong to a company of an officer (AFR-111)."""
    side = battle.commanders[_officer_of_company(scene)].spec.side
    units = [unit for unit in battle.side_units(side) if not unit.company and "ordered" not in unit.marks]
    return {unit.spec.id: f"{unit.spec.name} ({unit.spec.colour})" for unit in units}


def _seconds(battle: Battle, scene: Scene) -> Choices:
    """Return the units that could be the second of a platoon (AFR-298)."""
    chief = battle.commanders[scene.actor]
    units = [unit for unit in battle.side_units(chief.spec.side) if unit.hex not in battle.chiefs]
    return {"": "none", **{unit.spec.id: unit.spec.name for unit in units}}


def _has_quotas(battle: Battle) -> bool:
    return any(side.quota is not None for side in battle.sides.values())


def _places_count(battle: Battle, scene: Scene) -> bool:
    """Return True if places score now: towards a quota, or because the battle ends with this player turn (AFR-051)."""
    return _has_quotas(battle) or battle.turn >= scene.game.plan.turn_limit


def _place_changes(battle: Battle, scene: Scene) -> Choices:
    """Return the places that may have changed hands, each with its new holder (AFR-051)."""
    goals = scene.game.scenario.objectives
    found: dict[Any, str] = {}
    for key in scene.game.plan.places:
        owner = battle.owners.get(key, "")
        for side in battle.sides:
            if side != owner:
                found[key, side] = f"{goals[key].name}: {named(scene, side)} stands there alone"
        if owner and battle.book.settings.objective_held == "while_there":
            found[key, ""] = f"{goals[key].name}: {named(scene, owner)} has nobody there any more"
    for key in scene.game.plan.areas:
        goal = goals[key]
        if key not in battle.achieved:
            sources = goal.units or [unit.spec.source for unit in battle.units.values() if unit.spec.side in goal.by]
            for unit in battle.units.values():
                if unit.hex != OFF and unit.spec.source in sources:
                    found[key, unit.spec.id] = f"{goal.name}: {unit.spec.name} is there"
    return found


def _lay_out_company(battle: Battle, scene: Scene) -> None:
    """Bring the members of a new company into the zone of their officer."""
    if officer := _officer_of_company(scene):
        gather(battle, battle.commanders[officer], scene["units of the company"])


def _lay_out_places(battle: Battle, scene: Scene) -> None:
    """Put a piece of the new holder into each place, and of the old one into all others."""
    told = scene["places"]
    holders = dict(battle.owners) | {key: side for key, side in told if key in scene.game.plan.places}
    for key, (cell, *_) in scene.game.plan.places.items():
        side = holders.get(key, "")
        names = [unit.spec.id for unit in battle.side_units(side)] if side else []
        if names:
            battle.here[cell] = (names[0],)
    battle.held = None
    for key, name in told:
        if key in scene.game.plan.areas:
            battle.move(battle.units[name], *scene.game.plan.areas[key])


def _crocodiles_come(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "event" and event.data["card"] == _CROCODILES for event in events)


def _bathers(battle: Battle, scene: Scene) -> Choices:
    """Return the units that crocodiles could attack: those of the holder of the card (AFR-340)."""
    holders = [event.data["side"] for event in scene.events if event.data.get("card") == _CROCODILES]
    return {unit.spec.id: unit.spec.name for side in dict.fromkeys(holders) for unit in battle.side_units(side)}


def _lay_out_event(battle: Battle, scene: Scene) -> None:
    """Bar the way back as people say, and put the units that people name into a river."""
    way = scene[IN_THE_WAY]
    piece = piece_named(battle, way[2]) if way != NOTHING else None
    homes = hexes_of(piece) if piece is not None else ()
    _, ground = lay_out_way_back(battle, way[2], way) if piece is not None else (0, {})
    rivers = {battle.units[name].hex: ("river",) for name in scene[_IN_WATER]}
    battle.field = table_of(battle).with_ground({**ground, **rivers})
    if piece is not None:
        carry_structures(battle, homes, piece)


def _deal(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, TO_DO)
    deal(table, battle)


def _decide_first(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, TO_DO)
    scene.game.sequence.first(table, battle)
    table.emit("goes first", "AFR-046", side=battle.active)
    _clear_places(battle, scene)


def _clear_places(battle: Battle, scene: Scene) -> None:
    """Take the markers of holders out of the places again."""
    for cell, *_ in scene.game.plan.places.values():
        battle.here.pop(cell, None)
    battle.held = None


def _arrive(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, scene.actor)
    plan = replace(scene.game.plan, entries={scene.actor: [free_site(battle)]})
    bring_on(table, battle, plan, scene.game.scenario, scene.actor)


def _play_card(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, TO_DO)
    scene.game.sequence.card(table, battle)


def _give_orders(table: Table, battle: Battle, scene: Scene) -> None:
    """Give the orders that people name; without any, no more follow (AFR-061, AFR-062)."""
    card, side = battle.book.cards[battle.card], battle.active
    for order in scene[_WHO]:
        if order not in order_options(battle, side, card, battle.slots):
            name = _order_phrase(battle, scene, Choose("order", "AFR-062", side, side, (), ()), order)
            raise ZarebaError(f"no order of '{card.title}' is left for {name} (AFR-064)")
        give_order(table, battle, order, card)
    if not scene[_WHO] or not any(battle.slots.values()):
        strike_off(battle, TO_DO)
        scene.game.sequence.conceal_in_forts(table, battle)


def _form_at_start(table: Table, battle: Battle, scene: Scene) -> None:
    form_company(table, battle, battle.commanders[scene.actor], "active")


def _reunite(table: Table, battle: Battle, scene: Scene) -> None:
    """Reactivate a company whose units are all around its officer again (AFR-121)."""
    company = battle.company_led_by(battle.commanders[scene.actor])
    assert company is not None, "only officers with a suspended company may do it"
    gather(battle, battle.commanders[scene.actor], company.members)
    company.state = "active"
    table.emit("company", "AFR-121", officer=scene.actor, members=tuple(company.members), hex=OFF)


def _come_into_zone(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that a member of a company stands in its officer's zone."""
    company = battle.company_of(battle.units[scene.actor])
    assert company is not None, "only members of companies may do it"
    gather(battle, battle.commanders[company.officer], [scene.actor])


def _leave_zone(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that a member of a company is no longer in its officer's zone."""
    battle.field = table_of(battle).with_near(battle, table_of(battle).near - {scene.actor})


def _choose_member(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Choose the next unit that people have named for a company, or no more."""
    wanted = [name for name in scene["units of the company"] if name in question.options]
    if not wanted and question.options[0] in battle.units:
        sizes = battle.book.company
        raise ZarebaError(
            f"a company has {sizes.least} to {sizes.most} units in {sizes.colours} colours, all in the officer's hex or "
            "next to it (AFR-111, AFR-112)"
        )
    return wanted[0] if wanted else question.options[0]


def _name_second(table: Table, battle: Battle, scene: Scene) -> None:
    """Name the unit next to a commander that belongs to his platoon, where a hex holds one unit (AFR-298)."""
    chief = battle.commanders[scene.actor]
    former = battle.units.get(chief.second)
    if former is not None and former.hex in battle.field.neighbours[chief.hex]:
        put_stack(battle, former.hex, free_site(battle))  # so that there is always room next to him
        table.emit("stand apart", "AFR-298", unit=former.spec.id)
    chief.second = scene["second"]
    for other in battle.commanders.values():
        if other is not chief and other.second == chief.second:
            other.second = ""
    if chief.second and battle.field.distance[battle.units[chief.second].hex][chief.hex] != 1:
        put_stack(battle, battle.units[chief.second].hex, free_next_to(battle, chief.hex))
        table.emit("stand together", "AFR-298", unit=chief.second, friend=scene.actor)


def _face_events(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, TO_DO)
    face_events(table, battle)


def _draw(table: Table, battle: Battle, scene: Scene) -> None:
    discard_played_card(table, battle)


def _close(table: Table, battle: Battle, scene: Scene) -> None:
    strike_off(battle, TO_DO)
    if not _has_quotas(battle):  # the end of the battle decides, when no unit stands in the places of the book any more
        battle.achieved |= {key: side for key, side in scene["places"] if key in scene.game.plan.places and side}
    scene.game.sequence.close(table, battle)
    _clear_places(battle, scene)


_PLACES: Asked[Battle] = Asked(
    "places",
    "Which of these has happened at the places of the scenario?",
    default=(),
    choices=_place_changes,
    when=_places_count,
    many=True,
)


_MEMBERS: Asked[Battle] = Asked(
    "units of the company", _members_question, default=(), choices=_recruits, when=_forms_company, many=True
)


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="company",
        title="form a company at the start",
        rule="AFR-110",
        run=_form_at_start,
        actors=lambda battle: _founders(battle) if battle.stage == "companies" else [],
        asks=(_MEMBERS,),
        lay_out=_lay_out_company,
        preset_answers={"company of": _choose_member},
    ),
    CompanionAct(
        name="deal",
        title="deal the hands",
        rule="AFR-044",
        run=_deal,
        actors=no_actors,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="first",
        title="decide who goes first",
        rule="AFR-046",
        run=_decide_first,
        actors=no_actors,
        asks=(replace(_PLACES, question="Which places does a side hold at the start?"),),
        lay_out=_lay_out_places,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="arrive",
        title="arrive",
        rule="AFR-047",
        run=_arrive,
        actors=lambda battle: [name for name in battle.waiting if name in battle.arrivals],
    ),
    CompanionAct(
        name="card",
        title="play a command card",
        rule="AFR-059",
        run=_play_card,
        actors=no_actors,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="orders",
        title="give orders",
        rule="AFR-062",
        run=_give_orders,
        actors=no_actors,
        asks=(Asked(_WHO, _orders_question, default=(), choices=_order_choices, many=True), _MEMBERS),
        lay_out=_lay_out_company,
        preset_answers={"company of": _choose_member},
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="event",
        title="turn over an event card",
        rule="AFR-067",
        run=_face_events,
        actors=no_actors,
        asks=(
            WAY_BACK,
            Asked(
                _IN_WATER,
                "Which units stand in a river, a ford or a marsh?",
                default=(),
                choices=_bathers,
                after=_crocodiles_come,
                many=True,
            ),
        ),
        lay_out=_lay_out_event,
        preset_answers={"retreat to": step_back, "second unit": same_second},
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="draw",
        title="discard the card played and draw another",
        rule="AFR-072",
        run=_draw,
        actors=no_actors,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="end",
        title="end the player turn",
        rule="AFR-051",
        run=_close,
        actors=no_actors,
        asks=(_PLACES,),
        lay_out=_lay_out_places,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="reunite",
        title="take control of his company again, all around him",
        rule="AFR-121",
        run=_reunite,
        actors=_deserted,
    ),
    CompanionAct(
        name="near",
        title="stand next to its officer, or in his hex",
        rule="AFR-112",
        run=_come_into_zone,
        actors=_members_apart,
    ),
    CompanionAct(
        name="away",
        title="stand farther than the next hex from its officer",
        rule="AFR-118",
        run=_leave_zone,
        actors=_members_near,
    ),
    CompanionAct(
        name="second",
        title="name the second unit of his platoon",
        rule="AFR-298",
        run=_name_second,
        actors=_platoon_leaders,
        asks=(Asked("second", "Which unit in a hex next to {actor} belongs to his platoon?", choices=_seconds),),
    ),
)
