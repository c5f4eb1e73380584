"""Look up the rulebook during an evening: a rule by its number, or the rules with some words."""

from __future__ import annotations

import re
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.companion.evening import Evening
from zareba.rules.catalogue import RuleEntry, load_catalogue, mentions

_NUMBER = re.compile(r"([A-Za-z]*)[- ]?(\d{1,3})")


def rules_found(evening: Evening[Any], typed: str) -> dict[str, RuleEntry]:
    """Return the rules that people ask for, by id: one by its id or number ('VCC-074', '74'), or those with all words.

    Raises ZarebaError if there is none.
    """
    ruleset = evening.game.rules.ruleset
    catalogue = load_catalogue(*ruleset.folders).rules
    words = typed.casefold().split()
    if not words:
        raise ZarebaError("type a word or the number of a rule, such as: flank")
    number = _NUMBER.fullmatch(typed.strip())
    if number:
        prefix, digits = number[1].upper(), f"-{number[2]:0>3}"
        found = {id: entry for id, entry in catalogue.items() if id.endswith(digits) and id.startswith(prefix)}
    else:
        texts = {id: f"{entry.summary} {entry.reading}" for id, entry in catalogue.items()}
        found = {id: catalogue[id] for id, text in texts.items() if all(mentions(text, word) for word in words)}
    if not found:
        raise ZarebaError(f"no rule of {ruleset.id} {'has the number' if number else 'contains'} '{typed[:40]}'")
    return found
