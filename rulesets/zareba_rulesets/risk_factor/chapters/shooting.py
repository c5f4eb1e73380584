"""Shooting: the choice of target and weapon, the number of shots, and the dice (RSK-081 to RSK-108)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.chance import AtLeast, counts
from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Option, Table
from zareba_rulesets.risk_factor.book import BANDS, COVER_ORDER, Band, Cover, RskBook
from zareba_rulesets.risk_factor.chapters.casualties import Figure, damage, draw_victim, figures_by_name, strike_all
from zareba_rulesets.risk_factor.chapters.sight import lines_of_fire
from zareba_rulesets.risk_factor.chapters.targets import (
    Shot,
    able_figures,
    figures_to_hit,
    may_name_target,
    may_pick_figures,
    may_shoot,
    may_use,
    nearest_first,
    nearest_target,
    possible_targets,
    shoots_at_full_rate,
    visible_pool,
)
from zareba_rulesets.risk_factor.forces import Battle, Unit, band_of, loading_of, missile_weapons, reach_of

COVERS: Mapping[Cover, str] = {"open": "in the open", "soft": "soft cover", "hard": "hard cover"}
_STRUCK = counts("men struck by the shell")
HOLD = "hold fire"
_NOBODY: frozenset[int] = frozenset()


@procedure("shooting.unit")
def shoot(table: Table, battle: Battle, unit: Unit) -> None:
    """Shoot with one unit: choose its target, then fire (RSK-039).

    A unit whose owner may name the target may also hold its fire. All other units shoot at the nearest enemy.
    """
    if not may_name_target(battle, unit):
        target = nearest_target(battle, unit)
        if target is not None:
            fire_at(table, battle, unit, target)
        return
    marks_before = marks_after = unit.marks
    figures_fired = _NOBODY
    targets = {enemy.spec.id: enemy for enemy in possible_targets(battle, unit)}
    while targets:
        options: list[Option] = [HOLD, *targets]
        fired = tuple(sorted(figures_fired))
        chosen = table.choose(unit.spec.side, options, why="shoot at", rule="RSK-086", actor=unit.spec.id, about=fired)
        if chosen == HOLD:
            break
        target = targets.pop(str(chosen))
        can_split = battle.book.settings.shooting_split_fire and unit.count > 1 and not unit.spec.support
        may_split = can_split and not figures_fired and bool(targets)
        splits_fire = may_split and table.confirm(unit.spec.side, why="split fire", rule="RSK-086", actor=unit.spec.id)
        shooters = fire_at(table, battle, unit, target, splits_fire, figures_fired)
        if shooters and not splits_fire:
            break
        if shooters:  # the other half fires with the marks that the unit had before
            figures_fired, marks_after, unit.marks = shooters, unit.marks, marks_before
        else:
            table.emit("no clear shot", "RSK-094", unit=unit.spec.id, target=target.spec.id)
        targets = {name: enemy for name, enemy in targets.items() if enemy.is_on_table}
    if figures_fired:  # what the first half gained and lost counts for the whole unit
        unit.marks = (unit.marks | marks_after) - (marks_before - marks_after)


def fire_at(
    table: Table,
    battle: Battle,
    unit: Unit,
    target: Unit,
    splits_fire: bool = False,
    figures_fired: frozenset[int] = _NOBODY,
) -> frozenset[int]:
    """Fire at a target and return the figures that took part. The result is empty if no figure has a clear shot; the
    caller may then name another target.

    With `splits_fire`, the nearest half of the figures able to shoot fire. Otherwise all figures fire except those in
    `figures_fired`.
    """
    weapon = pick_weapon(table, battle, unit, target)
    if weapon is None:
        return _NOBODY
    victim = None
    if may_pick_figures(battle, unit):
        victim = _pick_figure(table, battle, unit, target, weapon)
        if victim is None:
            return _NOBODY
    shooters = frozenset(range(unit.count)) - figures_fired
    if splits_fire:
        shooters = _nearest_half(battle, unit, target, weapon)
    return shooters if volley(table, battle, unit, target, weapon, victim, shooters) else _NOBODY


def pick_weapon(table: Table, battle: Battle, unit: Unit, target: Unit) -> str | None:
    """Return the weapon to use (RSK-035). The owner chooses; solo sides take the weapon with the best to-hit number,
    then the longer range.

    The owner is offered only weapons that give some figure a clear shot (RSK-094).
    """
    gap = battle.gap(unit, target).gap
    usable = [
        w
        for w in missile_weapons(battle, unit)
        if may_use(battle, unit, w) and band_of(battle, unit, w, gap) is not None
    ]
    if len(usable) > 1 and not battle.is_solo(unit.spec.side):
        with_leaders, lines = not may_pick_figures(battle, unit), lines_of_fire(battle, unit, target)
        pools = {weapon: figures_to_hit(battle, unit, target, weapon, with_leaders=with_leaders) for weapon in usable}
        usable = [w for w in usable if able_figures(battle, unit, target, w, pools[w], lines)]
        if len(usable) > 1:
            return table.choose(unit.spec.side, usable, why="shoot with", rule="RSK-035", actor=unit.spec.id)

    def weapon_rank(weapon: str) -> tuple[int, int]:
        return BANDS.index(band_of(battle, unit, weapon, gap) or "long"), -reach_of(battle, unit, weapon)

    return min(usable, key=weapon_rank, default=None)


def _pick_figure(table: Table, battle: Battle, unit: Unit, target: Unit, weapon: str) -> int | None:
    """Ask for the victim of a Player Character: any figure within reach whose whole base is in sight (RSK-087,
    RSK-104).
    """
    clear = men_in_reach(battle, unit, target, weapon)
    if not clear:
        return None
    return table.choose(
        unit.spec.side, clear, why="pick a man", rule="RSK-087", actor=unit.spec.id, about=(target.spec.id,)
    )


def men_in_reach(battle: Battle, unit: Unit, target: Unit, weapon: str) -> list[int]:
    """Return the figures of a target that a Player Character can hit (RSK-087, RSK-094)."""
    lines = lines_of_fire(battle, unit, target)
    pool = figures_to_hit(battle, unit, target, weapon, with_leaders=False)
    return [figure.number for figure in pool if able_figures(battle, unit, target, weapon, [figure], lines)]


def _nearest_half(battle: Battle, unit: Unit, target: Unit, weapon: str) -> frozenset[int]:
    """Return the nearest half of a unit's figures that are able to shoot at a target."""
    pool, lines = figures_to_hit(battle, unit, target, weapon), lines_of_fire(battle, unit, target)
    indices = [shot.index for shot in able_figures(battle, unit, target, weapon, pool, lines) if shot.unit is unit]
    return frozenset(indices[: -(-len(indices) // 2)])


# --- One volley: shooters, targets and dice ---------------------------------------------------------------------------


Victims = Callable[[], list[Figure]]
"""The figures that a volley can hit, worked out on first call."""


class PreparedVolley(NamedTuple):
    """A volley before its dice: the shots, nearest first, the figures they can hit, and the cover of those figures."""

    shots: list[Shot]
    victims: Victims
    cover: Cover


@procedure("shooting.volley")
def volley(
    table: Table,
    battle: Battle,
    unit: Unit,
    target: Unit,
    weapon: str,
    figure: int | None = None,
    among: frozenset[int] | None = None,
    prepared: PreparedVolley | None = None,
) -> int:
    """Fire a volley: the figures able to shoot, the number of shots, the D8s by range, and the damage. Return the
    number of shots (RSK-098, RSK-100).

    The nearest able figures shoot first (RSK-083). `figure` is the victim that a Player Character picked. `among` are
    the figures that take part when fire is split. `prepared` is the result of `prepare_volley`, if the caller already
    has it.
    """
    prepared = prepared or prepare_volley(battle, unit, target, weapon, figure, among)
    if prepared is None:
        return 0
    shots, victims, cover = prepared
    blast = battle.book.weapons[weapon].blast
    if blast:
        victims = cache(partial(_under_shell, table, battle, unit, victims, blast))
    hits, wounds, kills = _roll_volley(table, battle, unit, target, shots, victims, cover)
    name, target_id = unit.spec.id, target.spec.id
    did = {"shots": len(shots), "hits": hits, "wounds": wounds, "kills": kills}
    table.emit("shooting", "RSK-098", unit=name, target=target_id, **did, cover=cover)
    if wounds + kills:
        strike_all(table, battle, wounds, kills, victims(), unit.spec.id, "fire")
    for shot in shots:
        shot.unit.mark("fired", "fired_now")
        if loading_of(battle, shot.unit, shot.weapon) == "muzzle":
            shot.unit.unmark("loaded")
    return len(shots)


def prepare_volley(
    battle: Battle,
    unit: Unit,
    target: Unit,
    weapon: str,
    figure: int | None = None,
    among: frozenset[int] | None = None,
) -> PreparedVolley | None:
    """Return the shooters, their possible victims and the cover, or None if no figure is able to shoot (RSK-083,
    RSK-094).

    `among` are the figures of the unit that take part.
    """
    lines = lines_of_fire(battle, unit, target)
    pool = [Figure(target.spec.id, figure)] if figure is not None else figures_to_hit(battle, unit, target, weapon)
    able_shots = able_figures(battle, unit, target, weapon, pool, lines)
    if among is not None and len(among) < unit.count:
        able_shots = [shot for shot in able_shots if shot.unit is not unit or shot.index in among]
    at_full_rate = may_pick_figures(battle, unit) or shoots_at_full_rate(unit)
    entry = battle.book.weapons[weapon]
    if entry.shots and able_shots:
        shots = able_shots[:1] * (entry.shots if at_full_rate else entry.uncommanded_shots)
    elif figure is not None:
        shots = able_shots[:1]
    else:
        shots = _shooters_at_rate(battle.book, unit, able_shots, weapon, at_full_rate)
    if not shots:
        return None
    visible = cache(lambda: pool if figure is not None else visible_pool(battle, shots, pool, lines))
    cover: Cover = "open"
    if any(battle.field.shelters[battle.units[name].body] for name in dict.fromkeys(victim.unit_id for victim in pool)):
        cover = group_cover(battle, visible(), shots[0].unit.body.at[shots[0].index])
    whole_group = battle.book.settings.shooting_allocate_to == "whole_group"
    return PreparedVolley(shots, (lambda: pool) if whole_group else visible, cover)


def _shooters_at_rate(book: RskBook, unit: Unit, able: list[Shot], weapon: str, at_full_rate: bool) -> list[Shot]:
    """Return the nearest of the able figures, at the rate of their weapon (RSK-083).

    All figures that fire are counted together. Figures that throw are counted separately for each kind of weapon, at
    the rate for hurled weapons (RSK-035).
    """
    has_moved = "moved" in unit.marks
    kinds: dict[str, list[Shot]] = {}
    for shot in able:
        arm = shot.weapon if shot.unit is unit else weapon
        kinds.setdefault(arm if book.weapons[arm].hurled else "", []).append(shot)
    shots = []
    for arm, shots_of_kind in kinds.items():
        shots += shots_of_kind[: number_of_shots(book, len(shots_of_kind), bool(arm), at_full_rate, has_moved)]
    if len(kinds) > 1:
        shots.sort(key=nearest_first)
    return shots


def number_of_shots(book: RskBook, able: int, is_hurled: bool, at_full_rate: bool, has_moved: bool) -> int:
    """Return how many of the figures able to shoot do so (RSK-081 to RSK-083, RSK-086, RSK-092, RSK-093).

    Commanded troops all shoot. Uncommanded troops shoot with 1 in 2 if stationary and 1 in 3 if they moved. Hurled
    weapons always use 1 in 3, or with `shooting.hand_hurled` set to multiply, a third of the unit's rate.
    """
    numbers, settings = book.counts, book.settings
    rate = 1 if at_full_rate else numbers["moving_rate"] if has_moved else numbers["stationary_rate"]
    if is_hurled:
        rate = numbers["hurled_rate"] * (rate if settings.shooting_hand_hurled == "multiply" else 1)
    if settings.shooting_fraction == "up":
        return -(-able // rate)
    shots = able // rate
    return max(shots, 1) if able and settings.shooting_fraction == "down_min1" else shots


def group_cover(battle: Battle, pool: list[Figure], seen_from: Point) -> Cover:
    """Return the cover of a target group: that of most of its visible figures, with ties to the better cover, or the
    least (RSK-099).
    """
    covers = [
        COVER_ORDER.index(battle.field.cover_of(battle.units[figure.unit_id].body, figure.number, seen_from))
        for figure in pool
    ]
    if battle.book.settings.shooting_group_cover == "worst":
        return COVER_ORDER[min(covers)]
    return COVER_ORDER[max(range(3), key=lambda rank: (covers.count(rank), rank))]


def _under_shell(table: Table, battle: Battle, unit: Unit, victims: Victims, blast: float) -> list[Figure]:
    """Return the figures within the burst of a shell, which lands on one of the figures that can be hit (RSK-008)."""
    pool = figures_by_name(battle, victims())
    fell = pool[draw_victim(table, dict.fromkeys(pool, 1), unit.spec.id)]
    at = battle.units[fell.unit_id].body.at[fell.number]
    return [
        figure for figure in pool.values() if dist(battle.units[figure.unit_id].body.at[figure.number], at) <= blast
    ]


def _roll_volley(
    table: Table, battle: Battle, unit: Unit, target: Unit, shots: list[Shot], victims: Victims, cover: Cover
) -> tuple[int, int, int]:
    """Throw the D8s of a volley by range band, nearest first, then the damage dice. Return hits, wounds and kills
    (RSK-098, RSK-100).

    `victims` returns the figures that can be hit. It is called only if a shell hits.
    """
    batches: dict[tuple[Band, str, str], int] = {}
    for shot in shots:
        band = band_of(battle, shot.unit, shot.weapon, shot.distance)
        assert band is not None, "only figures within reach are able to shoot"
        batch = band, shot.weapon, shot.unit.spec.troop_class
        batches[batch] = batches.get(batch, 0) + 1
    total = wounds = kills = 0
    for (band, weapon, troop_class), count in batches.items():
        entry = battle.book.weapons[weapon]
        battle.book.rules.show_range(table, battle.book.limits(weapon), unit, weapon, band)
        base_number = to_hit(battle.book, weapon, band, cover)
        need = battle.book.rules.number("to_hit", base_number, battle, unit, target, table=table, of=weapon, band=band)
        means = counts("hits", by=f"for {entry.title}, {band} range, {COVERS[cover]}")
        hits = table.roll(count, 8, AtLeast(need), why="shooting", rule="RSK-098", actor=unit.spec.id, means=means)
        figures_hit = hits
        if entry.blast and hits:
            figures_hit = min(
                len(victims()), table.roll(hits, 6, why="shell", rule="RSK-008", actor=unit.spec.id, means=_STRUCK)
            )
        total += hits
        if figures_hit:
            new_wounds, new_kills = damage(table, figures_hit, entry.damage, troop_class, unit.spec.id, target)
            wounds, kills = wounds + new_wounds, kills + new_kills
    return total, wounds, kills


def to_hit(book: RskBook, weapon: str, band: Band, cover: Cover) -> int:
    """Return the number to reach on a D8 (RSK-098). Rockets have their own numbers whatever the cover (RSK-008)."""
    if book.weapons[weapon].any_cover:
        row = book.file.rocket_to_hit
        return {"short": row.short, "medium": row.medium, "long": row.long}[band]
    return book.hit_on[band][cover]


# --- Fire out of turn, for house rules --------------------------------------------------------------------------------


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies that a unit sees in range of a weapon that it may use (RSK-085, RSK-088)."""
    return possible_targets(battle, unit) if may_shoot(battle, unit) else []


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire with every figure that has a clear shot (RSK-094). Return True if any figure fired."""
    return bool(fire_at(table, battle, unit, target))
