"""Which pieces of the full vocabulary stay, and what that does to texts; `trim` says why."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizers import Tokenizer

#: Pieces whose ids must not move: <s>, <pad>, </s>, <unk>.
SPECIAL = 4
#: Id of <unk>.
UNKNOWN = 3
#: Longest Latin piece, in letters, that is kept as a fallback without having been seen.
SHORT = 3
#: Characters that begin a word's first piece.
START = "▁"

#: Letters of Arabic, and the Persian forms that keyboards put into Arabic and Egyptian text.
_ARABIC = re.compile("[ء-ٟپچڤگیک]+")
#: Symbols worth a row: ASCII, Latin-1, Arabic and Devanagari signs and digits, punctuation,
#: currency, and emoji (a thumb up must not equal a thumb down).
_SYMBOLS = re.compile(
    r"[\x21-\x7e\xa1-\xbf؀-؟٠-٭۰-۹।-॰"
    r"\u2010-\u205e₠-⃀☀-➿\U0001f300-\U0001faff\ufe0f]+"
)


def used_pieces(tokenizer: Tokenizer, words: Iterable[str]) -> set[str]:
    """Every piece that segments at least one of the words."""
    encoded = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return {piece for encoding in encoded for piece in encoding.tokens}


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split(" ", 1)[0]


def keep(piece: str, seen: set[str]) -> bool:
    """Decide whether a piece of the full vocabulary stays."""
    body = piece.replace(START, "")
    scripts = {_script(c) for c in body if unicodedata.category(c)[0] in "LM"}
    if not scripts:
        return not body or _SYMBOLS.fullmatch(body) is not None
    if scripts == {"LATIN"}:
        short = len(body) <= SHORT and body.isascii()
        return piece in seen or short or len(body) == 1
    if scripts == {"DEVANAGARI"}:
        return True
    if scripts == {"ARABIC"}:
        return piece in seen or len(body) == 1 or _ARABIC.fullmatch(body) is not None
    return False


def trim_tokenizer(full: dict[str, Any], seen: set[str]) -> tuple[dict[str, Any], list[int]]:
    """
    Cut a Unigram tokenizer.

    Args:
        full: the parsed tokenizer.json.
        seen: pieces that must stay if their script is trained.

    Returns:
        The trimmed tokenizer.json and the old id of each new row.
    """
    vocab = full["model"]["vocab"]
    kept = [i for i, (piece, _) in enumerate(vocab) if i < SPECIAL or keep(piece, seen)]
    names = {vocab[i][0] for i in kept}
    trimmed = {
        **full,
        "model": {**full["model"], "vocab": [vocab[i] for i in kept]},
        "added_tokens": [token for token in full["added_tokens"] if token["id"] < SPECIAL],
    }
    missing = {token["content"] for token in trimmed["added_tokens"]} - names
    if missing:
        message = f"special pieces lost: {sorted(missing)}"
        raise ValueError(message)
    return trimmed, kept


def compare(full: Tokenizer, trimmed: Tokenizer, texts: list[str]) -> dict[str, float | int]:
    """Share of texts with the same pieces in both, and the unknown tokens of each."""
    encoded = trimmed.encode_batch(texts, add_special_tokens=False)
    # By id: an unknown piece would show its own text among an encoding's tokens.
    before = [
        [full.id_to_token(piece) for piece in encoding.ids]
        for encoding in full.encode_batch(texts, add_special_tokens=False)
    ]
    after = [[trimmed.id_to_token(piece) for piece in encoding.ids] for encoding in encoded]
    same = sum(int(a == b) for a, b in zip(after, before, strict=True))
    tokens = sum(len(e.ids) for e in encoded)
    return {
        "texts": len(texts),
        "unchanged": round(same / len(texts), 4),
        "tokens_per_text": round(tokens / len(texts), 2),
        "tokens_per_text_before": round(sum(map(len, before)) / len(texts), 2),
        "unknown_share": round(sum(e.ids.count(UNKNOWN) for e in encoded) / tokens, 6),
    }
