"""Mean losses from fire and melee, computed from the numbers of the rules for the AI evaluation.

Losses are in groups of ten men; a wound counts as half a man.
"""

from __future__ import annotations

from functools import cache

from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.book import COVER_ORDER, Cover
from zareba_rulesets.risk_factor.forces import Battle, Unit, arms_of, band_of, loading_of, melee_factor, missile_weapons

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
