"""The book of Fixed Bay'net at a real table: the plain, cover, ranges, who may act, and corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar

from annotated_types import Ge

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, middle_of
from zareba.table import Answer, Table
from zareba_rulesets.fixed_baynet.book.tables import BANDS, TerrainRow
from zareba_rulesets.fixed_baynet.chapters.contact import in_contact, may_be_in_contact
from zareba_rulesets.fixed_baynet.chapters.hits import FATAL, set_wounds
from zareba_rulesets.fixed_baynet.chapters.morale import unit_glory
from zareba_rulesets.fixed_baynet.chapters.sight import visibility
from zareba_rulesets.fixed_baynet.chapters.targets import firers, target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.presentation.umpire_editor import FbnUmpireEditor

APART = 400.0
"""The distance in inches between the places of two units: more than the range of the heaviest gun."""


ROW, _DEPTH = 1000.0, 1400.0
"""The places where units rest, and the depth of the plain, in inches."""


STAGE: Point = (250.0, 30.0)
"""The place where the target of an act stands, far from all units at rest and in range of every gun from the west."""


_SMALL = (320.0, 80.0)
"""The size of the plain with cover on it: an index of the cover on the whole plain would take too long."""


HAIR = 1e-3
"""Distances are laid out this much shorter, so that rounding never moves a man into the next range."""


EAST, WEST = 90.0, 270.0


_SPARE_PLACES = 30
"""Places for units that are formed in play (FBN-159)."""


Count = Annotated[int, Ge(0)]


Inches = Annotated[float, Ge(0)]


@dataclass
class Plain(Field):
    """The ground of the book. `contacts` has how many men of a unit touch an enemy unit, by (unit, enemy)."""

    contacts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def copy_with(self, **changes: Any) -> Plain:
        """Return a copy with changes."""
        return Plain(
            **{attribute.name: getattr(self, attribute.name) for attribute in fields(Plain) if attribute.init} | changes
        )


def plain_of(battle: Battle) -> Plain:
    """Return the plain on which a battle of the book stands."""
    assert isinstance(battle.field, Plain), "the book stands on the plain"
    return battle.field


def plain_for(ground: Field, units: int) -> Plain:
    """Return an open plain for so many units, with what the rules need of the field of the scenario."""
    width = APART * (units + _SPARE_PLACES)
    strip = ((0.0, 0.0), (width, 0.0), (width, 1.0), (0.0, 1.0))
    return Plain(
        ground.book,
        width,
        _DEPTH,
        deployment=dict.fromkeys(ground.deployment, (strip,)),
        home_edge=ground.home_edge,
        entrenched=ground.entrenched,
        exits=ground.exits,
        names=ground.names,
    )


def place_of(battle: Battle, unit: str) -> Point:
    """Return the point around which a unit rests."""
    return APART * (1 + [*battle.units].index(unit)), ROW


def bring_unit(battle: Battle, unit: Unit, at: Point) -> None:
    """Move a unit with its guns to a point, without a change of its order. Every dismounted man is at his horse."""
    pieces = [*unit.figures.values(), *unit.guns]
    if not pieces:
        return
    x, y = middle_of([piece.at for piece in pieces])
    dx, dy = at[0] - x, at[1] - y
    for man in unit.figures.values():
        man.place = man.post = ""
        battle.put(man, man.x + dx, man.y + dy)
        if any(mark.startswith("horse ") for mark in man.marks):
            man.marks = frozenset(mark for mark in man.marks if not mark.startswith("horse "))
            man.mark(f"horse {man.x:.2f} {man.y:.2f}")
    for gun in unit.guns:
        gun.x, gun.y, gun.z = gun.x + dx, gun.y + dy, 0.0
    unit.measure()


def put_men(battle: Battle, men: Iterable[Figure], at: Point, facing: float, side: float = 0.0) -> None:
    """Put men on one point, or with `side` (1 or -1) each so that the edge of his base touches it from the east or
    west.
    """
    for man in men:
        battle.put(man, at[0] + side * battle.radius(man), at[1])
        man.facing = facing


def with_cover(battle: Battle, cover: str, at: Point, to: float = 0.0) -> Plain:
    """Return the plain with cover around the men who stand at a point, or up to `to` inches east of it."""
    row = cover_rows(battle).get(cover)
    if row is None:
        return open_plain(battle)
    (x, y), reach = at, 0.2
    inside = row.model_copy(update={"shelter": "inside", "building": False})
    corners = [(x - reach, y - reach), (x + to + reach, y - reach), (x + to + reach, y + reach), (x - reach, y + reach)]
    return open_plain(battle, (TerrainPiece.area("cover", inside, corners),))


def open_plain(battle: Battle, pieces: tuple[TerrainPiece[TerrainRow], ...] = ()) -> Plain:
    """Return the plain with these pieces on it."""
    plain = plain_of(battle)
    width, depth = _SMALL if pieces else (plain.width, plain.depth)
    return plain.copy_with(width=width, depth=depth, pieces=pieces, buildings={})


# --- Who is in contact ------------------------------------------------------------------------------------------------


def men_touching(battle: Battle, unit: str, enemy: str) -> int:
    """Return how many men of a unit touch an enemy unit, as far as the book knows."""
    return plain_of(battle).contacts.get((unit, enemy), 0)


def enemies_touched(battle: Battle, unit: str) -> dict[str, int]:
    """Return the enemy units in contact with a unit, each with the number of men of the unit who touch it."""
    return {enemy: men for (first, enemy), men in plain_of(battle).contacts.items() if first == unit}


def men_in_melee(battle: Battle, unit: str) -> int:
    """Return how many men of a unit touch an enemy, as far as the book knows."""
    return sum(enemies_touched(battle, unit).values())


def note_contact(battle: Battle, unit: str, enemy: str, men: int, foes: int) -> None:
    """Note that so many men of a unit and so many of an enemy unit touch each other."""
    plain = plain_of(battle)
    battle.field = plain.copy_with(contacts={**plain.contacts, (unit, enemy): men, (enemy, unit): foes})


def note_parting(battle: Battle, unit: str, men: int | None = None) -> None:
    """Note that all men of a unit, or all but those who stay, leave their enemies when so many `men` move."""
    plain, still = plain_of(battle), 0 if men is None else len(battle.units[unit].figures) - men
    left = {pair: min(count, still) if unit == pair[0] else count for pair, count in plain.contacts.items()}
    if left != plain.contacts:
        battle.field = plain.copy_with(contacts=left)


def contacts_left(battle: Battle) -> dict[tuple[str, str], int]:
    """Return the contacts of units that still have men to touch each other."""
    known = plain_of(battle).contacts
    men = {key: len(unit.figures) if unit.on_table else 0 for key, unit in battle.units.items()}
    found = {pair: min(count, men.get(pair[0], 0)) for pair, count in known.items()}
    return {(first, other): count for (first, other), count in found.items() if count and found.get((other, first))}


def contacts_of(battle: Battle) -> dict[tuple[str, str], int]:
    """Return the contacts of a battle of play, by the positions of its men."""
    units = list(battle.on_table())
    pairs = [(a, b) for a in units for b in units if a.spec.side != b.spec.side and may_be_in_contact(battle, a, b)]
    reach = battle.book.contact
    found = {
        (a.id, b.id): sum(
            any(in_contact(battle, man, foe, reach) for foe in b.figures.values()) for man in a.figures.values()
        )
        for a, b in pairs
    }
    return {pair: count for pair, count in found.items() if count}


NONE = "none"


_FAR_COVER = "far"


def cover_rows(battle: Battle) -> dict[str, TerrainRow]:
    """Return a row of the terrain chart for each kind of cover that people can name (FBN-065, FBN-071).

    Kinds differ in their CV, and in that cover inside an area also counts against bursts.
    """
    found: dict[str, TerrainRow] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            found.setdefault(_kind_of_cover(row), row)
    walls = [row for row in found.values() if row.cv > battle.book.file.cover_reach.cv]
    if walls:
        found[_FAR_COVER] = walls[0].model_copy(update={"cv": battle.book.file.cover_reach.cv, "shelter": "behind"})
    return found


def _kind_of_cover(row: TerrainRow) -> str:
    kind = "trench" if row.trench else "wall" if row.shelter == "behind" or row.building else "area"
    return f"{kind} {row.cv}"


def _covers(battle: Battle, scene: Scene) -> Choices:
    titles: dict[str, list[str]] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            titles.setdefault(_kind_of_cover(row), []).append(row.title)
    rows = cover_rows(battle)
    numbers = battle.book.file.cover_reach
    found = {NONE: "none"}
    for key, names in sorted(titles.items(), key=lambda pair: (rows[pair[0]].cv, pair[0])):
        found[key] = f"CV {rows[key].cv}: {', '.join(dict.fromkeys(names))}"
    if _FAR_COVER in rows:
        found[_FAR_COVER] = f'CV {numbers.cv}: cover more than {numbers.inches}" away, shot at from higher ground'
    return found


def man_limits(battle: Battle, man: Figure) -> list[float]:
    """Return the range limits of a man's weapon, as his wounds leave them (FBN-081, FBN-127)."""
    share = battle.book.wounded_arm if "arm_light" in man.locations and battle.book.weapons[man.weapon].long_arm else 1
    least = battle.book.close_reach if battle.book.weapons[man.weapon].close else -1.0
    return [limit * share for limit in limits_of(battle, man) if limit > 0 and limit * share > least]


def range_choices(battle: Battle, scene: Scene) -> Choices:
    """Return the distances at which something changes for this volley, each with its range bands."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    men = [man for man in firers(battle, unit, scene.target) if man.weapon in battle.book.weapons]
    weapons = {man.weapon: man for man in men}
    limits = {limit for man in men for limit in man_limits(battle, man)}
    most = max(limits, default=0.0)
    answers: set[float] = set()
    if "activated" not in target.marks and battle.book.settings.counter_attack != "off":
        able = [man for man in target.figures.values() if man.weapon in battle.book.weapons]
        answers = {own[-1] for man in able if (own := man_limits(battle, man)) and own[-1] < most}
        limits |= answers
    if battle.night:
        limits = {limit for limit in limits if limit < visibility(battle)} | {min(most, visibility(battle)), most}
    return _with_reach(ranges_in_words(battle, weapons.values(), limits), answers, target.spec.name)


def _with_reach(ranges: Choices, answers: Collection[float], target: str) -> Choices:
    """Return ranges in words. Parts of one band, which the reach of the target divides, say if it can shoot back."""
    bands = Counter(words.partition(" (")[0] for words in ranges.values())
    reach = max(answers, default=0.0)
    return {
        limit: f"{words}, {target} {'reaches' if limit <= reach else 'does not reach'} so far"
        if answers and bands[words.partition(" (")[0]] > 1
        else words
        for limit, words in ranges.items()
    }


def ranges_in_words(battle: Battle, men: Collection[Figure], limits: Iterable[float]) -> Choices:
    """Return ranges by their limits, each in words. A band that something divides has several: 6" to 8", 8" to 12"."""
    nearer, found = 0.0, {}
    for limit in sorted(limits):
        found[whole_inches(limit)] = _band_words(battle, men, nearer, limit)
        nearer = limit
    return found


def _band_words(battle: Battle, men: Iterable[Figure], nearer: float, inches: float) -> str:
    found = {}
    for man in men:
        bands = [band for band, limit in zip(BANDS, limits_of(battle, man), strict=True) if limit >= inches]
        found[man.weapon.replace("_", " ")] = bands[0] if bands else "out of range"
    reach = f'{nearer:g}" to {inches:g}"' if nearer else f'up to {inches:g}"'
    if len(found) == 1:
        return f"{next(iter(found.values()))} ({reach})"
    return f"{reach}: {', '.join(f'{weapon} {band}' for weapon, band in found.items())}"


def at_distance(battle: Battle, scene: Scene, inches: float) -> float:
    return limit_at(battle, scene, range_choices(battle, scene), inches)


def limit_at(battle: Battle, scene: Scene, limits: Choices, inches: float) -> float:
    """Return the limit that a measured distance does not pass (FBN-081). Raises ZarebaError beyond the longest
    range.
    """
    found = next((limit for limit in limits if inches <= limit), None)
    if found is None:
        name, most = battle.units[scene.actor].spec.name, max(limits, default=0)
        raise ZarebaError(f'{name} reaches {most:g}", not {inches:g}" (FBN-081)')
    return found  # type: ignore[no-any-return]  # a key of the choices


def whole_inches(inches: float) -> float:
    """Return inches as people type them: whole numbers without a point."""
    return int(inches) if inches == int(inches) else inches


def no_actors(battle: Battle) -> list[str]:
    return []


def active_unit(battle: Battle) -> Unit | None:
    """Return the active unit, if it is on the table."""
    unit = battle.units[battle.active] if battle.active else None
    return unit if unit is not None and unit.on_table else None


def waiting_units(battle: Battle) -> list[str]:
    """Return the units that the side whose turn it is may activate (FBN-013)."""
    if battle.phase != "actions" or battle.active:
        return []
    for onward in range(len(battle.order)):
        side = battle.order[(battle.at + onward) % len(battle.order)]
        found = [key for key in battle.waiting if battle.units[key].spec.side == side and battle.units[key].on_table]
        if found:
            return found
    return []


def active_if(able: Callable[[Battle, Unit], object]) -> Callable[[Battle], list[str]]:
    """Return the actors of an act of the active unit: the unit, if it is able."""

    def actors(battle: Battle) -> list[str]:
        unit = active_unit(battle)
        return [unit.spec.id] if unit is not None and able(battle, unit) else []

    return actors


def enemies_of(battle: Battle, actor: str) -> list[str]:
    return [unit.spec.id for unit in battle.enemies(battle.units[actor].spec.side)]


def fire_targets(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units at which a man of the unit may fire, with men who can be aimed at."""
    return [key for key in aim_targets(battle, actor) if firers(battle, battle.units[actor], key)]


def may_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has men who may fire small arms; a crew serves its gun (FBN-205)."""
    return not has_gun(unit) and bool(fire_targets(battle, unit.spec.id))


def has_name(man: Figure) -> bool:
    """Return True for leaders, bearers and medics, because people can tell them from common men. They come last."""
    return man.spec.leads or man.spec.bearer or man.spec.role == "medic"


def _common_first(man: Figure) -> tuple[int, bool]:
    """Return the order in which men take part: those with most AC left, common men before those with a name."""
    return -man.ac, has_name(man)


def has_gun(unit: Unit) -> bool:
    return any(gun.in_play for gun in unit.guns)


def aim_targets(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units with men who can be aimed at: not all prone (FBN-052) or in contact (FBN-079)."""
    side = battle.units[actor].spec.side
    return [
        enemy.spec.id
        for enemy in battle.enemies(side)
        if len(target_figures(battle, side, enemy)) > men_protected(battle, enemy.spec.id)
    ]


def men_protected(battle: Battle, target: str) -> int:
    """Return how many men of a unit cannot be aimed at because they touch their enemies (FBN-079)."""
    return 0 if battle.book.settings.fire_into_melee else men_in_melee(battle, target)


_Run = Callable[[Table, Battle, Scene], object]


def thrown_together(*purposes: str) -> frozenset[str]:
    return frozenset(purposes)


HITS = (thrown_together("counter-attack"), thrown_together("hit location"), thrown_together("panic"))


SHOTS = (thrown_together("shot"), *HITS)


COVER: Asked[Battle] = Asked("cover", "Cover of {target}?", default=NONE, choices=_covers)


LIT: Asked[Battle] = Asked(
    "lit", "Does a flare light {target}?", default=False, kind=bool, when=lambda battle, scene: battle.night
)


_COMMON = "common"


def _men_under_fire(scene: Scene) -> str:
    """Return the unit that is fired at: the target, or the enemy nearest to men in panic."""
    return scene.target or str(scene.answers["enemy"])


def _who_may_answer(battle: Battle, scene: Scene) -> Choices:
    """Return the common men as one, because at a table one is like another, and each man with a name."""
    men = battle.units[_men_under_fire(scene)].figures.values()
    named = {man.id: man.spec.name for man in men if has_name(man)}
    return {_COMMON: "the common men", **named} if len(named) < len(men) else named


def _answer_text(battle: Battle, scene: Scene) -> str:
    """Which men of the target shoot back when they are hit?"""
    name = battle.units[_men_under_fire(scene)].spec.name
    return f"Which men of {name} shoot back when they are hit? (1 AC each)"


def _answers_fire(battle: Battle, scene: Scene, question: Any) -> Answer | None:
    """Return True if a man who is hit shoots back, and None if people have not been asked yet."""
    chosen, men = scene.answers.get(ANSWERING.fact), battle.units[_men_under_fire(scene)].figures
    if chosen is None:
        return None
    man = men.get(question.actor)
    return (question.actor if man is not None and has_name(man) else _COMMON) in chosen


def _each_hit(battle: Battle, scene: Scene, question: Any) -> Answer | None:
    """Return that the owner decides at each hit, if people have said who shoots back."""
    return question.options[-1] if ANSWERING.fact in scene.answers else None


ANSWERING: Asked[Battle] = Asked(
    "answering",
    _answer_text,
    default=lambda battle, scene: tuple(_who_may_answer(battle, scene)),
    choices=_who_may_answer,
    many=True,
    instead_of=frozenset({"counter-attack", "answer"}),
)
"""The men who shoot back (FBN-102). Play asks the owner at each hit; at a table he says it once."""


ANSWERS = {"counter-attack": _each_hit, "answer": _answers_fire}


def make_act(
    name: str,
    title: str,
    rule: str,
    run: _Run,
    actors: Callable[[Battle], Sequence[str]],
    *asks: Asked[Battle],
    **more: Any,
) -> CompanionAct[Battle]:
    """Return an act with its questions in order."""
    return CompanionAct(name=name, title=title, rule=rule, run=run, actors=actors, asks=asks, **more)


def some_of(battle: Battle, unit: Unit, men: Sequence[Figure], count: int | None, does: str) -> list[Figure]:
    """Return so many of these men, those with most AC first; all if no number is given."""
    if count is None:
        return [*men]
    if not 1 <= count <= len(men):
        raise ZarebaError(f"{amount(len(men), 'man', 'men')} of {unit.spec.name} can {does}, not {count}")
    return sorted(men, key=_common_first)[:count]


def men_by_name(men: Iterable[Figure]) -> Choices:
    """Return these men for a choice: everyone with a name or a wound, and the first of the common men in each state."""
    found: dict[str, str] = {}
    kinds: set[tuple[object, ...]] = set()
    for man in men:
        kind = (man.reaction, man.prone, man.ac, "stunned" in man.marks, man.weapon)
        if has_name(man):
            found[man.id] = man.spec.name
        elif kind not in kinds:
            kinds.add(kind)
            state = [man.reaction.replace("_", " ")] * bool(man.reaction) + ["prone"] * man.prone
            found[man.id] = f"a {'gunner' if man.spec.crew else 'man'}{''.join(f', {word}' for word in state)}"
    return found


def friends_of(battle: Battle, unit: str) -> list[Unit]:
    return [*battle.on_table(battle.units[unit].spec.side)]


# --- Corrections: glory, AC and wounds of the men of a unit -----------------------------------------------------------


GLORY, AC, WOUNDS = "glory", "ac", "wounds"
UNHURT = "unhurt"
_MOST_AC = 9


class RealTableEditor(FbnUmpireEditor):
    """Corrections of a unit: `glory` and `ac` of all its steady men, and the wounds of its heroes.

    A hero's name, such as `lt_ashby`, is a field with his wounds: `arm_light`, several with commas, or `unhurt`.
    `wounds` is their number, by which people take away the last ones.
    """

    meanings: ClassVar[Mapping[str, str]] = {
        "back": "ordered to fall back",
        "glory": "the number that its steady men need",
        "cluster": "charged in closed order or mass",
        "heartened": "has gained glory by a heroic deed this turn",
        "rallied": "has been rallied this turn",
        "unformed": "has lost its formation",
    }

    def editable_fields(self, state: Battle, piece: str) -> Iterator[tuple[str, Any]]:
        yield from super().editable_fields(state, piece)
        unit = state.units.get(piece)
        if unit is not None and unit.figures:
            yield GLORY, unit_glory(state, unit)
            yield AC, max(man.ac for man in unit.figures.values())
            yield WOUNDS, _wounds(unit)
            for name, man in _heroes(unit).items():
                yield name, ",".join(sorted(man.locations)) or UNHURT

    def set(self, table: Table, state: Battle, piece: str, field: str, value: Any) -> Any:
        heroes = _heroes(state.units[piece]) if piece in state.units else {}
        if piece not in state.units or field not in (GLORY, AC, WOUNDS, *heroes):
            return super().set(table, state, piece, field, value)
        unit = state.units.change(piece)
        was = dict(self.editable_fields(state, piece))[field]
        if field in heroes:
            set_wounds(state, unit.figures[heroes[field].id], _locations(state, str(value)))
            return was
        least, most = {GLORY: (1, state.book.panics_at - 1), AC: (0, _MOST_AC), WOUNDS: (0, _wounds(unit))}[field]
        if type(value) is not int or not least <= value <= most:
            hint = f"; name the man for a new one: {next(iter(heroes))} arm_light" if field == WOUNDS and heroes else ""
            raise ZarebaError(f"{field} must be a whole number from {least} to {most}, not {value!r}{hint}")
        if field == WOUNDS:
            _heal(state, unit, value)
        for man in unit.figures.values():
            if field == GLORY and man.steady:
                man.gl = value
            elif field == AC and man.able:
                man.ac = value
        return was


def _heroes(unit: Unit) -> dict[str, Figure]:
    """Return the men of a unit whose wounds have a location (FBN-125), by name in the form of a field."""
    return {man.spec.name.lower().replace(" ", "_"): man for man in unit.figures.values() if man.spec.leads}


def _locations(battle: Battle, typed: str) -> frozenset[str]:
    """Return the typed hit locations. Raises ZarebaError with the nearest one."""
    known = [location for location in battle.book.locations[0] if location not in FATAL]
    found = [word.strip() for word in typed.split(",")] if typed != UNHURT else []
    for location in found:
        if location not in known:
            raise unknown_name("wound", location, [*known, UNHURT])
    return frozenset(found)


def _wounds(unit: Unit) -> int:
    return sum(len(man.locations) for man in unit.figures.values())


def _heal(battle: Battle, unit: Unit, left: int) -> None:
    """Take wound effects away until only so many are left."""
    for man in reversed([*unit.figures.values()]):
        too_many = max(0, _wounds(unit) - left)
        set_wounds(battle, man, man.locations - {*sorted(man.locations, reverse=True)[:too_many]})
