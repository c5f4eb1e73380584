"""Questions and layouts that several companion acts of Paychest share: figures, contact, ranges and cover."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_and, join_with_or
from zareba.companion import Asked, Choices, Scene
from zareba.space import Point, TerrainLine
from zareba.table import Answer, Event, Table
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FiringUnit
from zareba_rulesets.paychest.actions.wording import plain_name
from zareba_rulesets.paychest.chapters.morale import morale_order, must_check
from zareba_rulesets.paychest.chapters.sight import DOWN, raise_touched
from zareba_rulesets.paychest.chapters.targets import STRETCH
from zareba_rulesets.paychest.companion.real_table import (
    AWAY,
    COVER_WORDS,
    COVERS,
    DETAIL,
    END,
    EXPOSURES,
    MELEE_STAGE,
    MOUNTS_APART,
    MOVE,
    note_contacts,
    place_of,
    real_table_of,
    with_contacts,
    without_contacts_of,
)
from zareba_rulesets.paychest.forces.battle import Bands, Battle, band_of
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.ground import Shelter


def phasing_units(battle: Battle) -> list[str]:
    return [battle.acting] if battle.acting else []


def units_on_table(battle: Battle) -> list[str]:
    return [key for key, unit in battle.units.items() if unit.has_able_figures]


def enemy_units(battle: Battle, unit: str) -> list[str]:
    return [enemy.spec.id for enemy in battle.enemies(battle.unit(unit).spec.side)]


AbleTest = Callable[[Battle, Unit], object]


ABLE_TESTS: dict[str, AbleTest] = {}
"""The test of each act, which says if a unit may do it."""


def units_that(name: str, able: AbleTest) -> Callable[[Battle], list[str]]:
    """Return a function for the units on the table that pass the test of an act."""
    ABLE_TESTS[name] = able
    return lambda battle: [key for key in units_on_table(battle) if able(battle, battle.unit(key))]


def units_with_enemies_that(name: str, able: AbleTest) -> Callable[[Battle], list[str]]:
    """Return a function for the units that pass a test and have an enemy on the table."""
    return units_that(name, lambda battle, unit: able(battle, unit) and any(battle.enemies(unit.spec.side)))


def is_to_mount(option: Any) -> bool:
    return isinstance(option, tuple) and option[:2] == ("mount", "up")


def own_guns(battle: Battle, unit: Unit) -> list[str]:
    return [key for key in battle.guns_of(unit) if not battle.engines[key].carrier]


def next_to_check(battle: Battle) -> list[str]:
    """Return the next unit that checks morale, in the order of the cards (PAY-064)."""
    due = [key for key in battle.waiting if key in battle.units and must_check(battle, battle.unit(key))]
    return due[:1] if battle.stage == END else []


def figure_choices(battle: Battle, figures: Iterable[str]) -> Choices:
    return {key: figure_name(battle, key) for key in figures}


def figure_name(battle: Battle, key: str) -> str:
    """Return the name of a figure with its wounds."""
    figure = battle.figure(key)
    notes = [wound.replace("_", " ") for wound in figure.wounds] + sorted(figure.marks & {"down", "back turned"})
    return plain_name(battle, key) + (f" ({', '.join(notes)})" if notes else "")


def _runs(events: Sequence[Event]) -> list[Event]:
    """Return the forced moves of an act in which someone moves."""
    return [event for event in events if event.kind in ("forced move", "figures ran") and event.data["figures"]]


def _runner_choices(number: int) -> Callable[[Battle, Scene], Choices]:
    """Return the figures that one of the forced moves of an act may take over the edge."""

    def choices(battle: Battle, scene: Scene) -> Choices:
        run, events = _runs(scene.events)[number], scene.events
        lost = {event.data["figure"] for event in events if event.kind == "loss" and event.data.get("fate") != "off"}
        woken = {event.data["figure"] for event in events if event.kind == "came round"}
        men = [
            man
            for key, man in battle.unit(run.data["unit"]).figures.items()
            if (man.fate == "able" or key in woken) and key in run.data.get("ran", (key,))
        ]
        off = {*lost, *men_off_table(scene)}
        return figure_choices(
            battle, [man.spec.id for man in men if man.spec.id not in off and ("lame" not in man.marks or man.mount)]
        )

    return choices


def _has_run(number: int) -> Callable[[Battle, Scene, Sequence[Event]], bool]:
    return lambda battle, scene, events: len(_runs(events)) > number


def _crossing_question(number: int) -> Callable[[Battle, Scene], str]:
    def question(battle: Battle, scene: Scene) -> str:
        """Who of those that run crosses the edge of the table?"""
        said = describe_run(scene.game.narrator, _runs(scene.events)[number])
        return f"{said}. Who crosses the edge of the table?"

    return question


def describe_run(narrator: Any, event: Event) -> str:
    """Return a forced move as a sentence that tells people where to move which figures, and how far."""
    said, more = narrator.describe_event(event), _run_in_words(narrator.name_of, event)
    found = more if event.kind == "figures ran" and more else ", ".join(filter(None, (said, more)))
    return f"{found}, {_way_of_run(narrator.game, event.data['unit'])}"


def _way_of_run(game: Any, unit: str) -> str:
    """Return in words where the forced moves of a unit go (PAY-163)."""
    has_edge = game.plan.units[unit].side in game.plan.field.home_edges
    if has_edge and game.book.settings.retreat_direction == "home_edge":
        return "towards its own table edge"
    return "straight away from the nearest enemy"


def _run_in_words(name_of: Callable[[str], str], event: Event) -> str:
    """Return which figures of a unit ran how far, or that some run only half as far; "" for an event without these."""
    if event.kind == "forced move" and event.data.get("slow"):
        return f"{join_with_and(map(name_of, event.data['slow']))} only half as far, with a leg wound"
    if event.kind != "figures ran" or not event.data.get("ran"):
        return ""
    pairs = zip(event.data["ran"], event.data["inches"], strict=True)
    return join_with_and(f"{name_of(man)} ran {amount(inches, 'inch', 'inches')}" for man, inches in pairs)


def men_off_table(scene: Scene) -> list[str]:
    """Return the figures that ran off the table in this act, according to the people at it."""
    return [man for asked in OVER_EDGE for man in scene.answers.get(asked.fact) or ()]


_CLEAR = 4.0
"""Inches between men in a layout whose bases may not overlap."""
_BEHIND = 3.5
"""Inches from passengers to their conveyance in a layout: so near that it counts, and too far for others to touch it.
"""


_MOST_RUNS = 6
"""The most forced moves of one act after which people are asked who leaves the table."""


STAND_OR_RUN = frozenset({"stand or run"})
"""The purpose of the rolls of single figures that stand or run, which people throw in one go."""


OVER_EDGE: tuple[Asked[Battle], ...] = tuple(
    Asked(
        f"over_{number + 1}" if number else "over",
        _crossing_question(number),
        default=(),
        choices=_runner_choices(number),
        many=True,
        after=_has_run(number),
    )
    for number in range(_MOST_RUNS)
)
"""Who leaves the table in each forced move of an act. A melee may have several."""


def lay_out_runners(battle: Battle, scene: Scene, covers: Mapping[Point, tuple[Shelter, ...]] | None = None) -> None:
    """Lay out cover, and the figures that run off the table each at a separate point.

    A man who comes round in the act stands clear of the others, who would push him aside.
    """
    leaving = set()
    for number, key in enumerate(men_off_table(scene), start=1):
        figure = battle.change_figure(key)
        if figure.at is not None:
            apart = number / 1000 if figure.able else _CLEAR * number
            figure.at = figure.at if figure.aboard else (figure.at[0] + apart, figure.at[1])
            leaving.add(figure.at)
            battle.unit_of(figure).measure()
    battle.field = real_table_of(battle).with_layout(covers=covers, leaving=leaving)


def enemy_met(scene: Scene) -> str:
    return scene.target or str(scene.answers.get("met") or "")


def count_order(battle: Battle, unit: str, actor: str) -> list[str]:
    """Return the figures of a unit in the order in which people count them into contact: leaders last.

    Men of the acting unit who cannot walk come after its leaders, because they reach no one (PAY-120).
    """
    able = sorted(battle.unit(unit).able, key=battle.is_leader)
    return [man.spec.id for man in sorted(able, key=lambda man: unit == actor and not man.can_walk)]


def touch_check(whose: Callable[[Scene], str]) -> Callable[[Battle, Scene, float], int]:
    """Return a check for a number of figures: a unit must have so many."""

    def check(battle: Battle, scene: Scene, count: float) -> int:
        unit = battle.unit(whose(scene))
        if count != int(count) or not 1 <= count <= len(unit.able):
            raise ZarebaError(f"{unit.spec.name} has {amount(len(unit.able), 'able figure')}, not {count:g}")
        return int(count)

    return check


def leaders_met(battle: Battle, scene: Scene) -> Choices:
    """Return the leaders who may be among the figures in contact."""
    men = [*battle.unit(scene.actor).able, *battle.unit(enemy_met(scene)).able]
    return figure_choices(battle, [man.spec.id for man in men if battle.is_leader(man)])


def enemies_touched_text(battle: Battle, scene: Scene) -> str:
    """How many of the enemies do they touch?"""
    return f"How many of {battle.unit(enemy_met(scene)).spec.name} do they touch?"


def _own_touching_text(battle: Battle, scene: Scene) -> str:
    """How many of the unit touch the enemies?"""
    return f"How many of {battle.unit(scene.actor).spec.name} touch {battle.unit(enemy_met(scene)).spec.name}?"


def _men_who_meet(battle: Battle, scene: Scene) -> int | None:
    """Return how many figures touch if all who can walk reach the enemy, each another one; None if they meet no one."""
    enemy, own = enemy_met(scene), battle.unit(scene.actor).able
    walking = sum(man.can_walk for man in own) or len(own)
    return min(walking, len(battle.unit(enemy).able)) if enemy else None


def _enemies_who_meet(battle: Battle, scene: Scene) -> int | None:
    """Return how many enemies the figures touch if each touches another one."""
    enemy, ours = enemy_met(scene), scene.answers.get("ours")
    return min(int(ours), len(battle.unit(enemy).able)) if enemy and ours else _men_who_meet(battle, scene)


_OTHER_NUMBER, _LEADERS = "theirs", "leaders"
"""The facts that may differ from an ordinary contact; each has its own question of that name."""


def _unusual_contacts(battle: Battle, scene: Scene) -> Choices:
    """Return what may differ from a contact of men who each touch another enemy, with their leaders behind them."""
    usual = _enemies_who_meet(battle, scene) or 0
    counts = ((scene.actor, int(scene["ours"])), (enemy_met(scene), usual))
    behind = [key for unit, count in counts for key in count_order(battle, unit, scene.actor)[count:]]
    leaders = [plain_name(battle, key) for key in behind if battle.is_leader(battle.figure(key))]
    enemy, found = battle.unit(enemy_met(scene)), {}
    if len(enemy.able) > 1:
        found[_OTHER_NUMBER] = f"they touch more or fewer than {usual} of {enemy.spec.name}"
    if leaders:
        found[_LEADERS] = f"{join_with_or(leaders)} touches an enemy"
    return found


def _is_unusual(fact: str) -> Callable[[Battle, Scene], bool]:
    """Return a function that tells if people have said that a contact is unusual in some way."""
    return lambda battle, scene: fact in (scene.answers.get("unusual") or ())


def _is_counted_by_book(battle: Battle, scene: Scene) -> bool:
    """Return True if people have not counted the enemies in contact already, as entries of older evenings have."""
    return _OTHER_NUMBER not in scene.answers


def touch_questions(after: Callable[[Battle, Scene, Sequence[Event]], bool] | None) -> tuple[Asked[Battle], ...]:
    """Return the questions about the figures that touch the enemy unit."""
    count = Annotated[int, Ge(1)]
    return (
        Asked(
            "ours", _own_touching_text, _men_who_meet, kind=count, after=after,
            measured=touch_check(lambda s: s.actor),
        ),
        Asked(
            "unusual", "Is anything unusual about this contact?", default=(), choices=_unusual_contacts, many=True, after=after, when=_is_counted_by_book,
        ),
        Asked(
            "theirs", enemies_touched_text, _enemies_who_meet, kind=count, after=after, when=_is_unusual(_OTHER_NUMBER),
            measured=touch_check(enemy_met),
        ),
        Asked(
            "leaders", "Which leaders are among them?", default=(), choices=leaders_met, many=True, after=after,
            when=_is_unusual(_LEADERS),
        ),
    )  # fmt: skip


def raise_figures_touched(table: Table, battle: Battle, unit: str) -> None:
    """Make figures that went down stand up if they are touched. All others who are down keep their cover (PAY-086)."""
    field = real_table_of(battle)
    down = [man for other in battle.units.values() for man in other.able if DOWN in man.marks]
    battle.field = field.with_layout(covers={man.at: (COVERS["hard"],) for man in down if man.at is not None})
    for name in {man.spec.unit for man in down}:
        battle.change(name).measure()
    raise_touched(table, battle, battle.change(unit))
    battle.field = field


def note_contact(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that figures of two units touch: each man one enemy, and the rest as second men (PAY-136)."""
    if not enemy_met(scene):
        return
    named = scene["leaders"] or ()
    ours, theirs = (
        sorted(count_order(battle, unit, scene.actor), key=lambda key: key not in named)[:count]
        for unit, count in ((scene.actor, scene["ours"]), (enemy_met(scene), scene["theirs"]))
    )
    pairs = [(ours[n % len(ours)], theirs[n % len(theirs)]) for n in range(max(len(ours), len(theirs)))]
    note_contacts(battle, with_contacts(real_table_of(battle).contacts, pairs))
    touching = {"ours": len(ours), "theirs": len(theirs)}
    table.emit("touches", "PAY-137", unit=scene.actor, target=enemy_met(scene), **touching)
    raise_figures_touched(table, battle, scene.actor)


def note_departure(battle: Battle, unit: Unit, figures: Collection[str]) -> None:
    """Note that figures have moved: until people say otherwise, they touch no one."""
    battle.waiting = [*battle.waiting, *sorted(figures)]
    note_contacts(battle, without_contacts_of(real_table_of(battle).contacts, figures))
    unit.measure()


def bring_close(battle: Battle, unit: Unit, *, mounts: bool = False) -> None:
    """Put the conveyances of a side where a unit is, and loose mounts next to its men.

    The book has no distances, so it treats all of these as close; people see which really are.
    """
    home = place_of(battle, unit.spec.id)
    for key, engine in list(battle.engines.items()):
        if engine.side == unit.spec.side and engine.at is not None and engine.kind in battle.book.file.conveyances:
            for name in engine.aboard:
                battle.change_figure(name).at = home
                battle.unit_of(battle.figure(name)).measure()
            battle.engines.change(key).at = home
    loose = [key for key, thing in battle.things.items() if mounts and thing.kind == "mount" and thing.at is not None]
    afoot = [key for key, figure in unit.figures.items() if figure.able and not figure.mount and not figure.aboard]
    own = {key: f"mount of {key}" for key in afoot if f"mount of {key}" in loose}
    others = [mount for mount in loose if mount not in own.values()]
    pairs = own | dict(zip([key for key in afoot if key not in own], others, strict=False))
    for number, (key, mount) in enumerate(pairs.items()):  # each man beside his own mount
        unit.figures[key].at = (home[0] + MOUNTS_APART * number, home[1] + MOUNTS_APART)
        battle.change_thing(mount).at = unit.figures[key].at
    unit.measure()
    for carried in [key for key, engine in battle.engines.items() if engine.carrier]:
        battle.engines.change(carried).at = battle.engines[battle.engines[carried].carrier].at


def lay_out_other_move(battle: Battle, scene: Scene) -> None:
    bring_close(battle, battle.change(scene.actor), mounts=is_to_mount(scene.answers.get("what")))


def able_figures_of(whose: Callable[[Scene], str]) -> Callable[[Battle, Scene], Choices]:
    return lambda battle, scene: figure_choices(battle, [figure.spec.id for figure in battle.unit(whose(scene)).able])


BandsOf = Callable[[Battle, Scene], dict[str, Bands]]


def range_choices(bands: BandsOf) -> Callable[[Battle, Scene], Choices]:
    """Return the choices of a range: each limit of a band in inches, with the band of each weapon there."""

    def choices(battle: Battle, scene: Scene) -> Choices:
        known = bands(battle, scene)
        limits = sorted({limit for own in known.values() for _, limit in own})
        words_of = {
            limit: " and ".join(dict.fromkeys(
                (f"{weapon.replace('_', ' ')} " if len(known) > 1 else "") + band
                for weapon, own in known.items() if (band := band_of(own, limit))
            ))
            for limit in limits
        }  # fmt: skip
        return {limit: f"{word}, up to {limit:g} inches" for limit, word in words_of.items()}

    return choices


def range_check(bands: BandsOf) -> Callable[[Battle, Scene, float], float]:
    """Return a function that takes a measured range, adds the altitude of flyers, and returns the limit of its band."""

    def measured(battle: Battle, scene: Scene, inches: float) -> float:
        limits = sorted({limit for own in bands(battle, scene).values() for _, limit in own})
        true_range = inches + altitude_inches(battle, scene)
        found = next((limit for limit in limits if true_range <= limit), None)
        if found is None:
            raise ZarebaError(f"the range is up to {limits[-1]:g} inches, not {true_range:g} (PAY-008)")
        return found

    return measured


def altitude_inches(battle: Battle, scene: Scene) -> float:
    """Return the inches that the altitude of flyers adds to a range (PAY-082)."""
    carriers = {figure.aboard for unit in (scene.actor, scene.target) for figure in battle.unit(unit).able} - {""}
    return sum(battle.engines[key].altitude for key in carriers) * float(battle.book.file.altitude.inches_a_step)


def range_question(bands: BandsOf, when: Callable[[Battle, Scene], bool] | None = None) -> Asked[Battle]:
    question = "How far from {actor} to {target}?"
    return Asked("range", question, choices=range_choices(bands), unit="inches", measured=range_check(bands), when=when)


def hits_by_parts(battle: Battle) -> bool:
    """Return True if small arms too hit only the exposed parts of a body (PAY-188)."""
    return bool(battle.book.settings.exposure_check == "all_fire")


def cover_choices(guns: bool) -> Callable[[Battle, Scene], Choices]:
    def choices(battle: Battle, scene: Scene) -> Choices:
        return {key: COVER_WORDS[key] for key in (EXPOSURES if guns or hits_by_parts(battle) else COVERS)}

    return choices


def wants_detail(battle: Battle, scene: Scene) -> bool:
    return scene.answers.get("who") == DETAIL


def other_unit_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.unit(key).spec.name for key in enemy_units(battle, scene.actor) if key != scene.target}


def target_figures(battle: Battle, scene: Scene) -> list[str]:
    """Return the figures of the target, and of the units along the same stretch, that may be hit."""
    units = [battle.unit(key) for key in battle.units if key in (scene.target, *(scene.answers.get("along") or ()))]
    return [
        man.spec.id for unit in units for man in unit.able if man.spec.id not in (scene.answers.get("spared") or ())
    ]


def target_choices(battle: Battle, scene: Scene) -> Choices:
    return figure_choices(battle, target_figures(battle, scene))


def _some_differ(battle: Battle, scene: Scene) -> bool:
    return bool(scene.answers.get("differing"))


FIRE_DETAIL: tuple[Asked[Battle], ...] = (
    Asked("along", "Which other units stand along the same stretch?", default=(), choices=other_unit_choices, many=True, when=wants_detail),
    Asked("spared", "Who cannot be hit: out of sight, in contact, or apart from the rest?", default=(), choices=target_choices, many=True, when=wants_detail),
)  # fmt: skip


def differing_cover(
    question: str | Callable[[Battle, Scene], str], who: Callable[[Battle, Scene], Choices], *, guns: bool
) -> tuple[Asked[Battle], ...]:
    """Return the questions about figures with another cover, and about that cover."""
    return (
        Asked("differing", question, default=(), choices=who, many=True, when=wants_detail),
        Asked("other_cover", "Which cover is that?", choices=cover_choices(guns=guns), when=_some_differ),
    )


def lay_out_targets(battle: Battle, scene: Scene) -> dict[str, Point]:
    """Put the target figures on the stage, each at a separate point, and those that cannot be hit far away.

    A conveyance stands behind its passengers, who have cover in it (PAY-080), out of touch with the men on foot.
    """
    (x, y), spared = real_table_of(battle).stage, set(scene["spared"] or ())
    found: dict[str, Point] = {}
    for name in (scene.target, *(scene["along"] or ())):
        unit = battle.change(name)
        for figure in unit.able:
            key = figure.spec.id
            found[key] = (x - AWAY, y) if key in spared else (x + len(found) * 1e-6, y)
            figure.at = found[key]
            if figure.aboard:
                battle.engines.change(figure.aboard).at = (x, y + _BEHIND)
        for key in battle.guns_of(unit):
            if battle.engines[key].mount == "emplacement":
                battle.engines.change(key).at = (x, y)
        unit.measure()
    return {key: at for key, at in found.items() if key not in spared}


def lay_out_runners_from(
    battle: Battle, scene: Scene, targets: Mapping[str, Point], kinds: Mapping[str, Shelter], aside: Collection[str]
) -> None:
    """Lay out the cover of targets and the figures that run off the table.

    For firers in `aside`, who stand to the east, another cover counts; otherwise some of the targets may have another.
    """
    main, other = kinds[scene["cover"]], kinds[scene["other_cover"] or scene["cover"]]
    places = dict(targets)
    for number, key in enumerate(men_off_table(scene), start=1):
        if key in places:  # as `lay_out_runners` places him
            places[key] = (places[key][0] + number / 1000, places[key][1])
    covers: dict[Point, tuple[Shelter, ...]] = {}
    x, y = real_table_of(battle).stage
    south, east = TerrainLine([(x - 5, y - 0.4), (x + 5, y - 0.4)]), TerrainLine([(x + 1.5, y - 5), (x + 1.5, y + 5)])
    for key, at in places.items():
        if aside:
            covers[at] = (main._replace(line=south), other._replace(line=east))
        else:
            covers[at] = (other if key in (scene["differing"] or ()) else main,)
        covers[at] = tuple(shelter for shelter in covers[at] if shelter.cover != "none")
    lay_out_runners(battle, scene, {at: found for at, found in covers.items() if found})


def fire_as(table: Table, battle: Battle, unit: Unit, option: Any) -> None:
    """Do an action of the fire step."""
    actions = FIRE_ACTIONS.for_session(battle.book.rules)
    action = actions.action_of(option)
    assert action is not None, "only actions of the table are done"
    actions.perform(action, table, FiringUnit(battle, unit))


def aimed_at(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the group that people aim at, or else the stretch on which the targets stand (PAY-094, PAY-098)."""
    options = list(question.options)
    group = [option for option in options if isinstance(option, tuple) and option[0] == scene.target]
    if group and not scene["along"]:
        return cast(Answer, group[0])
    if STRETCH in options:
        return STRETCH
    raise ZarebaError(f"{battle.unit(scene.actor).spec.name} may not fire at that (PAY-094, PAY-096, PAY-102)")


def stand_on_stage(battle: Battle, scene: Scene, question: Any) -> Answer:
    at = real_table_of(battle).stage
    if refusal := question.legal(at):
        raise ZarebaError(refusal)
    return at


def enter_stage(battle: Battle) -> None:
    """Note which actions or units are waiting in the stage that has begun."""
    waiting = {MOVE: [MOVE], MELEE_STAGE: [MELEE_STAGE], END: morale_order(battle)}
    battle.waiting = waiting.get(battle.stage, [])


TO_STAGE = {"stretch from": stand_on_stage, "stretch to": stand_on_stage}
