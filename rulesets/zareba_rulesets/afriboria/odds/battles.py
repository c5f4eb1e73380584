"""Odds of battles, air battles, sieges and walls, and the set pieces common to all systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.odds import SmallBattle, refuse
from zareba.odds.set_pieces import LOST, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.movement import put_up_ladder
from zareba_rulesets.afriboria.chapters.siege import firing_sections, section_dice, sections_against, wall_room
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec, Flier, FlierSpec
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds import stage
from zareba_rulesets.afriboria.odds.stage import (
    ATTACKER,
    DEFENDER,
    PROCEDURES,
    SOUTH,
    AttackFacts,
    BattleFacts,
    CardDice,
    CommanderFacts,
    Figures,
    Range,
    Section,
    StructureKey,
    Terrains,
    UnitKey,
    WayBack,
    attack,
    bare_battle,
    small_table,
    unit_of,
)

# --- The odds of a battle of two units, of a double fire, and of an attack on a commander (chapters 11 to 15) ---------


@dataclass(frozen=True)
class BattleOutcome:
    """The outcome of a battle.

    `hits` of the attack; `kills` among them after saves and limits; `attackers_lost` to defence dice; `retreat` hexes
    forced by unsaved flags; `lost_to_flags` figures where the retreat is blocked; `destroyed`: no defender is left on
    the field; `jammed`: the machine gun jammed.
    """

    hits: int
    kills: int
    attackers_lost: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


@PROCEDURES.register("AFR-170", BattleOutcome)
def battle(rules: Rules, facts: BattleFacts) -> SmallBattle:
    """One battle roll of a unit at a unit, with saves, defence and retreat."""
    return attack(small_table(rules, facts), facts, "battle")


_TWICE: dict[str, Any] = {"kills": int, "retreat": int, "lost_to_flags": int, "attackers_lost": int, "shots": int}


@PROCEDURES.register("AFR-165", **_TWICE, destroyed=bool)
def double_fire(rules: Rules, facts: BattleFacts) -> SmallBattle:
    """Both shots of A-class foot that has not moved, on a plain.

    Both shots at one unit: `kills` in all, hexes of `retreat`, `lost_to_flags` where the way back is barred,
    `attackers_lost`, `shots` fired, `destroyed`: no defender is left on the field.

    Dice by cards are for the first shot; behind the target the ground is open.
    """
    book = AfrBook(rules)
    refuse(
        not book.profiles[facts.attacker].double_fire or facts.range < 2,
        "only A-class foot fires twice, at targets 2 or more hexes away (AFR-165)",
    )
    refuse(
        book.settings.double_fire_targets == "different",
        "under these settings the two shots need different targets; ask for two battles (AFR-166)",
    )
    return attack(small_table(rules, facts), facts, "double_fire", ("loss", "retreat"), shots=2)


@PROCEDURES.register("AFR-222", hit=bool, retreat=int, eliminated=bool)
def attack_on_commander(rules: Rules, facts: CommanderFacts) -> SmallBattle:
    """An attack on a commander without a unit.

    `hit` if he is killed, or a character wounded; hexes of `retreat`; `eliminated` if he is killed, or lost because he
    cannot retreat.
    """
    refuse(
        not AfrBook(rules).profiles[facts.attacker].storms, "only foot and mounted units attack a commander (AFR-220)"
    )
    spec = CommanderSpec(DEFENDER, DEFENDER, "blue", officer=True, character=facts.character)
    return attack(small_table(rules, facts, target=Commander(OFF, spec=spec)), facts, "attack_on_commander")


# --- The odds of attacks from the air, at fliers, and at parked aircraft (chapters 17 and 18) -------------------------


_AirRange = Annotated[int, Field(ge=0, le=3)]
_Strength = Annotated[int, Field(ge=1, le=100)]


@dataclass(frozen=True)
class AirAttackOdds(WayBack):
    """An attack from the air on a ground unit at range 1 or 2; range 0 is a bomb. The other fields are those of a
    battle.
    """

    range: _AirRange
    defender: UnitKey
    defender_figures: Figures
    terrain: Terrains = ()
    defender_officer: bool = False
    voluntary: bool = False
    defender_section: Section = 0
    stubborn: bool = False
    inspired: bool = False
    card: CardDice = 0


@PROCEDURES.register("AFR-269", BattleOutcome)
def attack_from_air(rules: Rules, facts: AirAttackOdds) -> SmallBattle:
    """An aircraft or airship with gun or bomb against a ground unit.

    A ground unit has no defence against an attack from the air (AFR-281).
    """
    book = AfrBook(rules)
    reach = len(book.file.air_ground_dice.dice)
    refuse(facts.range > reach, f"aircraft attack ground targets at range 0 to {reach}, not {facts.range} (AFR-269)")
    plane = Flier(OFF, True, 1, bombs=1, spec=FlierSpec(ATTACKER, ATTACKER, "red", "aircraft"))
    return attack(small_table(rules, facts, plane), facts, "attack_from_air")


@dataclass(frozen=True)
class AntiAirOdds:
    """Fire of a machine gun, anti-aircraft gun or aircraft at a flier, at range 0 to 3.

    `strength` of an airship; `card`: dice by cards and events.
    """

    target: Literal["aircraft", "airship"]
    range: _AirRange = 1
    strength: _Strength = 6
    card: CardDice = 0


@PROCEDURES.register("AFR-274", down=bool, strength_lost=int)
def anti_aircraft(rules: Rules, facts: AntiAirOdds) -> SmallBattle:
    """Fire at an aircraft or airship in the air.

    `down` if it is brought down, and the strength that an airship loses.
    """
    book = AfrBook(rules)
    refuse(
        facts.range > len(book.air_dice),
        f"fire at aircraft has range 0 to {len(book.air_dice)}, not {facts.range} (AFR-272)",
    )
    gun = unit_of(book, ATTACKER, "red", "aa_gun", OFF)
    gun.mark("battle")
    target = Flier(OFF, True, facts.strength, spec=FlierSpec(DEFENDER, DEFENDER, "blue", facts.target))
    return attack(small_table(rules, facts, gun, target), facts, "anti_aircraft", ())


@dataclass(frozen=True)
class ParkedFacts(AttackFacts):
    """An attack on a flier on the ground; `strength`: points left to an airship, 1 for an aircraft."""

    strength: _Strength = 1


@PROCEDURES.register("AFR-278", hits=int, destroyed=bool)
def attack_on_parked(rules: Rules, facts: ParkedFacts) -> SmallBattle:
    """An attack of a ground unit on a parked aircraft or airship.

    `hits` that were not saved, and `destroyed` if they destroy it.
    """
    profile = AfrBook(rules).profiles[facts.attacker]
    refuse(profile.jams, f"{profile.title} cannot attack parked aircraft; foot, mounted troops and guns can (AFR-278)")
    spec = FlierSpec(DEFENDER, DEFENDER, "blue", "airship" if facts.strength > 1 else "aircraft")
    parked = Flier(OFF, False, facts.strength, spec=spec)
    return attack(small_table(rules, facts, target=parked), facts, "attack_on_parked", ("anti-aircraft fire",))


# --- The odds of bombardments and ladders (chapters 19 and 20) --------------------------------------------------------


Value = Annotated[int, Field(ge=1, le=20)]
_GunKey = Literal["art_field", "art_horse", "art_heavy"]


@dataclass(frozen=True)
class BombardmentOdds:
    """A bombardment of a structure with `value` points left."""

    gun: _GunKey
    range: Range
    structure: StructureKey
    value: Value
    hilltop: bool = False
    card: CardDice = 0


@PROCEDURES.register("AFR-308", value_left=int, rubble=bool)
def bombardment(rules: Rules, facts: BombardmentOdds) -> SmallBattle:
    """One salvo of guns at a structure.

    `value_left`: the points that it has left; `rubble`: it has collapsed.
    """
    gun = unit_of(AfrBook(rules), ATTACKER, "red", facts.gun, OFF)
    gun.mark("battle")
    refuse(facts.range > gun.reach, f"the range of this gun is 1 to {gun.reach} hexes, not {facts.range} (AFR-311)")
    target = StructureSpec(facts.structure, facts.value, "blue")
    return attack(small_table(rules, facts, gun, target), facts, "bombardment", ())


@dataclass(frozen=True)
class LadderOdds:
    """A ladder put up by `figures` men against a manned wall."""

    figures: Figures = 6


@PROCEDURES.register("AFR-332", ladder=str, lost=int)
def ladder(rules: Rules, facts: LadderOdds) -> SmallBattle:
    """The repulse of a ladder against a manned wall.

    The ladder `stands`, `falls` or is `broken`; figures lost.
    """
    book, wall = AfrBook(rules), 1
    storming = unit_of(book, ATTACKER, "red", "inf_b", 0, facts.figures, ladders=True)
    manned = {wall: StructureSpec(next(iter(book.file.structures)), 1, "blue")}
    battle = bare_battle(book, [storming, unit_of(book, "wall", "blue", "inf_b", wall)], size=(1, 2), structures=manned)

    def put_up(table: Table, battle: Battle, _: None) -> tuple[str, int]:
        put_up_ladder(table, battle, battle.units[ATTACKER], wall)
        (result,) = [event.data["result"] for event in table.events if event.kind == "ladder"]
        return str(result), facts.figures - battle.units[ATTACKER].figures

    return SmallBattle(battle, [put_up])


# --- The odds of fire from a wall by a unit in sections (AFR-318 to AFR-327) ------------------------------------------


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


def _refuse_impossible(book: AfrBook, facts: WallFireFacts) -> None:
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


@PROCEDURES.register("AFR-322", BattleOutcome)
def fire_from_wall(rules: Rules, facts: WallFireFacts) -> SmallBattle:
    """One fire of a unit in sections on a wall at a unit, with saves, defence and retreat."""
    book = AfrBook(rules)
    _refuse_impossible(book, facts)
    for silent in range(facts.range):  # 0: none; a section that holds its fire may be nearer than all firing sections
        for battle in _on_the_wall(book, facts, silent):
            if (shares := _section_shares(battle, facts)) is not None:
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
    cells = _section_hexes(stage.bare_battle(book, size=(columns, SOUTH + 1)), ranges)
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


def _section_hexes(plain: Battle, ranges: Sequence[int], found: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """Return hexes at these ranges of the target that see it past each other; None if there are none."""
    if len(found) == len(ranges):
        return found
    columns = plain.field.grid.columns
    cell = SOUTH * columns + columns // 2
    for near in plain.field.grid.ring(cell, ranges[len(found)]):
        cells = (*found, near)
        plain.here = dict.fromkeys(cells, ("a section",))
        is_visible = near not in found and all(sees(plain, start, cell) for start in cells)
        if is_visible and (all_cells := _section_hexes(plain, ranges, cells)) is not None:
            return all_cells
    return None


def _section_shares(battle: Battle, facts: WallFireFacts) -> dict[int, int] | None:
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


# --- The set pieces common to all systems, under these rules: one unit at full strength against another ---------------


_NO_MORALE = "there are no morale checks; flags on the battle dice drive units back at once (AFR-170)"


def set_pieces(rules: Rules) -> Staged:
    """Return each set piece as a question to these rules."""
    book = AfrBook(rules)
    regular, warrior = book.profiles["inf_a"].figures, book.profiles["inf_c"].figures

    def read_losses(men: int) -> Any:
        def read_answer(outcome: Any) -> SetPieceAnswer:
            loss = min(men, outcome.kills + outcome.lost_to_flags)
            return SetPieceAnswer(Fraction(loss, men), gives_way=bool(outcome.retreat) or outcome.destroyed)

        return read_answer

    def fire(attacker: str, figures: int, hexes: int, description: str, *terrain: str) -> list[SetPieceQuestion]:
        twice = book.profiles[attacker].double_fire and hexes > 1 and book.settings.double_fire_targets != "different"
        facts = {
            "attacker": attacker, "attacker_figures": figures, "range": hexes, "terrain": terrain,
            "defender": "inf_c", "defender_figures": warrior, "defender_missile": False,
        }  # fmt: skip
        return [SetPieceQuestion("double_fire" if twice else "battle", facts, read_losses(warrior), description)]

    charge = {
        "attacker": "inf_c", "attacker_figures": warrior, "attacker_missile": False, "range": 1,
        "defender": "inf_a", "defender_figures": regular,
    }  # fmt: skip

    def assault(outcome: Any) -> SetPieceAnswer:
        read = read_losses(regular)(outcome)
        return SetPieceAnswer(read.lost, Fraction(outcome.attackers_lost, warrior), read.gives_way, home=True)

    return {
        "rifles_near": fire(
            "inf_a", regular, 1, f"{amount(regular, 'figure')} of A class at {warrior} of C class, 1 hex away"
        ),
        "rifles_middle": fire("inf_a", regular, 2, "2 hexes away: units that do not move fire twice"),
        "rifles_far": fire("inf_a", regular, 4, "4 hexes away: units that do not move fire twice"),
        "rifles_cover": fire(
            "inf_a", regular, 2, "2 hexes away, behind a wall", *book.file.mapping.linear_terrain["low_wall"]
        ),
        "rifles_charging": "charging units take fire like any other target (AFR-170)",
        "rifles_skirmishing": "units have no formation that is harder to hit (AFR-170)",
        "charge_formed": [
            SetPieceQuestion(
                "battle",
                charge,
                assault,
                "an attack from the next hex, and the defence; an adjacent unit always makes contact",
            )
        ],
        "charge_shaken": "units are never shaken or broken (AFR-170)",
        "machine_gun": fire("mg_foot", book.profiles["mg_foot"].figures, 3, "3 hexes away"),
        "gun": fire("art_field", book.profiles["art_field"].figures, 3, "3 hexes away"),
        **dict.fromkeys(LOST, _NO_MORALE),
    }
