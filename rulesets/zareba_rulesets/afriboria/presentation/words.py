"""Text for players: questions, options, events, pieces, hands and cards.

Functions named `_sentence` return a whole sentence. Those named `_line` describe one piece with its state. Those named
`_phrase` return a part of a sentence or the text of an option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.base.grammar import amount, in_a_sentence, join_with_and, join_with_or, with_the
from zareba.battle.carried_objects import carried_by
from zareba.battle.sentence_templates import Data, More, Name, event_text, fill, question_text, words_next_to
from zareba.chance import Counted, Counts
from zareba.presentation.cards import CardRow, TableCard
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.cards import KEEP_REST
from zareba_rulesets.afriboria.chapters.combat import has_target_from, may_battle
from zareba_rulesets.afriboria.chapters.engagement import all_targets
from zareba_rulesets.afriboria.chapters.movement import STAY, steps_to
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.companies import company_pace, platoon
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit

STRUCTURE = "structure "
"""The prefix of the name of a structure that rolls dice; its hex follows."""
_CELL_QUESTIONS = {
    "deploy in", "arrive in", "commander to", "follow to", "ladder at", "man", "gather in", "retreat to", "fight on against",
}  # fmt: skip


words = words_next_to(__file__)
"""The sentences of these rules."""


def question_sentence(battle: Battle, question: Question, names: Mapping[str, str]) -> str:
    """Return the question in one sentence, with the `names` of sides; for dice, with the roll and what its faces do."""
    actor = names.get(question.actor) or _name(battle, question.actor)
    if isinstance(question, Roll):
        faces = _faces_phrase(battle.book, question)
        effects = f": {faces}" if faces else question.how_to_read
        return (
            f"{question.why.capitalize()} for {in_a_sentence(actor)}: throw {question.dice}d{question.sides}{effects}"
        )
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw a card for {in_a_sentence(actor)}"
    event = battle.book.file.events.get(question.why)
    if event is not None and question.why not in words().questions:  # an event of a house rule
        return f"{event.title.capitalize()} ({event.text}): which one?"
    about = question.about if isinstance(question, Choose) else ()
    if question.why == "order" and any(battle.slots.values()):
        details = {"left": _orders_left(battle)}
    else:
        details = _ABOUT[question.why](battle, about) if about and question.why in _ABOUT else {}
    data = {"actor": actor, "known": bool(details), **details}
    return question_text(words(), question, data, {"place": battle.field.grid.label})


def _orders_left(battle: Battle) -> str:
    """Return the orders that the card in play still has: "2 blue orders", or "3 orders (1 red, 2 any colour)"."""
    left = {"any colour" if colour == "any" else colour: number for colour, number in battle.slots.items() if number}
    if len(left) > 1:
        return f"{amount(sum(left.values()), 'order')} ({', '.join(f'{number} {colour}' for colour, number in left.items())})"
    ((colour, number),) = left.items()
    return f"{amount(number, 'order')} of any colour" if colour == "any colour" else amount(number, f"{colour} order")


def _attack_phrase(battle: Battle, about: tuple[Any, ...]) -> dict[str, Any]:
    """Return the attacker, its hex and the kind of attack, before the dice."""
    attacker, verb, _ = about
    unit = battle.units.get(attacker)
    where = f" at {battle.field.grid.label(unit.hex)}" if unit is not None else ""
    return {"how": "bombed" if verb == "bomb" else "attacked", "by": f"{in_a_sentence(_name(battle, attacker))}{where}"}


def _hex_of_question(battle: Battle, about: tuple[Any, ...]) -> dict[str, Any]:
    """Return the hex that a question is about."""
    return {"at": about[0]}


_ABOUT: dict[str, Callable[[Battle, tuple[Any, ...]], dict[str, Any]]] = {
    "defender": _attack_phrase,
    "gate": _hex_of_question,
    "dice of the section": _hex_of_question,
    "figures there": _hex_of_question,
    "man": lambda battle, about: {"left": about[0]},
    "which unit is attacked": _hex_of_question,
}
"""Questions with a better sentence when their subject is known."""


def _faces_phrase(book: AfrBook, question: Roll) -> str:
    """Return what each face of a roll does (AFR-008). Faces are shown as symbols with numbers, or as numbers."""
    if not isinstance(question.read, Counts):
        return question.read.instruction(question.dice)
    labels = {face.number: str(face.number) for face in book.file.faces.values()}
    if book.settings.die_display == "symbols":
        labels = {
            face.number: f"{face.symbol if name.startswith('hit_') else name} ({face.number})"
            for name, face in book.file.faces.items()
        }
    effects = question.means.what if isinstance(question.means, Counted) else ("it counts",) * len(question.read.groups)
    phrases = [
        f"{effect.partition(' (')[0]} on {join_with_or(labels[number] for number in sorted(group, reverse=True))}"
        for effect, group in zip(effects, question.read.groups, strict=True)
        if group and "no effect" not in effect
    ]
    return "; ".join(phrases) or "no face counts"


def _name(battle: Battle, actor: str) -> str:
    """Return the name of a piece or structure; other words unchanged."""
    if actor.startswith(STRUCTURE):
        return f"{STRUCTURE}at {battle.field.grid.label(int(actor.removeprefix(STRUCTURE)))}"
    piece = battle.units.get(actor) or battle.commanders.get(actor) or battle.fliers.get(actor)
    return piece.spec.name if piece is not None else actor


def card_rows(battle: Battle, side_names: Mapping[str, str]) -> list[CardRow]:
    """Return the card in play, the hand of the seat whose view this is, and the enemy's hand as far as it was shown.

    A spectator gets the card in play and the number of cards in each hand.
    """
    rows = [CardRow("Card in play", (_table_card(battle, battle.card),))] if battle.card else []
    if battle.seer:
        hand = tuple(_table_card(battle, name, name) for name in battle.sides[battle.seer].hand)
        enemy = battle.sides[battle.field.enemy(battle.seer)]
        unseen = len(enemy.hand) - len(enemy.known)
        covered = (_covered_cards(unseen),) if unseen else ()
        rows += [CardRow("Your hand", hand, battle.seer)] if hand else []
        shown = (*(_table_card(battle, name, name) for name in enemy.known), *covered)
        rows += [CardRow("Enemy's hand", shown, battle.field.enemy(battle.seer))]
    else:
        rows += [
            CardRow(f"Hand of {in_a_sentence(side_names[side])}", (_covered_cards(len(entry.hand)),), side)
            for side, entry in battle.sides.items()
            if entry.hand
        ]
    return rows


def _covered_cards(count: int) -> TableCard:
    """Return command cards that lie face down."""
    return TableCard("command card", is_known=False, count=count)


def _table_card(battle: Battle, name: str, option: str | None = None) -> TableCard:
    """Return a command card for the display; `option` is the option that plays it, if it can be clicked."""
    card = battle.book.cards[name]
    colours = tuple(colour for colour, number in card.orders.items() for _ in range(number))
    event = "; brings an event" if card.event and battle.event_deck_used else ""
    return TableCard(card.title, f"{card.text}{event}".removeprefix("; "), colours, option)


def hand_phrase(battle: Battle) -> str:
    """Return the hand of the seat whose view this is, the card in play, and the cards seen of the enemy's hand."""
    cards = battle.book.cards
    card = f"; card in play: {cards[battle.card].title}" if battle.card else ""
    if not battle.seer:
        return card
    hand = ", ".join(cards[name].title for name in battle.sides[battle.seer].hand)
    known_titles = ", ".join(cards[name].title for name in battle.sides[battle.field.enemy(battle.seer)].known)
    return f"{card}; hand: {hand or 'none'}" + (f"; seen of the enemy's hand: {known_titles}" if known_titles else "")


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """Return one option as a phrase."""
    if isinstance(option, tuple):
        return _tuple_phrase(battle, question, option)
    if option == "done":
        return words().tables["done"][question.why]
    if question.why == "card to exchange" and option == KEEP_REST:
        return "keep the other cards"
    if question.why == "gate":
        is_open = isinstance(question, Choose) and question.about[1]
        return (
            f"{'shut' if is_open else 'open'} it"
            if option != "leave it"
            else f"leave it {'open' if is_open else 'shut'}"
        )
    if isinstance(option, int):
        if question.why == "commander to" and option == battle.commanders[question.actor].hex:
            return f"stay at {battle.field.grid.label(option)}"
        return place_phrase(battle, option) if question.why in _CELL_QUESTIONS else str(option)
    is_piece = option in battle.units or option in battle.commanders  # such as a unit with the id blue_2
    if option in battle.book.cards and (question.why in CARD_QUESTIONS or not is_piece):
        return _card_phrase(battle, option)
    if option == STAY and question.why == "move" and question.actor in battle.units:
        unit = battle.units[question.actor]
        return f"{option}{_TARGET_NOTE if may_battle(battle, unit) and _has_target(battle, unit) else ''}"
    return _piece_phrase(battle, option)


CARD_QUESTIONS = ("play", "first of two", "second of two", "card to take away", "card to exchange")
"""The questions whose options are cards."""


_PIECE_OPTIONS = ("company", "disband", "unit", "commander", "flier", "platoon", "leave", "form", "parked")


def hex_of(question: Choose, option: Option) -> int | None:
    """Return the hex that an option names; None if it names pieces, cards or numbers."""
    if isinstance(option, tuple):
        return option[1] if option[0] not in _PIECE_OPTIONS and isinstance(option[1], int) else None
    return option if isinstance(option, int) and question.why in _CELL_QUESTIONS else None


def _card_phrase(battle: Battle, name: str) -> str:
    """Return a card with its text, as an option."""
    card = battle.book.cards[name]
    event = ", brings an event" if card.event and battle.event_deck_used else ""
    return f"{card.title}{': ' if card.text else ''}{card.text}{event}"


def _piece_phrase(battle: Battle, name: str) -> str:
    """Return a piece in one line; other words unchanged."""
    if name in battle.units:
        return unit_line(battle, battle.units[name])
    if name in battle.commanders:
        return commander_line(battle, battle.commanders[name])
    return flier_line(battle, battle.fliers[name]) if name in battle.fliers else name


def _tuple_phrase(battle: Battle, question: Choose | Place | Confirm, option: tuple[Any, ...]) -> str:
    """Return an option of several parts as a phrase: an order, or a move or attack with its hex."""
    verb, subject = option[0], option[1]
    if verb == "unit" and question.why == "order":
        return unit_line(battle, battle.units[subject]) + _order_note(battle, battle.units[subject])
    if verb in ("unit", "commander", "flier"):
        return _piece_phrase(battle, subject)
    if verb == "platoon":
        units = platoon(battle, battle.commanders[subject])
        return f"the platoon of {_name(battle, subject)}: {' and '.join(unit.spec.name for unit in units)}"
    if verb in _PIECE_OPTIONS:
        name = _name(battle, battle.companies[subject].officer if verb in ("company", "disband") else subject)
        return fill(words().options[verb], {"name": name}, str)
    battle_note = _battle_note(battle, question.actor, subject, verb == "with") if verb in ("to", "with") else ""
    return fill(words().options[verb], {"place": place_phrase(battle, subject)}, str, strict=True) + battle_note


_TARGET_NOTE = ", target in range"


_NO_TARGET_NOTE = ", no target in range and sight"
_GUNS = ("artillery", "machine_gun")
"""Arms that are ordered in order to fire, so that the option says if they cannot."""


def _has_target(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has a target where it stands."""
    return any(has_target_from(battle, unit, cell) for cell in unit.hexes)


def _order_note(battle: Battle, unit: Unit) -> str:
    """Return ", target in range" if a unit has a target where it stands and the card in play lets it battle; if a gun
    has none, say so.
    """
    card = battle.book.cards.get(battle.card)
    if card is None or not card.battles or unit.hex == OFF:
        return ""
    if _has_target(battle, unit):
        return _TARGET_NOTE
    is_gun = unit.profile.arm in _GUNS and unit.profile.dice
    return _NO_TARGET_NOTE if is_gun and not all_targets(battle, unit, first=True) else ""


def _battle_note(battle: Battle, actor: str, cell: int, with_officer: bool) -> str:
    """Return ", no battle afterwards" if the unit may not battle this turn after the move (AFR-021 to AFR-034,
    AFR-147), ", target in range" if it may and has a target there, else "".
    """
    unit = battle.units[actor]
    if not {"battle", "company"} & unit.marks or not unit.profile.dice:
        return ""
    max_move = unit.profile.battle_move
    if "company" in unit.marks:
        max_move = min(max_move, company_pace(battle, unit, to_battle=True))
    too_far = steps_to(battle, unit, cell, with_officer) + unit.moved > max_move
    if too_far or (battle.ground(cell).no_battle and "guided" not in unit.marks):
        return ", no battle afterwards"
    return _TARGET_NOTE if has_target_from(battle, unit, cell) else ""


def place_phrase(battle: Battle, cell: int) -> str:
    """Return a hex with its ground and the pieces in it."""
    ground = battle.ground(cell)
    terrain = battle.book.file.terrain
    notes = [terrain[kind].title for kind in ground.kinds]
    unit_names = [in_a_sentence(unit.spec.name) for unit in battle.units_in(cell)]
    chief = battle.commander_in(cell)
    unit_names += [chief.spec.name] if chief is not None else []
    notes += [f"with {', '.join(unit_names)}"] if unit_names else []
    label = battle.field.grid.label(cell)
    return f"{label} ({'; '.join(notes)})" if notes else label


def commander_line(battle: Battle, chief: Commander) -> str:
    """Return a commander in one line: name, rank, state, hex."""
    rank = "officer" if chief.spec.officer else "NCO"
    rank += " and character" if chief.spec.character else ""
    states = [rank, *(["mounted"] if chief.spec.mounted else []), *(["wounded"] if "wounded" in chief.marks else [])]
    return f"{chief.spec.name}, {', '.join(states)}, at {battle.field.grid.label(chief.hex)}"


def flier_line(battle: Battle, flier: Flier) -> str:
    """Return an aircraft or airship in one line: name, colour, hex, fuel or strength, bombs."""
    state = "in the air" if flier.airborne else "on the ground"
    if flier.spec.kind == "airship":
        state += f", strength {flier.strength}"
    elif flier.airborne:
        state += f", fuel {flier.fuel}"
    bombs = f", bombs {flier.bombs}" if flier.bombs else ""
    colour = f"{flier.spec.colour} " if flier.spec.colour else ""
    where = battle.field.grid.label(flier.hex)
    return f"{flier.spec.name} ({colour}{flier.spec.kind}) at {where}, {state}{bombs}"


def unit_line(battle: Battle, unit: Unit) -> str:
    """Return a unit in one line: name, colour, hex, figures, weapons that differ from its class, state."""
    spec, label = unit.spec, battle.field.grid.label
    where = label(unit.hex) if unit.hex != OFF else "off the table"
    name = f"{spec.name} ({spec.colour} {unit.profile.title}) at {where}"
    sections = [f"{figures} at {label(cell)}" for cell, figures in unit.sections.items()]
    return ", ".join([name, amount(unit.figures, "figure"), *arms_of(unit), *sections, *states_of(battle, unit)])


def arms_of(unit: Unit) -> list[str]:
    """Return in phrases what differs from the arms of a unit's class."""
    spec = unit.spec
    states = []
    if unit.profile.dice and not spec.missile and not unit.mounted:
        states.append("no firearms")
    elif unit.partly_armed:
        states.append(f"{unit.firearms} with firearms")
    states += ["lancers"] if spec.lancers else []
    states += ["with ladders"] if unit.ladders else []
    return states


def states_of(battle: Battle, unit: Unit) -> list[str]:
    """Return in phrases a unit's company, what it carries, and its marks."""
    company = battle.company_of(unit)
    states = [f"company of {_name(battle, company.officer)}"] if company is not None else []
    names = battle.field.names
    loads = [
        with_the(names.get(object_id, object_id.replace("_", " ")))
        for object_id in carried_by(battle.carried_objects, unit.spec.id)
    ]
    states += [f"carries {join_with_and(loads)}"] if loads else []
    return [*states, *words().states(unit.marks)]


# --- Events as sentences ----------------------------------------------------------------------------------------------


_DEFENCE = "AFR-212"
"""The rule of losses to defence dice."""


def _order_phrase(data: Data, name: Name) -> dict[str, Any]:
    """Return the order as a sentence."""
    kind, whom = data["order"]
    return {"ordered": fill(words().tables["orders"][kind], {"name": name(whom.removeprefix("company of "))}, str)}


def _battle_result(data: Data, name: Name) -> dict[str, Any]:
    """Return what the dice of an attack did: hits, figures killed, and flags."""
    hits, kills, flags = data["hits"], data["kills"], data["flags"]
    found = [amount(hits, "hit")] if hits else []
    found.append(f"{kills} killed" if kills else "none killed" if hits else "no hits")
    if data["jammed"]:
        found = ["the gun jammed"]
    return {"result": ", ".join([*found, *([amount(flags, "flag")] if flags else [])])}


MORE: dict[str, More] = {"order": _order_phrase, "battle": _battle_result}
"""Values for sentences that the events do not contain directly."""


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """Return an event in one sentence. `names` are those of sides and places.

    Victory points are shown only to a side that has a quota (AFR-052). Without one the objectives of the scenario
    decide, and a second count of points would only confuse.
    """
    if event.kind == "points" and plan.quotas.get(event.data["side"]) is None:
        return ""
    if event.kind == "loss" and event.rule == _DEFENCE and event.data["left"]:
        lost, left = amount(event.data["lost"], "figure"), event.data["left"]
        return f"{plan.units[event.data['unit']].name} lost {lost} to defence dice, {left} left"
    pieces = {key: piece.name for group in (plan.units, plan.commanders, plan.fliers) for key, piece in group.items()}
    cards = {key: card.title for key, card in book.cards.items()}
    cards |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}
    # a unit may have the id of a card, such as blue_2
    known = pieces | cards if "card" in event.data else cards | pieces

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    label = plan.field.grid.label

    def along(sections: Any) -> str:
        return ", ".join(f"{figures} at {label(cell)}" for cell, figures in sections)

    return event_text(words(), event, name, {"place": label, "along": along}, MORE)
