"""The reasons, and what a classification says."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why no entry answered a question."""

    #: Not something that this business is for.
    OFF_TOPIC = "off_topic"
    #: Only a system of record or somebody on the spot can say.
    NEEDS_LIVE_DATA = "needs_live_data"
    #: Nobody could tell what was asked; also where the classifier cannot tell.
    UNCLEAR = "unclear"
    #: The knowledge base should hold it.
    MISSING_KNOWLEDGE = "missing_knowledge"


#: In the order of a bundle's columns.
REASONS = tuple(Reason)


@dataclass(frozen=True, slots=True)
class Classified:
    """A question's reason."""

    reason: Reason
    #: How likely that reason is, 0 to 1; of `unclear` that is below the threshold, how likely the
    #: best one was.
    confidence: float
    #: How likely each reason is, in the order of `REASONS`; they add up to 1.
    shares: tuple[float, ...]
    #: No reason was likely enough, and so it is `unclear`.
    unsure: bool
