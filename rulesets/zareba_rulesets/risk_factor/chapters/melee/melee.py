"""Melees: finding them, the dice, and the result (RSK-040, RSK-164 to RSK-182)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.chance import EACH, counts, lot
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND, figures_by_name, settle_fates
from zareba_rulesets.risk_factor.chapters.melee.match import (
    Blow,
    Fighter,
    MeleeFacts,
    melee_facts,
    resolve_blows,
    score,
)
from zareba_rulesets.risk_factor.chapters.melee.matching import Figure, Match, matches
from zareba_rulesets.risk_factor.chapters.melee.pushback import follow_up, push_back
from zareba_rulesets.risk_factor.chapters.prisoners import take_prisoners
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.forces.weapons import arms_of, melee_factor

__all__ = ["capture_routers", "crosses", "factor_of", "fight", "find_fights"]

FIGHTERS = counts("one die for each fighter, the single figure first; the lower total may be struck")


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
    found, visited = [], set()
    for name in battle.units:
        if name in links and name not in visited:
            group, to_visit = [], [name]
            while to_visit:
                current = to_visit.pop()
                if current not in visited:
                    visited.add(current)
                    group.append(current)
                    to_visit += links[current]
            found.append(tuple(sorted(group)))
    for unit in battle.units.values():
        unit.round_lost = unit.round_caused = 0
    return found


# --- the dice --------------------------------------------------------------------------------------------------------------------


def _situation(battle: Battle, figure: Figure, opponents: Sequence[Figure]) -> MeleeFacts:
    """Return the melee facts of one figure against its opponents (Table M)."""
    unit = battle.units[figure[0]]
    spec = unit.spec
    factor = factor_of(battle, figure)
    return melee_facts(
        spec.troop_class == "raw",
        len(opponents),
        crosses(battle, figure, opponents),
        spec.is_superior,
        all(factor > factor_of(battle, other) for other in opponents),
    )


def _situations(battle: Battle, match: Match) -> dict[Figure, MeleeFacts]:
    """Return the melee facts of each figure of a match, the single figure first."""
    single = {match.single: _situation(battle, match.single, match.several)}
    return single | {other: _situation(battle, other, [match.single]) for other in match.several}


def crosses(battle: Battle, figure: Figure, opponents: Sequence[Figure]) -> bool:
    """Return True if a charger fights across an obstacle against any of its opponents (RSK-168)."""
    unit = battle.units[figure[0]]
    position, opponent_positions = (
        unit.body.at[figure[1]],
        [battle.units[name].body.at[index] for name, index in opponents],
    )
    return "charger" in unit.marks and any(
        battle.field.barrier_between(position, point) for point in opponent_positions
    )


def factor_of(battle: Battle, figure: Figure) -> int:
    """Return the best melee factor that a figure carries, or 0 if it was disarmed (RSK-035, RSK-161)."""
    unit = battle.units[figure[0]]
    if "disarmed" in unit.marks:
        return 0
    return melee_factor(battle.book, arms_of(battle, unit, figure[1]), unit.armed[figure[1]])


def _roll_melee_dice(table: Table, battle: Battle, match: Match) -> dict[Figure, int]:
    """Throw one D6 for every figure of a match, the single figure first. Routers throw none (RSK-166, RSK-176)."""
    figures = [match.single, *match.several]
    rolling = [figure for figure in figures if battle.units[figure[0]].status != "routing"]
    dice = dict.fromkeys(figures, 0)
    if rolling:
        faces = table.roll(len(rolling), 6, EACH, why="melee", rule="RSK-166", actor=match.single[0], means=FIGHTERS)
        dice.update(zip(rolling, faces, strict=True))
    return dice


@procedure("melee.fight")
def fight(table: Table, battle: Battle, names: tuple[str, ...], pairs: Sequence[Match] = ()) -> None:
    """Fight one melee: match, throw, strike all blows at once, push back the losers, follow up (RSK-174, RSK-175).

    `pairs` are the matches, if the caller already has them.
    """
    units = [battle.units[name] for name in names if battle.units[name].hurt]
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
            Fighter(figure, dice[figure], score(table, dice[figure], situation, figure[0]))
            for figure, situation in situations.items()
        ]
        for blow in resolve_blows(single, several, battle.book):
            victim = _victim(table, battle, blow)
            before = fates.get(victim)
            if before is None:
                casualties_caused[blow.by[0]] = casualties_caused.get(blow.by[0], 0) + 1
            fates[victim] = KILL if before is not None or blow.effect == KILL else WOUND
            _report_blow(table, battle, {fighter.who: fighter for fighter in (single, *several)}, blow, victim, fates)
    names = tuple(sorted({*names, *(name for match in pairs for name, _ in (match.single, *match.several))}))
    losers = _losers(table, battle, names, fates, casualties_caused)
    settle_fates(table, battle, fates, "melee")
    push_back(table, battle, names, losers)
    if len(losers) == 1:
        follow_up(table, battle, names, battle.enemy(losers[0]))


def _victim(table: Table, battle: Battle, blow: Blow) -> Figure:
    """Return the beaten opponent that a winner strikes. The owner chooses; solo sides strike a wounded one first,
    otherwise chance decides (RSK-174).
    """
    beaten: list[Figure] = list(blow.beaten)
    if len(beaten) == 1:
        return beaten[0]
    winner = battle.units[blow.by[0]]
    if not battle.is_solo(winner.spec.side):
        return table.choose(winner.spec.side, beaten, why="strike whom", rule="RSK-174", actor=winner.spec.id)
    wounded = [figure for figure in beaten if battle.units[figure[0]].hurt[figure[1]]] or beaten
    men = figures_by_name(battle, wounded)
    return men[
        table.draw(
            dict.fromkeys(men, 1), why="strike whom", rule="RSK-174", actor=winner.spec.id, means=lot("figure struck")
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
    dead = fates[victim] == KILL or battle.units[victim[0]].hurt[victim[1]]
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


@procedure("melee.capture")
def capture_routers(table: Table, battle: Battle) -> None:
    """Capture routing figures still in contact at the end of step 4. The nearest group in contact takes them prisoner
    (RSK-156).
    """
    for unit in list(battle.units.values()):
        if unit.hurt and unit.marks & {"charger"} and not battle.enemies_in_contact(unit):
            unit.unmark("charger")
    if not battle.book.settings.prisoners_capture_contacted_routers:
        return
    for unit in list(battle.units.values()):
        if not unit.hurt or unit.status != "routing":
            continue
        figures = battle.figures_in_contact(unit)
        if figures:
            captor = battle.nearest(unit, [e for e in battle.enemies_in_contact(unit) if e.status != "routing"])
            if captor is not None:
                take_prisoners(table, battle, unit, sorted(figures), captor[0])
