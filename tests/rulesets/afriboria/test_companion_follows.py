"""The companion follows random games of play: the same facts and dice give the same losses, cards, orders and
points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from tests.rulesets.companion_games import Follower, StepPlayed, steps_of
from tests.rulesets.random_games import random_settings

from zareba.companion import AskFact, Decide, Evening, Scene, new_evening
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Choose, Event
from zareba_rulesets.afriboria.chapters.combat import attacking_hex
from zareba_rulesets.afriboria.chapters.movement import GATHER, MAN
from zareba_rulesets.afriboria.chapters.siege import firing_sections
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.companion.real_table import table_of
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import company_pace, second_of
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.game import AfrGame

MEMBERS, WHO, IN_THE_WAY = "units of the company", "who gets an order", "what is in the way of the retreat"
IN_THE_WAY_AGAIN, REACTION_AGAIN = "what is in the way of the second retreat", "reaction in the second battle"
IN_WATER = "who stands in water"
LEFT = ("breakthrough_target",)
"""Settings with questions that are not translated: after a breakthrough, who else stands next to the cavalry?"""
STAYED = {"moved"}
"""The mark that play also gives to a unit that stays; at a real table it just does not move."""


class AfrFollower(Follower):
    """Translates the steps of play into acts at a real table."""

    def __init__(self, evening: Evening[Any], game: AfrGame) -> None:
        super().__init__(evening)
        self.play = game
        self.order = game.policy.steps
        self.after, self.events = game.start(), tuple[Event, ...]()
        structures = table_of(self.book).structure_names
        self.site_of = dict(zip(game.plan.field.structures, structures, strict=True))

    @property
    def book(self) -> Battle:
        battle = self.evening.state
        assert isinstance(battle, Battle)
        return battle

    def _place(self, battle: Battle) -> tuple[int, int]:
        return battle.turn, self.order.index(battle.stage)

    def follow(self, played: StepPlayed) -> None:
        """Do one step of play at the table, and compare the books."""
        name, before = played.step.name, played.before
        if name == "deploy":
            return
        while not self.evening.is_over and self._place(self.book) < self._place(before):
            self.evening.next(leave_out=True)
        self.gather(before)
        self.dice, self.after, self.events = list(played.given), played.after, played.events
        getattr(self, f"_{name}")(played)
        assert self.used(), f"{played.step}: play threw dice that the companion did not ask for: {self.dice}"
        self.gather(played.after)
        self.compare(played)

    def compare(self, played: StepPlayed) -> None:
        battle, book = played.after, self.book
        same_turn = battle.turn == book.turn and battle.stage != "begin"
        for name, unit in battle.units.items():
            own = book.units[name]
            values = [
                (state.figures, state.firearms, state.mounted, state.ladders, state.hex == OFF, state.company)
                for state in (unit, own)
            ]
            assert values[0] == values[1], f"{played.step}: {name}"
            if same_turn:
                pace = company_pace(battle, unit, to_battle=True) if "company" in unit.marks else 9
                fights = unit.marks & {"battle", "company"} and unit.moved <= min(unit.profile.battle_move, pace)
                far = set() if fights and "done" not in unit.marks else {"no_battle"}
                acts = [
                    (sorted(state.marks - STAYED - far), state.moved, state.shots, sorted(state.battled))
                    for state in (unit, own)
                ]
                assert acts[0] == acts[1], f"{played.step}: {name}: {acts}"
        for name, chief in battle.commanders.items():
            his = book.commanders[name]
            states = [(leader.hex == OFF, leader.supports, leader.along) for leader in (chief, his)]
            assert not same_turn or states[0] == states[1], f"{played.step}: {name}"
            assert not same_turn or chief.marks == his.marks, f"{played.step}: {name}"
        groups = [
            {key: (company.officer, company.members, company.state) for key, company in b.companies.items()}
            for b in (battle, book)
        ]
        assert battle.stage == "begin" or groups[0] == groups[1], f"{played.step}: {groups}"  # else the book is ahead
        if any(side.quota is not None for side in battle.sides.values()):
            assert battle.owners == book.owners, f"{played.step}: {battle.owners} {book.owners}"
        carried_objects = [
            {name: (carried.carrier, carried.taken_by) for name, carried in b.carried_objects.items()}
            for b in (battle, book)
        ]
        assert carried_objects[0] == carried_objects[1], f"{played.step}: {carried_objects}"
        self._compare_structures(played)
        for name in ("gone", "deck", "event_deck", "over", "winner", "ending", "effects"):
            values = [getattr(state, name) for state in (battle, book)]
            assert values[0] == values[1], f"{played.step}: {name}: {values}"

    def _compare_structures(self, played: StepPlayed) -> None:
        """Compare the walls and gates, the ladders against each, and who stands in them."""
        battle, book = played.after, self.book
        walls = {self.site_of[cell]: state for cell, state in battle.structures.items()}
        assert walls == book.structures, f"{played.step}: {walls} {book.structures}"
        assert {self.site_of[cell] for cell in battle.rubble} == book.rubble, f"{played.step}: rubble"
        ladders = (sorted(self.site_of[wall] for wall, _ in battle.ladders), sorted(wall for wall, _ in book.ladders))
        assert ladders[0] == ladders[1], f"{played.step}: {ladders}"
        for name, unit in battle.units.items():
            sections, own = {self.site_of[cell]: count for cell, count in unit.sections.items()}, book.units[name]
            if sections.keys() == own.sections.keys() and sorted(sections.values()) == sorted(own.sections.values()):
                own.sections = sections  # of two sections alike, either may lose a figure to an event
            assert sections == own.sections, f"{played.step}: {name}: {sections}"

    # --- who stands together ------------------------------------------------------------------------------------------

    def gather(self, battle: Battle) -> None:
        """Bring pieces together that share a hex in play, part the others, and note who is in an officer's zone."""
        if self.evening.is_over:
            return
        cells = [*dict.fromkeys((*battle.here, *battle.chiefs))]
        groups = [
            [*battle.here.get(cell, ()), *([battle.chiefs[cell]] if cell in battle.chiefs else [])] for cell in cells
        ]
        whole = [[name for name in group if not self._in_sections(battle, name)] for group in groups]
        for cell, group in zip(cells, whole, strict=True):
            for name in group:
                book, site = self.book, self.site_of.get(cell)
                at = self._piece(book, name).hex
                here = {piece.spec.id for piece in self._stack(book, self._piece(book, name))}
                is_with_others = not {other for other in here if not self._in_sections(book, other)} <= {*group}
                if at != site and (at in book.structures or is_with_others):
                    self.do("part", name)
        for cell, group in zip(cells, whole, strict=True):
            site = self.site_of.get(cell)
            for name in group if site is not None else ():
                if self._piece(self.book, name).hex != site:
                    self.do("occupy", name, structure=site)
            for name in group[1:] if site is None else ():
                if self._piece(self.book, name).hex != self._piece(self.book, group[0]).hex:
                    self.do("join", name, group[0])
        for name, chief in battle.commanders.items():
            pair = [
                second_of(b, c) if c.hex != OFF else None
                for b, c in ((battle, chief), (self.book, self.book.commanders[name]))
            ]
            wanted = pair[0].spec.id if pair[0] is not None else ""
            if (pair[1].spec.id if pair[1] is not None else "") != wanted:
                self.do("second", name, second=wanted)
        for key, company in battle.companies.items():
            if key not in self.book.companies:
                continue
            officer = battle.commanders[company.officer]
            for name in company.members:
                unit, own = battle.units[name], self.book.units[name]
                if unit.hex == OFF or officer.hex == OFF:
                    continue
                is_near = self.book.in_zone(own, self.book.commanders[company.officer])
                if battle.in_zone(unit, officer) != is_near:
                    self.do("away" if is_near else "near", name)

    def _in_sections(self, battle: Battle, name: str) -> bool:
        return name in battle.units and bool(battle.units[name].sections)

    def _piece(self, battle: Battle, name: str) -> Unit | Commander:
        return battle.units.get(name) or battle.commanders[name]

    def _stack(self, battle: Battle, piece: Unit | Commander) -> list[Unit | Commander]:
        chief = battle.commander_in(piece.hex)
        return [*battle.units_in(piece.hex), *([chief] if chief is not None else [])]

    # --- the steps ----------------------------------------------------------------------------------------------------

    def _companies(self, played: StepPlayed) -> None:
        for event in played.told("company"):
            facts: dict[str, Any] = {MEMBERS: tuple(event.data["members"])}
            self.do("company", event.data["officer"], **facts)

    def _deal(self, played: StepPlayed) -> None:
        self.do("deal")

    def _first(self, played: StepPlayed) -> None:
        self.do("first", places=tuple(played.after.owners.items()))

    def _begin(self, played: StepPlayed) -> None:
        arriving = [name for name in self.book.waiting if name in self.book.arrivals]
        for name in arriving:
            if name in self.book.arrivals:
                self.do("arrive", name)
                if name in played.after.arrivals and name not in self.book.arrivals:
                    self.evening.undo()  # there was no room for it at the edge of the table (AFR-047)
        for company in played.after.companies.values():
            if self.book.companies[f"company of {company.officer}"].state != company.state:
                self.do("reunite", company.officer)

    def _card(self, played: StepPlayed) -> None:
        self.do("card")

    def _orders(self, played: StepPlayed) -> None:
        chosen = played.answers("order")
        for answer in played.given:
            if answer.question.why == "second unit":
                named = "" if answer.answer == "nobody" else str(answer.answer)
                self.do("second", answer.question.actor, second=named)
        if turned := tuple(self.site_of[event.data["hex"]] for event in played.told("gate")):
            self.do("gate", gates=turned)
        orders = [event.data["order"] for event in played.told("order")]
        if orders:
            members = [event.data["members"] for event in played.told("company")]
            facts: dict[str, Any] = {WHO: (orders[0],), MEMBERS: tuple(members[0]) if members else ()}
            self.do("orders", **facts)
        elif chosen and self.book.stage == "orders":
            self.do("orders")

    def _event(self, played: StepPlayed) -> None:
        if self.book.stage == "event":
            bathers = tuple(answer.question.actor for answer in played.given if answer.question.why == "crocodiles")
            facts: dict[str, Any] = {IN_WATER: bathers}
            self.do("event", **self._way_back(played, played.events), **facts)

    def _moves(self, played: StepPlayed) -> None:
        chosen = played.answers("move with")
        if chosen == ["done"]:
            return
        if chosen and chosen[0] in played.before.units and self._acts_on_walls(played, chosen[0]):
            return
        for event in played.told("move"):
            name = event.data["unit"]
            if name in played.before.commanders:
                station = [
                    unit.spec.id
                    for unit in played.after.units_in(event.data["hex"])
                    if unit.spec.side == played.before.active
                ]
                before = [u for u in station if played.before.units[u].hexes == (event.data["hex"],)]
                self.do("commander", name, unit=before[0] if before else "")
            else:
                self._move_unit(played, name, event.data)
        for event in played.events:
            if "edge" in event.data:
                self.do("leave", event.data["unit"], edge=event.data["edge"])
        for event in played.told("dismount"):
            self.do("dismount", event.data["unit"])

    def _acts_on_walls(self, played: StepPlayed, name: str) -> bool:
        """Do the move of a unit that is an act of a siege, if it is one. Return True if it was."""
        before, unit = played.before, played.before.units[name]
        choice: Any = next(iter(played.answers("move")), "stay")  # it is not asked without alternatives
        raised = [event.data["hex"] for event in played.told("ladder") if event.data["result"] != "thrown down"]
        walked = [event.data for event in played.told("move") if event.rule == "AFR-078"]
        steps = walked[0]["steps"] if walked else 0
        along: dict[str, Any] = {"its commander goes along": choice[0] == "with"}
        climbed = choice[1] if choice[0] in ("to", "with") and before.is_shut_out(choice[1], unit.spec.side) else None
        if choice == MAN:
            self.do("man", name)
        elif choice == GATHER:
            self.do("gather", name)
        elif choice[0] == "throw down":
            thrown = sum(event.data["result"] == "thrown down" for event in played.told("ladder"))
            self.do("throw_down", name, then=steps or ("another ladder" if thrown > 1 else 0))
        elif climbed is not None:
            costs = before.book.file.ladder_moves
            self.do("climb", name, structure=self.site_of[climbed], hexes=steps - costs.climb, **along)
        elif raised:
            self.do("ladder", name, structure=self.site_of[raised[0]], hexes=steps, **along)
        else:
            return False
        return True

    def _move_unit(self, played: StepPlayed, name: str, data: Any) -> None:
        before, after = played.before, played.after
        unit = before.units[name]
        ground = after.ground(data["hex"])
        closed = "no battle" if ground.no_battle and "guided" not in unit.marks else ""
        if unit.profile.arm == "vehicle" and "debris" in ground.kinds and "guided" not in unit.marks:
            closed = "debris"
        form_move = (data["steps"], closed)
        choices = self._offered("move", "move", self._scene(name))
        if form_move not in choices:
            form_move = (data["steps"], "")
        company = after.company_of(after.units[name])
        back = company is not None and after.in_zone(after.units[name], after.commanders[company.officer])
        along: dict[str, Any] = {"its commander goes along": bool(data["chief"])}
        self.do("move", name, move=form_move, back=back, **along)

    def _scene(self, actor: str, target: str = "") -> Any:
        return Scene(self.evening.game, actor, target)

    def _offered(self, act: str, fact: str, scene: Scene) -> Mapping[Any, str]:
        """Return the values that a question of the companion offers now."""
        asked = next(ask for ask in self.evening.companion.act_named[act].asks if ask.fact == fact)
        assert asked.choices is not None
        return asked.choices(self.book, scene)

    def _battles(self, played: StepPlayed) -> None:
        chosen = played.answers("battle with")
        if chosen == ["done"]:
            return
        name = str(chosen[0]) if chosen else ""
        given = [answer for answer in played.given if answer.question.why != "battle with"]
        starts = [place for place, answered in enumerate(given) if answered.question.why == "battle against"]
        for number, start in enumerate(starts):
            name = given[start].question.actor
            end = starts[number + 1] if number + 1 < len(starts) else len(given)
            self.dice = list(given[start + 1 : end])
            target = given[start].answer
            if target == "hold fire":
                if number == 0:
                    self.do("hold", name)
            elif target[0] == "structure":
                self._bombard(played, name, target[1])
            else:
                self._strike(played, name, target, number)
            assert self.used(), f"{played.step}: dice left: {self.dice}"

    def _bombard(self, played: StepPlayed, name: str, wall: int) -> None:
        before, at = played.before, played.before.units[name].hex
        facts: dict[str, Any] = {"structure": self.site_of[wall], "hexes": before.field.distance[at][wall]}
        actors = {f"structure {wall}": f"structure {self.site_of[wall]}"}
        self.dice = [
            die._replace(question=die.question._replace(actor=actors.get(die.question.actor, die.question.actor)))
            for die in self.dice
        ]
        self.do("bombard", name, hilltop=at in before.field.hilltops, **facts)

    def _strike(self, played: StepPlayed, name: str, target: Any, number: int) -> None:
        before, unit = played.before, played.before.units[name]
        kind, goal = target
        fights = [event for event in played.told("battle") if event.data["unit"] == name]
        aimed = "hex" if kind == "hex" else "target"
        shot = next(event for event in fights[number:] if event.data[aimed] == goal)
        enemy, cell = shot.data["target"], shot.data["hex"]
        scene = self._scene(name, enemy)
        hexes = before.field.distance[unit.hex][cell]
        distances = before.field.distance[cell]
        firing = [*firing_sections(before, unit, cell, second=number > 0)]
        if kind == "commander" and unit.sections:
            firing = [attacking_hex(before, unit, cell)]
        sections = tuple((self.site_of[origin], distances[origin]) for origin in firing)
        scene.answers.update(hexes=hexes, sections=sections)
        ground = self._ground(scene, "target", before.ground(cell)) + self._ground(
            scene, "own", before.ground(unit.hex), hilltop=unit.hex in before.field.hilltops
        )
        over_friends = ("own", "over friends")
        if over_friends in self._offered("battle", "ground", scene) and not sees(before, cell, unit.hex):
            ground = (*ground, over_friends)
        places = [place for place, answered in enumerate(self.dice) if answered.question.why == "breakthrough"]
        end = places[0] if places else len(self.dice)
        withdraws, again = (
            any(answer.question.why == "defender" and answer.answer == "retreat voluntarily" for answer in part)
            for part in (self.dice[:end], self.dice[end:])
        )
        behind = fights[number + 1].data["hex"] if len(fights) > number + 1 else None
        self.do(
            "again" if number else "battle",
            name,
            enemy,
            attacked=enemy,
            hexes=hexes,
            sections=sections,
            section=self.site_of.get(cell),
            ladder=(cell, unit.hex) in before.ladders,
            ground=(*ground, ("reaction", "other")),
            reaction="retreats" if withdraws else "decides later",
            **{REACTION_AGAIN: "retreats" if again else "stands"},
            **self._way_back(played, self._events_of_strike(played, name, number), enemy),
            **(
                {"ground behind": self._ground(scene, "target", played.after.ground(behind))}
                if behind is not None
                else {}
            ),
        )

    def _ground(self, scene: Any, whose: str, ground: Any, *, hilltop: bool = False) -> tuple[Any, ...]:
        """Return the answers that name some ground, as far as the companion offers them."""
        offered = self._offered("battle", "ground", scene)
        titles = {name: entry.title for name, entry in self.play.book.file.terrain.items()}
        found = []
        for kind in ground.kinds:
            for value, words in offered.items():
                inside = words.partition(": ")[2].rpartition(" (")[0]
                named = re.split(", | or ", inside)
                title = titles[kind]
                if (
                    value[0] == whose
                    and value not in found
                    and (title in named or (title in inside and " or " in title))
                ):
                    found.append(value)
        if hilltop and (whose, "hilltop") in offered:
            found.append((whose, "hilltop"))
        return tuple(found)

    def _events_of_strike(self, played: StepPlayed, name: str, number: int) -> Sequence[Event]:
        """Return the events of the first or second fire of a unit; a second battle of cavalry belongs to the first."""
        starts = [place for place, event in enumerate(played.events) if _is_strike(event, name)]
        ends = [place for place in starts if played.events[place].kind == "salvo"]
        if ends:  # the sections of a unit on walls fire one after another
            starts = [starts[0], *(place for place in starts if place > ends[0])]
        if any(event.kind == "breakthrough" for event in played.events) or len(starts) < 2:
            return played.events
        return played.events[starts[1] :] if number else played.events[: starts[1]]

    def _way_back(self, played: StepPlayed, events: Sequence[Event], piece: str = "") -> dict[str, Any]:
        """Return how the forced retreats of a piece ended in play: the first one, and that of a second battle of
        cavalry.
        """
        places = [place for place, event in enumerate(events) if event.kind == "breakthrough"]
        end = places[0] if places else len(events)
        first, second = events[:end], events[end:]
        gone = len(_forced_back(first, piece))
        return {IN_THE_WAY: self._end_of_retreat(played, first, piece, 0)} | {
            IN_THE_WAY_AGAIN: self._end_of_retreat(played, second, piece, gone)
        }

    def _end_of_retreat(self, played: StepPlayed, events: Sequence[Event], piece: str, gone: int) -> Any:
        """Return how a forced retreat ended: how, after how many hexes in all, and the commander that it met."""
        blocked = [event.data["unit"] for event in events if event.kind == "blocked"]
        left = [
            event.data["unit"]
            for event in events
            if event.kind in ("destroyed", "commander lost") and event.data["how"] == "left the field"
        ]
        rallied = [event.data["unit"] for event in events if event.kind == "rallied"]
        for names, how in ((blocked, "blocked"), (left, "edge"), (rallied, "rallied")):
            for name in names:
                if piece in ("", name):
                    own = _forced_back(events, name)
                    met = played.after.chiefs.get(own[-1].data["hex"], "") if how == "rallied" else ""
                    return how, gone + len(own), name, met
        return "nothing"

    def _answer(self, form: Any, pending: Any, facts: dict[str, Any]) -> None:
        if isinstance(pending, AskFact) and pending.asked.fact in (IN_THE_WAY, IN_THE_WAY_AGAIN):
            wanted = facts[pending.asked.fact]
            form.give(wanted if wanted in pending.choices else next(iter(pending.choices)))
        elif isinstance(pending, AskFact) and pending.asked.fact == "fights on":
            place = next(
                (at for at, answered in enumerate(self.dice) if answered.question.why == "fight on against"), None
            )
            answer = self.dice.pop(place).answer if place is not None else "stay"
            form.give("stay" if answer == "stay" else "once more")
        elif isinstance(pending, Decide) and pending.question.why == "exposure":
            hidden = "unexposed" in self.after.units[pending.question.actor].marks
            form.give("keep out of sight" if hidden else "show themselves")
        elif isinstance(pending, Decide) and pending.question.why in ("man", "gather in"):
            at = self.after.units[pending.question.actor].hex  # play does not ask if there is only one hex
            places = [n for n, answered in enumerate(self.dice) if answered.question.why == pending.question.why]
            site = self.site_of[self.dice.pop(places[0]).answer if places else at]
            field = table_of(self.book)
            named = field.structure_names[site]
            options: Sequence[Any] = pending.question.options if isinstance(pending.question, Choose) else ()
            form.give(next(cell for cell in options if field.structure_name(cell) == named))
        elif (
            isinstance(pending, Decide)
            and isinstance(pending.question, Choose)
            and not any(die.question.why == pending.question.why for die in self.dice)
        ):
            if pending.question.why in self.book.book.file.events:  # play does not ask about the only unit in sight
                units = [event.data["unit"] for event in self.events if "unit" in event.data]
                form.give(next(name for name in units if name in pending.question.options))
                return
            assert pending.question.why in ("defender", "breakthrough"), pending.question
            form.give(pending.question.options[0])
        else:
            super()._answer(form, pending, facts)

    def _mounting(self, played: StepPlayed) -> None:
        for event in played.told("mount"):
            self.do("mount", event.data["unit"])

    def _draw(self, played: StepPlayed) -> None:
        if self.book.stage == "draw":
            self.do("draw")

    def _close(self, played: StepPlayed) -> None:
        changed = tuple(
            (key, played.after.owners.get(key, ""))
            for key in self.play.plan.places
            if played.after.owners.get(key) != played.before.owners.get(key)
        )
        reached = tuple(
            (key, name)
            for key, cells in self.play.plan.areas.items()
            for name, unit in played.before.units.items()
            if unit.hex in cells
        )
        offered = self._offered("end", "places", self._scene(""))
        for name, carried_object in played.after.carried_objects.items():
            if carried_object.carrier and carried_object.carrier != self.book.carried_objects[name].carrier:
                self.do("object", carried_object.carrier, object=name)
        self.do("end", places=tuple(place for place in (*changed, *reached) if place in offered))


def _is_strike(event: Event, name: str) -> bool:
    """Return True if an event is an attack of a unit."""
    return event.kind in ("battle", "salvo") and event.data["unit"] == name


def _forced_back(events: Sequence[Event], piece: str) -> list[Event]:
    """Return the steps of the forced retreat of a piece, or of all if it has no name."""
    forced = [event for event in events if event.kind == "retreat" and event.rule == "AFR-238"]
    return [event for event in forced if piece in ("", event.data["unit"])]


def follow(scenario: str, seed: int, settings: dict[str, Any], player: str = "random") -> int:
    """Let an AI player play a game, and follow it. Return the number of steps that the companion has followed."""
    rules = load_rules("afriboria", settings)
    game = AfrGame(rules, load_scenario(scenario))
    follower = AfrFollower(new_evening("afriboria", load_scenario(scenario), seed=1, settings=settings), game)
    count = 0
    for played in steps_of(game, seed, player):
        follower.follow(played)
        count += played.step.name != "deploy"
    return count


SIEGE = "hill_fort"
SCENARIOS = tuple(name for name in sorted(shipped_scenarios()) if name != SIEGE)
"""The scenarios without a siege."""
LEFT_IN_A_SIEGE = (*LEFT, "stacking")
"""With one unit to a hex, the book puts the second unit of a platoon next to its commander, and so out of its wall."""


def follow_one_of_many(seed: int, player: str) -> int:
    """Follow a game of one of the scenarios, under random settings if the seed is odd."""
    settings = random_settings("afriboria", Random(seed), LEFT) if seed % 2 else {}
    return follow(SCENARIOS[seed // 2 % len(SCENARIOS)], seed, settings, player)


@pytest.mark.parametrize("settings", [{}, {"event_cards": "on", "stacking": "one_unit", "vp_quota": "half_enemy"}])
def test_companion_agrees_with_play(settings: dict[str, Any]) -> None:
    assert follow("patrol_clash", 3, settings) > 100


def test_companion_agrees_with_play_in_a_siege() -> None:
    assert follow(SIEGE, 6, {}, "doctrine") > 300


@pytest.mark.deep
@pytest.mark.parametrize("player", ["random", "doctrine"])
@pytest.mark.parametrize("seed", range(50))
def test_companion_agrees_with_play_in_many_sieges(seed: int, player: str) -> None:
    settings = random_settings("afriboria", Random(seed), LEFT_IN_A_SIEGE) if seed % 2 else {}
    assert follow(SIEGE, seed, settings, player) > 5


@pytest.mark.deep
@pytest.mark.parametrize("player", ["random", "doctrine"])
@pytest.mark.parametrize("seed", range(100))
def test_companion_agrees_with_play_in_many_games(seed: int, player: str) -> None:
    assert follow_one_of_many(seed, player) > 5
