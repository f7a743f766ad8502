"""What the demo finds of the gaps, as values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundGap:
    """One gap, as the people who write the knowledge base get it; its text is masked."""

    tenant: str
    state: str
    reason: str
    count: int
    languages: list[str]
    examples: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """Reviewed questions that are no gaps, by one result."""

    result: str
    count: int
    #: Masked.
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Pairs of questions that are gaps, held against the labels."""

    #: Pairs that are one question.
    same: int
    #: Of those, how many are in one gap.
    together: int
    #: Pairs that are two questions and are in one gap all the same.
    wrongly_together: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSummary:
    """What the slow worker made of the questions."""

    #: Every question that was handed on has a result, and no personal data is in one.
    ok: bool
    #: Questions that the hot worker handed on.
    handed_on: int
    #: Handed on and without a result.
    without_result: list[str]
    #: Reviewed questions by result.
    results: dict[str, int]
    #: The gaps, the most asked first.
    gaps: list[FoundGap]
    set_aside: list[SetAside]
    grouping: Grouping
    #: Questions handed on that held personal data.
    personal: int
    #: Of those: what they held is in a result or a gap.
    not_masked: list[str]
