"""The choices of the melee step: whether to fight, and the pairing of figures (PAY-136, PAY-137, PAY-142)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zareba.actions import ActionTable, SimpleAction
from zareba.base.grammar import amount
from zareba.base.speedups import cached_attribute
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.melee import Fight, contacts, fight, pair_all
from zareba_rulesets.paychest.chapters.movement import EACH
from zareba_rulesets.paychest.chapters.sight import enemies_touched, foes_near, touches
from zareba_rulesets.paychest.estimates import UNIT_SIZE, expected_melee_losses, skill_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

STAY, _NOBODY = "does not fight", "nobody else"


class FightingUnit:
    """A unit in its melee step. `touched` holds the enemies that each figure touches, `pairs` the figures against
    each.
    """

    def __init__(self, battle: Battle, unit: Unit, touched: dict[str, list[str]]) -> None:
        self.battle, self.unit, self.touched = battle, unit, touched
        self.pairs: dict[str, list[str]] = {}


class MeleeView:
    """A unit in its melee step, as an AI player sees it."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        self.most = battle.book.file.most_against_one.most

    @cached_attribute
    def touched(self) -> dict[str, list[str]]:
        """The enemies that each figure touches."""
        return contacts(self.battle, self.unit)


def melee_step(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the phasing player pair figures with enemies they touch, or decline; then resolve the fights in order."""
    for pairing in _declare(table, battle, unit):
        own_figures, enemies = _still_there(battle, pairing.ours), _still_there(battle, pairing.theirs)
        pairs = [(own.spec.id, foe.spec.id) for own in own_figures for foe in enemies if touches(battle, own, foe)]
        if pairs:  # skip figures that are out or have run
            still_ours, still_theirs = {own for own, _ in pairs}, {foe for _, foe in pairs}
            ours = tuple(figure.spec.id for figure in own_figures if figure.spec.id in still_ours)
            theirs = tuple(figure.spec.id for figure in enemies if figure.spec.id in still_theirs)
            fight(table, battle, Fight(ours, theirs))


def _still_there(battle: Battle, figures: Sequence[str]) -> list[Figure]:
    """Return the able figures among some that no result of this step has moved away (PAY-063)."""
    found = [battle.figure(key) for key in figures if key not in battle.moved_away]
    return [figure for figure in found if figure.able]


def _declare(table: Table, battle: Battle, unit: Unit) -> list[Fight]:
    """Return the fights that the phasing player orders (PAY-136, PAY-137, PAY-142)."""
    touched = contacts(battle, unit)
    if not touched:
        return []
    side, actor = unit.spec.side, unit.spec.id
    fighters, actions = FightingUnit(battle, unit, touched), MELEE_ACTIONS.for_session(battle.book.rules)
    options: list[Option] = [row.verb for row in (_FIGHT_ALL, _FIGHT_SINGLY, _NO_MELEE) if row.is_legal(fighters)]
    options += actions.house_options(fighters, battle)
    action = actions.action_of(table.choose(side, options, why="melee", rule="PAY-136", actor=actor))
    assert action is not None, "only actions of the table are offered"
    actions.perform(action, table, fighters)
    return _joined_by_enemies(table, battle, unit, fighters.pairs)


def _pair_by_hand(
    table: Table, side: str, touched: dict[str, list[str]], max_against_one: int, actor: str
) -> dict[str, list[str]]:
    """Let the owner pair the figures one by one.

    Fights are resolved in the order in which their enemies were first named.
    """
    against: dict[str, list[str]] = {}
    unpaired = dict(touched)
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
    """Pair all figures with the enemies they touch, as many against each as the rules allow."""
    fighters.pairs = pair_all(fighters.touched, fighters.battle.book.file.most_against_one.most)


def _fight_singly(table: Table, fighters: FightingUnit) -> None:
    """Let the owner choose an opponent for each figure."""
    unit, max_against_one = fighters.unit, fighters.battle.book.file.most_against_one.most
    fighters.pairs = _pair_by_hand(table, unit.spec.side, fighters.touched, max_against_one, unit.spec.id)


def double_up(touched: dict[str, list[str]], max_against_one: int) -> dict[str, list[str]]:
    """Return the figures against each enemy if every figure picks the enemy touched by most of its friends."""
    crowd = Counter(foe for foes in touched.values() for foe in foes)
    against: dict[str, list[str]] = {}
    for man, foes in touched.items():
        free = [foe for foe in foes if len(against.get(foe, ())) < max_against_one]
        if free:
            against.setdefault(max(free, key=lambda foe: (crowd[foe], foe)), []).append(man)
    return against


def _evaluate_fights(battle: Battle, pairs: dict[str, list[str]]) -> Evaluation:
    """Return the value of some fights: the expected losses of both sides.

    A unit that outnumbers its opponent more than two to one can afford its losses better.
    """
    theirs = ours = weighed = 0.0
    out = battle.book.out_chance
    for foe, men in pairs.items():
        figures, enemy = [battle.figure(man) for man in men], battle.figure(foe)
        skills = tuple(sorted(skill_of(battle, figure) for figure in figures))
        gain, loss = expected_melee_losses(skills, skill_of(battle, enemy), out)
        share = 2 * len(battle.unit_of(enemy).able) / max(1, len(battle.unit_of(figures[0]).able))
        theirs, ours, weighed = theirs + gain, ours + loss, weighed + loss * min(1.0, share)
    fewer = "fewer men than the enemy" if ours < theirs else "no fewer men than the enemy"
    reason = f"in {amount(len(pairs), 'fight')} we should lose {fewer}"
    return Evaluation(theirs / UNIT_SIZE, weighed / UNIT_SIZE, reason=reason)


_FIGHT_ALL: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    "fight all",
    "fight all",
    is_legal=lambda fighters: True,
    effect=_fight_all,
    evaluation=lambda view: _evaluate_fights(view.battle, pair_all(view.touched, view.most)),
    odds="melee",
)
_FIGHT_SINGLY: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    EACH,
    "man by man",
    is_legal=lambda fighters: len(fighters.touched) > 1 or any(len(foes) > 1 for foes in fighters.touched.values()),
    effect=_fight_singly,
    evaluation=lambda view: _evaluate_fights(view.battle, double_up(view.touched, view.most)),
)
_NO_MELEE: SimpleAction[FightingUnit, MeleeView] = SimpleAction(
    "no melee",
    "no melee",
    is_legal=lambda fighters: True,
    effect=lambda table, fighters: None,
    evaluation=lambda view: Evaluation(reason="no man is lost without a fight"),
)

MELEE_ACTIONS: ActionTable[FightingUnit, MeleeView] = ActionTable(
    "melee", _FIGHT_ALL, _FIGHT_SINGLY, _NO_MELEE, formats=FORMATS
)
