"""A battle of two units as facts that can be asked about, and what play makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import DiceFacts, Exchange, ExchangeFacts
from zareba_rulesets.afriboria.field import Ground
from zareba_rulesets.afriboria.odds.stage import TerrainKey, UnitKey
from zareba_rulesets.afriboria.tables import Profile

__all__ = [
    "AWAY", "AttackFacts", "BattleFacts", "BattleOutcome", "CardDice", "CommanderFacts", "CommanderOutcome", "Figures",
    "Range", "Section", "Terrains",
    "WayBack", "aftermath", "battle_dice", "commander_exchange", "compile_exchange", "defence_tallies", "dice_left", "ground_of",
    "outcome_of", "row_of", "single_leg", "way_back",
]  # fmt: skip

Figures = Annotated[int, Field(ge=1, le=200)]
Range = Annotated[int, Field(ge=1, le=8)]
Firearms = Annotated[int, Field(ge=-1, le=200)]
CardDice = Annotated[int, Field(ge=-4, le=4)]
Section = Annotated[int, Field(ge=0, le=200)]
Rows = Annotated[int, Field(ge=0, le=200)]
AWAY = 20  # hexes to the own edge, where it is too far to matter
Terrains = tuple[TerrainKey, ...]


@dataclass(frozen=True)
class AttackFacts:
    """What the dice of an attack are counted from, whatever the target.

    `terrain` are the features of the target's hex, `attacker_terrain` of the attacker's. `attacker_missile`: he fires at
    a distance; `firearms` of the attacker, -1: all have one. `officer`: one who lends his die; `card`: dice by cards and
    events.
    """

    attacker: UnitKey
    attacker_figures: Figures
    range: Range
    terrain: Terrains = ()
    attacker_terrain: Terrains = ()
    attacker_missile: bool = True
    firearms: Firearms = -1
    lancers: bool = False
    officer: bool = False
    hilltop: bool = False
    ladders: bool = False
    card: CardDice = 0


@dataclass(frozen=True, kw_only=True)
class WayBack:
    """The way back of whoever is attacked.

    `blocked`: no hex behind him is free, else the way is barred after `barred_behind` hexes; `at_edge`: behind him is the
    end of the field, else `rows_behind` hexes are.
    """

    blocked: bool = False
    barred_behind: Rows = AWAY
    at_edge: bool = False
    rows_behind: Rows = AWAY


@dataclass(frozen=True)
class BattleFacts(WayBack, AttackFacts):
    """A battle of one unit against another.

    `defender_officer`: one in the defender's hex, `officer_apart`: he is with another section than the one attacked.
    `voluntary`: the defender retreats voluntarily. `defended`: he has no defence left, or none against this attack.
    `defender_section`: of a unit on a wall only these can be hit, 0: all. `stubborn`: he may disregard any flags, in a
    structure; `inspired`: an event makes him ignore them all.
    """

    defender: UnitKey = field(kw_only=True)
    defender_figures: Figures = field(kw_only=True)
    defender_missile: bool = True
    defender_officer: bool = False
    officer_apart: bool = False
    defender_ladders: bool = False
    voluntary: bool = False
    defended: bool = False
    defender_section: Section = 0
    stubborn: bool = False
    inspired: bool = False


@dataclass(frozen=True)
class BattleOutcome:
    """`hits` of the attack and `kills` of those after saves and limits, `attackers_lost` to defence dice, `retreat` hexes
    forced by flags that were not saved, `lost_to_flags` figures where the retreat is blocked, `destroyed`: no defender is
    left on the field, `jammed`: the machine gun stopped."""

    hits: int
    kills: int
    attackers_lost: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


@dataclass(frozen=True)
class CommanderFacts(WayBack, AttackFacts):
    """An attack on a commander without a unit; the words are those of a battle. `character`: he is only wounded."""

    voluntary: bool = False
    stubborn: bool = False
    character: bool = False


@dataclass(frozen=True)
class CommanderOutcome:
    """Whether he is `hit` for good (killed, or a character wounded), hexes of `retreat`, and whether he is `eliminated`:
    killed, or lost because he cannot go back."""

    hit: bool
    retreat: int
    eliminated: bool


def ground_of(book: AfrBook, terrain: Terrains) -> Ground:
    """The ground of a hex with these features; open ground has none."""
    return Ground.of(book, [kind for kind in terrain if kind != "open"])


def row_of(profile: Profile, missile: bool, distance: int) -> int:
    """The dice of a unit's row at a distance, 0 beyond its reach (AFR-037)."""
    reach = len(profile.dice) if missile else min(1, len(profile.dice))
    return profile.dice[distance - 1] if 1 <= distance <= reach else 0


def battle_dice(book: AfrBook, facts: AttackFacts) -> Tally:
    """The dice of the attack."""
    profile = book.profiles[facts.attacker]
    row = row_of(profile, facts.attacker_missile, facts.range)
    if not row:
        raise ZarebaError(
            f"{profile.title} cannot battle at range {facts.range}; its row has {len(profile.dice)} (AFR-182)"
        )
    own, there = ground_of(book, facts.attacker_terrain), ground_of(book, facts.terrain)
    gun = book.counts_as_gun(profile)
    if there.shelters(facts.range, walks=profile.walks, gun=gun):
        raise ZarebaError(
            f"{profile.title} cannot attack into a depression at range {facts.range}: only guns reach into it, and foot "
            "from the next hex (AFR-134)"
        )
    return book.rules.tally(
        "battle_dice",
        DiceFacts(
            row=row,
            range=facts.range,
            lancers=facts.lancers and profile.arm == "mounted" and profile.troop == "A",
            officer=facts.officer and profile.aided,
            hilltop=facts.hilltop and gun and not profile.no_hilltop,
            card=facts.card,
            partly_armed=0 <= facts.firearms < facts.attacker_figures,
            ladders=facts.ladders,
            hampered=own.hampers,
            cover=there.cover[not profile.storms][own.hill],
        ),
    )


def dice_left(dice: Tally) -> int:
    """The number of dice; with none there is no battle (AFR-182)."""
    if dice.total < 1:
        raise ZarebaError("no dice are left to the attacker here, so there is no battle (AFR-182)")
    return dice.total


def answer_to(book: AfrBook, facts: BattleFacts) -> DiceFacts | None:
    """What decides the defence dice; None in fast play (AFR-016), out of the defender's range, or where a depression shelters the attacker
    (AFR-214)."""
    profile = book.profiles[facts.defender]
    if (
        not book.settings.defends
        or facts.voluntary
        or facts.defended
        or not row_of(profile, facts.defender_missile, facts.range)
    ):
        return None
    there, own = ground_of(book, facts.attacker_terrain), ground_of(book, facts.terrain)
    gun = book.counts_as_gun(profile)
    if book.settings.defence_terrain == "dice" and there.shelters(facts.range, walks=profile.walks, gun=gun):
        return None
    return DiceFacts(
        row=book.file.defence_dice[profile.troop].dice,
        range=facts.range,
        officer=facts.defender_officer and not facts.officer_apart and profile.aided,
        ladders=facts.defender_ladders,
        hampered=own.hampers,
        cover=there.cover[not profile.storms][own.hill],
    )


def defence_tallies(book: AfrBook, facts: BattleFacts) -> list[Tally]:
    """The defence dice, for explanation, where there are any to be thrown."""
    answer = answer_to(book, facts)
    return [] if answer is None else [book.rules.tally("defence_dice", answer)]


def compile_exchange(book: AfrBook, facts: BattleFacts) -> ExchangeFacts:
    """The facts of the exchange that follows from the situation; play finds the same in the same situation."""
    attacker, defender = book.profiles[facts.attacker], book.profiles[facts.defender]
    partly = 0 <= facts.firearms < facts.attacker_figures
    capped = partly and (facts.range >= 2 or book.settings.partial_firearms_scope == "all")
    return ExchangeFacts(
        dice=battle_dice(book, facts).total,
        hits=attacker.hits,
        close=facts.range == 1,
        figures=facts.defender_section or facts.defender_figures,
        strength=facts.defender_figures,
        jams=attacker.jams,
        cap=min(facts.attacker_figures, facts.firearms) if capped else facts.attacker_figures,
        steady_above=book.threshold(defender, facts.defender_officer),
        stubborn=facts.stubborn,
        inspired=facts.inspired,
        sandbags="sandbags" in facts.terrain,
        stands=not facts.voluntary,
        answer=answer_to(book, facts),
        defender_hits=defender.hits,
        attacker_class=attacker.troop,
        attackers=facts.attacker_figures,
    )


def commander_exchange(book: AfrBook, facts: CommanderFacts) -> ExchangeFacts:
    """The facts of an attack on a commander without a unit (AFR-220 to AFR-223)."""
    if not book.profiles[facts.attacker].storms:
        raise ZarebaError("only foot and mounted units attack a commander (AFR-220)")
    return ExchangeFacts(
        battle_dice(book, facts).total,
        "modern",
        close=facts.range == 1,
        figures=1,
        strength=1,
        stubborn=facts.stubborn,
        sandbags="sandbags" in facts.terrain,
        stands=not facts.voluntary,
    )


def way_back(facts: WayBack) -> tuple[int, bool]:
    """The hexes that somebody can go back, and whether his way is barred there (AFR-247), not at its end (AFR-248)."""
    free = 0 if facts.blocked else facts.barred_behind
    rows = 0 if facts.at_edge else facts.rows_behind
    return min(free, rows), free < rows


def aftermath(exchange: Exchange, figures: int, facts: WayBack, *, voluntary: bool) -> tuple[int, int, bool]:
    """What becomes of `figures` defenders: hexes of retreat, men lost where there is no way on, and whether none is left on
    the field."""
    left = figures - exchange.kills
    free, barred = way_back(facts)
    wanted = min(1, free) if voluntary and left > 0 else exchange.retreat
    short = max(0, wanted - free)
    lost = min(short, left) if barred else 0
    return min(wanted, free), lost, left - lost <= 0 or (short > 0 and not barred)


def outcome_of(facts: BattleFacts, exchange: Exchange) -> BattleOutcome:
    """The outcome of a battle whose dice have been thrown."""
    retreat, lost, destroyed = aftermath(exchange, facts.defender_figures, facts, voluntary=facts.voluntary)
    hits, kills, struck = exchange.hits, exchange.kills, exchange.losses
    return BattleOutcome(hits, kills, struck, retreat, lost, destroyed, exchange.jammed)


class _Result:
    """A state of nothing but a result."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def copy(self) -> _Result:
        return _Result(self.value)


def single_leg(run: Callable[[Table], Any]) -> list[Leg]:
    """One leg of one stage whose result is what `run` gives."""

    def stage(table: Table, state: _Result) -> None:
        state.value = run(table)

    return [Leg(_Result, [stage], lambda state: state.value, lambda state: state.value)]
