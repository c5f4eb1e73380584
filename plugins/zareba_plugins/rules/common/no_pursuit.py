"""No pursuit: nobody follows up a beaten enemy; the question is answered before a player hears it.

`zareba_confirm` says yes or no in a player's place. Risk-Factor asks the winner of a melee whether he follows up; the other
systems do not ask, so there the rule has no say.
"""

from zareba.api import hookimpl


@hookimpl
def zareba_confirm(question):
    """The answer is no."""
    return False if question.why == "follow up" else None
