"""Counter-attacks: a man who has been hit shoots back in the enemy's activation (FBN-096 to FBN-102)."""

from __future__ import annotations

from zareba.base.state import Record, facts, record
from zareba.rules import procedure
from zareba.space.geometry import box_between
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import d12_result
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import target_figures
from zareba_rulesets.fixed_baynet.chapters.fire.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight.openings import may_use_opening, opening_to, use_opening
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.chapters.sight.sight import in_arc, range_between, sees, stand_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["ALL", "NONE", "Answers", "CounterFacts", "lose_thrown_spear", "may_answer", "resolve_counter_attack"]

ALL, NONE, EACH = "answer every hit", "answer none", "ask at each hit"


@facts
class CounterFacts:
    """The CS of the man who answers, and the printed DS of the man who shot him (FBN-097)."""

    cs: int
    ds: int


@record
class Answers(Record):
    """The target owner's decision about counter-attacks against a volley. The owner decides at the first hit.

    One object is passed along with all shots of a volley and counts them.
    """

    word: str = ""
    shots: int = 0

    def is_wanted(self, table: Table, unit: Unit, figure: Figure, foe: Figure, single: bool) -> bool:
        """Return True if the owner wants this counter-attack (FBN-102).

        He decides for the whole volley or at each hit.
        """
        side = unit.spec.side
        if not single and not self.word:
            self.word = table.choose(
                side,
                (ALL, NONE, EACH),
                why="counter-attack",
                rule="FBN-102",
                actor=unit.spec.id,
                about=(figure.spec.id, foe.spec.id),
            )
        if self.word in (ALL, NONE):
            return self.word == ALL
        return table.confirm(side, why="answer", rule="FBN-102", actor=figure.spec.id, about=(foe.spec.id,))


def may_answer(battle: Battle, unit: Unit, figure: Figure, foe: Figure) -> bool:
    """Return True if a man may answer a small-arms shot (FBN-079, FBN-096, FBN-098, FBN-099, FBN-100).

    A comrade's shot is never answered.
    """
    rule = battle.book.settings.counter_attack
    if rule == "off" or "activated" in unit.marks or unit.spec.side == foe.spec.side:
        return False
    if battle.counters_left(figure) < 1 or figure.reaction in ("freeze", "flee") or "stunned" in figure.marks:
        return False
    if figure.weapon == "none" or "arm_heavy" in figure.locations:
        return False
    dying = figure.wounds <= 0 or not figure.locations.isdisjoint(("chest_heavy", "head_heavy"))
    if dying and rule == "survivors":
        return False
    away = range_between(battle, figure, foe)
    if band_of(battle, figure, away) is None:
        return False
    if not in_arc(figure, stand_point(battle, foe), battle.book.fire_half_arc, stand_point(battle, figure)):
        return False
    if figure.place and not may_use_opening(battle, figure, _opening_towards(battle, figure, foe)):
        return False
    home = battle.home(foe.spec.id)
    if home is None or not target_figures(battle, unit.spec.side, home, (foe,)):
        return False
    return sees(battle, figure, foe, battle.field.scene(box_between(figure.at, foe.at)))


def _opening_towards(battle: Battle, figure: Figure, foe: Figure) -> str:
    return opening_to(battle, figure, stand_point(battle, foe), foe.place)


@procedure("counter_attack.answer")
def resolve_counter_attack(
    table: Table,
    battle: Battle,
    unit: Unit,
    figure: Figure,
    foe_unit: Unit,
    foe: Figure,
    answers: Answers,
    single: bool,
) -> None:
    """Roll a counter-attack: D12 + CS against the firer's printed DS.

    A counter-attack is never answered (FBN-097, FBN-101).
    """
    if foe.spec.id not in foe_unit.figures or not may_answer(battle, unit, figure, foe):
        return
    if not answers.is_wanted(table, unit, figure, foe, single):
        return
    figure.spent += 1
    rise_to_attack(figure)
    weapon = battle.book.weapons[figure.weapon]
    if figure.place:
        use_opening(battle, figure, _opening_towards(battle, figure, foe))
    situation = CounterFacts(figure.spec.cs + chest_sign(battle, figure), foe.spec.ds)
    result = roll_answer(table, situation, figure.spec.id)
    lose_thrown_spear(battle, figure)
    table.emit("answer", "FBN-097", unit=unit.spec.id, figure=figure.spec.id, target=foe.spec.id, result=result)
    if result:
        resolve_hit(table, battle, foe_unit, foe, result == 2, weapon.damage, "fire", unit)


def lose_thrown_spear(battle: Battle, figure: Figure) -> None:
    """Remove a spear that was thrown, if the setting says it is lost (FBN-192)."""
    if battle.book.settings.thrown_spear_lost and battle.book.weapons[figure.weapon].close:
        figure.weapon = "none"
        figure.mark("disarmed")


def roll_answer(table: Table, situation: CounterFacts, actor: str) -> int:
    """Roll D12 + CS against DS: 0 miss, 1 hit, 2 critical. A 1 misses and a 12 is critical (FBN-097)."""
    need, by = situation.ds - situation.cs, f"DS {situation.ds} less CS {situation.cs}"
    return d12_result(table, need, why="counter-attack", rule="FBN-097", actor=actor, by=by)
