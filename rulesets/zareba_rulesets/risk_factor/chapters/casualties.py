"""Effects of hits: the damage die, the choice of victims, wounds and deaths (RSK-100 to RSK-112)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zareba.base.state import facts
from zareba.chance import Counts, counts, random_draw
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.movement import lose_figures
from zareba_rulesets.risk_factor.forces import Battle, Unit

DAMAGE = counts("wounds", "kills")
_VICTIM = random_draw("figure hit")
_NEXT_HIT = random_draw("the next hit: a wound or a kill")
WOUND, KILL = 1, 2


class Figure(NamedTuple):
    """One figure: the id of its unit, and its number in the ranks, from 0 up."""

    unit_id: str
    number: int


def damage(
    table: Table, hits: int, weapon_class: str, shooter: str, actor: str, target: Unit | None = None
) -> tuple[int, int]:
    """Throw for damage and return the number of wounds and of kills among `hits`, by Table D for the class of the
    weapon (RSK-032, RSK-100).

    The die gets +1 for a Hero and -1 for a Raw shooter, held within 1 to 6. These modifiers never change the die to
    hit.
    """
    row = table.rules.book.damage[weapon_class]
    totals = [
        (face, table.tally("damage_die", DamageFacts(face, shooter), actor, target).total) for face in range(1, 7)
    ]
    wounds = frozenset(face for face, total in totals if row.wound <= total < row.kill)
    kills = frozenset(face for face, total in totals if total >= row.kill)
    wounded, killed = table.roll(
        hits, 6, Counts((wounds, kills)), why="damage", rule="RSK-100", actor=actor, means=DAMAGE
    )
    return wounded, killed


@facts
class DamageFacts:
    """The facts of a damage die: its face and the class of the shooter (RSK-101 to RSK-103)."""

    die: int
    shooter: str


@procedure("hits.all")
def strike_all(
    table: Table,
    battle: Battle,
    wounds: int,
    kills: int,
    pool: list[Figure],
    actor: str,
    cause: str,
) -> None:
    """Apply hits in turn, each to a figure drawn evenly from those in `pool` that still stand (RSK-104).

    The order of wounds and kills is drawn too. Grazes have no effect (RSK-109). `pool` holds pairs of unit id and
    index in its ranks. With `shooting.allocation` set to fixed_pool, fallen figures are drawn as well and hits on them
    are wasted.
    """
    fixed = battle.book.settings.shooting_allocation == "fixed_pool"
    effects: dict[Figure, int] = dict.fromkeys(pool, 0)
    hit_names: list[str] = []
    hurt = {figure: battle.units[figure.unit_id].hurt[figure.number] for figure in pool}
    candidates = figures_by_name(battle, pool)
    hits_left = {WOUND: wounds, KILL: kills}
    for _ in table.each(range(wounds + kills), hits_left, effects, hit_names, hurt, candidates):
        if not candidates:
            continue
        effect = KILL if _draw_kill(table, hits_left[WOUND], hits_left[KILL], actor) else WOUND
        hits_left[effect] -= 1
        drawn_name = draw_victim(table, dict.fromkeys(candidates, 1), actor)
        victim = candidates[drawn_name]
        if effects[victim] == KILL:
            continue
        if victim.unit_id not in hit_names:
            hit_names.append(victim.unit_id)
        if effect == KILL or hurt[victim]:
            effects[victim] = KILL
            if not fixed:
                del candidates[drawn_name]
        else:
            effects[victim], hurt[victim] = WOUND, True
    spare = sum(hits_left.values())
    first_hits = sum(worst > 0 and not battle.units[unit].hurt[index] for (unit, index), worst in effects.items())
    if not fixed and (again := wounds + kills - spare - first_hits):
        table.emit("hit again", "RSK-111", units=tuple(hit_names), count=again)
    apply_effects(
        table,
        battle,
        {figure: effects[figure] for name in hit_names for figure in pool if figure.unit_id == name},
        cause,
    )
    if spare:
        table.emit("nobody left to hit", "RSK-104", unit=actor, count=spare)


def _draw_kill(table: Table, wounds: int, kills: int, actor: str) -> bool:
    """Return True if the next hit is a kill. Every order of the wounds and kills left is equally likely."""
    if not wounds or not kills:
        return kills > 0
    return (
        table.draw({"kill": kills, "wound": wounds}, why="next hit", rule="RSK-104", actor=actor, means=_NEXT_HIT)
        == "kill"
    )


def draw_victim(table: Table, candidates: Mapping[str, int], actor: str) -> str:
    """Draw one of the names in `candidates`, each with a chance in proportion to its number (RSK-104)."""
    if len(candidates) == 1:
        return next(iter(candidates))
    return table.draw(candidates, why="victim", rule="RSK-104", actor=actor, means=_VICTIM)


def figures_by_name(battle: Battle, figures: Sequence[Figure]) -> dict[str, Figure]:
    """Return figures by their display names: "man 2 of Sepoys", or a leader's own name."""
    by_name: dict[str, Figure] = {}
    for figure in figures:
        name = figure.unit_id
        spec = battle.units[name].spec
        words = spec.name if spec.leader else f"man {figure.number + 1} of {spec.name}"
        by_name[words if words not in by_name else f"{words} ({name})"] = figure
    return by_name


def apply_effects(table: Table, battle: Battle, results: Mapping[Figure, int], cause: str) -> None:
    """Apply wounds and deaths to the ranks, unit by unit."""
    by_unit: dict[str, dict[int, int]] = {}
    for (name, index), effect in results.items():
        by_unit.setdefault(name, {})[index] = effect
    for name, effects in by_unit.items():
        strike(table, battle, battle.units[name], effects, cause)


@procedure("hits.strike")
def strike(table: Table, battle: Battle, unit: Unit, effects: Mapping[int, int], cause: str) -> None:
    """Apply wounds and deaths to figures of a unit: a wound marks a figure (RSK-110), a second wound kills it (RSK-111,
    RSK-112).
    """
    dead = [i for i, effect in effects.items() if effect == KILL or (effect == WOUND and unit.hurt[i])]
    wounded = [i for i, effect in effects.items() if effect == WOUND and not unit.hurt[i]]
    if wounded:
        unit.hurt = tuple(hurt or index in wounded for index, hurt in enumerate(unit.hurt))
        table.emit("wounded", "RSK-110", unit=unit.spec.id, count=len(wounded), cause=cause)
    if dead:
        kill(table, battle, unit, dead, cause)


def kill(table: Table, battle: Battle, unit: Unit, dead: Sequence[int], cause: str) -> None:
    """Remove killed figures. A unit with no figures left is out of play (RSK-112)."""
    unit.dead += len(dead)
    lose_figures(unit, dead)
    name, side = unit.spec.id, unit.spec.side
    table.emit("loss", "RSK-112", unit=name, side=side, lost=len(dead), left=unit.count, cause=cause)
    if not unit.is_on_table:
        table.emit("destroyed", "RSK-112", unit=name, cause=cause)
        battle.remove(unit, "killed")
