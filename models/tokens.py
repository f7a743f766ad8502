"""
Text to padded token arrays of a few fixed lengths.

Every input runs in the shortest bucket that holds it, beside inputs of the same bucket only. So
there are few shapes, and a text's score never depends on the length of its neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from models.errors import BundleError

#: Lengths that inputs are padded to, tokens; a bundle's limit ends the list.
BUCKETS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512)
#: Inputs of one run, and tokens with padding: more gain nothing, time per input is flat from about
#: eight inputs on, and what a run holds in memory grows with its tokens.
MAX_ROWS = 32
MAX_RUN_TOKENS = 768
#: Characters of a text, per token of the limit, that the tokenizer reads at most: no piece is
#: longer, so what lies behind would be cut anyway, and a long text costs no time.
CHARS_PER_TOKEN = 16
#: Special tokens that the vocabulary must hold: begin, padding, end.
_BEGIN, _PAD, _END = "<s>", "<pad>", "</s>"

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs of one bucket."""

    #: (B, T) int64, padded at the end.
    input_ids: Ids
    #: (B, T) int64, 1 for tokens and 0 for padding.
    attention_mask: Ids
    #: (B,) positions of the rows among the inputs that were asked for.
    rows: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Tokenized:
    """All inputs of a call."""

    batches: tuple[Batch, ...]
    #: (N,) bool: the input was longer than the limit, and its end was cut.
    truncated: npt.NDArray[np.bool_]


class Tokens:
    """
    A tokenizer with its buckets; never reconfigured once made, so threads may share it.

    Args:
        tokenizer: the bytes of tokenizer.json.
        max_tokens: longest input; one of the bucket lengths.

    Raises:
        BundleError: the bytes are no tokenizer, or one without our special tokens.
    """

    def __init__(self, tokenizer: bytes, max_tokens: int) -> None:
        try:
            self._tokenizer = _load(tokenizer)
        except Exception as error:  # the library raises bare Exception for what it cannot parse
            raise BundleError("tokenizer.json", "cannot be parsed") from error
        if max_tokens not in BUCKETS:
            raise BundleError("manifest.json: max_tokens", f"not one of {BUCKETS}")
        #: Bucket lengths up to the limit.
        self.buckets = tuple(length for length in BUCKETS if length <= max_tokens)
        self._begin, self._pad, self._end = map(self._special, (_BEGIN, _PAD, _END))

    def _special(self, token: str) -> int:
        found: int | None = self._tokenizer.token_to_id(token)
        if found is None:
            raise BundleError("tokenizer.json", f"has no {token}")
        return found

    def tokenize(self, inputs: Sequence[tuple[str, ...]]) -> Tokenized:
        """
        Lay inputs out in batches.

        Args:
            inputs: one text each, or two or more that are read together, in order:
                `<s> a </s></s> b </s>`. A text that stands in many inputs is read once.
        """
        limit = self.buckets[-1]
        longest = limit * CHARS_PER_TOKEN
        pieces = {
            text: self._tokenizer.encode(text[:longest], add_special_tokens=False).ids
            for text in {text for parts in inputs for text in parts}
        }
        rows = [self._row([pieces[text] for text in parts], limit) for parts in inputs]
        groups: dict[int, list[int]] = {}
        for position, (row, _) in enumerate(rows):
            groups.setdefault(self.bucket(len(row)), []).append(position)
        batches = [
            self._pad_rows([rows[position][0] for position in part], part, length)
            for length, positions in sorted(groups.items())
            for part in _parts(positions, rows_of_a_run(length))
        ]
        truncated = [
            cut or any(len(text) > longest for text in parts)
            for parts, (_, cut) in zip(inputs, rows, strict=True)
        ]
        return Tokenized(tuple(batches), np.array(truncated, np.bool_))

    def bucket(self, length: int) -> int:
        """The shortest bucket that holds so many tokens; ValueError beyond the last."""
        for bucket in self.buckets:
            if length <= bucket:
                return bucket
        raise ValueError(f"{length} tokens are more than the longest bucket")

    def _row(self, parts: list[list[int]], limit: int) -> tuple[list[int], bool]:
        """Token ids of one input with its special tokens, and whether it had to be cut."""
        room = limit - 2 * len(parts)
        lengths = _fit([len(part) for part in parts], room)
        row: list[int] = []
        for part, length in zip(parts, lengths, strict=True):
            row += [self._end if row else self._begin, *part[:length], self._end]
        return row, sum(lengths) < sum(map(len, parts))

    def _pad_rows(self, rows: list[list[int]], positions: list[int], length: int) -> Batch:
        ids = np.full((len(rows), length), self._pad, np.int64)
        mask = np.zeros((len(rows), length), np.int64)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        return Batch(ids, mask, np.array(positions, np.intp))


def _fit(lengths: list[int], room: int) -> list[int]:
    """Shorten the longest of some lengths, token by token, until all fit; ties cut the later."""
    lengths = list(lengths)
    while sum(lengths) > room:
        longest = max(range(len(lengths)), key=lambda index: (lengths[index], index))
        others = max((n for i, n in enumerate(lengths) if i != longest), default=0)
        excess = sum(lengths) - room
        lengths[longest] -= min(excess, max(1, lengths[longest] - others))
    return lengths


def rows_of_a_run(length: int) -> int:
    """How many inputs of a bucket's length run together."""
    return max(1, min(MAX_ROWS, MAX_RUN_TOKENS // length))


def _parts(positions: list[int], rows: int) -> list[list[int]]:
    return [positions[at : at + rows] for at in range(0, len(positions), rows)]


@lru_cache(maxsize=4)
def _load(tokenizer: bytes) -> Tokenizer:
    """Bundles with one tokenizer share it: each copy would hold 47 MiB."""
    loaded = Tokenizer.from_buffer(tokenizer)
    loaded.no_padding()
    loaded.no_truncation()
    return loaded
