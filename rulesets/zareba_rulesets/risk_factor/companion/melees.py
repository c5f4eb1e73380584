"""The companion act of a melee (RSK-166)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from zareba.base.exact import asind, dist
from zareba.base.grammar import join_with_and
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.bearings import direction
from zareba.space.geometry import Point
from zareba.table import Event, Table
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.charge import TOUCH
from zareba_rulesets.risk_factor.chapters.melee import FigureMatch, MeleeFacts, fight, fighters, matches
from zareba_rulesets.risk_factor.companion.book import (
    ASIDE,
    HAIR,
    REAR,
    STAGE,
    Count,
    end_melee,
    fighting_units,
    fights_to_come,
    figure_count,
    names_in_melee,
    set_positions,
    table_of,
)
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
)

_ARC = 120.0
"""The degrees of the arc in which the opponents of a single figure stand. In a wider one those at its ends would go
back through the single figure once others have fallen.
"""
_FIGHTERS = 12
"""The most groups and leaders in one melee that the companion asks about."""


def _fighter(number: int, battle: Battle, scene: Scene) -> Unit:
    return fighting_units(battle, scene)[number]


def _is_there(number: int, battle: Battle, scene: Scene) -> bool:
    return number < len(fighting_units(battle, scene))


def _in_contact(number: int, battle: Battle, scene: Scene) -> int:
    """Return how many figures of a unit are in contact, as far as the book knows."""
    return len(battle.figures_in_contact(_fighter(number, battle, scene))) if _is_there(number, battle, scene) else 0


def _fighting(number: int, battle: Battle, scene: Scene) -> int:
    """Return how many figures of a unit fight: as people say, or else as the book knows."""
    return int(scene.answers.get(f"fighters_{number}", _in_contact(number, battle, scene)))


def _units_in_melee(battle: Battle, scene: Scene) -> Choices:
    return {number: unit.spec.name for number, unit in enumerate(fighting_units(battle, scene))}


def _known_text(battle: Battle, scene: Scene) -> str:
    """The book knows how many figures of each unit fight. Where is it wrong?"""
    counted = [(_in_contact(number, battle, scene), unit) for number, unit in enumerate(fighting_units(battle, scene))]
    known = [f"{count} of {unit.spec.name}" if unit.count > 1 else unit.spec.name for count, unit in counted if count]
    others = [unit.spec.name for count, unit in counted if not count]
    said = f"These figures fight: {join_with_and(known)}{f', without {join_with_and(others)}' if others else ''}."
    return f"{said} Where is this wrong?"


def _is_wrong(number: int, battle: Battle, scene: Scene) -> bool:
    return number in scene["wrong"]


def _fights_text(number: int, battle: Battle, scene: Scene) -> str:
    """The number of figures of each unit that fight."""
    unit = _fighter(number, battle, scene)
    return (
        f"{unit.spec.name}: how many figures fight?"
        if unit.count > 1
        else f"{unit.spec.name}: 1 if he fights, 0 if not"
    )


def _up_to_its_figures(number: int, battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(_fighter(number, battle, scene).count, count)


def _up_to_its_wounded(number: int, battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(min(sum(_fighter(number, battle, scene).hurt), _fighting(number, battle, scene)), count)


def _wounds_differ(number: int, battle: Battle, scene: Scene) -> bool:
    if not _is_there(number, battle, scene):
        return False
    unit = _fighter(number, battle, scene)
    count = _fighting(number, battle, scene)
    return 0 < sum(unit.hurt) < unit.count and 0 < count < unit.count


def _wounded_text(number: int, battle: Battle, scene: Scene) -> str:
    """The number of wounded figures among these."""
    return f"{_fighter(number, battle, scene).spec.name}: how many of them are wounded?"


def _went_back(number: int, battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if a unit of the melee goes back."""
    names = names_in_melee(battle, scene.actor)
    pushed = [event.data["unit"] for event in events if event.kind == "pushed back"]
    return number < len(names) and names[number] in pushed


def _some_went_back(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "pushed back" for event in events)


def _pushed_units(battle: Battle, scene: Scene) -> Choices:
    """Return the units that go back."""
    pushed = {event.data["unit"] for event in scene.events if event.kind == "pushed back"}
    names = names_in_melee(battle, scene.actor)
    return {number: battle.units[name].spec.name for number, name in enumerate(names) if name in pushed}


def _pushed_text(battle: Battle, scene: Scene) -> str:
    """Which of the units that go back have figures without room?"""
    names = list(_pushed_units(battle, scene).values())
    return f"{join_with_and(names)} must go back. Who has figures without room for that?"


def _has_no_room(number: int, battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return number in scene["cornered"] and _went_back(number, battle, scene, events)


def _room_text(number: int, battle: Battle, scene: Scene) -> str:
    """The number of figures of each losing unit that have no room to go back."""
    return f"{_fighter(number, battle, scene).spec.name} must go back: how many figures have no room?"


def _some_stuck_are_wounded(number: int, battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if it matters which figures have no room: a second wound kills (RSK-180)."""
    if not _has_no_room(number, battle, scene, events) or not scene[f"stuck_{number}"]:
        return False
    unit = battle.units[names_in_melee(battle, scene.actor)[number]]
    return bool(unit.hurt) and any(unit.hurt)


def _stuck_wounded_text(number: int, battle: Battle, scene: Scene) -> str:
    """The number of figures among these that were wounded before."""
    return f"{_fighter(number, battle, scene).spec.name}: how many of these were wounded before?"


def _up_to_its_stuck(number: int, battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(min(sum(_fighter(number, battle, scene).hurt), scene[f"stuck_{number}"]), count)


def _storms(battle: Battle, scene: Scene) -> bool:
    return any("charger" in unit.marks for unit in fighting_units(battle, scene))


def _leaders_in_front(battle: Battle, scene: Scene) -> Choices:
    """Return the leaders of the larger side who may stand before its men, so that they meet the first opponents.

    Only leaders of a side that has charged are matched among its men, unless a setting says otherwise (RSK-182).
    """
    fighting = {unit.id: _fighting(n, battle, scene) for n, unit in enumerate(fighting_units(battle, scene))}
    units = [battle.units[name] for name, count in fighting.items() if count]
    ours, theirs = (
        sum(fighting[unit.id] for unit in units if (unit.spec.side == battle.side) is active)
        for active in (True, False)
    )
    side = battle.side if ours > theirs else battle.enemy(battle.side)
    has_charged = side == battle.side and any(u.spec.side == side and "charged" in u.marks for u in units)
    larger = [unit for unit in units if unit.spec.side == side]
    if all(unit.spec.leader for unit in larger) or (battle.book.settings.melee_leaders == "last" and not has_charged):
        return {}
    return {unit.id: unit.spec.name for unit in larger if unit.spec.leader}


def _lay_out_fighters(battle: Battle, scene: Scene) -> None:
    """Bring the figures that fight together, and take the others out of reach (RSK-164)."""
    for number, unit in enumerate(fighting_units(battle, scene)):
        count, wounded = scene[f"fighters_{number}"], scene[f"wounded_{number}"]
        ahead = -1.0 if unit.spec.side == battle.order[0] else 1.0
        hurt = [index for index in range(unit.count) if unit.hurt[index]]
        sound = [index for index in range(unit.count) if not unit.hurt[index]]
        hurt_fighters = max(wounded, count - len(sound))
        fighters = {*sound[: count - hurt_fighters], *hurt[:hurt_fighters]}
        away = (ASIDE, STAGE + ahead * ASIDE)
        set_positions(unit, [(ASIDE, STAGE) if index in fighters else away for index in range(unit.count)])
    field = table_of(battle).new_plain()
    field.obstacle = scene["obstacle"]
    battle.field = field


def _fight(table: Table, battle: Battle, scene: Scene) -> None:
    """Match the fighters, set them face to face, and fight (RSK-164, RSK-174)."""
    units = fighting_units(battle, scene)
    names = names_in_melee(battle, scene.actor)
    pairs = pairs_of(table, battle, scene)
    if not pairs:
        end_melee(battle, scene.actor)
        return
    _face_off(battle, units, pairs, scene)
    fight(table, battle, tuple(names), pairs)


def pairs_of(table: Table, battle: Battle, scene: Scene) -> list[FigureMatch]:
    """Match the fighters of a layout (RSK-164).

    The layout cannot say which opponents a leader meets. Leaders in front, as people see them, come first, and the
    others after their men.
    """
    units = [unit for unit in fighting_units(battle, scene) if battle.figures_in_contact(unit)]
    pairs = matches(table, battle, units)
    if not pairs:
        return []

    def place(figure: Figure) -> int:
        if not battle.units[figure.unit_id].spec.leader:
            return 1
        return 0 if figure.unit_id in scene["front"] else 2

    paired = [other for pair in pairs for other in pair.several]
    side = battle.units[paired[0].unit_id].spec.side
    behind = [other for other in fighters(battle, units)[side] if other not in paired]
    ordered = iter(sorted([*paired, *behind], key=place))
    return [FigureMatch(pair.single, [next(ordered) for _ in pair.several]) for pair in pairs]


def _face_off(battle: Battle, units: Sequence[Unit], pairs: Sequence[FigureMatch], scene: Scene) -> None:
    """Set the matches side by side, each single figure with its opponents before it, and the others behind."""
    places: dict[tuple[str, int], Point] = {}
    x = ASIDE
    for match in pairs:
        single = battle.units[match.single[0]]
        ahead = 180.0 if single.spec.side != battle.order[0] else 0.0
        round_it = _opponents_round(battle, single, match, ahead)
        wide = max(
            [single.body.radius, *(abs(dx) + battle.units[name].body.radius for (name, _), (dx, _) in round_it.items())]
        )
        x += wide
        places[match.single] = (x, STAGE)
        places |= {other: (x + dx, STAGE + dy) for other, (dx, dy) in round_it.items()}
        x += wide + 2 * TOUCH
    for unit in units:
        behind = -1.0 if unit.spec.side == battle.order[0] else 1.0
        free = [index for index in range(unit.count) if (unit.id, index) not in places]
        for index in free:
            x += 3 * unit.body.radius
            places[unit.id, index] = (x, STAGE + behind * REAR)
    for unit in units:
        set_positions(unit, [places[unit.id, index] for index in range(unit.count)])
    stuck = {u.id: (scene[f"stuck_{n}"], scene[f"stuck_wounded_{n}"]) for n, u in enumerate(units)}
    table_of(battle).has_no_room = _barred(battle, stuck)


def _barred(battle: Battle, stuck: Mapping[str, tuple[int, int]]) -> Callable[[Point], bool]:
    """Return a test for the places to which figures without room would go back: those of so many survivors of each
    unit, and so many of them wounded, the fighters first (RSK-180).
    """
    cm, starts = battle.book.lengths["push_back"], dict[str, list[Point]]()

    def cornered(unit: Unit, hurt: bool, count: int) -> list[Point]:
        able = [at for at, wounded in zip(unit.body.at, unit.hurt, strict=True) if wounded == hurt]
        return sorted(able, key=lambda at: abs(at[1] - STAGE) >= REAR)[:count]

    def has_no_room(end: Point) -> bool:
        for name, (count, wounded) in stuck.items():
            if name not in starts:  # at the first figure that goes back, after the losses
                unit = battle.units[name]
                before = max(wounded, count - unit.hurt.count(False))
                starts[name] = [*cornered(unit, False, count - before), *cornered(unit, True, before)]
        return any(abs(dist(end, start) - cm) < HAIR for own in starts.values() for start in own)

    return has_no_room


def _opponents_round(battle: Battle, single: Unit, match: FigureMatch, ahead: float) -> dict[tuple[str, int], Point]:
    """Return where the opponents of a figure stand, seen from it: in an arc before it. Their ways back stay free if
    some of them fall.
    """
    widest = max(battle.units[name].body.radius for name, _ in match.several)
    away = single.body.radius + widest + TOUCH
    step = 2 * asind(widest / away) + 0.5
    in_front = int(_ARC / step) + 1
    found: dict[tuple[str, int], Point] = {}
    for place, other in enumerate(match.several):
        rank, file = divmod(place, in_front)
        files = min(in_front, len(match.several) - rank * in_front)
        dx, dy = direction(ahead + (file - (files - 1) / 2) * step)
        length = away - widest + battle.units[other[0]].body.radius + rank * (2 * widest + 2 * TOUCH)
        found[other] = (dx * length, dy * length)
    return found


def _melee_asks() -> Iterator[Asked[Battle]]:
    """Yield the questions of a melee: how many figures of each unit fight, and how many of them are wounded."""
    yield Asked("wrong", _known_text, default=(), choices=_units_in_melee, many=True)
    for number in range(_FIGHTERS):
        yield Asked(
            f"fighters_{number}",
            partial(_fights_text, number),
            default=partial(_in_contact, number),
            when=partial(_is_wrong, number),
            kind=Count,
            measured=partial(_up_to_its_figures, number),
        )
        yield Asked(
            f"wounded_{number}",
            partial(_wounded_text, number),
            default=0,
            when=partial(_wounds_differ, number),
            kind=Count,
            measured=partial(_up_to_its_wounded, number),
        )
    yield Asked(
        "front",
        "Which leaders fight in front of their men? The others meet the last opponents.",
        default=(),
        choices=_leaders_in_front,
        many=True,
    )
    yield Asked("obstacle", "Do they fight across an obstacle?", default=False, kind=bool, when=_storms)
    yield Asked("cornered", _pushed_text, default=(), choices=_pushed_units, many=True, after=_some_went_back)
    for number in range(_FIGHTERS):
        yield Asked(
            f"stuck_{number}",
            partial(_room_text, number),
            default=0,
            kind=Count,
            after=partial(_has_no_room, number),
            measured=partial(_up_to_its_figures, number),
        )
        yield Asked(
            f"stuck_wounded_{number}",
            partial(_stuck_wounded_text, number),
            default=0,
            kind=Count,
            after=partial(_some_stuck_are_wounded, number),
            measured=partial(_up_to_its_stuck, number),
        )


MELEE: CompanionAct[Battle] = CompanionAct(
    name="melee",
    title="fight its melee",
    rule="RSK-166",
    run=_fight,
    actors=fights_to_come,
    facts=MeleeFacts,
    asks=tuple(_melee_asks()),
    lay_out=_lay_out_fighters,
    out_of_turn=False,
    roll_groups=(frozenset({"melee"}),),
)
