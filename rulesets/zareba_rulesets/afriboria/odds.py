"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.book import AfrBook, Profile
from zareba_rulesets.afriboria.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    attack_commander,
    defend,
)
from zareba_rulesets.afriboria.field import Ground
from zareba_rulesets.afriboria.siege_odds import AIR_AND_SIEGE
from zareba_rulesets.afriboria.situation import TerrainKey, UnitKey

__all__ = ["PROCEDURES", "BattleFacts", "compile_exchange"]


# --- battle of unit against unit --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BattleFacts:
    """A battle of one unit against another. `firearms` of the attacker, -1: all have one; `missile`: fires at a distance.

    `terrain` is the ground of the defender, `attacker_terrain` of the attacker. `officer`: one who lends his die;
    `defender_officer`: one in the defender's hex. `card`: dice by cards. `voluntary`: the defender retreats voluntarily;
    `blocked`: no hex behind him is free; `defended`: his defence of this turn is used up.
    """

    attacker: UnitKey
    attacker_figures: int
    defender: UnitKey
    defender_figures: int
    range: int
    terrain: TerrainKey = "open"
    attacker_terrain: TerrainKey = "open"
    attacker_missile: bool = True
    defender_missile: bool = True
    firearms: int = -1
    lancers: bool = False
    officer: bool = False
    defender_officer: bool = False
    hilltop: bool = False
    ladders: bool = False
    defender_ladders: bool = False
    card: int = 0
    voluntary: bool = False
    blocked: bool = False
    defended: bool = False


@dataclass(frozen=True)
class BattleOutcome:
    """`kills` by the attack, `attackers_lost` to defence dice, `retreat` hexes forced, `lost_to_flags` figures where the
    retreat is blocked, `destroyed`: no defender is left, `jammed`: the machine gun stopped."""

    kills: int
    attackers_lost: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


def _is_gun(profile: Profile) -> bool:
    return profile.arm not in ("infantry", "mounted", "dismounted")


def _ground(book: AfrBook, terrain: str) -> Ground:
    return Ground.of(book, [] if terrain == "open" else [terrain])


def _row(profile: Profile, missile: bool, distance: int) -> int:
    reach = len(profile.dice) if missile else min(1, len(profile.dice))
    return profile.dice[distance - 1] if 1 <= distance <= reach else 0


def battle_dice(book: AfrBook, facts: BattleFacts) -> Tally:
    """The dice of the attack."""
    profile = book.profiles[facts.attacker]
    hill = facts.attacker_terrain == "hill"
    row = _row(profile, facts.attacker_missile, facts.range)
    if not row:
        raise ZarebaError(
            f"{profile.title} cannot battle at range {facts.range}; its row has {len(profile.dice)} (AFR-182)"
        )
    return book.rules.tally(
        "battle_dice",
        DiceFacts(
            row=row,
            range=facts.range,
            lancers=facts.lancers and profile.arm == "mounted" and profile.troop == "A",
            officer=facts.officer and profile.arm in ("infantry", "mounted", "dismounted") and profile.troop != "N",
            hilltop=facts.hilltop and _has_hilltop(book, profile),
            card=facts.card,
            partly_armed=0 <= facts.firearms < facts.attacker_figures,
            ladders=facts.ladders,
            hampered=_ground(book, facts.attacker_terrain).hampers,
            cover=_ground(book, facts.terrain).cover[_is_gun(profile), hill],
        ),
    )


def _has_hilltop(book: AfrBook, profile: Profile) -> bool:
    counts = profile.arm == "artillery" or (profile.arm == "machine_gun" and book.settings.mg_counts_as_artillery)
    return counts and not profile.no_hilltop


def defence_dice(book: AfrBook, facts: BattleFacts) -> Tally | None:
    """The defence dice; None out of the defender's range."""
    profile = book.profiles[facts.defender]
    if facts.voluntary or facts.defended or not _row(profile, facts.defender_missile, facts.range):
        return None
    return book.rules.tally(
        "defence_dice",
        DiceFacts(
            row=book.file.defence_dice[profile.troop].dice,
            range=facts.range,
            officer=facts.defender_officer and profile.arm in ("infantry", "mounted", "dismounted"),
            ladders=facts.defender_ladders,
            hampered=_ground(book, facts.terrain).hampers,
            cover=_ground(book, facts.attacker_terrain).cover[_is_gun(profile), facts.terrain == "hill"],
        ),
    )


def compile_exchange(book: AfrBook, facts: BattleFacts) -> ExchangeFacts:
    """The facts of the exchange that follows from the situation."""
    attacker, defender = book.profiles[facts.attacker], book.profiles[facts.defender]
    answer = defence_dice(book, facts)
    partly = 0 <= facts.firearms < facts.attacker_figures
    capped = partly and (facts.range >= 2 or book.settings.partial_firearms_scope == "all")
    return ExchangeFacts(
        dice=battle_dice(book, facts).total,
        hits=attacker.hits,
        close=facts.range == 1,
        figures=facts.defender_figures,
        strength=facts.defender_figures,
        jams=attacker.jams,
        cap=min(facts.attacker_figures, facts.firearms) if capped else facts.attacker_figures,
        steady_above=book.threshold(defender, facts.defender_officer),
        sandbags=facts.terrain == "sandbags",
        stands=not facts.voluntary,
        defence=answer.total if answer is not None else 0,
        defender_hits=defender.hits,
        attacker_class=attacker.troop,
        attackers=facts.attacker_figures,
    )


def _key(exchange: Exchange) -> Hashable:
    return exchange.kills, exchange.flags, exchange.jammed, exchange.losses, exchange.retreat


def _exchange(facts: ExchangeFacts) -> Exchange:
    return Exchange("attacker", "defender", "blue", facts=facts)


def _battle_legs(rules: Rules, facts: BattleFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    compiled = compile_exchange(book, facts)

    def result(exchange: Exchange) -> BattleOutcome:
        left = facts.defender_figures - exchange.kills
        lost = min(exchange.retreat, left) if facts.blocked else 0
        retreat = 0 if facts.blocked else exchange.retreat
        jammed = exchange.jammed
        if facts.voluntary and left > 0 and not facts.blocked:
            retreat = 1
        return BattleOutcome(exchange.kills, exchange.losses, retreat, lost, left - lost <= 0, jammed)

    stages = [lambda table, state, step=step: step(table, book, state) for step in (attack, defend, answer_flags)]
    return [Leg(lambda: _exchange(compiled), stages, _key, result)]


def _battle_tallies(rules: Rules, facts: BattleFacts) -> list[Tally]:
    book = AfrBook(rules)
    answer = defence_dice(book, facts)
    return [battle_dice(book, facts), *([answer] if answer is not None else [])]


# --- double fire ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DoubleFireOutcome:
    """Both shots of a double fire at one unit: `kills` in all, hexes of `retreat`, `attackers_lost`, `shots` fired."""

    kills: int
    retreat: int
    attackers_lost: int
    shots: int
    destroyed: bool


@dataclass
class _Volleys:
    """A double fire under way; the second shot comes from the range to which the first has driven the target."""

    facts: BattleFacts
    kills: int = 0
    retreat: int = 0
    losses: int = 0
    shots: int = 0
    defended: bool = False

    def copy(self) -> _Volleys:
        return _Volleys(self.facts, self.kills, self.retreat, self.losses, self.shots, self.defended)


def _double_fire_legs(rules: Rules, facts: BattleFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    if not book.profiles[facts.attacker].double_fire or facts.range < 2:
        raise ZarebaError("only A-class foot fires twice, at targets 2 or more hexes away (AFR-165)")

    def shot(table: Table, volleys: _Volleys) -> None:
        left = facts.defender_figures - volleys.kills
        men = facts.attacker_figures - volleys.losses
        away = facts.range + volleys.retreat
        profile = book.profiles[facts.attacker]
        if left <= 0 or men <= 0 or not _row(profile, facts.attacker_missile, away):
            return
        now = BattleFacts(
            **{
                **facts.__dict__,
                "range": away,
                "defender_figures": left,
                "attacker_figures": men,
                "defended": volleys.defended,
                "terrain": "open" if volleys.retreat else facts.terrain,
            }
        )
        exchange = _exchange(compile_exchange(book, now))
        for step in (attack, defend, answer_flags):
            step(table, book, exchange)
        volleys.kills += exchange.kills
        volleys.losses += exchange.losses
        volleys.retreat += exchange.retreat
        volleys.defended = volleys.defended or exchange.defended
        volleys.shots += 1

    def key(v: _Volleys) -> Hashable:
        return v.kills, v.retreat, v.losses, v.shots, v.defended

    def result(v: _Volleys) -> DoubleFireOutcome:
        return DoubleFireOutcome(v.kills, v.retreat, v.losses, v.shots, v.kills >= facts.defender_figures)

    return [Leg(lambda: _Volleys(facts), [shot, shot], key, result)]


# --- commanders ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CommanderOutcome:
    """`eliminated` (a character: wounded), or hexes of `retreat`."""

    eliminated: bool
    retreat: int


def _commander_legs(rules: Rules, facts: BattleFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    if not book.profiles[facts.attacker].storms:
        raise ZarebaError("only foot and mounted units attack a commander (AFR-220)")
    dice = battle_dice(book, facts).total
    compiled = ExchangeFacts(
        dice, "modern", facts.range == 1, 1, 1, sandbags=facts.terrain == "sandbags", stands=not facts.voluntary
    )

    def result(exchange: Exchange) -> CommanderOutcome:
        return CommanderOutcome(bool(exchange.kills), exchange.retreat)

    stages = [lambda table, state, step=step: step(table, book, state) for step in (attack_commander, answer_flags)]
    return [Leg(lambda: _exchange(compiled), stages, _key, result)]


def _attack_tallies(rules: Rules, facts: BattleFacts) -> list[Tally]:
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
            BattleFacts,
            CommanderOutcome,
            _commander_legs,
            lambda outcome: outcome,
            _attack_tallies,
        ),
        *AIR_AND_SIEGE,
    )
}
