"""Melee: the pairs of figures, one fight with its dice and blows, then push back and follow up (RSK-040, RSK-164 to
RSK-182).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from zareba.base.exact import dist, distances, hypot, total
from zareba.base.state import facts
from zareba.chance import EACH, counts, random_draw
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, direction
from zareba.space.field.bodies import SLACK, Base, Body, NearestPair, crowd_of_bodies, nearest
from zareba.space.geometry import Point, box_between, boxes_meet
from zareba.space.moves import first_place_back, first_touch, furthest_first
from zareba.table import Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND, Figure, apply_effects, figures_by_name, strike
from zareba_rulesets.risk_factor.chapters.charge import TOUCH
from zareba_rulesets.risk_factor.chapters.movement import place_body
from zareba_rulesets.risk_factor.chapters.prisoners import take_prisoners
from zareba_rulesets.risk_factor.forces import Battle, Unit, arms_of, melee_factor

# --- Matching: the figures that take part, paired as evenly as possible (RSK-164, RSK-165, RSK-182) -------------------


@dataclass(slots=True)
class FigureMatch:
    """A figure of the smaller side and the opponents it faces."""

    single: Figure
    several: list[Figure]


def matches(table: Table, battle: Battle, units: Sequence[Unit]) -> list[FigureMatch]:
    """Match the fighters as evenly as possible, each with the nearest opponents. The rest stand behind (RSK-164).

    Leaders of charging groups are matched like other figures (RSK-182).
    """
    active_side = battle.side  # only the active side charges in its player turn
    anybody = _anybody_charged(battle, units)
    sides = fighters(battle, units)
    ours, theirs = sides[active_side], sides[battle.enemy(active_side)]
    smaller, larger = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    shares = spread_opponents(len(smaller), len(larger), battle.book.settings.melee_max_contact)
    if shares and shares[0] != shares[-1] and not battle.is_solo(active_side):
        smaller = _order_for_odd_opponents(table, battle, active_side, smaller)
    return pair_off(battle, smaller, larger, anybody and larger is ours)


def fighters(battle: Battle, units: Sequence[Unit]) -> dict[str, list[Figure]]:
    """Return the figures of each side that take part in a melee between some units. Figures too far off do not
    (RSK-164).
    """
    anybody = _anybody_charged(battle, units)
    return {
        side: _figures_of_side(battle, units, side, steps_up=side != battle.side or not anybody)
        for side in battle.order
    }


def _anybody_charged(battle: Battle, units: Sequence[Unit]) -> bool:
    """Return True if one of these units of the active side has charged this turn."""
    return any("charged" in unit.marks for unit in units if unit.spec.side == battle.side)


def _figures_of_side(battle: Battle, units: Sequence[Unit], side: str, steps_up: bool) -> list[Figure]:
    """Return the figures of one side that fight: those in contact, and with `steps_up` those near enough to step up
    (RSK-164).

    Leaders within 5 cm of a charged group come after its men, or among them with `melee.leaders` set to as_figures
    (RSK-182). If only a leader is in contact, the men of his group step up to him. No figure steps up out of another
    melee. Figures that killed prisoners in this player turn do not step up; they are those farthest from the fight
    (RSK-159).
    """
    own_units = [unit for unit in units if unit.spec.side == side and unit.is_on_table]
    contact = {unit.spec.id: battle.figures_in_contact(unit) for unit in own_units}
    reach = battle.book.settings.melee_step_up_cm
    fronts = [
        (battle.units[n].body.at[i], battle.units[n].body.radius) for n, touching in contact.items() for i in touching
    ]
    if steps_up:
        groups = [unit for unit in own_units if not unit.spec.leader]
        for host in [battle.host(unit) for unit in own_units if unit.spec.leader]:
            if host is not None and all(host is not unit for unit in groups) and not battle.enemies_in_contact(host):
                groups.append(host)
                own_units.append(host)
        leaders = [leader for unit in groups for leader in battle.leaders_with(unit)]
        own_units += [
            leader for leader in leaders if leader.spec.id not in contact and not battle.enemies_in_contact(leader)
        ]
    fighting: list[tuple[bool, float, Figure]] = []
    leaders_last = battle.book.settings.melee_leaders == "last"
    for unit in own_units:
        in_contact = contact.get(unit.spec.id, frozenset())
        nearby: list[tuple[bool, float, Figure]] = []
        for index, point in enumerate(unit.body.at):
            distance = min([max(0.0, dist(point, p) - r - unit.body.radius) for p, r in fronts], default=0.0)
            if index in in_contact:
                fighting.append(
                    (bool(unit.spec.leader) and leaders_last and steps_up, 0.0, Figure(unit.spec.id, index))
                )
            elif steps_up and distance <= reach:
                nearby.append((bool(unit.spec.leader) and leaders_last, distance, Figure(unit.spec.id, index)))
        if unit.killers and side == battle.side:
            nearby = sorted(nearby)[: max(0, unit.count - len(in_contact) - unit.killers)]
        fighting += nearby
    return [figure for *_, figure in sorted(fighting)]


def spread_opponents(smaller: int, larger: int, max_opponents: int) -> list[int]:
    """Return the number of opponents for each figure of the smaller side: even to within one, at most `max_opponents`
    (RSK-164, RSK-165).
    """
    fighters = min(larger, max_opponents * smaller)
    return [fighters // smaller + (index < fighters % smaller) for index in range(smaller)] if smaller else []


def _order_for_odd_opponents(table: Table, battle: Battle, side: str, smaller: list[Figure]) -> list[Figure]:
    """Ask the charging side which figures face the odd opponents: those in front, the wounded, or the leaders
    (RSK-164).
    """
    units = battle.units

    def is_wounded(figure: Figure) -> bool:
        return units[figure.unit_id].hurt[figure.number]

    def is_leader(figure: Figure) -> bool:
        return bool(units[figure.unit_id].spec.leader)

    kinds = ["front"]
    if any(is_wounded(f) for f in smaller) and not all(is_wounded(f) for f in smaller):
        kinds.append("wounded")
    if any(is_leader(f) for f in smaller) and not all(is_leader(f) for f in smaller):
        kinds.append("leaders")
    chosen = table.choose(side, kinds, why="odd opponents", rule="RSK-164", actor=smaller[0].unit_id)
    if chosen == "wounded":
        return sorted(smaller, key=lambda figure: not is_wounded(figure))
    if chosen == "leaders":
        return sorted(smaller, key=lambda figure: not is_leader(figure))
    return smaller


def pair_off(battle: Battle, smaller: Sequence[Figure], larger: Sequence[Figure], charges: bool) -> list[FigureMatch]:
    """Give each figure of the smaller side its share of the nearest opponents left. Leaders of a larger side that did
    not charge come last.
    """
    shares = spread_opponents(len(smaller), len(larger), battle.book.settings.melee_max_contact)
    unpaired = list(larger)
    leaders_last = battle.book.settings.melee_leaders == "last" and not charges
    matches = []
    for single, share in zip(smaller, shares, strict=True):
        position = battle.units[single[0]].body.at[single[1]]
        ranked = sorted(
            (leaders_last and _leads(battle, other), _distance_to(battle, other, position), other) for other in unpaired
        )
        unpaired = [other for _, _, other in ranked]
        matches.append(FigureMatch(single, unpaired[:share]))
        unpaired = unpaired[share:]
    return matches


def _leads(battle: Battle, figure: Figure) -> bool:
    """Return True if a figure is a leader."""
    return bool(battle.units[figure.unit_id].spec.leader)


def _distance_to(battle: Battle, figure: Figure, point: Point) -> float:
    """Return the cm from a figure to a point."""
    return dist(point, battle.units[figure.unit_id].body.at[figure.number])


# --- One fight with its dice and blows, then push back and follow up --------------------------------------------------


_FIGHTERS = counts("one die for each fighter, the single figure first; the lower total may be struck")
_ROUTER_SCORE = 0  # routers throw no die (RSK-176)
_SHARES_OF_WAY = (1.0, 0.75, 0.5, 0.25)  # shares of the way back to try
_SLANTS = (30, -30, 60, -60, 90, -90)  # degrees off the straight way back
_CANCELLED = 1e-6  # below this, pushes from all sides cancel out


def find_fights(battle: Battle) -> list[tuple[str, ...]]:
    """Return every melee on the table as the units linked by base contact, whichever side charged (RSK-040, RSK-181).
    Clear the casualty records of the round.
    """
    links: dict[str, list[str]] = {}
    first = battle.order[0]
    for unit in battle.of(first):
        for enemy in battle.enemies_in_contact(unit):
            links.setdefault(unit.spec.id, []).append(enemy.spec.id)
            links.setdefault(enemy.spec.id, []).append(unit.spec.id)
    fights, visited = [], set()
    for name in battle.units:
        if name in links and name not in visited:
            group, to_visit = [], [name]
            while to_visit:
                current = to_visit.pop()
                if current not in visited:
                    visited.add(current)
                    group.append(current)
                    to_visit += links[current]
            fights.append(tuple(sorted(group)))
    for unit in battle.units.values():
        unit.round_lost = unit.round_caused = 0
    return fights


@procedure("melee.fight")
def fight(table: Table, battle: Battle, names: tuple[str, ...], pairs: Sequence[FigureMatch] = ()) -> None:
    """Fight one melee: match, throw, strike all blows at once, push back the losers, follow up (RSK-174, RSK-175).

    `pairs` are the matches, if the caller already has them.
    """
    units = [battle.units[name] for name in names if battle.units[name].is_on_table]
    if len({unit.spec.side for unit in units}) < 2:
        return
    pairs = pairs or matches(table, battle, units)
    if not pairs:
        return
    fates: dict[Figure, int] = {}
    casualties_caused = dict.fromkeys((unit.spec.id for unit in units), 0)
    match_situations = [(match, _situations(battle, match)) for match in pairs]
    for match, situations in table.each(match_situations, fates, casualties_caused):
        dice = _roll_melee_dice(table, battle, match)
        single, *several = [
            Fighter(figure, dice[figure], score(table, dice[figure], situation, figure.unit_id))
            for figure, situation in situations.items()
        ]
        for blow in resolve_blows(single, several, battle.book):
            victim = _victim(table, battle, blow)
            before = fates.get(victim)
            if before is None:
                casualties_caused[blow.by.unit_id] = casualties_caused.get(blow.by.unit_id, 0) + 1
            fates[victim] = KILL if before is not None or blow.effect == KILL else WOUND
            _report_blow(table, battle, {fighter.who: fighter for fighter in (single, *several)}, blow, victim, fates)
    fighters_of = [figure for match in pairs for figure in (match.single, *match.several)]
    names = tuple(sorted({*names, *(figure.unit_id for figure in fighters_of)}))
    losers = _losers(table, battle, names, fates, casualties_caused)
    apply_effects(table, battle, fates, "melee")
    push_back(table, battle, names, losers)
    if len(losers) == 1:
        follow_up(table, battle, names, battle.enemy(losers[0]))


# --- Dice and scores (RSK-166 to RSK-171, RSK-176) --------------------------------------------------------------------


@facts
class MeleeFacts:
    """Table M as facts. `further_enemies` is one less than `extra_enemies`, for `melee.raw_and_outnumbered` set to
    worst_only.
    """

    raw: bool = False
    extra_enemies: int = 0
    crossing: bool = False
    superior: bool = False
    better_weapon: bool = False
    further_enemies: int = 0
    start: int = 0


def _situations(battle: Battle, match: FigureMatch) -> dict[Figure, MeleeFacts]:
    """Return the melee facts of each figure of a match, the single figure first."""
    single = {match.single: _situation(battle, match.single, match.several)}
    return single | {other: _situation(battle, other, [match.single]) for other in match.several}


def _situation(battle: Battle, figure: Figure, opponents: Sequence[Figure]) -> MeleeFacts:
    """Return the melee facts of one figure against its opponents (Table M)."""
    unit = battle.units[figure.unit_id]
    spec = unit.spec
    factor = factor_of(battle, figure)
    return melee_facts(
        spec.troop_class == "raw",
        len(opponents),
        crosses(battle, figure, opponents),
        spec.is_superior,
        all(factor > factor_of(battle, opponent) for opponent in opponents),
    )


def melee_facts(raw: bool, opponents: int, crossing: bool, superior: bool, better_weapon: bool) -> MeleeFacts:
    """Return the facts of a figure against a number of opponents (RSK-167 to RSK-171)."""
    extra = max(0, opponents - 1)
    return MeleeFacts(raw, extra, crossing, superior, better_weapon, max(0, extra - 1))


def crosses(battle: Battle, figure: Figure, opponents: Sequence[Figure]) -> bool:
    """Return True if a charger fights across an obstacle against any of its opponents (RSK-168)."""
    unit = battle.units[figure.unit_id]
    position, opponent_positions = (
        unit.body.at[figure.number],
        [battle.units[opponent.unit_id].body.at[opponent.number] for opponent in opponents],
    )
    return "charger" in unit.marks and any(
        battle.field.barrier_between(position, point) for point in opponent_positions
    )


def factor_of(battle: Battle, figure: Figure) -> int:
    """Return the best melee factor that a figure carries, or 0 if it was disarmed (RSK-035, RSK-161)."""
    unit = battle.units[figure.unit_id]
    if "disarmed" in unit.marks:
        return 0
    return melee_factor(battle.book, arms_of(battle, unit, figure.number), unit.armed[figure.number])


def _roll_melee_dice(table: Table, battle: Battle, match: FigureMatch) -> dict[Figure, int]:
    """Throw one D6 for every figure of a match, the single figure first. Routers throw none (RSK-166, RSK-176)."""
    figures = [match.single, *match.several]
    rolling = [figure for figure in figures if battle.units[figure.unit_id].status != "routing"]
    dice = dict.fromkeys(figures, 0)
    if rolling:
        faces = table.roll(
            len(rolling), 6, EACH, why="melee", rule="RSK-166", actor=match.single.unit_id, means=_FIGHTERS
        )
        dice.update(zip(rolling, faces, strict=True))
    return dice


def score(table: Table, die: int, situation: MeleeFacts, unit: str) -> int:
    """Return the die of a figure plus its modifiers. Routers throw no die and score 0 (RSK-166, RSK-176)."""
    return die + table.tally("melee_score", situation, unit).total if die else _ROUTER_SCORE


# --- Blows and the result (RSK-172 to RSK-178) ------------------------------------------------------------------------


class Fighter(NamedTuple):
    """A figure in a match: its id, its die (0 for a router) and its score."""

    who: Any
    die: int
    score: int


class Blow(NamedTuple):
    """A blow by a winner: the wound or kill, and the opponents it may fall on."""

    by: Any
    effect: int
    beaten: tuple[Any, ...]


def resolve_blows(single: Fighter, several: Sequence[Fighter], book: RskBook) -> list[Blow]:
    """Return all blows of a match. They fall at the same time (RSK-172, RSK-174).

    By default each figure is compared with each of its opponents. With `melee.multi` set to side_best, the best score
    of the several stands for all of them. The single figure then strikes only if it beats them all. Each of the
    several strikes only if their best score and its own beat the single figure.
    """
    blows = []
    pairwise = book.settings.melee_multi == "pairwise"
    best_score = max(fighter.score for fighter in several)
    beaten = tuple(other.who for other in several if single.score > other.score)
    if beaten and (pairwise or single.score > best_score) and single.die:
        effect = _effect_of(single, book)
        if effect:
            blows.append(Blow(single.who, effect, beaten))
    for other in several:
        if other.die and other.score > single.score and (pairwise or best_score > single.score):
            effect = _effect_of(other, book)
            if effect:
                blows.append(Blow(other.who, effect, (single.who,)))
    return blows


def _effect_of(fighter: Fighter, book: RskBook) -> int:
    """Return the effect of a winner's die: 5 wounds, 6 kills, otherwise 0. The setting decides whether the die or the
    score counts (RSK-173).
    """
    deciding_number, (wound, kill) = (
        fighter.die if book.settings.melee_hit_die == "natural" else fighter.score,
        book.blows,
    )
    return KILL if deciding_number >= kill else WOUND if deciding_number >= wound else 0


def _victim(table: Table, battle: Battle, blow: Blow) -> Figure:
    """Return the beaten opponent that a winner strikes. The owner chooses; solo sides strike a wounded one first,
    otherwise chance decides (RSK-174).
    """
    beaten: list[Figure] = list(blow.beaten)
    if len(beaten) == 1:
        return beaten[0]
    winner = battle.units[blow.by.unit_id]
    if not battle.is_solo(winner.spec.side):
        options = [(figure.unit_id, figure.number) for figure in beaten]  # options are plain data
        choice = table.choose(winner.spec.side, options, why="strike whom", rule="RSK-174", actor=winner.spec.id)
        return Figure(*choice)
    wounded = [figure for figure in beaten if battle.units[figure.unit_id].hurt[figure.number]] or beaten
    men = figures_by_name(battle, wounded)
    return men[
        table.draw(
            dict.fromkeys(men, 1),
            why="strike whom",
            rule="RSK-174",
            actor=winner.spec.id,
            means=random_draw("figure struck"),
        )
    ]


def _report_blow(
    table: Table,
    battle: Battle,
    fighters: dict[Figure, Fighter],
    blow: Blow,
    victim: Figure,
    fates: dict[Figure, int],
) -> None:
    """Emit a blow: the striker, the victim, the die and scores, and the effect."""
    (striker, *_), (struck, *_) = figures_by_name(battle, [blow.by]), figures_by_name(battle, [victim])
    by, other = fighters[blow.by], fighters[victim]
    dead = fates[victim] == KILL or battle.units[victim.unit_id].hurt[victim.number]
    event_data = {"die": by.die, "score": by.score, "against": other.score, "dead": dead}
    table.emit("blow", "RSK-174", striker=striker, struck=struck, **event_data)


def _losers(
    table: Table, battle: Battle, names: tuple[str, ...], fates: dict[Figure, int], casualties_caused: dict[str, int]
) -> list[str]:
    """Return the side or sides that go back, and add the casualties of the round to the records (RSK-124, RSK-177,
    RSK-178).
    """
    is_weighted = battle.book.settings.melee_result_measure == "weighted"
    casualties_suffered = dict.fromkeys(battle.order, 0)
    for (name, index), effect in fates.items():
        unit = battle.units[name]
        killed = effect == KILL or unit.hurt[index]
        casualties_suffered[unit.spec.side] += battle.book.counts["kill_weight"] if is_weighted and killed else 1
        unit.lost += 1
        unit.round_lost += 1
    for name, count in casualties_caused.items():
        battle.units[name].caused += count
        battle.units[name].round_caused += count
    first, second = battle.order
    losers = (
        [first, second]
        if casualties_suffered[first] == casualties_suffered[second]
        else [max(casualties_suffered, key=lambda side: casualties_suffered[side])]
    )
    table.emit("melee", "RSK-177", units=list(names), suffered=dict(casualties_suffered), back=losers)
    return losers


# --- Push back: the losers go back 5 cm or are wounded for lack of room (RSK-177 to RSK-180, RSK-192) -----------------


@procedure("melee.push_back")
def push_back(table: Table, battle: Battle, names: Sequence[str], sides: Sequence[str]) -> None:
    """Move every group of the losing sides with a figure in the melee back as a whole, still facing the enemy
    (RSK-177).

    Groups farther from the enemy go first. After a draw both sides go back (RSK-178). Leaders go with their group
    unless they fight elsewhere (RSK-192). Figures without room stay and take a wound, which kills a wounded figure
    (RSK-180). These wounds count for the Risk Factor, but not for the result of the melee.
    """
    cm = battle.book.lengths["push_back"]
    fighting = [battle.units[name] for name in names]
    enemy_points = {
        side: [point for unit in fighting if unit.spec.side != side for point in unit.body.at] for side in sides
    }
    pushed = [unit for unit in fighting if unit.spec.side in sides and unit.is_on_table]
    pushed = [unit for unit in pushed if enemy_points[unit.spec.side]]
    # All directions are taken before any group moves.
    directions = {unit.spec.id: _direction_away(battle, unit, enemy_points[unit.spec.side]) for unit in pushed}
    for unit in sorted(pushed, key=lambda unit: -min(distances(unit.body.centre, enemy_points[unit.spec.side]))):
        name = unit.spec.id
        dx, dy = directions[name]
        blocked_figures = [
            i for i, point in enumerate(unit.body.at) if _has_no_room(battle, unit, point, dx * cm, dy * cm)
        ]
        facing = bearing_to((dx, dy), (0.0, 0.0))
        companions = [leader for leader in _companions(battle, unit) if leader.spec.id not in names]
        old = unit.body
        for member, stay in ((unit, set(blocked_figures)), *((leader, set()) for leader in companions)):
            _move_together(battle, member, dx * cm, dy * cm, stay)
        _break_off(battle, unit, old, dx, dy, blocked_figures)
        unit.facing = facing
        is_stuck = len(blocked_figures) == unit.count
        if blocked_figures:
            effects = {index: KILL if unit.hurt[index] else WOUND for index in blocked_figures}
            unit.lost += len(effects)
            unit.round_lost += len(effects)
            table.emit("no room", "RSK-180", unit=name, count=len(effects))
            strike(table, battle, unit, effects, "melee")
        if not is_stuck:
            table.emit("pushed back", "RSK-177", unit=name)


def _direction_away(battle: Battle, unit: Unit, enemies: Sequence[Point]) -> Point:
    """Return the direction straight away from the enemies in contact with a group: the sum of the directions from each
    of them (RSK-177).

    If only its leaders fought, the group goes their way. If the directions cancel out, it goes away from the nearest
    enemy figure.
    """
    dx, dy = _direction_of_pressure(battle, unit)
    if not battle.figures_in_contact(unit):
        pushes = [_direction_of_pressure(battle, leader) for leader in battle.leaders_with(unit)]
        dx, dy = total(x for x, _ in pushes), total(y for _, y in pushes)
    if dx * dx + dy * dy < _CANCELLED:
        (x, y), (ex, ey) = min(product(unit.body.at, enemies), key=lambda pair: dist(*pair))
        dx, dy = x - ex, y - ey
    length = hypot(dx, dy)
    return (dx / length, dy / length) if length > 1e-9 else (0.0, -1.0)


def _direction_of_pressure(battle: Battle, unit: Unit) -> Point:
    """Return the sum of the directions from enemies in contact to the figures they touch."""
    dx = dy = 0.0
    for index in sorted(battle.figures_in_contact(unit)):
        x, y = unit.body.at[index]
        for enemy in battle.enemies_in_contact(unit):
            reach = unit.body.radius + enemy.body.radius + battle.book.lengths["contact"]
            for ex, ey in enemy.body.at:
                distance = dist((x, y), (ex, ey))
                if 0 < distance <= reach:
                    dx, dy = dx + (x - ex) / distance, dy + (y - ey) / distance
    return dx, dy


def _has_no_room(battle: Battle, unit: Unit, point: Point, dx: float, dy: float) -> bool:
    """Return True if closed ground, the edge of the table or an enemy is within the 5 cm behind a figure."""
    end = (point[0] + dx, point[1] + dy)
    if not battle.field.on_table(end):
        return True
    box = box_between(point, end)
    for piece in battle.field.closed:
        if boxes_meet(box, piece.box) and (piece.holds(end) if piece.is_area else piece.meets(point, end)):
            return True
    length = dist(point, end) + unit.body.radius
    near = (
        e.body for e in battle.against(unit.spec.side) if dist(point, e.body.centre) <= e.body.outer_radius + length
    )
    bases = (base for body in near for base in body.bases)
    return first_touch(point, end, unit.body.radius - SLACK, bases) is not None


def _companions(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the leaders who move with a group: those with it who are not in contact with an enemy (RSK-192)."""
    leaders = [] if unit.spec.leader else battle.leaders_with(unit)
    return [leader for leader in leaders if not battle.enemies_in_contact(leader)]


def _move_together(battle: Battle, unit: Unit, dx: float, dy: float, stay: set[int]) -> None:
    """Move the figures of a unit together. A figure that would end on another base is drawn back along its way."""
    radius = unit.body.radius
    body = unit.body
    west, south, east, north = body.box
    near = battle.unit_index().in_box((west - abs(dx), south - abs(dy), east + abs(dx), north + abs(dy)))
    crowd = crowd_of_bodies(other for other in near if other is not body)
    for index in stay:
        crowd.add(Base(*unit.body.at[index], radius))
    final: dict[int, Point] = {index: unit.body.at[index] for index in stay}

    def holds(spot: Point) -> bool:
        return battle.field.on_table(spot) and crowd.is_free(spot, radius) and not battle.field.is_closed(spot)

    for index in furthest_first(body.at, (dx, dy)):
        if index in stay:
            continue
        start = body.at[index]
        spot = final[index] = first_place_back(start, (dx, dy), (1.0, 0.99, *_SHARES_OF_WAY[1:]), holds) or start
        crowd.add(Base(*spot, radius))
    place_body(battle, unit, Body(tuple(final[index] for index in range(unit.count)), radius))


def _break_off(battle: Battle, unit: Unit, old: Body, dx: float, dy: float, stay: Collection[int]) -> None:
    """Move figures whose way back is full of friends past them to either side, out of contact, where there is room
    (RSK-079).
    """
    radius, back = old.radius, bearing_to((0.0, 0.0), (dx, dy))
    cm, contact = battle.book.lengths["push_back"], battle.book.lengths["contact"]
    for index in sorted(battle.figures_in_contact(unit).difference(stay)):
        x, y = start = old.at[index]
        rest = unit.body.without([index])
        crowd = crowd_of_bodies([rest, *(body for body in battle.bodies() if body is not unit.body)])
        enemies = crowd_of_bodies(enemy.body for enemy in battle.against(unit.spec.side))
        for share, slant in product(_SHARES_OF_WAY, _SLANTS):
            way = direction(back + slant)
            spot = (x + share * cm * way[0], y + share * cm * way[1])
            free = crowd.is_free(spot, radius) and enemies.is_free(spot, radius + contact)
            if free and battle.field.on_table(spot) and not battle.field.meets_walls(start, spot):
                unit.body = Body((*rest.at[:index], spot, *rest.at[index:]), radius)
                break


# --- Follow up: the winners may go after those pushed back (RSK-179, RSK-192) -----------------------------------------


@procedure("melee.follow_up")
def follow_up(table: Table, battle: Battle, names: Sequence[str], winner: str) -> None:
    """Let the winners follow those pushed back, up to 5 cm into contact, across a barrier too (RSK-179).

    Leaders without orders go with their group, or stay with it (RSK-192).
    """
    for name in names:
        unit = battle.units[name]
        if unit.spec.side != winner or not unit.is_on_table or unit.status == "routing" or unit.spec.support:
            continue
        if unit.spec.leader and "free" not in unit.marks and battle.host(unit) is not None:
            continue
        enemies = [
            battle.units[n] for n in names if battle.units[n].is_on_table and battle.units[n].spec.side != winner
        ]
        followed = enemy_to_follow(battle, unit, enemies)
        if followed is None:
            continue
        enemy, pair = followed
        if battle.is_solo(winner):
            follows = _wants_to_follow(battle, unit)
        else:
            follows = table.confirm(winner, why="follow up", rule="RSK-179", actor=name)
        if follows:
            at = unit.body.at
            follow(battle, unit, enemy, pair)
            if unit.body.at != at:
                unit.mark("charger")
                table.emit("follows up", "RSK-179", unit=name)


def enemy_to_follow(battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> tuple[Unit, NearestPair] | None:
    """Return the nearest enemy a unit can follow, and the nearest pair of figures out of contact (RSK-179).

    Enemies that had no room and stay in contact keep their opponents (RSK-180); the rest of the unit may follow.
    """
    reach, nearest_enemy = _follow_up_reach(battle), None
    free = _out_of_contact(battle, unit)
    for enemy in enemies:
        open_to = _out_of_contact(battle, enemy)
        if not free or not open_to or unit.body.circle_gap(enemy.body) > reach:
            continue
        pair = nearest(unit.body.subset(free), enemy.body.subset(open_to))
        if pair.gap <= reach and (nearest_enemy is None or pair.gap < nearest_enemy[1].gap):
            nearest_enemy = enemy, NearestPair(pair.gap, free[pair.first_index], open_to[pair.second_index])
    return nearest_enemy


def _follow_up_reach(battle: Battle) -> float:
    """Return how far winners may follow, in cm: 5 cm, plus a margin for rounding in the push back (RSK-179)."""
    return battle.book.lengths["follow_up"] + 0.2


def _out_of_contact(battle: Battle, unit: Unit) -> list[int]:
    """Return the figures of a unit that touch no enemy."""
    in_contact = battle.figures_in_contact(unit)
    return [index for index in range(unit.count) if index not in in_contact]


def _wants_to_follow(battle: Battle, unit: Unit) -> bool:
    """Return True if a solo unit follows up: when attacking or advancing, but never out of works that it defends
    (RSK-179).
    """
    defends = "works" in unit.marks and battle.field.in_works[unit.body]
    return unit.action in ("attack", "advance") and not defends


def follow(battle: Battle, unit: Unit, enemy: Unit, near: NearestPair) -> None:
    """Shift a unit, and its leaders without orders, straight towards the nearest enemy figure (RSK-179, RSK-192).

    Figures whose opponents stayed in contact stay with them.
    """
    own_point, enemy_point = unit.body.at[near.first_index], enemy.body.at[near.second_index]
    length = dist(own_point, enemy_point)
    step = max(0.0, near.gap - TOUCH)
    dx, dy = (enemy_point[0] - own_point[0]) * step / length, (enemy_point[1] - own_point[1]) * step / length
    companions = [leader for leader in _companions(battle, unit) if "free" not in leader.marks]
    for member in (unit, *companions):
        _move_together(battle, member, dx, dy, set(battle.figures_in_contact(member)))


# --- Capture: routers still in contact at the end of the step (RSK-156) -----------------------------------------------


@procedure("melee.capture")
def capture_routers(table: Table, battle: Battle) -> None:
    """Capture routing figures still in contact at the end of step 4. The nearest group in contact takes them prisoner
    (RSK-156).
    """
    for unit in list(battle.units.values()):
        if unit.is_on_table and unit.marks & {"charger"} and not battle.enemies_in_contact(unit):
            unit.unmark("charger")
    if not battle.book.settings.prisoners_capture_contacted_routers:
        return
    for unit in list(battle.units.values()):
        if not unit.is_on_table or unit.status != "routing":
            continue
        figures = battle.figures_in_contact(unit)
        if figures:
            nearest_captor = battle.nearest(unit, [e for e in battle.enemies_in_contact(unit) if e.status != "routing"])
            if nearest_captor is not None:
                captor, _ = nearest_captor
                take_prisoners(table, battle, unit, sorted(figures), captor)
