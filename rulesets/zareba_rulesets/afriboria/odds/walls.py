"""The odds of fire from a wall by a unit in sections (AFR-318 to AFR-327)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.odds import SmallBattle, refuse
from zareba.rules import Rules
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.chapters.siege.walls import firing_sections, section_dice, sections_against, wall_room
from zareba_rulesets.afriboria.chapters.sight.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF
from zareba_rulesets.afriboria.odds import stage
from zareba_rulesets.afriboria.odds.battles import BattleOutcome
from zareba_rulesets.afriboria.odds.facts import BattleFacts, Figures, Range
from zareba_rulesets.afriboria.odds.stage import ATTACKER, DEFENDER, PROCEDURES, SOUTH, attack

__all__ = ["WallFireFacts"]

Dice = Annotated[int, Field(ge=1, le=20)]


@dataclass(frozen=True)
class WallFireFacts(BattleFacts):
    """A battle of a unit in sections: the figures, range and dice of each section that fires, in order.

    The dice include the officer's, who is with one of the sections. `range` is that of the nearest section, against
    which the defender rolls its defence.
    """

    sections: tuple[Figures, ...] = ()
    ranges: tuple[Range, ...] = ()
    dice: tuple[Dice, ...] = ()


def _refuse(book: AfrBook, facts: WallFireFacts) -> None:
    """Raise ZarebaError if no unit can be on a wall like this (AFR-318, AFR-321, AFR-322)."""
    room, profile, men = wall_room(book), book.profiles[facts.attacker], sum(facts.sections)
    refuse(
        not facts.sections or not len(facts.sections) == len(facts.ranges) == len(facts.dice),
        "give men, range and dice of each section that fires: sections=, ranges=, dice= (AFR-322)",
    )
    is_alone = len(facts.sections) == 1 and men == facts.attacker_figures
    men_with_room, near, attackers = amount(room, "man", "men"), min(facts.ranges), amount(men, "man", "men")
    refuse(not profile.walks, f"{profile.title} cannot man walls; only foot can (AFR-321)")
    refuse(men > facts.attacker_figures, f"the sections have {attackers}, the unit {facts.attacker_figures} (AFR-321)")
    refuse(max(facts.sections) > room, f"a section has at most {men_with_room}, not {max(facts.sections)} (AFR-318)")
    refuse(is_alone, "a unit in one hex has no sections; ask for a battle (AFR-321)")
    refuse(facts.range != near, f"the nearest section is at range {near}, not {facts.range} (AFR-322)")


@PROCEDURES.of("AFR-322", BattleOutcome)
def fire_from_wall(rules: Rules, facts: WallFireFacts) -> SmallBattle:
    """One fire of a unit in sections on a wall at a unit, with saves, defence and retreat."""
    book = AfrBook(rules)
    _refuse(book, facts)
    for silent in range(facts.range):  # 0: none; a section that holds its fire may be nearer than all firing sections
        for battle in _on_the_wall(book, facts, silent):
            if (shares := _shares(battle, facts)) is not None:
                return attack(battle, facts, "fire_from_wall", ("salvo", "loss", "retreat"), shares=shares)
    raise ZarebaError(
        f"these dice are not possible, {', '.join(map(str, facts.dice))}: each section has its row at its range, all "
        "together the largest row, and one section an officer's die more (AFR-322, AFR-323)"
    )


def _on_the_wall(book: AfrBook, facts: WallFireFacts, silent: int) -> Iterator[Battle]:
    """Yield battles with sections that all see the target, with the officer at each in turn and finally at none.

    Figures that do not fire are far away, except for one at the range `silent`.
    """
    resting = facts.attacker_figures - sum(facts.sections) - bool(silent)
    ranges = (*facts.ranges, *[silent] * bool(silent))
    columns = 2 * max(ranges) + 3
    cells = _cells(stage.bare_battle(book, size=(columns, SOUTH + 1)), ranges)
    if cells is None or resting < 0:
        return
    attacker = stage.attacker_of(book, facts)
    battle = stage.small_table(book.rules, facts, attacker, None, columns, cells)
    men = dict(zip(cells, (*facts.sections, 1), strict=False))
    battle.spread(attacker, {**men, 0: resting} if resting else men)
    for place in (*cells, OFF) if facts.officer else (OFF,):
        if facts.officer:
            battle.place(battle.commanders["leader"], place)
        yield battle


def _cells(plain: Battle, ranges: Sequence[int], found: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """Return hexes at these ranges of the target that see it past each other; None if there are none."""
    if len(found) == len(ranges):
        return found
    columns = plain.field.grid.columns
    cell = SOUTH * columns + columns // 2
    for near in plain.field.grid.ring(cell, ranges[len(found)]):
        cells = (*found, near)
        plain.here = dict.fromkeys(cells, ("a section",))
        is_visible = near not in found and all(sees(plain, one, cell) for one in cells)
        if is_visible and (all_cells := _cells(plain, ranges, cells)) is not None:
            return all_cells
    return None


def _shares(battle: Battle, facts: WallFireFacts) -> dict[int, int] | None:
    """Return the dice to deal to each section, without the officer's die, so that it rolls its dice; None if
    impossible.
    """
    unit, target = battle.units[ATTACKER], battle.units[DEFENDER]
    able = sections_against(firing_sections(battle, unit, target.hex, False), target)
    max_dice = {origin: section_dice(battle, unit, origin, target.hex) for origin in able}
    shares = dict.fromkeys(able, 0)
    for origin, dice in zip(unit.sections, facts.dice, strict=False):
        own, lent = max_dice.get(origin, (0, 0))
        shares[origin] = dice - lent
        if not min(1, own) <= shares[origin] <= own:
            return None
    return shares if sum(shares.values()) <= max(own for own, _ in max_dice.values()) else None
