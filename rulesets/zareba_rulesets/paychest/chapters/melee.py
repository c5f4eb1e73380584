"""Melee: contact, pairing, the dice of both sides and their hits (PAY-136 to PAY-147)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zareba.base.state import facts
from zareba.chance import EACH, counts, numbered
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.paychest.chapters.casualties import strike
from zareba_rulesets.paychest.chapters.command import leaders_lost
from zareba_rulesets.paychest.chapters.marching import drop
from zareba_rulesets.paychest.chapters.sight import enemies_touched, figures_in_contact, foes_near
from zareba_rulesets.paychest.forces.battle import Battle, is_heavy
from zareba_rulesets.paychest.forces.units import Figure, Unit

IN_MELEE = "fought hand to hand"
"""The brave deed of a man who fights in a melee (PAY-044)."""


class Fight(NamedTuple):
    """One melee: one or two figures of the phasing side against one or two enemies, but never two against two."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]


def contacts(battle: Battle, unit: Unit) -> dict[str, list[str]]:
    """Return the enemies that each able figure of the unit touches."""
    foes = foes_near(battle, unit)
    if not foes:
        return {}
    touching = figures_in_contact(battle, unit, foes)
    return {
        key: [foe.spec.id for foe in enemies_touched(battle, figure, foes)]
        for key, figure in unit.figures.items()
        if key in touching
    }


def pair_all(touched: dict[str, list[str]], max_against_one: int) -> dict[str, list[str]]:
    """Return the figures against each enemy.

    Each figure takes the enemy with the fewest opponents, at most `max_against_one` per enemy.
    """
    against: dict[str, list[str]] = {}
    for man, foes in sorted(touched.items(), key=lambda item: len(item[1])):
        foe = min(foes, key=lambda foe: len(against.get(foe, ())))
        if len(against.get(foe, ())) < max_against_one:
            against.setdefault(foe, []).append(man)
    return against


@procedure("melee.fight")
def fight(table: Table, battle: Battle, pairing: Fight) -> tuple[int, int]:
    """Resolve one melee: both sides roll, hits cancel, and the excess falls on the loser (PAY-138 to PAY-141).

    All figures stay in place afterwards (PAY-145). Return the hits of both sides before they cancel.
    """
    ours, theirs = clash(table, battle, pairing)
    losers, winners = (pairing.theirs, pairing.ours) if ours > theirs else (pairing.ours, pairing.theirs)
    excess = abs(ours - theirs)
    table.emit("melee", "PAY-055", ours=list(pairing.ours), theirs=list(pairing.theirs), hits=[ours, theirs])
    _note_deeds(table, battle, [key for key in (*pairing.ours, *pairing.theirs) if can_strike(battle.figure(key))])
    casualties: list[str] = []
    for victim in table.each(victims(table, battle, losers, winners, excess), casualties):
        strike(table, battle, battle.figure(victim), None, "melee", casualties)
    if casualties:
        leaders_lost(table, battle, casualties)
    return ours, theirs


@procedure("melee.clash")
def clash(table: Table, battle: Battle, pairing: Fight) -> tuple[int, int]:
    """Roll for both sides and return their hits before they cancel (PAY-138, PAY-139)."""
    return _side_hits(table, battle, pairing.ours), _side_hits(table, battle, pairing.theirs)


def _side_hits(table: Table, battle: Battle, men: tuple[str, ...]) -> int:
    """Return the hits of one side: one die per figure, or one die against the better skill (PAY-138).

    Figures drop heavy loads first (PAY-074).
    """
    strikers = []
    for key in men:
        figure = battle.change_figure(key)
        for load in figure.loads:
            if is_heavy(battle, load):
                drop(table, battle, figure, load)  # PAY-074
        if can_strike(figure):
            strikers.append(figure)
    if not strikers:
        return 0
    skills = [table.tally("melee", melee_facts(battle, figure), figure).total for figure in strikers]
    if battle.book.settings.two_to_one_dice == "single":
        skills = [max(skills)]
    actor = strikers[0].spec.id
    means = counts(*[f"against a skill of {skill}" for skill in skills])
    dice = table.roll(len(skills), 6, EACH, why="melee", rule="PAY-138", actor=actor, means=means)
    return sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=True))


def can_strike(figure: Figure) -> bool:
    """Return True if the figure is able and has an arm to strike with (PAY-121, PAY-146)."""
    return figure.able and not figure.has_no_arms


@facts
class MeleeFacts:
    """The facts of one figure's melee die.

    `skill` is the roster skill; `back_turned` is 0 or the (negative) setting.
    """

    skill: int
    body_wounds: int = 0
    lame: bool = False
    smashed_arm: bool = False
    recovered: int = 0
    back_turned: int = 0
    unarmed: bool = False


def melee_facts(battle: Battle, figure: Figure) -> MeleeFacts:
    """Return the facts of a figure in its present state (PAY-143).

    A figure with one smashed arm still counts as armed (PAY-121). Mounted figures get no bonus (PAY-147).
    """
    wounds, marks = figure.wounds, figure.marks
    return MeleeFacts(
        skill=figure.spec.melee,
        body_wounds=wounds.count("body_wound"),
        lame="lame" in marks,
        smashed_arm="smashed_arm" in wounds,
        recovered=int("recovered" in marks),
        back_turned=battle.book.settings.back_turned_melee if "back turned" in marks else 0,
        unarmed=not figure.weapons,
    )


def hits_of(skill: int, die: int) -> int:
    """Return the hits of a die (PAY-139).

    One if it equals the skill, one more for each point below; none for a skill under 1.
    """
    return max(0, skill - die + 1)


def victims(table: Table, battle: Battle, losers: tuple[str, ...], winners: tuple[str, ...], excess: int) -> list[str]:
    """Return the figure that takes each excess hit (PAY-144).

    Of two, either with equal chance, or the winner's choice.
    """
    if len(losers) == 1 or not excess:
        return [losers[0]] * excess
    if battle.book.settings.melee_excess_spread == "winner":
        side = battle.side_of(battle.figure(winners[0]))
        return [
            table.choose(side, list(losers), why="which man is hit", rule="PAY-144", actor=winners[0])
            for _ in range(excess)
        ]
    means = numbered("man struck", [battle.figure(key).spec.name for key in losers])
    faces = table.roll(excess, len(losers), EACH, why="which man is hit", rule="PAY-144", actor=winners[0], means=means)
    return [losers[face - 1] for face in faces]


def _note_deeds(table: Table, battle: Battle, strikers: Sequence[str]) -> None:
    """Record a brave deed for each figure that rolled a die (PAY-043, PAY-044)."""
    for key in strikers:
        battle.change_figure(key).brave += 1
    if strikers:
        unit = strikers[0].rpartition(".")[0]
        table.emit("brave deed", "PAY-044", figures=list(strikers), unit=unit, deed=IN_MELEE)
