"""Guns and machine guns: their crews and their fire."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.chance import AtLeast, Counts, counts, named
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import distance_to_segment
from zareba.table import Table
from zareba_rulesets.paychest.book.tables import Cover
from zareba_rulesets.paychest.chapters.command import replace_lost_leaders
from zareba_rulesets.paychest.chapters.fire import FireFacts, assign_hits, file_of, first_die_needed, shoot
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.morale import second_roll
from zareba_rulesets.paychest.chapters.sight import (
    Muzzle,
    chains,
    cover_class,
    covers_of,
    eligible_up_or_down,
    enemies_near_box,
    exposures,
    firing_line,
    foes_near,
    height_of,
    in_contact,
)
from zareba_rulesets.paychest.forces.battle import (
    Battle,
    Engine,
    band_of,
    bands_of,
    gun_limit,
    is_burdened,
    kind_of,
    longest_range,
)
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- Crews of guns and machine guns, and whether a gun can fire (PAY-172 to PAY-184) ----------------------------------


def fit_crew(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that could serve a gun now: first those already serving it, then by skill, best first.

    They touch the gun, have not fired their own weapons, carry nothing heavy, touch no enemy and are fit to serve
    (PAY-172, PAY-178, PAY-184).
    """
    unit = battle.unit(engine.unit)
    foes = foes_near(battle, unit)
    fit = [
        figure
        for figure in crew_at(battle, engine)
        if not figure.shots
        and figure.marks.isdisjoint(("down", "ran", "back turned", "clearing"))
        and not figure.has_no_arms
        and not is_burdened(battle, figure)
        and not (foes and in_contact(battle, figure, foes))
        and ("served" not in figure.marks or figure.spec.id in engine.served_by)  # a figure serves only one gun
    ]
    fit.sort(key=lambda figure: ("served" not in figure.marks, -figure.spec.firearms))
    return fit


def servers(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that serves a gun, or none if there are too few (PAY-178, PAY-184)."""
    return _enough_crew(battle, engine, fit_crew(battle, engine))


def _enough_crew(battle: Battle, engine: Engine, fit: list[Figure]) -> list[Figure]:
    """Return the crew of a gun, the best first, or an empty list if too few are fit."""
    need = battle.book.file.guns[kind_of(engine)].crew
    return sorted(fit[:need], key=_by_skill) if len(fit) >= need else []


def _by_skill(figure: Figure) -> int:
    """Return the sort key that puts the best shots first."""
    return -figure.spec.firearms


def choose_servers(table: Table, battle: Battle, engine: Engine, key: str) -> list[Figure]:
    """Return the crew that serves a gun. The owner chooses if there are more than needed (PAY-178, PAY-184).

    Those who served it earlier in this activation serve it again.
    """
    fit = fit_crew(battle, engine)
    crew = _enough_crew(battle, engine, fit)
    if len(fit) == len(crew) or all("served" in figure.marks for figure in crew):
        return crew
    options = [tuple(figure.spec.id for figure in men) for men in combinations(fit, len(crew))]
    names = table.choose(engine.side, options, why="served by", rule="PAY-178", actor=key)
    return sorted((battle.figure(name) for name in names), key=_by_skill)


def note_service(battle: Battle, key: str, crew: Sequence[Figure]) -> None:
    """Record the crew of a gun: they fire no other weapon and serve no other gun in this activation (PAY-178)."""
    battle.engines.change(key).served_by = tuple(figure.spec.id for figure in crew)
    for figure in crew:
        battle.change_figure(figure.spec.id).mark("served")


def is_ready(battle: Battle, engine: Engine) -> bool:
    """Return True if a gun can fire now: unlimbered, not jammed, with a shot left and a crew.

    Shell needs a gun that did not move (PAY-084).
    """
    if engine.at is None or engine.limbered or engine.jammed or engine.shots >= gun_limit(battle, engine):
        return False
    if engine.kind == "gun" and engine.mount == "carriage" and engine.moved != "halt":
        return False
    return bool(servers(battle, engine))


# --- Machine-gun fire, shells, and their effect on figures in cover (PAY-172 to PAY-191) ------------------------------


ROUNDS = counts("hits")


GAITS = ("halt", "advance", "run")
"""The gaits, slowest first."""


class GunTarget(NamedTuple):
    """A gun's target: its name, the `exposed` figures it can hit, and the `hidden` ones among them (PAY-190).

    The range is measured to the nearest of `aimed` (PAY-113): the exposed figures, or if all hide, those with a clear
    line.
    """

    name: str
    exposed: list[Figure]
    hidden: list[Figure]
    aimed: list[Figure]


def _muzzle(battle: Battle, engine: Engine) -> Muzzle:
    """Return where a gun fires from, how far, and at what height."""
    assert engine.at is not None, "only pieces on the table fire"
    height = 0.0
    if engine.carrier:
        height = battle.engines[engine.carrier].altitude * float(battle.book.file.altitude.inches_a_step)
    return Muzzle(engine.at, longest_range(battle, engine, kind_of(engine)), height)


_UnitsInReach = list[tuple[Unit, list[Figure], list[Figure]]]
"""Units with the figures that a gun can hit, and the figures it could hit but for their cover."""


def units_in_gun_reach(battle: Battle, engine: Engine) -> _UnitsInReach:
    """Return each enemy unit with the figures a gun can hit, and those it could hit but for their cover.

    A figure that is down in hard cover cannot be hit (PAY-186).
    """
    crew = tuple(figure.at for figure in crew_at(battle, engine) if figure.at is not None)
    line = firing_line([_muzzle(battle, engine)], crew)
    units = []
    for enemy in enemies_near_box(battle, engine.side, line.box, line.range):
        seen = eligible_up_or_down(battle, engine.side, line, enemy)
        up = [figure for figure in seen if "down" not in figure.marks]
        units.append((enemy, up, [figure for figure in seen if "down" in figure.marks]))
    return units


def gun_groups(
    battle: Battle, engine: Engine, in_reach: _UnitsInReach | None = None
) -> dict[tuple[str, str], GunTarget]:
    """Return the groups a gun may fire at: chains of two or more, hidden figures included (PAY-178, PAY-179, PAY-191).

    A clear line to one of them is enough. All hidden figures of the chain count for cover shock (PAY-190). `in_reach`
    is the result of `units_in_gun_reach`, if known.
    """
    groups: dict[tuple[str, str], GunTarget] = {}
    for enemy, exposed, seen in units_in_gun_reach(battle, engine) if in_reach is None else in_reach:
        down = [figure for figure in enemy.able if "down" in figure.marks] if exposed or seen else []
        for chain in chains(battle, [*exposed, *down]):
            hidden = [figure for figure in chain if "down" in figure.marks]
            open_to = [figure for figure in chain if "down" not in figure.marks]
            aimed = open_to or [figure for figure in hidden if figure in seen]
            if len(chain) > 1 and aimed:
                groups[enemy.spec.id, chain[0].spec.id] = GunTarget(enemy.spec.id, open_to, hidden, aimed)
    return groups


def gun_places(battle: Battle, engine: Engine, in_reach: _UnitsInReach | None = None) -> dict[str, list[Figure]]:
    """Return the figures of each unit that a gun can hit along a stretch (PAY-098, PAY-178)."""
    groups = units_in_gun_reach(battle, engine) if in_reach is None else in_reach
    return {enemy.spec.id: exposed for enemy, exposed, _ in groups if exposed}


def men_along(in_reach: _UnitsInReach) -> list[Figure]:
    """Return the figures that may count on a stretch: those a gun can hit, and hidden ones (PAY-098, PAY-190)."""
    return [
        figure
        for enemy, exposed, seen in in_reach
        if exposed or seen
        for figure in enemy.able
        if figure in exposed or "down" in figure.marks
    ]


def gun_stretch(battle: Battle, engine: Engine, a: Point, b: Point, in_reach: _UnitsInReach | None = None) -> GunTarget:
    """Return the exposed and hidden figures within an inch of a stretch (PAY-098, PAY-178, PAY-190).

    The target is empty if the gun has no clear line to any of them. `in_reach` is the result of `units_in_gun_reach`,
    if known.
    """
    width = battle.book.file.target_stretch.inches + 1e-9
    exposed: list[Figure] = []
    hidden: list[Figure] = []
    clear: list[Figure] = []
    for enemy, up_figures, seen_figures in units_in_gun_reach(battle, engine) if in_reach is None else in_reach:
        down = [figure for figure in enemy.able if "down" in figure.marks]
        for figures, into in ((up_figures, exposed), (down, hidden)):
            into += [f for f in figures if f.at is not None and distance_to_segment(f.at, a, b) <= width]
        clear += [figure for figure in seen_figures if figure in hidden]
    aimed = exposed or clear
    return GunTarget(stretch_name(a, b), exposed, hidden if aimed else [], aimed)


def stretch_name(a: Point, b: Point) -> str:
    """Return a stretch in words, or its single point."""
    first, last = (f"{round(at[0], 1):g}, {round(at[1], 1):g}" for at in (a, b))
    return f"whoever was at {first}" if a == b else f"the stretch from {first} to {last}"


def gun_facts(battle: Battle, engine: Engine, crewman: Figure, target: GunTarget) -> FireFacts | None:
    """Return the facts of a gun's shot, with the group bonus of PAY-173 and PAY-181, or None out of range.

    The gait is the gun's own. For a machine gun on the ground the crewman's gait counts if it is worse, as with a
    rifle.
    """
    muzzle = _muzzle(battle, engine)
    kind = kind_of(engine)
    distances = [dist(muzzle.at, f.at) + height_of(battle, f) for f in target.aimed if f.at is not None]
    band = band_of(bands_of(battle, engine, kind), min(distances) + muzzle.height)
    if band is None:
        return None
    cover: Cover = "hard"
    if target.exposed:
        cover = cover_class(muzzle.at, target.exposed, covers_of(battle, target.exposed), battle.book.mixed_cover)
    counted = len(target.exposed)
    if battle.book.settings.group_bonus_counts == "all":
        counted += len(target.hidden)
    gait, wounds = engine.moved, crewman.wounds
    if kind == "machine_gun" and not engine.carrier:  # PAY-172
        gait = max(gait, crewman.gait, key=GAITS.index)
    return FireFacts(
        skill=crewman.spec.firearms,
        band=band,
        gait=gait,
        cover=cover,
        weapon=kind,
        arm_wounds=wounds.count("arm_wound"),
        body_wounds=wounds.count("body_wound"),
        recovered=int("recovered" in crewman.marks),
        bonus=counted // battle.book.file.guns[kind].figures_a_bonus,
    )


@procedure("gunnery.to_hit")
def roll_to_hit_with_gun(table: Table, engine: Engine, facts: FireFacts, actor: str) -> bool:
    """Roll to hit with a machine gun or shell and return True on a hit. A jam is recorded on the gun."""
    if facts.weapon == "shell":
        return shoot(table, facts, 1, actor) > 0
    skill = table.tally("firearms", facts, actor).total
    settings = table.rules.settings
    jam = file_of(table).jam
    best = min(skill, 5 if settings["six_misses"] else 6) if skill >= 1 else first_die_needed(table)
    first = Counts((frozenset(range(1, jam.first + 1)), frozenset(range(1, best + 1))))
    means = counts("possible jam", "possible hit")
    ones, under = table.roll(1, 6, first, why="machine gun", rule="PAY-172", actor=actor, means=means)
    engine.first_ones += ones
    has_hit = bool(under)
    same_shot = settings["jam_test"] == "same_shot"
    if (ones and same_shot) or (has_hit and skill <= 0):
        second = Counts((frozenset(range(1, jam.second + 1)), frozenset(range(1, facts.skill + 1))))
        means = counts("jam (if the first die may cause one)", "hit (if two dice are needed)")
        again, unmodified = table.roll(1, 6, second, why="machine gun again", rule="PAY-175", actor=actor, means=means)
        if skill <= 0:
            has_hit = has_hit and bool(unmodified)
        if ones and again and same_shot:
            engine.jammed = True
            has_hit = has_hit and settings["jam_effect"] == "hit_stands"
    if not same_shot and engine.first_ones >= jam.in_a_row:
        engine.jammed = True
    return has_hit


@procedure("gunnery.shot")
def gun_shot(table: Table, battle: Battle, key: str, target: GunTarget) -> int:
    """Fire one shot of a gun: hits, lost leaders, then cover shock. Return the number of hits."""
    engine = battle.engines.change(key)
    crew = choose_servers(table, battle, engine, key)
    facts = gun_facts(battle, engine, crew[0], target)
    assert facts is not None, "only targets in range are offered"
    engine.shots += 1
    note_service(battle, key, crew)
    jammed = engine.jammed
    has_hit = roll_to_hit_with_gun(table, engine, facts, key)
    table.emit("gun fires", "PAY-179", gun=key, unit=engine.unit, target=target.name, hit=has_hit)
    if engine.jammed and not jammed:
        table.emit("jammed", "PAY-175", gun=key, unit=engine.unit)
    hits = burst(table, battle, engine, facts.weapon, target, key) if has_hit else 0
    if has_hit or battle.book.settings.shock_trigger == "on_fire":
        cover_shock(table, battle, target.hidden)
    return hits


def burst(table: Table, battle: Battle, engine: Engine, kind: str, target: GunTarget, actor: str) -> int:
    """Roll the hits (1d6 rounds, or 4d6 for shell) and apply them to random exposed figures (PAY-174, PAY-182).

    Return their number.
    """
    dice = battle.book.file.guns[kind].hit_dice
    hits = table.roll(dice, 6, why="rounds that hit", rule="PAY-174", actor=actor, means=ROUNDS)
    if target.exposed:
        assert engine.at is not None, "only pieces on the table fire"
        exposed = exposures(battle, engine.at, target.exposed, covers_of(battle, target.exposed))
        assign_hits(table, battle, target.exposed, hits, exposed, spread="random", actor=actor)
    return hits


def cover_shock(table: Table, battle: Battle, hidden: Sequence[Figure]) -> list[str]:
    """Roll a d6 plus the number of hidden figures for each unit in the target (PAY-189, PAY-190).

    At 12 or more the unit makes the second morale roll at once. Return these units. A roll that cannot reach 12 is
    skipped. Figures that have already run after the loss of their leader no longer hide.
    """
    under: dict[str, int] = {}
    for figure in hidden:
        now = battle.figure(figure.spec.id)
        if now.able and "down" in now.marks:
            under[figure.spec.unit] = under.get(figure.spec.unit, 0) + 1
    shaken = []
    for unit_id, count in under.items():
        if _shock_roll(table, battle.book.file.cover_shock.total, count, unit_id):
            shaken.append(unit_id)
            table.emit("shock", "PAY-189", unit=unit_id, hidden=count)
            second_roll(table, battle, battle.change(unit_id))
    if shaken:
        replace_lost_leaders(table, battle)
    return shaken


def _shock_roll(table: Table, total: int, hidden: int, actor: str) -> bool:
    """Return True if the number of hidden figures plus a d6 reaches the total (PAY-189)."""
    needed = total - hidden
    if needed > 6:
        return False
    means = named("steady", "shaken", by="the number of hidden men, which is added")
    return bool(table.roll(1, 6, AtLeast(needed), why="cover shock", rule="PAY-189", actor=actor, means=means))
