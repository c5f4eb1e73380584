"""Shooting (RSK-081 to RSK-108): targets, rates, ranges, who is able, and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from zareba.chance import AtLeast
from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Option, Table
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.book import BANDS, Band, Cover, RskBook
from zareba_rulesets.risk_factor.hits import damage, strike_all
from zareba_rulesets.risk_factor.prisoners import engaged_figures
from zareba_rulesets.risk_factor.sight import Obstacles, obstacles, sees, whole_base
from zareba_rulesets.risk_factor.weapons import carriers, loading_of, missiles

__all__ = ["HOLD", "number_of_shots", "ready_to_shoot", "share_with_a_clear_shot", "shoot", "to_hit", "volley"]

HOLD = "hold fire"
TRIES = 6
Figure = tuple[str, int]


@dataclass(slots=True)
class Shot:
    """A figure that is able to shoot: how far it is from the nearest figure it can aim at, and with what."""

    distance: float
    unit: Unit
    index: int
    weapon: str


# --- who may shoot, and how ------------------------------------------------------------------------------------------------


def picks_figures(battle: Battle, unit: Unit) -> bool:
    """Player Characters shoot at the full rate and at any figure they like (RSK-087); the tables have none (RSK-044)."""
    return battle.is_commander(unit) and not battle.is_solo(unit.spec.side)


def shoots_commanded(battle: Battle, unit: Unit) -> bool:
    """Whether a unit shoots at the full rate: commanded with volleys (RSK-067, RSK-068), or a linked lone leader."""
    if unit.spec.leader:
        return "linked" in unit.marks
    return "commanded" in unit.marks and (unit.spec.volley or bool(unit.spec.support))


def names_target(battle: Battle, unit: Unit) -> bool:
    """Whether the owner names the target (RSK-086); commanded troops without volleys only with rate_only (RSK-067)."""
    if battle.is_solo(unit.spec.side):
        return False
    if picks_figures(battle, unit) or shoots_commanded(battle, unit):
        return True
    return "commanded" in unit.marks and battle.book.settings.shooting_no_volley_scope == "rate_only"


def may_use(battle: Battle, unit: Unit, weapon: str) -> bool:
    """Loading and movement limits of a weapon (RSK-088, RSK-089, RSK-090, RSK-091, RSK-092).

    They bind commanded troops and Player Characters; others only with `shooting.uncommanded_loading` tracked (RSK-084).
    A muzzle-loader must be loaded and go at half speed at most, a breech-loader, bow or sling at most half speed;
    magazines and hurled weapons are free.
    """
    if unit.spec.support and "moved" in unit.marks:
        return False
    bound = picks_figures(battle, unit) or shoots_commanded(battle, unit)
    if not bound and battle.book.settings.shooting_uncommanded_loading == "free":
        return True
    loading = loading_of(unit, weapon)
    if loading == "muzzle":
        return "loaded" in unit.marks and "far" not in unit.marks
    return loading != "breech" or "far" not in unit.marks


def may_shoot(battle: Battle, unit: Unit) -> bool:
    """Routers do not shoot (RSK-096), nor leaders who threw for command without declaring it (RSK-053)."""
    if not unit.hurt or unit.status == "routing" or "fired_now" in unit.marks:
        return False
    if unit.spec.leader and "linked" in unit.marks and "busy" not in unit.marks:
        return False
    return any(may_use(battle, unit, weapon) for weapon in missiles(battle, unit))


def ready_to_shoot(battle: Battle) -> list[str]:
    """The units of the active side that may shoot at something: groups, and leaders with no group (RSK-039, RSK-087)."""
    found = []
    for unit in battle.of(battle.side):
        if not may_shoot(battle, unit):
            continue
        if unit.spec.leader and not picks_figures(battle, unit) and battle.host(unit) is not None:
            continue
        reach = max(battle.book.reach(w) for w in missiles(battle, unit) if may_use(battle, unit, w))
        if any(battle.field.circle_gap(unit.body, enemy.body) <= reach for enemy in battle.against(battle.side)):
            found.append(unit.spec.id)
    return found


# --- targets -----------------------------------------------------------------------------------------------------------------


def is_open_target(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit has a figure that may be aimed at: not all in contact with an enemy (RSK-097)."""
    if battle.book.settings.shooting_at_engaged == "allow":
        return True
    if battle.book.settings.shooting_charge_throw and unit.spec.id in _charged_by(battle, target):
        return True
    return len(engaged_figures(battle, target)) < target.count


def _charged_by(battle: Battle, target: Unit) -> list[str]:
    return [enemy.spec.id for enemy in battle.touching(target) if "charged" in enemy.marks]


def nearest_target(battle: Battle, unit: Unit) -> Unit | None:
    """The nearest enemy unit in sight that may be shot at, from the unit's closest figure (RSK-085, RSK-148)."""
    enemies = list(battle.against(unit.spec.side))
    while True:
        found = battle.nearest(unit, enemies)
        if found is None or (is_open_target(battle, unit, found[0]) and sees(battle, unit, found[0])):
            return found[0] if found is not None else None
        enemies.remove(found[0])


def possible_targets(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemy units within the range of some usable weapon that a unit sees."""
    reach = max([battle.book.reach(w) for w in missiles(battle, unit) if may_use(battle, unit, w)], default=0)
    near = battle.within(unit, battle.against(unit.spec.side), reach)
    return [enemy for enemy in near if is_open_target(battle, unit, enemy) and sees(battle, unit, enemy)]


@procedure("shooting.unit")
def shoot(table: Table, battle: Battle, unit: Unit) -> None:
    """P7 for one unit: its target, then its shots (RSK-039).

    Whoever may name a target may also hold his fire; all others shoot at the nearest enemy.
    """
    if not names_target(battle, unit):
        target = nearest_target(battle, unit)
        if target is not None:
            _fire_at(table, battle, unit, target, 1.0)
        return
    share = 1.0
    targets = {enemy.spec.id: enemy for enemy in possible_targets(battle, unit)}
    while targets:
        options: list[Option] = [HOLD, *targets]
        chosen = table.choose(unit.spec.side, options, why="shoot at", rule="RSK-086", actor=unit.spec.id)
        if chosen == HOLD:
            return
        target = targets.pop(str(chosen))
        splits = battle.book.settings.shooting_split_fire and share == 1.0 and unit.count > 1 and targets
        if splits and table.confirm(unit.spec.side, why="split fire", rule="RSK-086", actor=unit.spec.id):
            share = 0.5
            _fire_at(table, battle, unit, target, share)
            targets = {name: enemy for name, enemy in targets.items() if enemy.hurt}
            unit.unmark("fired_now")
            continue
        _fire_at(table, battle, unit, target, share)
        return


def _fire_at(table: Table, battle: Battle, unit: Unit, target: Unit, share: float) -> None:
    figure = None
    weapon = pick_weapon(table, battle, unit, target)
    if weapon is None:
        return
    if picks_figures(battle, unit):
        figure = _pick_figure(table, battle, unit, target)
        if figure is None:
            return
    volley(table, battle, unit, target, weapon, figure, share)


def pick_weapon(table: Table, battle: Battle, unit: Unit, target: Unit) -> str | None:
    """The weapon used (RSK-035): its owner's choice; the tables take the best to-hit number, ties to longer range."""
    gap = battle.gap(unit, target).gap
    usable = [w for w in missiles(battle, unit) if may_use(battle, unit, w) and battle.book.band(w, gap) is not None]
    if len(usable) > 1 and not battle.is_solo(unit.spec.side) and names_target(battle, unit):
        return table.choose(unit.spec.side, usable, why="shoot with", rule="RSK-035", actor=unit.spec.id)

    def worth(weapon: str) -> tuple[int, int]:
        return BANDS.index(battle.book.band(weapon, gap) or "long"), -battle.book.reach(weapon)

    return min(usable, key=worth, default=None)


def _pick_figure(table: Table, battle: Battle, unit: Unit, target: Unit) -> int | None:
    """A Player Character's victim: any figure whose whole base he sees (RSK-087, RSK-104)."""
    between = obstacles(battle, unit, target)
    clear = [
        j
        for _, j in _open_figures(battle, unit, target, with_leaders=False)
        if whole_base(battle, unit, 0, target, j, between)
    ]
    if not clear:
        return None
    return table.choose(
        unit.spec.side, clear, why="pick a man", rule="RSK-087", actor=unit.spec.id, about=(target.spec.id,)
    )


# --- who is able -------------------------------------------------------------------------------------------------------------


def _open_figures(battle: Battle, unit: Unit, target: Unit, with_leaders: bool = True) -> list[Figure]:
    """The figures of a target that may be hit: its leaders within 5 cm among them (RSK-105), engaged ones not (RSK-097).

    In a wood only those no deeper than one may shoot into it (RSK-108, RSK-154).
    """
    deepest = max(battle.book.settings.woods_fire_depth, battle.book.settings.woods_look_depth)
    forbid = battle.book.settings.shooting_at_engaged == "forbid"
    if battle.book.settings.shooting_charge_throw and unit.spec.id in _charged_by(battle, target):
        forbid = False
    found = []
    for member in (target, *(battle.leaders_with(target) if with_leaders and not target.spec.leader else ())):
        engaged = engaged_figures(battle, member) if forbid else frozenset()
        depths = battle.field.depths[member.body]
        for index in range(member.count):
            depth = depths[index]
            if index not in engaged and (depth is None or depth[1] <= deepest or _shares_wood(battle, unit, depth[0])):
                found.append((member.spec.id, index))
    return found


def _shares_wood(battle: Battle, unit: Unit, piece: str) -> bool:
    return any(depth is not None and depth[0] == piece for depth in battle.field.depths[unit.body])


def _may_aim(battle: Battle, shooter: Unit, index: int, target: Unit, j: int) -> bool:
    """The rules of woods for one shooter and one man (RSK-152): from deeper than the fire depth nobody shoots out."""
    own, other = battle.field.depths[shooter.body][index], battle.field.depths[target.body][j]
    if own is not None and other is not None and own[0] == other[0]:
        return (
            dist(shooter.body.at[index], target.body.at[j])
            <= battle.book.lengths["wood_sight"] + 2 * target.body.radius
        )
    if own is None or not battle.field.pieces[own[0]].ground.wood:
        return True
    settings = battle.book.settings
    return own[1] <= max(settings.woods_look_depth, settings.woods_fire_depth)


def able_figures(
    battle: Battle, unit: Unit, target: Unit, weapon: str, pool: list[Figure], between: Obstacles
) -> list[Shot]:
    """The figures of a unit that can shoot at a target (RSK-094), each with its range (RSK-095), nearest first.

    Not those in contact with an enemy, guards and killers of prisoners, horse-holders (RSK-080), nor the wounded beyond
    short range (RSK-110). Leaders with the group shoot with it (RSK-087).
    """
    shooters = [(unit, index) for index in carriers(unit, weapon)]
    if not unit.spec.leader:
        shooters += [(leader, 0) for leader in battle.leaders_with(unit) if _joins_in(battle, leader, weapon)]
    engaged = engaged_figures(battle, unit)
    if battle.book.settings.shooting_charge_throw and loading_of(unit, weapon) == "hurled" and "charged" in unit.marks:
        engaged = frozenset()
    reach = battle.book.reach(weapon)
    near = battle.gap(unit, target).gap
    by_group = battle.book.settings.shooting_range_by == "group"
    found = []
    for shooter, index in shooters:
        if shooter is unit and index in engaged:
            continue
        seen = _nearest_seen(battle, shooter, index, pool, between, reach)
        if seen is None:
            continue
        away = near if by_group else seen
        band = battle.book.band(weapon, away)
        if band is None or (shooter.hurt[index] and band != "short"):
            continue
        found.append(Shot(away, shooter, index, weapon))
    found.sort(key=lambda shot: (shot.distance, shot.index))
    return found[: max(0, len(found) - _hands_full(battle, unit))]


def _joins_in(battle: Battle, leader: Unit, weapon: str) -> bool:
    return weapon in missiles(battle, leader) and not picks_figures(battle, leader) and may_shoot(battle, leader)


def _hands_full(battle: Battle, unit: Unit) -> int:
    """Figures that guard or kill prisoners (RSK-094, RSK-157) or hold horses (RSK-080)."""
    busy = unit.killers
    if battle.captives:
        busy += -(-battle.held_by(unit) // battle.book.counts["guarded"])
    if "dismounted" in unit.marks:
        busy += -(-unit.count // battle.book.counts["horse_holders"])
    return busy


def _nearest_seen(
    battle: Battle, shooter: Unit, index: int, pool: list[Figure], between: Obstacles, reach: int
) -> float | None:
    """The distance from one shooter to the nearest man of the pool whose whole base he sees; None beyond his reach."""
    here, own = shooter.body.at[index], shooter.body.radius
    units = battle.units
    ranked = sorted([(dist(here, units[name].body.at[j]), name, j) for name, j in pool])
    for length, name, j in ranked[:TRIES]:
        target = units[name]
        gap = max(0.0, length - own - target.body.radius)
        if gap > reach:
            return None
        if _may_aim(battle, shooter, index, target, j) and whole_base(battle, shooter, index, target, j, between):
            return gap
    return None


def share_with_a_clear_shot(battle: Battle, unit: Unit, target: Unit) -> float:
    """About what share of a unit has a clear shot at a target, by a few of its figures; for commanders, not for play."""
    between = obstacles(battle, unit, target)
    pool = _open_figures(battle, unit, target, with_leaders=False)
    engaged = engaged_figures(battle, unit)
    some = sorted({0, unit.count // 3, 2 * unit.count // 3, unit.count - 1})
    reach = max([battle.book.reach(weapon) for weapon in missiles(battle, unit)], default=0)
    clear = [i for i in some if i not in engaged and _nearest_seen(battle, unit, i, pool, between, reach) is not None]
    return len(clear) / len(some)


def visible_pool(battle: Battle, shots: list[Shot], pool: list[Figure], between: Obstacles) -> list[Figure]:
    """The figures of the target that the shooters can shoot at (RSK-104): what the foremost and the flank men see."""
    if battle.book.settings.shooting_allocate_to == "whole_group" or not shots:
        return pool
    eyes = shots if len(shots) <= 3 else [shots[0], *_flank_men(shots, battle, pool)]
    found = []
    for name, j in pool:
        target = battle.units[name]
        for shot in eyes:
            if _may_aim(battle, shot.unit, shot.index, target, j) and whole_base(
                battle, shot.unit, shot.index, target, j, between
            ):
                found.append((name, j))
                break
    return found or pool[:1]


def _flank_men(shots: list[Shot], battle: Battle, pool: list[Figure]) -> list[Shot]:
    """The shooters farthest to either hand across the line to the target."""
    aim = battle.units[pool[0][0]].body.centre
    centre = shots[0].unit.body.centre
    dx, dy = aim[0] - centre[0], aim[1] - centre[1]

    def across(shot: Shot) -> float:
        x, y = shot.unit.body.at[shot.index]
        return x * dy - y * dx

    return [min(shots, key=across), max(shots, key=across)]


# --- shots -------------------------------------------------------------------------------------------------------------------


def number_of_shots(book: RskBook, able: int, hurled: bool, full: bool, moved: bool) -> int:
    """How many of the figures able to shoot do so (RSK-081 to RSK-083, RSK-086, RSK-092, RSK-093).

    Commanded troops all; uncommanded 1 in 2 if stationary, 1 in 3 if they moved; hurled weapons 1 in 3 always, with
    `shooting.hand_hurled` multiply a third of the uncommanded rate.
    """
    counts, settings = book.counts, book.settings
    rate = 1 if full else counts["moving_rate"] if moved else counts["stationary_rate"]
    if hurled:
        rate = counts["hurled_rate"] * (rate if settings.shooting_hand_hurled == "multiply" else 1)
    if settings.shooting_fraction == "up":
        return -(-able // rate)
    shots = able // rate
    return max(shots, 1) if able and settings.shooting_fraction == "down_min1" else shots


def to_hit(book: RskBook, weapon: str, band: Band, cover: Cover) -> int:
    """The number to reach on a D8 (RSK-098); rockets have numbers of their own whatever the cover (RSK-008)."""
    if book.weapons[weapon].any_cover:
        row = book.file.rocket_to_hit
        return {"short": row.short, "medium": row.medium, "long": row.long}[band]
    return book.hit_on[band][cover]


def group_cover(battle: Battle, pool: list[Figure], seen_from: Point) -> Cover:
    """The cover of a target group: that of most of its visible figures, ties to the better, or the least (RSK-099)."""
    ranking: tuple[Cover, ...] = ("open", "soft", "hard")
    covers = [ranking.index(battle.field.cover_of(battle.units[n].body, j, seen_from)) for n, j in pool]
    if battle.book.settings.shooting_group_cover == "worst":
        return ranking[min(covers)]
    return ranking[max(range(3), key=lambda rank: (covers.count(rank), rank))]


@procedure("shooting.volley")
def volley(
    table: Table, battle: Battle, unit: Unit, target: Unit, weapon: str, figure: int | None = None, share: float = 1.0
) -> int:
    """P7 steps 2 to 5: the able figures, the number of shots, the D8s by range, and the damage; the shots fired.

    The nearest able figures shoot first (RSK-083). `figure` is the man a Player Character picked; `share` of the able
    figures shoots when fire is split.
    """
    between = obstacles(battle, unit, target)
    pool = [(target.spec.id, figure)] if figure is not None else _open_figures(battle, unit, target)
    able = able_figures(battle, unit, target, weapon, pool, between)
    able = able[: -(-len(able) // 2)] if share < 1.0 else able
    full = picks_figures(battle, unit) or shoots_commanded(battle, unit)
    entry = battle.book.weapons[weapon]
    if entry.shots and able:
        shots = able[:1] * (entry.shots if full else entry.uncommanded_shots)
    elif figure is not None:
        shots = able[:1]
    else:
        shots = able[: number_of_shots(battle.book, len(able), entry.hurled, full, "moved" in unit.marks)]
    if not shots:
        return 0
    aimed = pool if figure is not None else visible_pool(battle, shots, pool, between)
    cover = group_cover(battle, aimed, shots[0].unit.body.at[shots[0].index])
    hits = _throw(table, battle, unit, shots, aimed, cover)
    table.tell(
        "shooting", "RSK-098", unit=unit.spec.id, target=target.spec.id, shots=len(shots), hits=hits, cover=cover
    )
    for shot in shots:
        shot.unit.mark("fired", "fired_now")
        shot.unit.unmark("loaded")
    unit.mark("fired", "fired_now")
    unit.unmark("loaded")
    return len(shots)


def _throw(table: Table, battle: Battle, unit: Unit, shots: list[Shot], pool: list[Figure], cover: Cover) -> int:
    """The D8s of a volley band by band, nearest first, and the damage of each band's hits at once (RSK-098, RSK-100)."""
    batches: dict[tuple[Band, str], int] = {}
    for shot in shots:
        band = battle.book.band(shot.weapon, shot.distance)
        assert band is not None, "only figures within reach are able to shoot"
        batches[band, shot.unit.spec.troop_class] = batches.get((band, shot.unit.spec.troop_class), 0) + 1
    weapon, total = shots[0].weapon, 0
    entry = battle.book.weapons[weapon]
    wounds = kills = 0
    for (band, troop_class), count in batches.items():
        need = to_hit(battle.book, weapon, band, cover)
        hits = table.roll(count, 8, AtLeast(need), why="shooting", rule="RSK-098", actor=unit.spec.id)
        struck = hits
        if entry.blast and hits:
            struck = min(len(pool), table.roll(hits, 6, why="shell", rule="RSK-008", actor=unit.spec.id))
        total += hits
        if struck:
            wounded, killed = damage(table, struck, entry.damage, troop_class, unit.spec.id)
            wounds, kills = wounds + wounded, kills + killed
    if wounds + kills:
        strike_all(table, battle, wounds, kills, pool, unit.spec.id, "fire")
    return total
