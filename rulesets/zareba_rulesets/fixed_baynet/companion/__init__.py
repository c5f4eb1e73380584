"""Fixed Bay'net at a real table: the acts of the rules, and the questions about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.grammar import amount, join_with_and
from zareba.companion import Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.space.bearings import bearing
from zareba.table import Event, RecordedTable
from zareba_rulesets.fixed_baynet.companion.book import (
    APART,
    EAST,
    ROW,
    STAGE,
    WEST,
    Plain,
    RealTableEditor,
    active_unit,
    bring_unit,
    contacts_left,
    contacts_of,
    enemies_touched,
    place_of,
    plain_for,
    plain_of,
    waiting_units,
)
from zareba_rulesets.fixed_baynet.companion.building_targets import BUILDING_ACT, GUN_AT_BUILDING_ACT
from zareba_rulesets.fixed_baynet.companion.fights import CHARGE_ACT, DOOR, DUEL_ACT, GALLOP_ACT, STRIKE_ACT
from zareba_rulesets.fixed_baynet.companion.fire import FIRE_ACT, PICK_ACT, SHOOT_ACT
from zareba_rulesets.fixed_baynet.companion.guns import (
    BATTERY_ACT,
    BOMBARD_ACT,
    CLEAR_ACT,
    GUN_ACT,
    HAUL_ACT,
    PLOT_ACT,
    SALVO_ACT,
    SILENCE_ACT,
    SWING_ACT,
)
from zareba_rulesets.fixed_baynet.companion.house_actions import house_acts
from zareba_rulesets.fixed_baynet.companion.moves import MOVE_ACT, RIDE_ACT, TOUCH_ACT, WALK_ACT
from zareba_rulesets.fixed_baynet.companion.orders import (
    BASH_ACT,
    CALL_ACT,
    CHANGE_ACT,
    CHECK_ACT,
    ENTER_ACT,
    FLARE_ACT,
    GATHER_ACT,
    HEAL_ACT,
    NOTICE_ACT,
    OPEN_ACT,
    RALLY_ACT,
    RETIRE_ACT,
    WEAPON_ACT,
)
from zareba_rulesets.fixed_baynet.companion.sequence import (
    ACTIVATE_ACT,
    END_ACT,
    GLORY_ACT,
    INITIATIVE_ACT,
    LEAVE_ACT,
    OBJECT_ACT,
    PASS_ACT,
    TURN_ACT,
    finish_activation,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.presentation.words import MORE, unit_state
from zareba_rulesets.fixed_baynet.sequence import Sequence as TurnSequence

ACTS: tuple[CompanionAct[Battle], ...] = (
    INITIATIVE_ACT,
    ACTIVATE_ACT,
    PASS_ACT,
    MOVE_ACT,
    WALK_ACT,
    RIDE_ACT,
    CHARGE_ACT,
    GALLOP_ACT,
    TOUCH_ACT,
    FIRE_ACT,
    SHOOT_ACT,
    PICK_ACT,
    BUILDING_ACT,
    SILENCE_ACT,
    STRIKE_ACT,
    DUEL_ACT,
    CHANGE_ACT,
    WEAPON_ACT,
    CHECK_ACT,
    RALLY_ACT,
    GATHER_ACT,
    RETIRE_ACT,
    HEAL_ACT,
    CALL_ACT,
    FLARE_ACT,
    GUN_ACT,
    BATTERY_ACT,
    BOMBARD_ACT,
    PLOT_ACT,
    SALVO_ACT,
    GUN_AT_BUILDING_ACT,
    CLEAR_ACT,
    SWING_ACT,
    HAUL_ACT,
    BASH_ACT,
    OPEN_ACT,
    ENTER_ACT,
    NOTICE_ACT,
    OBJECT_ACT,
    LEAVE_ACT,
    END_ACT,
    GLORY_ACT,
    TURN_ACT,
)
"""All acts, in the order of the rulebook."""


_DUE = {"initiative": "initiative", "glory": "glory", "housekeeping": "turn"}
"""The act that a phase demands."""


_SEQUENCE = frozenset({"initiative", "activate", "pass", "glory", "turn"})
"""Acts of the sequence of play, which are offered at their time."""


_AT_DOORS = frozenset({"bash", "open", "enter"})
"""Acts that are offered only on tables with buildings; `any` offers them everywhere."""


_FIRST = ("activated", "volley", "salvo", "charge", "gun fires")
"""Events that say what an act was; the report gives them before the losses it caused."""


_LOSSES = {"down": "fell", "killed": "killed", "bloody death": "killed at once", "captured": "taken prisoner"}


_BLOWS = {"wound": "hit", "capture": "overpowered", "critical": "killed at once"}

_SUMMED = ("loss", "answer", "blow", "panic", "panic move")
"""Events of single men that the report sums up in one sentence for their unit."""


def _counted(words: Iterable[str]) -> str:
    """Return how often each of some words occurs."""
    return ", ".join(f"{times} {word}" for word, times in Counter(words).items())


class FbnCompanion(Companion[Battle]):
    """An evening of Fixed Bay'net at a real table."""

    game: FbnGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS
    samples: ClassVar[int] = 100
    crew: ClassVar[Mapping[str, int]] = {"artillery": 4, "machine_gun": 2}  # FBN-202

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, FbnGame)
        super().__init__(game)
        game.editor_class = RealTableEditor
        game.book.settings = game.book.settings.with_changes(figures_block_los=False)  # people see who is in sight
        plan = game.plan
        field = plain_for(plan.field, len(plan.squads))
        numbers = {unit: number for number, unit in enumerate(plan.squads, 1)}
        entries = {unit: (turn, (APART * numbers[unit], ROW), edge) for unit, (turn, _, edge) in plan.entries.items()}
        game.plan = replace(plan, field=field, entries=entries)
        game.sequence = TurnSequence(game.policy, game.scenario, game.plan)
        self._phases = game.sequence

    def game_acts(self) -> Iterable[CompanionAct[Battle]]:
        """Return the actions of house rules as acts."""
        return house_acts(self.game.rules, self.game.plan.field)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (FBN-011)."""
        battle = self.book_of(self.game.start())
        battle.waiting = []
        for key in battle.units:
            battle.units.change(key).unmark("unformed")
        return battle

    def book_of(self, battle: Battle) -> Battle:
        """Return a battle of play as it stands in the book: without distances, places in buildings and hidden units."""
        book, plain = battle.copy(), self.game.plan.field
        assert isinstance(plain, Plain), "the companion has set it"
        book.book, book.menu = self.game.book, None
        book.field = plain.copy_with(contacts=contacts_of(battle))
        for key in [*book.units]:
            unit = book.units.change(key)
            unit.unmark("hidden")
            bring_unit(book, unit, place_of(book, key))
        return book

    # --- the sequence of play -----------------------------------------------------------------------------------------

    def openings(self, state: Battle) -> Sequence[Opening]:
        due = _DUE.get(state.phase)
        if due is not None:
            return [Opening(due, (), due=True)]
        unit = active_unit(state)
        if unit is None:
            waiting = waiting_units(state)
            passing = [Opening("pass", ())] if waiting and state.book.settings.pass_allowed else []
            return [Opening("activate", tuple(waiting), due=True), *passing] if waiting else []
        left_out = _SEQUENCE if state.houses else _SEQUENCE | _AT_DOORS
        acts = sorted(self.act_named.values(), key=lambda act: act is END_ACT)  # the actions of house rules come before
        found = [Opening(act.name, tuple(act.actors(state))) for act in acts if act.name not in left_out]
        found = [opening for opening in found if opening.actors]
        return found if len(found) > 1 else [Opening("end", (unit.spec.id,), due=True)]

    def advance(self, state: Battle) -> None:
        table = RecordedTable(self.game.rules, state, ())
        if state.phase in ("initiative", "housekeeping"):
            raise ZarebaError(f"{self.act_named[_DUE[state.phase]].title} first: play cannot go on without it")
        if state.active:
            finish_activation(table, state, Scene(self.game, state.active))
            return
        if self._others_wait(state):
            state.passes += 1
            self._phases.policy.pass_on(state, self.acting_side(state))
            return
        state.waiting, state.passes = [], 0
        self._phases.move_on(table, state)

    def _others_wait(self, state: Battle) -> bool:
        """Return True if another side has units to activate, and has not passed since the last activation (FBN-014)."""
        sides = {state.units[key].spec.side for key in state.waiting if state.units[key].on_table}
        return state.phase == "actions" and state.passes < len(sides) - 1

    def act_of_next(self, state: Battle) -> str:
        return END_ACT.name if active_unit(state) is not None else ""

    def left_out_by_next(self, state: Battle, due: Sequence[str]) -> str:
        name_of, unit, waiting = self.game.narrator.name_of, active_unit(state), waiting_units(state)
        if unit is not None:
            left = max((man.ac for man in unit.figures.values() if man.able), default=0)
            return f"left out: {left} AC of {unit.spec.name}" if left else ""
        if not waiting:
            return super().left_out_by_next(state, due)
        if self._others_wait(state):
            return f"no unit activated now; {join_with_and(map(name_of, waiting))} can still be activated this turn"
        rest = [key for key in state.waiting if state.units[key].on_table]
        return f"left out this turn: {join_with_and(map(name_of, rest))}"

    def acting_side(self, state: Battle) -> str:
        if state.active:
            return state.units[state.active].spec.side
        waiting = waiting_units(state)
        return state.units[waiting[0]].spec.side if waiting else ""

    def headline(self, state: Battle) -> str:
        side = self.acting_side(state)
        whose = [self.game.narrator.name_of(side)] if side else []
        active = [self._active_words(state)] if state.active else []
        return " · ".join([self.game.display.headline(state, *whose), *active])

    def _active_words(self, state: Battle) -> str:
        """Return the name of the active unit and the AC of its men."""
        unit = state.units[state.active]
        left = sorted({man.ac for man in unit.figures.values() if man.able}, reverse=True)
        guns = [f"gun {number} {gun.ac} AC" for number, gun in enumerate(unit.guns, 1) if gun.in_play]
        men = f"{' or '.join(map(str, left))} AC each" if left else "no man able"
        return f"{unit.spec.name}: {', '.join([men, *guns])}"

    # --- after an act -------------------------------------------------------------------------------------------------

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every man and gun back to his place. Losses, AC, marks and glory are what remains."""
        known = contacts_left(after)
        after.field = before.field if known == plain_of(before).contacts else plain_of(before).copy_with(contacts=known)
        after.menu = None
        if DOOR in after.houses:
            del after.houses[DOOR]
        if not any(event.kind == "flare" for event in events):
            after.flares = [flare for flare in before.flares if after.turn == before.turn or flare.until >= after.turn]
        for key in [*after.units]:
            unit = after.units.change(key)
            old = before.units.get(key)
            at = place_of(after, key)
            arrived = old is not None and "away" in old.marks and "away" not in unit.marks
            for man in unit.figures.values():
                was = old.figures.get(man.id) if old is not None and not arrived else None
                if was is not None:
                    battle_place = was.x, was.y, was.z, was.facing
                else:
                    battle_place = (man.x, man.y, man.z, man.facing) if arrived else (*at, 0.0, 0.0)
                man.x, man.y, man.z, man.facing = battle_place
                man.place = man.post = ""
            if old is not None and not arrived:
                for gun, kept in zip(unit.guns, old.guns, strict=True):
                    gun.x, gun.y, gun.z, gun.bearing = kept.x, kept.y, kept.z, kept.bearing
            unit.measure()
        after.fallen = tuple(
            casualty
            if casualty in before.fallen
            else Casualty(casualty.figure, casualty.unit, *place_of(after, casualty.unit), casualty.curable)
            for casualty in after.fallen
        )

    def sentences(self, events: Sequence[Event]) -> Sequence[str]:
        """Return what happened: what the act was, then the losses of each unit in one sentence, then the rest."""
        groups: dict[tuple[str, str], list[Event]] = {}
        # The result of a volley comes first here, so its beginning needs no sentence.
        events = [
            event._replace(data={**event.data, "opened": False}) for event in events if event.kind != "opens fire"
        ]
        for event in events:
            if event.kind in _SUMMED and not (event.kind == "loss" and self._is_named(event)):
                groups.setdefault((event.kind, event.data["unit"]), []).append(event)
        summed = {
            id(event) for found in groups.values() if len(found) > 1 or found[0].kind == "loss" for event in found
        }
        others = [event for event in events if id(event) not in summed]
        first = [event for event in others if event.kind in _FIRST]
        rest = [event for event in others if event.kind not in _FIRST]
        sums = [self._sum(kind, found) for (kind, _), found in groups.items() if id(found[0]) in summed]
        return [*super().sentences(first), *sums, *super().sentences(rest)]

    def _sum(self, kind: str, events: Sequence[Event]) -> str:
        """Return equal events of the common men of one unit as a sentence."""
        name, tables = self.game.narrator.name_of, self.game.narrator.words.tables
        unit, count = name(events[0].data["unit"]), len(events)
        if kind == "loss":
            how = _counted(_LOSSES[event.data["how"]] for event in events)
            return f"{unit} lost {amount(count, 'man', 'men')}: {how}"
        if kind == "answer":
            hits = sum(event.data["result"] > 0 for event in events)
            return f"{unit} shot back {count} times: {amount(hits, 'hit')}"
        if kind == "blow":
            results = Counter((event.data["loser"], event.data["result"]) for event in events)
            how = ", ".join(
                f"{amount(times, loser)} {_BLOWS.get(result, result)}" if loser else amount(times, "miss", "misses")
                for (loser, result), times in results.items()
            )
            return f"{unit} struck {amount(count, 'time')}: {how}"
        if kind == "panic move":
            men = {event.data["figure"]: tables["panic_moves"][event.data["reaction"]] for event in events}
            return f"{unit}, men in panic: {_counted(men.values())}"
        how = _counted(tables["reactions"][event.data["reaction"]] for event in events)
        return f"{amount(count, 'man', 'men')} of {unit} panicked: {how}"

    def _is_named(self, event: Event) -> bool:
        """Return True if the report names the man of a loss: a leader, bearer or medic."""
        spec = self.game.origin.specs[event.data["figure"]]
        return spec.leads or spec.bearer or spec.role == "medic"

    def describe_event(self, event: Event) -> str:
        more = MORE.get(event.kind)
        name = self.game.narrator.name_of
        if event.kind == "gun fires":
            return self._fall_of_shot(event)
        if more is not None and event.kind in ("move", "ride"):
            event = event._replace(data={**event.data, **more(event.data, lambda word: name(str(word)))})
        return super().describe_event(event)

    def _fall_of_shot(self, event: Event) -> str:
        """Return where a round lands, from the point aimed at or guessed, as a clock seen from the gun (FBN-221)."""
        data, name = event.data, self.game.narrator.name_of
        target = data["target"] if data["target"].startswith("gun ") else name(data["target"]) if data["target"] else ""
        fired = f"{name(data['unit'])} fired {data['ammunition']}{f' at {target}' if target else ''}"
        if data["hit"]:
            return f"{fired}: a hit"
        houses = self.game.origin.field.buildings
        goal, ahead = (houses[data["target"]].middle, WEST) if data["target"] in houses else (STAGE, EAST)
        point = data["x"], data["y"]
        hour = round((bearing(goal, point) - ahead) % 360 / 30) or 12
        where = "the point of the guess" if not target else "the target"
        return f"{fired}: it landed {round(dist(goal, point))}\" from {where}, at {hour} o'clock (12: straight on)"

    # --- the book -----------------------------------------------------------------------------------------------------

    def units(self, state: Battle, side: str) -> Sequence[str]:
        return [key for key, unit in state.units.items() if unit.spec.side == side]

    def unit_line(self, state: Battle, unit: str) -> str:
        record = state.units[unit]
        if unit in state.arrivals:
            return "still to arrive"
        if not record.on_table:
            return state.gone.get(unit, "off the table")
        met = [f"{self.game.narrator.name_of(foe)} ({men})" for foe, men in enemies_touched(state, unit).items()]
        return ", ".join(
            [unit_state(record, with_facing=False), *([f"in contact with {join_with_and(met)}"] if met else [])]
        )

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        record = state.units[unit]
        left = 0 if unit in state.gone else len(record.figures)
        return left, max(left, state.left.get(unit, record.start))
