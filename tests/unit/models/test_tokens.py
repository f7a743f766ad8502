from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from models.errors import BundleError
from models.tokens import BUCKETS, CHARS_PER_TOKEN, MAX_ROWS, Tokens

SHIPPED = Path(__file__).parents[3] / "models" / "bundles" / "encoder" / "tokenizer.json"
PAIR = ("haan, kal call karna", "اتصل بي غداً، شكراً")


def words(word, count):
    """A text of so many tokens."""
    return " ".join([word] * count)


@pytest.fixture(scope="module")
def tokens():
    """The shipped tokenizer with inputs of up to 128 tokens."""
    return Tokens(SHIPPED.read_bytes(), 128)


class TestTokens:
    @pytest.mark.parametrize(
        ("raw", "limit"),
        [
            pytest.param(b"", 128, id="empty"),
            pytest.param(b'{"version": "1.0"}', 128, id="no model"),
            pytest.param(SHIPPED.read_bytes().replace(b'"<pad>"', b'"<gap>"'), 128, id="no <pad>"),
            pytest.param(SHIPPED.read_bytes(), 100, id="limit is no bucket"),
        ],
    )
    def test_refused(self, raw, limit):
        """
        A tokenizer or limit that does not fit is a bundle's fault.
        """
        with pytest.raises(BundleError):
            Tokens(raw, limit)


class TestTokenize:
    @pytest.mark.parametrize(
        "parts", [pytest.param(PAIR[:1], id="text"), pytest.param(PAIR, id="pair")]
    )
    def test_same_as_the_library(self, tokens, parts):
        """
        Texts and pairs get the special tokens that the tokenizer's own template gives them.
        """
        library = Tokenizer.from_file(str(SHIPPED))

        (batch,) = tokens.tokenize([parts]).batches

        expected = library.encode(*parts).ids
        assert batch.input_ids[0, : len(expected)].tolist() == expected
        assert batch.attention_mask[0].tolist() == [1] * len(expected) + [0] * (
            batch.input_ids.shape[1] - len(expected)
        )

    def test_three_parts(self, tokens):
        """
        A third part follows like the second.
        """
        (batch,) = tokens.tokenize([("yes", "no", "yes")]).batches

        begin, yes, end, no = (
            tokens._tokenizer.token_to_id(p) for p in ("<s>", "▁yes", "</s>", "▁no")
        )
        assert batch.input_ids[0, :9].tolist() == [begin, yes, end, end, no, end, end, yes, end]

    @pytest.mark.parametrize(
        "length", [pytest.param(n, id=f"{n} tokens") for n in (8, 9, 16, 17, 127, 128)]
    )
    def test_bucket_edges(self, tokens, length):
        """
        An input runs in the shortest bucket that holds it.
        """
        tokenized = tokens.tokenize([(words("yes", length - 2),)])

        (batch,) = tokenized.batches
        assert batch.attention_mask.sum() == length
        assert batch.input_ids.shape[1] == min(b for b in BUCKETS if b >= length)
        assert not tokenized.truncated[0]

    @pytest.mark.parametrize(
        ("parts", "kept"),
        [
            pytest.param((words("yes", 127),), (126,), id="one token too many"),
            pytest.param((words("yes", 500), "no"), (123, 1), id="only the longer side is cut"),
            pytest.param((words("yes", 500), words("no", 500)), (62, 62), id="both sides"),
            pytest.param(
                (words("yes", 70), words("no", 60)), (64, 60), id="down to the other side"
            ),
        ],
    )
    def test_truncation_is_reported(self, tokens, parts, kept):
        """
        Too long an input is cut at its longer side, fits exactly, and is reported.
        """
        tokenized = tokens.tokenize([("yes",) * len(parts), parts])

        long = tokenized.batches[-1]
        yes, no = (tokens._tokenizer.token_to_id(piece) for piece in ("▁yes", "▁no"))
        assert tokenized.truncated.tolist() == [False, True]
        assert long.attention_mask.sum() == 128
        assert int((long.input_ids == yes).sum()) == kept[0]
        assert int((long.input_ids == no).sum()) == sum(kept[1:])

    def test_endless_text(self, tokens):
        """
        What no token of the limit could hold is not even tokenized, and counts as cut: of the word
        behind all that space nothing is left.
        """
        tokenized = tokens.tokenize([(" " * (128 * CHARS_PER_TOKEN) + "yes",)])

        assert tokenized.truncated.tolist() == [True]
        assert tokenized.batches[0].attention_mask.sum() == 3

    def test_many_rows(self, tokens):
        """
        No run has more rows than the limit.
        """
        batches = tokens.tokenize([("yes",)] * (2 * MAX_ROWS + 1)).batches

        assert [len(batch.rows) for batch in batches] == [MAX_ROWS, MAX_ROWS, 1]

    def test_nothing(self, tokens):
        """
        No inputs are no batches.
        """
        tokenized = tokens.tokenize([])

        assert tokenized.batches == ()
        assert tokenized.truncated.shape == (0,)

    @settings(deadline=None)
    @given(texts=st.lists(st.text(max_size=60), max_size=12))
    def test_every_input_once(self, tokens, texts):
        """
        Each input stands in exactly one batch, with at least its special tokens, masked rightly.
        """
        batches = tokens.tokenize([(text,) for text in texts]).batches

        rows = np.concatenate([batch.rows for batch in batches]) if batches else np.array([])
        assert sorted(rows.tolist()) == list(range(len(texts)))
        for batch in batches:
            assert batch.input_ids.shape == batch.attention_mask.shape
            assert batch.input_ids.shape[1] in tokens.buckets
            assert (batch.attention_mask.sum(axis=1) >= 2).all()
            assert (np.diff(batch.attention_mask, axis=1) <= 0).all()
