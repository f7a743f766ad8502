"""Splits by key, and the check that nothing leaks."""

import pytest

from models.pipeline.data.split import (
    CORE,
    LeakError,
    check_splits,
    pair_key,
    split_of,
    split_of_key,
    without_texts,
)
from tests.unit.models.pipeline.data.factory import make_row

HELD = next(key for key in map(str, range(99)) if split_of_key(key, 0.3) == "validation")
FREE = next(key for key in map(str, range(99)) if split_of_key(key, 0.3) == "train")


def test_about_the_asked_share_of_keys_is_held_out():
    """The share is met within a few points over many keys."""
    held = sum(split_of_key(f"key {number}", 0.3) == "validation" for number in range(4000))

    assert 0.27 < held / 4000 < 0.33


def test_core_keys_are_never_held_out():
    """Even if everything else is."""
    assert split_of_key(f"{CORE}yes", 1.0) == "train"


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        pytest.param((FREE, FREE), "train", id="both free"),
        pytest.param((HELD, HELD), "validation", id="both held out"),
        pytest.param((FREE, HELD), None, id="one of each"),
        pytest.param((f"{CORE}yes", HELD), None, id="core with held out"),
    ],
)
def test_split_of_a_row(group, expected):
    """A row whose keys disagree belongs to neither split."""
    assert split_of(make_row(group=group), 0.3) == expected


def test_rows_with_banned_texts_are_left_out_whatever_their_spelling():
    """Case, punctuation and order of words hide nothing."""
    rows = [make_row("Please, yes!", "sure"), make_row("no", "nope")]

    assert without_texts(rows, frozenset({"please yes"})) == [rows[1]]


def test_a_validation_text_in_training_fails_the_check():
    """One side is enough."""
    with pytest.raises(LeakError, match="1 training rows"):
        check_splits([make_row("yes", "sure")], [make_row("Sure!", "fine")], [])


def test_a_trap_in_training_fails_the_check_in_either_order():
    """Traps are pairs: their texts alone may be trained on."""
    with pytest.raises(LeakError, match="1 are traps"):
        check_splits([make_row("yes", "no", 0)], [], [("no", "Yes")])

    check_splits([make_row("yes", "sure")], [], [("no", "yes")])


def test_the_error_names_no_text():
    """Counts only, so that a log holds nothing that was said."""
    with pytest.raises(LeakError) as caught:
        check_splits([make_row("yes", "sure")], [make_row("yes", "fine")], [])

    assert "yes" not in str(caught.value)


def test_pair_key_ignores_order_and_case():
    """A pair is the same pair both ways round."""
    assert pair_key("Yes  please", "sure") == pair_key("sure", "yes please")
