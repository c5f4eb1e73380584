"""Making battles: one out of a seed, and the file of one changed in place with its comments kept."""

from __future__ import annotations

from zareba.authoring.generate import SIZES, THEATRES, generate

__all__ = ["SIZES", "THEATRES", "generate"]
