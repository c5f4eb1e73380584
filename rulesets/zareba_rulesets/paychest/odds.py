"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from zareba.chance import Deck
from zareba.odds import Leg, Procedure, odds
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.paychest import odds_facts as f
from zareba_rulesets.paychest.battle import Battle, Engine, Figure
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.casualties import strike
from zareba_rulesets.paychest.forced import flee_singly, rally_roll, run_inches
from zareba_rulesets.paychest.gunnery import shock_roll, try_gun
from zareba_rulesets.paychest.leaders import leaders_lost, loss_of_leader
from zareba_rulesets.paychest.melee import Fight, fight, victims
from zareba_rulesets.paychest.morale import check_morale, second_roll
from zareba_rulesets.paychest.movement import factor, roll_allowance
from zareba_rulesets.paychest.pileup import DeckClasses, counted_hits, group_losses
from zareba_rulesets.paychest.shooting import FireFacts, shoot
from zareba_rulesets.paychest.trial import bare_battle, bare_unit, state_key

__all__ = ["PROCEDURES"]

KILLS, KNOCKS, GRAZES = ("killed",), ("unconscious",), ("graze",)


class Slate:
    """A state of nothing but results, for procedures without a battle."""

    def __init__(self, *results: Any) -> None:
        self.results = results

    def copy(self) -> Slate:
        return Slate(*self.results)


def slate_leg(*stages: Callable[[Table, Any], None], start: tuple[Any, ...] = ()) -> Leg:
    """A leg whose state is its results so far."""
    return Leg(lambda: Slate(*start), stages, key=lambda slate: slate.results, result=lambda slate: slate.results)


def counted_leg(chances: Mapping[Any, Fraction]) -> Leg:
    """A leg of one draw from outcomes that were counted exactly."""
    whole = lcm(*(chance.denominator for chance in chances.values()))
    names = {str(number): outcome for number, outcome in enumerate(chances)}
    weights = {
        name: chances[outcome].numerator * (whole // chances[outcome].denominator) for name, outcome in names.items()
    }

    def take(table: Table, slate: Slate) -> None:
        slate.results = (names[table.draw(weights, why="outcome", rule="PAY-105")],)

    return slate_leg(take)


# --- fire -------------------------------------------------------------------------------------------------------------


def fire_facts(rules: Rules, facts: f.ShotFacts) -> FireFacts | None:
    """The shot as play sees it; None out of range."""
    band = PaychestBook(rules).band(facts.weapon, facts.inches)
    if band is None:
        return None
    return FireFacts(
        skill=facts.skill,
        band=band,  # type: ignore[arg-type]  # one of the three
        gait=facts.gait,
        cover=facts.cover,
        arm_wounds=facts.arm_wounds,
        body_wounds=facts.body_wounds,
    )


def fire_tallies(rules: Rules, facts: f.ShotFacts) -> list[Tally]:
    shot = fire_facts(rules, facts)
    return [] if shot is None else [rules.tally("firearms", shot)]


def shots_leg(rules: Rules, facts: f.ShotFacts, count: int) -> Leg:
    shot = fire_facts(rules, facts)

    def fire(table: Table, slate: Slate) -> None:
        slate.results = (0 if shot is None else shoot(table, shot, count, "firer"),)

    return slate_leg(fire)


def hit_legs(rules: Rules, facts: f.ShotFacts) -> list[Leg]:
    return [shots_leg(rules, facts, 1)]


def volley_legs(rules: Rules, facts: f.VolleyFacts) -> list[Leg]:
    return [shots_leg(rules, facts, facts.firers * facts.shots)]


def deck_of(rules: Rules, facts: f.DeckFacts) -> dict[str, int]:
    """The casualty deck of some facts, by class; classes that a house rule added are full."""
    full = PaychestBook(rules).full_deck()
    return {name: getattr(facts, name, copies) for name, copies in full.items() if getattr(facts, name, copies)}


def merged_deck(rules: Rules, facts: f.DeckFacts) -> dict[str, int]:
    """The deck with one name for all cards that do the same to a man's fate, so that fewer decks differ."""
    book = PaychestBook(rules)
    names: dict[str, str] = {}
    found: dict[str, int] = {}
    for name, copies in deck_of(rules, facts).items():
        result = book.cards[name].result
        kind = "wound" if result in ("smashed_arm", "arm_wound", "body_wound") else result
        first = names.setdefault(kind, name)
        found[first] = found.get(first, 0) + copies
    return found


def classes_of(rules: Rules, facts: f.DeckFacts) -> DeckClasses:
    """The deck in the four classes that decide fates: kill, knock out, wound, graze."""
    book = PaychestBook(rules)

    def counts(deck: Mapping[str, int]) -> tuple[int, ...]:
        found = {"killed": 0, "unconscious": 0, "wound": 0, "graze": 0}
        for name, copies in deck.items():
            result = book.cards[name].result
            found[result if result in found else "wound"] += copies
        return tuple(found.values())

    again = book.settings.casualty_reshuffle == "every_card"
    return DeckClasses(counts(deck_of(rules, facts)), counts(book.full_deck()), again)


def losses(rules: Rules, facts: f.DeckFacts, men: int, hits: Mapping[int, Fraction]) -> Leg:
    collapse = rules.settings["collapse_at_wounds"]
    return counted_leg(dict(group_losses(classes_of(rules, facts), men, hits, collapse)))


def volley_losses_legs(rules: Rules, facts: f.VolleyLossesFacts) -> list[Leg]:
    plain = f.VolleyFacts(**{name: getattr(facts, name) for name in f.VolleyFacts.__dataclass_fields__})
    hits = odds(rules, PROCEDURES["volley"], plain).outcomes
    return [losses(rules, facts, facts.group, {outcome.hits: p for outcome, p in hits.items()})]


def group_legs(rules: Rules, facts: f.GroupFacts) -> list[Leg]:
    return [losses(rules, facts, facts.group, {facts.hits: Fraction(1)})]


# --- one man ----------------------------------------------------------------------------------------------------------


def fate_of(figure: Figure) -> str:
    if figure.fate == "dead":
        return "killed"
    if figure.fate == "unconscious":
        return "unconscious"
    if "lame" in figure.marks:
        return "cannot walk"
    return "wounded" if figure.wounds else "unhurt"


def casualty_legs(rules: Rules, facts: f.CasualtyFacts) -> list[Leg]:
    wounds = [
        *["leg_wound"] * facts.leg_wounds,
        *["arm_wound"] * facts.arm_wounds,
        *["body_wound"] * facts.body_wounds,
        *["smashed_arm"] * facts.smashed_arms,
    ]

    def start() -> Battle:
        unit = bare_unit("unit", "red", [(10.0, 10.0)])
        unit.figures["unit.1"].wounds = tuple(wounds)
        return bare_battle(rules, [unit], deck=merged_deck(rules, facts))

    def hit(table: Table, battle: Battle) -> None:
        strike(table, battle, battle.figure("unit.1"), None, "fire", [])
        battle.unit("unit").hits = 0

    return [Leg(start, [hit] * facts.cards, state_key, lambda battle: fate_of(battle.figure("unit.1")))]


# --- melee ------------------------------------------------------------------------------------------------------------


def melee_battle(rules: Rules, facts: f.MeleeFactsOfTwo) -> tuple[Battle, Fight]:
    a = bare_unit("a", "red", [(10.0, 10.0)], melee=facts.a_skill)
    spots = [(11.0, 10.0)] if facts.b2_skill is None else [(11.0, 10.0), (9.0, 10.0)]
    b = bare_unit("b", "blue", spots, melee=facts.b_skill)
    if facts.b2_skill is not None:
        second = bare_unit("b", "blue", spots, melee=facts.b2_skill).figures["b.2"]
        b.figures["b.2"] = second
    for figure, wounds, turned, lame in (
        (a.figures["a.1"], facts.a_body_wounds, facts.a_back_turned, facts.a_lame),
        (b.figures["b.1"], facts.b_body_wounds, facts.b_back_turned, facts.b_lame),
    ):
        figure.wounds = ("body_wound",) * wounds
        figure.mark(*(["back turned"] if turned else []), *(["lame"] if lame else []))
    return bare_battle(rules, [a, b]), Fight(("a.1",), tuple(b.figures))


def melee_excess_legs(rules: Rules, facts: f.MeleeFactsOfTwo) -> list[Leg]:
    def start() -> Battle:
        return melee_battle(rules, facts)[0]

    one = melee_battle(rules, facts)[1]

    def stage(table: Table, battle: Battle) -> None:
        battle.casualties = Deck({}, {})
        battle.casualties.pile = {"arm_graze": 40}
        ours, theirs = fight(table, battle, one)
        battle.order = [str(max(0, theirs - ours)), str(max(0, ours - theirs))]

    return [Leg(start, [stage], lambda b: tuple(b.order), lambda b: (int(b.order[0]), int(b.order[1])))]


def melee_casualty_legs(rules: Rules, facts: f.MeleeFactsOfTwo) -> list[Leg]:
    """The dice first, then the cards of the excess one by one, so that equal states merge in between."""
    one = melee_battle(rules, facts)[1]
    pile = merged_deck(rules, f.DeckFacts())
    most = facts.a_skill + facts.b_skill + (facts.b2_skill or 0)

    def roll(table: Table, battle: Battle) -> None:
        battle.casualties = Deck({"arm_graze": 40}, {})
        ours, theirs = fight(table, battle, one)
        battle.casualties = Deck(dict(pile), {})
        for unit in battle.units.values():
            unit.hits = 0
        battle.order = [str(theirs - ours)]

    def card(table: Table, battle: Battle) -> None:
        excess = int(battle.order[0])
        if excess:
            losers, winners = (one.ours, one.theirs) if excess > 0 else (one.theirs, one.ours)
            (victim,) = victims(table, battle, losers, winners, 1)
            strike(table, battle, battle.figure(victim), None, "melee", [])
            battle.order = [str(excess - 1 if excess > 0 else excess + 1)]
            battle.unit_of(battle.figure(victim)).hits = 0

    def result(battle: Battle) -> tuple[str, str, str]:
        fates = [fate_of(battle.figure(name)) for name in (*one.ours, *one.theirs)]
        return fates[0], fates[1], fates[2] if len(fates) > 2 else "unhurt"

    return [Leg(lambda: melee_battle(rules, facts)[0], [roll, *[card] * most], state_key, result)]


# --- morale -----------------------------------------------------------------------------------------------------------


def _lone(rules: Rules, kind: str, figures: int = 1) -> Battle:
    """A unit far from both edges, so that forced moves matter no more than their result."""
    unit = bare_unit("unit", "red", [(10.0 + 2 * i, 24.0) for i in range(figures)], kind=kind)
    return bare_battle(rules, [unit])


def _told(table: Table, kind: str, otherwise: str) -> str:
    """The result that the last event of a kind told; enumeration runs one path at a time."""
    return next((str(event.data["result"]) for event in reversed(table.events) if event.kind == kind), otherwise)


def _result_leg(rules: Rules, kind: str, roll: Callable[[Table, Battle], bool]) -> Leg:
    """A leg for a roll that a unit passes, or whose second roll or order says what follows."""

    def stage(table: Table, battle: Battle) -> None:
        passed = roll(_Still(table), battle)
        unit = battle.unit("unit")
        battle.order = [
            "passes" if passed else _told(table, "second morale roll", unit.rout or unit.pending or "inactive")
        ]

    return Leg(lambda: _lone(rules, kind), [stage], lambda b: b.order[0], lambda b: b.order[0])


class _Still(Table):
    """A table on which nobody runs: forced moves count no inches, for their result is all that is asked."""

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        super().__init__(table.rules, table.state)
        self._table = table
        self.events = table.events

    def answer(self, question: Any) -> Any:
        """As the table beneath, but no dice for how far or who runs."""
        if question.why == "forced move":
            return 0
        if question.why == "stand or run":
            return 6
        return self._table.answer(question)


def morale_legs(rules: Rules, facts: f.MoraleFacts) -> list[Leg]:
    def roll(table: Table, battle: Battle) -> bool:
        battle.unit("unit").hits = facts.hits
        return check_morale(table, battle, battle.unit("unit"))

    return [_result_leg(rules, facts.kind, roll)]


def second_legs(rules: Rules, facts: f.LeaderFacts) -> list[Leg]:
    def roll(table: Table, battle: Battle) -> bool:
        second_roll(table, battle, battle.unit("unit"))
        return False

    return [_result_leg(rules, facts.kind, roll)]


def leader_legs(rules: Rules, facts: f.LeaderFacts) -> list[Leg]:
    return [_result_leg(rules, facts.kind, lambda table, battle: loss_of_leader(table, battle, battle.unit("unit")))]


def flight_legs(rules: Rules, facts: f.FlightFacts) -> list[Leg]:
    """Each man for himself: the same leg once for every man."""

    def stage(table: Table, battle: Battle) -> None:
        battle.order = flee_singly(_Bound(table), battle, battle.unit("unit"), facts.at_most)

    one = Leg(lambda: _lone(rules, "regular"), [stage], lambda b: len(b.order), lambda b: len(b.order))
    return [one] * facts.figures


class _Bound(_Still):
    """A table on which men may run, but by no inches."""

    __slots__ = ()

    def answer(self, question: Any) -> Any:
        return 0 if question.why == "forced move" else self._table.answer(question)


def target_leader_legs(rules: Rules, facts: f.TargetLeaderFacts) -> list[Leg]:
    shot = fire_facts(rules, facts)

    def start() -> Battle:
        spots = [(10.0, 24.0), (13.0, 24.0)]
        unit = bare_unit(
            "unit", "red", spots, kind=facts.kind, leader="sergeant" if facts.kind == "regular" else "leader"
        )
        return bare_battle(rules, [unit], deck=merged_deck(rules, f.DeckFacts()))

    def fire(table: Table, battle: Battle) -> None:
        battle.order = [str(shoot(table, shot, 1, "firer") if shot is not None else 0)]

    def mark(table: Table, battle: Battle) -> None:
        fallen: list[str] = []
        if battle.order[-1] == "1":
            strike(table, battle, battle.figure("unit.1"), None, "fire", fallen)
        if fallen and not battle.unit("unit").lost:
            battle.unit("unit").lost = ("waiting",)
        battle.order = [*battle.order[:-1], "hit" if battle.order[-1] == "1" else "miss"]

    def next_shot(table: Table, battle: Battle) -> None:
        battle.order = sorted(
            [*battle.order, str(shoot(table, shot, 1, "firer") if shot is not None else 0)], reverse=True
        )
        battle.order.sort(key=lambda word: word in ("0", "1"))

    def roll(table: Table, battle: Battle) -> None:
        unit = battle.unit("unit")
        hits = str(battle.order.count("hit"))
        if not unit.lost:
            battle.order = [hits, "", "no roll"]
            return
        unit.lost = ()
        leaders_lost(_Still(table), battle, ["unit.1"])
        result = "passes" if any(e.kind == "steady" for e in table.events) else ""
        result = result or _told(table, "second morale roll", unit.rout or unit.pending or "inactive")
        battle.order = [hits, "lost", result]

    stages = [fire, mark, *([next_shot, mark] * (facts.shots - 1)), roll]

    def result(battle: Battle) -> tuple[int, bool, str]:
        return int(battle.order[0]), battle.order[1] == "lost", battle.order[2]

    return [Leg(start, stages, state_key, result)]


def rout_legs(rules: Rules, facts: f.RoutFacts) -> list[Leg]:
    """The first move is run at once; before each later one a rout that rallies rolls for it (P13)."""

    def move(number: int) -> Callable[[Table, Slate], None]:
        def stage(table: Table, slate: Slate) -> None:
            state, left, _ = slate.results
            if state != "running":
                return
            if number > 1 and facts.rallies and rally_roll(table, _rally_battle, "unit"):
                slate.results = ("rallied", 0.0, number - 1)
                return
            left -= run_inches(table, facts.dice, "unit")
            slate.results = ("off", 0.0, number) if left <= 0 else ("running", left, number)

        return stage

    _rally_battle = _lone(rules, "irregular")
    stages = [move(number) for number in range(1, facts.moves + 1)]
    leg = slate_leg(*stages, start=("running", facts.inches, 0))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: (slate.results[0], slate.results[2]))]


# --- guns -------------------------------------------------------------------------------------------------------------


def gun_facts_of(rules: Rules, facts: f.MachineGunFacts | f.ShellFacts, weapon: str, cover: str) -> FireFacts | None:
    book = PaychestBook(rules)
    band = book.band(weapon, facts.inches)
    if band is None:
        return None
    bonus = facts.group // book.file.guns[weapon].figures_a_bonus  # type: ignore[index]  # one of the two
    return FireFacts(facts.skill, band, facts.gait, cover, weapon, bonus=bonus)  # type: ignore[arg-type]  # known words


def machine_gun_legs(rules: Rules, facts: f.MachineGunFacts) -> list[Leg]:
    shot = gun_facts_of(rules, facts, "machine_gun", facts.cover)
    dice = PaychestBook(rules).file.guns["machine_gun"].hit_dice

    def stage(table: Table, slate: Slate) -> None:
        hits, rounds, jammed, ones = slate.results
        if jammed or shot is None:
            return
        engine = Engine("machine_gun", "", "red", "", None, first_ones=ones)
        hit = try_gun(table, engine, shot, "gun")
        if hit:
            rounds += table.roll(dice, 6, why="rounds that hit", rule="PAY-174", actor="gun")
        slate.results = (hits + hit, rounds, engine.jammed, engine.first_ones)

    leg = slate_leg(*[stage] * facts.shots, start=(0, 0, False, 0))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: slate.results[:3])]


def machine_gun_tallies(rules: Rules, facts: f.MachineGunFacts) -> list[Tally]:
    shot = gun_facts_of(rules, facts, "machine_gun", facts.cover)
    return [] if shot is None else [rules.tally("firearms", shot)]


def shell_legs(rules: Rules, facts: f.ShellFacts) -> list[Leg]:
    shot = gun_facts_of(rules, facts, "shell", "none")
    dice = PaychestBook(rules).file.guns["shell"].hit_dice

    def fire(table: Table, slate: Slate) -> None:
        hit = shot is not None and shoot(table, shot, 1, "gun")
        slate.results = (table.roll(dice, 6, why="rounds that hit", rule="PAY-182", actor="gun") if hit else 0,)

    chance = odds(rules, Procedure("", "", "", f.ShellFacts, tuple, lambda r, _: [slate_leg(fire)], lambda x: x), facts)
    return [losses(rules, facts, facts.group, {hits: p for (hits,), p in chance.outcomes.items()})]


def shell_tallies(rules: Rules, facts: f.ShellFacts) -> list[Tally]:
    shot = gun_facts_of(rules, facts, "shell", "none")
    return [] if shot is None else [rules.tally("firearms", shot)]


def exposed_legs(rules: Rules, facts: f.ExposedFacts) -> list[Leg]:
    book = PaychestBook(rules)
    men = {name: getattr(facts, name) for name in ("open", "low_wall", "parapet", "wagon")}
    whole = sum(men.values()) or 1
    cards = [
        (copies, Fraction(sum(n for name, n in men.items() if book.cards[card].location in book.exposed[name]), whole))
        for card, copies in deck_of(rules, facts).items()
    ]
    merged: dict[Fraction, int] = {}
    for copies, share in cards:
        merged[share] = merged.get(share, 0) + copies
    again = book.settings.casualty_reshuffle == "every_card"
    return [counted_leg(dict(counted_hits([(n, share) for share, n in merged.items()], facts.hits, again)))]


def shock_legs(rules: Rules, facts: f.ShockFacts) -> list[Leg]:
    total = PaychestBook(rules).file.cover_shock.total

    def roll(table: Table, battle: Battle) -> bool:
        if not shock_roll(table, total, facts.hidden, "unit"):
            return True
        second_roll(table, battle, battle.unit("unit"))
        return False

    return [_result_leg(rules, facts.kind, roll)]


# --- moves and cards --------------------------------------------------------------------------------------------------


def move_legs(rules: Rules, facts: f.MoveFacts) -> list[Leg]:
    battle = _lone(rules, "regular")
    figure = battle.figure("unit.1")
    figure.loads = ("unit.1",) if facts.loaded else ()
    figure.wounds = ("leg_wound",) if facts.leg_wound else ()
    times = factor(battle, figure)

    def stage(table: Table, slate: Slate) -> None:
        advance, run = roll_allowance(table, battle, facts.mover, facts.run_inches > 0, "unit")
        slate.results = (advance * times >= facts.advance_inches, run * times >= facts.run_inches)

    return [slate_leg(stage)]


def card_order_legs(rules: Rules, facts: f.CardOrderFacts) -> list[Leg]:
    def stage(table: Table, slate: Slate) -> None:
        ours, theirs, first, over = slate.results
        if over or not ours:
            return
        cards = Deck({name: n for name, n in (("ours", ours), ("theirs", theirs)) if n}, {})
        mine = cards.draw(table, why="card", rule="PAY-059") == "ours"
        slate.results = (ours - mine, theirs, first + mine, not mine)

    leg = slate_leg(*[stage] * facts.ours, start=(facts.ours, facts.theirs, 0, False))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: slate.results[2])]


# --- the list ---------------------------------------------------------------------------------------------------------


PROCEDURES: dict[str, Procedure] = {
    p.name: p
    for p in (
        Procedure(
            "to_hit",
            "PAY-111",
            "One man's shot",
            f.ShotFacts,
            f.HitOutcome,
            hit_legs,
            lambda r: f.HitOutcome(r[0] > 0),
            fire_tallies,
        ),
        Procedure(
            "volley",
            "PAY-094",
            "Hits of a group's volleys",
            f.VolleyFacts,
            f.HitsOutcome,
            volley_legs,
            lambda r: f.HitsOutcome(*r),
            fire_tallies,
        ),
        Procedure(
            "volley_losses",
            "PAY-105",
            "A group's volleys at a group and what they do",
            f.VolleyLossesFacts,
            f.GroupOutcome,
            volley_losses_legs,
            lambda r: f.GroupOutcome(*r[0]),
            fire_tallies,
        ),
        Procedure(
            "casualty",
            "PAY-115",
            "Casualty cards on one man",
            f.CasualtyFacts,
            f.CasualtyOutcome,
            casualty_legs,
            f.CasualtyOutcome,
        ),
        Procedure(
            "group_casualties",
            "PAY-105",
            "Hits on a group of men",
            f.GroupFacts,
            f.GroupOutcome,
            group_legs,
            lambda r: f.GroupOutcome(*r[0]),
        ),
        Procedure(
            "melee",
            "PAY-139",
            "Excess hits of one man against one or two",
            f.MeleeFactsOfTwo,
            f.MeleeExcessOutcome,
            melee_excess_legs,
            lambda r: f.MeleeExcessOutcome(*r),
        ),
        Procedure(
            "melee_casualties",
            "PAY-141",
            "A melee with its casualty cards",
            f.MeleeFactsOfTwo,
            f.MeleeCasualtiesOutcome,
            melee_casualty_legs,
            lambda r: f.MeleeCasualtiesOutcome(*r),
        ),
        Procedure(
            "morale",
            "PAY-148",
            "A unit's morale check with its second roll",
            f.MoraleFacts,
            f.MoraleOutcome,
            morale_legs,
            f.MoraleOutcome,
        ),
        Procedure(
            "second_morale",
            "PAY-151",
            "The second morale roll alone",
            f.LeaderFacts,
            f.MoraleOutcome,
            second_legs,
            f.MoraleOutcome,
        ),
        Procedure(
            "stand_or_run",
            "PAY-155",
            "How many men run by themselves",
            f.FlightFacts,
            f.FlightOutcome,
            flight_legs,
            lambda *r: f.FlightOutcome(sum(r)),
        ),
        Procedure(
            "leader_loss",
            "PAY-128",
            "A unit that has lost its leader",
            f.LeaderFacts,
            f.LeaderOutcome,
            leader_legs,
            f.LeaderOutcome,
        ),
        Procedure(
            "shots_at_leader",
            "PAY-092",
            "Shots at a leader and what his loss does",
            f.TargetLeaderFacts,
            f.TargetLeaderOutcome,
            target_leader_legs,
            lambda r: f.TargetLeaderOutcome(*r),
            fire_tallies,
        ),
        Procedure(
            "rout",
            "PAY-158",
            "A rout, move by move",
            f.RoutFacts,
            f.RoutOutcome,
            rout_legs,
            lambda r: f.RoutOutcome(*r),
        ),
        Procedure(
            "machine_gun",
            "PAY-172",
            "Shots of a machine gun, with jams",
            f.MachineGunFacts,
            f.MachineGunOutcome,
            machine_gun_legs,
            lambda r: f.MachineGunOutcome(*r),
            machine_gun_tallies,
        ),
        Procedure(
            "shell",
            "PAY-179",
            "A shell at men in the open",
            f.ShellFacts,
            f.ShellOutcome,
            shell_legs,
            lambda r: f.ShellOutcome(*r[0]),
            shell_tallies,
        ),
        Procedure(
            "exposed_hits",
            "PAY-187",
            "Hits of guns that count on men in cover",
            f.ExposedFacts,
            f.CountedOutcome,
            exposed_legs,
            lambda r: f.CountedOutcome(*r),
        ),
        Procedure(
            "cover_shock",
            "PAY-189",
            "Hidden men under fire of guns",
            f.ShockFacts,
            f.MoraleOutcome,
            shock_legs,
            f.MoraleOutcome,
        ),
        Procedure(
            "move",
            "PAY-069",
            "Whether a roll reaches",
            f.MoveFacts,
            f.MoveOutcome,
            move_legs,
            lambda r: f.MoveOutcome(*r),
        ),
        Procedure(
            "card_order",
            "PAY-059",
            "Whose cards come up first",
            f.CardOrderFacts,
            f.CardOrderOutcome,
            card_order_legs,
            f.CardOrderOutcome,
        ),
    )
}
