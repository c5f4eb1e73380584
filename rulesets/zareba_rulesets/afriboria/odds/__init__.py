"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import (
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    attack_commander,
    defend,
)
from zareba_rulesets.afriboria.odds.air import AIR
from zareba_rulesets.afriboria.odds.facts import (
    AttackFacts,
    BattleFacts,
    BattleOutcome,
    CommanderFacts,
    CommanderOutcome,
    aftermath,
    battle_dice,
    commander_exchange,
    compile_exchange,
    defence_tallies,
    dice_left,
    outcome_of,
    row_of,
    way_back,
)
from zareba_rulesets.afriboria.odds.siege import SIEGE
from zareba_rulesets.afriboria.odds.walls import WALL_FIRE

__all__ = ["PROCEDURES"]


# --- battle of unit against unit --------------------------------------------------------------------------------------------


def _key(exchange: Exchange) -> Hashable:
    return exchange.hits, exchange.kills, exchange.flags, exchange.jammed, exchange.losses, exchange.retreat


def _exchange(facts: ExchangeFacts) -> Exchange:
    return Exchange("attacker", "defender", "blue", facts=facts)


def _battle_legs(rules: Rules, facts: BattleFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    dice_left(battle_dice(book, facts))
    compiled = compile_exchange(book, facts)
    stages = [lambda table, state, step=step: step(table, book, state) for step in (attack, defend, answer_flags)]
    return [Leg(lambda: _exchange(compiled), stages, _key, lambda exchange: outcome_of(facts, exchange))]


def _battle_tallies(rules: Rules, facts: BattleFacts) -> list[Tally]:
    book = AfrBook(rules)
    return [battle_dice(book, facts), *defence_tallies(book, facts)]


# --- double fire ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DoubleFireOutcome:
    """Both shots of a double fire at one unit: `kills` in all, hexes of `retreat`, `lost_to_flags` where the way back is
    barred, `attackers_lost`, `shots` fired, `destroyed`: nobody is left on the field.

    Dice by cards are for the first shot; behind the target the ground is open.
    """

    kills: int
    retreat: int
    lost_to_flags: int
    attackers_lost: int
    shots: int
    destroyed: bool


@dataclass
class _Volleys:
    """A double fire under way; the second shot comes from the range to which the first has driven the target."""

    facts: BattleFacts
    kills: int = 0
    retreat: int = 0
    stranded: int = 0
    losses: int = 0
    shots: int = 0
    defended: bool = False
    gone: bool = False

    def copy(self) -> _Volleys:
        return replace(self)


def _double_fire_legs(rules: Rules, facts: BattleFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    if not book.profiles[facts.attacker].double_fire or facts.range < 2:
        raise ZarebaError("only A-class foot fires twice, at targets 2 or more hexes away (AFR-165)")
    if book.settings.double_fire_targets == "different":
        raise ZarebaError("under these settings the two shots never go at one unit; ask for two battles (AFR-166)")
    dice_left(battle_dice(book, facts))

    def shot(table: Table, volleys: _Volleys) -> None:
        left = facts.defender_figures - volleys.kills - volleys.stranded
        men = facts.attacker_figures - volleys.losses
        away = facts.range + volleys.retreat
        spread = facts.defender_section and not volleys.retreat  # who goes back gathers (AFR-321)
        section = facts.defender_section - volleys.kills if spread else 0
        profile = book.profiles[facts.attacker]
        nobody = volleys.gone or men <= 0 or (spread and not section)
        if nobody or not row_of(profile, facts.attacker_missile, away):
            return
        now = replace(
            facts,
            range=away,
            defender_figures=left,
            defender_section=section,
            stubborn=facts.stubborn and not volleys.retreat,
            barred_behind=facts.barred_behind - volleys.retreat,
            rows_behind=facts.rows_behind - volleys.retreat,
            attacker_figures=men,
            firearms=min(facts.firearms, men) if facts.firearms >= 0 else -1,
            defended=facts.defended or volleys.defended,
            card=min(facts.card, 0) if volleys.shots else facts.card,
            terrain=() if volleys.retreat else facts.terrain,
        )
        exchange = _exchange(compile_exchange(book, now))
        if not exchange.facts.dice:
            return
        for step in (attack, defend, answer_flags):
            step(table, book, exchange)
        volleys.kills += exchange.kills
        volleys.losses += exchange.losses
        back, stranded, volleys.gone = aftermath(exchange, left, now, voluntary=facts.voluntary)
        volleys.retreat += back
        volleys.stranded += stranded
        volleys.defended = volleys.defended or exchange.defended
        volleys.shots += 1

    def key(v: _Volleys) -> Hashable:
        return v.kills, v.retreat, v.stranded, v.losses, v.shots, v.defended, v.gone

    def result(v: _Volleys) -> DoubleFireOutcome:
        return DoubleFireOutcome(v.kills, v.retreat, v.stranded, v.losses, v.shots, v.gone)

    return [Leg(lambda: _Volleys(facts), [shot, shot], key, result)]


# --- commanders ---------------------------------------------------------------------------------------------------------------


def _commander_legs(rules: Rules, facts: CommanderFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    compiled = commander_exchange(book, facts)
    dice_left(battle_dice(book, facts))

    def flags(table: Table, exchange: Exchange) -> None:
        hit, exchange.kills = exchange.kills, 0 if facts.character else exchange.kills
        answer_flags(table, book, exchange)
        exchange.kills = hit

    def result(exchange: Exchange) -> CommanderOutcome:
        hit, back = bool(exchange.kills), exchange.retreat
        free, barred = way_back(facts)
        killed = hit and not facts.character
        if facts.voluntary and not killed:
            back = min(1, free)
        lost = back > free
        if lost and barred and facts.character:  # who would be killed is wounded (AFR-225)
            hit, lost = True, False
        return CommanderOutcome(hit, min(back, free), killed or lost)

    stages = [lambda table, state: attack_commander(table, book, state), flags]
    return [Leg(lambda: _exchange(compiled), stages, _key, result)]


def _attack_tallies(rules: Rules, facts: AttackFacts) -> list[Tally]:
    return [battle_dice(AfrBook(rules), facts)]


PROCEDURES = {
    procedure.name: procedure
    for procedure in (
        Procedure(
            "battle",
            "AFR-170",
            "one battle roll of a unit at a unit with everything that answers it",
            BattleFacts,
            BattleOutcome,
            _battle_legs,
            lambda outcome: outcome,
            _battle_tallies,
        ),
        Procedure(
            "double_fire",
            "AFR-165",
            "both shots of A-class foot that has not moved, on a plain",
            BattleFacts,
            DoubleFireOutcome,
            _double_fire_legs,
            lambda outcome: outcome,
            _attack_tallies,
        ),
        Procedure(
            "attack_on_commander",
            "AFR-222",
            "an attack on a commander without a unit",
            CommanderFacts,
            CommanderOutcome,
            _commander_legs,
            lambda outcome: outcome,
            _attack_tallies,
        ),
        WALL_FIRE,
        *SIEGE,
        *AIR,
    )
}
