"""Make scenarios: generate one from a seed, or edit a scenario file in place with its comments kept."""

from __future__ import annotations

from zareba.authoring.generate import SIZES, THEATRES, generate

__all__ = ["SIZES", "THEATRES", "generate"]
