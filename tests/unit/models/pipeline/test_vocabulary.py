import json

import pytest
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace

from models.pipeline.vocabulary import compare, keep, trim_tokenizer, used_pieces

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁yes", "▁да", "▁نعم", "▁हाँ", "▁straße", "▁no", "n", "o"]


@pytest.fixture
def full():
    """A little tokenizer with pieces of several scripts."""
    scores = [(piece, -float(i)) for i, piece in enumerate(PIECES)]
    tokenizer = Tokenizer(Unigram(scores, unk_id=3, byte_fallback=False))
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.add_special_tokens(PIECES[:4])
    return tokenizer


class TestKeep:
    @pytest.mark.parametrize(
        ("piece", "expected"),
        [
            pytest.param("▁", True, id="start alone"),
            pytest.param("▁hello", False, id="Latin not seen"),
            pytest.param("▁seen", True, id="Latin seen"),
            pytest.param("▁abc", True, id="short Latin"),
            pytest.param("▁été", False, id="short Latin with accents"),
            pytest.param("é", True, id="single letter"),
            pytest.param("▁हाँ", True, id="Devanagari"),
            pytest.param("▁आमच्या", True, id="Devanagari of another language"),
            pytest.param("▁نعم", True, id="Arabic"),
            pytest.param("▁ہیں", False, id="Urdu letters"),
            pytest.param("ہ", True, id="single Urdu letter"),
            pytest.param("▁چیپس", True, id="Persian letters of Egyptian text"),
            pytest.param("▁да", False, id="Cyrillic"),
            pytest.param("▁hiहाँ", False, id="mixed scripts"),
            pytest.param("2026", True, id="digits"),
            pytest.param("٤٥", True, id="Arabic digits"),
            pytest.param("४५", True, id="Devanagari digits"),
            pytest.param("₹", True, id="currency"),
            pytest.param("،", True, id="Arabic comma"),
            pytest.param("।", True, id="danda"),
            pytest.param("👍", True, id="emoji"),
            pytest.param("。", False, id="Chinese stop"),
        ],
    )
    def test_rule(self, piece, expected):
        """
        A piece stays when a trained language may need it.
        """
        assert keep(piece, {"▁seen"}) is expected


class TestTrimTokenizer:
    def test_ids_follow(self, full):
        """
        Kept pieces keep their order, special pieces their ids, and old ids are told row by row.
        """
        trimmed, kept = trim_tokenizer(json.loads(full.to_str()), {"▁yes"})
        smaller = Tokenizer.from_str(json.dumps(trimmed))

        assert [PIECES[old] for old in kept] == [
            "<s>", "<pad>", "</s>", "<unk>", "▁yes", "▁نعم", "▁हाँ", "▁no", "n", "o",
        ]  # fmt: skip
        for new, old in enumerate(kept):
            assert smaller.token_to_id(PIECES[old]) == new

    def test_lost_special(self, full):
        """
        A vocabulary whose special pieces stand elsewhere is an error, not a broken tokenizer.
        """
        content = json.loads(full.to_str())
        content["model"]["vocab"][2][0] = "▁gone"

        with pytest.raises(ValueError, match="</s>"):
            trim_tokenizer(content, set())


class TestCompare:
    def test_shares(self, full):
        """
        Texts that lose a piece count as changed, and tokens that are lost as unknown.
        """
        trimmed, _ = trim_tokenizer(json.loads(full.to_str()), {"▁yes"})

        found = compare(full, Tokenizer.from_str(json.dumps(trimmed)), ["yes", "да"])

        assert found["unchanged"] == 0.5
        assert found["unknown_share"] > 0


class TestUsedPieces:
    def test_longest(self, full):
        """
        Only pieces that segment one of the words are used.
        """
        assert used_pieces(full, ["yes", "no"]) == {"▁yes", "▁no"}
