"""What of an entry is encoded: passages that an encoder reads whole, each with the title."""

import re

from models.text import clean

#: Words of an entry in one passage. About 60 tokens with a title, half of what the encoder reads:
#: one vector of a long text is near to nothing that the text says.
PASSAGE_WORDS = 40
#: Words of a title that are kept.
_TITLE_WORDS = 15
#: Characters of a word that are kept: nobody says a longer one.
_WORD_CHARS = 40
#: Passages of an entry, at most; of what stands behind them only the words are found.
MAX_PASSAGES = 32
_SENTENCE = re.compile(r"(?<=[.!?؟।۔…])\s+|\n+")


def passages(title: str, content: str) -> list[str]:
    """
    Return the cleaned passages of an entry, at least one.

    Sentences stay whole where they can; short ones share a passage.
    """
    head = " ".join(_words(title)[:_TITLE_WORDS])
    found: list[list[str]] = [[]]
    for sentence in _SENTENCE.split(content):
        words = _words(sentence)
        if len(found[-1]) + len(words) > PASSAGE_WORDS and found[-1]:
            found.append([])
        while len(words) > PASSAGE_WORDS:
            found[-1] = words[:PASSAGE_WORDS]
            words = words[PASSAGE_WORDS:]
            found.append([])
        found[-1] += words
    whole = [" ".join(words) for words in found[:MAX_PASSAGES] if words] or [""]
    return [clean(f"{head}. {text}" if head else text).text for text in whole]


def _words(text: str) -> list[str]:
    return [word[:_WORD_CHARS] for word in text.split()]
