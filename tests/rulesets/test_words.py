"""The sentences of the rulesets: every placeholder has a value."""

from __future__ import annotations

import re

import pytest

from zareba.battle.templates import words_of
from zareba.registry import ruleset, ruleset_names

GAP = re.compile(r"\{(\w+)(?:\|[^|{}]+(?:\|[^|{}]+)?|@(\w+)|:([\w+.]+))?\}")


@pytest.mark.parametrize("name", ruleset_names())
def test_every_gap_of_a_sentence_can_be_filled(name: str) -> None:
    words = words_of(ruleset(name).folder / "presentation" / "words.yaml")
    sentences = [*words.questions.values(), *words.options.values(), *words.events.values()]
    assert len(sentences) > 40
    for sentence in sentences:
        tables = {table for _, table, _ in GAP.findall(sentence) if table}
        assert tables <= set(words.tables), sentence
        left = GAP.sub("", sentence)
        assert not re.search(r"[{}]", left), sentence
        while (plainer := re.sub(r"\[!?\w+(=[^?\[\]]*)?\?[^\[\]]*\]", "", left)) != left:
            assert "[" not in plainer or plainer.count("[") < left.count("[")
            left = plainer
        assert not re.search(r"[\[\]]", left), sentence
