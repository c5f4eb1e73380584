"""The companion of one-page rulesets: acts, questions and texts come from `sequence` and its procedures.

Each stage of the sequence of play is an act. To find out what a unit can do, the companion runs the procedure of the
stage with each enemy close by in turn, and lists the options that the rules offer. People choose one. The companion
then asks for the distance, the cover and the ground as soon as the procedure reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import partial
from typing import Annotated, Any, NamedTuple

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.state import blank, record
from zareba.battle.carried_objects import leave_with_objects
from zareba.companion.declarations import Asked, Choices, Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.game.activation import CALL
from zareba.simple_ruleset.game import SimpleGame
from zareba.simple_ruleset.ground import OPEN, Field
from zareba.simple_ruleset.model import TerrainRow
from zareba.simple_ruleset.setup import bring_on, units_due
from zareba.simple_ruleset.state import Battle, Unit
from zareba.simple_ruleset.words import unit_line
from zareba.space import FreeTable, Point
from zareba.space.field.bodies import SLACK
from zareba.space.geometry import Points
from zareba.space.moves import points_around
from zareba.table import Answer, Choose, Confirm, Event, Option, Pause, Place, Question, RecordedTable, Table

FAR_APART = 10_000.0
"""The distance between the places of two units in the book: no weapon reaches so far."""
NEAR = 0.6
"""The distance, in inches, of an enemy that is in reach of every act, but not in contact."""
_SLIGHTLY = 1e-6
"""Distances are laid out this much shorter, so that rounding never moves a unit into the next range."""
_NONE = ""
_DISTANCE, _COVER, _GROUND = "distance", "cover", "ground"

Pair = frozenset[str]
"""The ids of two units."""


# --- Where the units of the book stand: an open table, because the book knows no positions ----------------------------


class _EndlessTable(FreeTable):
    """A table without edges, except next to the units that leave it.

    `places` are the places of all units, and `leaving` those of the units that run off the table.
    """

    __slots__ = ("leaving", "places")

    places: Sequence[Point]
    leaving: Sequence[Point]

    def is_on_table(self, point: Point) -> bool:
        """Return True unless a leaving unit goes to the point: one whose place is the nearest."""
        nearest = min(self.places, key=lambda place: dist(place, point), default=point)
        return nearest == point or nearest not in self.leaving


class RealTable(Field):
    """The ground of a battle on a real table: open, without edges.

    `contacts` are the pairs of enemies in contact, as long as both stay in their `places`. A layout has a fresh copy
    and says what people see: the `covers` and `grounds` of units. `choices` are the options that people have chosen, by
    the purpose of the question. `read` notes what the rules have read since the last choice.
    """

    def __init__(self, game: SimpleGame, contacts: Iterable[Pair] = ()) -> None:
        super().__init__(game.book, game.scenario.model_copy(update={"terrain": {}}))
        self._scenario = game.scenario  # objectives are named after its terrain
        self._game = game
        self.contacts = frozenset(contacts)
        self.places: dict[str, Point] = {}
        self.covers: dict[str, int] = {}
        self.grounds: dict[str, TerrainRow] = {}
        self.choices: dict[str, Option] = {}
        self.read: set[tuple[str, str]] = set()
        extent = FAR_APART * (len(game.specs) + 4)
        self.table = self._endless_table = _EndlessTable(extent, extent, self.unit)
        self._endless_table.places = self._endless_table.leaving = ()

    def fresh(self, contacts: Iterable[Pair] | None = None) -> RealTable:
        """Return a copy for a layout, or with other contacts."""
        return RealTable(self._game, self.contacts if contacts is None else contacts)

    def home(self, unit: str) -> Point:
        """Return the place where a unit stands in the book between acts."""
        return FAR_APART * (1 + list(self._game.specs).index(unit)), FAR_APART

    @property
    def stage(self) -> Point:
        """The place of the acting unit in a layout."""
        return 2 * FAR_APART, 3 * FAR_APART

    def stand(self, places: Mapping[str, Point], leaving: Iterable[str] = ()) -> None:
        """Note where all units stand in this layout, and which of them leave the table if they fall back."""
        self.places = dict(places)
        self._endless_table.places = tuple(places.values())
        self._endless_table.leaving = tuple(places[unit] for unit in leaving if unit in places)

    def unit_at(self, point: Point) -> str:
        """Return the unit whose place a point is; "" for none."""
        return next((unit for unit, place in self.places.items() if place == point), _NONE)

    def at(self, point: Point) -> TerrainRow:
        unit = self.unit_at(point)
        if unit:
            self.read.add((_GROUND, unit))
        return self.grounds.get(unit, OPEN)

    def cover(self, a: Point, b: Point) -> int:
        unit = self.unit_at(b)
        if unit:
            self.read.add((_COVER, unit))
        return self.covers.get(unit, 0)

    def path(self, start: Point, goal: Point) -> Points:
        return start, goal

    def distance_to(self, point: Point, terrain: str) -> float:
        return FAR_APART


@record
class TableBattle(Battle):
    """The book of a one-page ruleset: a battle in which people see who is in sight, and who is in contact.

    `coming` are the units that may still arrive in this turn. `begun` is False until the phase at the cursor has begun.
    """

    coming: list[str] = field(default_factory=list)
    begun: bool = False

    @property
    def layout(self) -> RealTable:
        """The field, with the answers of people."""
        assert isinstance(self.field, RealTable), "the companion lays its battles out on a RealTable"
        return self.field

    def gap(self, a: Unit, b: Unit) -> float:
        self.layout.read.add((_DISTANCE, _NONE))
        return self._gap(a, b)

    def _gap(self, a: Unit, b: Unit) -> float:
        layout = self.layout
        have_stayed = all(layout.places.get(piece.id, piece.at) == piece.at for piece in (a, b))
        return 0.0 if have_stayed and Pair((a.id, b.id)) in layout.contacts else Battle.gap(self, a, b)

    def foes(self, unit: Unit) -> list[Unit]:
        enemies = [other for other in self.on_table() if other.side != unit.side]
        return sorted(enemies, key=lambda enemy: self._gap(unit, enemy))

    def touching(self, unit: Unit) -> list[Unit]:
        return [foe for foe in self.foes(unit) if self._gap(unit, foe) <= self.book.reach.contact + SLACK]

    def in_sight(self, unit: Unit, within: float) -> list[Unit]:
        return [foe for foe in self.foes(unit) if self._gap(unit, foe) <= within]

    def sees(self, a: Unit, b: Unit) -> bool:
        return True


# --- What a unit can do -----------------------------------------------------------------------------------------------


class _Probe(RecordedTable):
    """A table at which the rules run until a question that people have not answered yet."""

    __slots__ = ("_choices",)

    def __init__(self, rules: Any, state: TableBattle, choices: Mapping[str, Option]) -> None:
        super().__init__(rules, state, ())
        self._choices = choices

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Choose) and question.why in self._choices:
            return self._choices[question.why]
        return super().answer(question)


class _Step(NamedTuple):
    """A stage of the sequence of play as an act. `procedure` carries it out; `per_unit` if each unit goes through
    it.
    """

    name: str
    procedure: Callable[..., None]
    per_unit: bool

    def run(self, table: Table, battle: Battle, actor: str) -> None:
        """Run the procedure of a unit or of everyone."""
        if self.per_unit:
            self.procedure(table, battle, battle.units[actor])
        else:
            self.procedure(table, battle)

    def first_question(self, battle: TableBattle, scene: Scene, choices: Mapping[str, Option]) -> Question | None:
        """Return the first question that these choices leave open, on a copy of the battle; None if there is none."""
        draft = battle.copy()
        try:
            self.run(_Probe(scene.game.rules, draft, choices), draft, scene.actor)
        except Pause as pause:
            return pause.question
        return None

    def has_effect(self, battle: TableBattle, scene: Scene) -> bool:
        """Return True if the procedure asks or changes anything."""
        draft = battle.copy()
        table = RecordedTable(scene.game.rules, draft, ())
        try:
            self.run(table, draft, scene.actor)
        except Pause:
            return True
        return bool(table.events) or draft.to_data() != battle.to_data()

    def choices_with(self, battle: TableBattle, scene: Scene, earlier: Mapping[str, Option]) -> dict[Option, Choose]:
        """Return the options of the next choice of a unit, with each enemy close by in turn."""
        found: dict[Option, Choose] = {}
        for enemy in _enemies_near(battle, scene.actor):
            draft = battle.copy()
            _place(draft, scene, enemy, NEAR * battle.book.reach.inch)
            question = self.first_question(draft, scene, earlier)
            if isinstance(question, Choose) and question.seat == battle.units[scene.actor].side:
                for option in question.options:
                    found.setdefault(option, question)
        targets = [option for option in found if _enemy_in(battle, scene, option)]
        order = [*targets, *found] if next(iter(found), None) in targets else [*found]
        return {option: found[option] for option in order}


def _enemies_near(battle: TableBattle, actor: str) -> list[str]:
    """Return the enemies that may be close to a unit, one at a time; "" if none is, or only those in contact."""
    unit = battle.units[actor]
    enemies = [other.id for other in battle.on_table() if other.side != unit.side]
    return [_NONE] if battle.touching(unit) else [_NONE, *enemies]


def _first_options(step: _Step, battle: TableBattle, scene: Scene) -> dict[Option, Choose]:
    """Return the options of the first choice of a unit in a stage, such as to shoot."""
    return step.choices_with(battle, scene, {})


def _target_options(step: _Step, battle: TableBattle, scene: Scene) -> dict[Option, Choose]:
    """Return the options of a second choice, which names the enemy: the target of a shot. Empty if there is none."""
    what = scene.answers.get("what")
    if what is None or _enemy_in(battle, scene, what):
        return {}
    first = _first_options(step, battle, scene)[what]
    found = step.choices_with(battle, scene, {first.why: what})
    return found if any(_enemy_in(battle, scene, option) for option in found) else {}


def _enemy_in(battle: TableBattle, scene: Scene, option: Option | None) -> str:
    """Return the enemy unit that an option names, "" for none."""
    side = battle.units[scene.actor].side if scene.actor else _NONE
    words = option if isinstance(option, tuple) else (option,)
    return next((word for word in words if word in battle.units and battle.units[word].side != side), _NONE)


def _enemy_of(battle: TableBattle, scene: Scene) -> str:
    """Return the enemy that people have named, "" for none."""
    named = (_enemy_in(battle, scene, scene.answers.get(fact)) for fact in ("what", "whom", "enemy"))
    return next(filter(None, named), _NONE)


# --- Layouts ----------------------------------------------------------------------------------------------------------


def _place(battle: TableBattle, scene: Scene, enemy: str, distance: float, leaving: Iterable[str] = ()) -> RealTable:
    """Put a unit, those in contact with it and one more enemy on the stage, and return the layout."""
    layout = battle.layout.fresh()
    places = {unit.id: layout.home(unit.id) for unit in battle.on_table()}
    if scene.actor in places:
        unit = battle.units[scene.actor]
        in_contact = battle.touching(unit)
        places[unit.id] = layout.stage
        if enemy in places and not in_contact:
            places[enemy] = next(
                points_around(layout.stage, _distance_of_middles(battle, unit.id, enemy, distance), 90.0, [0.0])
            )
        for foe, direction in zip(in_contact, _CONTACT_DIRECTIONS, strict=False):
            places[foe.id] = next(
                points_around(layout.stage, _distance_of_middles(battle, unit.id, foe.id, 0.0), 90.0, [direction])
            )
    layout.stand(places, leaving)
    for key, at in places.items():
        battle.units[key].at = at
    battle.field = layout
    return layout


_CONTACT_DIRECTIONS = (0.0, 180.0, 90.0, 270.0, 45.0, 225.0, 135.0, 315.0)
"""The directions in which the enemies stand who touch a unit, in a layout."""


def _distance_of_middles(battle: TableBattle, unit: str, foe: str, distance: float) -> float:
    """Return the distance between the middles of two units that are so far apart, edge to edge."""
    return battle.units[unit].radius + battle.units[foe].radius + max(0.0, distance - _SLIGHTLY)


def _lay_out(step: _Step, battle: TableBattle, scene: Scene) -> None:
    """Lay out the battle as people described it. Raises ZarebaError if the unit cannot do what they chose."""
    named, distance = _enemy_of(battle, scene), scene["distance"]
    distance = NEAR * battle.book.reach.inch if distance is None else distance
    # Without a named enemy, each one near is tried: even an option such as holding fire may need an enemy.
    for enemy in [named] if named else _enemies_near(battle, scene.actor):
        layout = _place(battle, scene, enemy, distance, scene["over"])
        layout.covers = {named: scene["cover"], scene.actor: scene["own_cover"]}
        if scene["ground"]:
            layout.grounds = {scene.actor: battle.book.ground[scene["ground"]]}
        if _is_possible(step, battle, scene):
            return
    raise ZarebaError(f"{battle.units[scene.actor].spec.name} cannot do that at {distance:g} {battle.book.length}")


def _is_possible(step: _Step, battle: TableBattle, scene: Scene) -> bool:
    """Return True if the rules offer the chosen options, and note which questions they answer."""
    for chosen in (scene["what"], scene["whom"]):
        if chosen is None:
            continue
        question = step.first_question(battle, scene, battle.layout.choices)
        if not isinstance(question, Choose) or chosen not in question.options:
            return False
        battle.layout.choices[question.why] = chosen
    return True


def _answer_from_choices(battle: TableBattle, scene: Scene, question: Choose | Place | Confirm) -> Answer | None:
    """Return the answer that people have already given, or any place for a march, because people measure it."""
    if isinstance(question, Place):
        here = battle.units[scene.actor].at if scene.actor else None
        return next((at for at in question.suggestions if at != here), next(iter(question.suggestions)))
    if question.why in battle.layout.choices:
        battle.layout.read.clear()
        return battle.layout.choices[question.why]
    return None


# --- Questions for people ---------------------------------------------------------------------------------------------


def _questions(step: _Step) -> tuple[Asked[TableBattle], ...]:
    """Return the questions about a stage. They come up only if the procedure needs their answers."""
    over = Asked[TableBattle](
        "over", _edge_text, default=(), choices=_units_falling_back, many=True, after=_has_fallen_back
    )
    if not step.per_unit:
        return (over,)
    return (
        Asked("what", partial(_choice_text, step, _first_options), choices=partial(_option_texts, step, _first_options), when=partial(_is_choice, step, _first_options)),
        Asked("whom", partial(_choice_text, step, _target_options), choices=partial(_option_texts, step, _target_options), when=partial(_is_choice, step, _target_options)),
        Asked("enemy", "Which enemy in sight of {actor} is nearest?", default=_NONE, choices=_enemies, when=partial(_needs_enemy, step)),
        Asked("distance", _distance_text, kind=Annotated[float, Ge(0)], after=_reads_distance),
        Asked("cover", _cover_text, default=0, choices=_covers, after=_reads_cover),
        Asked("own_cover", "Cover of {actor}?", default=0, choices=_covers, after=_reads_own_cover),
        Asked("ground", "On which ground is {actor}?", default=_NONE, choices=_grounds, after=_reads_ground),
        over,
    )  # fmt: skip


_FindOptions = Callable[[_Step, TableBattle, Scene], dict[Option, Choose]]


def _is_choice(step: _Step, find: _FindOptions, battle: TableBattle, scene: Scene) -> bool:
    return bool(find(step, battle, scene))


def _choice_text(step: _Step, find: _FindOptions, battle: TableBattle, scene: Scene) -> str:
    """What does the unit do?"""
    question = next(iter(find(step, battle, scene).values()))
    return str(scene.game.narrator.describe(battle, question))


def _option_texts(step: _Step, find: _FindOptions, battle: TableBattle, scene: Scene) -> Choices:
    """Return the options of a unit in the words of the rules."""
    describe = scene.game.narrator.describe_option
    return {option: describe(battle, question, option) for option, question in find(step, battle, scene).items()}


def _needs_enemy(step: _Step, battle: TableBattle, scene: Scene) -> bool:
    """Return True if the procedure looks for an enemy without a choice, and does nothing if there is none."""
    if scene.answers.get("what") is not None or battle.touching(battle.units[scene.actor]):
        return False
    found = []
    for enemy in _enemies_near(battle, scene.actor)[:2]:
        draft = battle.copy()
        _place(draft, scene, enemy, NEAR * battle.book.reach.inch)
        found.append(step.has_effect(draft, scene))
    return found == [False, True]


def _enemies(battle: TableBattle, scene: Scene) -> Choices:
    found = {key: unit_line(battle.units[key]) for key in _enemies_near(battle, scene.actor) if key}
    return {_NONE: "none", **found}


def _distance_text(battle: TableBattle, scene: Scene) -> str:
    """How far is the enemy?"""
    enemy = battle.units[_enemy_of(battle, scene)]
    return f"How many {battle.book.length} from {{actor}} to {enemy.spec.name}?"


def _cover_text(battle: TableBattle, scene: Scene) -> str:
    """Which cover has the enemy?"""
    return f"Cover of {battle.units[_enemy_of(battle, scene)].spec.name}?"


def _covers(battle: TableBattle, scene: Scene) -> Choices:
    """Return the values of cover, each with the ground that gives it."""
    found: dict[int, list[str]] = {}
    for row in battle.book.ground.values():
        if row.cover:
            found.setdefault(row.cover, []).append(row.title)
    rows = {cover: f"cover {cover}: {', '.join(dict.fromkeys(found[cover]))}" for cover in sorted(found)}
    return {0: "none", **rows}


def _grounds(battle: TableBattle, scene: Scene) -> Choices:
    return {_NONE: OPEN.title, **{key: row.title for key, row in battle.book.ground.items()}}


def _reads_distance(battle: TableBattle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if the rules have measured the distance to an enemy that is not in contact."""
    enemy = _enemy_of(battle, scene)
    has_measured = (_DISTANCE, _NONE) in battle.layout.read or bool(scene.answers.get("enemy"))
    return bool(enemy) and has_measured and Pair((scene.actor, enemy)) not in battle.layout.contacts


def _reads_cover(battle: TableBattle, scene: Scene, events: Sequence[Event]) -> bool:
    enemy = _enemy_of(battle, scene)
    return bool(enemy) and (_COVER, enemy) in battle.layout.read


def _reads_own_cover(battle: TableBattle, scene: Scene, events: Sequence[Event]) -> bool:
    return (_COVER, scene.actor) in battle.layout.read


def _reads_ground(battle: TableBattle, scene: Scene, events: Sequence[Event]) -> bool:
    return (_GROUND, scene.actor) in battle.layout.read


def _has_fallen_back(battle: TableBattle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "fell back" for event in events)


def _units_falling_back(battle: TableBattle, scene: Scene) -> Choices:
    """Return the units that fall back."""
    names = dict.fromkeys(event.data["unit"] for event in scene.events if event.kind == "fell back")
    return {name: battle.units[name].spec.name for name in names}


def _edge_text(battle: TableBattle, scene: Scene) -> str:
    """Who falls back over the edge of the table?"""
    runs = [
        scene.game.narrator.name_of(e.data["unit"]) + f" ({e.data['distance']})"
        for e in scene.events
        if e.kind == "fell back"
    ]
    return f"They fall back, straight away from the enemy: {', '.join(runs)}. Who crosses the edge of the table?"


# --- Acts that every one-page ruleset has -----------------------------------------------------------------------------


def _arriving(battle: TableBattle) -> list[str]:
    return list(battle.coming)


def _arrive(table: Table, battle: TableBattle, scene: Scene) -> None:
    battle.coming = [unit for unit in battle.coming if unit != scene.actor]
    bring_on(table, battle, scene.actor)


def _no_units(battle: TableBattle) -> list[str]:
    return []


def _on_table(battle: TableBattle) -> list[str]:
    return [unit.id for unit in battle.on_table()]


def _enemies_out_of_contact(battle: TableBattle, actor: str) -> list[str]:
    unit = battle.units[actor]
    in_contact = battle.touching(unit)
    return [foe.id for foe in battle.foes(unit) if foe not in in_contact]


def _in_contact(battle: TableBattle) -> list[str]:
    return [unit.id for unit in battle.on_table() if battle.touching(unit)]


def _make_contact(table: Table, battle: TableBattle, scene: Scene) -> None:
    battle.field = battle.layout.fresh({*battle.layout.contacts, Pair((scene.actor, scene.target))})


def _break_contact(table: Table, battle: TableBattle, scene: Scene) -> None:
    battle.field = battle.layout.fresh(pair for pair in battle.layout.contacts if scene.actor not in pair)


def _units_that_may_leave(battle: TableBattle) -> list[str]:
    return [unit.id for unit in battle.on_table() if battle.exit_of(unit) and battle.counts(battle, unit)]


def _leave(table: Table, battle: TableBattle, scene: Scene) -> None:
    """Leave over the edge of the scenario, with everything that the unit carries."""
    unit, rule = battle.units[scene.actor], battle.book.rule_ids["leave"]
    edge = battle.exit_of(unit)
    assert edge is not None, "only units with an exit leave"
    unit.at, unit.gone = None, leave_with_objects(table, battle.carried_objects, unit.id, unit.side, edge, rule)


def _free_objects(battle: TableBattle) -> list[str]:
    return [
        name
        for name, carried_object in battle.carried_objects.items()
        if not carried_object.carrier and not carried_object.taken_by
    ]


def _units_that_may_take(battle: TableBattle) -> list[str]:
    return [unit.id for unit in battle.on_table() if _free_objects(battle) and battle.counts(battle, unit)]


def _objects(battle: TableBattle, scene: Scene) -> Choices:
    return {name: scene.game.narrator.name_of(name) for name in _free_objects(battle)}


def _take_up(table: Table, battle: TableBattle, scene: Scene) -> None:
    battle.carried_objects[scene["object"]].carrier = scene.actor
    table.emit("taken up", battle.book.rule_ids["take_up"], object=scene["object"], unit=scene.actor)


# --- The companion ----------------------------------------------------------------------------------------------------


class OnePageCompanion(Companion[Any]):
    """An evening of a one-page ruleset at a real table."""

    game: SimpleGame

    def __init__(self, game: Game[Any]) -> None:
        assert isinstance(game, SimpleGame)
        self._policy, self._order = game.policy, game.sequence
        self._steps = {step.name: step for step in _steps_of(game)}
        super().__init__(game)

    def game_acts(self) -> Iterator[CompanionAct[TableBattle]]:
        """Yield the arrival of units, the acts of the sequence of play, and what units do besides."""
        ids = self.game.book.rule_ids
        yield _act("arrive", "arrive", ids["arrive"], _arrive, _arriving, out_of_turn=False, has_odds=False)
        for phase in self._policy.phases.values():
            if phase.each == "unit":
                name = f"{phase.step}.{CALL}"
                yield _act(
                    name, "call the next unit", phase.rule, self._call, _no_units, out_of_turn=False, has_odds=False
                )
            for stage in phase.stages:
                yield self._stage_act(self._steps[f"{phase.step}.{stage}"], stage, phase.rule)
        yield _act("leave", "leave the table", ids["leave"], _leave, _units_that_may_leave)
        yield _act(
            "object", "take up an object", ids["take_up"], _take_up, _units_that_may_take,
            asks=(Asked("object", "Which object should {actor} take?", choices=_objects),),
        )  # fmt: skip
        yield _act(
            "touch",
            "touch an enemy",
            ids["set_up"],
            _make_contact,
            _on_table,
            targets=_enemies_out_of_contact,
            target_question="{actor} touches which enemy?",
        )
        yield _act("part", "break contact", ids["set_up"], _break_contact, _in_contact)

    def _stage_act(self, step: _Step, stage: str, rule: str) -> CompanionAct[TableBattle]:
        return _act(
            step.name,
            stage.replace("_", " "),
            rule,
            partial(self._do, step),
            _on_table if step.per_unit else _no_units,
            asks=_questions(step),
            lay_out=partial(_lay_out, step) if step.per_unit else _lay_out_all,
            other_answers=_answer_from_choices,
            out_of_turn=step.per_unit,
        )

    def start(self) -> TableBattle:
        """Return the battle with all units set up. People deploy the figures as they like."""
        first = self.game.start()
        battle = blank(TableBattle, **{attribute.name: getattr(first, attribute.name) for attribute in fields(first)})
        battle.field, battle.setting_out, battle.turn = RealTable(self.game), [], max(1, first.turn)
        for unit in battle.on_table():
            unit.at = battle.layout.home(unit.id)
        battle.coming = units_due(battle)
        return battle

    # --- the sequence of play -----------------------------------------------------------------------------------------

    def _call(self, table: Table, battle: TableBattle, scene: Scene) -> None:
        self._policy.call(table, battle, self._policy.phases[battle.phase].rule)

    def _do(self, step: _Step, table: Table, battle: TableBattle, scene: Scene) -> None:
        """Carry out a stage, and move on if it is the one at the cursor."""
        now = self._policy.next_step(battle)
        step.run(table, battle, scene.actor)
        if now is not None and now.name == step.name and battle.acting in ("", scene.actor):
            self._move_on(battle)

    def _move_on(self, battle: TableBattle) -> None:
        """Move on from the stage at the cursor."""
        if ended := self._policy.advance(battle):
            self._enter_phase(battle, ended)

    def _enter_phase(self, battle: TableBattle, ended: str) -> None:
        turn = battle.turn
        self._order.end_turn(battle, ended)
        battle.begun = False
        if battle.turn != turn or battle.phase == self._policy.first:
            battle.coming = units_due(battle)

    def openings(self, state: TableBattle) -> Sequence[Opening]:
        if state.coming:
            return [Opening("arrive", tuple(state.coming), due=True)]
        step = self._policy.next_step(state)
        if not state.begun or step is None:
            return ()
        if self._policy.phases[state.phase].each == "unit" and not state.acting:
            waiting = [unit for unit in state.waiting if state.units[unit].at is not None]
            return [Opening(step.name, (), due=True)] if waiting else ()
        if state.acting and state.units[state.acting].at is None:
            return ()
        actors = (state.acting,) if state.acting else ()
        enemies = _enemies_near(state, state.acting) if state.acting else [_NONE]
        able = any(self._is_needed(state, step.name, enemy) for enemy in enemies)
        return [Opening(step.name, actors, due=True)] if able else ()

    def _is_needed(self, state: TableBattle, step: str, enemy: str) -> bool:
        """Return True if a stage asks or changes anything, with an enemy close by or with those in contact."""
        scene, draft = Scene(self.game, state.acting), state.copy()
        _place(draft, scene, enemy, NEAR * state.book.reach.inch)
        return self._steps[step].has_effect(draft, scene)

    def advance(self, state: TableBattle) -> None:
        if state.coming:
            state.coming = []
        elif not state.begun:
            state.begun = True
            self._policy.begin(state, {unit.id: unit.side for unit in state.on_table()})
        elif self._policy.phases[state.phase].each == "unit" and not state.acting:
            self._enter_phase(state, self._policy.end_phase(state))
        else:
            self._move_on(state)

    def tidy(self, before: TableBattle, after: TableBattle, events: Sequence[Event]) -> None:
        """Bring every unit back to its place. Contact stays, or begins, where units touch at the end of the act."""
        pairs = {Pair((unit.id, foe.id)) for unit in after.on_table() for foe in after.touching(unit)}
        after.field = before.layout if pairs == before.layout.contacts else before.layout.fresh(pairs)
        for unit in after.on_table():
            unit.at = after.layout.home(unit.id)

    def acting_side(self, state: TableBattle) -> str:
        return state.units[state.acting].side if state.acting else ""

    def headline(self, state: TableBattle) -> str:
        acting = [self.game.narrator.name_of(state.acting)] if state.acting else []
        return self.game.display.headline(state, *acting)

    # --- the book -----------------------------------------------------------------------------------------------------

    def title_of(self, state: TableBattle, act: CompanionAct[TableBattle], scene: Scene) -> str:
        enemy, what = _enemy_of(state, scene) if scene.actor else _NONE, scene.answers.get("what")
        if enemy or what is None:
            return super().title_of(state, act, replace(scene, target=scene.target or enemy))
        words = dict(_option_texts(self._steps[act.name], _first_options, state, scene))
        return f"{self.game.narrator.name_of(scene.actor)}: {words[what]}"

    def unit_line(self, state: TableBattle, unit: str) -> str:
        unit_record = state.units[unit]
        if unit_record.at is None:
            return unit_record.gone or "still to arrive"
        in_contact = [foe.spec.name for foe in state.touching(unit_record)]
        line = unit_line(unit_record).partition(", ")[2]
        return f"{line}, in contact with {', '.join(in_contact)}" if in_contact else line

    def strength_boxes(self, state: TableBattle, unit: str) -> tuple[int, int]:
        unit_record = state.units[unit]
        return (0 if unit_record.gone else unit_record.figures), unit_record.spec.figures

    def is_on_table(self, state: TableBattle, unit: str) -> bool:
        return state.units[unit].at is not None

    def bring_back(self, state: TableBattle, unit: str) -> None:
        unit_record = state.units[unit]
        unit_record.at, unit_record.gone, unit_record.figures = state.layout.home(unit), "", max(1, unit_record.figures)
        state.arrivals.pop(unit, None)


def _lay_out_all(battle: TableBattle, scene: Scene) -> None:
    """Lay out an act of all units, with those that leave if they fall back."""
    _place(battle, scene, _NONE, 0.0, scene["over"])


def _steps_of(game: SimpleGame) -> Iterator[_Step]:
    for phase in game.policy.phases.values():
        for stage in phase.stages:
            name = f"{phase.step}.{stage}"
            yield _Step(name, game.sequence.steps[name], phase.each == "unit")


def _act(
    name: str,
    title: str,
    rule: str,
    run: Callable[[Table, Any, Scene], object],
    actors: Callable[[Any], Sequence[str]],
    **more: Any,
) -> CompanionAct[TableBattle]:
    return CompanionAct(name=name, title=title, rule=rule, run=run, actors=actors, **more)
