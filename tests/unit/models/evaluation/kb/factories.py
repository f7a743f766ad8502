"""Outcomes of questions, made of what matters to a test."""

from models.evaluation.kb.cases import Case, Outcome
from models.evaluation.kb.rows import Question
from models.kb import rule
from topics.profile import Mode
from topics.question import CandidateEntry

OTHER, NEAR = (0.9, 0.1, 0.0, 0.0), (0.1, 0.8, 0.1, 0.0)
WHOLE = (0.0, 0.1, 0.2, 0.7)


def answers_with(probability):
    """Probabilities of an entry that answers with this probability."""
    return (1 - probability, 0.0, 0.0, probability)


def outcome(
    gold, judged=(), *, ids="abc", mode=Mode.LIVE, failed=False, cosine=0.5, took_ms=1.0, **columns
):
    """
    Make an outcome.

    Args:
        gold: ids of the entries that answer, or a bool where only that is known.
        judged: probabilities of the first candidates.
        ids: of the candidates, in search order.
        mode: `OFF` for no judge.
        failed: the judge broke down.
        cosine: of the best candidate.
        took_ms: time of the judge.
        columns: further fields of the row.
    """
    known = not isinstance(gold, bool)
    question = Question(
        id="q",
        tenant="t",
        text="question",
        gold=frozenset(gold) if known else None,
        answerable=bool(gold),
        columns=columns,
    )
    candidates = tuple(CandidateEntry(entry_id=name, title=name, content=name) for name in ids)
    case = Case(question=question, text="question", candidates=candidates, cosine=cosine)
    return Outcome(
        case=case,
        ruling=rule(case.ids, judged, mode=mode, failed=failed),
        judged=() if failed else judged,
        took_ms=took_ms,
    )
