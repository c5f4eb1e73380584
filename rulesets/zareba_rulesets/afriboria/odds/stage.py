"""The stage for odds: facts and small battles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import Field as PydanticField

from zareba.base.errors import ZarebaError
from zareba.base.state import blank
from zareba.odds import Procedures, SmallBattle, first_option, refuse
from zareba.rules import Rules
from zareba.space import Edge, HexGrid
from zareba.table import Choose, Confirm, Deck, Event, Place, Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.air import air_targets
from zareba_rulesets.afriboria.chapters.combat import STAND, WITHDRAW
from zareba_rulesets.afriboria.chapters.engagement import HOLD, all_targets, engage
from zareba_rulesets.afriboria.chapters.retreat import commander_withdrawals, may_withdraw
from zareba_rulesets.afriboria.forces.battle import Battle, SideRoster
from zareba_rulesets.afriboria.forces.pieces import (
    OFF,
    Commander,
    CommanderSpec,
    Flier,
    SideState,
    Structure,
    Unit,
    UnitSpec,
)
from zareba_rulesets.afriboria.ground import Field, Ground, StructureSpec

# --- The facts of an attack and its target, for odds questions --------------------------------------------------------


UnitKey = Literal[
    "inf_a", "inf_b", "inf_c", "civ_n", "pack", "cav_a", "cav_b", "cav_c", "cav_a_foot", "cav_b_foot", "cav_c_foot",
    "art_field", "art_horse", "art_heavy", "mg_foot", "mg_horse", "aa_gun", "rocket", "vehicle", "vehicle_mg", "vehicle_gun",
]  # fmt: skip
_TerrainKey = Literal[
    "open", "wood", "orchard", "hill", "building", "river", "ford", "marsh", "depression", "debris", "sandbags", "barbed_wire",
    "bridge", "field", "rough", "fence", "fieldwork",
]  # fmt: skip
StructureKey = Literal["wood", "adobe", "stone", "stone_fort"]
Figures = Annotated[int, PydanticField(ge=1, le=200)]
Range = Annotated[int, PydanticField(ge=1, le=8)]
Firearms = Annotated[int, PydanticField(ge=-1, le=200)]
CardDice = Annotated[int, PydanticField(ge=-4, le=4)]
Section = Annotated[int, PydanticField(ge=0, le=200)]
_Rows = Annotated[int, PydanticField(ge=0, le=200)]
AWAY = 20  # hexes to the own edge: too far to matter
Terrains = tuple[_TerrainKey, ...]


@dataclass(frozen=True)
class AttackFacts:
    """The facts that give the dice of an attack, whatever the target.

    `terrain` are the features of the target's hex, `attacker_terrain` those of the attacker's. `attacker_missile`: it
    fires at a distance; `firearms` of the attacker, -1: all figures have one. `officer`: one who lends his die;
    `card`: dice by cards and events.
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
    """The way back of the defender.

    `blocked`: no hex behind it is free, else the way is barred after `barred_behind` hexes; `at_edge`: the field ends
    behind it, else after `rows_behind` hexes.
    """

    blocked: bool = False
    barred_behind: _Rows = AWAY
    at_edge: bool = False
    rows_behind: _Rows = AWAY


@dataclass(frozen=True)
class BattleFacts(WayBack, AttackFacts):
    """A battle of one unit against another.

    `defender_officer`: one in the defender's hex; `officer_apart`: he is with another section than the one attacked,
    or has lent his die to another unit. `voluntary`: the defender retreats voluntarily. `defended`: it has no defence
    left, or none against this attack. `defender_section`: of a unit on a wall only these figures can be hit, 0: all.
    `stubborn`: it may ignore any flags, in a structure; `inspired`: an event makes it ignore all flags.
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
class CommanderFacts(WayBack, AttackFacts):
    """An attack on a commander without a unit; the fields are those of a battle. `character`: he is only wounded."""

    voluntary: bool = False
    stubborn: bool = False
    character: bool = False


# --- Small test battles for the odds: a few pieces on a bare field, or a strip of hexes with attacker and target ------


PROCEDURES = Procedures()
ATTACKER, DEFENDER = "attacker", "defender"
REPORTED_EVENTS = ("battle", "loss", "retreat")
SOUTH = 9
"""Rows of hexes before the target: one more than any range, for figures that take no part."""
_LEAVES = "AFR-248"
"""The rule by which a whole unit leaves the field at its own edge."""
_HOMES: Mapping[str, Edge] = {"red": "south", "blue": "north"}

Target = Unit | Commander | Flier | StructureSpec


def unit_of(
    book: AfrBook,
    name: str,
    side: str,
    key: str,
    cell: int,
    figures: int | None = None,
    *,
    colour: str = "red",
    missile: bool = True,
    firearms: int | None = None,
    lancers: bool = False,
    ladders: bool = False,
    points: int = 1,
) -> Unit:
    """Return a unit of a kind in a hex, by default at full strength and armed; cavalry is mounted."""
    profile = book.profiles[key]
    men = profile.figures if figures is None else figures
    armed = men if firearms is None else firearms
    full_strength, foot = max(men, profile.figures), book.profiles[profile.on_foot] if profile.on_foot else None
    spec = UnitSpec(name, name, side, key, profile, colour, full_strength, armed, missile, foot, lancers, points, name)
    return Unit(cell, men, armed, bool(profile.on_foot), ladders=ladders, spec=spec)


def bare_battle(
    book: AfrBook,
    units: Sequence[Unit] = (),
    commanders: Sequence[Commander] = (),
    fliers: Sequence[Flier] = (),
    *,
    size: tuple[int, int] = (9, 11),
    terrain: Mapping[int, Sequence[str]] | None = None,
    structures: Mapping[int, StructureSpec] | None = None,
    bases: Mapping[str, tuple[int, ...]] | None = None,
    hilltops: frozenset[int] = frozenset(),
    homes: Mapping[str, Edge] = _HOMES,
    active: str = "red",
) -> Battle:
    """Return a plain with these pieces, in the stage of battles of the first player turn of `active`."""
    grid = HexGrid(*size)
    kinds = [list((terrain or {}).get(cell, ())) for cell in range(grid.size)]
    field = Field(book, grid, kinds, homes, hilltops, structures, bases)
    battle = blank(
        Battle,
        turn=1,
        active=active,
        stage="battles",
        sides={side: SideState([], False, 0, None) for side in homes},
        units={unit.spec.id: unit for unit in units},
        commanders={chief.spec.id: chief for chief in commanders},
        fliers={flier.spec.id: flier for flier in fliers},
        structures={cell: Structure(spec.value) for cell, spec in field.structures.items()},
        deck=Deck({}, {}),
        event_deck=Deck({}, {}),
        book=book,
        field=field,
        roster=SideRoster(
            homes,
            {unit.spec.id: unit.spec for unit in units},
            {commander.spec.id: commander.spec for commander in commanders},
        ),
    )
    for unit in units:
        cell, unit.hex = unit.hex, -1
        battle.move(unit, cell)
    for chief in commanders:
        cell, chief.hex = chief.hex, -1
        battle.place(chief, cell)
    return battle


def attacker_of(book: AfrBook, facts: Any) -> Unit:
    """Return the attacker described by facts, ordered to battle. Raise ZarebaError for impossible facts."""
    profile, men, armed = book.profiles[facts.attacker], facts.attacker_figures, facts.firearms
    gun = book.counts_as_gun(profile) and not profile.no_hilltop
    refuse(facts.lancers and facts.attacker != "cav_a", "only mounted A-class cavalry can be lancers (AFR-026)")
    refuse(facts.officer and not profile.aided, f"{profile.title} cannot have an officer's die (AFR-183)")
    refuse(facts.hilltop and not gun, f"{profile.title} gains nothing on a hilltop; only guns do (AFR-151)")
    refuse(
        armed >= 0 and not facts.attacker_missile,
        "firearms need attacker_missile, since they fire at a distance (AFR-038)",
    )
    refuse(armed > men, f"{profile.title} cannot have more firearms than men (AFR-038)")
    unit = unit_of(
        book, ATTACKER, "red", facts.attacker, OFF, men, missile=facts.attacker_missile, lancers=facts.lancers
    )
    unit.firearms, unit.ladders = armed if armed >= 0 else men, facts.ladders
    unit.mark("battle")
    return unit


def _defender_of(book: AfrBook, facts: Any) -> Unit:
    """Return the defending unit described by facts. Raise ZarebaError for impossible facts."""
    section, men = facts.defender_section, facts.defender_figures
    lost_officer = getattr(facts, "officer_apart", False) and not facts.defender_officer
    in_the_open = facts.stubborn and "building" not in facts.terrain
    refuse(lost_officer, "officer_apart needs defender_officer (AFR-183)")
    refuse(section >= men, "a section is part of its unit: defender_section must be below defender_figures (AFR-321)")
    refuse(section and facts.voluntary, "men in sections do not retreat voluntarily (AFR-239)")
    refuse(in_the_open, "stubborn needs a structure: add building to terrain (AFR-319)")
    missile = getattr(facts, "defender_missile", True)
    unit = unit_of(book, DEFENDER, "blue", facts.defender, OFF, men, missile=missile)
    unit.ladders = getattr(facts, "defender_ladders", False)
    unit.mark(*(mark for mark in ("defended", "inspired") if getattr(facts, mark, False)))
    return unit


def small_table(
    rules: Rules,
    facts: Any,
    attacker: Unit | Flier | None = None,
    target: Target | None = None,
    columns: int = 1,
    sections: Sequence[int] = (),
) -> Battle:
    """Return a strip of hexes from south to north: the attacker, the target at its range, and the room behind it.

    Both are units described by the facts unless given. `sections` are the hexes of an attacker who is in several.
    Officers are with their units. Enemies bar the way back if the facts say so (AFR-247). Raise ZarebaError for facts
    that play does not allow.
    """
    book = AfrBook(rules)
    attacker, target = attacker or attacker_of(book, facts), target or _defender_of(book, facts)

    def value_of(fact: str, default: Any = False) -> Any:
        return getattr(facts, fact, default)

    spread = isinstance(target, Unit) and facts.defender_section > 0
    columns = max(columns, 3) if spread else columns
    cell = SOUTH * columns + columns // 2
    origins = sections or (cell - facts.range * columns,)
    rows = 0 if value_of("at_edge") else min(value_of("rows_behind", AWAY), AWAY)
    free = 0 if value_of("blocked") else value_of("barred_behind", AWAY)
    bar = (SOUTH + 1 + free) * columns
    units = [unit_of(book, f"behind {n}", "red", "pack", bar + n) for n in range(columns if free < rows else 0)]
    pieces: list[Any] = [*units, attacker]
    attacker.hex = origins[0]
    if value_of("officer"):
        pieces.append(Commander(origins[0], spec=CommanderSpec("leader", "leader", "red", officer=True)))
    if value_of("defender_officer"):
        lent = "somebody else" if value_of("officer_apart") else ""
        pieces.append(Commander(cell, supports=lent, spec=CommanderSpec("officer", "officer", "blue", officer=True)))
    structures = {cell: StructureSpec(next(iter(book.file.structures)), 1, "blue")} if value_of("stubborn") else {}
    if isinstance(target, StructureSpec):
        structures[cell] = target
    else:
        target.hex = cell
        pieces.append(target)
    battle = bare_battle(
        book,
        *([piece for piece in pieces if isinstance(piece, kind)] for kind in (Unit, Commander, Flier)),  # type: ignore[arg-type]  # each in its list
        size=(columns, SOUTH + 1 + rows),
        terrain={**dict.fromkeys(origins, value_of("attacker_terrain", ())), cell: value_of("terrain", ())},
        structures=structures,
        hilltops=frozenset(
            {origins[0] if value_of("hilltop") else OFF}
        ),  # without one, every hill would count as a hilltop
    )
    if isinstance(target, Unit) and spread:  # the other figures next to them, with the same way back
        battle.spread(target, {cell: facts.defender_section, SOUTH * columns: target.figures - facts.defender_section})
    stuck = isinstance(target, Unit) and not may_withdraw(battle, target)
    stuck = stuck or (isinstance(target, Commander) and not commander_withdrawals(battle, target))
    refuse(value_of("voluntary") and stuck, "there is no way back for a voluntary retreat (AFR-239, AFR-241)")
    _give_dice(battle, attacker, facts)
    _refuse_impossible(battle, attacker, facts)
    return battle


def _give_dice(battle: Battle, attacker: Unit | Flier, facts: Any) -> None:
    """Put cards and events in force that add as many dice as the facts say (AFR-340, AFR-342)."""
    events, kind = battle.book.file.events, "close" if facts.range == 1 else "far"
    cards, fresh, rain = {"": 0}, 0, events["ev_rain"].dice if facts.range >= 2 else 0
    if isinstance(attacker, Unit):
        fresh = events["ev_ammunition"].dice
        if _target_in_play(battle)[0] not in ("flier", "structure"):
            cards |= {name: card.dice for name, card in battle.book.cards.items() if card.bonus == kind}
    for card, first, wet in product(cards, (0, fresh), (0, rain)):
        if cards[card] + first - wet == facts.card:
            battle.card = card
            battle.effects = {"ev_rain": battle.turn} if wet else {}
            attacker.mark(*[kind] * bool(card), *["first"] * bool(first))
            return
    raise ZarebaError(f"no combination of cards and events changes the dice by {facts.card:+} here (AFR-340, AFR-342)")


def _target_in_play(battle: Battle) -> tuple[str, Any]:
    """Return the target at its present position, in the form that play uses."""
    if DEFENDER in battle.units:
        cell, flier = battle.units[DEFENDER].hex, battle.fliers.get(ATTACKER)
        return "bomb" if flier is not None and flier.hex == cell else "hex", cell
    if DEFENDER in battle.fliers:
        return "flier" if battle.fliers[DEFENDER].airborne else "parked", DEFENDER
    return ("commander", DEFENDER) if DEFENDER in battle.commanders else ("structure", next(iter(battle.structures)))


def _refuse_impossible(battle: Battle, attacker: Unit | Flier, facts: Any) -> None:
    """Raise ZarebaError if play would not allow this target to the attacker."""
    if isinstance(facts, AttackFacts) and isinstance(attacker, Unit):
        profile, hexes = attacker.profile, facts.range
        is_out_of_reach, gun = hexes > attacker.reach, battle.book.counts_as_gun(profile)
        shut = Ground.of(battle.book, facts.terrain).shelters(hexes, walks=profile.walks, gun=gun)
        reach = "only guns can, and foot from the next hex (AFR-134)"
        refuse(
            is_out_of_reach,
            f"{profile.title} cannot battle at range {hexes}; its row has {len(profile.dice)} (AFR-182)",
        )
        refuse(shut, f"{profile.title} cannot attack into a depression at range {hexes}: {reach}")
    found = all_targets(battle, attacker) if isinstance(attacker, Unit) else air_targets(battle, attacker)
    refuse(_target_in_play(battle) not in found, "no dice are left to the attacker, so it cannot battle (AFR-182)")


def _outcome(procedure: str, facts: Any, battle: Battle, events: Sequence[Event]) -> Any:
    """Return the outcome of a procedure from the state after the attack and the events emitted in it."""
    pieces: Mapping[str, Any] = {**battle.units, **battle.commanders, **battle.fliers}
    target, lost = pieces.get(DEFENDER), Counter[tuple[str, bool]]()
    for event in events:
        if event.kind == "loss" and event.rule != _LEAVES:
            lost[event.data["unit"], event.data["cause"] == "morale"] += event.data["lost"]
    values = {
        "hits": sum(event.data.get("hits", 0) for event in events),
        "jammed": any(event.data.get("jammed", False) for event in events),
        "kills": lost[DEFENDER, False],
        "lost_to_flags": lost[DEFENDER, True],
        "attackers_lost": lost[ATTACKER, False],
        "retreat": sum(event.kind == "retreat" for event in events),
        "shots": getattr(pieces[ATTACKER], "shots", 1),
        "strength_lost": 0,
    }
    if target is not None:
        values |= dict.fromkeys(("destroyed", "down", "eliminated"), target.hex == OFF)
        values["hit"] = lost[DEFENDER, False] > 0 or "wounded" in target.marks
    if isinstance(target, Flier) and target.spec.kind == "airship":
        values["strength_lost"] = facts.strength - target.strength
    for cell, left in battle.structures.items():
        values |= {"value_left": left.value, "rubble": cell in battle.rubble}
    kind = PROCEDURES[procedure].outcome
    return kind(**{one.name: values[one.name] for one in fields(kind)})


def attack(
    battle: Battle,
    facts: Any,
    procedure: str,
    hears: Collection[str] = REPORTED_EVENTS,
    shots: int = 1,
    shares: Mapping[int, int] | None = None,
) -> SmallBattle:
    """Return the attacker's whole battle as a question for the odds, with up to `shots` shots.

    Events of the kinds in `hears` enter the outcome. `shares` are the dice dealt to each section. The defender stands,
    or retreats voluntarily as the facts say. It saves when possible, uses its defence, and ignores flags where it may.
    No unit follows up.
    """
    columns = battle.field.grid.columns
    beside = ("hex", SOUTH * columns) if columns > 1 else None  # the hex of the target's other sections

    def act(table: Table, battle: Battle, _: None) -> Sequence[Event]:
        engage(table, battle, ATTACKER)
        return tuple([event for event in table.events if event.kind in hears])

    def answer(question: Choose | Place | Confirm, battle: Battle) -> Any:
        if not isinstance(question, Choose):
            return first_option(question)
        if question.why == "battle against":
            fired, target = ATTACKER in battle.units and battle.units[ATTACKER].shots, _target_in_play(battle)
            return target if fired < shots and target in question.options and target != beside else HOLD
        if question.why == "defender":
            return WITHDRAW if getattr(facts, "voluntary", False) else STAND
        if question.why == "dice of the section" and shares is not None:
            return shares[question.about[0]]
        return first_option(question)

    outcome = partial(_outcome, procedure, facts)
    return SmallBattle(battle, [act], outcome, answer=answer, kept_events=hears, nested=shots > 1)
