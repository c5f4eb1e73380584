"""Figures on their roster lines and units with their cards (PAY-006, PAY-011, PAY-029)."""

from __future__ import annotations

from dataclasses import dataclass, field

from zareba.base.state import WithMarks, record, shared
from zareba.space import Point
from zareba.space.field.bases import Base
from zareba.space.geometry import middle_of
from zareba_rulesets.paychest.ground.field import Shelter

__all__ = [
    "FIGURE_MARKS_OF_ACTIVATION",
    "NOWHERE",
    "UNIT_MARKS_OF_ACTIVATION",
    "UNIT_MARKS_OF_TURN",
    "Box",
    "Figure",
    "FigureSpec",
    "Posture",
    "Unit",
    "UnitSpec",
]

Box = tuple[float, float, float, float]

# Marks on a figure by how long they last. Till its own next activation: back turned, down, ran. For the game: lame (cannot
# walk, PAY-120), recovered (knocked out before, PAY-124). During one activation:
FIGURE_MARKS_OF_ACTIVATION = frozenset({"served", "clearing", "held", "mounted"})
UNIT_MARKS_OF_TURN = frozenset({"acted", "skip"})
UNIT_MARKS_OF_ACTIVATION = frozenset({"no move", "no fire", "idle"})

NOWHERE: Box = (0.0, 0.0, -1.0, -1.0)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A roster line as it stands before the battle (PAY-011, PAY-016); one man, one base, one stand (PAY-006).

    `mount`: horse, camel or "" on foot.
    """

    id: str
    unit: str
    name: str
    profile: str
    kind: str
    rank: str
    firearms: int
    melee: int
    shots: int
    weapons: tuple[str, ...]
    mount: str = ""


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """What does not change about a unit: its side, its kind for morale (PAY-014), its figures (PAY-029)."""

    id: str
    name: str
    side: str
    kind: str
    figures: tuple[str, ...]
    legion: bool = False

    @property
    def single(self) -> bool:
        """A unit of one: its roster held one figure when it came on (PAY-135, PAY-170)."""
        return len(self.figures) == 1


@record
class Figure(WithMarks):
    """One man as he stands. `at` None: not on the table. `fate`: able, unconscious, dead, off (driven off), left.

    `wounds` are results of casualty cards in order (PAY-118); `shots` those of this activation; `loads` what he
    carries or leads, ids of things or figures; `brave` his deeds.
    """

    at: Point | None
    fate: str
    gait: str
    weapons: tuple[str, ...]
    rank: str
    mount: str = ""
    marks: frozenset[str] = frozenset()
    wounds: tuple[str, ...] = ()
    shots: int = 0
    loads: tuple[str, ...] = ()
    aboard: str = ""
    brave: int = 0
    appearances: int = 0
    spec: FigureSpec = shared(default=None)

    @property
    def able(self) -> bool:
        """On the table, alive and conscious."""
        return self.fate == "able" and self.at is not None

    @property
    def armless(self) -> bool:
        """With both arms smashed he fires, strikes and carries no more, and is no use at a gun (PAY-121)."""
        return self.wounds.count("smashed_arm") > 1

    @property
    def walks(self) -> bool:
        """Able, and moves by himself: on his legs, or in the saddle (PAY-077, PAY-078)."""
        return self.fate == "able" and self.at is not None and ("lame" not in self.marks or self.mount != "")


@dataclass(slots=True, eq=False)
class Posture:
    """How the figures of a unit stand, in roster order, found out once after each move or loss.

    `able`: on the table, alive and conscious. `bases`: centre, id and figure of those among them who stand on the ground
    itself. `fallen`: those out of action, or able, lame and on foot, who lie on the ground. `middle`: the
    mean of those who walk, for who cannot is left behind; of all who are able where nobody walks. What follows is found
    when first asked for, and goes with the standing: `taken`, the bases with their radii, for whoever must find his way
    between them; `seen`, whom of the able some muzzles have in sight and range; `groups`, how the able hang together as
    a target; `sheltered`, figure by figure those whom the ground covers, with all the cover that each has of it;
    `threat`, what the fire of its men is worth at the halt, up to each range, for commanders.
    """

    figures: dict[str, Figure]
    able: list[Figure]
    bases: list[tuple[float, float, str, Figure]]
    fallen: list[Figure]
    middle: Point
    taken: list[Base] | None = None
    seen: dict[frozenset[tuple[Point, float, float]], list[Figure]] = field(default_factory=dict)
    groups: list[list[Figure]] | None = None
    sheltered: dict[str, tuple[Shelter, ...]] | None = None
    threat: tuple[tuple[float, ...], tuple[float, ...]] | None = None


def _standing(figures: dict[str, Figure]) -> Posture:
    able, bases, fallen, walking = [], [], [], []
    for key, figure in figures.items():
        at = figure.at
        if at is None:
            continue
        if figure.fate == "able":
            able.append(figure)
            if not figure.aboard:
                bases.append((at[0], at[1], key, figure))
                if "lame" in figure.marks and not figure.mount:
                    fallen.append(figure)
                else:
                    walking.append(at)
        elif not figure.aboard:
            fallen.append(figure)
    spots = walking or [f.at for f in able if f.at is not None]
    return Posture(figures, able, bases, fallen, middle_of(spots) if spots else (0.0, 0.0))


@record
class Unit(WithMarks):
    """A unit as it stands. `hits` of this turn (PAY-127); `lost` leaders already lost (PAY-132).

    `pending` a forced move for its next activation, `rout` a rout that runs, each a result with its row (PAY-169).
    `box` bounds the centres of its able figures; `shot_at` what its last volley of this activation was aimed at,
    `aimed` the leaders who have shot in it, each with the unit or stretch that he shot at (PAY-102), `volleys` those of its group.
    """

    figures: dict[str, Figure]
    leader: str
    hits: int = 0
    lost: tuple[str, ...] = ()
    pending: str = ""
    pending_row: int = 9
    rout: str = ""
    rout_row: int = 9
    marks: frozenset[str] = frozenset()
    box: Box = NOWHERE
    shot_at: str = ""
    aimed: tuple[tuple[str, str], ...] = ()
    volleys: int = 0
    spec: UnitSpec = shared(default=None)
    known: Posture | None = shared(default=None)

    @property
    def standing(self) -> Posture:
        """How its figures stand, as of the last `measure`; a copy of the unit finds out for itself."""
        known = self.known
        if known is None or known.figures is not self.figures:
            known = self.known = _standing(self.figures)
        return known

    @property
    def able(self) -> list[Figure]:
        """The able figures in roster order."""
        known = self.known
        if known is None or known.figures is not self.figures:
            known = self.known = _standing(self.figures)
        return known.able

    def measure(self) -> None:
        """Bring `box` and `standing` up to date; after every move, loss and change of mount or seat."""
        self.known = None
        spots = [f.at for f in self.figures.values() if f.fate == "able" and f.at is not None]
        if not spots:
            self.box = NOWHERE
            return
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        self.box = (min(xs), min(ys), max(xs), max(ys))
