"""Compressed snapshots of game states, taken between two steps."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from zareba.base.state import canonical_json

__all__ = ["CompressedState"]


class CompressedState:
    """A state as compressed JSON, at most a fifth of its size in memory. `digest` is the digest of the state's data."""

    __slots__ = ("_text", "digest")

    def __init__(self, state: Any) -> None:
        text = canonical_json(state.to_data()).encode()
        self._text = zlib.compress(text)
        self.digest = blake2b(text, digest_size=16).hexdigest()

    @property
    def compressed(self) -> bytes:
        """The compressed text."""
        return self._text

    def unfolded(self, read: Callable[[dict[str, Any]], Any]) -> Any:
        """Rebuild the state from its data with `read`."""
        return read(json.loads(zlib.decompress(self._text)))
