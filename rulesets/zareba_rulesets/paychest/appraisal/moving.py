"""What moves are worth: ground, fire from the new place and into it, coming to grips (PAY-067, PAY-070, PAY-071)."""

from __future__ import annotations

from functools import partial
from math import ceil, dist
from typing import NamedTuple

from zareba.ruleset import Appraisal
from zareba.space import Point
from zareba.table import Choose, Option, Place
from zareba_rulesets.paychest.appraisal.fighting import press
from zareba_rulesets.paychest.appraisal.outlook import Arms, Survey, arms_of, fire_worth, is_bladed
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.goals import Purpose, centre_of, enemy_to_drive_out, nearest_enemy, purpose_of
from zareba_rulesets.paychest.units import Unit

__all__ = ["move", "place", "posture"]

INCH = 0.02
"""Worth of an inch nearer to where a unit wants to be."""
FEAR = 0.12
"""How much of all the fire that could fall on a place counts against going there: it is shared among many targets."""
STRIDE = {"halt": 0.0, "advance": 7.0, "run": 10.5}
"""Inches on foot, on the mean of the dice (Table 2)."""
RIDE = {"halt": 0.0, "advance": 10.5, "run": 17.5}
MUSKETRY = 24.0
"""Inches at which men with rifles had better stand and fire."""
BEHIND = 3.0
"""Inches by which the foremost and the last of a unit are before and behind its middle."""
HURRY = 0.3
"""Worth of blades coming to grips, over and above the melee: fire on the way in is all they get otherwise."""
KEPT = 0.25
"""Worth of staying on a place that is to be held."""
STAND = 1.0
"""Worth of staying there when the turns run out, and of coming to grips with whoever disputes it then."""
HIDE = 0.4
"""How much of that fire counts for getting down when there is nobody to shoot: it cannot touch them there."""
SHELL = 0.3
"""Worth of a gun with a target: 14 splinters or two bursts, half of which miss."""
FAR = 99.0


class Outlook(NamedTuple):
    """A unit about to move: where it stands and wants to be, what it can fire, what is known of its enemies.

    `disputed`: the nearest is one of those who stand on the place that is to be held at the end.
    """

    here: Point
    purpose: Purpose | None
    arms: Arms
    bladed: bool
    reach: float
    survey: Survey
    nearest: Unit | None
    man: Point | None
    disputed: bool
    away: float
    targets: bool
    turn: int


def outlook(battle: Battle, unit: Unit) -> Outlook:
    here = centre_of(unit)
    arms = arms_of(battle, unit)
    survey = Survey(battle, unit.spec.side)
    intruder = enemy_to_drive_out(battle, unit)
    foe = intruder or nearest_enemy(battle, unit)
    nearest, man = (battle.unit_of(foe), foe.at) if foe is not None else (None, None)
    reach = max((battle.book.ranges[weapon] for weapon, _, _ in arms), default=0.0)
    targets = bool(arms) and bool(survey.visible(here, min(reach, MUSKETRY), most=1))
    return Outlook(
        here,
        purpose_of(battle, unit),
        arms,
        is_bladed(battle, arms, len(unit.able)),
        reach,
        survey,
        nearest,
        man,
        intruder is not None,
        dist(here, man) if man is not None else FAR,
        targets,
        battle.turn,
    )


def _stride(unit: Unit, gait: str) -> float:
    rides = any(figure.mount for figure in unit.able)
    return (RIDE if rides else STRIDE)[gait]


def move(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """The gait of a unit, or an act in the place of moving."""
    seen = outlook(battle, unit)
    if unit.spec.single and (seen.purpose is None or seen.purpose.kind not in ("prize", "escort", "claim")):
        return [_alone(option) for option in question.options]
    return [_act(battle, unit, seen, option) for option in question.options]


def _alone(option: Option) -> Appraisal:
    """A commander alone keeps out of it: he is worth a roll for succession and no ground."""
    halts = option == "halt"
    return Appraisal(steadies=0.1 if halts else 0.0, reason="1 man alone gains no ground" if halts else "1 man at risk")


def _act(battle: Battle, unit: Unit, seen: Outlook, option: Option) -> Appraisal:
    if isinstance(option, tuple):
        return _machine(battle, seen, option)
    if option == "clear the jam":
        return Appraisal(inflicts=0.5, reason="a jammed gun fires 0 rounds (PAY-176)")
    if option == "climb":
        return _climb(seen)
    if option not in STRIDE:
        return Appraisal(suffers=0.2, reason="1 order for all will do")
    gait = str(option)
    stride = _stride(unit, gait)
    guns = [key for key in battle.guns_of(unit) if battle.engines[key].at is not None]
    if guns and gait != "halt":
        return Appraisal(suffers=0.5, reason=f"{len(guns)} guns would stay behind (PAY-178)")
    if gait == "halt":
        return _stay(battle, unit, seen)
    best = None
    for goal in _goals(seen):
        worth = _go(battle, unit, seen, goal, stride, gait)
        if best is None or _total(worth) > _total(best):
            best = worth
    return best or Appraisal(suffers=0.01, reason="0 inches to gain")


def _total(worth: Appraisal) -> float:
    return worth.inflicts - worth.suffers + worth.ground + worth.steadies


def _goals(seen: Outlook) -> list[Point]:
    found = [] if seen.purpose is None else [seen.purpose.at]
    return found if seen.man is None else [*found, seen.man]


def _stay(battle: Battle, unit: Unit, seen: Outlook) -> Appraisal:
    fire = _fire_from(battle, seen, seen.here, "halt")
    if any(not battle.engines[key].limbered for key in battle.guns_of(unit)):
        fire = max(fire, SHELL * bool(seen.survey.visible(seen.here, 72.0, most=1)))
    fear = _fear(seen, seen.here)
    kept = 0.0
    if seen.purpose is not None and dist(seen.here, seen.purpose.at) <= seen.purpose.radius:
        kept = {"keep": KEPT, "claim": 0.0 if seen.disputed else STAND}.get(seen.purpose.kind, 0.1)
    return Appraisal(fire, fear, kept, reason=f"stand and fire, worth {fire:.2f}" if fire else "halt: 0 inches to gain")


def _fire_from(battle: Battle, seen: Outlook, at: Point, gait: str) -> float:
    """The best fire on anybody in sight of a place; 0 without a target."""
    if not seen.arms or seen.reach <= 0:
        return 0.0
    worths = [
        fire_worth(battle, seen.arms, away, gait) * (0.4 if enemy.rout else 1.0) * min(1.0, len(enemy.able) / 6)
        for away, enemy in seen.survey.visible(at, seen.reach, most=3)
    ]
    return max(worths, default=0.0)


def _haste(seen: Outlook, far: float, stride: float) -> float:
    """How much dearer an inch is: with a prize, with men to bring away, for blades, and when the turns run out.

    Men with rifles and a target first win the fire fight.
    """
    purpose = seen.purpose
    if purpose is not None and purpose.kind in ("prize", "escort"):
        return 3.0
    if purpose is not None and purpose.due and purpose.due - seen.turn - ceil(far / max(stride, 7.0)) <= 0:
        return 4.0
    if seen.bladed:
        return 2.0
    return 0.3 if seen.targets else 1.0


def _go(battle: Battle, unit: Unit, seen: Outlook, goal: Point, stride: float, gait: str) -> Appraisal:
    """Going towards a goal: inches gained, the fire from there, fire received, and the melee if it comes to one."""
    far = dist(seen.here, goal)
    share = min(1.0, stride / far) if far else 0.0
    end = (seen.here[0] + (goal[0] - seen.here[0]) * share, seen.here[1] + (goal[1] - seen.here[1]) * share)
    ground = 0.0
    purpose = seen.purpose
    if purpose is not None:
        left, remains = dist(seen.here, purpose.at), dist(end, purpose.at)
        gain = max(0.0, left - purpose.radius) - max(0.0, remains - purpose.radius)
        ground = gain * INCH * _haste(seen, left, stride)
    if seen.nearest is not None and _is_free(seen):
        ground += max(0.0, min(stride, seen.away)) * INCH * (share > 0 and goal != (purpose and purpose.at)) * 0.8
    fire = _fire_from(battle, seen, end, gait)
    fear = _fear(seen, end)
    reached = _reached(seen, goal, stride)
    if reached and seen.nearest is not None:
        dealt, taken = press(battle, unit, seen.nearest)
        stopped = fire_worth(battle, seen.survey.arms(seen.nearest), 6.0, "halt")
        stopped *= 0.3 * min(1.0, len(unit.able) / len(seen.nearest.able))
        words = "charge at the {}, {:.1f} come to grips: {:.2f} dealt for {:.2f}"
        reason = partial(words.format, gait, reached, dealt, taken)
        ground += STAND * reached * seen.disputed
        if seen.bladed:
            return Appraisal(reached * (dealt + stopped + HURRY), 0.5 * reached * taken, ground, reason=reason)
        return Appraisal(reached * (dealt + stopped), reached * taken + fear, ground, reason=reason)
    words = "{} {:.0f} inches: ground {:+.2f}, fire {:.2f}"
    return Appraisal(fire, fear, ground, reason=partial(words.format, gait, min(stride, far), ground, fire))


def _is_free(seen: Outlook) -> bool:
    """Whether a unit may go for the enemy: blades always, others with nothing to do where they are."""
    purpose = seen.purpose
    if seen.bladed or purpose is None:
        return True
    return purpose.kind == "hold" and not seen.targets and dist(seen.here, purpose.at) <= purpose.radius + BEHIND


def _fear(seen: Outlook, at: Point) -> float:
    """What the enemy's fire at a place counts: nothing for blades, who must go through it."""
    return 0.0 if seen.bladed else FEAR * seen.survey.danger(at)


def _reached(seen: Outlook, goal: Point, stride: float) -> float:
    """The share of a unit that comes to grips with the nearest enemy when it goes for him: some are far behind."""
    if seen.man is None or dist(goal, seen.man) > BEHIND:
        return 0.0
    return min(1.0, max(0.0, (stride + BEHIND - seen.away) / (2 * BEHIND)))


def _climb(seen: Outlook) -> Appraisal:
    """Over the wall when what they want lies behind it and nobody is to be shot from here."""
    purpose = seen.purpose
    wanted = purpose is not None and dist(seen.here, purpose.at) > purpose.radius
    return Appraisal(ground=0.35 if wanted else 0.0, reason="over the wall in 1 move (PAY-091)")


def _is_barred(battle: Battle, seen: Outlook) -> bool:
    """Whether riders are near a place where nobody rides."""
    wanted = seen.purpose.at if seen.purpose is not None else seen.here
    return dist(seen.here, wanted) <= STRIDE["run"] and not battle.field.can_stand(wanted, "mounted")


def _machine(battle: Battle, seen: Outlook, option: tuple[object, ...]) -> Appraisal:
    verb = option[0]
    away = seen.away
    if verb == "unlimber":
        close = away < 48 and bool(seen.survey.visible(seen.here, 48.0, most=1))
        return Appraisal(inflicts=0.5 if close else 0.0, reason=f"the enemy is {away:.0f} inches away")
    if verb == "drive":
        engine = battle.engines[str(option[1])]
        gun = engine.kind in ("gun", "machine_gun")
        if gun and seen.survey.visible(seen.here, 40.0, most=1):
            return Appraisal(reason=f"a target {away:.0f} inches away is near enough")
        return Appraisal(ground=0.14 if option[2] == "advance" else 0.2, reason="on the way, 2 or 3 dice a turn")
    if verb == "mount" and option[1] == "down" and _is_barred(battle, seen):
        return Appraisal(ground=0.3, reason=f"the last {STRIDE['run']} inches are for men on foot")
    if verb in ("push", "limber"):
        blind = away > 6 and not seen.survey.visible(seen.here, 48.0, most=1)
        return Appraisal(ground=0.15 if blind and verb == "push" else -0.1, reason="0 targets in sight from here")
    return Appraisal(suffers=0.1, reason="better stay as they are, 0 to gain")


def place(battle: Battle, unit: Unit, question: Place) -> list[Appraisal]:
    """Where to make for: the place from which most is gained."""
    if question.why not in ("move to", "drive to", "carry on to"):
        return [
            Appraisal(ground=0.1 if not n else 0.0, reason=f"place {n + 1} of {len(question.suggestions)}")
            for n in range(len(question.suggestions))
        ]
    seen = outlook(battle, unit)
    gait = "run" if any(figure.gait == "run" for figure in unit.able) else "advance"
    stride = _stride(unit, gait)
    return [
        _stay(battle, unit, seen) if point == seen.here else _go(battle, unit, seen, point, stride, gait)
        for point in question.suggestions
    ]


def posture(battle: Battle, unit: Unit, question: Choose) -> list[Appraisal]:
    """Down when there is nobody to fire at and somebody may fire at them; up to shoot (PAY-086)."""
    seen = outlook(battle, unit)
    fire = _fire_from(battle, seen, seen.here, "halt")
    threat = (FEAR if fire and not seen.bladed else HIDE) * seen.survey.danger(seen.here)
    found = []
    for option in question.options:
        if option == "down":
            found.append(Appraisal(steadies=threat, reason=f"keeps {threat:.2f} of fire off them"))
        elif option == "up":
            found.append(Appraisal(inflicts=fire, steadies=0.001, reason=f"up to fire, worth {fire:.2f}"))
        else:
            found.append(Appraisal(suffers=0.2, reason="1 order for all will do"))
    return found
