"""The hand-written traps."""

from collections import Counter

import pytest

from models.pipeline.data.split import pair_key
from models.pipeline.data.traps import load_traps


@pytest.mark.parametrize("language", ["en", "hi", "hinglish", "ar"])
def test_each_language_has_enough_of_both_labels(language):
    """At least 25 pairs a language, with true paraphrases among them."""
    labels = Counter(trap.label for trap in load_traps() if trap.language == language)

    assert sum(labels.values()) >= 25
    assert min(labels[0], labels[1]) >= 10


def test_no_trap_stands_twice():
    """A repeated pair would count twice."""
    keys = Counter(pair_key(trap.utterance, trap.prediction) for trap in load_traps())

    assert [key for key, count in keys.items() if count > 1] == []
