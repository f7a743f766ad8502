"""
What an answer judge reads of a question and an entry: two texts, the same in training and serving.

Title and content are one text, as a title often names what the content is about. An entry that is
longer than a judge reads at once is read in parts, each with the title.
"""

import re

from models.kb.shown import Shown
from models.text import MAX_CHARS, MAX_RAW_CHARS, clean

#: Characters of an entry that are read at all; the longest that the index takes has as many.
MAX_ENTRY_CHARS = 20_000
#: Characters of a title that are read, so that it leaves room for the content.
_TITLE_CHARS = 200
#: Characters of a word that are kept: nobody says a longer one.
_WORD_CHARS = 40
#: Words that are surely short enough to be cleaned at once.
_CLEANED_WORDS = MAX_CHARS // (_WORD_CHARS + 1)
_SENTENCE = re.compile(r"(?<=[.!?؟।۔…])\s+|\n+")


def question_text(question: str) -> str:
    """Return a caller's question as it is read; of a very long one only the beginning."""
    return clean(question[:MAX_RAW_CHARS]).text


def entry_texts(entry: Shown, parts: int = 1, *, chars: int = MAX_ENTRY_CHARS) -> tuple[str, ...]:
    """
    Return an entry as it is read: title and content, the content in up to so many parts.

    Parts are about equally long, and sentences stay whole where they can.

    Args:
        entry: what may be shown of it.
        parts: at most.
        chars: characters of the content that are read.
    """
    title = _cleaned(_words(entry.title[:_TITLE_CHARS]))
    contents = [_cleaned(words) for words in _split(entry.content[:chars], parts)]
    return tuple(f"{title}. {text}" if title and text else title or text for text in contents)


def pair_texts(question: str, title: str, content: str) -> tuple[str, str]:
    """Return a question and a short entry as a judge reads them; a longer entry is cut by it."""
    entry = Shown(title=title, content=content, category=None, lang=None)
    return question_text(question), entry_texts(entry)[0]


def long_text(text: str) -> str:
    """
    Return a long text cleaned, of at most `MAX_ENTRY_CHARS`, with words of at most forty.

    Whatever it holds, that takes milliseconds: marks by the thousand on one letter, or a character
    that stands for a sentence, cost libraries seconds and memory.
    """
    return _cleaned(_words(text[:MAX_ENTRY_CHARS]))


def _split(content: str, parts: int) -> list[list[str]]:
    """Words of each part, at least one part and none of them empty but where there is no word."""
    sentences = [_words(sentence) for sentence in _SENTENCE.split(content)]
    total = sum(map(len, sentences))
    longest = -(-total // parts) or 1
    found: list[list[str]] = [[] for _ in range(parts)]
    read = 0
    for sentence in sentences:
        for start in range(0, len(sentence), longest):
            words = sentence[start : start + longest]
            middle = read + len(words) / 2
            found[min(parts - 1, int(middle * parts / total))] += words
            read += len(words)
    return [words for words in found if words] or [[]]


def _words(text: str) -> list[str]:
    return [word[:_WORD_CHARS] for word in text.split()]


def _cleaned(words: list[str]) -> str:
    pieces = (
        " ".join(words[start : start + _CLEANED_WORDS])
        for start in range(0, len(words), _CLEANED_WORDS)
    )
    return " ".join(text for piece in pieces if (text := clean(piece).text))[:MAX_ENTRY_CHARS]
