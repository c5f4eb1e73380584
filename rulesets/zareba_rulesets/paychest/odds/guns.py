"""Odds of machine guns and shells, and of figures in cover under their fire (PAY-172 to PAY-191)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from zareba.base.grammar import amount
from zareba.chance import SUM
from zareba.odds import Formula, SmallBattle, count_outcomes, outcomes_of, refuse
from zareba.odds.formulas import Cards, drawn_that_count
from zareba.rules import Rules
from zareba.table import Roll, Table, outcomes
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.guns.crews import is_ready, servers
from zareba_rulesets.paychest.chapters.guns.gunnery import GunTarget, gun_facts, gun_places, gun_shot
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit
from zareba_rulesets.paychest.ground.field import Shelter
from zareba_rulesets.paychest.odds import closed, stage
from zareba_rulesets.paychest.odds.closed import ACTS, CARDS, PROCEDURES
from zareba_rulesets.paychest.odds.fire import RowsFacts, hits_on, losses, min_paths, ranks_of
from zareba_rulesets.paychest.odds.stage import FIRERS, HERE, TARGETS, FirerFacts, Hits, Rank, StruckFacts

__all__ = ["BurstFacts", "ExposedFacts", "GunFireFacts", "MachineGunFacts", "ShellFacts"]

GUN = "gun"
HIDE = Shelter("hard", "low_wall")
PLACES = ("open", "low_wall", "parapet", "wagon")


@dataclass(frozen=True)
class MachineGunFacts(FirerFacts):
    """A machine gun's shots, each at a separate group of fresh figures in the open or in this cover.

    `hidden`: wholly hidden figures in addition; they may count for the bonus (PAY-173); `first_one`: an earlier shot
    of the same activation showed a 1 (PAY-175).
    """

    group: Hits = 12
    shots: stage.Shots = 2
    cover: stage.Cover = "none"
    hidden: Hits = 0
    first_one: bool = False


@dataclass(frozen=True)
class ShellFacts(FirerFacts, StruckFacts):
    """One shell at a group of fresh figures with the same exposure (PAY-179 to PAY-182).

    Other facts as for the machine gun.
    """

    inches: stage.Inches = 30.0
    group: Hits = 12
    hidden: Hits = 0


@dataclass(frozen=True)
class BurstFacts(ShellFacts):
    """One machine-gun shot at a group of fresh figures with the same exposure.

    Only hard cover hides parts of the body.
    """

    inches: stage.Inches = 20.0
    cover: stage.Cover = "none"


@dataclass(frozen=True)
class GunFireFacts(FirerFacts, RowsFacts):
    """`shots` of a machine gun or shells of a gun in a row, each at the remaining targets.

    A gun that has moved does not fire (PAY-084).
    """

    weapon: Literal["machine_gun", "shell"] = "machine_gun"
    shots: stage.Shots = 1


@dataclass(frozen=True)
class ExposedFacts(stage.DeckFacts):
    """Hits of guns on figures in the open and behind each kind of cover (PAY-187)."""

    hits: Hits = 14
    open: Hits = 0
    low_wall: Hits = 0
    parapet: Hits = 0
    wagon: Hits = 0


def gun_before(rules: Rules, facts: Any, weapon: str, targets: Mapping[str, list[Rank]], shots: int) -> Battle:
    """Return a battle with a gun and crew facing their targets. Raises ZarebaError for a shot that may not be fired."""
    need = PaychestBook(rules).file.guns[weapon].crew
    crew = stage.bare_unit(FIRERS, "red", [HERE] * need, firearms=facts.skill)
    battle = stage.facing(rules, facts, crew, targets)
    kind = "machine_gun" if weapon == "machine_gun" else "gun"
    gun_gait: Gait = "halt" if weapon == "machine_gun" else facts.gait
    gun = Engine(
        kind, "the gun", "red", FIRERS, HERE, moved=gun_gait, first_ones=int(getattr(facts, "first_one", False))
    )
    battle.engines[GUN] = gun
    max_shots = gun_limit(battle, gun)
    refuse(shots > max_shots, f"a gun of this kind fires {max_shots} a turn, not {shots}: shots (PAY-177, PAY-184)")
    refuse(
        not servers(battle, gun),
        f"{amount(facts.inches, 'inch', 'inches')} is contact, where no gun can be served: inches (PAY-178, PAY-184)",
    )
    refuse(not is_ready(battle, gun), "a gun that has moved does not fire: gait (PAY-084)")
    return battle


def shot_at(name: str) -> Callable[[Table, Battle, tuple[int, int]], tuple[int, int]]:
    """Return an act that fires one shot if possible, and adds up the shots that hit and their hits."""

    def act(table: Table, battle: Battle, gave: tuple[int, int]) -> tuple[int, int]:
        gun = battle.engines[GUN]
        hidden = [figure for figure in battle.unit(name).able if "down" in figure.marks]
        exposed = gun_places(battle, gun).get(name, [])
        target = GunTarget(name, exposed, hidden, exposed or hidden)
        if (
            not target.aimed
            or not is_ready(battle, gun)
            or gun_facts(battle, gun, servers(battle, gun)[0], target) is None
        ):
            return gave
        hits = int(gun_shot(table, battle, GUN, target))
        return gave[0] + (hits > 0), gave[1] + hits

    return act


def shots_of(rules: Rules, facts: Any, weapon: str, outcome: Callable[[Battle, tuple[int, int]], Any]) -> SmallBattle:
    """Return a situation with shots of a gun, each at a separate group of fresh figures and hidden ones."""
    refuse(not facts.group + facts.hidden, "a gun needs a target: group, hidden (PAY-178)")
    groups = [TARGETS, *[f"{TARGETS} {number}" for number in range(1, getattr(facts, "shots", 1))]]
    ranks = [(facts.group, stage.shelter_of(facts), 0), (facts.hidden, HIDE, 0)]
    battle = gun_before(rules, facts, weapon, dict.fromkeys(groups, ranks), len(groups))
    for name in groups:
        for figure in list(battle.unit(name).figures.values())[facts.group :]:
            figure.mark("down")
    paths = min_paths(rules, max(facts.group, 1), 6)
    return SmallBattle(battle, [*map(shot_at, groups)], outcome, (0, 0), paths=paths)


def formula_from_shots(weapon: str, outcome: Callable[[Rules, Any, dict[Any, Fraction]], dict[Any, Fraction]]) -> Any:
    """Return a formula from the shots that hit, their hits, and whether the gun is jammed afterwards.

    Hit dice are counted separately.
    """

    def closed_of(lay: Callable[[Rules, Any], SmallBattle]) -> Formula:
        def chances(rules: Rules, facts: Any) -> dict[Any, Fraction]:
            situation = closed.without(lay(rules, facts), closed.OF_A_HIT | {closed.ROUNDS})
            shots = count_outcomes(
                rules, replace(situation, outcome=lambda end, gave: (gave[0], end.engines[GUN].jammed))
            )
            dice, found = PaychestBook(rules).file.guns[weapon].hit_dice, dict[Any, Fraction]()
            for (hits, jammed), p in shots.items():
                rolls, whole = (
                    outcomes(Roll(closed.ROUNDS, "PAY-174", GUN, hits * dice, 6, SUM)) if hits else ([(0, 1)], 1)
                )
                found |= {(hits, rounds, jammed): p * Fraction(ways, whole) for rounds, ways in rolls}
            return outcome(rules, facts, found)

        return Formula(chances, ACTS)

    return closed_of


def rounds_of(_: Rules, facts: Any, shots: dict[Any, Fraction]) -> dict[Any, Fraction]:
    return outcomes_of(shots, lambda shot: shot[1])


def fates_of(rules: Rules, facts: Any, shots: dict[Any, Fraction]) -> dict[Any, Fraction]:
    """Return the chances of casualties among fresh figures."""
    return closed.group_fates(rules, facts, facts.group, rounds_of(rules, facts, shots), guns=True)


BURST, SHELL = formula_from_shots("machine_gun", fates_of), formula_from_shots("shell", fates_of)
SHOTS = formula_from_shots("machine_gun", lambda rules, facts, shots: shots)
HITS = formula_from_shots("shell", rounds_of)


@PROCEDURES.of("PAY-172", closed=SHOTS, hits=int, rounds=int, jammed=bool)
def machine_gun(rules: Rules, facts: MachineGunFacts) -> SmallBattle:
    """Shots of a machine gun, with jams."""

    def outcome(battle: Battle, gave: tuple[int, int]) -> tuple[int, int, bool]:
        return *gave, battle.engines[GUN].jammed

    return shots_of(rules, facts, "machine_gun", outcome)


@PROCEDURES.of("PAY-174", closed=BURST, killed=int, unconscious=int)
def machine_gun_losses(rules: Rules, facts: BurstFacts) -> SmallBattle:
    """A machine-gun burst, with its casualties."""
    return shots_of(rules, facts, "machine_gun", losses)


@PROCEDURES.of("PAY-182", closed=HITS, hits=int)
def shell_hits(rules: Rules, facts: ShellFacts) -> SmallBattle:
    """Hits of a shell."""
    return shots_of(rules, facts, "shell", lambda _, gave: gave[1])


@PROCEDURES.of("PAY-179", closed=SHELL, killed=int, unconscious=int)
def shell(rules: Rules, facts: ShellFacts) -> SmallBattle:
    """A shell, with its casualties."""
    return shots_of(rules, facts, "shell", losses)


@PROCEDURES.of("PAY-174", killed=int, unconscious=int, jammed=bool)
def gun_fire(rules: Rules, facts: GunFireFacts) -> SmallBattle:
    """Shots of a gun in a row at targets that differ.

    The losses, and whether the gun is jammed afterwards (PAY-175).
    """
    battle = gun_before(rules, facts, facts.weapon, {TARGETS: ranks_of(facts)}, facts.shots)
    refuse(
        TARGETS not in gun_places(battle, battle.engines[GUN]),
        f"no {facts.weapon} reaches {amount(facts.inches, 'inch', 'inches')}: inches (PAY-172, PAY-180)",
    )

    def outcome(battle: Battle, _: object) -> tuple[int, int, bool]:
        return *stage.losses_of(battle), battle.engines[GUN].jammed

    paths = min_paths(rules, len(battle.unit(TARGETS).figures), 6)
    return SmallBattle(battle, [shot_at(TARGETS)] * facts.shots, outcome, (0, 0), paths=paths)


def exposed_chances(rules: Rules, facts: ExposedFacts) -> dict[int, Fraction]:
    """Return the chance of each number of hits that count, by formula (PAY-187)."""
    men = {name: getattr(facts, name) for name in PLACES}
    book = exposed_hits(rules, facts).start.book

    def share(card: str) -> Fraction:
        shows = sum(count for name, count in men.items() if book.cards[card].location in book.exposed[name])
        return Fraction(shows, sum(men.values()))

    classes = closed.decks(rules, facts, share)  # cards with the same share of exposed figures
    left, full = zip(*classes.values(), strict=True)
    deck = Cards(left, full, book.settings.casualty_reshuffle == "every_card")
    return dict(drawn_that_count(deck, list(classes), facts.hits))


@PROCEDURES.of("PAY-187", closed=Formula(exposed_chances, CARDS), counted=int)
def exposed_hits(rules: Rules, facts: ExposedFacts) -> SmallBattle:
    """Hits of guns that count on figures in cover."""
    ranks = [(getattr(facts, place), Shelter("none" if place == "open" else "hard", place), 0) for place in PLACES]
    refuse(not any(men for men, _, _ in ranks), "there are no targets: open, low_wall, parapet, wagon (PAY-187)")
    return hits_on(rules, facts, ranks, lambda _, hits: hits, guns=True)
