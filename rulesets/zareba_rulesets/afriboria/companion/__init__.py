"""Afriboria at a real table.

The book is a battle on a plain (`real_table`). Pieces that share a hex on the real table share one in the book, so that
platoons, officers' dice and choices of a target work as in play. Distances, ground and ways back are laid out for each
act as people describe them. The acts are in a module for each kind. Hands and decks are those of play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_and
from zareba.battle.sentence_templates import fill
from zareba.chance import Counts
from zareba.companion import Companion, CompanionAct, Opening
from zareba.game import Game
from zareba.table import Choose, Event, Option, Question, Roll
from zareba_rulesets.afriboria.chapters.orders import order_options
from zareba_rulesets.afriboria.chapters.setting_up import due_to_arrive
from zareba_rulesets.afriboria.companion import air, battles, command, moves, siege
from zareba_rulesets.afriboria.companion.common import TO_DO, section_phrase
from zareba_rulesets.afriboria.companion.real_table import bring_home, free_site, piece_named, plain_of, put, stack
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit
from zareba_rulesets.afriboria.game import AfrGame
from zareba_rulesets.afriboria.presentation.words import CARD_QUESTIONS, MORE, arms_of, states_of, words
from zareba_rulesets.afriboria.sequence import Sequence as Stages
from zareba_rulesets.afriboria.sequence import begin_turn

_MOVES = (
    "move", "dismount", "commander", "fly", "ladder", "climb", "throw_down", "man", "gather", "capture", "leave", "object", "join",
)  # fmt: skip
_BATTLES = ("battle", "again", "bombard", "from_air", "anti_air")
"""The acts of the stages of moves and battles, in the order in which they are offered."""
_DUE = {"deal": "deal", "first": "first", "event": "event", "close": "end"}
"""The act that the rules demand in a stage, once."""
_SCORED = ("destroyed", "left the field", "killed")
"""The reason why a piece is off the table, if that scored for the enemy."""
_AFTER_FLAGS = frozenset({"retreat", "rallied", "blocked", "destroyed"})
"""The events of a unit that does not stand after flags, or is stopped by a commander."""
_ABOUT_STRUCTURES = {
    "figures there": "how many figures in the {where}?",
    "dice of the section": "how many dice for the section in the {where}?",
}
"""The questions that name a structure."""
_COUNTED = {
    "figures regained": ("figure",), "figures there": ("figure",), "flags to save": ("flag",), "flags accepted": ("flag",),
    "dice of the section": ("die", "dice"),
}  # fmt: skip
"""The things that the numbers of some questions count. A bare number could also mean an option."""


class AfrCompanion(Companion[Battle]):
    """An evening of Afriboria at a real table."""

    game: AfrGame
    card_draws: ClassVar[Collection[str]] = ("command card", "event card", "lost message")
    acts: ClassVar[Sequence[CompanionAct[Any]]] = (
        *command.ACTS,
        *moves.ACTS,
        *battles.ACTS,
        *air.ACTS,
        *siege.ACTS,
    )
    places: ClassVar[frozenset[str]] = frozenset({"in"})
    crew: ClassVar[Mapping[str, int]] = dict.fromkeys(("artillery", "machine_gun", "rocket", "wagon"), 4)

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, AfrGame)
        super().__init__(game)
        plan, field = game.plan, plain_of(game)
        self._plain = field
        sites = iter(field.sites)
        placed = {name: next(sites) for name in plan.placed if plan.placed[name] != OFF}
        chiefs = {name: next(sites) for name in plan.chiefs}
        carried_objects = {
            name: (placed.get(carrier, OFF) if carrier else next(sites), carrier)
            for name, (_, carrier) in plan.carried_objects.items()
        }
        corner = iter(range(field.grid.columns))
        game.plan = replace(
            plan,
            field=field,
            placed=placed,
            chiefs=chiefs,
            zones={},
            places={key: (next(corner),) for key in plan.places},
            areas={key: frozenset({next(corner)}) for key in plan.areas},
            carried_objects=carried_objects,
            edges={edge: frozenset(field.grid.edge_row(edge)) for edge in plan.edges},  # type: ignore[arg-type]  # the four edges
        )
        field.goals = game.plan.places
        game.sequence = self._stages = Stages(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all pieces set up. People deploy the figures as they like (AFR-047)."""
        battle = self.game.start()
        self.advance(battle)
        return battle

    def advance(self, state: Battle) -> None:
        if state.stage == "draw" and state.card:  # no card was drawn for it
            state.deck.discard(state.card)
            state.card, state.slots = "", {}
        self._stages.next_stage(state)
        if state.stage == "begin":
            begin_turn(state)
            state.waiting = due_to_arrive(state, self.game.game_turn(state))
        elif state.stage in ("deal", "first", "card", "orders", "event", "close"):
            state.waiting = [TO_DO]
        elif state.stage != "moves":
            state.waiting = []

    def openings(self, state: Battle) -> Sequence[Opening]:
        stage, waits = state.stage, TO_DO in state.waiting
        if stage == "begin":
            arriving = tuple(self.act_named["arrive"].actors(state))
            if arriving:
                return [Opening("arrive", arriving, due=True)]
            return self._offered(state, ("reunite",))
        if stage == "companies":
            return self._offered(state, ("company",))
        gates = [Opening("gate", ())] if waits and self._has_gates(state) else []
        if stage == "card":
            return [Opening("card", ()), *gates, *self._offered(state, ("second",))] if waits else []
        if stage == "orders":  # gates are worked when the orders are announced (AFR-328)
            due = [Opening("orders", (), due=True)] if waits and self._is_needed(state) else []
            return [*due, *(gates if state.card else ())]
        if stage in _DUE:
            return [Opening(_DUE[stage], (), due=True)] if waits and self._is_needed(state) else []
        if stage == "draw":
            return [Opening("draw", (), due=True)] if state.card else []
        offered = {"moves": _MOVES, "battles": _BATTLES, "mounting": ("mount",)}.get(stage, ())
        openings = self._offered(state, offered)
        return openings if any(opening.act not in ("join", "object") for opening in openings) else []

    def _has_gates(self, state: Battle) -> bool:
        specs = state.field.structures
        return any(
            spec.gate and spec.side == state.active and state.has_intact_structure(cell) for cell, spec in specs.items()
        )

    def _offered(self, state: Battle, acts: Sequence[str]) -> list[Opening]:
        openings = [Opening(act, self._able(state, act)) for act in acts]
        return [opening for opening in openings if opening.actors]

    def _is_needed(self, state: Battle) -> bool:
        """Return True if the act of a stage has anything to do."""
        if state.stage == "orders":
            return bool(state.card) and bool(
                order_options(state, state.active, state.book.cards[state.card], state.slots)
            )
        if state.stage == "event":
            brings = bool(state.card) and state.book.cards[state.card].event and state.event_deck_used
            return brings or state.sides[state.active].forced
        return True

    def _able(self, state: Battle, act: str) -> tuple[str, ...]:
        """Return the pieces that can do an act; after the start, those of the active side."""
        able = self.act_named[act].actors(state)
        if not state.turn:
            return tuple(able)
        return tuple(name for name in able if self.side_of(state, name) == state.active)

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        bring_home(before, after, events)

    def acting_side(self, state: Battle) -> str:
        return state.active if state.turn else ""

    def unit_line(self, state: Battle, unit: str) -> str:
        if unit in state.gone:
            return state.gone[unit]
        if unit in state.fliers:
            return _flier_line(state.fliers[unit])
        piece = piece_named(state, unit)
        if piece.hex == OFF:
            return "still to arrive"
        company = [other.spec.name for other in stack(state, piece.hex) if other is not piece]
        together = [f"with {' and '.join(company)}"] if company else []
        if isinstance(piece, Commander):
            rank = "officer" if piece.spec.officer else "NCO"
            riding = ["mounted"] if piece.spec.mounted else []
            return ", ".join([rank, *riding, *words().states(piece.marks), *together])
        orders = ["ordered"] if "ordered" in piece.marks else []
        orders += ["moved"] if "moved" in piece.marks else []
        orders += ["has battled"] if "done" in piece.marks else []
        kind = f"{piece.spec.colour} {piece.profile.title}"
        sections = [section_phrase(state, unit, cell) for cell in piece.sections]
        return ", ".join(
            [
                kind,
                amount(piece.figures, "figure"),
                *sections,
                *arms_of(piece),
                *states_of(state, piece),
                *orders,
                *together,
            ]
        )

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        if unit in state.units:
            record = state.units[unit]
            return (record.figures if unit not in state.gone else 0), record.spec.figures
        if unit in state.fliers:
            strength = self.game.plan.strengths[unit]
            return state.fliers[unit].strength, strength
        return int(unit not in state.gone), 1

    def bring_back(self, state: Battle, unit: str) -> None:
        """Put a lost unit or commander on a separate site, and take the points for its loss back (AFR-050)."""
        if unit in state.fliers:
            raise ZarebaError(f"{self.game.narrator.name_of(unit)} is lost; undo takes back the act that removed it")
        piece = piece_named(state, unit)
        lost = state.gone.pop(unit, "") in _SCORED
        state.arrivals.pop(unit, None)
        if isinstance(piece, Unit) and not piece.figures:
            piece.figures, piece.firearms = 1, min(1, piece.spec.firearms)
        put(state, piece, free_site(state))
        enemy = state.sides[state.field.enemy(piece.spec.side)]
        if lost:
            enemy.points -= piece.spec.points
        if state.over and state.ending == "quota" and enemy.quota is not None and enemy.points < enemy.quota:
            state.over, state.ending, state.winner = False, "", ""

    def is_on_table(self, state: Battle, unit: str) -> bool:
        piece = state.fliers.get(unit) or piece_named(state, unit)
        return piece.hex != OFF

    def describe(self, state: Battle, question: Question) -> str:
        if question.why in _ABOUT_STRUCTURES and isinstance(question, Choose):
            name, where = self.game.narrator.name_of(question.actor), self._plain.structure_name(question.about[0])
            return f"{name}: {_ABOUT_STRUCTURES[question.why].format(where=where)}"
        keeps_about = question.why in state.book.file.events or question.why == "man"
        if isinstance(question, Choose) and question.about and not keeps_about:
            question = question._replace(about=())
        return super().describe(state, question)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        if isinstance(option, int) and question.why in ("man", "gather in"):
            return self._plain.structure_name(option)
        if isinstance(option, int) and question.why in _COUNTED:
            return amount(option, *_COUNTED[question.why])
        if (option in state.units or option in state.commanders) and question.why not in CARD_QUESTIONS:
            return f"{self.game.narrator.name_of(str(option))}: {self.unit_line(state, str(option))}"  # without its hex
        return super().describe_option(state, question, option)

    def face_names(self, question: Roll) -> Mapping[int, str]:
        if not isinstance(question.read, Counts) or self.game.book.settings.die_display == "d6":
            return {}
        faces = self.game.book.file.faces
        return {face.number: face.symbol if name.startswith("hit_") else name for name, face in faces.items()}

    def sentences(self, events: Sequence[Event]) -> Sequence[str]:
        """Return what happened. A unit that saves or ignores its flags stands, and has no event."""
        told = list(super().sentences(_with_whole_retreats(events)))
        moved = {event.data["unit"] for event in events if event.kind in _AFTER_FLAGS}
        flags = {event.data["target"]: event.data["flags"] for event in events if event.kind == "battle"}
        name_of = self.game.narrator.name_of
        steady = [unit for unit in flags if flags[unit] and unit in self.game.plan.placed and unit not in moved]
        return [*told, *(f"{name_of(unit)} ignored or saved its flag{'s' * (flags[unit] > 1)}" for unit in steady)]

    def describe_event(self, event: Event) -> str:
        template = words().tables["real_table"].get(event.kind)
        if template is None:
            return super().describe_event(event)
        name_of = self.game.narrator.name_of
        more = MORE[event.kind](event.data, name_of) if event.kind in MORE else {}
        name_at = self._plain.structure_name
        where = name_at(event.data.get("hex", OFF))
        if "sections" in event.data:
            more["sections"] = join_with_and(
                [f"{figures} in the {name_at(cell)}" for cell, figures in event.data["sections"]]
            )
        if "members" in event.data:
            more["members"] = join_with_and([name_of(member) for member in event.data["members"]])
        data = {"hexes": 1, **event.data, **more, "where": where}
        return fill(template, data, lambda value: name_of(str(value)), words=words())


def _with_whole_retreats(events: Sequence[Event]) -> list[Event]:
    """Return the events with one retreat for each unit, in the place of its first one, with the number of its hexes."""
    hexes = Counter(event.data["unit"] for event in events if event.kind == "retreat")
    found = []
    for event in events:
        if event.kind != "retreat":
            found.append(event)
        elif number := hexes.pop(event.data["unit"], 0):
            found.append(event._replace(data={**event.data, "hexes": number}))
    return found


def _flier_line(flier: Flier) -> str:
    """Return the state of an aircraft or airship in words."""
    states = [flier.spec.kind, "in the air" if flier.airborne else "on the ground"]
    states += [f"strength {flier.strength}"] if flier.spec.kind == "airship" else []
    states += [f"fuel {flier.fuel}"] if flier.airborne and flier.spec.kind == "aircraft" else []
    states += [amount(flier.bombs, "bomb")] if flier.bombs else []
    states += ["must land this turn"] if "land" in flier.marks else []
    return ", ".join(states)
