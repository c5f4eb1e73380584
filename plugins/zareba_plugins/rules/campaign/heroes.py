"""Heroes: each side chooses one unit with a hero, which shoots and fights better until it is destroyed.

`table.choose` asks a player; a side with a single unit is not asked. `when` names the state variable as `RULE.NAME`,
so that "why?" can explain the line.
"""

from zareba.api import Modifier, StateVariable, game_of, hookimpl, units

RULE = "HOUSE-HERO"
hero = StateVariable("hero", False, words="with a hero")


@hookimpl
def zareba_begin(table):
    """Ask each side for the unit with its hero."""
    for side in game_of(table).seats:
        names = [unit.spec.id for unit in units(table, side)]
        chosen = table.choose(side, names, why="hero with", rule=RULE, actor=side)
        hero[table, chosen] = True


@hookimpl
def zareba_event(table, event):
    """Remove the hero when its unit is destroyed."""
    if event.kind == "destroyed" and hero[table, event.data["unit"]]:
        hero[table, event.data["unit"]] = False
        table.emit("hero fell", RULE, unit=event.data["unit"])


@hookimpl
def zareba_modifiers():
    """Add 1 to shooting and melee."""
    line = Modifier("hero", RULE, "add", 1, when={"heroes.hero": True}, summary="a hero in the unit")
    return {"shooting": [line], "melee": [line]}


@hookimpl
def zareba_words():
    """Give the texts of the question and the event."""
    return {"question hero with": "{seat}: which unit has your hero?", "event hero fell": "the hero of {unit} fell"}
