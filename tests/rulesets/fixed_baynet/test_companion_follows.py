"""The companion follows games of play step by step: the same facts and dice give the same results.

Before each step the test brings the book into the position of play. Common men of a unit are alike, so it compares how
many are in each state. Named men are compared one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.rulesets.companion_games import PlayTable, StepPlayed, steps_of
from tests.rulesets.random_games import random_settings

from zareba.base.errors import ZarebaError
from zareba.companion import AskFact, Decide, Finished, Form, Scene, Throw
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Answer, GivenAnswer, Question, Roll
from zareba_rulesets.fixed_baynet.book.tables import GAITS
from zareba_rulesets.fixed_baynet.chapters import fire as fire_chapter
from zareba_rulesets.fixed_baynet.chapters import melee as melee_chapter
from zareba_rulesets.fixed_baynet.chapters.cavalry import riders
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts
from zareba_rulesets.fixed_baynet.chapters.melee import FightFacts
from zareba_rulesets.fixed_baynet.chapters.movement import movers
from zareba_rulesets.fixed_baynet.chapters.sight import band_of, range_between
from zareba_rulesets.fixed_baynet.chapters.targets import ANSWER_ALL, ANSWER_NONE, firers
from zareba_rulesets.fixed_baynet.companion import FbnCompanion
from zareba_rulesets.fixed_baynet.companion.book import contacts_of, men_touching
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame

NO_RESULT = (
    "stuck",
    "faced",
    "loose",
    "hidden",
    "horse ",
    "noticed",
    "at ",
    "used ",
    "through ",
    "placed",
    "moved",
    "unformed",
)
"""Marks that play needs for its own lists and positions. People judge at the end of an activation who is unformed."""


class NotTold(Exception):  # not an error: people would correct the book
    """A step with more detail than the companion asks for, such as men in different cover."""


class ShotSeen(NamedTuple):
    """A shot of play: shooter, target, distance and facts."""

    figure: str
    man: str
    named: bool
    inches: float
    facts: ShotFacts


SHOTS: list[ShotSeen] = []
"""The shots of the present step."""
FIGHTS: list[tuple[str, str, FightFacts]] = []
"""The fighters of the present step: a man, his enemy, and his facts."""


@pytest.fixture(autouse=True)
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Note the facts of shots and blows as play resolves them, but not those that an AI player plays out ahead."""
    shoot, facts_of = fire_chapter.fire_shot, melee_chapter.fight_facts

    def fire_shot(
        table: Any,
        battle: Battle,
        unit: Unit,
        figure: Figure,
        target: Unit,
        man: Figure,
        scene: Any,
        *rest: Any,
        **more: Any,
    ) -> None:
        inches = range_between(battle, figure, man)
        band = band_of(battle, figure, inches)
        assert band is not None
        facts = fire_chapter.shot_facts(battle, figure, target, man, scene, band)
        if not PlayTable.is_asking:
            SHOTS.append(ShotSeen(figure.id, man.id, is_named(man), inches, facts))
        shoot(table, battle, unit, figure, target, man, scene, *rest, **more)

    def fight_facts(battle: Battle, unit: Unit, figure: Figure, foe: Figure, *rest: Any) -> FightFacts:
        found = facts_of(battle, unit, figure, foe, *rest)
        if not PlayTable.is_asking:
            FIGHTS.append((figure.id, foe.id, found))
        return found

    monkeypatch.setattr(fire_chapter, "fire_shot", fire_shot)
    monkeypatch.setattr(melee_chapter, "fight_facts", fight_facts)
    yield
    SHOTS.clear()
    FIGHTS.clear()


def is_named(man: Figure) -> bool:
    return man.spec.leads or man.spec.bearer or man.spec.role == "medic"


class FbnFollower:
    """Repeats each step of play as acts at a real table, and compares the book with play."""

    def __init__(self, game: FbnGame, companion: FbnCompanion) -> None:
        self.play, self.companion = game, companion
        self.followed: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()

    def follow(self, played: StepPlayed) -> None:
        if played.step.name == "deployment.place":
            return
        self.shots, self.fights = list(SHOTS), list(FIGHTS)
        self.dice = list(played.given)
        self.book = self.companion.book_of(played.before)
        name = played.step.name
        try:
            if name == "actions.act":
                name = self._act(played)
            else:
                getattr(self, f"_{name.replace('.', '_')}")(played)
        except NotTold as detail:
            self.left_out[str(detail)] += 1
            return
        if self.book.active and not self.companion.openings(self.book):
            self.companion.advance(self.book)  # the active unit is destroyed
        self.followed[name] += 1
        used = [die for die in self.dice if isinstance(die.question, Roll)]
        assert not used, f"{played.step} {name}: play threw dice that the companion did not ask for: {used}"
        self._compare(played, name)

    # --- comparing ----------------------------------------------------------------------------------------------------

    def _compare(self, played: StepPlayed, name: str) -> None:
        battle, book = self.companion.book_of(played.after), self.book
        for value in ("turn", "phase", "active", "order", "at", "waiting", "arrivals", "night", "fog", "over", "calls"):
            assert getattr(battle, value) == getattr(book, value), f"{played.step} {name}: {value}"
        assert battle.gone == book.gone, f"{played.step} {name}"
        assert [*battle.units] == [*book.units]
        for key, unit in battle.units.items():
            states = _state(unit), _state(book.units[key])
            wrong = {
                part: (states[0][part], states[1][part]) for part in states[0] if states[0][part] != states[1][part]
            }
            assert not wrong, f"{played.step} {name}: {key}: {wrong}"
        fallen = [Counter((casualty.unit, casualty.curable) for casualty in state.fallen) for state in (battle, book)]
        assert fallen[0] == fallen[1], f"{played.step} {name}"
        assert len(battle.captives) == len(book.captives)

    # --- one act ------------------------------------------------------------------------------------------------------

    def do(self, act: str, actor: str = "", target: str = "", **facts: Any) -> None:
        """Do an act with facts and dice of play."""
        made = self.companion.act_named[act]
        form = Form(self.companion, self.book, made, [actor] if actor else [])
        form.scene = Scene(self.companion.game, actor, target, facts)
        while not isinstance(pending := form.pending, Finished):
            if isinstance(pending, AskFact) and pending.stands_for is not None:
                form.give(self._given(pending.stands_for))
            elif isinstance(pending, AskFact):
                assert pending.default is not None, f"{act} asks for {pending.asked.fact}"
                form.give(pending.default)
            else:
                assert isinstance(pending, (Throw, Decide)), f"{act} needs {pending}"
                form.give(self._given(pending.question))
        self.book = pending.state

    def _has_panic(self) -> bool:
        """Return True if men panic in the step: then it matters who falls next."""
        return any(die.question.why == "panic" for die in self.dice)

    def _given(self, question: Question) -> Answer:
        if question.why == "counter-attack" and not isinstance(question, Roll):
            return self._word(question)
        for place, answered in enumerate(self.dice):
            if type(answered.question) is type(question) and answered.question.why == question.why:
                known = self.dice.pop(place)
                break
        else:
            if question.why == "answer":
                raise NotTold("an answer that play refuses")  # people see that he does not face the man who shot him
            raise AssertionError(f"play has no {question}")
        if isinstance(question, Roll):
            assert isinstance(known.question, Roll)
            assert known.question._replace(means=None, actor="") == question._replace(means=None, actor="")
        return known.answer

    def _word(self, question: Question) -> Answer:
        """Return True if the men of the target shoot back. If play splits a volley, the first reply counts for all
        parts.
        """
        words = [die for die in self.dice if die.question.why in ("counter-attack", "answer")]
        words = [word for word in words if not isinstance(word.question, Roll)]
        if not words:
            raise NotTold("an answer that play refuses")
        known: GivenAnswer = words[0]
        if known.question.why == "answer":
            self.dice.remove(known)
            return ANSWER_ALL if known.answer else ANSWER_NONE
        if len(self.runs) <= 1:
            self.dice.remove(known)
        return known.answer

    runs: tuple[object, ...] = ()

    # --- the steps ----------------------------------------------------------------------------------------------------

    def _initiative_roll(self, played: StepPlayed) -> None:
        self.do("initiative")

    def _actions_unit(self, played: StepPlayed) -> None:
        before = played.before
        chosen = played.answers("activate")
        active = played.told("activated")
        if chosen == ["pass"]:
            self.do("pass")
            return
        if not chosen and not active and not played.after.active:
            raise NotTold("nothing to activate")
        unit = str(chosen[0]) if chosen else active[0].data["unit"] if active else played.after.active
        if any(man.reaction not in ("", "freeze") for man in before.units[unit].figures.values()):
            raise NotTold("panic")
        self.do("activate", unit)

    def _glory_test(self, played: StepPlayed) -> None:
        self.do("glory")

    def _housekeeping_turn(self, played: StepPlayed) -> None:
        if played.after.over and not played.after.ending:
            raise NotTold("over")
        self.do("turn")

    def _act(self, played: StepPlayed) -> str:
        before = played.before
        unit = before.units[before.active]
        (choice,) = played.answers("act")[:1] or ["end"]
        word = choice if isinstance(choice, str) else choice[0]
        do = getattr(self, f"_do_{str(word).replace(' ', '_')}", None)
        if do is None:
            raise NotTold(str(word))
        seen = {shot.man for shot in self.shots} | {foe for _, foe, _ in self.fights}
        charged = {event.data["target"] for event in played.told("charge")}
        near = [
            neighbour
            for key, neighbour in before.units.items()
            if neighbour is unit or key in charged or seen & neighbour.figures.keys()
        ]
        if any(man.place for group in near for man in group.figures.values()):
            raise NotTold("in a building")
        do(played, before, unit, choice)
        return str(word)

    def _do_end(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        after = played.after.units[unit.id]
        taken = played.told("gun taken")
        if len(taken) > 1 or any(event.data["by"] != unit.id for event in taken) or played.told("left the table"):
            raise NotTold("guns taken")
        carried_objects = [(carried.carrier, carried.taken_by) for carried in before.carried_objects.values()]
        if carried_objects != [
            (carried.carrier, carried.taken_by) for carried in played.after.carried_objects.values()
        ]:
            raise NotTold("objects")
        units = played.after.units.items()
        helped = [key for key, unit_after in units if "heartened" in unit_after.marks - before.units[key].marks]
        gun = f"{taken[0].data['unit']} gun {_taken(before, played.after, taken[0].data['unit'])}" if taken else ""
        self.do("end", unit.id, formed="unformed" not in after.marks, near=tuple(helped), taken=gun)

    def _do_move(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        moved = played.told("move")
        if not moved:
            raise NotTold("no way to go")
        if played.told("stumbled") or any(answer.question.why == "notice" for answer in played.given):
            raise NotTold("night")
        flanked = _events(played, "flank")
        count = moved[0].data["men"]
        if len(flanked) > 1 or (flanked and count < len(movers(before, unit))):
            raise NotTold("several flanks")
        if flanked:
            self.do("touch", unit.id, flanked[0], flank=True)
        elif count == len(movers(self.book, self.book.units[unit.id])):  # with those that contact holds in play
            self.do("move", unit.id, times=1)
        else:
            self.do("walk", unit.id, men=count, times=1)

    def _do_ride(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        ways = [answer for answer in played.answers("ride how") if isinstance(answer, tuple)]
        rides = played.told("ride")
        if any(way[0] == "wheel" for way in ways) or not rides or _events(played, "flank"):
            raise NotTold("a ride with turns")
        if rides[0].data["men"] < len(riders(before, unit)):
            raise NotTold("some riders stay behind")
        self.do("ride", unit.id, gait=GAITS.index(rides[0].data["gait"]), ridden_at=tuple(_events(played, "ridden at")))

    def _do_charge(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        (charge,) = played.told("charge")
        self._charge(played, before, unit, "charge", charge.data["contacts"])

    def _do_ride_down(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        (charge,) = played.told("charge")
        riding = [man for man in played.after.units[unit.id].figures.values() if "charged" in man.marks]
        self._charge(played, before, unit, "gallop", charge.data["men"], gait=max(man.gait for man in riding))

    def _charge(self, played: StepPlayed, before: Battle, unit: Unit, act: str, contacts: int, **more: Any) -> None:
        (charge,) = played.told("charge")
        target, flanked = charge.data["target"], _events(played, "flank")
        if (
            any(flanked_unit != target for flanked_unit in flanked)
            or (flanked and not contacts)
            or contacts > len(before.units[target].figures)
        ):
            raise NotTold("contact with several units")
        ridden = [event for event in _events(played, "ridden at") if event != target]
        if act == "gallop":
            hit = target in _events(played, "ridden at") or "ridden at" in before.units[target].events
            if not hit:
                raise NotTold("not ridden at")
            more["ridden_at"] = tuple(ridden)
        if any(die.question.why == "notice" for die in self.dice):
            raise NotTold("night")
        if any(is_named(man) and "charged" not in man.marks for man in played.after.units[unit.id].figures.values()):
            raise NotTold("a leader stays behind")
        own = self.book.units[unit.id]  # with those that contact holds in play
        able = riders(self.book, own) if act == "gallop" else movers(self.book, own, charging=True)
        if len(able) > charge.data["men"] and (
            self._has_panic() or len({_distinguishing_values(man) for man in able}) > 1
        ):
            raise NotTold("some men charge, and the book takes others")
        if act == "charge":
            more["stay"] = len(able) - charge.data["men"]
        self.do(act, unit.id, target, contacts=contacts, flank=bool(flanked), **more)
        known, there = men_touching(self.book, unit.id, target), contacts_of(played.after).get((unit.id, target), 0)
        assert not contacts or known == there, (
            f"{played.step}: {unit.id} touches {target} with {known} men, in play with {there}"
        )

    def _do_fire(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        volleys = played.told("volley")
        if not volleys or volleys[0].data["target"] not in before.units:
            raise NotTold("a gun or building as target")
        self._shoot(before, unit)

    def _do_split_fire(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        self._shoot(before, unit)

    def _shoot(self, before: Battle, unit: Unit) -> None:
        """Fire the shots of play, those in a row with the same facts together."""
        runs: list[list[ShotSeen]] = []
        homes = {man: key for key, owner in before.units.items() for man in owner.figures}
        kinds = [(shot.facts, homes[shot.man], shot.figure if shot.named else "") for shot in self.shots]
        for number, shot in enumerate(self.shots):
            if number and kinds[number] == kinds[number - 1]:
                runs[-1].append(shot)
            else:
                runs.append([shot])
        weapons = {man.weapon for man in unit.figures.values() if man.weapon != "none"}
        if len(weapons) > 1 or any(man.locations for man in unit.figures.values()):
            raise NotTold("men with different weapons or wounds")
        whole = len(runs) == 1 and len(self.shots) == len(firers(before, unit, homes[self.shots[0].man]))
        named = any(is_named(unit.figures[shot.figure]) for shot in self.shots)
        prone = any(man.prone for man in unit.figures.values())
        if not whole and (named or prone or len({man.ac for man in unit.steady}) > 1):
            raise NotTold("some men fire, and the book takes others")
        if self._has_panic():
            raise NotTold("panic in the middle of a volley")
        sides = [unit, *(before.units[key] for key in dict.fromkeys(homes[shot.man] for shot in self.shots))]
        if any(
            len({_distinguishing_values(man) for man in side.figures.values() if not is_named(man)}) > 1
            for side in sides
        ):
            raise NotTold("common men in different states")
        for number, run in enumerate(runs):
            self.runs = tuple(runs[number:])
            shot, home = run[0], homes[run[0].man]
            facts = {
                "distance": shot.inches,
                "cover": self._cover(shot.facts.cv),
                "lit": not shot.facts.dark,
            }
            if shot.named:
                self.do("pick", unit.id, home, foe=shot.man, men=len(run), **facts)
            elif whole:
                self.do("fire", unit.id, home, **facts)
            else:
                self.do("shoot", unit.id, home, men=len(run), unseen=0, **facts)
        words = [
            die for die in self.dice if die.question.why == "counter-attack" and not isinstance(die.question, Roll)
        ]
        for answered in words:
            self.dice.remove(answered)

    def _cover(self, cv: int) -> str:
        """Return a cover with this CV, as people would name it."""
        choices = self.companion.act_named["fire"].asks[1].choices
        assert choices is not None
        wanted = f"CV {cv}:" if cv else "none"
        return next(str(key) for key, words in choices(self.book, Scene(None)).items() if words.startswith(wanted))

    def _do_fight(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        """Strike blow by blow: the book has the same men."""
        homes = {man: key for key, owner in before.units.items() for man in owner.figures}
        pairs = list(zip(self.fights[::2], self.fights[1::2], strict=True))
        uniform = {(a, b, homes[foe]) for (_, foe, a), (_, _, b) in pairs}
        fighters = {fighter for (man, foe, _), _ in pairs for fighter in (man, foe)}
        common = not any(is_named(before.units[homes[fighter]].figures[fighter]) for fighter in fighters)
        if (
            len(uniform) == 1
            and common
            and not self._has_panic()
            and len({foe for (_, foe, _), _ in pairs}) == len(pairs) > 1
        ):
            ((a, b, home),) = uniform
            alike = [
                [man for man in squad.figures.values() if not is_named(man)] for squad in (unit, before.units[home])
            ]
            if (
                any(len({_distinguishing_values(man) for man in men}) > 1 for men in alike)
                or len({man.ac for man in unit.steady}) > 1
            ):
                raise NotTold("some men strike, and the book takes others")
            self.do("strike", unit.id, home, men=len(pairs), foes=len(before.units[home].figures), **_ground(a, b))
            return
        for (man, foe, a), (_, _, b) in pairs:
            self.do("duel", unit.id, homes[foe], man=man, foe=foe, **_ground(a, b))

    def _posture(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        at_horse = sum(not man.mounted and man.spec.rides and man.ac > 0 for man in unit.figures.values())
        if choice == "mount" and played.told("mounts")[0].data["men"] < at_horse:
            raise NotTold("men away from their horses")
        self.do("change", unit.id, change=choice)

    _do_lie_down = _do_get_up = _do_dismount = _do_mount = _posture

    def _do_form(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        if _events(played, "flank") or "unformed" in played.after.units[unit.id].marks:
            raise NotTold("no room to form")
        (chosen,) = played.answers("form what")
        self.do("change", unit.id, change=chosen)

    def _do_check_glory(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        self.do("check", unit.id)

    def _do_rally(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        rally = played.told("rally")[0]
        self.do("rally", unit.id, rally.data["unit"], officer=rally.data["officer"])

    def _do_fall_back(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        order = played.told("fall back")[0]
        self.do("retire", unit.id, order.data["unit"], officer=order.data["officer"])

    def _call(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        if before.night:
            raise NotTold("night")
        self.do("call", unit.id, call=choice)

    _do_barrage = _do_reserve = _call

    def _do_salvo(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        raise NotTold("salvo")

    def _do_gun_turn(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        self.do("swing", unit.id, gun=choice[1])

    def _do_clear_jam(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        self.do("clear", unit.id, gun=choice[1])

    def _do_face(self, played: StepPlayed, before: Battle, unit: Unit, choice: Any) -> None:
        """Turn on the spot, which people do without the book."""


def _state(unit: Unit) -> Any:
    """Return what the book has to know of a unit."""
    men = Counter(_man(man) for man in unit.figures.values())
    spent = Counter((man.ac, man.moves, man.attacks, man.spent) for man in unit.figures.values())
    guns = [
        (gun.kind, gun.wounds, gun.ac, gun.jam, gun.jammed_in, gun.salvos, gun.moved, gun.taken_by) for gun in unit.guns
    ]
    marks = {mark for mark in unit.marks if not mark.startswith(NO_RESULT)}
    return {
        "men": men, "spent": spent, "guns": guns, "marks": marks, "formation": unit.formation, "start": unit.start,
        "events": unit.events, "shot": (unit.shot_turn, unit.shot_run), "back": unit.back, "losses": (unit.dealt, unit.lost),
    }  # fmt: skip


def _man(man: Figure) -> tuple[object, ...]:
    marks = frozenset(mark for mark in man.marks if not mark.startswith((*NO_RESULT, "fired")))
    name = man.id if is_named(man) else ""
    return (
        name,
        man.gl,
        man.reaction,
        man.wounds,
        man.mounted,
        man.locations,
        marks,
        man.weapon,
        man.gait,
        man.last_gait,
    )


def _distinguishing_values(man: Figure) -> tuple[object, ...]:
    """Return what makes a common man differ from another: then play and the book may take different men."""
    return (
        man.ac,
        man.moves,
        man.attacks,
        man.spent,
        man.gl,
        man.reaction,
        man.prone,
        man.weapon,
        "stunned" in man.marks,
        man.mounted,
    )


def _events(played: StepPlayed, kind: str) -> list[str]:
    """Return the units that suffered a kind of glory event in the step, once for each."""
    before = played.before.units
    return [
        key
        for key, unit in played.after.units.items()
        for _ in range(unit.events.count(kind) - before[key].events.count(kind))
    ]


def _taken(before: Battle, after: Battle, unit: str) -> int:
    pairs = zip(before.units[unit].guns, after.units[unit].guns, strict=True)
    return next(number for number, (old, new) in enumerate(pairs) if new.taken_by and not old.taken_by)


def _ground(a: FightFacts, b: FightFacts) -> dict[str, Any]:
    """Return what people would say of the ground of a fight with these facts."""
    if a.rear or (a.shelter == "cover" and b.shelter == "doorway"):
        raise NotTold("an attacker with his back to the enemy")
    shelter = "none"
    if b.trench != "none":
        shelter = "trench"
    elif b.shelter == "doorway":
        shelter = "door"
    elif a.shelter == b.shelter == "cover":
        shelter = "wall"
    elif b.shelter == "cover":
        shelter = "target"
    elif a.shelter == "cover":
        shelter = "actor"
    height = "actor" if a.uphill else "target" if b.uphill else "level"
    return {"shelter": shelter, "height": height, "advantages": ("away",) if b.rear else ()}


def follow(
    scenario: str, seed: int, settings: dict[str, Any], most: int | None = None, player: str = "random"
) -> FbnFollower:
    """Let an AI player play a game, or the first `most` steps of it, and follow it."""
    rules = load_rules("fixed_baynet", settings)
    game = FbnGame(rules, load_scenario(scenario))
    companion = FbnCompanion(FbnGame(rules, load_scenario(scenario)))
    follower = FbnFollower(game, companion)
    for played in islice(steps_of(game, seed, player), most):
        try:
            follower.follow(played)
        except ZarebaError as error:
            raise AssertionError(f"{played.step}: {played.answers('act')}: {error}") from error
        SHOTS.clear()
        FIGHTS.clear()
    return follower


def follow_one_of_many(seed: int, player: str) -> FbnFollower:
    """Follow the first steps of a game of one of the shipped scenarios, under random settings if the seed is odd."""
    scenarios = sorted(shipped_scenarios())
    settings = random_settings("fixed_baynet", Random(seed)) if seed % 2 else {}
    return follow(scenarios[seed // 2 % len(scenarios)], seed, settings, most=110, player=player)


@pytest.mark.parametrize(("scenario", "seed"), [("patrol_clash", 1), ("patrol_clash", 2)])
def test_companion_agrees_with_play(scenario: str, seed: int) -> None:
    found = follow(scenario, seed, {}, most=150)
    assert found.followed.total() > 60


@pytest.mark.deep
@pytest.mark.parametrize("player", ["random", "doctrine"])
@pytest.mark.parametrize("seed", range(100, 200))
def test_companion_agrees_with_play_in_many_games(seed: int, player: str) -> None:
    found = follow_one_of_many(seed, player)
    print(f"seed {seed}: followed {dict(found.followed)}, left out {dict(found.left_out)}")
    assert found.followed.total() > 20
