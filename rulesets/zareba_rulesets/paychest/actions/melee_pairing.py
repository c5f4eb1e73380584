"""The choices of the melee step: whether to fight, and the pairing of figures (PAY-136, PAY-137, PAY-142)."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from zareba.actions import ActionTable, SimpleAction
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.actor import EACH
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.melee import Fight, contacts, fight, pair_all
from zareba_rulesets.paychest.chapters.sight import enemies_touched, foes_near, touches
from zareba_rulesets.paychest.estimates import SHARE, exchange, skill_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

STAY, _NOBODY = "does not fight", "nobody else"


class FightingUnit:
    """A unit in its melee step. `reach` holds the enemies that each figure touches, `pairs` the figures against
    each.
    """

    def __init__(self, battle: Battle, unit: Unit, reach: dict[str, list[str]]) -> None:
        self.battle, self.unit, self.reach = battle, unit, reach
        self.pairs: dict[str, list[str]] = {}


class MeleeView:
    """What an AI player knows about a unit in its melee step."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        self.most = battle.book.file.most_against_one.most

    @cached_property
    def reach(self) -> dict[str, list[str]]:
        """The enemies that each figure touches."""
        return contacts(self.battle, self.unit)


def melee_step(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the phasing player pair figures with enemies they touch, or decline; then resolve the fights in order."""
    for one in _declare(table, battle, unit):
        able = [
            [figure for key in side if (figure := battle.figure(key)).able and key not in battle.moved_away]
            for side in one
        ]
        met = [(a.spec.id, b.spec.id) for a in able[0] for b in able[1] if touches(battle, a, b)]
        if met:  # skip figures that are out or have run
            ours, theirs = ({pair[place] for pair in met} for place in (0, 1))
            fight(
                table,
                battle,
                Fight(
                    tuple(a.spec.id for a in able[0] if a.spec.id in ours),
                    tuple(b.spec.id for b in able[1] if b.spec.id in theirs),
                ),
            )


def _declare(table: Table, battle: Battle, unit: Unit) -> list[Fight]:
    """Return the fights that the phasing player orders (PAY-136, PAY-137, PAY-142)."""
    reach = contacts(battle, unit)
    if not reach:
        return []
    side, actor = unit.spec.side, unit.spec.id
    fighters, actions = FightingUnit(battle, unit, reach), MELEE_ACTIONS.of(battle.book.rules)
    options: list[Option] = [row.verb for row in (_FIGHT_ALL, _FIGHT_SINGLY, _NO_MELEE) if row.may(fighters)]
    options += actions.house_options(fighters, battle)
    action = actions.read(table.choose(side, options, why="melee", rule="PAY-136", actor=actor))
    assert action is not None, "only actions of the table are offered"
    actions.perform(action, table, fighters)
    return _joined_by_enemies(table, battle, unit, fighters.pairs)


def _pair_by_hand(
    table: Table, side: str, reach: dict[str, list[str]], max_against_one: int, actor: str
) -> dict[str, list[str]]:
    """Let the owner pair the figures one by one.

    Fights are resolved in the order in which their enemies were first named.
    """
    against: dict[str, list[str]] = {}
    unpaired = dict(reach)
    while True:
        free = {
            man: [foe for foe in foes if len(against.get(foe, ())) < max_against_one] for man, foes in unpaired.items()
        }
        men = [man for man, foes in free.items() if foes]
        if not men:
            return against
        man = men[0]
        if len(men) > 1:
            man = table.choose(side, [*men, _NOBODY], why="fights next", rule="PAY-142", actor=actor)
        if man == _NOBODY:
            return against
        foe = table.choose(side, [*free[man], STAY], why="fights", rule="PAY-142", actor=man)
        if foe != STAY:
            against.setdefault(foe, []).append(man)
        del unpaired[man]


def _joined_by_enemies(table: Table, battle: Battle, unit: Unit, against: dict[str, list[str]]) -> list[Fight]:
    """Let unpaired enemies join in against a phasing figure that fights alone, up to the limit per figure (PAY-142)."""
    joined: set[str] = set()
    fights = []
    foes = foes_near(battle, unit)
    for foe, men in against.items():
        theirs: tuple[str, ...] = (foe,)
        if len(men) == 1:
            near = enemies_touched(battle, battle.figure(men[0]), foes)
            spare: list[Option] = [f.spec.id for f in near if f.spec.id not in against and f.spec.id not in joined]
            while spare and len(theirs) < battle.book.file.most_against_one.most:
                owner = battle.side_of(battle.figure(foe))
                helper = table.choose(owner, [*spare, STAY], why="joins against", rule="PAY-142", actor=men[0])
                if helper == STAY:
                    break
                spare.remove(helper)
                joined.add(str(helper))
                theirs = (*theirs, str(helper))
        fights.append(Fight(tuple(men), theirs))
    return fights


# --- actions --------------------------------------------------------------------------------------------------------


def _fight_all(table: Table, fighters: FightingUnit) -> None:
    fighters.pairs = pair_all(fighters.reach, fighters.battle.book.file.most_against_one.most)


def _fight_singly(table: Table, fighters: FightingUnit) -> None:
    unit, max_against_one = fighters.unit, fighters.battle.book.file.most_against_one.most
    fighters.pairs = _pair_by_hand(table, unit.spec.side, fighters.reach, max_against_one, unit.spec.id)


def double_up(reach: dict[str, list[str]], max_against_one: int) -> dict[str, list[str]]:
    """Return the figures against each enemy if every figure picks the enemy touched by most of its friends."""
    crowd = Counter(foe for foes in reach.values() for foe in foes)
    against: dict[str, list[str]] = {}
    for man, foes in reach.items():
        free = [foe for foe in foes if len(against.get(foe, ())) < max_against_one]
        if free:
            against.setdefault(max(free, key=lambda foe: (crowd[foe], foe)), []).append(man)
    return against


def _evaluate_fights(battle: Battle, pairs: dict[str, list[str]]) -> Evaluation:
    """Return the value of some fights: the expected losses of both sides."""
    theirs = ours = 0.0
    out = battle.book.out_chance
    for foe, men in pairs.items():
        skills = tuple(sorted(skill_of(battle, battle.figure(man)) for man in men))
        gain, loss = exchange(skills, skill_of(battle, battle.figure(foe)), out)
        theirs, ours = theirs + gain, ours + loss
    fewer = "fewer men than the enemy" if ours < theirs else "no fewer men than the enemy"
    reason = f"in {amount(len(pairs), 'fight')} we should lose {fewer}"
    return Evaluation(theirs / SHARE, ours / SHARE, reason=reason)


_FIGHT_ALL: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    "fight all",
    "fight all",
    may=lambda fighters: True,
    does=_fight_all,
    worth=lambda view: _evaluate_fights(view.battle, pair_all(view.reach, view.most)),
    odds="melee",
)
_FIGHT_SINGLY: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    EACH,
    "man by man",
    may=lambda fighters: len(fighters.reach) > 1 or any(len(foes) > 1 for foes in fighters.reach.values()),
    does=_fight_singly,
    worth=lambda view: _evaluate_fights(view.battle, double_up(view.reach, view.most)),
)
_NO_MELEE: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    "no melee",
    "no melee",
    may=lambda fighters: True,
    does=lambda table, fighters: None,
    worth=lambda view: Evaluation(reason="no man is lost without a fight"),
)

MELEE_ACTIONS: ActionTable[FightingUnit, MeleeView] = ActionTable(
    "melee", _FIGHT_ALL, _FIGHT_SINGLY, _NO_MELEE, formats=FORMATS
)
