"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.space.boxes import COMPASS, BoxGrid, N, S
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.vcc.battle import Battle, Commander, Contact, LeaderCheck, Unit, UnitSpec
from zareba_rulesets.vcc.book import Cover, VccBook
from zareba_rulesets.vcc.dice import roll_pool
from zareba_rulesets.vcc.field import Field as Battlefield
from zareba_rulesets.vcc.fire import Band, FireFacts, Quality
from zareba_rulesets.vcc.hits import apply_hits, is_alive
from zareba_rulesets.vcc.leaders import call_for_check, resolve_checks
from zareba_rulesets.vcc.melee import MeleeFacts, must_check_after_melee
from zareba_rulesets.vcc.morale import MoraleFacts, check_morale, checks_after_fire
from zareba_rulesets.vcc.overheating import overheating
from zareba_rulesets.vcc.rally import RallyFacts, rally
from zareba_rulesets.vcc.rockets import landing_box, mark_rocketed

__all__ = ["PROCEDURES"]

Die = Literal[6, 3]
Bases = Annotated[int, Field(ge=0, le=24)]  # twice the largest unit (VCC-010)
Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, le=2)]
LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "dead"]
Troop = Literal["foot", "mounted", "artillery", "machine_gun", "rocket", "wagon"]
MoraleResult = Literal["no check", "passes", "shaken", "recoils", "falls_back", "breaks", "destroyed"]
CheckedBefore = "destroyed"


# --- a battlefield for one exchange ------------------------------------------------------------------------------------------


def _bare_battle(rules: Rules, units: Sequence[Unit], phase: str = "british_fire") -> Battle:
    """An empty plain with room to retreat on which the units of an exchange stand."""
    book = VccBook(rules)
    grid = BoxGrid(3, 17)
    plain = book.file.terrain["open"]
    start = {side: sum(u.strength for u in units if u.spec.side == side) for side in ("red", "blue")}
    field = Battlefield(
        book,
        grid,
        (plain,) * grid.size,
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        ("red", "blue"),
        {"red": S, "blue": N},
        start,
        {side: tuple(u.spec.id for u in units if u.spec.side == side) for side in ("red", "blue")},
    )
    battle = Battle(
        turn=1,
        phase=phase,
        stage=0,
        over=False,
        ending="",
        units={u.spec.id: u for u in units},
        commanders={},
        contacts=[],
        waiting=[],
        checks=[],
        dealt={},
        taken={},
        arrivals={},
        gone={},
        prizes={},
        achieved={},
        book=book,
        field=field,
    )
    for unit in units:
        box, unit.box = unit.box, -1
        battle.move(unit, box)
    return battle


def _unit(
    name: str,
    side: str,
    box: int,
    bases: int,
    leader: bool,
    quality: str = "ordinary",
    troop: str = "foot",
    **more: Any,
) -> Unit:
    traits = {
        key: more.pop(key) for key in ("regular", "lancers", "dervish_foot", "melee_die", "weapon") if key in more
    }
    spec = UnitSpec(
        id=name,
        name=name,
        side=side,
        profile="",
        troop=troop,
        weapon=traits.pop("weapon", "none"),
        fire_die=6,
        melee_die=traits.pop("melee_die", 6),
        bases=bases,
        leader=leader,
        quality=quality,
        **traits,
    )
    marks = frozenset(mark for mark, there in more.pop("marks", {}).items() if there)
    return Unit(box, 4 if side == "blue" else 0, bases, leader, marks, spec=spec, **more)


def _state_key(battle: Battle) -> Hashable:
    units = tuple((u.box, u.bases, u.leader, u.hits, u.wounds, u.marks, u.streak) for u in battle.units.values())
    checks = tuple((check.unit, check.band) for check in battle.checks)
    commanders = tuple((c.box, c.wounds) for c in battle.commanders.values())
    return units, checks, commanders, tuple(battle.dealt.items()), tuple(battle.taken.items()), tuple(battle.waiting)


def _leader_state(unit: Unit) -> LeaderState:
    if not unit.spec.leader:
        return "none"
    if not unit.leader:
        return "dead"
    states: tuple[LeaderState, ...] = ("unhurt", "one wound", "two wounds")
    return states[min(unit.wounds, 2)]


def _morale_stage(name: str, is_due: Callable[[Battle, Unit], bool]) -> Callable[[Table, Battle], None]:
    def stage(table: Table, battle: Battle) -> None:
        unit = battle.unit(name)
        if not is_alive(unit):
            battle.waiting = ["destroyed"]
        elif is_due(battle, unit):
            battle.waiting = [check_morale(table, battle, unit)]
        else:
            battle.waiting = ["no check"]

    return stage


# --- fire ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FirePoolFacts:
    """A pool of fire dice. `bases` are infantry bases or gunners without the leader base; `fire_die` faces, 6 or 3."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    band: Band = "medium"
    moved: bool = False
    prone: bool = False
    square: bool = False
    target_mounted: bool = False
    target_prone: bool = False
    cover: Cover = "none"
    fire_die: Die = 6

    def shot(self) -> FireFacts:
        names = FireFacts.__dataclass_fields__
        return FireFacts(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True)
class PoolOutcome:
    """`hits` of the pool, and whether a die showed its highest face."""

    hits: int
    highest_face: bool


class _Slate:
    """A state of nothing but results, for procedures without a battle."""

    def __init__(self, *results: Any) -> None:
        self.results = results

    def copy(self) -> _Slate:
        return _Slate(*self.results)


def _slate_leg(*stages: Callable[[Table, Any], None]) -> Leg:
    return Leg(_Slate, stages, key=lambda slate: slate.results, result=lambda slate: slate.results)


def _fire_pool_legs(rules: Rules, facts: FirePoolFacts) -> list[Leg]:
    def shoot(table: Table, slate: _Slate) -> None:
        dice = table.tally("fire_dice", facts.shot()).total
        method = rules.settings["d3_method"]
        slate.results = roll_pool(table, dice, facts.fire_die, method, why="fire", rule="VCC-080", actor="firer")

    return [_slate_leg(shoot)]


def _fire_tallies(rules: Rules, facts: FirePoolFacts) -> list[Tally]:
    return [rules.tally("fire_dice", facts.shot())]


@dataclass(frozen=True)
class FireStepFacts(FirePoolFacts):
    """A shot and what follows: hits, the leader check that is due, the morale check.

    `target_bases` without the leader base; `target_hits` its marker of left-over hits; `commander`: the Army Commander
    is in its box (attached to it with `commander_attached`, and then at risk); `flank_shot`: fired from outside its
    front.
    """

    target_bases: Bases = 5
    target_leader: bool = True
    target_quality: Quality = "ordinary"
    target_regular: bool = False
    target_square: bool = False
    target_hits: Marker = 0
    target_wounds: Wounds = 0
    target_jest: bool = False
    commander: bool = False
    commander_attached: bool = False
    flank_shot: bool = False


@dataclass(frozen=True)
class FireStepOutcome:
    """`bases_after_fire` and `bases` at the end count the leader base; `result` is that of the morale check."""

    bases_after_fire: int
    bases: int
    leader: LeaderState
    result: str


def _fire_step_legs(rules: Rules, facts: FireStepFacts) -> list[Leg]:
    def start() -> Battle:
        target = _unit(
            "target",
            "blue",
            13,
            facts.target_bases,
            facts.target_leader,
            facts.target_quality,
            "mounted" if facts.target_mounted else "foot",
            regular=facts.target_regular,
            hits=facts.target_hits,
            wounds=facts.target_wounds,
            marks={"prone": facts.target_prone, "square": facts.target_square, "jest": facts.target_jest},
        )
        battle = _bare_battle(rules, [target])
        if facts.commander or facts.commander_attached:
            attached = "target" if facts.commander_attached else ""
            battle.commanders["blue"] = Commander("blue", "commander", 13, attached)
        return battle

    def shoot(table: Table, battle: Battle) -> None:
        target = battle.unit("target")
        dice = table.tally("fire_dice", facts.shot()).total
        method = rules.settings["d3_method"]
        hits, highest = roll_pool(table, dice, facts.fire_die, method, why="fire", rule="VCC-080", actor="firer")
        target.mark("hit", *(("flank_shot",) if facts.flank_shot else ()))
        apply_hits(table, battle, target, hits, "fire")
        call_for_check(battle, target, hits, highest, facts.band)

    def leaders(table: Table, battle: Battle) -> None:
        resolve_checks(table, battle, "fire")
        battle.taken = {"target": battle.unit("target").strength}

    def result(battle: Battle) -> FireStepOutcome:
        target = battle.unit("target")
        return FireStepOutcome(battle.taken["target"], target.strength, _leader_state(target), battle.waiting[0])

    morale = _morale_stage("target", checks_after_fire)
    return [Leg(start, [shoot, leaders, morale], _state_key, result)]


# --- leaders ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeaderCheckFacts:
    """`checks` leader checks that are due, one after another, at a band (melee: close), on a leader with `wounds`."""

    band: Band = "close"
    wounds: Wounds = 0
    checks: Annotated[int, Field(ge=1, le=12)] = 1
    bases: Bases = 5


@dataclass(frozen=True)
class LeaderCheckOutcome:
    """What became of the leader, and whether his jest waits for the unit's next check."""

    leader: LeaderState
    jest: bool


def _leader_check_legs(rules: Rules, facts: LeaderCheckFacts) -> list[Leg]:
    def start() -> Battle:
        return _bare_battle(rules, [_unit("unit", "blue", 13, facts.bases, True, wounds=facts.wounds)])

    def check(table: Table, battle: Battle) -> None:
        battle.checks = [LeaderCheck("unit", facts.band)]
        resolve_checks(table, battle, "fire")

    def result(battle: Battle) -> LeaderCheckOutcome:
        unit = battle.unit("unit")
        return LeaderCheckOutcome(_leader_state(unit), "jest" in unit.marks)

    return [Leg(start, [check] * facts.checks, _state_key, result)]


# --- morale and rally ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MoraleCheckFacts:
    """A morale check. `bases` living bases or gunners without the leader base; `hits` the marker of left-over hits."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    regular: bool = False
    mounted: bool = False
    square: bool = False
    commander: bool = False
    rocketed: bool = False
    flanked: bool = False
    jest: bool = False
    hits: Marker = 0

    def check(self) -> MoraleFacts:
        names = MoraleFacts.__dataclass_fields__
        return MoraleFacts(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True)
class MoraleOutcome:
    """The line of the table of failures or "passes"; bases left with the leader base."""

    result: str
    bases: int


def _morale_unit(facts: MoraleCheckFacts) -> Unit:
    return _unit(
        "unit",
        "blue",
        13,
        facts.bases,
        facts.leader,
        facts.quality,
        "mounted" if facts.mounted else "foot",
        regular=facts.regular,
        hits=facts.hits,
        marks={"square": facts.square, "rocketed": facts.rocketed, "flanked": facts.flanked, "jest": facts.jest},
    )


def _morale_legs(rules: Rules, facts: MoraleCheckFacts) -> list[Leg]:
    def start() -> Battle:
        battle = _bare_battle(rules, [_morale_unit(facts)])
        if facts.commander:
            battle.commanders["blue"] = Commander("blue", "commander", 13)
        return battle

    def result(battle: Battle) -> MoraleOutcome:
        return MoraleOutcome(battle.waiting[0], battle.unit("unit").strength)

    return [Leg(start, [_morale_stage("unit", lambda battle, unit: True)], _state_key, result)]


def _morale_tallies(rules: Rules, facts: MoraleCheckFacts) -> list[Tally]:
    return [rules.tally("morale", facts.check())]


@dataclass(frozen=True)
class RallyRollFacts:
    """A rally roll. `bases` living bases or gunners without the leader base."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    commander: bool = False
    jest: bool = False


@dataclass(frozen=True)
class RallyOutcome:
    rallied: bool


def _rally_legs(rules: Rules, facts: RallyRollFacts) -> list[Leg]:
    def start() -> Battle:
        unit = _unit(
            "unit",
            "blue",
            13,
            facts.bases,
            facts.leader,
            facts.quality,
            marks={"prone": True, "broken": True, "jest": facts.jest},
        )
        battle = _bare_battle(rules, [unit])
        if facts.commander:
            battle.commanders["blue"] = Commander("blue", "commander", 13)
        return battle

    def roll(table: Table, battle: Battle) -> None:
        rally(table, battle, battle.unit("unit"))

    return [Leg(start, [roll], _state_key, lambda battle: RallyOutcome("broken" not in battle.unit("unit").marks))]


def _rally_tallies(rules: Rules, facts: RallyRollFacts) -> list[Tally]:
    if rules.settings["rally_method"] == "four_plus":
        return []
    return [rules.tally("rally", RallyFacts(facts.bases, facts.leader, facts.quality, facts.commander, facts.jest))]


# --- rockets ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RocketFacts:
    """A rocket at the box (`column`, `row`), both from 0 in the south-west, of a table `columns` x `rows`.

    `flight` is the compass direction of its flight.
    """

    columns: Annotated[int, Field(ge=1, le=200)] = 12
    rows: Annotated[int, Field(ge=1, le=200)] = 8
    column: int = 6
    row: int = 5
    flight: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"] = "N"


@dataclass(frozen=True)
class RocketOutcome:
    """The box where it comes down, or None for off the table or (with `rocket_drift` off) nowhere."""

    column: int | None
    row: int | None


def _rocket_legs(rules: Rules, facts: RocketFacts) -> list[Leg]:
    battle = _bare_battle(rules, [])
    battle.field.grid = BoxGrid(facts.columns, facts.rows)
    grid = battle.field.grid
    box = grid.at(facts.column, facts.row)
    if box is None:
        raise ValueError(
            f"column {facts.column}, row {facts.row} lies off a table of {facts.columns} x {facts.rows} boxes"
        )

    def launch(table: Table, slate: _Slate) -> None:
        landing = landing_box(table, battle, "rocket", box, COMPASS.index(facts.flight), box)
        slate.results = grid.column_row(landing) if landing is not None else (None, None)

    return [_slate_leg(launch)]


@dataclass(frozen=True)
class RocketMoraleFacts(MoraleCheckFacts):
    """A rocket aimed at the box of a unit, and the unit's morale check if it comes down there at once."""

    bases: Bases = 5


def _rocket_morale_legs(rules: Rules, facts: RocketMoraleFacts) -> list[Leg]:
    def start() -> Battle:
        battle = _bare_battle(rules, [replace_rocketed(facts)])
        if facts.commander:
            battle.commanders["blue"] = Commander("blue", "commander", 13)
        return battle

    def replace_rocketed(given: RocketMoraleFacts) -> Unit:
        return _morale_unit(replace(given, rocketed=False))

    def launch(table: Table, battle: Battle) -> None:
        landing = landing_box(table, battle, "rocket", 1, N, 13)
        if landing is not None:
            mark_rocketed(battle, landing)

    def result(battle: Battle) -> MoraleOutcome:
        return MoraleOutcome(battle.waiting[0], battle.unit("unit").strength)

    return [Leg(start, [launch, _morale_stage("unit", checks_after_fire)], _state_key, result)]


# --- melee -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeleeRollFacts:
    """One unit's melee roll. `bases` bases or gunners without the leader base; `melee_die` faces, 6 or 3."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    charging: bool = False
    flank: bool = False
    lancers: bool = False
    enemy_broken: bool = False
    supporting: bool = False
    mounted: bool = False
    enemy_dervish_foot: bool = False
    broken: bool = False
    uphill: bool = False
    cover: Cover = "none"
    melee_die: Die = 6

    def blow(self) -> MeleeFacts:
        names = MeleeFacts.__dataclass_fields__
        return MeleeFacts(**{name: getattr(self, name) for name in names})


def _melee_roll_legs(rules: Rules, facts: MeleeRollFacts) -> list[Leg]:
    def strike(table: Table, slate: _Slate) -> None:
        dice = table.tally("melee_dice", facts.blow()).total
        method = rules.settings["d3_method"]
        slate.results = roll_pool(table, dice, facts.melee_die, method, why="melee", rule="VCC-118", actor="unit")

    return [_slate_leg(strike)]


def _melee_roll_tallies(rules: Rules, facts: MeleeRollFacts) -> list[Tally]:
    return [rules.tally("melee_dice", facts.blow())]


@dataclass(frozen=True)
class MeleeFightFacts:
    """A charger `a` against the charged unit `b`: hits, leader checks and morale of both (VCC-134).

    `..._bases` without the leader base, `..._hits` the marker. `flank`, `uphill`, `cover` are those of the charge;
    `charging` is false in a later turn of the same contact. `..._commander`: the Army Commander is in the box (VCC-143).
    """

    a_bases: Bases
    b_bases: Bases
    a_leader: bool = True
    b_leader: bool = True
    a_quality: Quality = "ordinary"
    b_quality: Quality = "ordinary"
    a_hits: Marker = 0
    b_hits: Marker = 0
    a_wounds: Wounds = 0
    b_wounds: Wounds = 0
    a_troop: Troop = "foot"
    b_troop: Troop = "foot"
    a_melee_die: Die = 6
    b_melee_die: Die = 6
    a_lancers: bool = False
    a_dervish_foot: bool = False
    b_dervish_foot: bool = False
    b_regular: bool = False
    b_square: bool = False
    b_broken: bool = False
    a_commander: bool = False
    b_commander: bool = False
    charging: bool = True
    flank: bool = False
    uphill: bool = False
    cover: Cover = "none"


@dataclass(frozen=True)
class MeleeOutcome:
    """Bases with the leader base at the end, the leader, and the result of the morale check, for both sides."""

    a_bases: int
    a_leader: str
    a_result: str
    b_bases: int
    b_leader: str
    b_result: str


def _melee_battle(rules: Rules, facts: MeleeFightFacts) -> Battle:
    a = _unit(
        "a",
        "red",
        25,
        facts.a_bases,
        facts.a_leader,
        facts.a_quality,
        facts.a_troop,
        hits=facts.a_hits,
        wounds=facts.a_wounds,
        melee_die=facts.a_melee_die,
        lancers=facts.a_lancers,
        dervish_foot=facts.a_dervish_foot,
        marks={"charged": facts.charging},
    )
    b = _unit(
        "b",
        "blue",
        25,
        facts.b_bases,
        facts.b_leader,
        facts.b_quality,
        facts.b_troop,
        hits=facts.b_hits,
        wounds=facts.b_wounds,
        melee_die=facts.b_melee_die,
        dervish_foot=facts.b_dervish_foot,
        regular=facts.b_regular,
        marks={"square": facts.b_square, "broken": facts.b_broken, "prone": facts.b_broken},
    )
    battle = _bare_battle(rules, [a, b], "melee")
    battle.contacts = [Contact("a", "b", facts.flank and not facts.b_square, facts.uphill, facts.cover, 1)]
    if facts.flank and not facts.b_square:
        b.mark("flanked")
    for side, there in (("red", facts.a_commander), ("blue", facts.b_commander)):
        if there:
            battle.commanders[side] = Commander(side, "commander", 25)
    return battle


def _melee_blow(rules: Rules, facts: MeleeFightFacts, unit: str) -> tuple[MeleeFacts, int]:
    from zareba_rulesets.vcc.melee import Blow, melee_facts

    battle = _melee_battle(rules, facts)
    enemy = "b" if unit == "a" else "a"
    return melee_facts(battle, Blow(unit, enemy, unit)), battle.unit(unit).spec.melee_die


def _struck_leg(rules: Rules, facts: MeleeFightFacts, victim: str) -> Leg:
    """What the enemy's roll does to one of the two; the other's roll does not bear on it."""
    striker = "b" if victim == "a" else "a"
    blow, die = _melee_blow(rules, facts, striker)

    def strike(table: Table, battle: Battle) -> None:
        _roll_against(table, battle, blow, die, striker, victim)

    def result(battle: Battle) -> tuple[int, str, str]:
        unit = battle.unit(victim)
        return unit.strength, _leader_state(unit), battle.waiting[0]

    leaders: Callable[[Table, Battle], None] = lambda table, battle: resolve_checks(table, battle, "melee")  # noqa: E731  # a stage like the others
    return Leg(
        lambda: _melee_battle(rules, facts),
        [strike, leaders, _morale_stage(victim, must_check_after_melee)],
        _state_key,
        result,
    )


def _roll_against(table: Table, battle: Battle, blow: MeleeFacts, die: int, striker: str, victim: str) -> None:
    dice = table.tally("melee_dice", blow).total
    method = battle.book.settings.d3_method
    hits, highest = roll_pool(table, dice, die, method, why="melee", rule="VCC-118", actor=striker)
    battle.dealt[striker] = hits
    battle.taken[victim] = hits
    apply_hits(table, battle, battle.unit(victim), hits, "melee")
    call_for_check(battle, battle.unit(victim), hits, highest, "close")


def _whole_melee_leg(rules: Rules, facts: MeleeFightFacts) -> Leg:
    """Both rolls in one leg, for rules by which one side's check hangs on the other's losses (`melee_morale`, VCC-136)."""
    blows = {unit: _melee_blow(rules, facts, unit) for unit in ("a", "b")}

    def strike(unit: str, enemy: str) -> Callable[[Table, Battle], None]:
        return lambda table, battle: _roll_against(table, battle, *blows[unit], unit, enemy)

    def leaders(table: Table, battle: Battle) -> None:
        resolve_checks(table, battle, "melee")
        due = [u for u in ("a", "b") if must_check_after_melee(battle, battle.unit(u))]
        battle.dealt, battle.taken = {}, {}
        battle.waiting = due

    def morale(name: str) -> Callable[[Table, Battle], None]:
        def stage(table: Table, battle: Battle) -> None:
            unit = battle.unit(name)
            if not is_alive(unit):
                outcome = "destroyed"
            elif name in battle.waiting:
                outcome = check_morale(table, battle, unit)
            else:
                outcome = "no check"
            battle.gone[name] = outcome

        return stage

    def key(battle: Battle) -> Hashable:
        return _state_key(battle), tuple(battle.gone.items())

    def result(battle: Battle) -> tuple[Any, ...]:
        found: list[Any] = []
        for name in ("a", "b"):
            unit = battle.unit(name)
            found += [unit.strength, _leader_state(unit), battle.gone[name]]
        return tuple(found)

    stages = [strike("a", "b"), strike("b", "a"), leaders, morale("a"), morale("b")]
    return Leg(lambda: _melee_battle(rules, facts), stages, key, result)


def _melee_legs(rules: Rules, facts: MeleeFightFacts) -> list[Leg]:
    if rules.settings["melee_morale"] != "hit_units":
        return [_whole_melee_leg(rules, facts)]
    return [_struck_leg(rules, facts, "a"), _struck_leg(rules, facts, "b")]


def _join_melee(*results: tuple[Any, ...]) -> MeleeOutcome:
    return MeleeOutcome(*(value for result in results for value in result))


def _melee_tallies(rules: Rules, facts: MeleeFightFacts) -> list[Tally]:
    return [rules.tally("melee_dice", _melee_blow(rules, facts, unit)[0]) for unit in ("a", "b")]


# --- overheating -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OverheatingFacts:
    """A machine gun that fires for `turns` turns; `rest`: it holds its fire in any turn that it begins overheated."""

    turns: Annotated[int, Field(ge=1, le=50)] = 2
    rest: bool = True
    streak: Annotated[int, Field(ge=0, le=50)] = 0
    overheated: bool = False


@dataclass(frozen=True)
class OverheatingOutcome:
    """The gun at the end, and the turn in which it first overheated (0: never)."""

    state: Literal["cool", "overheated", "broken"]
    first_overheated: int


def _overheating_legs(rules: Rules, facts: OverheatingFacts) -> list[Leg]:
    def start() -> Battle:
        gun = _unit(
            "gun",
            "red",
            13,
            4,
            False,
            troop="machine_gun",
            weapon="machine_gun",
            streak=facts.streak,
            marks={"overheated": facts.overheated},
        )
        return _bare_battle(rules, [gun])

    def turn(number: int) -> Callable[[Table, Battle], None]:
        def stage(table: Table, battle: Battle) -> None:
            gun = battle.unit("gun")
            if "wrecked" in gun.marks:
                return
            if not (facts.rest and "overheated" in gun.marks):
                gun.mark("fired")
            overheating(table, battle)
            gun.unmark("fired")
            if "overheated" in gun.marks and not battle.waiting:
                battle.waiting = [str(number)]

        return stage

    def result(battle: Battle) -> OverheatingOutcome:
        marks = battle.unit("gun").marks
        state: Literal["cool", "overheated", "broken"] = (
            "broken" if "wrecked" in marks else "overheated" if "overheated" in marks else "cool"
        )
        return OverheatingOutcome(state, int(battle.waiting[0]) if battle.waiting else 0)

    return [Leg(start, [turn(number) for number in range(1, facts.turns + 1)], _state_key, result)]


# --- the list ------------------------------------------------------------------------------------------------------------------

PROCEDURES = {
    procedure.name: procedure
    for procedure in (
        Procedure(
            "fire_pool",
            "VCC-074",
            "Hits of one shot's dice",
            FirePoolFacts,
            PoolOutcome,
            _fire_pool_legs,
            lambda r: PoolOutcome(*r),
            _fire_tallies,
        ),
        Procedure(
            "fire_step",
            "VCC-038",
            "A shot with its hits, leader check and morale check",
            FireStepFacts,
            FireStepOutcome,
            _fire_step_legs,
            lambda r: r,
            _fire_tallies,
        ),
        Procedure(
            "leader_check",
            "VCC-110",
            "Leader checks that are due",
            LeaderCheckFacts,
            LeaderCheckOutcome,
            _leader_check_legs,
            lambda r: r,
        ),
        Procedure(
            "morale",
            "VCC-137",
            "A morale check and its consequences",
            MoraleCheckFacts,
            MoraleOutcome,
            _morale_legs,
            lambda r: r,
            _morale_tallies,
        ),
        Procedure(
            "rally", "VCC-160", "A rally roll", RallyRollFacts, RallyOutcome, _rally_legs, lambda r: r, _rally_tallies
        ),
        Procedure(
            "rocket",
            "VCC-098",
            "Where a rocket comes down, with drift",
            RocketFacts,
            RocketOutcome,
            _rocket_legs,
            lambda r: RocketOutcome(*r),
        ),
        Procedure(
            "rocket_morale",
            "VCC-100",
            "A rocket at a unit's box and the unit's morale",
            RocketMoraleFacts,
            MoraleOutcome,
            _rocket_morale_legs,
            lambda r: r,
        ),
        Procedure(
            "melee_roll",
            "VCC-118",
            "Hits of one unit's melee dice",
            MeleeRollFacts,
            PoolOutcome,
            _melee_roll_legs,
            lambda r: PoolOutcome(*r),
            _melee_roll_tallies,
        ),
        Procedure(
            "melee",
            "VCC-134",
            "A melee both ways, with leader checks and morale",
            MeleeFightFacts,
            MeleeOutcome,
            _melee_legs,
            _join_melee,
            _melee_tallies,
        ),
        Procedure(
            "overheating",
            "VCC-103",
            "A machine gun that keeps firing",
            OverheatingFacts,
            OverheatingOutcome,
            _overheating_legs,
            lambda r: r,
        ),
    )
}
