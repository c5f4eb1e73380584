"""What facts can say: classes of troops, and numbers within the sizes of groups and tables (RSK-045)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

__all__ = ["Centimetres", "Class", "Factor", "Group", "Men", "Tenths"]

Class = Literal["veteran", "raw", "hero"]
Group = Annotated[int, Field(ge=1, le=30)]
Men = Annotated[int, Field(ge=0, le=30)]
Tenths = Annotated[int, Field(ge=0, le=10)]
Factor = Annotated[int, Field(ge=-20, le=20)]
Centimetres = Annotated[float, Field(ge=0, le=500)]
