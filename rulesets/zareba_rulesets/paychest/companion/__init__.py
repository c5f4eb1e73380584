"""Paychest at a real table: the acts of the rules, and the questions about each."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_and, join_with_or
from zareba.chance import Counted, Counts
from zareba.companion import Companion, CompanionAct, Opening
from zareba.game import Game
from zareba.session.history import Answered
from zareba.space import Point
from zareba.space.outlines import nearest_on_edge
from zareba.table import Answer, Draw, Event, Question, Roll, Table
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.melee import IN_MELEE
from zareba_rulesets.paychest.chapters.setting_up import first_state
from zareba_rulesets.paychest.chapters.sight import DOWN
from zareba_rulesets.paychest.companion.common import ABLE_TESTS, describe_run, enter_stage, next_to_check, own_guns
from zareba_rulesets.paychest.companion.figures import (
    BOARD,
    BREAK_CONTACT,
    CHANGE_POSTURE,
    HANDLE_LOAD,
    LEAVE_TABLE,
    SERVE_GUN,
    TOUCH,
    TOUCH_SINGLY,
)
from zareba_rulesets.paychest.companion.fire import CLEAR_JAM, FIRE_GUN, LEADER_SHOT, VOLLEY
from zareba_rulesets.paychest.companion.house_actions import house_acts
from zareba_rulesets.paychest.companion.melees import FIGHT_MELEE, FINISH_MELEE
from zareba_rulesets.paychest.companion.moves import MOVE_OR_CHARGE, OTHER_MOVE, rolls_of_mover
from zareba_rulesets.paychest.companion.real_table import (
    CARD,
    END,
    MELEE_STAGE,
    MOVE,
    START,
    new_real_table,
    place_of,
    posts_of,
    real_table_of,
    spot_behind_guns,
    without_contacts_of,
)
from zareba_rulesets.paychest.companion.sequence import (
    CHECK_MORALE,
    END_TURN,
    FALL_BACK,
    NOTE_DEED,
    START_TURN,
    TURN_CARD,
)
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.presentation.umpire_editor import PaychestUmpireEditor
from zareba_rulesets.paychest.presentation.words import unit_states, words
from zareba_rulesets.paychest.sequence import Sequence as TurnSequence

ACTS: tuple[CompanionAct[Battle], ...] = (
    START_TURN,
    TURN_CARD,
    FALL_BACK,
    MOVE_OR_CHARGE,
    OTHER_MOVE,
    CHANGE_POSTURE,
    HANDLE_LOAD,
    LEAVE_TABLE,
    BOARD,
    TOUCH,
    TOUCH_SINGLY,
    BREAK_CONTACT,
    SERVE_GUN,
    VOLLEY,
    LEADER_SHOT,
    FIRE_GUN,
    CLEAR_JAM,
    FIGHT_MELEE,
    FINISH_MELEE,
    CHECK_MORALE,
    NOTE_DEED,
    END_TURN,
)


class RealTableEditor(PaychestUmpireEditor):
    """Corrections of the book: a figure that the book has lost or taken off the table can come back."""

    def max_figures(self, state: Battle, piece: str) -> int:
        return self.starting_figures(state, piece)

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        unit = state.change(piece)
        missing = count - len(unit.able)
        posts = posts_of(state, unit)
        for key, figure in unit.figures.items():
            if missing > 0 and not figure.able:
                figure.fate, figure.wounds, figure.at, figure.gait = "able", (), posts[key], "halt"
                figure.weapons = figure.weapons or figure.spec.weapons
                figure.unmark("lame", DOWN)
                missing -= 1
        state.arrivals.pop(piece, None)
        unit.measure()
        super().set_figures(table, state, piece, count)


class PaychestCompanion(Companion[Battle]):
    """An evening of Paychest at a real table."""

    game: PaychestGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS
    card_draws: ClassVar[Collection[str]] = ("card", "casualty card")
    crew: ClassVar[Mapping[str, int]] = dict.fromkeys(("artillery", "machine_gun", "rocket"), 4)
    """A section: an NCO and three privates (PAY-204, PAY-208, PAY-211)."""

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, PaychestGame)
        super().__init__(game)
        game.make_editor = RealTableEditor
        self._plan = game.plan
        field = new_real_table(game)
        extent = field.table.extent
        middle = extent[0] / 2, extent[1] / 2
        entries = {unit: nearest_on_edge(middle, extent, arrival.edge) for unit, arrival in self._plan.arrivals.items()}
        game.plan = replace(self._plan, field=field, entries=entries)
        game.sequence = TurnSequence(game.policy, game.scenario, game.plan)

    def game_acts(self) -> Sequence[CompanionAct[Battle]]:
        """Return the actions of house rules as acts, and the move with the types of movers that these rules have."""
        found = [*house_acts(self.game.rules)]
        self._house_acts = {stage: [act for at, act in found if at == stage] for stage, _ in found}
        move = replace(MOVE_OR_CHARGE, roll_groups=(*map(rolls_of_mover, self.game.book.movers),))
        return [move, *(act for _, act in found)]

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (PAY-048)."""
        battle = first_state(self.game.book, self.game.scenario, self._plan, self.game.policy.first)
        battle.field, battle.waiting = self.game.plan.field, []
        for key in battle.engines:
            engine = battle.engines.change(key)
            engine.at = None if engine.unit in battle.arrivals else place_of(battle, key)
            for name in engine.aboard:
                battle.change_figure(name).aboard = "" if engine.unit in battle.arrivals else key
        for name in [name for name in battle.units if name not in battle.arrivals]:
            unit = battle.change(name)
            for key, at in posts_of(battle, unit).items():
                unit.figures[key].at, unit.figures[key].appearances = at, 1
            unit.measure()
        for key in [key for key, thing in battle.things.items() if thing.at is not None]:
            battle.change_thing(key).at = battle.field.rest[""]  # type: ignore[attr-defined]  # a RealTable
        self.game.policy.advance(battle, False)
        return battle

    def openings(self, state: Battle) -> Sequence[Opening]:
        stage, acting = state.stage, state.acting
        if stage == START:
            return [Opening("start", (), due=True)]
        if stage == CARD:
            return [Opening("card", (), due=True)]
        if stage == END:
            due = next_to_check(state)
            return [Opening("morale", tuple(due), due=True) if due else Opening("end", (), due=True)]
        unit = state.unit(acting)
        if stage == MOVE and unit.pending:
            return [Opening("fall_back", (acting,), due=True)]
        found = [Opening(act, (acting,)) for act in self._possible(state, unit) if ABLE_TESTS[act](state, unit)]
        if found:
            beside = [act for act in _BESIDE[stage] if ABLE_TESTS[act](state, unit)]
            beside += [act.name for act in self._house_acts.get(stage, ()) if act.actors(state)]
            return [*found, *(Opening(act, (acting,)) for act in beside)]
        return [Opening("finish", (acting,), due=True)] if stage == MELEE_STAGE else []

    def _possible(self, state: Battle, unit: Unit) -> Sequence[str]:
        """Return the acts that a unit may do in the present stage of its activation."""
        if "idle" in unit.marks:
            return ()
        if state.stage == MOVE:
            return _MOVE_STAGE if MOVE in state.waiting and "no move" not in unit.marks else ()
        if state.stage == "fire":
            return () if "no fire" in unit.marks else _FIRE_STAGE
        return ("melee",) if MELEE_STAGE in state.waiting else ()

    def advance(self, state: Battle) -> None:
        """Move on to the next stage, without melee or morale if they are left out. Arrivals and cards cannot be."""
        if state.stage == START:
            raise ZarebaError("the turn begins with the arrivals: throw their dice (PAY-065)")
        if state.stage == CARD:
            raise ZarebaError("turn over the next card first (PAY-058)")
        if state.stage == MELEE_STAGE or (state.stage == END and next_to_check(state)):
            left_out = next_to_check(state)
            state.waiting = [name for name in state.waiting if name not in (MELEE_STAGE, *left_out)]
            return
        state.moved_away = ()
        self.game.policy.advance(state, bool(state.cards.pile))
        enter_stage(state)

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every figure back to its place in the book; who has run stands away from its gun."""
        forced = {event.data["unit"] for event in events if event.kind == "forced move"}
        ran = {key for key in after.moved_away if key not in before.moved_away}
        ran |= {key for name in forced for key, man in after.unit(name).figures.items() if man.can_walk}
        touching = {key: foes for key, foes in real_table_of(after).contacts.items() if key not in ran}
        gone = [key for key in touching if not after.figure(key).able]
        left = without_contacts_of(touching, {*gone, *ran})
        after.field = real_table_of(before).with_layout(left)
        for key, engine in list(after.engines.items()):
            if engine.at is not None and engine.at != place_of(after, key):
                after.engines.change(key).at = place_of(after, key)
        for name, unit in list(after.units.items()):
            if unit is before.units[name]:
                continue
            places = self._places(before, after, unit, ran)
            if any(unit.figures[key].at != at for key, at in places.items()):
                unit = after.change(name)
                for key, at in places.items():
                    unit.figures[key].at = at
                unit.measure()
        for key in [key for key, thing in after.things.items() if thing.at not in (None, place_of(after, ""))]:
            after.change_thing(key).at = place_of(after, "")

    def _places(self, before: Battle, after: Battle, unit: Unit, ran: Collection[str]) -> dict[str, Point]:
        """Return where the figures of a unit on the table stand in the book."""
        posts, home, found = posts_of(after, unit), place_of(after, unit.spec.id), {}
        guns = own_guns(after, unit)
        own = {
            home,
            *(spot_behind_guns(after, pair) for n in range(len(guns)) for pair in (guns[n : n + 1], guns[n : n + 2])),
        }
        for key, figure in unit.figures.items():
            was = before.figure(key)
            if figure.at is None:
                continue
            if was.at is None or figure.aboard:
                found[key] = posts[key]
            elif figure.at not in own:
                found[key] = home if key in ran or was.aboard else was.at
        return found

    def acting_side(self, state: Battle) -> str:
        return state.unit(state.acting).spec.side if state.acting else ""

    def headline(self, state: Battle) -> str:
        name = self.game.narrator.name_of
        whose = [f"{name(state.acting)} ({name(self.acting_side(state))})"] if state.acting else []
        return self.game.display.headline(state, *whose)

    def units(self, state: Battle, side: str) -> Sequence[str]:
        units = [key for key, unit in state.units.items() if unit.spec.side == side]
        return [*units, *(key for key, engine in state.engines.items() if engine.side == side)]

    def unit_line(self, state: Battle, unit: str) -> str:
        if unit in state.engines:
            return _engine_line(state, unit, state.engines[unit])
        record = state.unit(unit)
        if unit in state.arrivals:
            return f"to come from turn {state.arrivals[unit]}"
        if not record.has_able_figures:
            return "no able figure on the table"
        return ", ".join([*_unit_notes(state, record), f"card: {self._playing_card(unit)}"])

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        if unit in state.engines:
            return int(state.engines[unit].at is not None), 1
        most = len(state.unit(unit).spec.figures)
        return (most if unit in state.arrivals else len(state.unit(unit).able)), most

    def is_on_table(self, state: Battle, unit: str) -> bool:
        return unit not in state.arrivals and super().is_on_table(state, unit)

    def describe(self, state: Battle, question: Question) -> str:
        if isinstance(question, Roll) and question.why == "machine gun":
            groups = cast(Counts, question.read).groups
            jams, hits = (join_with_or(map(str, sorted(faces))) if faces else "nothing" for faces in groups)
            said = f"{jams} may hit or jam it" if jams == hits else f"a hit on {hits}; {jams} may jam it"
            return f"{self.game.narrator.name_of(question.actor)}: throw 1d6; {said}"
        if not isinstance(question, Roll) or question.why != "melee" or not isinstance(question.means, Counted):
            return super().describe(state, question)
        skills = question.means.what
        dice = f": {', then '.join(skills)}" if len({*skills}) > 1 else ""
        return f"{super().describe(state, question)}{dice}"

    def describe_throw(self, question: Roll, answer: Answer, faces: Sequence[int]) -> str:
        if question.why == "machine gun" and isinstance(answer, tuple):
            ones, hits = answer
            said = ["hits" if hits else "misses", *(["may jam it"] if ones else [])]
            return f"{' '.join(map(str, faces))}: {join_with_and(said)}" if faces else join_with_and(said)
        return super().describe_throw(question, answer, faces)

    def describe_card(self, question: Draw, card: str) -> str:
        said = super().describe_card(question, card)
        entry = self.game.book.cards.get(card)
        if question.why == "casualty card" and entry is not None:
            return f"{_in_symbols(entry.cards)}: {said}"
        return f"{said} ({self._playing_card(card)})" if question.why == "card" else said

    def note_on_throw(self, question: Roll | Draw, given: Sequence[Answered]) -> str:
        if question.why != "casualty card" or not self._was_killed(question.actor, given):
            return ""
        name = self.game.narrator.name_of(question.actor)
        return f"{name} is already killed. The card only says whether this further hit counts for morale (PAY-106)."

    def _was_killed(self, figure: str, given: Sequence[Answered]) -> bool:
        """Return True if an earlier card of the same act has killed a man."""
        drawn = [
            self.game.book.cards[str(answered.answer)].result
            for answered in given
            if answered.question.why == "casualty card" and answered.question.actor == figure
        ]
        return "killed" in drawn

    def cards_in_order(self, question: Draw) -> Sequence[str]:
        cards = super().cards_in_order(question)
        if question.why != "casualty card":
            return cards
        from_ace_down = [*self.game.book.cards]
        return sorted(cards, key=from_ace_down.index)

    def card_named(self, question: Draw, typed: str) -> str | None:
        """Return the unit or the wound that a playing card stands for: 'queen of hearts', 'Q hearts' or 'qh'."""
        found = _PLAYING_CARD.fullmatch(typed.strip().lower())
        if found is None:
            return None
        rank = next(name for name in _RANKS if name == found[1] or (name[0] == found[1] and not name.isdecimal()))
        suit = next(name for name in _SUITS if name[0] == found[2][0])
        if question.why == "card":
            named = [unit for unit in self.game.plan.units if self._playing_card(unit) == f"{rank} of {suit}"]
            return next(iter(named), None)
        short = rank if rank.isdecimal() else rank[0].upper()
        return next((card for card, entry in self.game.book.cards.items() if _is_among(short, suit, entry.cards)), None)

    def _playing_card(self, unit: str) -> str:
        """Return the playing card of a unit, by its place in the list of units (PAY-046)."""
        number = list(self.game.plan.units).index(unit)
        pack, place = divmod(number, len(_RANKS) * len(_SUITS))
        suit, rank = divmod(place, len(_RANKS))
        return f"{_RANKS[rank]} of {_SUITS[suit]}" + (f", pack {pack + 1}" if pack else "")

    def describe_event(self, event: Event) -> str:
        by, target = event.data.get("by", ""), str(event.data.get("target", ""))
        if event.kind in ("forced move", "figures ran") and event.data["figures"]:
            return describe_run(self.game.narrator, event)
        if event.kind == "stayed":  # people move what the book leaves in its place
            gait = words().tables["gaits"][event.data["gait"]]
            return f"{self.game.narrator.name_of(by)} counts as {gait}" if by in self.game.plan.engines else ""
        if event.kind == "brave deed" and event.data["deed"] == IN_MELEE:
            return ""  # every man who fights has one; the book counts them
        if target.startswith(("the stretch", "whoever")):
            event = event._replace(data={**event.data, "target": "the figures on that stretch"})
        return super().describe_event(event)


_RANKS = ("ace", "king", "queen", "jack", *map(str, range(10, 1, -1)))


_SUITS = ("spades", "hearts", "clubs", "diamonds")


_SYMBOLS = dict(zip(_SUITS, "♠♥♣♦", strict=True))


_PLAYING_CARD = re.compile(rf"({'|'.join(_RANKS)}|[akqj])(?: of | ?)({'|'.join(_SUITS)}|[shcd])")


_MOVE_STAGE = ("move", "other_move")


_FIRE_STAGE = ("gun", "unjam", "volley", "leader_shot")


_BESIDE = {
    MOVE: ("duck", "load", "leave", "board", "touch", "part", "serve"),
    "fire": ("duck", "touch"),
    MELEE_STAGE: ("touch", "touch_man"),
}
"""Acts that may be done in a stage, but do not keep it open."""


def _in_symbols(cards: str) -> str:
    """Return the playing cards of a result as they look: 'Q, J or 10 of clubs' is "Q J 10 ♣"."""
    ranks, _, suits = cards.partition(" of ")
    symbols = "".join(_SYMBOLS.get(suit, suit) for suit in suits.split(" or "))
    return " ".join([*ranks.replace(",", " ").replace(" or ", " ").split(), symbols]) if suits else cards


def _is_among(rank: str, suit: str, cards: str) -> bool:
    """Return True if a playing card is among those of a result of the casualty deck: 'Q, J or 10 of clubs'."""
    ranks, _, suits = cards.partition(" of ")
    return rank in ranks.replace(",", " ").split() and suit in suits.split()


def _engine_line(battle: Battle, key: str, engine: Engine) -> str:
    """Return what the book says of a gun or conveyance."""
    if engine.at is None:
        return "not on the table"
    notes = ["jammed"] * engine.jammed + ["limbered"] * engine.limbered
    if engine.kind in ("gun", "machine_gun"):
        crew = crew_at(battle, engine)
        notes.append(f"{len(crew)} at it, {amount(gun_limit(battle, engine), 'shot')} a turn")
    else:
        notes.append(f"{len(engine.aboard)} aboard")
    return ", ".join(notes)


def _unit_notes(battle: Battle, unit: Unit) -> list[str]:
    """Return the state of a unit: leader, hits, orders, contacts, and its wounded by name."""
    leader = f"led by {unit.figures[unit.leader].spec.name}" if unit.leader in unit.figures else "no leader"
    notes = [f"{len(unit.able)} able", leader] if not unit.spec.single else ["able"]
    notes += [f"{amount(unit.hits, 'hit')} this turn"] if unit.hits else []
    notes += unit_states(unit)
    touched = sum(bool(real_table_of(battle).contacts.get(man.spec.id)) for man in unit.able)
    notes += [f"{touched} in contact"] if touched else []
    down = sum(DOWN in man.marks for man in unit.able)
    notes += [f"{down} down"] if down else []
    for man in unit.able:
        if man.wounds:
            notes.append(f"{man.spec.name}: {join_with_and(wound.replace('_', ' ') for wound in man.wounds)}")
    return notes
