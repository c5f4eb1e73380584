"""The Risk Factor at a real table: the acts of the rules, and the questions about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.session.history import Answered
from zareba.table import Draw, Event, Question, RecordedTable, Roll
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
    list_moves_and_charges,
)
from zareba_rulesets.risk_factor.chapters.action_throws import result_in_words
from zareba_rulesets.risk_factor.chapters.command import COMMAND, LINK
from zareba_rulesets.risk_factor.chapters.melee import find_fights
from zareba_rulesets.risk_factor.chapters.prisoners import captors
from zareba_rulesets.risk_factor.companion.action_throws import MAKE_ACTION_THROWS, SEE_WHO_ATTACKS
from zareba_rulesets.risk_factor.companion.book import (
    APART,
    ASIDE,
    ATTACK,
    FINISH,
    NO_UNIT,
    PRISONERS,
    STAGE,
    START,
    THROW,
    RealTable,
    bound_units,
    end_melee,
    fighting_units,
    fights_to_come,
    groups_of_leaders,
    has_thrown,
    has_two_sides,
    melees_on_table,
    merge_melee,
    place_all,
    set_positions,
    shooters,
    table_of,
)
from zareba_rulesets.risk_factor.companion.charges import CHARGE
from zareba_rulesets.risk_factor.companion.command import (
    PASS_ON_ORDERS,
    RECEIVE_ORDERS,
    THROW_FOR_POINTS,
    linked_leaders,
    price_of,
)
from zareba_rulesets.risk_factor.companion.groups import BREAK_CONTACT, COMBINE, JOIN, LEAVE, TOUCH_ENEMY
from zareba_rulesets.risk_factor.companion.melees import MELEE
from zareba_rulesets.risk_factor.companion.moves import CARRY_OUT_RESULT, OBEY_ORDER
from zareba_rulesets.risk_factor.companion.sequence import END_TURN, GUARD_PRISONERS, KILL_PRISONERS, START_TURN
from zareba_rulesets.risk_factor.companion.shooting import FIRE, SOLO_FIRE
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
)
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.presentation.words import unit_line
from zareba_rulesets.risk_factor.sequence import Sequence as TurnSequence

ACTS: tuple[CompanionAct[Battle], ...] = (
    START_TURN,
    THROW_FOR_POINTS,
    PASS_ON_ORDERS,
    RECEIVE_ORDERS,
    MAKE_ACTION_THROWS,
    SEE_WHO_ATTACKS,
    CARRY_OUT_RESULT,
    OBEY_ORDER,
    CHARGE,
    COMBINE,
    GUARD_PRISONERS,
    KILL_PRISONERS,
    FIRE,
    SOLO_FIRE,
    MELEE,
    END_TURN,
    JOIN,
    LEAVE,
    TOUCH_ENEMY,
    BREAK_CONTACT,
)


class RskCompanion(Companion[Battle]):
    """An evening of the Risk Factor at a real table."""

    game: RskGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, RskGame)
        if game.plan.markers:
            raise ZarebaError("the companion keeps no hidden markers: set hidden.use=off (RSK-186)")
        super().__init__(game)
        self._sequence = TurnSequence(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like."""
        battle = self.game.start()
        hosts = groups_of_leaders(battle)
        width = APART * (len(battle.units) + 1)
        battle.field = RealTable(self.game.book, width, STAGE + 2 * ASIDE)
        place_all(battle, hosts, ())
        battle.waiting = [START]
        return battle

    # --- the sequence of play -----------------------------------------------------------------------------------------

    def advance(self, state: Battle) -> None:
        phase = state.phase
        if phase == "command":
            state.pools = dict.fromkeys(state.pools, 0)  # unspent points lapse (RSK-065)
            if len(state.waiting) > 1:
                state.waiting = state.waiting[1:]
                return
        if phase == "settle" and not state.captives:
            table = RecordedTable(self.game.rules, state, ())
            self._sequence.settle(table, state)
        self.game.policy.advance(state)
        if not state.over:
            state.waiting = self._waiting(state)

    def _waiting(self, state: Battle) -> list[str]:
        """Return what waits in the stage that begins."""
        side, stage = state.side, state.phase
        if stage == "command":
            return [name for name, own in state.commanders.items() if own == side and state.units[name].is_on_table]
        if stage == "move":
            moves, state.charging = list_moves_and_charges(state)
            return moves
        if stage == "charge":
            ordered = [unit.id for unit in state.of(side) if unit.target]
            return list(dict.fromkeys([*state.charging, *ordered]))
        if stage == "shoot":
            return shooters(state)
        if stage == "melee":
            state.fights = find_fights(state)
            return ["+".join(names) for names in state.fights]
        if stage in ("settle", "dispatch"):
            held = (
                captors(state)
                if stage == "settle"
                else [captor for captor in captors(state) if captor.spec.side == side]
            )
            return [PRISONERS] if held else []
        return {"start": [START], "throw": [THROW], "finish": [FINISH]}.get(stage, [])

    def openings(self, state: Battle) -> Sequence[Opening]:
        waiting, stage = state.waiting, state.phase
        due = _DUE.get((stage, waiting[0])) if waiting else None
        if due is not None:
            return [*self._offered(state, ("combine",)), Opening(due, (), due=True)]
        if stage == "command" and waiting and not has_thrown(state):
            return [Opening("points", tuple(waiting[:1]), due=True)]
        if state.is_solo(state.side) and (acts := self._solo_openings(state)):
            return acts
        if stage == "melee":
            fights = fights_to_come(state)
            return [Opening("melee", tuple(fights), due=True)] if fights else []
        if stage == "move" and (bound := bound_units(state)):
            going_back = [name for name in bound if action_this_turn(state.units[name]) in ("rout", "retreat")]
            if going_back:
                return [Opening("act", tuple(going_back), due=True)]
        return self._offered(state, _STAGE_ACTS.get(stage, ()))

    def _solo_openings(self, state: Battle) -> Sequence[Opening]:
        """Return the next act of a side without a player: each of its units does what the tables say (RSK-044)."""
        act = {"move": "act", "charge": "charge", "shoot": "solo_fire"}.get(state.phase, "")
        able = self.act_named[act].actors(state) if act else ()
        return [Opening(act, tuple(able[:1]), due=True)] if able else []

    def _offered(self, state: Battle, acts: Sequence[str]) -> list[Opening]:
        """Return the acts that some unit can do now, and for shooting has not done yet."""
        found = []
        for act in acts:
            able = self.act_named[act].actors(state)
            actors = [name for name in able if act != "fire" or name in state.waiting]
            if act in ("act", "order"):  # as people look for them; the book has no positions for the order of play
                actors.sort(key=list(state.units).index)
            if actors:
                found.append(Opening(act, tuple(actors)))
        return found

    def acting_side(self, state: Battle) -> str:
        return state.side

    def headline(self, state: Battle) -> str:
        return self.game.display.headline(state, self.game.narrator.name_of(state.side))

    def note_on_throw(self, question: Roll | Draw, given: Sequence[Answered]) -> str:
        if question.why != "attack":
            return ""
        return f"{self.game.narrator.name_of(question.actor)} reaches as many cm farther as the die shows (RSK-137)."

    def note_on_unit(self, state: Battle, act: str, unit: str) -> str:
        if act in (COMMAND, LINK):
            left = sum(state.pools.get(leader.spec.id, 0) for leader in linked_leaders(state))
            return f"{price_of(state, act, unit)} of {amount(left, 'point')}"
        if act in ("act", "order") and state.units[unit].result:
            return result_in_words(state.units[unit].result)
        return ""

    # --- after an act -------------------------------------------------------------------------------------------------

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every unit back to its place, with the leaders and the contacts that result from the act."""
        moved = {event.data["unit"] for event in events if event.kind in ("move", "over the edge")}
        arrived = {event.data["unit"] for event in events if event.kind == "arrived"}
        if after.field is before.field and not arrived and not events:
            return
        fought = {name for event in events if event.kind == "melee" for name in event.data["units"]}
        hosts, new_hosts = groups_of_leaders(before), groups_of_leaders(after)
        hosts |= {name: host for name, host in new_hosts.items() if name in moved | arrived or name not in hosts}
        joined = {event.data["unit"]: event.data["into"] for event in events if event.kind == "combined"}
        hosts = {leader: joined.get(host, host) for leader, host in hosts.items() if after.units[leader].is_on_table}
        hosts = {leader: host if host and after.units[host].is_on_table else NO_UNIT for leader, host in hosts.items()}
        lost = {name for name, unit in after.units.items() if not unit.is_on_table}
        melees = [
            {n: count for n, count in melee.items() if n not in moved | fought | lost}
            for melee in melees_on_table(before)
        ]
        for melee in melees_on_table(after, fought):
            melees = merge_melee(melees, melee)
        for event in events:
            if event.kind == "charge" and event.data["contact"]:
                met = {name: min(event.data["contact"], after.units[name].count) for name in event.data["met"]}
                melees = merge_melee(melees, {event.data["unit"]: event.data["contact"], **met})
            if event.kind == "melee":
                for name in event.data["units"]:
                    end_melee(after, name)
        hidden = [
            e.data["unit"] for e in events if e.kind == "move" and _WAYS.get(e.data["bearing"] % 360) == _INTO_COVER
        ]
        seen = table_of(after).without_movers(moved, hidden) if moved else table_of(after).seen
        after.field = before.field
        if seen != table_of(before).seen:
            plain = table_of(before).new_plain()
            plain.seen = seen
            after.field = plain
        place_all(after, hosts, [melee for melee in melees if has_two_sides(after, melee)])

    def fighting(self, state: Battle, actor: str) -> Sequence[Unit]:
        """Return the units about which the act of fighting a melee asks, in order."""
        return fighting_units(state, Scene(self.game, actor))

    # --- the book -----------------------------------------------------------------------------------------------------

    def units(self, state: Battle, side: str) -> Sequence[str]:
        return [name for name, spec in self.game.plan.specs.items() if spec.side == side]

    def unit_line(self, state: Battle, unit: str) -> str:
        record = state.units[unit]
        if unit in state.arrivals:
            return "still to arrive"
        _, *line = unit_line(state, record).split(", ")
        met = [enemy.spec.name for enemy in state.enemies_in_contact(record)] if record.is_on_table else []
        host = state.host(record) if record.spec.leader and record.is_on_table else None
        said = [f"with {host.spec.name}"] if host is not None else []
        said += [f"in contact with {', '.join(met)}"] if met else []
        return ", ".join(part for part in (*line, *said) if part)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        record = state.units[unit]
        most = max(record.count, record.spec.figures)
        return (most if unit in state.arrivals else record.count), most

    def bring_back(self, state: Battle, unit: str) -> None:
        record, hosts, melees = state.units[unit], groups_of_leaders(state), melees_on_table(state)
        state.gone.pop(unit, None)
        state.arrivals.pop(unit, None)
        if not record.count:
            record.dead = max(0, record.dead - 1)
            record.hurt, record.armed = (False,), (record.spec.armed > 0,)
        set_positions(record, [(0.0, 0.0)] * record.count)
        place_all(state, hosts, melees)

    def is_on_table(self, state: Battle, unit: str) -> bool:
        return unit not in state.arrivals and super().is_on_table(state, unit)

    def describe_event(self, event: Event) -> str:
        if event.kind == "move":
            way = _WAYS.get(event.data["bearing"] % 360, "")
            return f"{self.game.narrator.name_of(event.data['unit'])} moves {event.data['cm']:g} cm{way}"
        if event.kind == "pushed back":
            cm = self.game.book.lengths["push_back"]
            return f"{self.game.narrator.name_of(event.data['unit'])} falls back {cm:g} cm"
        if event.kind == "follows up":
            cm = self.game.book.lengths["follow_up"]
            return f"{self.game.narrator.name_of(event.data['unit'])} follows up, {cm:g} cm at most"
        return super().describe_event(event)

    def describe(self, state: Battle, question: Question) -> str:
        said = super().describe(state, question)
        if not isinstance(question, Roll) or question.why != "melee" or question.dice < 2:
            return said
        unit = state.units.get(question.actor)
        if unit is None or unit.status == "routing":  # who throws no die
            return said
        others = "its opponent" if question.dice == 2 else "its opponents"
        return f"{said}, first for its figure and then for {others}"


_DUE = {
    ("start", START): "start",
    ("throw", THROW): "throw",
    ("throw", ATTACK): "attack",
    ("settle", PRISONERS): "guard",
    ("dispatch", PRISONERS): "prisoners",
    ("finish", FINISH): "finish",
}
"""The act that a stage demands, by what waits in it."""


_STAGE_ACTS: Mapping[str, Sequence[str]] = {
    "command": ("command", "link"),
    "move": ("act", "order"),
    "charge": ("charge",),
    "settle": ("combine",),
    "shoot": ("fire",),
}


_INTO_COVER = " into cover"
_WAYS = {
    0: " towards the nearest enemy",
    180: " straight away from the nearest enemy",
    90: _INTO_COVER,
    270: " towards its goal",
}
"""The directions of the layouts, for people."""
