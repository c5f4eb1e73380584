"""No pursuit: the winner of a melee never follows up a beaten enemy.

`zareba_confirm` answers yes or no instead of the player, who is not asked. Risk-Factor asks the winner of a melee
whether to follow up. The other systems do not ask, so the rule has no effect there.
"""

from zareba.api import hookimpl


@hookimpl
def zareba_confirm(question):
    """Answer no to the question about following up."""
    return False if question.why == "follow up" else None
