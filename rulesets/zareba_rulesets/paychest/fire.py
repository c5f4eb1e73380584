"""The fire step: who may fire at what, volleys, single shots (P4, P5; PAY-092 to PAY-106)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from typing import NamedTuple

from zareba.chance import EACH
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.bases import frontage
from zareba.space.geometry import distance_to_segment
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.casualties import strike
from zareba_rulesets.paychest.contact import foes_near, in_contact, touched
from zareba_rulesets.paychest.cover import covers_of, exposures
from zareba_rulesets.paychest.handling import is_heavy
from zareba_rulesets.paychest.leaders import leaders_lost
from zareba_rulesets.paychest.shooting import FireFacts, aim, muzzle_of, ready_weapon, shoot, shots_left
from zareba_rulesets.paychest.sighting import Muzzle, box_of, chains, eligible, is_open_to, view_of
from zareba_rulesets.paychest.units import Box, Figure, Standing, Unit

__all__ = [
    "Firer",
    "Known",
    "front_of",
    "groups_of",
    "has_single_target",
    "in_reach",
    "mark_hits",
    "may_fire",
    "muzzles_of",
    "reached",
    "refusal",
    "single_targets",
    "stretch_targets",
    "volley",
]

PISTOL = "pistol"


class Firer(NamedTuple):
    """A figure that may fire, and with what."""

    figure: Figure
    weapon: str


def may_fire(battle: Battle, unit: Unit) -> list[Firer]:
    """The figures of a unit that may fire now and have a shot left (PAY-103).

    Not: men in contact, under a heavy load, down, who ran with their backs turned, whose arms are too badly hit, who
    served a gun, or without a firearm.
    """
    book = battle.book
    foes = foes_near(battle, unit)
    found = []
    for figure in unit.able:
        if figure.marks and not figure.marks.isdisjoint(("down", "ran", "back turned", "served")):
            continue
        weapon = ready_weapon(book, figure)
        if not weapon or shots_left(book, figure, weapon) <= 0:
            continue
        if figure.loads and any(is_heavy(battle, load) for load in figure.loads):
            continue
        if foes and in_contact(battle, figure, foes):
            if not _fires_in_contact(battle, figure):
                continue
            weapon = PISTOL
        found.append(Firer(figure, weapon))
    return found


def _fires_in_contact(battle: Battle, figure: Figure) -> bool:
    """With `fire_in_contact` leaders_only a leader figure may use his pistol on whom he touches (PAY-103)."""
    if battle.book.settings.fire_in_contact != "leaders_only" or PISTOL not in figure.weapons:
        return False
    return battle.is_leader(figure) and shots_left(battle.book, figure, PISTOL) > 0


def _boxes_within(box: Box, other: Box, reach: float) -> bool:
    across = max(other[0] - box[2], 0.0, box[0] - other[2])
    along = max(other[1] - box[3], 0.0, box[1] - other[3])
    return across * across + along * along <= reach * reach


def muzzles_of(battle: Battle, firers: Sequence[Firer]) -> list[Muzzle]:
    return [muzzle_of(battle, firer.figure, firer.weapon) for firer in firers]


Known = dict[tuple[str, tuple[str, ...]], tuple[Standing, list[Figure]]]


def in_reach(battle: Battle, unit: Unit, firers: Sequence[Firer], known: Known) -> dict[str, list[Figure]]:
    """Enemy unit -> its figures at which at least one of the firers may aim (PAY-101).

    `known` keeps what was found earlier in the same step, for units that have not changed since.
    """
    return dict(reached(battle, unit, firers, known))


def reached(battle: Battle, unit: Unit, firers: Sequence[Firer], known: Known) -> Iterator[tuple[str, list[Figure]]]:
    """The entries of `in_reach`, one after the other."""
    if not firers:
        return
    muzzles = muzzles_of(battle, firers)
    front = box_of(muzzles)
    names = tuple(firer.figure.spec.id for firer in firers)
    reach = max(muzzle.reach for muzzle in muzzles)
    for enemy in battle.enemies(unit.spec.side):
        if _boxes_within(unit.box, enemy.box, reach):
            key = enemy.spec.id, names
            as_it_stood, figures = known.get(key, (None, []))
            if as_it_stood is not enemy.standing:
                view = view_of(battle, unit.spec.side, front, enemy.box)
                figures = eligible(battle, view, muzzles, enemy)
                known[key] = enemy.standing, figures
            if figures:
                yield enemy.spec.id, figures


def groups_of(battle: Battle, reach: dict[str, list[Figure]]) -> dict[tuple[str, str], list[Figure]]:
    """The groups among these figures: (unit, first figure) -> a chain of two or more (PAY-094, PAY-095, PAY-097)."""
    found: dict[tuple[str, str], list[Figure]] = {}
    for unit_id, figures in reach.items():
        for chain in chains(battle, figures) if len(figures) > 1 else ():
            if len(chain) > 1:
                found[unit_id, chain[0].spec.id] = chain
    return found


def single_targets(battle: Battle, unit: Unit, firer: Firer, *, first: bool = False) -> dict[str, list[Figure]]:
    """Unit -> figures at which a leader figure may fire (PAY-092); in contact only those he touches (PAY-103).

    With `first`: only the first unit in which there are any, which answers whether there are.
    """
    foes = foes_near(battle, unit)
    close = touched(battle, firer.figure, foes) if foes else []
    found: dict[str, list[Figure]] = {}
    if close:
        for figure in close:
            found.setdefault(figure.spec.unit, []).append(figure)
        return found
    muzzles = muzzles_of(battle, [firer])
    for enemy in battle.enemies(unit.spec.side):
        if _boxes_within(unit.box, enemy.box, muzzles[0].reach):
            view = view_of(battle, unit.spec.side, box_of(muzzles), enemy.box)
            figures = eligible(battle, view, muzzles, enemy, first=first)
            if figures:
                found[enemy.spec.id] = figures
                if first:
                    break
    return found


def has_single_target(battle: Battle, unit: Unit, firer: Firer, known: Known) -> bool:
    """Whether there is anybody at whom a leader figure may fire; those whom others were found to reach are asked first."""
    foes = foes_near(battle, unit)
    if foes and in_contact(battle, firer.figure, foes):
        return True
    muzzle = muzzle_of(battle, firer.figure, firer.weapon)
    for (name, _), (as_it_stood, figures) in known.items():
        enemy = battle.unit(name)
        if figures and enemy.standing is as_it_stood:
            view = view_of(battle, unit.spec.side, box_of([muzzle]), enemy.box)
            if is_open_to(battle, view, muzzle, figures[0]):
                return True
    return bool(single_targets(battle, unit, firer, first=True))


def stretch_targets(battle: Battle, unit: Unit, muzzles: Sequence[Muzzle], a: Point, b: Point) -> list[Figure]:
    """All eligible enemy figures whose centres lie within an inch of a stretch (PAY-098)."""
    reach = battle.book.file.target_stretch.inches
    found = []
    for enemy in battle.enemies(unit.spec.side):
        view = view_of(battle, unit.spec.side, box_of(muzzles), enemy.box)
        for figure in eligible(battle, view, muzzles, enemy):
            assert figure.at is not None, "targets are on the table"
            if distance_to_segment(figure.at, a, b) <= reach + 1e-9:
                found.append(figure)
    return found


def refusal(battle: Battle, unit: Unit, firers: Sequence[Firer], a: Point, b: Point) -> str | None:
    """Why a stretch may not be fired at, or None (PAY-096, PAY-098, PAY-099)."""
    front = front_of(battle, firers, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
    if dist(a, b) > front + 1e-6:
        return f"that stretch is {dist(a, b):.1f} inches long, the frontage is {front:.1f}"
    targets = stretch_targets(battle, unit, muzzles_of(battle, firers), a, b)
    if not targets:
        return "nobody that can be fired at stands along that stretch"
    if len(targets) == 1 and battle.is_leader(targets[0]):
        return "a group may not fire at one leader alone (PAY-096)"
    return None


def front_of(battle: Battle, firers: Sequence[Firer], towards: Point) -> float:
    """The width of the firers across their line of fire: the spread of their centres plus an inch (PAY-099)."""
    return frontage([f.figure.at for f in firers if f.figure.at is not None], towards, 2 * battle.book.bases["foot"])


@procedure("fire.volley")
def volley(
    table: Table, battle: Battle, unit: Unit, firers: Sequence[Firer], targets: Sequence[Figure], aimed: str
) -> int:
    """P5: all firers shoot once at the target figures; hits are marked at once. Returns the number of hits.

    The target figures are fixed now (PAY-106); a man with none of them in sight and range does not fire (PAY-113).
    """
    xs = [f.at[0] for f in targets if f.at is not None]
    ys = [f.at[1] for f in targets if f.at is not None]
    muzzles = muzzles_of(battle, firers)
    view = view_of(battle, unit.spec.side, box_of(muzzles), (min(xs), min(ys), max(xs), max(ys)))
    covers = covers_of(battle, targets)
    shots: dict[FireFacts, int] = {}
    for firer in firers:
        facts = aim(battle, view, firer.figure, firer.weapon, targets, covers)
        if facts is not None:
            shots[facts] = shots.get(facts, 0) + 1
            firer.figure.shots += 1
    actor = firers[0].figure.spec.id if len(firers) == 1 else unit.spec.id
    hits = sum(shoot(table, facts, count, actor) for facts, count in shots.items())
    table.tell("fire", "PAY-054", unit=unit.spec.id, target=aimed, shots=sum(shots.values()), hits=hits)
    exposed: list[frozenset[str]] | None = None
    if battle.book.settings.exposure_check == "all_fire":
        middle = (sum(m.at[0] for m in muzzles) / len(muzzles), sum(m.at[1] for m in muzzles) / len(muzzles))
        exposed = exposures(battle, middle, targets, covers)
    spread = battle.book.settings.hit_spread
    mark_hits(table, battle, targets, hits, exposed, spread=spread, actor=actor)
    return hits


def mark_hits(
    table: Table,
    battle: Battle,
    targets: Sequence[Figure],
    hits: int,
    exposed: Sequence[frozenset[str]] | None,
    *,
    spread: str,
    actor: str,
) -> None:
    """Let each hit fall on a target figure and draw its card (PAY-105, PAY-115); then leaders lost (P8), at once (PAY-063).

    With `spread` random each hit falls on any of them with equal chance; even: on nobody a second time before
    everybody has had one.
    """
    if not hits:
        return
    fallen: list[str] = []
    for index in _spread(table, len(targets), hits, spread, actor):
        strike(table, battle, targets[index], None if exposed is None else exposed[index], "fire", fallen)
    leaders_lost(table, battle, fallen)


def _spread(table: Table, count: int, hits: int, spread: str, actor: str) -> Sequence[int]:
    if count == 1:
        return [0] * hits
    if spread == "random":
        faces = table.roll(hits, count, EACH, why="who is hit", rule="PAY-105", actor=actor)
        return [face - 1 for face in faces]
    found: list[int] = []
    left: list[int] = []
    for _ in range(hits):
        if not left:
            left = list(range(count))
        place = 0
        if len(left) > 1:
            place = table.roll(1, len(left), why="who is hit", rule="PAY-105", actor=actor) - 1
        found.append(left.pop(place))
    return found
