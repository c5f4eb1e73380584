"""Machine guns, shells, and what they do to men in cover (P14 to P16; PAY-172 to PAY-191)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.chance import AtLeast, Counts, counts, named
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import distance_to_segment
from zareba.table import Table
from zareba_rulesets.paychest.chapters.guns.crews import choose_servers, note_service
from zareba_rulesets.paychest.chapters.leaders import succession
from zareba_rulesets.paychest.chapters.morale.morale import second_roll
from zareba_rulesets.paychest.chapters.movement.machines import crew_at
from zareba_rulesets.paychest.chapters.sight.cover import cover_class, covers_of, exposures
from zareba_rulesets.paychest.chapters.sight.sight import Muzzle, chains, firing_line, height_of, up_or_down, within
from zareba_rulesets.paychest.chapters.to_hit import FireFacts, double_roll, mark_hits, rules_of, shoot
from zareba_rulesets.paychest.forces.battle import Battle, Engine, kind_of
from zareba_rulesets.paychest.forces.ranges import band_of, bands_of
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "GunTarget",
    "cover_shock",
    "gun_groups",
    "gun_places",
    "gun_reach",
    "gun_shot",
    "gun_stretch",
    "men_along",
    "stretch_name",
    "try_gun",
]

ROUNDS = counts("hits")


GAITS = ("halt", "advance", "run")


class GunTarget(NamedTuple):
    """What a gun is aimed at: its name, the figures that it may hit, and those wholly hidden among them (PAY-190).

    `aimed`: to the nearest of these it measures (PAY-113): those whom it may hit, or where all hide, to whom its line
    is clear.
    """

    name: str
    exposed: list[Figure]
    hidden: list[Figure]
    aimed: list[Figure]


def _muzzle(battle: Battle, engine: Engine) -> Muzzle:
    assert engine.at is not None, "only pieces on the table fire"
    height = 0.0
    if engine.carrier:
        height = battle.engines[engine.carrier].altitude * float(battle.book.file.altitude.inches_a_step)
    return Muzzle(engine.at, bands_of(battle, engine, kind_of(engine))[-1][1], height)


GunReach = list[tuple[Unit, list[Figure], list[Figure]]]
"""Units, each with whom a piece may hit of it, and whom it might but for their cover."""


def gun_reach(battle: Battle, engine: Engine) -> GunReach:
    """Each enemy unit with those of its figures whom a piece may hit, and those whom it might but for their cover.

    Who is down in hard cover cannot be hit (PAY-186).
    """
    crew = tuple(figure.at for figure in crew_at(battle, engine) if figure.at is not None)
    line = firing_line([_muzzle(battle, engine)], crew)
    found = []
    for enemy in within(battle, engine.side, line.box, line.reach):
        seen = up_or_down(battle, engine.side, line, enemy)
        up = [figure for figure in seen if "down" not in figure.marks]
        found.append((enemy, up, [figure for figure in seen if "down" in figure.marks]))
    return found


def gun_groups(battle: Battle, engine: Engine, reach: GunReach | None = None) -> dict[tuple[str, str], GunTarget]:
    """The groups that a piece may fire at: chains of two or more, hidden men among them (PAY-178, PAY-179, PAY-191).

    A clear line to one of them is enough; all who hide in the chain count for the shock (PAY-190).
    `reach`: whom the piece has in reach, where that is known.
    """
    found: dict[tuple[str, str], GunTarget] = {}
    for enemy, exposed, seen in gun_reach(battle, engine) if reach is None else reach:
        down = [figure for figure in enemy.able if "down" in figure.marks] if exposed or seen else []
        for chain in chains(battle, [*exposed, *down]):
            hidden = [figure for figure in chain if "down" in figure.marks]
            open_to = [figure for figure in chain if "down" not in figure.marks]
            aimed = open_to or [figure for figure in hidden if figure in seen]
            if len(chain) > 1 and aimed:
                found[enemy.spec.id, chain[0].spec.id] = GunTarget(enemy.spec.id, open_to, hidden, aimed)
    return found


def gun_places(battle: Battle, engine: Engine, reach: GunReach | None = None) -> dict[str, list[Figure]]:
    """Unit -> its figures whom a piece may hit, for a stretch (PAY-098, PAY-178)."""
    known = gun_reach(battle, engine) if reach is None else reach
    return {enemy.spec.id: exposed for enemy, exposed, _ in known if exposed}


def men_along(reach: GunReach) -> list[Figure]:
    """All who may count on a stretch at which a piece fires: whom it may hit, and who hide (PAY-098, PAY-190)."""
    return [
        figure
        for enemy, exposed, seen in reach
        if exposed or seen
        for figure in enemy.able
        if figure in exposed or "down" in figure.marks
    ]


def gun_stretch(battle: Battle, engine: Engine, a: Point, b: Point, reach: GunReach | None = None) -> GunTarget:
    """All whom a piece may hit, or who hide, within an inch of a stretch; nobody if it has no clear line to any.

    PAY-098, PAY-178, PAY-190. `reach`: whom the piece has in reach, where that is known.
    """
    width = battle.book.file.target_stretch.inches + 1e-9
    exposed: list[Figure] = []
    hidden: list[Figure] = []
    clear: list[Figure] = []
    for enemy, there, seen in gun_reach(battle, engine) if reach is None else reach:
        down = [figure for figure in enemy.able if "down" in figure.marks]
        for figures, into in ((there, exposed), (down, hidden)):
            into += [f for f in figures if f.at is not None and distance_to_segment(f.at, a, b) <= width]
        clear += [figure for figure in seen if figure in hidden]
    aimed = exposed or clear
    return GunTarget(stretch_name(a, b), exposed, hidden if aimed else [], aimed)


def stretch_name(a: Point, b: Point) -> str:
    """A stretch in words, or the one place that it is."""
    first, last = (f"{round(at[0], 1):g}, {round(at[1], 1):g}" for at in (a, b))
    return f"whoever was at {first}" if a == b else f"the stretch from {first} to {last}"


def gun_facts(battle: Battle, engine: Engine, crewman: Figure, target: GunTarget) -> FireFacts | None:
    """The facts of a shot by a piece: P14 and P15 steps 1 and 2, with the bonus of PAY-173 and PAY-181. None out of range.

    The gait is the piece's own; at a machine gun on the ground also that of the man who fires it, as with a rifle.
    """
    muzzle = _muzzle(battle, engine)
    kind = kind_of(engine)
    away = [dist(muzzle.at, f.at) + height_of(battle, f) for f in target.aimed if f.at is not None]
    band = band_of(bands_of(battle, engine, kind), min(away) + muzzle.height)
    if band is None:
        return None
    cover = "hard"
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
        band=band,  # type: ignore[arg-type]  # one of the three
        gait=gait,  # type: ignore[arg-type]  # one of the three
        cover=cover,  # type: ignore[arg-type]  # one of the three
        weapon=kind,  # type: ignore[arg-type]  # one of the two
        arm_wounds=wounds.count("arm_wound"),
        body_wounds=wounds.count("body_wound"),
        recovered=int("recovered" in crewman.marks),
        bonus=counted // battle.book.file.guns[kind].figures_a_bonus,
    )


@procedure("gunnery.to_hit")
def try_gun(table: Table, engine: Engine, facts: FireFacts, actor: str) -> bool:
    """Steps 2 to 5 of P14 for a machine gun, P6 for shell: whether the shot hits; a jam is noted on the piece."""
    if facts.weapon == "shell":
        return shoot(table, facts, 1, actor) > 0
    skill = table.tally("firearms", facts, actor).total
    settings = table.rules.settings
    jam = rules_of(table).jam
    best = min(skill, 5 if settings["six_misses"] else 6) if skill >= 1 else double_roll(table)
    first = Counts((frozenset(range(1, jam.first + 1)), frozenset(range(1, best + 1))))
    means = counts("that may jam it", "that may hit")
    one, under = table.roll(1, 6, first, why="machine gun", rule="PAY-172", actor=actor, means=means)
    engine.first_ones += one
    hit = bool(under)
    same_shot = settings["jam_test"] == "same_shot"
    if (one and same_shot) or (hit and skill <= 0):
        second = Counts((frozenset(range(1, jam.second + 1)), frozenset(range(1, facts.skill + 1))))
        means = counts("that jams it if the first might", "that hits if more than one die is needed")
        again, unmodified = table.roll(1, 6, second, why="machine gun again", rule="PAY-175", actor=actor, means=means)
        if skill <= 0:
            hit = hit and bool(unmodified)
        if one and again and same_shot:
            engine.jammed = True
            hit = hit and settings["jam_effect"] == "hit_stands"
    if not same_shot and engine.first_ones >= jam.in_a_row:
        engine.jammed = True
    return hit


@procedure("gunnery.shot")
def gun_shot(table: Table, battle: Battle, key: str, target: GunTarget) -> int:
    """P14 or P15: one shot of a piece, its rounds or splinters, leaders lost, then cover shock. Returns their number."""
    engine = battle.engines.change(key)
    crew = choose_servers(table, battle, engine, key)
    facts = gun_facts(battle, engine, crew[0], target)
    assert facts is not None, "only targets in range are offered"
    engine.shots += 1
    note_service(battle, key, crew)
    jammed = engine.jammed
    hit = try_gun(table, engine, facts, key)
    table.tell("gun fires", "PAY-179", gun=key, unit=engine.unit, target=target.name, hit=hit)
    if engine.jammed and not jammed:
        table.tell("jammed", "PAY-175", gun=key, unit=engine.unit)
    hits = burst(table, battle, engine, facts.weapon, target, key) if hit else 0
    if hit or battle.book.settings.shock_trigger == "on_fire":
        cover_shock(table, battle, target.hidden)
    return hits


def burst(table: Table, battle: Battle, engine: Engine, kind: str, target: GunTarget, actor: str) -> int:
    """The hits of a shot that hits (1d6 rounds, 4d6 of a shell), each on a random exposed figure (PAY-174, PAY-182).

    Returns their number.
    """
    dice = battle.book.file.guns[kind].hit_dice
    hits = table.roll(dice, 6, why="rounds that hit", rule="PAY-174", actor=actor, means=ROUNDS)
    if target.exposed:
        assert engine.at is not None, "only pieces on the table fire"
        exposed = exposures(battle, engine.at, target.exposed, covers_of(battle, target.exposed))
        mark_hits(table, battle, target.exposed, hits, exposed, spread="random", actor=actor)
    return hits


def cover_shock(table: Table, battle: Battle, hidden: Sequence[Figure]) -> list[str]:
    """P16: each unit with hidden men in the target adds their number to a d6 (PAY-189, PAY-190).

    At 12 or more it makes the second morale roll at once. Returns the units that had to. A roll that cannot reach 12
    is not made. Who has run for the loss of his leader hides no more.
    """
    under: dict[str, int] = {}
    for figure in hidden:
        now = battle.figure(figure.spec.id)
        if now.able and "down" in now.marks:
            under[figure.spec.unit] = under.get(figure.spec.unit, 0) + 1
    shaken = []
    for unit_id, count in under.items():
        if shock_roll(table, battle.book.file.cover_shock.total, count, unit_id):
            shaken.append(unit_id)
            table.tell("shock", "PAY-189", unit=unit_id, hidden=count)
            second_roll(table, battle, battle.change(unit_id))
    if shaken:
        succession(table, battle)
    return shaken


def shock_roll(table: Table, total: int, hidden: int, actor: str) -> bool:
    """Whether the number of hidden men and a d6 together reach the total (PAY-189)."""
    least = total - hidden
    if least > 6:
        return False
    means = named("steady", "shaken", by="the hidden men, who are added")
    return bool(table.roll(1, 6, AtLeast(least), why="cover shock", rule="PAY-189", actor=actor, means=means))
