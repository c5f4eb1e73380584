"""The small battles in which odds are computed, exact formulas, and the fates of figures card by card."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import Field as Limits

from zareba.base.errors import unknown_name
from zareba.base.grammar import amount
from zareba.base.state import CopyOnWrite, blank
from zareba.odds import Formula, Lay, Procedures, SmallBattle, count_outcomes, refuse
from zareba.odds.formulas import Cards, deal_cards, losses_at_random, losses_evenly
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba.space import Point
from zareba.space.geometry import Bounds
from zareba.table import Deck, Draw, Roll
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, FigureSpec, Unit, UnitSpec
from zareba_rulesets.paychest.ground import Field, Shelter

# --- Small test battles for the odds: figures with given facts on open ground -----------------------------------------


Kind = Literal["regular", "irregular"]
Exposure = Literal["open", "low_wall", "parapet", "wagon"]
Skill = Annotated[int, Limits(ge=0, le=12)]
Men = Annotated[int, Limits(ge=1, le=200)]
Firers = Annotated[int, Limits(ge=1, le=40)]  # the largest unit (PAY-030)
Hits = Annotated[int, Limits(ge=0, le=200)]
Shots = Annotated[int, Limits(ge=1, le=5)]
Wounds = Annotated[int, Limits(ge=0, le=10)]
Inches = Annotated[float, Limits(ge=0, le=400)]
Fate = Literal["killed", "unconscious", "cannot walk", "wounded", "unhurt"]
Rank = tuple[int, Shelter, int]
"""A row of identical figures: their number, cover and wounds."""

FIRERS, TARGETS = "firers", "targets"
HERE: Point = (0.0, 24.0)
"""The place of all firers; their targets are to the east."""
HAIR = 1e-9
"""The distance in inches between figures in different cover.

It separates their positions without affecting the range.
"""
WOUNDS = ("crippled_leg", "leg_wound", "arm_wound", "body_wound", "smashed_arm")


@dataclass(frozen=True)
class DeckFacts:
    """`drawn`: the casualty cards out of the pile, by class, listed once for each copy (PAY-116, PAY-117)."""

    drawn: tuple[str, ...] = ()


@dataclass(frozen=True)
class StruckFacts(DeckFacts):
    """`exposure`: the exposure of the figures where a card must name an exposed part of the body (PAY-187)."""

    exposure: Exposure = "open"


@dataclass(frozen=True)
class FirerFacts:
    """The firer (roster Firearms Skill and wounds) and the range. `recovered`: it was unconscious earlier."""

    skill: Skill = 4
    inches: Inches = 20.0
    gait: Gait = "halt"
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    recovered: bool = False


class Shelters(Field):
    """Open ground where figures at certain points have cover from all directions."""

    __slots__ = ("places",)

    def __init__(self, book: PaychestBook, width: float, depth: float, places: Mapping[Point, Shelter]) -> None:
        super().__init__(book, width, depth, {}, {}, {"red": "south", "blue": "north"})
        self.places = places

    def has_cover_near(self, box: Bounds) -> bool:
        """Return True if there is any cover at all."""
        return bool(self.places)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        """Return the cover at that point."""
        return (self.places[at],) if at in self.places else ()


def bare_battle(
    rules: Rules,
    units: Sequence[Unit],
    *,
    deck: Mapping[str, int] | None = None,
    home: Mapping[str, str] | None = None,
    width: float = 60.0,
    depth: float = 48.0,
    field: Field | None = None,
) -> Battle:
    """Return a battle with these units on open ground.

    By default red's home edge is in the south and blue's in the north.
    """
    book = PaychestBook(rules)
    homes = {"red": "south", "blue": "north"} if home is None else dict(home)
    field = field or Field(book, width, depth, {}, {}, homes)
    for unit in units:
        unit.measure()
    return blank(
        Battle, turn=1, stage="fire", acting=units[0].spec.id if units else "", drawn=1,
        units=CopyOnWrite((unit.spec.id, unit) for unit in units), cards=Deck({}, {}),
        casualties=Deck(dict(book.full_deck() if deck is None else deck), {}), commanders={"red": "", "blue": ""},
        book=book, field=field,
    )  # fmt: skip


def bare_unit(
    name: str,
    side: str,
    spots: Sequence[Point],
    *,
    kind: str = "regular",
    firearms: int = 4,
    melee: int = 4,
    shots: int = 2,
    weapons: tuple[str, ...] = ("rifle", "bayonet"),
    leader: str = "",
    mount: str = "",
) -> Unit:
    """Return a unit of identical figures at these points. With `leader` (a rank) the first of them leads."""
    figures = {}
    for number, at in enumerate(spots, start=1):
        rank = leader if leader and number == 1 else "private" if kind == "regular" else "warrior"
        key = f"{name}.{number}"
        spec = FigureSpec(key, name, f"{rank} {number}", "", kind, rank, firearms, melee, shots, weapons, mount)
        figures[key] = Figure(at, "able", "halt", weapons, rank, mount, appearances=1, spec=spec)
    spec_of_unit = UnitSpec(name, name, side, kind, tuple(figures))
    unit = Unit(figures, f"{name}.1" if leader else "", spec=spec_of_unit)
    unit.measure()
    return unit


def two_figures(
    rules: Rules, kind: Kind, *, led: bool = False, at: Point = (30.0, 24.0), depth: float = 48.0
) -> Battle:
    """Return a battle with two figures only; with `led` the first is their leader."""
    rank = "sergeant" if kind == "regular" else "leader"
    unit = bare_unit("unit", "red", [at, (at[0] + 3, at[1])], kind=kind, leader=rank if led else "")
    return bare_battle(rules, [unit], depth=depth)


def facing(rules: Rules, facts: Any, firers: Unit, targets: Mapping[str, Sequence[Rank]], **unit: str) -> Battle:
    """Return a battle with figures facing target units, all `inches` away, and the casualty deck of the facts.

    `unit` holds further facts of the target units. Raises ZarebaError for figures whose wounds would put them out of
    action.
    """
    book = PaychestBook(rules)
    inches = getattr(facts, "inches", 20.0)
    shelters = list(dict.fromkeys(shelter for ranks in targets.values() for _, shelter, _ in ranks))
    places = {shelter: (inches, HERE[1] + number * HAIR) for number, shelter in enumerate(shelters)}
    units = [firers]
    for name, ranks in targets.items():
        units.append(bare_unit(name, "blue", [places[s] for men, s, _ in ranks for _ in range(men)], **unit))  # type: ignore[arg-type]  # all of them are words
        wounds = [number for men, _, number in ranks for _ in range(men)]
        for figure, number in zip(units[-1].figures.values(), wounds, strict=True):
            figure.wounds = ("body_wound",) * number
            reject_figure_out_of_action(book, figure, "targets")
    for figure in firers.figures.values():
        set_condition(book, figure, facts)
        reject_figure_out_of_action(book, figure, "arm_wounds, body_wounds")
    covered = {at: shelter for shelter, at in places.items() if shelter.cover != "none"}
    battle = bare_battle(rules, units, field=Shelters(book, inches + 1, 2 * HERE[1], covered))
    battle.casualties = deck_of(book, facts)
    return battle


def shelter_of(facts: Any) -> Shelter:
    """Return the cover of figures by their `cover` and `exposure`.

    With an exposure but no cover in the facts it is hard.
    """
    exposure = getattr(facts, "exposure", "open")
    cover = getattr(facts, "cover", "none" if exposure == "open" else "hard")
    refuse(
        exposure != "open" and cover != "hard",
        f"exposure {exposure} needs hard cover: exposure, cover (PAY-187)",
    )
    return Shelter(cover, exposure)


def deck_of(book: PaychestBook, facts: DeckFacts | object) -> Deck:
    """Return the casualty deck of some facts: the pack, with the cards already drawn among the discards."""
    pile = book.full_deck()
    out = dict.fromkeys(pile, 0)
    for card in getattr(facts, "drawn", ()):
        if card not in pile:
            raise unknown_name("casualty card", card, pile)
        pile[card] -= 1
        out[card] += 1
        refuse(pile[card] < 0, f"the pack has fewer cards '{card}' than that: drawn (PAY-116)")
    return Deck(pile, out)


def set_condition(book: PaychestBook, figure: Figure, facts: Any, prefix: str = "") -> None:
    """Set a figure's condition from facts whose names begin with `prefix`. Unspecified wounds become body wounds."""

    def fact_of(fact: str) -> Any:
        return getattr(facts, prefix + fact, 0)

    times = {wound: fact_of(wound + "s") + fact_of(wound) for wound in WOUNDS}
    times["crippled_leg"] += fact_of("lame")
    times["body_wound"] += fact_of("other_wounds")
    figure.wounds = tuple(wound for wound in WOUNDS for _ in range(times[wound]))
    figure.gait = fact_of("gait") or figure.gait
    figure.weapons = () if fact_of("unarmed") else figure.weapons
    lame = times["crippled_leg"] or times["leg_wound"] >= book.file.leg_wounds_that_lame.wounds
    marks = {"lame": lame, "back turned": fact_of("back_turned"), "recovered": fact_of("recovered")}
    figure.mark(*(mark for mark, is_set in marks.items() if is_set))
    if 0 < book.settings.collapse_at_wounds <= len(figure.wounds) and not fact_of("recovered"):
        figure.fate = "unconscious"


def reject_figure_out_of_action(book: PaychestBook, figure: Figure, names: str) -> None:
    """Raise ZarebaError if the figure's wounds have already put it out of action, unless it has recovered."""
    wounds = len(figure.wounds)
    refuse(
        0 < book.settings.collapse_at_wounds <= wounds and "recovered" not in figure.marks,
        f"a figure with {amount(wounds, 'wound')} is out of action: {names} (PAY-119)",
    )


def losses_of(battle: Battle, unit: str = TARGETS) -> tuple[int, int]:
    """Return the killed and unconscious figures of a unit, by default of the targets."""
    fates = [figure.fate for figure in battle.unit(unit).figures.values()]
    return fates.count("dead"), fates.count("unconscious")


# --- The set pieces that compare rulesets, under these rules: one figure for one man ----------------------------------


_DOWN = frozenset({"killed", "unconscious"})
GAP = 12.0
"""The distance in inches that a charge covers."""


def set_pieces(rules: Rules) -> Staged:
    """Return how these rules resolve each set piece."""
    book = PaychestBook(rules)
    regular, warrior = book.file.profiles["legionnaire"], book.file.profiles["arab_swordsman"]
    rifle, gun = book.file.weapons["rifle"], book.file.profiles["gunner"]

    def group(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.killed + outcome.unconscious, MEN))

    def rifles(inches: float | None, description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {"firers": MEN, "group": MEN, "skill": regular.firearms, "inches": inches, **more}
        return [SetPieceQuestion("volley_losses", facts, group, description)]

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        def man(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(Fraction(outcome.b in _DOWN), Fraction(outcome.a in _DOWN))

        def reaches(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(home=outcome.run_reaches)

        return [
            SetPieceQuestion(
                "melee_casualties", {"a_skill": warrior.melee, "b_skill": regular.melee, **more}, man, description
            ),
            SetPieceQuestion("move", {"mover": "foot", "run_inches": GAP}, reaches, f"a man's run over {GAP:g} inches"),
        ]

    def morale(hits: int) -> list[SetPieceQuestion]:
        facts = {"kind": warrior.kind, "hits": hits}
        return [
            SetPieceQuestion(
                "morale",
                facts,
                _answer_of_morale,
                f"{amount(hits, 'hit')} in a turn, with the second roll after a failure",
            )
        ]

    return {
        "rifles_near": rifles(rifle.short, "one volley at short range; morale is tested by the hits of a turn"),
        "rifles_middle": rifles(rifle.medium, "one volley at medium range"),
        "rifles_far": rifles(rifle.long, "one volley at long range"),
        "rifles_cover": rifles(rifle.medium, "hard cover", cover="hard", exposure="low_wall"),
        "rifles_charging": "charging figures are targets like any others (PAY-111)",
        "rifles_skirmishing": "no formations: figures stand singly (PAY-111)",
        "charge_formed": charge("a round of one man against one"),
        "charge_shaken": charge("against a man who has turned his back", b_back_turned=True),
        "machine_gun": [
            SetPieceQuestion(
                "machine_gun_losses",
                {"skill": gun.firearms, "inches": 20.0, "group": MEN},
                group,
                "one burst at 20 inches",
            )
        ],
        "gun": [
            SetPieceQuestion(
                "shell", {"skill": gun.firearms, "inches": 30.0, "group": MEN}, group, "one shell at 30 inches"
            )
        ],
        **{piece: morale(int(share * MEN)) for piece, share in LOST.items()},
    }


def _answer_of_morale(outcome: Any) -> SetPieceAnswer:
    """Return the answer of a set piece about morale: the unit gives way if it routs or falls back."""
    return SetPieceAnswer(gives_way=outcome.result.startswith(("rout", "fall_back")))


# --- Formulas that replace the casualty cards and their consequences where there are too many to enumerate ------------


PROCEDURES = Procedures()
T = TypeVar("T", bound=Hashable)

RUNS = frozenset({"forced.move", "forced.singly"})
CARDS = RUNS | {"casualties.strike", "leaders.loss", "morale.second_roll"}
"""The procedures that a hit leads to."""
ACTS = CARDS | {"fire.volley", "gunnery.shot", "melee.fight"}
"""Procedures that would find different figures if run twice."""
SHOTS = ACTS | {"shooting.shots"}
"""Procedures skipped by formulas that treat each shot separately."""
OF_A_RUN = frozenset({"forced move", "stand or run"})
OF_A_HIT = OF_A_RUN | {"casualty card", "who is hit", "which man is hit", "loss of leader", "second morale roll"}


ROUNDS = "rounds that hit"


def with_fixed_results(situation: SmallBattle, whys: Container[str]) -> SmallBattle:
    """Return the situation with fixed results for questions in `whys`: any card, the fewest gun hits, the best dice.

    Only questions that do not affect its outcome may be named.
    """

    def settled(question: Roll | Draw) -> Any:
        if question.why not in whys:
            return None
        if isinstance(question, Draw):
            return next(card for card, copies in question.cards if copies)
        return question.read.of([1 if question.why == ROUNDS else question.sides] * question.dice)

    return replace(situation, neutral_answer=settled)


def ways_to_hit(rules: Rules, situation: SmallBattle) -> dict[Any, Fraction]:
    """Return the chances of each result of a situation's last act, without the consequences of its hits."""
    return count_outcomes(rules, replace(with_fixed_results(situation, OF_A_HIT), outcome=lambda _, so_far: so_far))


def skip_consequences(whys: Container[str] = OF_A_HIT, skips: frozenset[str] = ACTS) -> Callable[[Lay], Formula]:
    """Return a formula that skips what does not affect the outcome, by default all that follows a hit."""
    return lambda build: Formula(
        lambda rules, facts: count_outcomes(rules, with_fixed_results(build(rules, facts), whys)), skips
    )


# --- cards ------------------------------------------------------------------------------------------------------------


def decks(rules: Rules, facts: DeckFacts, kind_of: Callable[[str], T]) -> dict[T, tuple[int, int]]:
    """Return the cards by kind: the copies in the pile and in the whole pack."""
    book, found = PaychestBook(rules), dict[T, tuple[int, int]]()
    pile = deck_of(book, facts).pile
    for card, copies in book.full_deck().items():
        in_pile, in_all = found.get(kind := kind_of(card), (0, 0))
        found[kind] = in_pile + pile[card], in_all + copies
    return found


def _classes(rules: Rules, facts: DeckFacts, exposed: Container[str] | None) -> Cards:
    """Return the deck by KINDS. A card for a part of the body not in `exposed` does nothing."""
    book = PaychestBook(rules)

    def kind_of(name: str) -> str:
        card = book.cards[name]
        counts = exposed is None or card.location in exposed
        return (card.result if card.result in KINDS else "wound") if counts else "graze"

    found = decks(rules, facts, kind_of)
    left, full = zip(*(found.get(kind, (0, 0)) for kind in KINDS), strict=True)
    return Cards(left, full, book.settings.casualty_reshuffle == "every_card")


def _exposed_parts(rules: Rules, facts: DeckFacts, guns: bool) -> Container[str] | None:
    """Return the exposed parts of the body under gun or small-arms fire, or None if all count (PAY-187, PAY-188)."""
    if isinstance(facts, StruckFacts) and (guns or rules.settings["exposure_check"] == "all_fire"):
        return PaychestBook(rules).exposed_locations[facts.exposure]
    return None


def group_fates(
    rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction], guns: bool = False
) -> dict[tuple[int, int], Fraction]:
    """Return the chances of numbers killed and unconscious among fresh figures (PAY-118, PAY-119).

    `hits` maps a number of hits to its chance. Hits of small arms fall at random or evenly (PAY-105), those of guns at
    random.
    """
    deck = _classes(rules, facts, _exposed_parts(rules, facts, guns)).of((0,), (1,), (2, 3, 4), (5,))
    spread = losses_at_random if guns or rules.settings["hit_spread"] == "random" else losses_evenly
    return spread(deck, men, hits, rules.settings["collapse_at_wounds"])


def after_cards(
    rules: Rules, facts: DeckFacts, men: tuple[FigureCondition, ...], max_cards: int
) -> list[Mapping[tuple[FigureCondition, ...], Fraction]]:
    """Return the fates of one or two figures after each number of cards up to `max_cards`, dealt at random."""
    book = PaychestBook(rules)
    deck = _classes(rules, facts, _exposed_parts(rules, facts, guns=False))
    return fates(deck, men, max_cards, book.settings.collapse_at_wounds, book.file.leg_wounds_that_lame.wounds)


def body_of(figure: Figure) -> FigureCondition:
    """Return the facts of a figure that matter for casualty cards."""
    lame = "lame" in figure.marks
    return FigureCondition(figure.fate, len(figure.wounds), 0 if lame else figure.wounds.count("leg_wound"), lame)


def fate_word(body: FigureCondition) -> Fate:
    """Return the fate of a figure in a word."""
    if body.fate != "able":
        return "killed" if body.fate == "dead" else "unconscious"
    if body.lame:
        return "cannot walk"
    return "wounded" if body.wounds else "unhurt"


# --- Exact counting of the fates of one or two figures, card by card (PAY-116 to PAY-124) -----------------------------


KINDS = ("killed", "unconscious", "crippled_leg", "leg_wound", "wound", "graze")
"""The cards with different effects on a figure's fate. Arm and body wounds count alike."""


class FigureCondition(NamedTuple):
    """The condition of a figure. `fate` is the figure's fate; `legs` counts leg wounds."""

    fate: str = "able"
    wounds: int = 0
    legs: int = 0
    lame: bool = False

    def after_card(self, card: str, collapse: int, laming: int) -> FigureCondition:
        """Return the condition after one more card (PAY-116).

        `collapse` is the number of wounds that make the figure collapse (0: none), `laming` the number of leg wounds
        that lame it.
        """
        if card == "killed" or self.fate == "dead":
            return FigureCondition("dead")
        if card == "graze" or self.fate != "able":
            return self
        wounds = self.wounds + 1 if collapse else 1
        if card == "unconscious" or wounds >= collapse > 0:
            return FigureCondition("unconscious")
        legs = self.legs + (card == "leg_wound")
        lame = self.lame or card == "crippled_leg" or legs >= laming
        return FigureCondition("able", wounds, 0 if lame else legs, lame)


_Conditions: TypeAlias = tuple[FigureCondition, ...]


def fates(
    deck: Cards, men: _Conditions, max_cards: int, collapse: int, laming: int
) -> list[Mapping[_Conditions, Fraction]]:
    """Return the fates of these figures after each number of hits up to `max_cards`, each falling on any of them
    equally.

    `deck` is by KINDS.
    """

    def states_after_card(some: _Conditions, kind: int) -> list[_Conditions]:
        return [
            (*some[:n], some[n].after_card(KINDS[kind], collapse, laming), *some[n + 1 :]) for n in range(len(some))
        ]

    return deal_cards(deck, men, max_cards, states_after_card, len(men))
