"""The shape of `ruleset.yaml`, and the numbers of a session made ready for play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.chance import Counts
from zareba.rules import Book, Rules, RulesetFile

__all__ = [
    "Formation",
    "Ground",
    "Mover",
    "PaychestBook",
    "PaychestFile",
    "Profile",
    "Result",
    "Settings",
    "Weapon",
    "up_to",
]

Kind = Literal["regular", "irregular"]
Inch = StrictInt | StrictFloat


class Ruled(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class Inches(Ruled):
    inches: Inch


class Times(Ruled):
    times: StrictFloat


class Bounds(Ruled):
    least: StrictInt
    most: StrictInt


class Most(Ruled):
    most: StrictInt


class Profile(Ruled):
    """A line of Table 1: what a figure of this sort usually is (PAY-017)."""

    kind: Kind
    rank: StrictStr
    firearms: StrictInt
    melee: StrictInt
    shots: StrictInt
    weapons: list[StrictStr]


class Profiles(Ruled):
    profiles: list[StrictStr]


class Quality(Ruled):
    firearms: StrictInt
    melee: StrictInt


class Rank(Ruled):
    """A rank: its line in Table 11, 1 the highest, and whether it makes a leader figure (PAY-035, PAY-092)."""

    line: StrictInt
    leader: StrictBool


class Mover(Ruled):
    """Dice of a move by gait; `run` 0: it cannot run. `ground` is its column of Table 3 (PAY-066)."""

    advance: StrictInt
    run: StrictInt
    ground: Literal["foot", "mounted", "wheels", "air"]


class Conveyance(Ruled):
    """Room on a conveyance or flyer (PAY-080, PAY-082)."""

    figures: StrictInt
    guns: StrictInt
    machine_guns: StrictInt


class Altitude(Ruled):
    most: StrictInt
    inches_a_step: Inch


class Ground(Ruled):
    """An area: price per inch by mover; a line: price of crossing. None: closed (PAY-085)."""

    title: StrictStr
    foot: Inch | None
    mounted: Inch | None
    wheels: Inch | None
    sight: Literal["open", "blocks", "thick", "crest"]
    cover: Literal["none", "soft", "hard"]
    exposure: Literal["open", "low_wall", "parapet", "wagon"] = "open"
    way: StrictBool = False
    climb: StrictBool = False

    def price(self, column: str) -> float | None:
        """The price for `foot`, `mounted` or `wheels`; the air is free."""
        price: float | None = 1 if column == "air" else getattr(self, column)
        return price


class Growth(Ruled):
    inches_through_growth: Inch


class Weapon(Ruled):
    """Upper ends of the range bands in inches; None where there is no such band (PAY-026)."""

    short: Inch
    medium: Inch
    long: Inch | None = None
    hands: StrictInt
    shots_at_most: StrictInt | None = None


class Names(Ruled):
    weapons: list[StrictStr]


class FirstDie(Ruled):
    first: StrictInt


class GunRules(Ruled):
    crew: StrictInt
    pushers: StrictInt
    irregular_shots: StrictInt
    figures_a_bonus: StrictInt
    hit_dice: StrictInt


class CardClass(Ruled):
    """Cards of equal effect: location, result, copies in the pack, and which playing cards they are (PAY-116)."""

    location: StrictStr
    result: Literal[
        "killed",
        "unconscious",
        "crippled_leg",
        "leg_wound",
        "smashed_arm",
        "arm_wound",
        "body_wound",
        "graze",
    ]
    copies: StrictInt
    cards: StrictStr


class Wounds(Ruled):
    wounds: StrictInt


class Least(Ruled):
    least: StrictInt


class Locations(Ruled):
    locations: list[StrictStr]


class Passing(Ruled):
    dice: StrictInt
    passes_at: StrictInt


class Dice(Ruled):
    dice: StrictInt


class Total(Ruled):
    total: StrictInt


class ResultOf(Ruled):
    result: StrictStr


class Result(Ruled):
    """What a result of the second morale roll does (PAY-151 to PAY-162)."""

    dice: StrictInt = 0
    when: Literal["now", "next"]
    backs: StrictBool = False
    rout: StrictBool = False
    rallies: StrictBool = False
    figures: StrictInt = 0


class Carried(Ruled):
    inches_carried: Inch


class Share(Book):
    least: StrictInt
    most: StrictInt | None = None


class Formation(Ruled):
    """One line of Table 10: its own figures by rank, and the formations that it is made of (PAY-198)."""

    title: StrictStr
    kind: Kind
    arm: Literal["infantry", "cavalry", "artillery", "machine_gun"]
    card: StrictBool
    staff: dict[str, StrictInt]
    guns: StrictInt = 0
    of: dict[str, Share] = Field(default_factory=dict)


class Figures(Ruled):
    figures: StrictInt


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    area_terrain: dict[str, StrictStr]
    linear_terrain: dict[str, StrictStr]
    kind: dict[str, Kind]
    weapon: dict[str, StrictStr]
    close_weapon: dict[str, StrictStr]
    rank_regular: dict[str, StrictStr]
    rank_irregular: dict[str, StrictStr]
    officer_above_figures: Figures


class PaychestFile(RulesetFile):
    """The whole of `ruleset.yaml`."""

    bases: dict[Literal["foot", "mounted", "gun", "conveyance"], Inches]
    contact: Inches
    cohesion_at_start: Inches
    skill_bounds: Bounds
    profiles: dict[str, Profile]
    legion_profiles: Profiles
    quality: dict[str, Quality]
    quality_bounds: Bounds
    ranks: dict[str, Rank]
    movers: dict[str, Mover]
    fixed_inches_per_die: Inches
    halved_by_load: Times
    halved_by_leg_wound: Times
    saddling: Times
    getting_off: Times
    mounts_led: Most
    conveyances: dict[str, Conveyance]
    altitude: Altitude
    terrain: dict[str, Ground]
    obstacles: dict[str, Ground]
    sight: Growth
    friends_block_beyond: Inches
    climb_contact: Inches
    weapons: dict[str, Weapon]
    blades: Names
    target_stretch: Inches
    gun_stretch: Inches
    double_roll: FirstDie
    guns: dict[Literal["machine_gun", "shell"], GunRules]
    casualty_cards: dict[str, CardClass]
    leg_wounds_that_lame: Wounds
    recovery: Least
    exposure: dict[str, Locations]
    leader_loss: Passing
    leader_loss_irregular: ResultOf
    leader_loss_fall_back: ResultOf
    morale: Dice
    rally: Passing
    cover_shock: Total
    second_morale: dict[Kind, dict[str, ResultOf]] = Field(min_length=2)
    results: dict[str, Result]
    short_of_enemies: Inches
    brave_deeds: Carried
    held_within: Inches
    most_appearances: Most
    unit_size: Bounds
    guns_that_warn: Most
    organisation: dict[str, Formation]
    mapping: Mapping


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`."""

    double_fire: str
    commander_card: str
    acting_corporal_choice: str
    gait_scope: str
    movement_method: str
    melee_lock: str
    flyers: str
    los_figures_block: str
    group_gap_in: float
    second_shot_target: str
    fire_in_contact: str
    hit_spread: str
    six_misses: bool
    casualty_reshuffle: str
    collapse_at_wounds: int
    unconscious_recovery: str
    remove_irregular_casualties: bool
    morale_counts: str
    leader_loss_regulars: str
    leader_loss_scope: str
    two_to_one_dice: str
    back_turned_melee: int
    melee_excess_spread: str
    retreat_direction: str
    rally_may_act: str
    routers_test: bool
    single_figure_morale: str
    mg_cover_modifier: str
    group_bonus_counts: str
    jam_test: str
    jam_effect: str
    jam_clear: str
    mg_shots_regular: int
    artillery_shots_regular: int
    exposure_check: str
    shock_trigger: str
    recycle_irregulars: str


def up_to(score: int) -> Counts:
    """How many six-sided dice (PAY-009) show `score` or less, as a tuple of that one number."""
    return Counts((frozenset(range(1, score + 1)),))


class PaychestBook:
    """The numbers of a session as plain attributes and tables, looked up millions of times."""

    __slots__ = (
        "bands",
        "bases",
        "blades",
        "cards",
        "contact",
        "exposed",
        "file",
        "leader_ranks",
        "movers",
        "ranges",
        "rank_order",
        "results",
        "rows",
        "rules",
        "second_morale",
        "settings",
    )

    def __init__(self, rules: Rules) -> None:
        file = rules.book
        assert isinstance(file, PaychestFile), "the registry validates ruleset.yaml with PaychestFile"
        self.rules = rules
        self.file = file
        self.settings = Settings(**{field.name: rules.settings[field.name] for field in fields(Settings)})
        self.contact = float(file.contact.inches)
        self.bases = {name: base.inches / 2 for name, base in file.bases.items()}
        self.blades = frozenset(file.blades.weapons)
        self.cards = file.casualty_cards
        self.exposed = {name: frozenset(entry.locations) for name, entry in file.exposure.items()}
        self.movers = file.movers
        self.results = file.results
        self.rank_order = {name: (rank.line, place) for place, (name, rank) in enumerate(file.ranks.items())}
        self.leader_ranks = frozenset(name for name, rank in file.ranks.items() if rank.leader)
        self.bands = {name: _bands(weapon) for name, weapon in file.weapons.items()}
        self.ranges = {name: bands[-1][1] for name, bands in self.bands.items()}
        self.second_morale = {
            kind: {int(roll): row.result for roll, row in rows.items()} for kind, rows in file.second_morale.items()
        }
        self.rows = {kind: _rows(rows) for kind, rows in self.second_morale.items()}

    def band(self, weapon: str, inches: float) -> str | None:
        """The range band of a distance, limits included (PAY-008); None beyond the weapon's reach."""
        for name, limit in self.bands[weapon]:
            if inches <= limit:
                return name
        return None

    def radius(self, base: str) -> float:
        """Half the width of a base: foot, mounted, gun or conveyance (PAY-007)."""
        return self.bases[base]  # type: ignore[index]  # callers name one of the four

    def full_deck(self) -> dict[str, int]:
        """The 52 casualty cards by class (PAY-116)."""
        return {name: card.copies for name, card in self.cards.items()}


def _bands(weapon: Weapon) -> tuple[tuple[str, float], ...]:
    bands = (("short", weapon.short), ("medium", weapon.medium), ("long", weapon.long))
    return tuple((name, float(limit)) for name, limit in bands if limit is not None)


def _rows(results: dict[int, str]) -> dict[str, int]:
    """Result -> its row, 1 the worst; a rout off the table is worse than row 1 (PAY-169)."""
    rows: dict[str, int] = {"rout_4d6_off_board": 0}
    for row, result in sorted(results.items()):
        rows.setdefault(result, row)
    return rows
