"""The public API for commands, in addition to `zareba.api`: results of finished battles, scenario files, user-facing
errors.
"""

from typing import Any

from zareba.authoring.scenario_yaml import remove_value, set_value
from zareba.base.errors import ZarebaError
from zareba.campaign_result import CampaignResult, campaign_result
from zareba.renamed import renamed
from zareba.scenario import load_scenario, parse_scenario, scenario_text

__all__ = [
    "CampaignResult",
    "ZarebaError",
    "campaign_result",
    "load_scenario",
    "parse_scenario",
    "remove_value",
    "scenario_text",
    "set_value",
]


def __getattr__(name: str) -> Any:
    """Return the object that had this name in the last release, with a warning."""
    return renamed(__name__, name, globals())
