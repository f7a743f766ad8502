"""What bounds the reader."""

import pytest

from models.values import read
from models.values.read import MAX_VALUES


@pytest.mark.parametrize("word", ["tomorrow", "kal", "الخميس", "5%"])
def test_reads_so_many_values_and_no_more(word):
    """
    A text that repeats a value without end costs no more than a long turn.
    """
    assert len(read(" ".join([word] * 1000))) == MAX_VALUES


def test_reads_nothing_in_no_text():
    """
    Neither an empty text nor one without words of a value states anything.
    """
    assert read("") == ()
    assert read("hello there") == ()
