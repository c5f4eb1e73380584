"""The actions of units: how each is offered, worded, performed and valued, one file for each family.

Each step of an activation, a method of `Sequence`, calls a function here. It asks for an action. The action calls a
function of `chapters`, which rolls the dice and changes the state:

| step | asks | function of `chapters` | dice | change of state |
|---|---|---|---|---|
| move | `movement.move_unit` | `movement.move_figures` | `roll_allowance` (same) | the places of the figures |
| fire | `fire.fire_step` | `fire.volley` | `fire.shoot` | `casualties.strike` |
| fire a gun | `fire.GunFires` | `guns.gun_shot` | `roll_to_hit_with_gun` (same) | `casualties.strike` |
| melee | `melee_pairing.melee_step` | `melee.fight` | `clash` (same) | `casualties.strike` |

"Same" is the module of the function. A charge is a move into contact; the blows follow in the melee step. To rally is
no action: `begin_activation` in `sequence` calls `morale.rally`.
"""
