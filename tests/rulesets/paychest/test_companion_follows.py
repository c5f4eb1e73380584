"""The companion follows random games of play: the same facts and dice give the same losses, wounds, marks and
contacts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.rulesets.companion_games import Follower, StepPlayed, steps_of
from tests.rulesets.random_games import random_settings

from zareba.base.errors import ZarebaError
from zareba.companion import AskFact, Decide, Evening, Form, Scene, Throw, new_evening
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.space.geometry import middle_of
from zareba.table import Choose, Confirm, GivenAnswer, Roll
from zareba_rulesets.paychest.chapters.fire import Firer, muzzles_of, ranges_along, volley
from zareba_rulesets.paychest.chapters.guns import gun_facts, gun_shot
from zareba_rulesets.paychest.chapters.mounts import climb
from zareba_rulesets.paychest.chapters.movement import EACH
from zareba_rulesets.paychest.chapters.sight import cover_class, covers_of, enemies_touched, foes_near, reaches
from zareba_rulesets.paychest.chapters.targets import readiness
from zareba_rulesets.paychest.forces.battle import Battle, bands_of, kind_of
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.ground import cover_from

_A_LITTLE = 0.01
"""Inches that a comrade is carried if nothing counts them."""
UNSEEN = {"held"}
"""Marks that play needs for its own lists."""


class Unfollowable(Exception):
    """Something that the questions of the companion do not tell apart, such as three covers in one volley."""


class Shot(NamedTuple):
    """A volley, a leader's shot, or a shot of a gun, as it was in play.

    `bands` holds for each firer the number of its range band, `covers` the cover from its line. `parts` is the cover of
    each target figure.
    """

    gun: str
    aimed: str
    bands: Mapping[str, int]
    covers: Mapping[str, str]
    parts: Mapping[str, str]
    targets: tuple[str, ...]


class Recorder:
    """Writes down the shots and climbs of play, whose facts are gone after a step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shots: list[Shot] = []
        self.climbs: list[list[str]] = []

        def on_volley(
            table: Any, battle: Battle, unit: Unit, firers: Sequence[Firer], targets: Sequence[Figure], aimed: str, ranges: Any = None
        ) -> int:  # fmt: skip
            self.shots.append(_volley_of(battle, unit, firers, targets, aimed, ranges))
            return volley(table, battle, unit, firers, targets, aimed, ranges)

        def on_gun(table: Any, battle: Battle, key: str, target: Any) -> int:
            self.shots.append(_gun_shot_of(battle, key, target))
            return gun_shot(table, battle, key, target)

        def on_climb(*args: Any, **more: Any) -> list[str]:
            climbed = climb(*args, **more)
            self.climbs.append(climbed)
            return climbed

        monkeypatch.setattr("zareba_rulesets.paychest.actions.fire.volley", on_volley)
        monkeypatch.setattr("zareba_rulesets.paychest.actions.fire.gun_shot", on_gun)
        monkeypatch.setattr("zareba_rulesets.paychest.actions.movement.climb", on_climb)


def _part(battle: Battle, at: Any, figure: Figure, shelters: Any) -> str:
    assert figure.at is not None
    cover, exposure = cover_from(at, figure.at, shelters)
    return exposure if cover == "hard" else cover


def _parts(battle: Battle, at: Any, targets: Sequence[Figure]) -> dict[str, str]:
    covers = covers_of(battle, targets)
    return {
        figure.spec.id: _part(battle, at, figure, covers[number] if covers else ())
        for number, figure in enumerate(targets)
    }


def _volley_of(
    battle: Battle, unit: Unit, firers: Sequence[Firer], targets: Sequence[Figure], aimed: str, ranges: Any
) -> Shot:
    ranges = ranges or ranges_along(battle, unit.spec.side, muzzles_of(battle, firers), targets)
    covers, share = covers_of(battle, targets), battle.book.mixed_cover
    bands, seen, spots = {}, {}, []
    for firer, muzzle, distance in zip(firers, *ranges, strict=True):
        limits = [limit for _, limit in bands_of(battle, firer.figure, firer.weapon)]
        number = next((place for place, limit in enumerate(limits) if distance <= limit), None)
        if number is not None:
            bands[firer.figure.spec.id] = number
            seen[firer.figure.spec.id] = cover_class(muzzle.at, targets, covers, share)
            spots.append(muzzle.at)
    parts = _parts(battle, middle_of(spots), targets) if spots else {}
    return Shot("", aimed, bands, seen, parts, tuple(figure.spec.id for figure in targets))


def _gun_shot_of(battle: Battle, key: str, target: Any) -> Shot:
    engine = battle.engines[key]
    crew = next(iter(battle.unit(engine.unit).able))
    facts = gun_facts(battle, engine, crew, target)
    assert facts is not None and engine.at is not None
    names = [name for name, _ in bands_of(battle, engine, kind_of(engine))]
    parts = _parts(battle, engine.at, target.exposed) if target.exposed else {}
    cover = facts.cover if target.exposed else ""
    men = tuple(figure.spec.id for figure in (*target.exposed, *target.hidden))
    return Shot(key, target.name, {key: names.index(facts.band)}, {key: cover}, parts, men)


class PaychestFollower(Follower):
    """Translates the steps of play into acts at a real table."""

    def __init__(self, evening: Evening[Any], game: PaychestGame, recorder: Recorder) -> None:
        super().__init__(evening)
        self.play, self.recorder = game, recorder
        self._order = list(game.policy.phases)
        self._carried = False
        self._mounted: list[str] = []
        self._seated: list[str] = []

    @property
    def book(self) -> Battle:
        battle = self.evening.state
        assert isinstance(battle, Battle)
        return battle

    def follow(self, played: StepPlayed) -> None:
        """Do one step of play at the table, and compare the books."""
        name, before = played.step.name, played.before
        shots, self.recorder.shots = self.recorder.shots, []
        climbs, self.recorder.climbs = self.recorder.climbs, []
        if name != "setup.place":
            while not self.evening.is_over and self._order.index(self.book.stage) < self._order.index(before.stage):
                self.evening.next(leave_out=True)
            self.dice = list(played.given)
            self._shots, self._climbs = iter(shots), iter(climbs)
            getattr(self, f"_{name.replace('.', '_')}")(played)
            assert self.used(), (
                f"{played.step}: left over: {[(d.question.why, d.question.actor, d.answer) for d in self.dice]}"
            )
        if self.book.turn == played.after.turn and not self.evening.is_over:
            self.gather(played.after)
        if name != "setup.place":
            self.compare(played)
        self.recorder.shots, self.recorder.climbs = [], []

    def _answer(self, form: Form[Any], pending: Any, facts: dict[str, Any]) -> None:
        """Answer as play did.

        Play numbers the figures of a target as they stand together, the book by the roster. The roll of a volley is
        that of the unit in play even if only one man sees the target.
        """
        if isinstance(pending, Decide) and isinstance(pending.question, Confirm) and pending.question.about == ("up",):
            form.give(pending.question.actor in self._mounted)  # play asks only those who touch a horse
            return
        if (
            isinstance(pending, Decide)
            and isinstance(pending.question, Confirm)
            and pending.question.about == ("board",)
        ):
            form.give(pending.question.actor in self._seated)  # play asks only men who touch the wagon
            return
        if isinstance(pending, AskFact) and pending.asked.fact.startswith(
            "over"
        ):  # one question for each run of an act
            form.give(tuple(man for man in facts["over"] if man in pending.choices))
            return
        if isinstance(pending, Throw) and pending.question.why in ("fire", "fire again", "who is hit"):
            question = pending.question
            at = next(
                n
                for n, answered in enumerate(self.dice)
                if isinstance(answered.question, Roll) and answered.question.why == question.why
            )
            known = self.dice[at]
            answer = self._renumbered(question, known.answer) if question.why == "who is hit" else known.answer
            self.dice[at] = GivenAnswer(known.question._replace(actor=question.actor), answer)
        super()._answer(form, pending, facts)

    def _renumbered(self, question: Any, answer: Any) -> Any:
        """Return the numbers on the roster of the target figures that play has hit."""
        if isinstance(answer, tuple):
            return tuple(self._roster.index(self._struck[face - 1]) + 1 for face in answer)
        if question.sides == len(self._struck):
            self._unhit = list(self._struck), list(self._roster)
        struck, roster = self._unhit
        key = struck.pop(answer - 1)
        number = roster.index(key) + 1
        roster.remove(key)
        return number

    # --- comparing ----------------------------------------------------------------------------------------------------

    def compare(self, played: StepPlayed) -> None:
        battle, book = played.after, self.book
        for name, unit in battle.units.items():
            own = book.units[name]
            assert self._unit(unit) == self._unit(own), f"{played.step}: {name}: {self._unit(unit)} {self._unit(own)}"
            for key, figure in unit.figures.items():
                pair = self._figure(figure), self._figure(own.figures[key])
                assert pair[0] == pair[1], f"{played.step}: {key}: {pair}"
        for key, engine in battle.engines.items():
            there = book.engines[key]
            values = [
                (gun.jammed, gun.limbered, gun.moved, gun.aboard, gun.altitude, gun.at is None)
                for gun in (engine, there)
            ]
            assert values[0] == values[1], f"{played.step}: {key}"
        pairs = [
            (state.commanders, state.casualties.pile, state.cards.pile, state.order, state.arrivals)
            for state in (battle, book)
        ]
        assert pairs[0] == pairs[1], played.step
        if battle.ending in ("", "collapse"):
            assert (battle.over, battle.winner) == (book.over, book.winner), played.step

    def _unit(self, unit: Unit) -> tuple[Any, ...]:
        return unit.hits, unit.lost, unit.pending, unit.rout, unit.leader, unit.marks

    def _figure(self, man: Figure) -> tuple[Any, ...]:
        there = man.at is not None
        unseen = UNSEEN if there else {*UNSEEN, "down"}  # nothing asks how those who have left the table went
        return (
            man.fate, man.wounds, man.marks - unseen, man.shots, man.gait if man.able else "", man.weapons, man.rank,
            man.mount, sorted(man.loads), man.aboard, there, 0 if self._carried else man.brave,
        )  # fmt: skip

    def gather(self, battle: Battle) -> None:
        """Enter in the book the enemies that each figure touches, and the figures down behind cover."""
        self._duck(battle)
        for name, unit in battle.units.items():
            foes = foes_near(battle, unit)
            for key, figure in unit.figures.items():
                if not self.book.figure(key).able or not figure.able:
                    continue
                touched = {foe.spec.id for foe in enemies_touched(battle, figure, foes)}
                known = set((self.book.field.contacts or {}).get(key, ()))
                for enemy in {foe.rpartition(".")[0] for foe in touched ^ known}:
                    self.do(
                        "touch_man", name, enemy, man=key, foes=tuple(sorted(touched & {*battle.unit(enemy).figures}))
                    )
        self._duck(battle)  # those who left their enemies in play still touch them in the book
        for unit in battle.units.values():
            if battle.guns_of(unit):
                self._man_guns(battle, unit)

    def _duck(self, battle: Battle) -> None:
        """Tell the book who is down, of the units whose men on the ground touch no enemy in the book."""
        for name, unit in battle.units.items():
            down = tuple(figure.spec.id for figure in unit.able if "down" in figure.marks)
            known = tuple(figure.spec.id for figure in self.book.unit(name).able if "down" in figure.marks)
            contacts = self.book.field.contacts or {}
            if down != known and not any(contacts.get(key) for key in down):
                self.do("duck", name, down=down)

    def _man_guns(self, battle: Battle, unit: Unit) -> None:
        """Tell the book who stands at which guns."""
        book, name = self.book, unit.spec.id
        posts: dict[tuple[str, ...], list[str]] = {}
        for man in unit.able:
            if not man.aboard and book.figure(man.spec.id).able:
                at = [_guns_at(state, state.figure(man.spec.id)) for state in (battle, book)]
                if at[0] != at[1]:
                    posts.setdefault(at[0], []).append(man.spec.id)
        for guns, men in posts.items():
            stay = [
                m.spec.id
                for m in book.unit(name).able
                if _guns_at(book, m) == guns and _guns_at(battle, battle.figure(m.spec.id)) == guns
            ]
            try:
                self.do("serve", name, guns=guns, men=(*men, *stay))
            except ZarebaError as error:
                raise Unfollowable(str(error)) from error

    # --- the steps ----------------------------------------------------------------------------------------------------

    def _turn_start(self, played: StepPlayed) -> None:
        self.do("start")

    def _unit_card(self, played: StepPlayed) -> None:
        self.do("card", over=_driven_off_the_table(played))

    def _unit_move(self, played: StepPlayed) -> None:
        before, after = played.before, played.after
        unit = before.acting
        if before.unit(unit).pending:
            self.do("fall_back", over=_driven_off_the_table(played))
            return
        inches = [after.carried[way] - before.carried.get(way, 0.0) for way in after.carried]
        self._carried = self._carried or any(inches)
        for number, answered in enumerate(played.given):
            why, answer = answered.question.why, answered.answer
            if why == "handle" and isinstance(answer, tuple):
                verb, man, *load = answer
                if verb != "drop" or str(load[0]) in self.book.figure(str(man)).loads:
                    what = ("drop", man, *load) if verb == "drop" else (verb, *load)
                    try:
                        self.do("load", unit, what=what, man=man, carried=_distance_carried(played, number))
                    except ZarebaError as error:
                        raise Unfollowable(str(error)) from error
            elif why == "move":
                self._go(unit, answer, played)
            elif why == "get on" and isinstance(answer, tuple):
                wagon = str(answer[1])
                men = [name for name in after.engines[wagon].aboard if name not in self.book.engines[wagon].aboard]
                self.do("board", unit, wagon=wagon, men=tuple(men))
        self._let_go(after)
        gone = [event.data for event in played.told("left the table")]
        for edge in dict.fromkeys(data["edge"] for data in gone):
            men = [data["figure"] for data in gone if data["edge"] == edge]
            self.do("leave", unit, men=tuple(key for key in men if self.book.figure(key).spec.unit == unit), edge=edge)

    def _let_go(self, battle: Battle) -> None:
        """Let go of shared loads that bearers have lost by walking too far apart."""
        for name, unit in self.book.units.items():
            for key, figure in unit.figures.items():
                for load in set(figure.loads) - set(battle.figure(key).loads):
                    if battle.figure(key).fate != "left":
                        self.do("load", name, what=("drop", key, load))

    def _inches(self, unit: str, played: StepPlayed) -> float:
        """Return how far the bearers of a unit carry their comrades in a move."""
        borne = [
            played.after.carried.get(f"{key} {load}", 0.0) - played.before.carried.get(f"{key} {load}", 0.0)
            for key, man in self.book.unit(unit).figures.items()
            for load in man.loads
            if load not in self.book.things
        ]
        if any(borne) and not all(borne):
            raise Unfollowable("some bearers walk and others stay")
        return max(borne, default=0.0)

    def _go(self, unit: str, option: Any, played: StepPlayed) -> None:
        if option in ("advance", "run"):
            self.do("move", unit, gait=option, carried=self._inches(unit, played))
        elif option == "man by man":
            gaits = {answer.question.actor: answer.answer for answer in played.given if answer.question.why == "gait"}
            if set(gaits.values()) != {"halt"}:
                halting = tuple(key for key, gait in gaits.items() if gait == "halt")
                running = tuple(key for key, gait in gaits.items() if gait == "run")
                self.do(
                    "move",
                    unit,
                    gait="man by man",
                    halting=halting,
                    running=running,
                    carried=self._inches(unit, played),
                )
        elif (isinstance(option, tuple) and option[0] == "climb") or option == "climb":
            climbed = next(self._climbs)
            if climbed:
                others = [key for key in self._movable(unit) if key not in climbed]
                self.do("move", unit, gait="climb", halting=tuple(others))
        elif isinstance(option, tuple) and option[:2] == ("mount", "up"):
            self._mount(unit, option, played)
        elif isinstance(option, tuple) and option[0] == "board":
            self._board(unit, str(option[1]), played.after)
        elif option != "halt":
            try:
                self.do("other_move", unit, what=option)
            except ZarebaError as error:
                raise Unfollowable(str(error)) from error

    def _board(self, unit: str, wagon: str, after: Battle) -> None:
        """Let the same men board the wagon as in play, because people see who stands next to it."""
        self._seated = [name for name in after.engines[wagon].aboard if name not in self.book.engines[wagon].aboard]
        options = self._offered("other_move", "what", unit)
        one_by_one = ("board", wagon, EACH)
        self.do("other_move", unit, what=one_by_one if one_by_one in options else one_by_one[:2])

    def _mount(self, unit: str, option: Any, played: StepPlayed) -> None:
        """Mount the men who have mounted in play, each his own horse."""
        after = played.after
        for key, man in after.unit(unit).figures.items():
            horse = self.book.things.get(f"mount of {key}")
            if "mounted" in man.marks and (horse is None or horse.at is None or f"mount of {key}" in after.things):
                raise Unfollowable("a man has mounted the horse of another")
        up = self._mounted = [key for key, man in after.unit(unit).figures.items() if "mounted" in man.marks]
        horses = [
            man for man in self.book.unit(unit).able if not man.mount and f"mount of {man.spec.id}" in self.book.things
        ]
        if len(option) == 2 and len(up) < len(horses):
            raise Unfollowable("some have no horse beside them")
        self.do("other_move", unit, what=option)

    def _movable(self, unit: str) -> list[str]:
        return self._offered("move", "halting", unit)

    def _offered(self, act: str, fact: str, unit: str) -> list[Any]:
        asked = next(asked for asked in self.evening.companion.act_named[act].asks if asked.fact == fact)
        assert asked.choices is not None
        return list(asked.choices(self.book, Scene(self.evening.game, unit)))

    def _unit_fire(self, played: StepPlayed) -> None:
        unit = played.before.acting
        for answer in played.given:
            if isinstance(answer.answer, tuple) and answer.answer[:1] == ("unjam",):
                self.do("unjam", unit, gun=answer.answer[1])
        for shot in self._shots:
            if shot.bands:
                self._shoot(unit, shot, _driven_off_the_table(played))

    def _shoot(self, unit: str, shot: Shot, over: tuple[str, ...]) -> None:
        units = list(dict.fromkeys(key.rpartition(".")[0] for key in shot.targets))
        self._struck = [key for key in shot.targets if key in shot.parts]
        self._roster = [key for unit in self.book.units.values() for key in unit.figures if key in self._struck]
        target, along = units[0], tuple(units[1:])
        by_parts = bool(shot.gun) or self.book.book.settings.exposure_check == "all_fire"
        cover, other, differing = _two_kinds(shot.parts if by_parts else shot.covers)
        if by_parts:
            _check_class(self.book, shot)
        reach = self._range(shot)
        there = [man.spec.id for name in units for man in self.book.unit(name).able]
        spared = tuple(key for key in there if key not in shot.targets)
        facts: dict[str, Any] = {"cover": cover, "over": over, **reach}
        if shot.gun:
            served = [die for die in self.dice if (die.question.why, die.question.actor) == ("served by", shot.gun)]
            crew = served[0].answer if served else "best"
            self.dice = [die for die in self.dice if die not in served[:1]]
            self.do("gun", unit, target, **facts, gun=shot.gun, crew=crew, who="detail", along=along, spared=spared,
                    differing=differing, other_cover=other)  # fmt: skip
        elif shot.aimed in shot.targets:
            leads = self.book.unit(target).leader == shot.aimed
            self.do(
                "leader_shot", unit, target, **facts, man=next(iter(shot.bands)), aim="leader" if leads else shot.aimed
            )
        else:
            ready = readiness(self.book, self.book.unit(unit))
            group = [firer.figure.spec.id for firer in ready.group]
            joining = [firer.figure.spec.id for firer in ready.joining]
            holding = tuple(key for key in (*group, *joining) if key not in shot.bands)
            simple = not (along or spared or differing or reach["farther"])
            who = "detail"
            if simple and list(shot.bands) == group:
                who = "men"
            elif simple and joining and list(shot.bands) == [*group, *joining]:
                who = "leaders"
            self.do("volley", unit, target, **facts, who=who, holding=holding, along=along, spared=spared,
                    differing=differing, other_cover=other)  # fmt: skip

    def _range(self, shot: Shot) -> dict[str, Any]:
        """Return a range, and the figures that shoot from one and from two bands farther."""
        bands = {}
        for key in shot.bands:
            if shot.gun:
                engine = self.book.engines[key]
                bands[key] = [limit for _, limit in bands_of(self.book, engine, kind_of(engine))]
            else:
                unit = self.book.unit(key.rpartition(".")[0])
                ready = readiness(self.book, unit)
                firers = {firer.figure.spec.id: firer.weapon for firer in (*ready.group, *ready.leaders.values())}
                bands[key] = [limit for _, limit in bands_of(self.book, unit.figures[key], firers[key])]
        for limit in sorted({limit for limits in bands.values() for limit in limits}):
            places = {key: next((n for n, most in enumerate(own) if limit <= most), 9) for key, own in bands.items()}
            back = {key: shot.bands[key] - places[key] for key in bands}
            if all(0 <= steps <= 2 for steps in back.values()) and 0 in back.values():
                farther = tuple(key for key, steps in back.items() if steps)
                return {"range": limit, "farther": farther, "farthest": tuple(k for k in farther if back[k] == 2)}
        raise Unfollowable("the ranges of one volley are too different")

    def _unit_melee(self, played: StepPlayed) -> None:
        how = [o.answer for o in played.given if o.question.why == "melee" and isinstance(o.question, Choose)]
        if how and how[0] != "no melee":
            self.do("melee", played.before.acting, how=how[0], over=_driven_off_the_table(played))
        elif how:
            self.evening.next(leave_out=True)
        if not self.evening.is_over:
            self.do("finish")

    def _turn_end(self, played: StepPlayed) -> None:
        checks = [e for e in played.events if e.kind in ("morale passed", "morale failed")]
        for event in checks:
            over = [key for key in _driven_off_the_table(played) if key.rpartition(".")[0] == event.data["unit"]]
            self.do("morale", event.data["unit"], over=tuple(over))
        noted = [event.data for event in played.told("brave deed") if event.data["deed"] == "noted by the commander"]
        men = [man for data in noted for man in data["figures"]]
        for man in men:
            self.do("deed", man.rpartition(".")[0], man=man)
        self.do("end")


def _guns_at(battle: Battle, man: Figure) -> tuple[str, ...]:
    """Return the guns of its unit that a figure touches."""
    guns = {key: battle.engines[key] for key in battle.guns_of(battle.unit_of(man)) if not battle.engines[key].carrier}
    return tuple(key for key, gun in guns.items() if reaches(battle, man, gun.at, battle.engine_radius(gun)))


def _driven_off_the_table(played: StepPlayed) -> tuple[str, ...]:
    """Return the figures that a forced move took off the table in a step."""
    return tuple(event.data["figure"] for event in played.told("loss") if event.data.get("fate") == "off")


def _two_kinds(covers: Mapping[str, str]) -> tuple[str, str, tuple[str, ...]]:
    """Return the most common cover, another one, and who has that."""
    kinds = [kind for kind, _ in Counter(covers.values()).most_common()]
    if len(kinds) > 2:
        raise Unfollowable(f"three kinds of cover: {kinds}")
    cover, other = (kinds or ["none"])[0], kinds[-1] if len(kinds) > 1 else ""
    return cover or "none", other, tuple(key for key, kind in covers.items() if other and kind == other)


def _check_class(battle: Battle, shot: Shot) -> None:
    """Raise Unfollowable if firers see another class of cover than the target figures have together."""
    kinds = list(shot.parts.values())
    enough = battle.book.mixed_cover * len(kinds) - 1e-9
    hard, any_cover = sum(kind not in ("none", "soft") for kind in kinds), sum(kind != "none" for kind in kinds)
    together = "hard" if hard >= enough else "soft" if any_cover >= enough else "none"
    if kinds and set(shot.covers.values()) != {together}:
        raise Unfollowable("cover of the same targets differs by firer")


def _distance_carried(played: StepPlayed, picked_up: int) -> float:
    """Return how far a man carried the comrade that he had picked up, with the rest of his move (PAY-073)."""
    option = played.given[picked_up].answer
    assert isinstance(option, tuple)
    man, load = str(option[1]), str(option[2])
    later = [event for event in played.events if event.kind in ("taken up", "dropped", "move")]
    at = next((n for n, e in enumerate(later) if e.kind == "taken up" and e.data["object"] == load), len(later))
    end = next((n for n, e in enumerate(later) if n > at and e.data.get("object") == load), len(later))
    walks_on = any(event.kind == "move" and event.data["by"] == man for event in later[at:end])
    comrade = played.after.figure(load) if load.rpartition(".")[0] in played.after.units else None
    if comrade is not None and comrade.able and comrade.gait == "halt":
        return 0.0
    inches = [state.carried.get(f"{man} {load}", 0.0) for state in (played.after, played.before)]
    return max(_A_LITTLE, inches[0] - inches[1]) if walks_on else 0.0


def follow(
    scenario: str,
    seed: int,
    settings: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    most: int = 9999,
    player: str = "random",
) -> tuple[int, bool]:
    """Play a game and follow it, at most so many steps. Return their number, and False if the companion had to stop."""
    rules = load_rules("paychest", settings)
    game = PaychestGame(rules, load_scenario(scenario))
    recorder = Recorder(monkeypatch)
    follower = PaychestFollower(
        new_evening("paychest", load_scenario(scenario), seed=1, settings=settings), game, recorder
    )
    count = 0
    for played in islice(steps_of(game, seed, player), most):
        try:
            follower.follow(played)
        except Unfollowable:
            return count, False
        count += played.step.name != "setup.place"
    return count, True


def follow_one_of_many(
    seed: int, monkeypatch: pytest.MonkeyPatch, most: int = 9999, player: str = "random"
) -> tuple[int, bool]:
    """Follow a game of one of the shipped scenarios, under random settings if the seed is odd."""
    scenarios = sorted(shipped_scenarios())
    settings = random_settings("paychest", Random(seed)) if seed % 2 else {}
    return follow(scenarios[seed // 2 % len(scenarios)], seed, settings, monkeypatch, most, player)


@pytest.mark.parametrize("seed", [8, 9, 10])
def test_companion_agrees_with_play(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    count, _ = follow_one_of_many(seed, monkeypatch, most=60)
    assert count > 20


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100))
def test_companion_agrees_with_play_in_many_games(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    count, _ = follow_one_of_many(seed, monkeypatch)
    assert count > 0
