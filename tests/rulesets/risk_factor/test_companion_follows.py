"""The companion follows games of play step by step: the same facts and dice give the same results.

Before each step the test brings the book into the position of play: leaders with their groups, and units in contact.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.rulesets.companion_games import StepPlayed, steps_of
from tests.rulesets.random_games import random_settings
from tests.systems import each_battle

from zareba.base.exact import dist
from zareba.companion import AskFact, Decide, Finished, Form, Scene, Throw
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Answer, Draw, Event, GivenAnswer, Question, RecordedTable, Roll
from zareba_rulesets.risk_factor.chapters.action_throws import risk_facts, surroundings, throwing_units
from zareba_rulesets.risk_factor.chapters.casualties import Figure, figures_by_name
from zareba_rulesets.risk_factor.chapters.command import COMMAND, LINK
from zareba_rulesets.risk_factor.chapters.melee import FigureMatch, fighters, matches
from zareba_rulesets.risk_factor.chapters.shooting import prepare_volley
from zareba_rulesets.risk_factor.chapters.sight import lines_of_fire, sees_any_enemy
from zareba_rulesets.risk_factor.chapters.targets import able_figures, figures_to_hit, may_pick_figures
from zareba_rulesets.risk_factor.companion import RskCompanion
from zareba_rulesets.risk_factor.companion.book import HAIR, book_of
from zareba_rulesets.risk_factor.companion.melees import pairs_of
from zareba_rulesets.risk_factor.companion.shooting import BEHIND, HOLDS, SAFE
from zareba_rulesets.risk_factor.forces import Battle, Unit, band_of, in_command_range, limits_of, missile_weapons
from zareba_rulesets.risk_factor.game import RskGame


class NotTold(Exception):  # not an error: people would correct the book
    """A step with more detail than the companion asks for, such as figures at three ranges."""


class RskFollower:
    """Repeats each step of play as acts at a real table, and compares the book with play."""

    def __init__(self, game: RskGame, companion: RskCompanion) -> None:
        self.play, self.companion = game, companion
        self.played: dict[str, int] = {}
        self.followed: dict[str, int] = {}
        self.left_out = 0

    def follow(self, played: StepPlayed) -> None:
        do = getattr(self, f"_{played.step.name}", None)
        if do is None:
            return
        self.played[played.step.name] = self.played.get(played.step.name, 0) + 1
        self.dice = list(played.given)
        self.book = book_of(self.companion.start(), played.before)
        self.figures: dict[str, str] = {}
        self.wounded = _wounded_names(played.before)
        try:
            done = do(played)
        except NotTold:
            self.left_out += 1
            return
        if done:
            self.followed[played.step.name] = self.followed.get(played.step.name, 0) + 1

    # --- one act ------------------------------------------------------------------------------------------------------

    def do(self, act: str, actor: str = "", target: str = "", **facts: Any) -> tuple[Event, ...]:
        """Do an act with facts and dice of play. Return its events."""
        form = Form(self.companion, self.book, self.companion.act_named[act], [actor] if actor else [])
        form.scene = Scene(self.companion.game, actor, target, facts)
        while not isinstance(pending := form.pending, Finished):
            if isinstance(pending, AskFact):
                assert pending.default is not None, f"{act} asks for {pending.asked.fact}"
                form.give(pending.default)
            else:
                assert isinstance(pending, (Throw, Decide)), f"{act} needs {pending}"
                form.give(self._given(pending.question))
        self.book = pending.state
        return pending.events

    def _given(self, question: Question) -> Answer:
        if question.why == "follow up":
            unit = self.book.units[question.actor]
            assert self.book.host(unit) is None or not unit.spec.leader or "free" in unit.marks
            if not any((die.question.why, die.question.actor) == (question.why, unit.id) for die in self.dice):
                return False  # by the distances of play this unit is not near enough
        known = self._next(question)
        if isinstance(question, Draw):
            return self._same_figure(question, str(known.answer)) if question.why == "victim" else known.answer
        if isinstance(question, Roll) and isinstance(known.question, Roll):
            assert known.question._replace(means=None) == question._replace(means=None)
        return known.answer

    def _next(self, question: Question) -> GivenAnswer:
        for place, answered in enumerate(self.dice):
            if type(answered.question) is type(question) and (answered.question.why, answered.question.actor) == (
                question.why,
                question.actor,
            ):
                return self.dice.pop(place)
        raise AssertionError(f"play has no {question}")

    def _same_figure(self, question: Draw, name: str) -> str:
        """Return a figure of the book for one of play. All unhurt men of a unit are alike, and so are the wounded."""
        if name not in self.figures:
            names = [card for card, _ in question.cards]
            free = [candidate for candidate in names if candidate not in self.figures.values()]
            alike = [candidate for candidate in free if self._kind(candidate) == self._kind(name)]
            self.figures[name] = alike[0]
        return self.figures[name]

    def _kind(self, name: str) -> tuple[str, bool]:
        """Return the unit of a figure, and True if it is wounded."""
        return (name.partition(" of ")[2] if name.startswith("man ") else name), name in self.wounded

    def used_all_dice(self) -> bool:
        return not [die for die in self.dice if isinstance(die.question, Roll)]

    # --- the steps ----------------------------------------------------------------------------------------------------

    def _command(self, played: StepPlayed) -> bool:
        before = played.before
        pc = before.waiting[0]
        self.book.waiting = [pc]
        fires = [str(answer) for answer in played.answers("will load or fire") if answer != "done"]
        self.do("points", pc, fires=tuple(fires))
        for bought in played.answers("command"):
            if not isinstance(bought, tuple):
                break
            kind, name = str(bought[0]), str(bought[1])
            unit = before.units[name]
            links = [link for link in self.book.linked if self.book.linked[link] == pc]
            reach = {link: in_command_range(before, before.units[link], unit.body) for link in links}
            able = [link for link in links if all(reach[link])]
            costs = {leader: self._cost(kind, name, leader) for leader in able}
            known = [points for points in costs.values() if points is not None]
            if not known or any(any(found) for mover, found in reach.items() if mover not in able):
                raise NotTold
            through = next(leader for leader in able if costs[leader] == min(known))
            self.do({LINK: "link", COMMAND: "command"}[kind], name, through=through)
        assert self.used_all_dice()
        for name, unit in played.after.units.items():
            own = self.book.units[name].marks & {"commanded", "linked", "busy"}
            assert own == unit.marks & {"commanded", "linked", "busy"}, name
        return True

    def _cost(self, kind: str, unit: str, through: str) -> int | None:
        """Return the points that a purchase through a leader takes."""
        form = Form(
            self.companion, self.book, self.companion.act_named[{LINK: "link", COMMAND: "command"}[kind]], [unit]
        )
        form.scene = Scene(self.companion.game, unit, "", {"through": through})
        draft, _ = form._laid_out()
        actors = form.act.actors(draft)
        if unit not in actors:
            return None
        from zareba_rulesets.risk_factor.chapters.command import command_cost, link_price

        pc = draft.units[draft.waiting[0]]
        via = draft.units[through]
        if kind == LINK:
            return link_price(draft, draft.units[unit], via, pc)
        bill = command_cost(draft, draft.units[unit], [pc] if via is pc else [pc, via])
        return None if bill is None else sum(bill.values())

    def _throw(self, played: StepPlayed) -> bool:
        before = played.before
        if before.markers:
            raise NotTold
        around = surroundings(before, before.side)
        enemies = before.standing(before.enemy(before.side))
        told: dict[str, list[str]] = {}
        for unit in throwing_units(before, before.side):
            found, name = risk_facts(before, unit, around), unit.id
            sees = sees_any_enemy(before, unit, enemies)
            facts = {
                "no_enemy": not sees, "sees_friends": not sees and not found.nothing_in_view, "in_cover": found.in_cover,
                "works": bool(before.field.fortified) and before.field.in_works[unit.body], "in_range": found.in_range,
                "raw_in_range": found.raw_in_range, "flank": found.flank, "friends": found.friends,
                "cavalry": found.cavalry, "hero": found.hero, "superior": found.superior,
            }  # fmt: skip
            for fact, holds in facts.items():
                told.setdefault(fact, [])
                if holds:
                    told[fact].append(name)
        platoons = tuple(event.data["platoon"] for event in played.told("platoon action"))
        answers: dict[str, Any] = {fact: tuple(names) for fact, names in told.items()}
        events = self.do("throw", **answers, platoons=platoons)
        assert self.used_all_dice()
        for kind in ("action", "platoon action", "stays in cover", "holds the works"):
            assert [e.data for e in events if e.kind == kind] == [e.data for e in played.told(kind)]
        for name, unit in played.after.units.items():
            own = self.book.units[name]
            ignored = {"works"} if unit.spec.leader else set()  # a leader is in works if his group is
            values = [(state.status, state.result, state.marks - ignored) for state in (own, unit)]
            assert values[0] == values[1], name
        return True

    def _charge(self, played: StepPlayed) -> bool:
        charges = played.told("charge")
        if not charges or not charges[0].data["contact"]:
            return False
        before, data = played.before, charges[0].data
        unit, target = before.units[data["unit"]], before.units[data["target"]]
        if data["met"] != [target.id] or unit.spec.leader:
            raise NotTold
        (done,) = [
            event
            for event in self.do(
                "charge", unit.id, target.id, distance=before.gap(unit, target).gap, contact=data["contact"]
            )
            if event.kind == "charge"
        ]
        assert (done.data["contact"], done.data["bonus"]) == (data["contact"], data["bonus"])
        assert self.used_all_dice()
        own, there = self.book.units[unit.id], played.after.units[unit.id]
        assert (own.marks, own.action) == (there.marks, there.action)
        assert len(self.book.figures_in_contact(own)) == data["contact"]
        return True

    def _shoot(self, played: StepPlayed) -> bool:
        volleys = played.told("shooting")
        if len(volleys) != 1:
            return False
        before, data = played.before, volleys[0].data
        unit, target = before.units[data["unit"]], before.units[data["target"]]
        facts = self._shot(before, unit, target, data["shots"], True in played.answers("split fire"))
        (weapon,) = missile_weapons(before, unit)
        if (blast := before.book.weapons[weapon].blast) and (fell := played.answers("victim")[:1]):
            prepared = prepare_volley(before, unit, target, weapon)
            assert prepared is not None
            pool = figures_by_name(before, prepared.victims())
            at = before.units[pool[str(fell[0])].unit_id].body.at[pool[str(fell[0])].number]
            struck = [
                figure
                for figure in pool.values()
                if dist(before.units[figure.unit_id].body.at[figure.number], at) <= blast
            ]
            there = {figure.number for figure in struck if figure.unit_id == target.id}
            facts["unseen"] = target.count - len(there)
            facts["unseen_wounded"] = sum(hurt and n not in there for n, hurt in enumerate(target.hurt))
        if before.is_solo(before.side):
            self.do("solo_fire", unit.id, enemy=target.id, **facts)
        else:
            self.do("fire", unit.id, target.id, **facts)
        assert self.used_all_dice()
        self._compare(played, [unit.id, target.id, *(leader.id for leader in before.leaders_with(target))])
        for marks in [{"fired", "fired_now", "loaded"}]:
            assert self.book.units[unit.id].marks & marks == played.after.units[unit.id].marks & marks
        return True

    def _shot(self, before: Battle, unit: Unit, target: Unit, shots: int, splits_fire: bool) -> dict[str, Any]:
        """Return what people would say of a volley. Raises NotTold if it has more detail.

        With `splits_fire`, the farther half holds its fire; people count it with those who have no clear shot.
        """
        weapons = missile_weapons(before, unit)
        busy = before.captives or unit.killers or "dismounted" in unit.marks or unit.kits
        if len(weapons) != 1 or may_pick_figures(before, unit) or busy or (not all(unit.armed) and any(unit.armed)):
            raise NotTold
        (weapon,) = weapons
        prepared = prepare_volley(before, unit, target, weapon)
        assert prepared is not None
        pool, lines = figures_to_hit(before, unit, target, weapon), lines_of_fire(before, unit, target)
        able = able_figures(before, unit, target, weapon, pool, lines)
        own = [shot for shot in able if shot.unit is unit]
        if splits_fire:
            own = own[: -(-len(own) // 2)]
            able = [shot for shot in able if shot.unit is not unit or shot in own]
        if not own or (shots < len(able) and any(shot.unit is not unit for shot in able)):
            raise NotTold  # whether the leader of the group is one of those who shoot
        nearest = min(shot.distance for shot in able)
        limit = next(cm for cm in limits_of(before, unit, weapon) if nearest <= cm)
        if band_of(before, unit, weapon, nearest) != band_of(before, unit, weapon, nearest - HAIR):
            raise NotTold  # beyond the limit of a range by less than people can measure
        bands = [band_of(before, unit, weapon, shot.distance) for shot in own]
        farther = sum(shot.distance > limit for shot in own)
        if len(set(bands)) > 2 or (farther and (any(unit.hurt) or len(set(bands)) == 1)):
            raise NotTold
        if set(bands) == {"short", "long"}:
            raise NotTold
        limits = []
        for leader in before.leaders_with(unit) if not unit.spec.leader else ():
            his = [shot for shot in able if shot.unit is leader]
            near = [band_of(before, shot.unit, shot.weapon, nearest) for shot in his]
            if any(shot.weapon != weapon for shot in his):
                raise NotTold  # whether he is among the nearest
            if not his:
                limits.append(HOLDS + leader.id)
            elif near != [band_of(before, shot.unit, shot.weapon, shot.distance) for shot in his]:
                if not limit - 3.5 < nearest <= limit < his[0].distance:
                    raise NotTold  # he stands far behind the first figures
                limits.append(BEHIND + leader.id)
        seen = prepared.victims()
        leaders = [] if target.spec.leader else before.leaders_with(target)
        unseen = target.count - sum(name == target.id for name, _ in seen)
        in_sight = {name for name, _ in seen}
        limits += [SAFE + leader.id for leader in leaders if leader.id not in in_sight]
        if in_sight - {leader.id for leader in leaders} != {target.id}:
            raise NotTold
        there = {number for name, number in seen if name == target.id}
        return {
            "distance": nearest, "cover": prepared.cover, "blocked": unit.count - len(own), "farther": farther,
            "unseen": unseen, "unseen_wounded": sum(hurt and n not in there for n, hurt in enumerate(target.hurt)),
            "limits": tuple(limits),
        }  # fmt: skip

    def _melee(self, played: StepPlayed) -> bool:
        before, fought = played.before, played.told("melee")
        if not fought:
            return False
        names = before.waiting[0].split("+")
        units = [before.units[name] for name in names]
        taking_part = [figure for side in fighters(before, units).values() for figure in side]
        self.book.waiting = [before.waiting[0]]
        actor = next(name for name in names if before.units[name].spec.side == before.side)
        told = self.companion.fighting(self.book, actor)
        sides = fighters(before, units).items()
        ours, theirs = ([before.units[name].body.at[index] for name, index in found] for _, found in sides)
        barred = bool(before.field.barriers) and any(before.field.barrier_between(a, b) for a in ours for b in theirs)
        hurt = any(before.units[name].hurt[index] for name, index in taking_part)
        others = {name for name, _ in taking_part} - {unit.id for unit in told}
        apart = any(index not in before.figures_in_contact(before.units[name]) for name, index in taking_part)
        if others or hurt or barred or played.answers("strike whom") or (len(names) > 2 and apart):
            raise NotTold
        facts: dict[str, Any] = {"obstacle": False}
        for number, unit in enumerate(told):
            facts[f"fighters_{number}"] = sum(name == unit.id for name, _ in taking_part)
            facts[f"wounded_{number}"] = 0
            facts[f"stuck_{number}"], facts[f"stuck_wounded_{number}"] = self._cornered(played, unit.id)
        self._order_dice_by_match(played, units, actor, facts)
        events = self.do("melee", actor, **facts)
        (own,) = [event for event in events if event.kind == "melee"]
        assert (own.data["suffered"], own.data["back"]) == (fought[0].data["suffered"], fought[0].data["back"])
        assert self.used_all_dice()
        if len(names) == 2:  # else people decide which group meets which
            self._compare(played, names)
        return True

    def _order_dice_by_match(self, played: StepPlayed, units: list[Unit], actor: str, facts: dict[str, Any]) -> None:
        """Bring the dice of a melee into the order of the book: each match with figures of the same units, and each
        figure with its own die.

        People throw for the matches in any order. The book knows the figures of a unit only by number.
        """
        rolls = [die for die in self.dice if die.question.why == "melee"]
        there = self._matches(played, played.before.copy(), units)
        if len(rolls) != len(there) or any(
            len(_figures(one)) != len(_dice(roll)) for one, roll in zip(there, rolls, strict=True)
        ):
            return  # some rout, and throw no dice
        facts["front"] = self._leaders_in_front(played, actor, there, facts)
        ordered = []
        for match in self._matches_of_book(played, actor, facts):
            names = _figures(match)
            alike = [
                n
                for n, entry in enumerate(there)
                if _figures(entry)[0] == names[0] and sorted(_figures(entry)) == sorted(names)
            ]
            if not alike:
                return  # people would pair other figures than the book
            known, roll = there.pop(alike[0]), rolls.pop(alike[0])
            single, *several = zip(_figures(known), _dice(roll), strict=True)
            faces = [single[1]]
            for name in names[1:]:
                place = next(n for n, (unit, _) in enumerate(several) if unit == name)
                faces.append(several.pop(place)[1])
            ordered.append(GivenAnswer(roll.question, tuple(faces)))
        self.dice = [*ordered, *(die for die in self.dice if die.question.why != "melee")]

    def _leaders_in_front(
        self, played: StepPlayed, actor: str, there: list[FigureMatch], facts: dict[str, Any]
    ) -> tuple[str, ...]:
        """Return the leaders who must fight in front of their men so that the book matches figures as play does."""
        alike = [sorted(sorted(map(str, _figures(match))) for match in there)]
        leaders = [unit.id for unit in self.companion.fighting(self.book, actor) if unit.spec.leader]
        own = [name for match in there for name in _figures(match)[1:] if name in leaders]
        for count in range(len(own) + 1):
            for front in combinations(own, count):
                matched = self._matches_of_book(played, actor, {**facts, "front": front})
                if sorted(sorted(map(str, _figures(match))) for match in matched) in alike:
                    return front
        if own:
            raise NotTold  # a leader fights between the men of his side
        return ()

    def _matches_of_book(self, played: StepPlayed, actor: str, facts: dict[str, Any]) -> list[FigureMatch]:
        """Return the matches of the book for what people say of a melee."""
        form = Form(self.companion, self.book, self.companion.act_named["melee"], [actor])
        form.scene = Scene(self.companion.game, actor, "", facts)
        draft, scene = form._laid_out()
        return pairs_of(RecordedTable(self.play.rules, draft, played.answers("odd opponents")), draft, scene)

    def _matches(self, played: StepPlayed, battle: Battle, units: Sequence[Unit]) -> list[FigureMatch]:
        odd = played.answers("odd opponents")
        units = [battle.units[unit.id] for unit in units]
        return matches(RecordedTable(self.play.rules, battle, odd), battle, units)

    def _cornered(self, played: StepPlayed, unit: str) -> tuple[int, int]:
        """Return how many figures of a unit had no room, and how many of them were wounded before."""
        events = list(played.events)
        at = next((n for n, e in enumerate(events) if e.kind == "no room" and e.data["unit"] == unit), None)
        if at is None:
            return 0, 0
        return events[at].data["count"], sum(e.data["lost"] for e in events[at + 1 : at + 3] if e.kind == "loss")

    def _compare(self, played: StepPlayed, names: list[str]) -> None:
        for name in names:
            there, own = played.after.units[name], self.book.units[name]
            values = [
                (state.count, sum(state.hurt), state.dead, state.lost, state.caused, state.status)
                for state in (there, own)
            ]
            assert values[0] == values[1], f"{played.step}: {name}"
            assert played.after.gone.get(name) == self.book.gone.get(name)


def _wounded_names(battle: Battle) -> set[str]:
    """Return the names of all wounded figures."""
    hurt = [Figure(unit.id, n) for unit in battle.units.values() for n in range(unit.count) if unit.hurt[n]]
    return {*figures_by_name(battle, hurt)}


def _figures(match: FigureMatch) -> list[str]:
    """Return the units of the figures of a match, the single figure first."""
    return [match.single.unit_id, *(other.unit_id for other in match.several)]


def _dice(roll: GivenAnswer) -> tuple[int, ...]:
    assert isinstance(roll.answer, tuple)
    return roll.answer


def follow(scenario: str, seed: int, settings: dict[str, Any], player: str, solo: str = "") -> RskFollower:
    """Play a game and follow it; the tables run the side `solo`."""
    rules, sides = load_rules("risk_factor", settings), frozenset([solo] if solo else [])
    game = RskGame(rules, load_scenario(scenario), sides)
    follower = RskFollower(game, RskCompanion(RskGame(rules, load_scenario(scenario), sides)))
    for played in steps_of(game, seed, player):
        follower.follow(played)
    return follower


SCENARIOS = ("patrol_clash", "mission_station", "column_ambushed", "river_ford", "square_attacked")


@pytest.mark.parametrize("scenario", each_battle(SCENARIOS[0], among=SCENARIOS))
def test_companion_agrees_with_play(scenario: str) -> None:
    found = follow(scenario, 3, {}, "random")
    assert min(found.followed[step] for step in ("command", "throw", "charge", "shoot")) > 0
    assert sum(found.followed.values()) > 20


def test_companion_agrees_with_play_for_a_side_without_a_player() -> None:
    found = follow("patrol_clash", 3, {"hidden.use": "off"}, "random", solo="tribesmen")
    assert min(found.followed[step] for step in ("throw", "charge", "shoot", "melee")) > 0


def follow_under_random_settings(seed: int) -> None:
    settings = random_settings("risk_factor", Random(seed)) | {"hidden.use": "off"}
    found = follow(SCENARIOS[seed % len(SCENARIOS)], seed, settings, "random")
    assert found.followed["throw"] >= min(4, found.played["throw"])  # a few games end sooner


def test_companion_agrees_with_play_under_other_settings() -> None:
    follow_under_random_settings(0)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1, 100))
def test_companion_agrees_with_play_in_many_games(seed: int) -> None:
    """Follow a game of one of the scenarios, under random settings if the seed is odd, every fourth with a side without
    a player.
    """
    if seed % 2:
        follow_under_random_settings(seed)
        return
    scenario = SCENARIOS[seed // 2 % len(SCENARIOS)]
    sides = [*load_scenario(scenario).sides]
    found = follow(scenario, seed, {"hidden.use": "off"}, "random", solo=sides[0] if seed % 4 == 0 else "")
    assert found.followed["throw"] > 3
