"""Victorian Colonial Combat at a real table: the acts of the rules, and what people have to say about each.

The book of the evening is a battle on an endless plain. Each unit has its own box in the middle row. Units that
share a box on the real table share one here, so that charges, supports and the Army Commander work as in play. Ranges,
cover, flanks and the room for a retreat are laid out for each act as people describe them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from zareba.base.grammar import amount
from zareba.companion import Companion, CompanionAct, Opening
from zareba.game import Game
from zareba.table import Choose, Event, Option
from zareba_rulesets.vcc.chapters.morale import must_rally
from zareba_rulesets.vcc.companion.charges import CHARGE_ACT, MELEE, MELEE_ACT
from zareba_rulesets.vcc.companion.commanders import CAPTURE_ACT, COMMANDER_ACT, COMMANDER_LEAVES_ACT
from zareba_rulesets.vcc.companion.fire import FIRE_ACT, ROCKET_ACT
from zareba_rulesets.vcc.companion.morale import LEADER_ACT, MORALE_ACT, RALLY_ACT
from zareba_rulesets.vcc.companion.moves import (
    ARRIVE_ACT,
    CHANGE_ACT,
    JOIN_ACT,
    LEAVE_ACT,
    MOVE_ACT,
    OBJECT_ACT,
    TURN_ACT,
    arriving,
)
from zareba_rulesets.vcc.companion.real_table import free_box, plain_of, real_table
from zareba_rulesets.vcc.companion.sequence import END, END_ACT, ROLES_ACT
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander
from zareba_rulesets.vcc.game import VccGame
from zareba_rulesets.vcc.presentation.drawing import commander_id
from zareba_rulesets.vcc.presentation.words import commander_line, unit_states
from zareba_rulesets.vcc.sequence import Sequence as Phases

ACTS: tuple[CompanionAct[Battle], ...] = (
    ROLES_ACT,
    FIRE_ACT,
    ROCKET_ACT,
    LEADER_ACT,
    MORALE_ACT,
    RALLY_ACT,
    ARRIVE_ACT,
    MOVE_ACT,
    CHARGE_ACT,
    CHANGE_ACT,
    TURN_ACT,
    LEAVE_ACT,
    OBJECT_ACT,
    COMMANDER_ACT,
    COMMANDER_LEAVES_ACT,
    CAPTURE_ACT,
    JOIN_ACT,
    MELEE_ACT,
    END_ACT,
)
"""All acts, in the order of the rulebook."""
_MOVES = ("move", "charge", "change", "turn", "leave", "join", "commander", "commander_leaves", "capture", "object")
"""The acts of the movement steps, in the order in which they are offered."""
_ANY_TIME = ("join", "commander", "commander_leaves", "capture", "object")
"""Acts that a unit can do in the movement steps of its side whether it has moved or not."""
_WAYS = (
    "straight on", "forward to the right", "to the right", "back to the right", "straight back", "back to the left",
    "to the left", "forward to the left",
)  # fmt: skip
"""The eight directions as seen along the flight of a rocket."""


class VccCompanion(Companion[Battle]):
    """An evening of Victorian Colonial Combat at a real table."""

    game: VccGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS
    places: ClassVar[frozenset[str]] = frozenset({"in"})

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, VccGame)
        super().__init__(game)
        field = real_table(game)
        boxes = iter(field.rest_boxes)
        plan = game.plan
        placed = {unit: next(boxes) for unit in plan.placed}
        commanders = {
            side: (name, placed[unit] if unit in placed else next(boxes), unit)
            for side, (name, _, unit) in plan.commanders.items()
        }
        carried_objects = {
            name: (placed[carrier] if carrier else next(boxes), carrier)
            for name, (_, carrier) in plan.carried_objects.items()
        }
        game.plan = replace(
            plan,
            field=field,
            placed=placed,
            zones={},
            commanders=commanders,
            places={},
            carried_objects=carried_objects,
        )
        game.sequence = self._phases = Phases(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (VCC-025)."""
        battle = self.game.start()
        if not battle.field.roles_are_rolled:
            self.advance(battle)
        return battle

    def advance(self, state: Battle) -> None:
        if self.game.policy.stage(state) == "fire.leaders":
            state.checks = []  # those that people leave out are due no longer
        self._phases.advance(state)
        stage = self.game.policy.stage(state)
        if stage == "move.rally":
            side = self.acting_side(state)
            state.waiting = [unit.id for unit in state.side_units(side) if must_rally(state, unit)]
        elif stage == "move.reinforce":
            side = self.acting_side(state)
            state.waiting = [unit for unit in arriving(state) if state.unit(unit).side == side]
        elif stage in ("move.commander", "melee.fight", "end.turn"):
            state.waiting = {"melee.fight": [MELEE], "end.turn": [END]}.get(stage, [])

    def openings(self, state: Battle) -> Sequence[Opening]:
        if state.phase == "deployment":
            return () if state.drawn else (Opening("roles", (), due=True),)
        stage, waiting = self.game.policy.stage(state), [name for name in state.waiting if name not in state.gone]
        if stage == "fire.leaders":
            return [Opening("leader", (state.checks[0].unit,), due=True)] if state.checks else []
        if stage in ("move.rally", "move.reinforce", "fire.morale", "melee.morale"):
            act = {"move.rally": "rally", "move.reinforce": "arrive"}.get(stage, "morale")
            first_side = [name for name in waiting if state.unit(name).side == state.unit(waiting[0]).side]
            return [Opening(act, tuple(first_side), due=True)] if waiting else []
        if stage in ("melee.fight", "end.turn"):
            act = "melee" if stage == "melee.fight" else "end"
            return [Opening(act, (), due=True)] if waiting else []
        offered = {"fire.shots": ("fire", "rocket"), "move.units": _MOVES}.get(stage, ())
        openings = [Opening(act, self._able(state, act, waiting)) for act in offered]
        return [opening for opening in openings if opening.actors]

    def _able(self, state: Battle, act: str, waiting: Sequence[str]) -> tuple[str, ...]:
        """Return the waiting units that can do an act; for some acts, all units of the side."""
        able = self.act_named[act].actors(state)
        if act in _ANY_TIME:
            return tuple(unit for unit in able if state.unit(unit).side == self.acting_side(state))
        return tuple(unit for unit in able if unit in waiting)

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every unit back into the middle row: into its own box, or a new one if it has fallen back."""
        retreated = {event.data["unit"] for event in events if event.kind == "retreat"}
        after.field, middle = before.field, plain_of(before).rest_boxes
        moved = [unit for unit in after.units.values() if unit.on_table and unit.box not in middle]
        for unit in sorted(moved, key=lambda unit: unit.id in retreated):
            old = before.unit(unit.id).box
            after.move(unit, free_box(after) if unit.id in retreated else old)
            if unit.gun_box != OFF_TABLE and unit.gun_box not in middle:
                unit.gun_box = old
        for side, commander in after.commanders.items():
            if commander.box != OFF_TABLE and commander.box not in middle:
                commander.box = after.unit(commander.unit).box if commander.unit else before.commanders[side].box

    def acting_side(self, state: Battle) -> str:
        return self._phases.side(state) if self.game.policy.phases[state.phase].side else ""

    def headline(self, state: Battle) -> str:
        side = self.acting_side(state)
        return self.game.display.headline(state, *[self.game.narrator.name_of(side)] * bool(side))

    def units(self, state: Battle, side: str) -> Sequence[str]:
        units = [unit for unit, spec in self.game.plan.specs.items() if spec.side == side]
        return [*units, commander_id(side)] if side in state.commanders else units

    def unit_line(self, state: Battle, unit: str) -> str:
        if unit not in state.units:
            commander = self._commander(state, unit)
            return (
                "off the table" if commander.box == OFF_TABLE else commander_line(state, commander).partition(", ")[2]
            )
        record = state.unit(unit)
        if not record.on_table:
            return state.gone.get(unit) or "still to arrive"
        return unit_states(state, record)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        if unit not in state.units:
            return int(self._commander(state, unit).box != OFF_TABLE), 1
        record = state.unit(unit)
        return (record.strength if unit not in state.gone else 0), record.spec.bases + record.spec.leader

    def strength_lines(self, before: Battle, after: Battle, told: Sequence[str]) -> Sequence[str]:
        """Return the strength of each weakened unit, and the new hits on the markers of all units (VCC-106)."""
        marked = [unit for unit in after.units.values() if unit.on_table and unit.hits > 0]
        hits = [
            f"{unit.spec.name}: {amount(unit.hits, 'hit')} on its marker"
            for unit in marked
            if unit.hits != before.unit(unit.id).hits
        ]
        return [*super().strength_lines(before, after, told), *hits]

    def record_id(self, unit: str) -> str:
        sides = {commander_id(side): side for side in self.game.seats}
        return sides.get(unit, unit)

    def bring_back(self, state: Battle, unit: str) -> None:
        box = free_box(state)
        if unit not in state.units:
            commander = self._commander(state, unit)
            commander.box, commander.unit, commander.wounds = box, "", 0
            return
        record = state.unit(unit)
        state.gone.pop(unit, None)
        state.arrivals.pop(unit, None)
        if not record.strength:
            record.bases = 1
        state.move(record, box)

    def _commander(self, state: Battle, unit: str) -> Commander:
        return next(commander for side, commander in state.commanders.items() if commander_id(side) == unit)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        if isinstance(option, str) and option in state.units:
            return f"{self.game.narrator.name_of(option)}: {self.unit_line(state, option)}"  # without its box
        return super().describe_option(state, question, option)

    def describe_event(self, event: Event) -> str:
        if event.kind == "rocket":
            return self._rocket_sentence(event)
        return super().describe_event(event)

    def _rocket_sentence(self, event: Event) -> str:
        """Return where a rocket lands, seen along its line of flight (VCC-099)."""
        name, grid = self.game.narrator.name_of(event.data["unit"]), self.game.plan.field.grid
        aim, landing = event.data["box"], event.data["landing"]
        if landing is None:
            return f"{name} fired a rocket: it missed completely"
        if landing == aim:
            return f"{name} fired a rocket: it landed in its box"
        way = _WAYS[grid.direction(aim, landing)]
        boxes = amount(int(grid.distance(aim, landing)), "box", "boxes")
        return f"{name} fired a rocket: from its box it drifted {boxes} {way}"
