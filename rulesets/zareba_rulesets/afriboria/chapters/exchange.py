"""One battle roll and its defence as numbers: hits, saving throws, defence dice, flags (chapters 11, 12 and 14).

These functions know nothing of hexes, so play, odds and evaluations share them.

"""

from __future__ import annotations

from zareba.base.state import Record, record, shared
from zareba.base.state import facts as facts_class
from zareba.chance import Counts, counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.book import HITS, SAVED, AfrBook

IGNORE, ACCEPT = "ignore the flags", "accept the flags"
_IGNORE_FIRST, _ACCEPT_FIRST = "ignore the first flag", "accept it"
DEFEND, PASS = "defend", "do not defend"
_UNLIMITED = 1000  # more dice or figures than any battle has
_AT_COMMANDER = counts("sabres, which hit him", "flags")


@facts_class
class DiceFacts:
    """The facts for the number of dice of a battle roll or a defence (Table 6, AFR-214).

    `row`: dice of the unit's row at this range, or the 1 or 2 of a defence. `card`: dice by cards and events in force.
    `cover`: dice that the target's ground takes away (in defence: the attacker's). `hampered`: in a river or in wire.
    """

    row: int
    range: int
    lancers: bool = False
    officer: bool = False
    hilltop: bool = False
    card: int = 0
    partly_armed: bool = False
    ladders: bool = False
    hampered: bool = False
    cover: int = 0


@facts_class
class ExchangeFacts:
    """The facts that decide an attack on a unit once its dice are counted.

    `hits`: the attacker's line of hit faces; `close`: range 1 on the ground; `jams`: as a machine gun. `cap`: most
    casualties the attacker may inflict (AFR-184). `figures`: those that can be hit; `strength`: all figures of the
    unit. `steady_above`: figures above which it may ignore flags, None: never. `stubborn`: it may always ignore them
    (AFR-319); `inspired`: it always does (AFR-340). `stands`: no voluntary retreat. `answer`: the facts of its defence
    dice, None if it has no defence; they hit by `defender_hits` at `attacker_class`, and `attackers` is the number of
    attacking figures.
    """

    dice: int
    hits: str
    close: bool
    figures: int
    strength: int
    jams: bool = False
    cap: int = _UNLIMITED
    steady_above: int | None = None
    stubborn: bool = False
    inspired: bool = False
    sandbags: bool = False
    stands: bool = True
    answer: DiceFacts | None = None
    defender_hits: str = "modern"
    attacker_class: str = "A"
    attackers: int = _UNLIMITED


@record
class Exchange(Record):
    """The course of an attack: hits, kills, flags, a jam, losses to defence dice, hexes of forced retreat."""

    attacker: str
    defender: str
    seat: str
    hits: int = 0
    kills: int = 0
    flags: int = 0
    jammed: bool = False
    defended: bool = False
    losses: int = 0
    retreat: int = 0
    facts: ExchangeFacts = shared(default=None)


def is_jammed(book: AfrBook, shields: int, dice: int) -> bool:
    """Return True if most of the dice are shields, which jams a machine gun (AFR-186)."""
    return shields > book.file.jam.above * dice


def count_saves(
    table: Table, book: AfrBook, hits: int, reading: Counts, rule: str, actor: str, why: str = "saving throws"
) -> int:
    """Return how many of the hits are saved, with one die for each (AFR-198); none in fast play (AFR-016)."""
    if hits <= 0 or not book.saves:
        return 0
    return table.roll(hits, 6, reading, why=why, rule=rule, actor=actor, means=SAVED)[0]


@procedure("battle.attack")
def attack(table: Table, book: AfrBook, exchange: Exchange) -> None:
    """Roll an attack: the roll, a jam, the automatic kill, saving throws and the caps (AFR-203).

    With two or more hits, not counting sabres, the first is an automatic kill (AFR-197). Each other hit has one saving
    die (AFR-198): sabres save in close combat (AFR-199), shield or sabres at a distance (AFR-200), whatever the ground
    (AFR-201).
    """
    facts, settings = exchange.facts, book.settings
    read = book.hit_reads[facts.hits, facts.close]
    hits, sabres, shields, flags = table.roll(
        facts.dice,
        6,
        read,
        why="battle",
        rule="AFR-007",
        actor=exchange.attacker,
        means=book.battle_means[facts.jams],
    )
    if facts.jams and is_jammed(book, shields, facts.dice):
        exchange.jammed = True
        hits = sabres = 0
        flags = 0 if settings.jam_flags == "void" else flags
    exchange.flags = flags
    sure = book.file.sure_kill
    automatic = sure.kills if hits >= sure.from_hits else 0
    total = exchange.hits = hits + sabres
    if settings.excess_hits == "before_saves":  # AFR-202
        total = min(total, facts.figures)
    total -= count_saves(table, book, total - automatic, book.save_reads[facts.close], "AFR-198", exchange.defender)
    exchange.kills = min(total, facts.cap, facts.figures)


@procedure("battle.defend")
def defend(table: Table, book: AfrBook, exchange: Exchange) -> None:
    """Roll the defence dice of a unit that stood and still has figures, if its owner wants (AFR-208 to AFR-213,
    AFR-216).

    There are no saves, flags or jams against them (AFR-212, AFR-218, AFR-187).
    """
    facts = exchange.facts
    figures_left = facts.figures - exchange.kills
    if facts.answer is None or figures_left <= 0:
        return
    dice = table.tally("defence_dice", facts.answer, exchange.defender, exchange.attacker).total
    if dice <= 0:
        return
    choice = table.choose(exchange.seat, (DEFEND, PASS), why="defence", rule="AFR-209", actor=exchange.defender)
    if choice == PASS:
        return
    read = book.defence_reads[facts.defender_hits, facts.attacker_class, facts.close]
    (hits,) = table.roll(dice, 6, read, why="defence dice", rule="AFR-211", actor=exchange.defender, means=HITS)
    exchange.defended = True
    exchange.losses = min(hits, figures_left, facts.attackers)


@procedure("battle.flags")
def answer_flags(table: Table, book: AfrBook, exchange: Exchange) -> None:
    """Decide how many flags become hexes of retreat (chapter 14).

    A destroyed unit has no flags (AFR-235), and an inspired one ignores them (AFR-340). A unit with more figures than
    its number may ignore all, even the automatic one (AFR-229, AFR-231). Defenders of buildings accept as many as they
    like, without saves (AFR-319). Of two or more flags the first cannot be saved (AFR-228); behind sandbags it may be
    ignored (AFR-234).
    """
    facts, settings = exchange.facts, book.settings
    flags = exchange.flags
    strength_left = facts.strength - exchange.kills
    if flags == 0 or strength_left <= 0 or facts.inspired or not facts.stands:
        return
    seat, actor = exchange.seat, exchange.defender
    if facts.stubborn:
        choices = tuple(range(flags + 1))
        exchange.retreat = table.choose(seat, choices, why="flags accepted", rule="AFR-319", actor=actor)
        return
    steady = facts.steady_above is not None and strength_left > facts.steady_above
    if steady and table.choose(seat, (IGNORE, ACCEPT), why="flags", rule="AFR-229", actor=actor) == IGNORE:
        return
    sure = book.file.sure_retreat
    certain = sure.flags if flags >= sure.from_flags else 0
    if facts.sandbags:
        options = (_IGNORE_FIRST, _ACCEPT_FIRST)
        if table.choose(seat, options, why="first flag", rule="AFR-234", actor=actor) == _IGNORE_FIRST:
            flags, certain = flags - 1, max(0, certain - 1)
    open_flags = flags - certain
    if open_flags and (book.saves or settings.fastplay_flag_saves == "keep"):  # AFR-016
        dice = table.choose(seat, tuple(range(open_flags, -1, -1)), why="flags to save", rule="AFR-227", actor=actor)
        if dice:
            read = book.flag_saves[facts.close]
            flags -= table.roll(dice, 6, read, why="flag saves", rule="AFR-227", actor=actor, means=SAVED)[0]
    exchange.retreat = flags


@procedure("battle.commander")
def attack_commander(table: Table, book: AfrBook, exchange: Exchange) -> None:
    """Roll an attack on a commander: only sabres hit (AFR-222). He has one save, or one for each hit; flags are
    noted.
    """
    facts, settings = exchange.facts, book.settings
    read = book.reading_of(["sabres"], ["flag"])
    hits, exchange.flags = table.roll(
        facts.dice, 6, read, why="battle", rule="AFR-222", actor=exchange.attacker, means=_AT_COMMANDER
    )
    chances = min(hits, 1) if settings.commander_save_count == "one" else hits
    hits_left = chances - count_saves(table, book, chances, book.save_reads[facts.close], "AFR-222", exchange.defender)
    exchange.kills = min(hits_left, 1)
    if settings.commander_flags == "ignore":
        exchange.flags = 0
