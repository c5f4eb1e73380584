"""Mean losses from fire and melee for an AI player, and the enemy as seen from a place: the targets there, and the
losses to expect there.

Losses are computed from the numbers of the rules, in groups of ten men; a wound counts as half a man. An AI player asks
about many places while the enemy stands still, so the enemies are listed once and results are cached until they change.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from zareba.base.exact import dist, distances
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, towards
from zareba_rulesets.risk_factor.book import COVER_ORDER, Cover
from zareba_rulesets.risk_factor.chapters.movement import nearest_cover
from zareba_rulesets.risk_factor.forces import (
    BACKWARD,
    Battle,
    Unit,
    action_table,
    arms_of,
    band_of,
    limits_of,
    loading_of,
    melee_factor,
    missile_weapons,
)

# --- Mean losses from fire and melee, computed from the numbers of the rules ------------------------------------------


MAN = 0.1
_WOUND = 0.5  # a wound as a share of a kill
DIE, _HIT_DIE = 6, 8  # faces of the ordinary die and of the die to hit


# --- fire -------------------------------------------------------------------------------------------------------------


def cover_against(battle: Battle, target: Unit, seen_from: Point) -> Cover:
    """Return the cover of most of a target from a point, judged by its first, middle and last man."""
    if not battle.field.shelters[target.body]:
        return "open"
    some = (0, target.count // 2, target.count - 1)
    _, middle, _ = sorted(
        [battle.field.cover_of(target.body, index, seen_from) for index in some], key=COVER_ORDER.index
    )
    return middle


def expected_fire_losses(battle: Battle, unit: Unit, gap: float, cover: Cover, *, rate: float) -> float:
    """Return the mean losses from a unit's fire at a distance. `rate` is the share of its men that shoots."""
    best, book = 0.0, battle.book
    for weapon in missile_weapons(battle, unit):
        band = band_of(battle, unit, weapon, gap)
        if band is None:
            continue
        entry = book.weapons[weapon]
        need = book.hit_on[band][cover]
        wound, kill = book.damage[entry.damage]
        losses = ((kill - wound) * _WOUND + (DIE + 1 - kill)) / DIE
        shots = (
            entry.shots
            if entry.shots
            else unit.count * (min(rate, 1 / book.counts["hurled_rate"]) if entry.hurled else rate)
        )
        best = max(best, shots * (_HIT_DIE + 1 - need) / _HIT_DIE * losses * MAN)
    return best


def shooting_rate(battle: Battle, unit: Unit, commanded: bool, moved: bool) -> float:
    """Return the share of a unit's men that shoots: all with volleys under orders, otherwise one in two, or one in
    three after a move.
    """
    if commanded and (unit.spec.volley or unit.spec.leader):
        return 1.0
    counts = battle.book.counts
    return 1.0 / (counts["moving_rate"] if moved else counts["stationary_rate"])


def may_fire(battle: Battle, unit: Unit, commanded: bool, moved: float) -> bool:
    """Return True if a unit may shoot after moving a share of its allowance. Loading and pace limit volleys (RSK-088,
    RSK-090).
    """
    if unit.spec.support and moved:
        return False
    if not (commanded and unit.spec.volley):
        return True
    loadings = {loading_of(battle, unit, weapon) for weapon in missile_weapons(battle, unit)}
    if loadings & {"magazine", "hurled"}:
        return True
    if "breech" not in loadings and "loaded" not in unit.marks:
        return False
    return moved <= 0.5


def charge_reach(battle: Battle) -> float:
    """Return the distance in cm from which close-combat troops on foot may reach contact in their next turn
    (RSK-137).
    """
    return battle.book.moves["foot"] + DIE


# --- melee ------------------------------------------------------------------------------------------------------------


def expected_melee_losses(
    battle: Battle,
    unit: Unit,
    enemy: Unit,
    charges: bool,
    helped: int = 0,
    at: Point | None = None,
    part: float = 1.0,
) -> tuple[float, float]:
    """Return the mean losses dealt and taken in a round of melee.

    `helped` friends fight the same enemy, who stands at `at`. Only a `part` of the men fights this enemy if they meet
    several.
    """
    max_contact, men = battle.book.settings.melee_max_contact, part * (unit.count + helped)
    ours, theirs = min(men, max_contact * enemy.count), min(enemy.count, max_contact * men)
    if not ours or not theirs:
        return 0.0, 0.0
    own, other = _factor(battle, unit), _factor(battle, enemy)
    crossing = charges and battle.field.barrier_between(unit.body.centre, at or enemy.body.centre)
    per_us, per_them = ours / theirs, theirs / ours
    edge = _class(unit) + (own > other) - crossing - _class(enemy) - (other > own)
    edge += round(max(0.0, per_us - 1)) - round(max(0.0, per_them - 1))
    blows = max(ours, theirs)
    share = unit.count / (unit.count + helped)
    wound, kill = battle.book.blows
    dealt = min(
        blows * losses_per_blow(edge, enemy.status == "routing", wound, kill) / max(1.0, per_them), enemy.count * 1.0
    )
    taken = 0.0 if enemy.status == "routing" else blows * losses_per_blow(-edge, False, wound, kill) / max(1.0, per_us)
    return dealt * MAN * share, min(taken * share, unit.count) * MAN


def _class(unit: Unit) -> int:
    """Return the class of a unit in close combat as a number: 1 for heroes and superior troops, -1 for raw troops."""
    return (unit.spec.superior_melee or unit.spec.troop_class == "hero") - (unit.spec.troop_class == "raw")


def _factor(battle: Battle, unit: Unit) -> int:
    """Return the melee factor of a unit's first figure."""
    return melee_factor(battle.book, arms_of(battle, unit, 0), bool(unit.armed and unit.armed[0]))


@cache
def losses_per_blow(edge: int, helpless: bool, wound: int, kill: int) -> float:
    """Return the mean losses, in men, that one figure inflicts in a match with a score advantage of `edge` (RSK-173).

    `wound` and `kill` are the lowest dice that wound and kill.
    """
    total = 0.0
    for die in range(wound, DIE + 1):
        beaten = DIE if helpless else sum(die + edge > other for other in range(1, DIE + 1))
        total += (_WOUND if die < kill else 1.0) * beaten / DIE**2
    return total


# --- nerve ------------------------------------------------------------------------------------------------------------


def chance_of_going_back(battle: Battle, table_name: str, risk: float) -> float:
    """Return the share of the faces of an Action throw that make a unit go back at a Risk Factor. `table_name` is its
    Action table.
    """
    return battle.book.backward[table_name][round(risk)]


# --- The enemy as seen from a place: the targets there, and the losses to expect there --------------------------------


FILLED_SHARE = 0.7  # share of the circles round two units that their figures fill on the facing sides


class ExpectedFire(NamedTuple):
    """The mean losses that a unit's fire deals, by range. Each outer limit in cm has a row of losses by cover, and the
    largest of them in `most`.
    """

    limits: tuple[int, ...]
    rows: tuple[tuple[float, float, float], ...]
    most: tuple[float, ...]

    @classmethod
    def of(cls, battle: Battle, unit: Unit, rate: float) -> ExpectedFire:
        ranges = {limit for weapon in missile_weapons(battle, unit) for limit in limits_of(battle, unit, weapon)}
        limits = tuple(sorted(ranges))
        rows = []
        for limit in limits:
            bare, soft, hard = (expected_fire_losses(battle, unit, limit, cover, rate=rate) for cover in COVER_ORDER)
            rows.append((bare, soft, hard))
        return cls(limits, tuple(rows), tuple(max(row) for row in rows))


class _Target(NamedTuple):
    """An enemy as a target. `counts` is the worth of its losses. `sheltered` is True if cover is near it."""

    name: str
    centre: Point
    range: float
    counts: float
    sheltered: bool


class Threat(NamedTuple):
    """An enemy as a danger: its uncommanded fire, and True in `charges` if it is likely to charge."""

    name: str
    centre: Point
    range: float
    fire: ExpectedFire
    charges: bool


class SafePlace(NamedTuple):
    """The position of cover, or None if there is none."""

    at: Point | None


class Threats:
    """The enemies of a side in the present position."""

    def __init__(self, battle: Battle, side: str, known: dict[object, ExpectedFire]) -> None:
        """`known` caches the fire of units by their arms. It belongs to the caller."""
        self._known = known
        self.place_estimates: dict[object, PlaceEstimates] = {}
        self._covers: dict[tuple[str, Point], int] = {}
        self.targets: list[_Target] = []
        self.attackers: list[Threat] = []
        self.groups: list[Point] = []
        self.in_sight: list[Point] = []
        uncommanded = 1.0 / battle.book.counts["stationary_rate"]
        enemies = battle.against(side)
        self.places = [enemy.body.centre for enemy in enemies]
        for enemy in enemies:
            spec, body = enemy.spec, enemy.body
            counts = 0.5 if spec.leader or enemy.status == "routing" else 1.0
            sheltered = bool(battle.field.shelters[body])
            self.targets.append(_Target(spec.id, body.centre, body.outer_radius, counts, sheltered))
            if spec.id in battle.seen:
                self.in_sight.append(body.centre)
            if spec.leader:
                continue
            self.groups.append(body.centre)
            if enemy.status not in BACKWARD:
                fire, charges = self.fire_of(battle, enemy, uncommanded), action_table(battle, enemy) == "melee"
                self.attackers.append(Threat(spec.id, body.centre, body.outer_radius, fire, charges))

    @staticmethod
    def key(battle: Battle, side: str) -> object:
        """Return the cache key: all that the list depends on."""
        threats = [(unit.body, unit.status, unit.armed, unit.marks) for unit in battle.against(side)]
        return battle.turn, battle.active, battle.seen, [captives.captor for captives in battle.captives], threats

    def fire_of(self, battle: Battle, unit: Unit, rate: float) -> ExpectedFire:
        """Return a unit's fire at a rate. It depends only on what the unit carries."""
        key = unit.spec.id, unit.armed, unit.kits, "disarmed" in unit.marks, rate
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = ExpectedFire.of(battle, unit, rate)
        return known

    def cover_of(self, battle: Battle, name: str, at: Point) -> int:
        """Return the cover of most of an enemy from a place, as an index into `COVER_ORDER`."""
        key = name, at
        known = self._covers.get(key)
        if known is None:
            known = self._covers[key] = COVER_ORDER.index(cover_against(battle, battle.units[name], at))
        return known

    def way_back(self, at: Point, length: float) -> Point | None:
        """Return where a unit comes that goes straight back from the nearest enemy group, or None if there is no such
        group.
        """
        if not self.groups:
            return None
        away = distances(at, self.groups)
        shortest = min(away)
        return towards(self.groups[away.index(shortest)], at, shortest + length)

    def estimates_for(self, unit: Unit) -> PlaceEstimates:
        """Return the cached results about places for a unit."""
        key = unit.body, unit.status, unit.armed
        known = self.place_estimates.get(key)
        if known is None:
            known = self.place_estimates[key] = PlaceEstimates(unit.body.outer_radius)
        return known


class PlaceEstimates:
    """The fire, danger and cover of a unit at places. Valid while neither the unit nor the enemy changes; `threats`
    must always be the same.
    """

    def __init__(self, reach: float) -> None:
        self._reach = reach
        self._fires: dict[tuple[Point, float], float] = {}
        self._dangers: dict[tuple[Point, Cover], float] = {}
        self._charges: dict[tuple[str, bool], float] = {}
        self._views: dict[tuple[str, Point], bool] = {}
        self._nearest_cover: SafePlace | None = None

    def fire(self, threats: Threats, battle: Battle, unit: Unit, at: Point, rate: float) -> float:
        """Return the best result of the unit's fire from a place."""
        key = at, rate
        known = self._fires.get(key)
        if known is None:
            known = self._fires[key] = self._fire(threats, battle, unit, at, threats.fire_of(battle, unit, rate))
        return known

    def _fire(self, threats: Threats, battle: Battle, unit: Unit, at: Point, fire: ExpectedFire) -> float:
        """Return the expected losses of the best target of a unit's fire from a point."""
        limits, rows, most = fire
        best, own = 0.0, self._reach
        if not limits:
            return best
        longest = limits[-1]
        for away, (name, _, reach, counts, sheltered) in zip(
            distances(at, threats.places), threats.targets, strict=True
        ):
            gap = away - FILLED_SHARE * (reach + own)
            if gap > longest:
                continue
            band = bisect_left(limits, gap)
            if most[band] * counts <= best or not self._is_in_view(battle, unit, name, at):
                continue
            cover = threats.cover_of(battle, name, at) if sheltered else 0
            best = max(best, rows[band][cover] * counts)
        return best

    def _is_in_view(self, battle: Battle, unit: Unit, name: str, at: Point) -> bool:
        """Return True if the unit at a point and an enemy are in view of each other, judged by the first, middle and
        last man of both (RSK-155).
        """
        field = battle.field
        if not field.blocking_pieces:
            return True
        key = name, at
        known = self._views.get(key)
        if known is None:
            (x, y), enemy = unit.body.centre, battle.units[name].body
            body = unit.body.moved_by(at[0] - x, at[1] - y)
            blockers = field.blockers.between(body.box, enemy.box)
            known = self._views[key] = blockers is not None and (
                not blockers
                or any(field.line_clear(own, other, blockers) for own in _some_men(body) for other in _some_men(enemy))
            )
        return known

    def can_be_shot_at(self, threats: Threats, battle: Battle, unit: Unit, at: Point) -> bool:
        """Return True if the unit at a point is in view and in range of an enemy group that does not go back."""
        return any(
            limits
            and dist(at, threat.centre) - FILLED_SHARE * (threat.range + self._reach) <= limits[-1]
            and self._is_in_view(battle, unit, threat.name, at)
            for threat in threats.attackers
            for limits in (threat.fire.limits,)
        )

    def danger(self, threats: Threats, battle: Battle, unit: Unit, at: Point, cover: Cover = "open") -> float:
        """Return the mean losses to expect at a place from the enemies' fire and from a charge."""
        key = at, cover
        known = self._dangers.get(key)
        if known is None:
            known = self._dangers[key] = self._danger(threats, battle, unit, at, COVER_ORDER.index(cover))
        return known

    def _danger(self, threats: Threats, battle: Battle, unit: Unit, at: Point, cover: int) -> float:
        """Return the expected losses of a unit at a point, to enemy fire and the worst charge."""
        total, charge, own, charged = 0.0, 0.0, self._reach, charge_reach(battle)
        away = distances(at, [threat.centre for threat in threats.attackers])
        for apart, (name, _, reach, (limits, rows, _), charges) in zip(away, threats.attackers, strict=True):
            gap = apart - FILLED_SHARE * (reach + own)
            if limits and gap <= limits[-1]:
                total += 0.5 * rows[bisect_left(limits, gap)][cover]
            if charges and gap <= charged:
                charge = max(charge, self._charge(battle, battle.units[name], unit, at))
        return min(total, unit.count * MAN) + 0.5 * max(0.0, charge)

    def _charge(self, battle: Battle, enemy: Unit, unit: Unit, at: Point) -> float:
        """Return how much more an enemy's charge costs the unit at a place than half of what it costs the enemy."""
        key = enemy.spec.id, battle.field.barrier_between(enemy.body.centre, at)
        known = self._charges.get(key)
        if known is None:
            dealt, taken = expected_melee_losses(battle, enemy, unit, True, at=at)
            known = self._charges[key] = dealt - 0.5 * taken
        return known

    def cover(self, battle: Battle, unit: Unit) -> Point | None:
        """Return the nearest cover within a move of the unit."""
        if self._nearest_cover is None:
            self._nearest_cover = SafePlace(nearest_cover(battle, unit, farther=False) if battle.field.covers else None)
        return self._nearest_cover.at


def _some_men(body: Body) -> tuple[Point, Point, Point]:
    """Return the places of the middle, first and last man of a body."""
    return body.at[len(body) // 2], body.at[0], body.at[-1]
