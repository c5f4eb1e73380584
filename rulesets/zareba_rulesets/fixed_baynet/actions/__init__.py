"""Actions: what a player can choose for a unit or for one man of it.

`Sequence.actions_act` asks for an action. `activation.perform_action` finds its class or row by the verb, the first
word of the choice, and calls `perform`. That calls a function of `chapters`, which rolls the dice and changes the
state:

| choice | class or row | function of `chapters` | dice | change of state |
|---|---|---|---|---|
| fire | `fire.Fire` | `fire.fire_volley` | `fire.roll_to_hit` | `hits.resolve_hit` |
| gun fire | `gunnery.GunFire` | `artillery.fire_direct` | `roll_aim` (same) | `artillery.resolve_burst` |
| move | `movement.MOVE` | `movement.shift_men` | none | `movement.resolve_move` |
| charge | `charge.Charge` | `melee.charge_with_unit` | none | `morale.glory_event` |
| fight | `charge.FIGHT` | `melee.strike_with_unit` | `roll_blow` (same) | `hits.resolve_hit` |
| rally | `officer_orders.Rally` | `morale.rally_unit` | none | `morale.hearten` |

"Same" is the module of the function. A charge only makes contact; the blows are a `fight`.
"""
