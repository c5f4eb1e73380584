from __future__ import annotations
def appraise(*a): return []
