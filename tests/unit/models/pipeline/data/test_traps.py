"""The hand-written traps."""

from collections import Counter

import pytest

from models.pipeline.data.split import pair_key
from models.pipeline.data.traps import ADVERSARIAL, TRAPS, load


@pytest.mark.parametrize(("table", "least"), [(TRAPS, 25), (ADVERSARIAL, 250)])
@pytest.mark.parametrize("language", ["en", "hi", "hinglish", "ar"])
def test_each_language_has_enough_of_both_labels(table, least, language):
    """There are as many pairs in each language, with true paraphrases among them."""
    labels = Counter(trap.label for trap in load(table) if trap.language == language)

    assert sum(labels.values()) >= least
    assert min(labels[0], labels[1]) >= 10


@pytest.mark.parametrize("table", [TRAPS, ADVERSARIAL])
def test_no_trap_stands_twice(table):
    """A repeated pair would count twice."""
    keys = Counter(pair_key(trap.utterance, trap.prediction) for trap in load(table))

    assert [key for key, count in keys.items() if count > 1] == []
