"""Small made-up situations: a bare field for a handful of pieces, a strip of hexes for who attacks and who is attacked, and
the attack as its step is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import product
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.state import blank
from zareba.odds import Procedures, Situation, first_option, refuse
from zareba.rules import Rules
from zareba.space import Edge, HexGrid
from zareba.table import Choose, Confirm, Deck, Event, Place, Table
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.chapters.air.air_battle import air_targets
from zareba_rulesets.afriboria.chapters.battle.combat import STAND, WITHDRAW
from zareba_rulesets.afriboria.chapters.engagement import HOLD, all_targets, engage
from zareba_rulesets.afriboria.chapters.retreat import commander_withdrawals, may_withdraw
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import (
    OFF,
    Commander,
    CommanderSpec,
    Flier,
    Side,
    Structure,
    Unit,
    UnitSpec,
)
from zareba_rulesets.afriboria.forces.roster import Roster
from zareba_rulesets.afriboria.ground.field import Field, Ground, StructureSpec
from zareba_rulesets.afriboria.odds.facts import AWAY, AttackFacts

__all__ = ["ATTACKER", "DEFENDER", "PROCEDURES", "SOUTH", "attack", "attacker_of", "bare_battle", "small_table", "unit_of"]  # fmt: skip

PROCEDURES = Procedures()
ATTACKER, DEFENDER = "attacker", "defender"
HEARD = ("battle", "loss", "retreat")
SOUTH = 9
"""Rows of hexes before the target: one more than any range, for men who take no part."""
LEAVES = "AFR-248"
"""The rule by which a unit leaves the field at its own edge, whole."""
HOMES: Mapping[str, Edge] = {"red": "south", "blue": "north"}

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
    """A unit of a kind in a hex, by default at full strength and armed; cavalry in the saddle."""
    profile = book.profiles[key]
    men = profile.figures if figures is None else figures
    armed = men if firearms is None else firearms
    most, foot = max(men, profile.figures), book.profiles[profile.on_foot] if profile.on_foot else None
    spec = UnitSpec(name, name, side, key, profile, colour, most, armed, missile, foot, lancers, points, name)
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
    homes: Mapping[str, Edge] = HOMES,
    active: str = "red",
) -> Battle:
    """A plain with the pieces of a situation, in the stage of battles of the first player turn of `active`."""
    grid = HexGrid(*size)
    kinds = [list((terrain or {}).get(cell, ())) for cell in range(grid.size)]
    field = Field(book, grid, kinds, homes, hilltops, structures, bases)
    battle = blank(
        Battle,
        turn=1,
        active=active,
        stage="battles",
        sides={side: Side([], False, 0, None) for side in homes},
        units={unit.spec.id: unit for unit in units},
        commanders={chief.spec.id: chief for chief in commanders},
        fliers={flier.spec.id: flier for flier in fliers},
        structures={cell: Structure(spec.value) for cell, spec in field.structures.items()},
        deck=Deck({}, {}),
        event_deck=Deck({}, {}),
        book=book,
        field=field,
        roster=Roster(
            homes, {unit.spec.id: unit.spec for unit in units}, {one.spec.id: one.spec for one in commanders}
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
    """The attacker of some facts, ordered to battle. Raises ZarebaError for what he cannot be."""
    profile, men, armed = book.profiles[facts.attacker], facts.attacker_figures, facts.firearms
    gun = book.counts_as_gun(profile) and not profile.no_hilltop
    refuse(facts.lancers and facts.attacker != "cav_a", "only A-class cavalry in the saddle has lancers (AFR-026)")
    refuse(facts.officer and not profile.aided, f"{profile.title} takes no die of an officer (AFR-183)")
    refuse(facts.hilltop and not gun, f"{profile.title} gains nothing on a hilltop; guns do (AFR-151)")
    refuse(
        armed >= 0 and not facts.attacker_missile, "who has firearms fires at a distance: attacker_missile (AFR-038)"
    )
    refuse(armed > men, f"{profile.title} has no more firearms than men (AFR-038)")
    unit = unit_of(
        book, ATTACKER, "red", facts.attacker, OFF, men, missile=facts.attacker_missile, lancers=facts.lancers
    )
    unit.firearms, unit.ladders = armed if armed >= 0 else men, facts.ladders
    unit.mark("battle")
    return unit


def _defender_of(book: AfrBook, facts: Any) -> Unit:
    """The unit of some facts that is attacked. Raises ZarebaError for what it cannot be."""
    section, men = facts.defender_section, facts.defender_figures
    lost_officer = getattr(facts, "officer_apart", False) and not facts.defender_officer
    in_the_open = facts.stubborn and "building" not in facts.terrain
    refuse(lost_officer, "an officer who is apart is still one: officer_apart needs defender_officer (AFR-183)")
    refuse(section >= men, "a section is a part of its unit: defender_section below defender_figures (AFR-321)")
    refuse(section and facts.voluntary, "men in sections do not retreat voluntarily (AFR-239)")
    refuse(in_the_open, "stubborn are men in a structure: terrain needs building (AFR-319)")
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
    """A strip of hexes from south to north: the attacker, the target at its range, behind it as much room as the facts say.

    Both are units of the facts unless given; `sections`: the hexes of an attacker who is in several. Officers of the facts
    are with their units. Where the way back is barred enemies stand (AFR-247). Raises ZarebaError for what play refuses.
    """
    book = AfrBook(rules)
    attacker, target = attacker or attacker_of(book, facts), target or _defender_of(book, facts)

    def said(fact: str, otherwise: Any = False) -> Any:
        return getattr(facts, fact, otherwise)

    spread = isinstance(target, Unit) and facts.defender_section > 0
    columns = max(columns, 3) if spread else columns
    cell = SOUTH * columns + columns // 2
    origins = sections or (cell - facts.range * columns,)
    rows = 0 if said("at_edge") else min(said("rows_behind", AWAY), AWAY)
    free = 0 if said("blocked") else said("barred_behind", AWAY)
    bar = (SOUTH + 1 + free) * columns
    units = [unit_of(book, f"behind {n}", "red", "pack", bar + n) for n in range(columns if free < rows else 0)]
    pieces: list[Any] = [*units, attacker]
    attacker.hex = origins[0]
    if said("officer"):
        pieces.append(Commander(origins[0], spec=CommanderSpec("leader", "leader", "red", officer=True)))
    if said("defender_officer"):
        lent = "somebody else" if said("officer_apart") else ""
        pieces.append(Commander(cell, supports=lent, spec=CommanderSpec("officer", "officer", "blue", officer=True)))
    structures = {cell: StructureSpec(next(iter(book.file.structures)), 1, "blue")} if said("stubborn") else {}
    if isinstance(target, StructureSpec):
        structures[cell] = target
    else:
        target.hex = cell
        pieces.append(target)
    battle = bare_battle(
        book,
        *([piece for piece in pieces if isinstance(piece, kind)] for kind in (Unit, Commander, Flier)),  # type: ignore[arg-type]  # each in its list
        size=(columns, SOUTH + 1 + rows),
        terrain={**dict.fromkeys(origins, said("attacker_terrain", ())), cell: said("terrain", ())},
        structures=structures,
        hilltops=frozenset({origins[0] if said("hilltop") else OFF}),  # without any, every hill would be one
    )
    if isinstance(target, Unit) and spread:  # the others beside them, with the same way back
        battle.spread(target, {cell: facts.defender_section, SOUTH * columns: target.figures - facts.defender_section})
    stuck = isinstance(target, Unit) and not may_withdraw(battle, target)
    stuck = stuck or (isinstance(target, Commander) and not commander_withdrawals(battle, target))
    refuse(said("voluntary") and stuck, "there is no way back for a voluntary retreat (AFR-239, AFR-241)")
    _give_dice(battle, attacker, facts)
    _refuse(battle, attacker, facts)
    return battle


def _give_dice(battle: Battle, attacker: Unit | Flier, facts: Any) -> None:
    """Cards and events in force that make as many dice more, or fewer, as the facts say (AFR-340, AFR-342)."""
    events, kind = battle.book.file.events, "close" if facts.range == 1 else "far"
    cards, fresh, rain = {"": 0}, 0, events["ev_rain"].dice if facts.range >= 2 else 0
    if isinstance(attacker, Unit):
        fresh = events["ev_ammunition"].dice
        if _aim(battle)[0] not in ("flier", "structure"):
            cards |= {name: card.dice for name, card in battle.book.cards.items() if card.bonus == kind}
    for card, first, wet in product(cards, (0, fresh), (0, rain)):
        if cards[card] + first - wet == facts.card:
            battle.card = card
            battle.effects = {"ev_rain": battle.turn} if wet else {}
            attacker.mark(*[kind] * bool(card), *["first"] * bool(first))
            return
    raise ZarebaError(f"no cards and events in force change the dice by {facts.card:+} here (AFR-340, AFR-342)")


def _aim(battle: Battle) -> tuple[str, Any]:
    """The target, wherever it is now, as play names it."""
    if DEFENDER in battle.units:
        cell, flier = battle.units[DEFENDER].hex, battle.fliers.get(ATTACKER)
        return "bomb" if flier is not None and flier.hex == cell else "hex", cell
    if DEFENDER in battle.fliers:
        return "flier" if battle.fliers[DEFENDER].airborne else "parked", DEFENDER
    return ("commander", DEFENDER) if DEFENDER in battle.commanders else ("structure", next(iter(battle.structures)))


def _refuse(battle: Battle, attacker: Unit | Flier, facts: Any) -> None:
    """Raises ZarebaError where play would not let the attacker have this target."""
    if isinstance(facts, AttackFacts) and isinstance(attacker, Unit):
        profile, away = attacker.profile, facts.range
        beyond, gun = away > attacker.reach, battle.book.counts_as_gun(profile)
        shut = Ground.of(battle.book, facts.terrain).shelters(away, walks=profile.walks, gun=gun)
        reach = "only guns reach into it, and foot from the next hex (AFR-134)"
        refuse(beyond, f"{profile.title} cannot battle at range {away}; its row has {len(profile.dice)} (AFR-182)")
        refuse(shut, f"{profile.title} cannot attack into a depression at range {away}: {reach}")
    found = all_targets(battle, attacker) if isinstance(attacker, Unit) else air_targets(battle, attacker)
    refuse(_aim(battle) not in found, "no dice are left to the attacker here, so there is no battle (AFR-182)")


def _outcome(procedure: str, facts: Any, battle: Battle, told: Sequence[Event]) -> Any:
    """What the outcome of a procedure can say of the state that the attack has left, and of what was told of it."""
    pieces: Mapping[str, Any] = {**battle.units, **battle.commanders, **battle.fliers}
    target, lost = pieces.get(DEFENDER), Counter[tuple[str, bool]]()
    for event in told:
        if event.kind == "loss" and event.rule != LEAVES:
            lost[event.data["unit"], event.data["cause"] == "morale"] += event.data["lost"]
    known = {
        "hits": sum(event.data.get("hits", 0) for event in told),
        "jammed": any(event.data.get("jammed", False) for event in told),
        "kills": lost[DEFENDER, False],
        "lost_to_flags": lost[DEFENDER, True],
        "attackers_lost": lost[ATTACKER, False],
        "retreat": sum(event.kind == "retreat" for event in told),
        "shots": getattr(pieces[ATTACKER], "shots", 1),
        "strength_lost": 0,
    }
    if target is not None:
        known |= dict.fromkeys(("destroyed", "down", "eliminated"), target.hex == OFF)
        known["hit"] = lost[DEFENDER, False] > 0 or "wounded" in target.marks
    if isinstance(target, Flier) and target.spec.kind == "airship":
        known["strength_lost"] = facts.strength - target.strength
    for cell, left in battle.structures.items():
        known |= {"value_left": left.value, "rubble": cell in battle.rubble}
    kind = PROCEDURES[procedure].outcome
    return kind(**{one.name: known[one.name] for one in fields(kind)})


def attack(
    battle: Battle,
    facts: Any,
    procedure: str,
    hears: Collection[str] = HEARD,
    shots: int = 1,
    shares: Mapping[int, int] | None = None,
) -> Situation:
    """The attacker's whole battle, of so many shots if he may; what is told of the kinds in `hears` is in the outcome of a
    procedure.

    `shares`: the dice that he deals to each section. Whoever is attacked stands, or retreats voluntarily by the facts, saves
    what he can, strikes back, and ignores flags where he may; nobody follows up.
    """
    columns = battle.field.grid.columns
    beside = ("hex", SOUTH * columns) if columns > 1 else None  # the other sections are another target

    def act(table: Table, battle: Battle, _: None) -> Sequence[Event]:
        engage(table, battle, ATTACKER)
        return tuple([event for event in table.events if event.kind in hears])

    def answer(question: Choose | Place | Confirm, battle: Battle) -> Any:
        if not isinstance(question, Choose):
            return first_option(question)
        if question.why == "battle against":
            fired, wanted = ATTACKER in battle.units and battle.units[ATTACKER].shots, _aim(battle)
            return wanted if fired < shots and wanted in question.options and wanted != beside else HOLD
        if question.why == "defender":
            return WITHDRAW if getattr(facts, "voluntary", False) else STAND
        if question.why == "dice of the section" and shares is not None:
            return shares[question.about[0]]
        return first_option(question)

    outcome = partial(_outcome, procedure, facts)
    return Situation(battle, [act], outcome, answer=answer, hears=hears, nested=shots > 1)
