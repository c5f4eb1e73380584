"""The shape of `ruleset.yaml`: what each table holds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.rules import Book, RefersTo, RulesetFile

__all__ = ["Formation", "Ground", "Mover", "PaychestFile", "Profile", "Result", "Weapon"]

Kind = Literal["regular", "irregular"]
Inch = StrictInt | StrictFloat
RankName = Annotated[StrictStr, RefersTo("ranks")]


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
    rank: RankName
    firearms: StrictInt
    melee: StrictInt
    shots: StrictInt
    weapons: list[StrictStr]


class Profiles(Ruled):
    profiles: list[Annotated[StrictStr, RefersTo("profiles")]]


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
    """Room on a conveyance or flyer (PAY-080, PAY-082); `either`: a machine gun takes the place of the heavy load."""

    figures: StrictInt
    guns: StrictInt
    machine_guns: StrictInt
    loads: StrictInt
    either: StrictBool = False


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
    result: Annotated[StrictStr, RefersTo("results")]


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
    staff: dict[RankName, StrictInt]
    guns: StrictInt = 0
    of: dict[Annotated[StrictStr, RefersTo("organisation")], Share] = Field(default_factory=dict)


class Figures(Ruled):
    figures: StrictInt


class Mapping(Book):
    """How the words of a neutral scenario become terms of these rules."""

    area_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain")]]
    linear_terrain: dict[str, Annotated[StrictStr, RefersTo("terrain", "obstacles")]]
    kind: dict[str, Kind]
    weapon: dict[str, Annotated[StrictStr, RefersTo("weapons", besides=("none",))]]
    close_weapon: dict[str, StrictStr]
    rank_regular: dict[str, RankName]
    rank_irregular: dict[str, RankName]
    officer_above_figures: Figures
    rank_words: dict[RankName, StrictStr]
    muster: dict[str, dict[str, dict[str, StrictStr]]]


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
    bearers_apart: Inches
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
