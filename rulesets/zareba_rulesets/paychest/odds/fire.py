"""Odds of fire and of guns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.grammar import amount
from zareba.chance import SUM
from zareba.odds import Formula, SmallBattle, after_step, binomial, count_outcomes, outcomes_of, refuse
from zareba.odds.formulas import Cards, counting_cards
from zareba.rules import Rules
from zareba.table import Roll, Table, outcomes
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Cover, Gait
from zareba_rulesets.paychest.chapters import fire
from zareba_rulesets.paychest.chapters.casualties import strike
from zareba_rulesets.paychest.chapters.fire import assign_hits
from zareba_rulesets.paychest.chapters.guns import GunTarget, gun_facts, gun_places, gun_shot, is_ready, servers
from zareba_rulesets.paychest.chapters.sight import covers_of, exposures
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit
from zareba_rulesets.paychest.ground import Shelter
from zareba_rulesets.paychest.odds import melee, stage
from zareba_rulesets.paychest.odds.stage import (
    ACTS,
    CARDS,
    FIRERS,
    HERE,
    PROCEDURES,
    SHOTS,
    TARGETS,
    DeckFacts,
    FirerFacts,
    Hits,
    Rank,
    StruckFacts,
    Wounds,
    skip_consequences,
)

# --- Fire -------------------------------------------------------------------------------------------------------------
# Odds of fire and casualties: shots, volleys in a row, cards on a figure or a group (PAY-092 to PAY-127, PAY-188).


_Firearm = Literal["rifle", "carbine", "musket", "bow", "pistol", "thrown_spear"]
Row = tuple[stage.Firers, Literal["soft"] | stage.Exposure, Wounds]


@dataclass(frozen=True)
class ShotFacts(FirerFacts):
    """One figure's shot."""

    weapon: _Firearm = "rifle"
    cover: Cover = "none"


@dataclass(frozen=True)
class VolleyFacts(ShotFacts):
    """A group's volleys: `firers` identical figures, each firing `shots` times; muskets fire at most once (PAY-026)."""

    firers: stage.Firers = 8
    shots: stage.Shots = 2


@dataclass(frozen=True)
class VolleyLossesFacts(ShotFacts, StruckFacts):
    """One volley of identical figures and its effect on `group` fresh figures. Hits fall by `hit_spread`.

    `exposure` counts with `exposure_check` all_fire (PAY-188). A second volley meets different targets, because
    figures that are out are not targets (PAY-106).
    """

    firers: stage.Firers = 8
    group: stage.Men = 10


@dataclass(frozen=True)
class RowsFacts(DeckFacts):
    """`targets` lists rows: figures, their cover (open, soft, or the exposure in hard cover) and the wounds of each.

    The nearest remaining figure is always `inches` away. None of the figures is a leader.
    """

    targets: Annotated[tuple[Row, ...], Field(min_length=1, max_length=8)] = ((6, "open", 0), (4, "low_wall", 0))


@dataclass(frozen=True)
class MixedVolleyFacts(FirerFacts, RowsFacts):
    """`shots` volleys in a row by `firers` identical figures, each at the remaining targets (PAY-106).

    Wounds are those of each firer.
    """

    weapon: _Firearm = "rifle"
    firers: stage.Firers = 8
    shots: stage.Shots = 2


@dataclass(frozen=True)
class GroupFacts(StruckFacts):
    """Hits of one volley on a group of fresh figures, at random or evenly by `hit_spread` (PAY-105).

    `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    hits: Annotated[int, Field(ge=0, le=40)] = 3  # hits of one unit's volley
    group: stage.Men = 5


@dataclass(frozen=True)
class CasualtyFacts(DeckFacts):
    """Casualty cards on one figure with the wounds it already has. With too many wounds it starts unconscious."""

    cards: Annotated[int, Field(ge=1, le=5)] = 1
    crippled_legs: Wounds = 0
    leg_wounds: Wounds = 0
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    smashed_arms: Wounds = 0


@dataclass(frozen=True)
class TargetLeaderFacts(ShotFacts, StruckFacts):
    """Shots at one leader figure, and the effect of its loss on a unit of this kind.

    The leader's wounds are separate from the firer's. `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    shots: stage.Men = 1
    kind: stage.Kind = "irregular"
    leader_leg_wounds: Wounds = 0
    leader_other_wounds: Wounds = 0


# --- volleys ----------------------------------------------------------------------------------------------------------


def min_paths(rules: Rules, men: int, hits: int) -> int:
    """Return the minimum number of paths for this many hits on this many figures."""
    return int((men * len(PaychestBook(rules).cards)) ** min(hits, 9))


def _firing_battle(
    rules: Rules, facts: Any, targets: Mapping[str, Sequence[Rank]], men: int, shots: int, **unit: str
) -> Battle:
    """Return a battle with a unit facing its targets. Raises ZarebaError for a volley that may not be fired."""
    firers = stage.bare_unit(FIRERS, "red", [HERE] * men, firearms=facts.skill, shots=shots, weapons=(facts.weapon,))
    battle = stage.facing(rules, facts, firers, targets, **unit)
    refuse(
        not fire.may_fire(battle, firers),
        f"{amount(facts.inches, 'inch', 'inches')} is contact, where firing is not allowed: inches (PAY-103)",
    )
    return battle


def _volley_at(name: str, max_shots: int | None = None) -> Callable[[Table, Battle, int], int]:
    """Return an act that fires a volley at a unit if any targets are left, adding up the hits (PAY-100, PAY-106)."""

    def act(table: Table, battle: Battle, hits: int) -> int:
        unit = battle.change(FIRERS)
        firers = fire.may_fire(battle, unit)
        targets = fire.in_reach(battle, unit, firers).get(name)
        return hits + int(fire.volley(table, battle, unit, firers, targets[:max_shots], name)) if targets else hits

    return act


def losses(battle: Battle, _: object) -> tuple[int, int]:
    """Return the losses of the target: casualties, and men out of action."""
    return stage.losses_of(battle)


@PROCEDURES.register("PAY-111", closed=skip_consequences(), hit=bool)
def to_hit(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One figure's shot."""
    battle = _firing_battle(rules, facts, {TARGETS: [(1, stage.shelter_of(facts), 0)]}, 1, 1)
    return SmallBattle(battle, [_volley_at(TARGETS)], lambda _, hits: hits > 0, 0)


def _hits_of_shots(rules: Rules, facts: ShotFacts, count: int) -> dict[int, Fraction]:
    """Return the chances of each number of hits among identical, independent shots."""
    return binomial(count, stage.ways_to_hit(rules, to_hit(rules, facts)).get(1, Fraction(0)))


def _volley_chances(rules: Rules, facts: VolleyFacts) -> dict[int, Fraction]:
    """Return the exact distribution of the hits of a volley."""
    max_shots = PaychestBook(rules).most_shots[facts.weapon] or facts.shots
    return _hits_of_shots(rules, facts, facts.firers * min(facts.shots, max_shots))


@PROCEDURES.register("PAY-094", closed=Formula(_volley_chances, SHOTS), hits=int)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """Hits of a group's volleys.

    Each volley has a separate target.
    """
    groups = {f"{TARGETS} {number}": [(1, stage.shelter_of(facts), 0)] for number in range(facts.shots)}
    battle = _firing_battle(rules, facts, groups, facts.firers, facts.shots)
    paths = min_paths(rules, 1, facts.firers * facts.shots)
    return SmallBattle(battle, [*map(_volley_at, groups)], first=0, paths=paths)


def _volley_losses_chances(rules: Rules, facts: VolleyLossesFacts) -> dict[tuple[int, int], Fraction]:
    """Return the exact distribution of the losses to a volley."""
    return stage.group_fates(rules, facts, facts.group, _hits_of_shots(rules, facts, facts.firers))


@PROCEDURES.register("PAY-105", closed=Formula(_volley_losses_chances, SHOTS), killed=int, unconscious=int)
def volley_losses(rules: Rules, facts: VolleyLossesFacts) -> SmallBattle:
    """A group's volley at a group, with its casualties."""
    battle = _firing_battle(rules, facts, {TARGETS: [(facts.group, stage.shelter_of(facts), 0)]}, facts.firers, 1)
    return SmallBattle(battle, [_volley_at(TARGETS)], losses, 0, paths=min_paths(rules, facts.group, facts.firers))


def ranks_of(facts: RowsFacts) -> list[Rank]:
    """Return the rows of targets, each with its cover."""
    covers = {"open": Shelter("none", "open"), "soft": Shelter("soft", "open")}
    return [(men, covers.get(cover, Shelter("hard", cover)), wounds) for men, cover, wounds in facts.targets]


@PROCEDURES.register("PAY-106", killed=int, unconscious=int)
def mixed_volleys(rules: Rules, facts: MixedVolleyFacts) -> SmallBattle:
    """Volleys in a row at targets that differ."""
    max_shots = PaychestBook(rules).most_shots[facts.weapon]
    refuse(
        max_shots is not None and facts.shots > max_shots,
        f"a {facts.weapon} fires {max_shots} a turn, not {facts.shots}: shots (PAY-026)",
    )
    battle = _firing_battle(rules, facts, {TARGETS: ranks_of(facts)}, facts.firers, facts.shots)
    unit = battle.unit(FIRERS)
    refuse(
        not fire.in_reach(battle, unit, fire.may_fire(battle, unit)),
        f"no {facts.weapon} reaches {amount(facts.inches, 'inch', 'inches')}: weapon, inches (PAY-101)",
    )
    paths = min_paths(rules, len(battle.unit(TARGETS).figures), facts.firers)
    return SmallBattle(battle, [_volley_at(TARGETS)] * facts.shots, losses, 0, paths=paths)


def _shots_at_leader_chances(rules: Rules, facts: TargetLeaderFacts) -> dict[tuple[int, bool, str], Fraction]:
    """Return the chances of the number of hits, whether the leader is lost, and his unit's reaction."""
    leader = stage.body_of(shots_at_leader(rules, facts).start.figure(f"{TARGETS}.1"))
    hits = _hits_of_shots(rules, facts, facts.shots)
    after = stage.after_cards(rules, facts, (leader,), max(hits))
    loss = melee.ROLLS(melee.leader_loss).chances(rules, melee.LeaderFacts(facts.kind)) or {}

    def chances_of_loss(number: int) -> dict[tuple[int, bool], Fraction]:
        return outcomes_of(after[number], lambda men: (number, men[0].fate != "able" or men[0].lame))

    def unit(shot: tuple[int, bool]) -> dict[tuple[int, bool, str], Fraction]:
        return outcomes_of(loss if shot[1] else {"no roll": Fraction(1)}, lambda result: (*shot, result))

    return after_step(after_step(hits, lambda number: chances_of_loss(number).items()), lambda shot: unit(shot).items())


@PROCEDURES.register("PAY-092", closed=Formula(_shots_at_leader_chances, SHOTS), hits=int, lost=bool, result=str)
def shots_at_leader(rules: Rules, facts: TargetLeaderFacts) -> SmallBattle:
    """Shots at a leader, with the effect of his loss.

    All shots are at the leader, who stands with one figure of his unit. `lost`: killed, unconscious or unable to walk;
    `result`: "no roll", "passes", or the result of the roll.
    """
    rank = "sergeant" if facts.kind == "regular" else "leader"
    ranks = {TARGETS: [(2, stage.shelter_of(facts), 0)]}
    battle = _firing_battle(rules, facts, ranks, facts.shots, 1, kind=facts.kind, leader=rank)
    leader = battle.figure(f"{TARGETS}.1")
    stage.set_condition(battle.book, leader, facts, "leader_")
    refuse(
        not leader.able or "lame" in leader.marks,
        "a leader with these wounds is lost already: leader_leg_wounds, leader_other_wounds (PAY-128)",
    )
    fire_at = _volley_at(TARGETS, 1)

    def act(table: Table, battle: Battle, _: None) -> tuple[int, bool, str]:
        hits, unit = fire_at(table, battle, 0), battle.unit(TARGETS)
        result = melee.result_of(table, unit) if unit.lost else "no roll"
        return hits, bool(unit.lost), result

    return SmallBattle(battle, [act], kept_events=melee.EVENTS_READ, paths=min_paths(rules, 1, facts.shots))


# --- cards ------------------------------------------------------------------------------------------------------------


def hits_on(
    rules: Rules, facts: Any, ranks: Sequence[Rank], outcome: Callable[[Battle, Any], Any], *, guns: bool
) -> SmallBattle:
    """Return a situation with hits on figures.

    Cards for covered parts of the body are void, for guns always (PAY-187, PAY-188).
    """
    battle = stage.facing(rules, facts, stage.bare_unit(FIRERS, "red", [HERE]), {TARGETS: ranks})
    settings, men = battle.book.settings, len(battle.unit(TARGETS).figures)
    checked, spread = guns or settings.exposure_check == "all_fire", "random" if guns else settings.hit_spread

    def act(table: Table, battle: Battle, _: None) -> int:
        targets = list(battle.unit(TARGETS).figures.values())
        exposed = exposures(battle, HERE, targets, covers_of(battle, targets)) if checked else None
        return assign_hits(table, battle, targets, facts.hits, exposed, spread=spread, actor=FIRERS)

    return SmallBattle(battle, [act], outcome, paths=min_paths(rules, men, facts.hits))


def _group_chances(rules: Rules, facts: GroupFacts) -> dict[tuple[int, int], Fraction]:
    """Return the exact distribution of the losses to a number of hits."""
    return stage.group_fates(rules, facts, facts.group, {facts.hits: Fraction(1)})


@PROCEDURES.register("PAY-105", closed=Formula(_group_chances, CARDS), killed=int, unconscious=int)
def group_casualties(rules: Rules, facts: GroupFacts) -> SmallBattle:
    """Hits on a group of figures."""
    return hits_on(rules, facts, [(facts.group, stage.shelter_of(facts), 0)], losses, guns=False)


def casualty_chances(rules: Rules, facts: CasualtyFacts) -> dict[stage.Fate, Fraction]:
    """Return the exact distribution of a man's fate after his casualty cards."""
    man = stage.body_of(casualty(rules, facts).start.figure("unit.1"))
    after = stage.after_cards(rules, facts, (man,), facts.cards)[facts.cards]
    return outcomes_of(after, lambda bodies: stage.fate_word(bodies[0]))


@PROCEDURES.register("PAY-115", closed=Formula(casualty_chances, CARDS), fate=stage.Fate)
def casualty(rules: Rules, facts: CasualtyFacts) -> SmallBattle:
    """Casualty cards on one figure.

    The fate of the figure. A leader who is killed, unconscious or unable to walk is lost (PAY-128).
    """
    battle = stage.two_figures(rules, "regular")
    battle.casualties = stage.deck_of(battle.book, facts)
    stage.set_condition(battle.book, battle.figure("unit.1"), facts)

    def act(table: Table, battle: Battle, _: None) -> None:
        strike(table, battle, battle.change_figure("unit.1"), None, "fire", [])

    def outcome(battle: Battle, _: None) -> stage.Fate:
        return stage.fate_word(stage.body_of(battle.figure("unit.1")))

    return SmallBattle(battle, [act] * facts.cards, outcome)


# --- Odds of machine guns and shells, and of figures in cover under their fire (PAY-172 to PAY-191) -------------------


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
    cover: Cover = "none"
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
    cover: Cover = "none"


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


def _gun_before(rules: Rules, facts: Any, weapon: str, targets: Mapping[str, list[Rank]], shots: int) -> Battle:
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

    def act(table: Table, battle: Battle, so_far: tuple[int, int]) -> tuple[int, int]:
        gun = battle.engines[GUN]
        hidden = [figure for figure in battle.unit(name).able if "down" in figure.marks]
        exposed = gun_places(battle, gun).get(name, [])
        target = GunTarget(name, exposed, hidden, exposed or hidden)
        if (
            not target.aimed
            or not is_ready(battle, gun)
            or gun_facts(battle, gun, servers(battle, gun)[0], target) is None
        ):
            return so_far
        hits = int(gun_shot(table, battle, GUN, target))
        return so_far[0] + (hits > 0), so_far[1] + hits

    return act


def shots_of(rules: Rules, facts: Any, weapon: str, outcome: Callable[[Battle, tuple[int, int]], Any]) -> SmallBattle:
    """Return a situation with shots of a gun, each at a separate group of fresh figures and hidden ones."""
    refuse(not facts.group + facts.hidden, "a gun needs a target: group, hidden (PAY-178)")
    groups = [TARGETS, *[f"{TARGETS} {number}" for number in range(1, getattr(facts, "shots", 1))]]
    ranks = [(facts.group, stage.shelter_of(facts), 0), (facts.hidden, HIDE, 0)]
    battle = _gun_before(rules, facts, weapon, dict.fromkeys(groups, ranks), len(groups))
    for name in groups:
        for figure in list(battle.unit(name).figures.values())[facts.group :]:
            figure.mark("down")
    paths = min_paths(rules, max(facts.group, 1), 6)
    return SmallBattle(battle, [*map(shot_at, groups)], outcome, (0, 0), paths=paths)


def _formula_from_shots(weapon: str, outcome: Callable[[Rules, Any, dict[Any, Fraction]], dict[Any, Fraction]]) -> Any:
    """Return a formula from the shots that hit, their hits, and whether the gun is jammed afterwards.

    Hit dice are counted separately.
    """

    def closed_of(build: Callable[[Rules, Any], SmallBattle]) -> Formula:
        def chances(rules: Rules, facts: Any) -> dict[Any, Fraction]:
            situation = stage.with_fixed_results(build(rules, facts), stage.OF_A_HIT | {stage.ROUNDS})
            shots = count_outcomes(
                rules, replace(situation, outcome=lambda end, so_far: (so_far[0], end.engines[GUN].jammed))
            )
            dice, found = PaychestBook(rules).file.guns[weapon].hit_dice, dict[Any, Fraction]()
            for (hits, jammed), p in shots.items():
                rolls, whole = (
                    outcomes(Roll(stage.ROUNDS, "PAY-174", GUN, hits * dice, 6, SUM)) if hits else ([(0, 1)], 1)
                )
                found |= {(hits, rounds, jammed): p * Fraction(ways, whole) for rounds, ways in rolls}
            return outcome(rules, facts, found)

        return Formula(chances, ACTS)

    return closed_of


def _rounds_of(_: Rules, facts: Any, shots: dict[Any, Fraction]) -> dict[Any, Fraction]:
    """Return the distribution of the rounds fired, from that of the shots."""
    return outcomes_of(shots, lambda shot: shot[1])


def fates_of(rules: Rules, facts: Any, shots: dict[Any, Fraction]) -> dict[Any, Fraction]:
    """Return the chances of casualties among fresh figures."""
    return stage.group_fates(rules, facts, facts.group, _rounds_of(rules, facts, shots), guns=True)


_BURST, SHELL = _formula_from_shots("machine_gun", fates_of), _formula_from_shots("shell", fates_of)
_GUN_SHOTS = _formula_from_shots("machine_gun", lambda rules, facts, shots: shots)
HITS = _formula_from_shots("shell", _rounds_of)


@PROCEDURES.register("PAY-172", closed=_GUN_SHOTS, hits=int, rounds=int, jammed=bool)
def machine_gun(rules: Rules, facts: MachineGunFacts) -> SmallBattle:
    """Shots of a machine gun, with jams."""

    def outcome(battle: Battle, so_far: tuple[int, int]) -> tuple[int, int, bool]:
        return *so_far, battle.engines[GUN].jammed

    return shots_of(rules, facts, "machine_gun", outcome)


@PROCEDURES.register("PAY-174", closed=_BURST, killed=int, unconscious=int)
def machine_gun_losses(rules: Rules, facts: BurstFacts) -> SmallBattle:
    """A machine-gun burst, with its casualties."""
    return shots_of(rules, facts, "machine_gun", losses)


@PROCEDURES.register("PAY-182", closed=HITS, hits=int)
def shell_hits(rules: Rules, facts: ShellFacts) -> SmallBattle:
    """Hits of a shell."""
    return shots_of(rules, facts, "shell", lambda _, so_far: so_far[1])


@PROCEDURES.register("PAY-179", closed=SHELL, killed=int, unconscious=int)
def shell(rules: Rules, facts: ShellFacts) -> SmallBattle:
    """A shell, with its casualties."""
    return shots_of(rules, facts, "shell", losses)


@PROCEDURES.register("PAY-174", killed=int, unconscious=int, jammed=bool)
def gun_fire(rules: Rules, facts: GunFireFacts) -> SmallBattle:
    """Shots of a gun in a row at targets that differ.

    The losses, and whether the gun is jammed afterwards (PAY-175).
    """
    battle = _gun_before(rules, facts, facts.weapon, {TARGETS: ranks_of(facts)}, facts.shots)
    refuse(
        TARGETS not in gun_places(battle, battle.engines[GUN]),
        f"no {facts.weapon} reaches {amount(facts.inches, 'inch', 'inches')}: inches (PAY-172, PAY-180)",
    )

    def outcome(battle: Battle, _: object) -> tuple[int, int, bool]:
        return *stage.losses_of(battle), battle.engines[GUN].jammed

    paths = min_paths(rules, len(battle.unit(TARGETS).figures), 6)
    return SmallBattle(battle, [shot_at(TARGETS)] * facts.shots, outcome, (0, 0), paths=paths)


def _exposed_chances(rules: Rules, facts: ExposedFacts) -> dict[int, Fraction]:
    """Return the chance of each number of hits that count, by formula (PAY-187)."""
    men = {name: getattr(facts, name) for name in PLACES}
    book = exposed_hits(rules, facts).start.book

    def share(card: str) -> Fraction:
        shows = sum(count for name, count in men.items() if book.cards[card].location in book.exposed_locations[name])
        return Fraction(shows, sum(men.values()))

    classes = stage.decks(rules, facts, share)  # cards with the same share of exposed figures
    left, full = zip(*classes.values(), strict=True)
    deck = Cards(left, full, book.settings.casualty_reshuffle == "every_card")
    return dict(counting_cards(deck, list(classes), facts.hits))


@PROCEDURES.register("PAY-187", closed=Formula(_exposed_chances, CARDS), counted=int)
def exposed_hits(rules: Rules, facts: ExposedFacts) -> SmallBattle:
    """Hits of guns that count on figures in cover."""
    ranks = [(getattr(facts, place), Shelter("none" if place == "open" else "hard", place), 0) for place in PLACES]
    refuse(not any(men for men, _, _ in ranks), "there are no targets: open, low_wall, parapet, wagon (PAY-187)")
    return hits_on(rules, facts, ranks, lambda _, hits: hits, guns=True)
