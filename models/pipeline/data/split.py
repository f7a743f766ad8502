"""
Splits: which rows may be trained on.

A split is a pure function of a key (a surface, an item, a frame, a value), so that every
layer puts the same key on the same side. A row whose keys disagree belongs to neither.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Literal

from models.pipeline.data.overlap import words
from models.pipeline.data.row import Row

Split = Literal["train", "validation"]

#: Says on which side of the split a key is.
Side = Callable[[str], Split]

#: Prefix of keys that are always trained on: the surfaces too common to hold out.
CORE = "core:"


class LeakError(ValueError):
    """A text of the validation split, or a trap pair, is also in training."""


def split_of_key(key: str, share: float) -> Split:
    """
    Return the split of one key.

    Args:
        key: any text; keys that start with `CORE` are always trained on.
        share: part of keys that is held out, 0 to 1.
    """
    if key.startswith(CORE):
        return "train"
    digest = hashlib.sha256(key.encode()).digest()
    return "validation" if int.from_bytes(digest[:4]) < share * 2**32 else "train"


def side_of(share: float) -> Side:
    """Return the function that splits keys with this share held out."""
    return lambda key: split_of_key(key, share)


def split_of(row: Row, share: float) -> Split | None:
    """Return the split that all keys of a row share, or None when they disagree."""
    splits = {split_of_key(key, share) for key in row.group}
    return splits.pop() if len(splits) == 1 else None


def text_key(text: str) -> str:
    """Return a text as splits compare it: its words, in order of the alphabet."""
    return " ".join(sorted(words(text)))


def pair_key(a: str, b: str) -> tuple[str, str]:
    """Return a pair as splits compare it, whatever its order."""
    left, right = " ".join(a.lower().split()), " ".join(b.lower().split())
    return (left, right) if left <= right else (right, left)


def without_texts(rows: Iterable[Row], texts: frozenset[str]) -> list[Row]:
    """Return the rows none of whose sides is among `texts` (as `text_key` writes them)."""
    return [row for row in rows if text_key(row.a) not in texts and text_key(row.b) not in texts]


def text_keys(rows: Iterable[Row]) -> frozenset[str]:
    """Return both sides of all rows, as `text_key` writes them."""
    return frozenset(text_key(side) for row in rows for side in (row.a, row.b))


def check_splits(
    train: Iterable[Row], validation: Iterable[Row], traps: Iterable[tuple[str, str]]
) -> None:
    """
    Check that nothing held out is trained on.

    Raises:
        LeakError: with counts only, never with the texts.
    """
    held = text_keys(validation)
    banned = {pair_key(a, b) for a, b in traps}
    texts = pairs = 0
    for row in train:
        texts += text_key(row.a) in held or text_key(row.b) in held
        pairs += pair_key(row.a, row.b) in banned
    if texts or pairs:
        message = f"{texts} training rows hold validation texts, {pairs} are traps"
        raise LeakError(message)
