"""Which clause of the evidence a clause of a draft speaks of."""

from collections.abc import Sequence

from models.gaps.clause import Clause, Word, same_word
from models.gaps.held import says

#: What a shared value or name counts beside a shared word.
_VALUE, _NAME = 3.0, 2.0


def anchored(draft: Clause, evidence: Sequence[Clause]) -> list[Clause]:
    """
    Give the clauses that a draft's clause fits best; none where nothing ties it to any.

    In one language shared words tie; across languages only values and names do.
    """
    scores = [score(draft, clause) for clause in evidence]
    best = max(scores, default=0.0)
    if best <= 0:
        return []
    return [clause for clause, one in zip(evidence, scores, strict=True) if one == best]


def score(draft: Clause, clause: Clause) -> float:
    """Count what two clauses share."""
    shared = _VALUE * sum(
        any(says(other, value) for other in clause.values) for value in draft.values
    )
    shared += _VALUE * len(draft.links & clause.links | draft.emails & clause.emails)
    if draft.language == clause.language:
        return shared + sum(_among(word, clause.content) for word in set(draft.content))
    return shared + _NAME * shared_names(draft, clause)


def shared_names(draft: Clause, clause: Clause) -> int:
    """Count the names of one of two clauses that are in the other, by their sound."""
    count = sum(word.named and heard(word, clause.content) for word in draft.content)
    return count + sum(word.named and heard(word, draft.content) for word in clause.content)


def heard(name: Word, others: Sequence[Word]) -> bool:
    """Tell whether a name is among words, spelt so or, in another script, sounding so."""
    return any(same_word(name.text, other.text) for other in others)


def _among(word: Word, others: Sequence[Word]) -> bool:
    return any(same_word(word.text, other.text) for other in others)
