"""Heroes: by lot each side has one unit with a hero in it, who shoots and fights one better, until it has lost half its men.

`table.choose` asks a player: who has several units may say which it is. A line may be a function of the facts and the situation
(`here`), which tells the state, the unit whose number it is, its target and the turn.
"""

from zareba.api import Modifier, StateVariable, game_of, hookimpl, units

RULE = "HOUSE-HERO"
hero = StateVariable("hero", False, words="with a hero")


@hookimpl
def zareba_begin(table):
    """Each side says where its hero is."""
    for side in game_of(table).seats:
        names = [unit.spec.id for unit in units(table, side)]
        chosen = table.choose(side, names, why="hero with", rule=RULE, actor=side)
        hero[table, chosen] = True


@hookimpl
def zareba_event(table, event):
    """He falls with the last man."""
    if event.kind == "destroyed" and hero[table, event.data["unit"]]:
        hero[table, event.data["unit"]] = False
        table.tell("hero fell", RULE, unit=event.data["unit"])


@hookimpl
def zareba_modifiers():
    """One better with everything."""
    line = Modifier("hero", RULE, "add", 1, when={"heroes.hero": True}, summary="a hero among them")
    return {"shooting": [line], "melee": [line]}


@hookimpl
def zareba_words():
    """How it reads."""
    return {"question hero with": "{seat}: with which unit is your hero?", "event hero fell": "the hero of {unit} fell"}
