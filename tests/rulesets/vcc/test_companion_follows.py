"""The companion follows random games of play: the same facts and dice give the same losses, marks and contacts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.companion_games import Follower, StepPlayed, steps_of
from tests.rulesets.random_games import random_settings

from zareba.companion import Evening, new_evening
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba_rulesets.vcc.chapters.fire import cover_against
from zareba_rulesets.vcc.chapters.sight import band_of, in_front
from zareba_rulesets.vcc.forces import GUN_MARKS, OFF_TABLE, STEP_MARKS, Battle
from zareba_rulesets.vcc.game import VccGame

UNSEEN = {"held", "flank_shot"}
"""Marks that play needs for its own lists; the companion sets a shot from the flank only if a setting makes it count.
"""


class VccFollower(Follower):
    """Translates the steps of play into acts at a real table."""

    def __init__(self, evening: Evening[Any], game: VccGame) -> None:
        super().__init__(evening)
        self.play = game
        self._order = list(game.policy.phases)

    @property
    def book(self) -> Battle:
        battle = self.evening.state
        assert isinstance(battle, Battle)
        return battle

    def _place(self, battle: Battle) -> tuple[int, int, int]:
        return battle.turn, self._order.index(battle.phase), battle.stage

    def follow(self, played: StepPlayed) -> None:
        """Do one step of play at the table, and compare the books."""
        name, before = played.step.name, played.before
        if name == "deploy.place":
            self.dice = list(played.given)
            if played.told("role drawn"):
                self.do("roles")
            return
        while not self.evening.is_over and self._place(self.book) < self._place(before):
            self.evening.next(leave_out=True)
        self.dice = list(played.given)
        getattr(self, f"_{name.replace('.', '_')}")(played)
        for event in played.told("commander captured"):
            if self.book.commanders[event.data["side"]].box != OFF_TABLE:
                came = [event.data["unit"] for event in played.events if event.kind in ("move", "retreat")]
                self.do("capture", came[-1])
        assert self.used(("arrival",)), f"{name}: play threw dice that the companion did not ask for: {self.dice}"
        self.compare(played)

    def compare(self, played: StepPlayed) -> None:
        battle, book = played.after, self.book
        ignored = UNSEEN if self._place(battle) == self._place(book) else UNSEEN | STEP_MARKS | GUN_MARKS
        for name, unit in battle.units.items():
            own = book.units[name]
            values = [
                (state.bases, state.leader, state.hits, state.wounds, state.streak, state.marks - ignored)
                for state in (unit, own)
            ]
            assert values[0] == values[1], f"{played.step}: {name}"
            assert battle.gone.get(name) == book.gone.get(name), f"{played.step}: {name}"
        for side, commander in battle.commanders.items():
            there = book.commanders[side]
            assert commander.wounds == there.wounds
            assert (commander.box == OFF_TABLE) == (there.box == OFF_TABLE), f"{played.step}: commander of {side}"
        contacts = [
            sorted((c.charger, c.charged, c.flank, c.cover) for c in state.contacts) for state in (battle, book)
        ]
        assert contacts[0] == contacts[1], played.step

    # --- who stands together ------------------------------------------------------------------------------------------

    def gather(self, battle: Battle) -> None:
        """Bring the units and commanders together that share a box in play."""
        for side in self.play.seats:
            for unit in battle.side_units(side):
                friends = [friend.id for friend in battle.units_in(unit.box, side)]
                first = friends[0]
                if unit.id != first and self.book.unit(unit.id).box != self.book.unit(first).box:
                    fixed, mover = (
                        (unit.id, first) if self.book.is_in_contact(self.book.unit(unit.id)) else (first, unit.id)
                    )
                    self.do("join", mover, fixed)
            self._gather_commander(battle, side)

    def _gather_commander(self, battle: Battle, side: str) -> None:
        commander, own = battle.commanders.get(side), self.book.commanders.get(side)
        if commander is None or own is None or OFF_TABLE in (commander.box, own.box):
            return
        friends = [unit.id for unit in battle.units_in(commander.box, side)]
        together = {unit.id for unit in self.book.units_in(own.box, side)}
        if friends and (commander.unit != own.unit or not together.issuperset(friends)):
            self.do("commander", commander.unit or friends[0], attached=bool(commander.unit))
        elif together and not friends:
            self.do("commander_leaves", sorted(together)[0])

    # --- the steps ----------------------------------------------------------------------------------------------------

    def _fire_shots(self, played: StepPlayed) -> None:
        before = played.before
        chosen = played.answers("fire with")
        if chosen == ["done"]:
            return
        firer = before.unit(str(chosen[0]) if chosen else before.waiting[0])
        if firer.id not in [event.data.get("unit") for event in played.events if event.kind in ("fire", "rocket")]:
            return
        if rocket := played.told("rocket"):
            landing = rocket[0].data["landing"]
            struck = [] if landing is None else [unit.id for unit in before.units_in(landing)]
            self.do("rocket", firer.id, struck=tuple(struck))
            return
        (shot,) = played.told("fire")
        target = before.unit(shot.data["target"])
        from_flank = not in_front(before, target, firer.box) and target.spec.troop != "wagon"
        self.do(
            "fire",
            firer.id,
            target.id,
            band=band_of(before, firer, target.box),
            cover=cover_against(before, firer.box, target),
            pivots=not in_front(before, firer, target.box),
            flank=from_flank,
        )

    def _fire_leaders(self, played: StepPlayed) -> None:
        self.gather(played.before)
        for _ in played.before.checks:
            self.do("leader")

    def _fire_morale(self, played: StepPlayed) -> None:
        before = played.before
        self.gather(before)
        chosen = played.answers("check morale of")
        checked = [e.data["unit"] for e in played.events if e.kind in ("morale passed", "morale failed")]
        unit = str(chosen[0]) if chosen else checked[0]
        back = len(played.told("retreat"))
        failed = [before.book.file.failed_morale[e.data["result"]].retreat for e in played.told("morale failed")]
        room = "all"
        if played.told("routed"):
            room = "edge 0"
        elif failed and back < failed[0]:
            room = f"barred {back}"
        self.do("morale", unit, room=room)

    _melee_morale = _fire_morale

    def _move_rally(self, played: StepPlayed) -> None:
        self.gather(played.before)
        for event in played.events:
            if event.kind in ("rallied", "not rallied"):
                self.do("rally", event.data["unit"])

    def _move_reinforce(self, played: StepPlayed) -> None:
        for event in played.events:
            if event.kind == "arrived" or (event.kind == "not arrived" and self.dice):
                self.do("arrive", event.data["unit"])
                if event.kind == "arrived" and not played.answers("arrival"):
                    assert event.data["unit"] not in self.book.arrivals

    def _move_units(self, played: StepPlayed) -> None:
        chosen = played.answers("move with")
        if chosen == ["done"]:
            return
        before, after = played.before, played.after
        unit = before.unit(str(chosen[0]) if chosen else before.waiting[0])
        acts = played.answers("move")
        words = [act[0] if isinstance(act, tuple) else act for act in acts]
        charges = played.told("charge")
        for word in words:
            if word in ("mount", "dismount", "form square", "leave square", "lie down", "get up"):
                self.do("change", unit.id, change=word)
        if "leave the table" in words or played.told("left the table"):
            left = [e for e in played.events if "edge" in e.data]
            self.do("leave", unit.id, edge=left[0].data["edge"] if left else None)
            return
        if played.told("move"):
            left_guns = {unit.gun_box: unit.id for unit in before.units.values() if unit.gun_box != OFF_TABLE}
            self.do("move", unit.id, gun=left_guns.get(after.unit(unit.id).box, ""))
        if charges:
            contact = after.contacts[-1]
            facts = {"flank": contact.flank, "uphill": contact.uphill, contact.cover: contact.cover != "none"}
            matters = [fact for fact, is_so in facts.items() if is_so]
            self.do("charge", unit.id, contact.charged, matters=tuple(matters))
        elif (
            after.unit(unit.id).facing != unit.facing
            and (not played.told("move") or played.told("gun manned"))
            and unit.id in self.evening.companion.act_named["turn"].actors(self.book)
        ):
            self.do("turn", unit.id)

    def _move_commander(self, played: StepPlayed) -> None:
        self.gather(played.after)

    def _melee_fight(self, played: StepPlayed) -> None:
        self.gather(played.before)
        self.do("melee")

    def _end_turn(self, played: StepPlayed) -> None:
        self.do("end")


def follow(scenario: str, seed: int, settings: dict[str, Any]) -> int:
    """Play a game and follow it. Return the number of steps that the companion has followed."""
    rules = load_rules("vcc", settings)
    game = VccGame(rules, load_scenario(scenario))
    follower = VccFollower(new_evening("vcc", load_scenario(scenario), seed=1, settings=settings), game)
    count = 0
    for played in steps_of(game, seed):
        count += played.step.name != "deploy.place"
        if count == 1:
            for name, unit in played.before.units.items():
                for mark in unit.marks ^ follower.book.unit(name).marks:
                    follower.evening.correct(name, mark, mark in unit.marks)
        follower.follow(played)
    return count


def follow_one_of_many(seed: int) -> int:
    """Follow a game of one of the shipped scenarios, under random settings if the seed is odd."""
    scenarios = sorted(shipped_scenarios())
    settings = random_settings("vcc", Random(seed)) if seed % 2 else {}
    return follow(scenarios[seed // 2 % len(scenarios)], seed, settings)


def test_companion_agrees_with_play() -> None:
    for seed in (10, 11):  # the patrol under default and under random settings
        assert follow_one_of_many(seed) > 5


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100, 300))
def test_companion_agrees_with_play_in_many_games(seed: int) -> None:
    assert follow_one_of_many(seed) > 5
