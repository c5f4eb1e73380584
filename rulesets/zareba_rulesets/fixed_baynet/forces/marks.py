"""Marks: the words on a unit or a figure that record what it has done or suffered, and when each of them ends.

Marks are plain strings (`unit.mark("pinned")`), so that journals keep them and house rules can test them
(`unit.is.pinned`).

The column "set by" names modules of `chapters`, if no other package is given.

Marks of a figure:

| mark | meaning | set by | ends | |---|---|---|---| | charged | has charged: no further movement action (FBN-041) |
melee, mounted_charges, panic | end of activation | | moved | has spent AC on movement, which meets an order to fall
back (FBN-160) | movement, manoeuvre, cavalry, melee, panic | end of activation | | crossed | went from one section to
another: may only move on (FBN-244) | buildings | end of activation | | placed | was posted at an opening, which is free
only once (FBN-275) | actions/buildings | end of activation | | fired | fired a small arm: may not heal (FBN-137) | fire
| end of activation | | at UNIT | named this unit as target: no second target order (FBN-038) | fire | end of activation
| | healed | treated a patient: may neither fire nor treat another (FBN-137) | morale | end of activation | | served |
gave all his AC to a gun or a heavy door (FBN-205, FBN-253) | crews, buildings | end of activation | | serves N | served
gun N of his unit, and may serve it again (FBN-205) | crews | end of activation | | noticed NAME | has tested for this
terrain at night (FBN-239) | night | end of activation | | halted | stumbled over terrain at night: no further movement
(FBN-239) | night | end of activation | | steadied | a rally improved his GL: no second time (FBN-159) | morale | end of
turn | | used OPENING | has fired through this opening, which has a limit of users (FBN-245) | sight | end of turn | |
through OPENING | has fought through this opening, which has a limit of fighters (FBN-275) | melee | end of turn | |
stunned | head wound: neither moves nor fights (FBN-131) | hits | end of his next activation, or a medic | | dazed |
that next activation has begun: `stunned` ends with it | actions/activation | end of activation | | prone | lies down
(FBN-052) | morale.lie_down | he gets up or attacks | | shown | attacked, but must stay prone: a target meanwhile
(FBN-133, FBN-168) | morale | his next activation | | disarmed | threw his only spear or was a prisoner: no weapon
(FBN-192, FBN-112) | aiming, hits | never | | horse X Y | his horse stands at this point (FBN-186, FBN-187) |
Figure.leave_horse | he mounts |

Marks of a unit:

| mark | meaning | set by | ends | |---|---|---|---| | checked | has made its voluntary glory check (FBN-036) | morale |
end of activation | | faced | has turned on the spot, and has done nothing since (FBN-049) | actions/drill | next act |
| loose | men acted singly: test the formation when the activation ends (FBN-272) | many | end of activation | | deed |
took a leader, a bearer or a gun: heroic (FBN-161) | hits, crews | end of activation | | took a gun | the deed was a gun
| crews | end of activation | | back next | ordered to fall back in its own activation: obeys in the next one (FBN-160)
| morale | end of activation | | stuck | no legal march was found; not offered again | actions/movement | next march, or
end of activation | | stuck GAIT | the same for a ride at gait 1, 2 or 3 | actions/movement | next march, or end of
activation | | stuck wheel | the same for a ride with turns | mounted_charges | next march, or end of activation | |
activated | has had its activation (FBN-013) | actions/activation | end of turn | | rallied | an officer rallied it:
neither again nor ordered back (FBN-159) | morale | end of turn | | ordered_back | was ordered to fall back: neither
again nor rallied (FBN-160) | morale | end of turn | | heartened | saw a heroic deed: no second time (FBN-161) | morale
| end of turn | | tested | has made its glory test (FBN-148) | morale | end of turn | | half turn | suffered the event
of half strength this turn (FBN-141, `each_turn`) | morale | end of turn | | half | suffered the event of half strength
(FBN-141, `once`) | morale | never | | due | suffered a glory event: owes a test (FBN-147) | morale | glory test | |
cluster | charged in closed order or mass: an easier target (FBN-059) | melee, mounted_charges | its next activation | |
pinned | under heavy fire: prone men cannot get up (FBN-231) | fire, machine_guns | end of a turn without a shot at it |
| unformed | its men do not keep their formation: counts as open order (FBN-272) | many | it forms up | | hidden | not
yet known to the enemy (FBN-078) | setting_up | it acts, or an enemy finds it | | away | off the table: still to arrive
(FBN-011), or has left (FBN-265) | setting_up, victory | it arrives |
"""

from __future__ import annotations

from collections.abc import Iterable

# Marks of a figure that end with the activation of its unit. The words are followed by a name.
ACTIVATION_MARKS = frozenset({"charged", "crossed", "healed", "fired", "halted", "served", "moved", "placed"})
_ACTIVATION_WORDS = ("at ", "noticed ", "serves ")
# Marks of a figure that end with the turn
TURN_MARKS = frozenset({"steadied"})
_TURN_WORDS = ("used ", "through ")
# Marks of a unit
UNIT_TURN_MARKS = frozenset({"activated", "rallied", "heartened", "ordered_back", "tested", "half turn"})
UNIT_ACTIVATION_MARKS = frozenset(
    {
        "checked",
        "faced",
        "loose",
        "deed",
        "took a gun",
        "back next",
        "stuck",
        "stuck 1",
        "stuck 2",
        "stuck 3",
        "stuck wheel",
    }
)


def after_activation(marks: Iterable[str]) -> frozenset[str]:
    """Return the marks of a figure that outlast its unit's activation."""
    lasting = frozenset(marks) - ACTIVATION_MARKS
    return frozenset([mark for mark in lasting if not mark.startswith(_ACTIVATION_WORDS)]) if lasting else lasting


def after_turn(marks: Iterable[str]) -> frozenset[str]:
    """Return the marks of a figure that outlast the turn."""
    return frozenset([mark for mark in marks if mark not in TURN_MARKS and not mark.startswith(_TURN_WORDS)])
