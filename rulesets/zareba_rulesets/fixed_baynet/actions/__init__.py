"""Actions: what a player can choose for a unit or for one man of it.

`Sequence.actions_act` asks for an act. `activation.perform_action` finds its class or row by the verb, the first word of
the choice, and calls `perform`. That calls a function of `chapters`, which rolls the dice and changes the state:

| choice | class or row | function of `chapters` | dice | change of state |
|---|---|---|---|---|
| fire | `firing.Fire` | `fire.fire.fire_volley` | `fire.fire.roll_to_hit` | `fire.hits.resolve_hit` |
| gun fire | `gunnery.GunFire` | `guns.artillery.fire_direct` | `roll_aim` (same) | `guns.bursts.resolve_burst` |
| move | `movement.MOVE` | `movement.manoeuvre.shift_men` | none | `movement.after_move.resolve_move` |
| charge | `charging.Charge` | `melee.charges.charge_with_unit` | none | `morale.glory.glory_event` |
| fight | `charging.FIGHT` | `melee.close_combat.strike_with_unit` | `roll_blow` (same) | `fire.hits.resolve_hit` |
| rally | `leading.Rally` | `morale.rally.rally_unit` | none | `morale.glory.hearten` |

"Same" is the module of the function. A charge only makes contact; the blows are a `fight`.
"""
