"""Melees (RSK-040, RSK-164 to RSK-182): who fights whom, the dice, and what comes after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from zareba.chance import EACH
from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.hits import KILL, WOUND, called, settle_fates
from zareba_rulesets.risk_factor.match import Blow, Fighter, MeleeFacts, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.prisoners import engaged_figures, take_prisoners
from zareba_rulesets.risk_factor.pushback import follow_up, push_back
from zareba_rulesets.risk_factor.weapons import melee_factor

__all__ = ["capture_routers", "factor_of", "fight", "fighters", "find_fights", "matches"]

Figure = tuple[str, int]


@dataclass(slots=True)
class Match:
    """A figure of the smaller side and the opponents it faces."""

    single: Figure
    several: list[Figure]


def find_fights(battle: Battle) -> list[tuple[str, ...]]:
    """Every melee on the table: units linked by base contact, whoever charged (RSK-040, RSK-181)."""
    links: dict[str, list[str]] = {}
    first = battle.order[0]
    for unit in battle.of(first):
        for enemy in battle.touching(unit):
            links.setdefault(unit.spec.id, []).append(enemy.spec.id)
            links.setdefault(enemy.spec.id, []).append(unit.spec.id)
    found, done = [], set()
    for name in battle.units:
        if name in links and name not in done:
            group, waiting = [], [name]
            while waiting:
                here = waiting.pop()
                if here not in done:
                    done.add(here)
                    group.append(here)
                    waiting += links[here]
            found.append(tuple(sorted(group)))
    for unit in battle.units.values():
        unit.round_lost = unit.round_caused = 0
    return found


# --- who fights whom -----------------------------------------------------------------------------------------------------------


def _figures(battle: Battle, units: Sequence[Unit], side: str, steps_up: bool) -> list[Figure]:
    """The figures of one side that fight: those in contact, and of a charged side those who step up (RSK-164).

    Leaders within 5 cm of a charged group come after its men, or with `melee.leaders` as_figures among them (RSK-182);
    where a leader is met first, the men of his group step up to him. Nobody steps up out of another melee.
    Who kills prisoners in this player turn does not fight in it: those who stand farthest from the enemy (RSK-159).
    """
    own = [unit for unit in units if unit.spec.side == side and unit.hurt]
    contact = {unit.spec.id: engaged_figures(battle, unit) for unit in own}
    reach = battle.book.settings.melee_step_up_cm
    fronts = [(battle.units[n].body.at[i], battle.units[n].body.radius) for n, found in contact.items() for i in found]
    if steps_up:
        groups = [unit for unit in own if not unit.spec.leader]
        for host in [battle.host(unit) for unit in own if unit.spec.leader]:
            if host is not None and all(host is not unit for unit in groups) and not battle.touching(host):
                groups.append(host)
                own.append(host)
        leaders = [leader for unit in groups for leader in battle.leaders_with(unit)]
        own += [leader for leader in leaders if leader.spec.id not in contact and not battle.touching(leader)]
    found: list[tuple[bool, float, Figure]] = []
    last = battle.book.settings.melee_leaders == "last"
    for unit in own:
        touching = contact.get(unit.spec.id, frozenset())
        stepping: list[tuple[bool, float, Figure]] = []
        for index, point in enumerate(unit.body.at):
            away = min([max(0.0, dist(point, p) - r - unit.body.radius) for p, r in fronts], default=0.0)
            if index in touching:
                found.append((bool(unit.spec.leader) and last and steps_up, 0.0, (unit.spec.id, index)))
            elif steps_up and away <= reach:
                stepping.append((bool(unit.spec.leader) and last, away, (unit.spec.id, index)))
        if unit.killers and side == battle.side:
            stepping = sorted(stepping)[: max(0, unit.count - len(touching) - unit.killers)]
        found += stepping
    return [figure for *_, figure in sorted(found)]


def _anybody_charged(battle: Battle, units: Sequence[Unit]) -> bool:
    return any("charged" in unit.marks for unit in units if unit.spec.side == battle.side)


def fighters(battle: Battle, units: Sequence[Unit]) -> dict[str, list[Figure]]:
    """The figures of each side that take part in a melee of some units; those who stand too far off do not (RSK-164)."""
    anybody = _anybody_charged(battle, units)
    return {side: _figures(battle, units, side, steps_up=side != battle.side or not anybody) for side in battle.order}


def matches(table: Table, battle: Battle, units: Sequence[Unit]) -> list[Match]:
    """P9 steps 3 to 5: everybody matched as evenly as may be, near ones together; the rest stand behind (RSK-164).

    Leaders of those who charge are figures like the others (RSK-182).
    """
    charging = battle.side  # nobody else has charged in this player turn
    anybody = _anybody_charged(battle, units)
    sides = fighters(battle, units)
    ours, theirs = sides[charging], sides[battle.enemy(charging)]
    smaller, larger = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    shares = spread(len(smaller), len(larger), battle.book.settings.melee_max_contact)
    if shares and shares[0] != shares[-1] and not battle.is_solo(charging):
        smaller = _odd_ones(table, battle, charging, smaller)
    left = list(larger)
    last = battle.book.settings.melee_leaders == "last" and not (anybody and larger is ours)
    found = []
    for single, share in zip(smaller, shares, strict=True):
        here = battle.units[single[0]].body.at[single[1]]
        left.sort(key=lambda other, here=here: (last and _leads(battle, other), _away(battle, other, here), other))  # type: ignore[misc]  # mypy cannot type a default
        found.append(Match(single, left[:share]))
        left = left[share:]
    return found


def _leads(battle: Battle, figure: Figure) -> bool:
    return bool(battle.units[figure[0]].spec.leader)


def _away(battle: Battle, figure: Figure, point: Point) -> float:
    return dist(point, battle.units[figure[0]].body.at[figure[1]])


def _odd_ones(table: Table, battle: Battle, side: str, smaller: list[Figure]) -> list[Figure]:
    """The charging side says who faces the odd opponents: those in front, the wounded, or the leaders (RSK-164)."""
    units = battle.units

    def wounded(figure: Figure) -> bool:
        return not units[figure[0]].hurt[figure[1]]

    def leading(figure: Figure) -> bool:
        return not units[figure[0]].spec.leader

    kinds = ["front"]
    if any(not wounded(f) for f in smaller) and any(wounded(f) for f in smaller):
        kinds.append("wounded")
    if any(not leading(f) for f in smaller) and any(leading(f) for f in smaller):
        kinds.append("leaders")
    chosen = table.choose(side, kinds, why="odd opponents", rule="RSK-164", actor=smaller[0][0])
    key = {"wounded": wounded, "leaders": leading}.get(chosen)
    return smaller if key is None else sorted(smaller, key=key)


# --- the dice --------------------------------------------------------------------------------------------------------------------


def _situation(battle: Battle, figure: Figure, opponents: Sequence[Figure]) -> MeleeFacts:
    """What counts for one figure against its opponents (Table M)."""
    unit = battle.units[figure[0]]
    spec = unit.spec
    factor = factor_of(battle, figure)
    here = unit.body.at[figure[1]]
    crossing = "charger" in unit.marks and any(
        battle.field.barrier_between(here, battle.units[name].body.at[index]) for name, index in opponents
    )
    return melee_facts(
        spec.troop_class == "raw",
        len(opponents),
        crossing,
        spec.troop_class == "hero" or spec.superior_melee,
        all(factor > factor_of(battle, other) for other in opponents),
    )


def factor_of(battle: Battle, figure: Figure) -> int:
    """The melee factor of a figure: the best that it carries, nothing when its arms were taken (RSK-035, RSK-161)."""
    unit = battle.units[figure[0]]
    if "disarmed" in unit.marks:
        return 0
    return melee_factor(battle.book, unit.spec, unit.armed[figure[1]])


def _throw(table: Table, battle: Battle, match: Match) -> dict[Figure, int]:
    """One D6 for every figure of a match, the single man's first; routers throw none (RSK-166, RSK-176)."""
    figures = [match.single, *match.several]
    throwing = [figure for figure in figures if battle.units[figure[0]].status != "routing"]
    dice = dict.fromkeys(figures, 0)
    if throwing:
        faces = table.roll(len(throwing), 6, EACH, why="melee", rule="RSK-166", actor=match.single[0])
        dice.update(zip(throwing, faces, strict=True))
    return dice


@procedure("melee.fight")
def fight(table: Table, battle: Battle, names: tuple[str, ...]) -> None:
    """P10 and P11 for one melee: match, throw, strike at once, then push back and follow up (RSK-174, RSK-175)."""
    units = [battle.units[name] for name in names if battle.units[name].hurt]
    if len({unit.spec.side for unit in units}) < 2:
        return
    pairs = matches(table, battle, units)
    if not pairs:
        return
    fates: dict[Figure, int] = {}
    caused = dict.fromkeys((unit.spec.id for unit in units), 0)
    for match in pairs:
        dice = _throw(table, battle, match)
        single = _fighter(table, battle, match.single, match.several, dice)
        several = [_fighter(table, battle, other, [match.single], dice) for other in match.several]
        for blow in blows(single, several, battle.book.settings):
            victim = _victim(table, battle, blow)
            before = fates.get(victim)
            if before is None:
                caused[blow.by[0]] = caused.get(blow.by[0], 0) + 1
            fates[victim] = KILL if before is not None or blow.effect == KILL else WOUND
    names = tuple(sorted({*names, *(name for match in pairs for name, _ in (match.single, *match.several))}))
    worse = _losers(table, battle, names, fates, caused)
    settle_fates(table, battle, fates, "melee")
    push_back(table, battle, names, worse)
    if len(worse) == 1:
        follow_up(table, battle, names, battle.enemy(worse[0]))


def _fighter(
    table: Table, battle: Battle, figure: Figure, opponents: Sequence[Figure], dice: dict[Figure, int]
) -> Fighter:
    die = dice[figure]
    return Fighter(figure, die, score(table, die, _situation(battle, figure, opponents)))


def _victim(table: Table, battle: Battle, blow: Blow) -> Figure:
    """Which of those he beat a winner strikes: his owner's choice; the tables take a wounded one, else chance (RSK-174)."""
    beaten: list[Figure] = list(blow.beaten)
    if len(beaten) == 1:
        return beaten[0]
    winner = battle.units[blow.by[0]]
    if not battle.is_solo(winner.spec.side):
        return table.choose(winner.spec.side, beaten, why="strike whom", rule="RSK-174", actor=winner.spec.id)
    wounded = [figure for figure in beaten if battle.units[figure[0]].hurt[figure[1]]] or beaten
    men = called(battle, wounded)
    return men[table.draw(dict.fromkeys(men, 1), why="strike whom", rule="RSK-174", actor=winner.spec.id)]


def _losers(
    table: Table, battle: Battle, names: tuple[str, ...], fates: dict[Figure, int], caused: dict[str, int]
) -> list[str]:
    """The side or sides that go back (RSK-177, RSK-178); the round's casualties go into the records (RSK-124)."""
    weighted = battle.book.settings.melee_result_measure == "weighted"
    suffered = dict.fromkeys(battle.order, 0)
    for (name, index), effect in fates.items():
        unit = battle.units[name]
        killed = effect == KILL or unit.hurt[index]
        suffered[unit.spec.side] += 2 if weighted and killed else 1
        unit.lost += 1
        unit.round_lost += 1
    for name, count in caused.items():
        battle.units[name].caused += count
        battle.units[name].round_caused += count
    first, second = battle.order
    worse = [first, second] if suffered[first] == suffered[second] else [max(suffered, key=lambda side: suffered[side])]
    table.tell("melee", "RSK-177", units=list(names), suffered=dict(suffered), back=worse)
    return worse


@procedure("melee.capture")
def capture_routers(table: Table, battle: Battle) -> None:
    """RSK-156: routing figures still in contact at the end of step 4 are prisoners of the group they touch."""
    for unit in list(battle.units.values()):
        if unit.hurt and unit.marks & {"charger"} and not battle.touching(unit):
            unit.unmark("charger")
    if not battle.book.settings.prisoners_capture_contacted_routers:
        return
    for unit in list(battle.units.values()):
        if not unit.hurt or unit.status != "routing":
            continue
        figures = engaged_figures(battle, unit)
        if figures:
            captor = battle.nearest(unit, [e for e in battle.touching(unit) if e.status != "routing"])
            if captor is not None:
                take_prisoners(table, battle, unit, sorted(figures), captor[0])
