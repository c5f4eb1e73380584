"""Players for what no evaluation covers: rulesets without evaluations, and house rules."""

from zareba.agents.rollout import RolloutAgent
from zareba.agents.rule_aware import RuleAwareDoctrine

__all__ = ["RolloutAgent", "RuleAwareDoctrine"]
