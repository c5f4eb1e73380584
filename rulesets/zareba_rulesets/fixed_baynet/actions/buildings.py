"""Actions at buildings: go through doors and windows, take posts, open and bash doors, climb ladders.

Rules: FBN-244, FBN-253, FBN-254, FBN-260, FBN-275.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, final

from zareba.actions import RulesValue
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    FixedValueManAction,
    FixedValueUnitAction,
    SimpleUnitAction,
    UnitAction,
)
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    bash_door,
    climb_ladder,
    closed_doors_near,
    cross_opening,
    crossings,
    free_openings,
    ladders,
    may_be_posted,
    may_spend_all,
    open_door,
    post_man,
)
from zareba_rulesets.fixed_baynet.chapters.contact import men_held
from zareba_rulesets.fixed_baynet.chapters.movement import may_cross
from zareba_rulesets.fixed_baynet.estimates import UnitView

# --- doors and windows ------------------------------------------------------------------------------------------------


@final
class Cross(UnitAction, verb="cross", text="go through {opening:way} into {section:inside} (1 AC)"):
    """Send all men of the unit who can through an opening, while there is room (FBN-244)."""

    opening: str
    section: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        battle, unit = actor.battle, actor.unit
        found: dict[tuple[str, str], None] = {}
        for man in actor.near_buildings:
            for opening, section in crossings(battle, man):
                if may_cross(battle, unit, man, opening):
                    found[opening.id, section] = None
        for way_id, section in found:
            yield cls(way_id, section)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit = actor.battle, actor.unit
        unit.mark("loose")
        for figure in list(unit.figures.values()):
            if not figure.able:
                continue
            for opening, section in crossings(battle, figure):
                if opening.id == self.opening and section == self.section and may_cross(battle, unit, figure, opening):
                    cross_opening(table, battle, unit, figure, opening, section)
                    break

    def value(self, view: UnitView) -> Evaluation:
        """Return a positive value only for going into the building where the unit is wanted, or out with an object."""
        inside = any(man.place for man in view.unit.figures.values())
        leaves = inside and not self.section and view.objective is not None and bool(view.objective.edge)
        enters = view.house != "" and self.section.partition(":")[0] == view.house and not view.keeps_place
        if leaves or (enters and (view.is_urgent or not view.shoots)):
            return _ON_ITS_WAY
        return _ONLY_MOVES


@final
class CrossAlone(FixedValueManAction, verb="cross", text=Cross.text, fixed_value=AS_A_UNIT.of):
    """Send one man through an opening (FBN-244)."""

    opening: str
    section: str

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        battle = actor.battle
        if battle.field.buildings:
            for opening, section in crossings(battle, actor.man):
                if may_cross(battle, actor.unit, actor.man, opening):
                    yield cls(opening.id, section)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        actor.unit.mark("loose")
        opening = actor.battle.field.openings[self.opening]
        cross_opening(table, actor.battle, actor.unit, actor.man, opening, self.section)


_ON_ITS_WAY = Evaluation(ground=0.2, reason="its way leads through there (FBN-265)")
_ONLY_MOVES = Evaluation(ground=-0.02, reason="after crossing, only movement is allowed (FBN-244)")


# --- posts at openings ------------------------------------------------------------------------------------------------


def _may_man_openings(actor: ActiveUnit) -> bool:
    """Return True if a man without a post has a free opening in his section (FBN-275)."""
    battle = actor.battle
    return actor.able.indoors and any(
        may_be_posted(man) and not man.post and free_openings(battle, man) for man in actor.near_buildings
    )


def _man_openings(table: Table, actor: ActiveUnit) -> None:
    """Post men who have no post at the openings of their sections that have room (FBN-275)."""
    battle, unit = actor.battle, actor.unit
    men = 0
    for figure in unit.figures.values():
        if may_be_posted(figure) and not figure.post:
            openings = [
                opening for opening in free_openings(battle, figure) if not battle.field.openings[opening].other
            ]
            openings = openings or free_openings(battle, figure)
            if openings:
                post_man(battle, figure, openings[0])
                figure.mark("placed")
                men += 1
    if men:
        table.emit("at openings", "FBN-275", unit=unit.spec.id, men=men, of=len(unit.figures))


def _value_of_openings(book: FbnBook) -> Evaluation:
    """Return the value of manning the openings."""
    return Evaluation(ground=0.05, reason=f"{amount(book.users, 'man', 'men')} can fire from each opening (FBN-245)")


_MAN_OPENINGS = SimpleUnitAction(
    "man the openings",
    "man the windows and doors (free)",
    is_legal=_may_man_openings,
    effect=_man_openings,
    evaluation=RulesValue(_value_of_openings),
)


@final
class TakePost(FixedValueManAction, verb="post", text="take post at {opening:way} (free)", fixed_value=AS_A_UNIT.of):
    """Post one man at an opening (FBN-275)."""

    opening: str

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        if may_be_posted(actor.man):
            for opening in free_openings(actor.battle, actor.man):
                yield cls(opening)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        battle, man = actor.battle, actor.man
        post_man(battle, man, self.opening)
        man.mark("placed")
        kind, building = battle.field.openings[self.opening].kind, self.opening.partition(":")[0]
        table.emit("posted", "FBN-275", unit=actor.unit.spec.id, figure=man.spec.id, opening=kind, building=building)


# --- doors and ladders ------------------------------------------------------------------------------------------------


def _at_doors(actor: ActiveUnit) -> Iterator[Bash | Open | Climb]:
    """Yield the actions at doors and ladders, man by man; each door by the first man who can (FBN-253, FBN-254)."""
    battle, unit = actor.battle, actor.unit
    bashed: set[str] = set()
    opened: set[str] = set()
    for man in actor.near_buildings:
        if "crossed" in man.marks or "served" in man.marks:
            continue
        for door in closed_doors_near(battle, man):
            if door not in bashed:
                bashed.add(door)
                yield Bash(man.spec.id, door)
            if door not in opened and may_spend_all(man):
                opened.add(door)
                yield Open(man.spec.id, door)
        if may_spend_all(man) and man.spec.id not in men_held(battle, unit):  # FBN-051
            for ladder in ladders(battle, man):
                yield Climb(man.spec.id, ladder.id)


def _value_of_bashing(book: FbnBook) -> Evaluation:
    """Return the value of bashing a door, with the score needed as its reason (FBN-254)."""
    return Evaluation(
        ground=0.02, reason=f"{book.settings.bash_die.upper()} + CS, {book.file.door.ds} or more (FBN-254)"
    )


@final
class Bash(
    FixedValueUnitAction,
    verb="bash",
    text="{man:man} bashes {door:way}: {die} + CS, {door_ds} or more (1 AC)",
    odds="door",
    fixed_value=_value_of_bashing,
):
    """The first man who can bashes a shut door (FBN-254)."""

    man: str
    door: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        yield from (action for action in _at_doors(actor) if isinstance(action, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        bash_door(table, actor.battle, actor.unit.figures[self.man], self.door)


@final
class Open(
    FixedValueUnitAction,
    verb="open",
    text="{man:man} opens {door:way} (all his AC)",
    fixed_value=lambda book: Evaluation(ground=0.01, reason="opening takes a man his whole activation (FBN-253)"),
):
    """The first man who can opens a shut door (FBN-253)."""

    man: str
    door: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        yield from (action for action in _at_doors(actor) if isinstance(action, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        open_door(table, actor.battle, actor.unit.figures[self.man], self.door)


@final
class Climb(
    FixedValueUnitAction,
    verb="climb",
    text="{man:man} climbs {ladder:way} (all his AC)",
    fixed_value=lambda book: Evaluation(ground=-0.02, reason="climbing takes a whole activation (FBN-260)"),
):
    """A man climbs a ladder (FBN-260)."""

    man: str
    ladder: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        yield from (action for action in _at_doors(actor) if isinstance(action, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        actor.unit.mark("loose")
        climb_ladder(
            table, actor.battle, actor.unit, actor.unit.figures[self.man], actor.battle.field.openings[self.ladder]
        )


AT_BUILDINGS = (Cross, _MAN_OPENINGS, Bash, Open, Climb)


def offer_buildings(menu: LegalActions, actor: ActiveUnit) -> None:
    """Add the legal actions of a unit at buildings to the menu."""
    if not actor.battle.field.buildings or not actor.near_buildings:
        return
    Cross.offer(menu, actor)
    _MAN_OPENINGS.offer(menu, actor)
    menu.extend(action.option for action in _at_doors(actor))
