"""Activation policies: what is the next step of play? One small class a policy, position kept as data in the state."""

from zareba.activation.fixed_phases import FixedPhases, PhaseCursor
from zareba.activation.step import Step

__all__ = ["FixedPhases", "PhaseCursor", "Step"]
