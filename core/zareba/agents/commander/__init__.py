"""Commanders for what no appraisal says: rules that appraise nothing, and house rules."""

from zareba.agents.rollout import RolloutAgent
from zareba.agents.rule_aware import RuleAwareDoctrine

__all__ = ["RolloutAgent", "RuleAwareDoctrine"]
