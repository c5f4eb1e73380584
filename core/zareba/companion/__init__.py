"""The companion: the book of an evening with painted figures on a real table.

A ruleset derives a class from `Companion`, in its package `companion`, and names it in `Ruleset.companion`
(`zareba_rulesets/vcc/companion` is the model). The book is a state of the ruleset, as in play, so that corrections,
odds, sentences, undo and house rules work without more code. The class declares:

1. `acts`: a `CompanionAct` for each procedure of the rulebook, in its order. `actors` and `targets` say who may do it
   now. `run` calls the functions of play with the table; it never rolls itself and repeats no number of a chart.
2. `asks` of an act: an `Asked` for each fact that only the table knows: range, cover, flank, room for a retreat. Give a
   `default` only if the ordinary case is safe. `choices` gives the values, or else the type of the fact in the class
   `facts`. `measured` turns inches or boxes into a range band. Use `after` for facts that matter only after some dice.
3. `lay_out` of an act: makes the answers true on a copy of the state, for example by placing the two units at that
   range. The functions of play then find them as on a board. `preset_answers` answer those questions of play that
   people have already answered (`other_answers`: those of all other purposes); people answer all other ones at the
   prompt.
4. `start`: the state with all units set up. A unit needs a position, but it means nothing. Units that stand together on
   the real table may share one, if the rules need that.
5. `openings`: the acts that are possible, or `due` by the rules, in the present phase; none if the phase has nothing
   left to do. `advance`: moves the cursor of the state to the next phase, with all that ends. Use the sequence of play.
6. `tidy`: undoes the layout after an act. Only results stay: losses, marks, leaders, cards, and who stands together.
7. `unit_line`, `strength_boxes`: what the book shows of a unit. `places`: the parts of its condition that are
   positions. Sentences that differ at a real table are in `words.yaml`, in the table `real_table`, by kind of event.

One-page rulesets have a companion without code (`zareba.companion.one_page_rulesets`), made by `simple_ruleset`.

Decks and hands stay in the state: draw in `run` with `table.draw`, or let `due` acts draw. A ZarebaError from `lay_out`
or `run` refuses the last answer. Test it with a written evening (`tests/rulesets/vcc/test_companion.py`) and with games
of play that the companion follows (`test_companion_follows.py` there, with `tests/rulesets/companion_games.py`).
"""

from zareba.companion.after_action import after_action_lines
from zareba.companion.declarations import Asked, Choices, Companion, CompanionAct, Opening, Scene, first
from zareba.companion.evening import (
    Entry,
    Evening,
    crew_of,
    evening_path,
    house_rules_of_evening,
    new_evening,
    open_evening,
    saved_evenings,
    side_named,
)
from zareba.companion.forms import AskFact, Decide, Finished, Form, Pending, PickUnit, Preview, Throw
from zareba.companion.look_up import rules_found
from zareba.companion.real_dice import without_die
from zareba.companion.typed_forces import edge_phrase, scenario_of_list

__all__ = [
    "AskFact",
    "Asked",
    "Choices",
    "Companion",
    "CompanionAct",
    "Decide",
    "Entry",
    "Evening",
    "Finished",
    "Form",
    "Opening",
    "Pending",
    "PickUnit",
    "Preview",
    "Scene",
    "Throw",
    "after_action_lines",
    "crew_of",
    "edge_phrase",
    "evening_path",
    "first",
    "house_rules_of_evening",
    "new_evening",
    "open_evening",
    "rules_found",
    "saved_evenings",
    "scenario_of_list",
    "side_named",
    "without_die",
]
