"""
The validator of suggestions: a draft may state nothing that no evidence holds.

It is made of rules and reads four languages on both sides. Numbers compare by what they are worth,
names by their letters or, across scripts, by their sound, denials and conditions clause by clause.
What it cannot tie to the evidence it refuses: a good draft refused costs a writer a minute, a wrong
one accepted is spoken to callers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.gaps import align, cues, limits, meant, mixed, named, paired, stated
from models.gaps.claim import Claim
from models.gaps.clause import Clause, clauses, has_blank
from models.gaps.evidence import Evidence

#: Longest draft and evidence that are read, characters: a few entries of a knowledge base. The work
#: grows with both together; at its worst it is about three seconds.
MAX_DRAFT, MAX_EVIDENCE = 2_000, 12_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a draft may be shown."""

    #: No reason was found against it.
    ok: bool
    #: What speaks against it, each kind once, without any text.
    reasons: tuple[Claim, ...] = ()


def validate(draft: str, evidence: Sequence[str]) -> Verdict:
    """
    Hold a draft against its evidence.

    Args:
        draft: raw text; blanks (`____`) state nothing.
        evidence: raw texts, in the draft's language or another.

    Returns:
        Every kind of claim that no evidence holds; never raises, whatever the texts.

    """
    if len(draft) > MAX_DRAFT or sum(map(len, evidence)) > MAX_EVIDENCE:
        return Verdict(ok=False, reasons=(Claim.SIZE,))
    drafted = clauses(draft)
    if not drafted:
        return Verdict(ok=True) if has_blank(draft) else Verdict(ok=False, reasons=(Claim.SIZE,))
    cut = Evidence.of(evidence)
    asked = not any(cues.answers([word.text for word in clause.words]) for clause in drafted)
    found = dict.fromkeys(
        reason
        for clause in drafted
        if not _is_courtesy(clause)
        for reason in _reasons(clause, cut, asked=asked and clause.asks)
    )
    return Verdict(ok=not found, reasons=tuple(found))


def _is_courtesy(clause: Clause) -> bool:
    """Tell whether a clause only greets, thanks or says what comes: "Answer:", "Thank you"."""
    states = clause.values or clause.links or clause.emails or clause.negative or clause.marks
    return not states and all(word.text in cues.COURTESY for word in clause.content)


def _reasons(clause: Clause, evidence: Evidence, *, asked: bool) -> Iterator[Claim]:
    """Hold a clause; what is asked, and not answered by a yes or a no, may deny nothing yet."""
    fitting = align.anchored(clause, evidence.clauses)
    yield from stated.unheld(clause, evidence, fitting)
    if named.is_misnamed(clause, evidence):
        yield Claim.NAME
    if asked and not (clause.negative or clause.conditions or clause.universal or clause.modes):
        return
    yield from limits.changed(clause, evidence, fitting)
    yield from meant.differently(clause, evidence, fitting)
    if mixed.is_exchanged(clause, evidence) or paired.is_crossed(clause, evidence):
        yield Claim.EXCHANGED
    stranger = mixed.strangers(clause, evidence)
    if stranger is not None:
        yield stranger
