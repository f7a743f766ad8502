"""Field types shared by the events: bounds are part of the contract and land in the schemas."""

from typing import Annotated

from msgspec import Meta

#: The largest integer that every JSON reader keeps exact, JavaScript's included.
MAX_EXACT = 9_007_199_254_740_991

#: An identifier chosen by the producer. Any characters are allowed: keys are hashed, never joined.
Id = Annotated[str, Meta(min_length=1, max_length=256)]
#: Unix epoch, milliseconds, from 1970 to the year 9999.
EpochMs = Annotated[int, Meta(ge=0, le=253_402_300_799_999)]
#: A duration in milliseconds, up to a day.
DurationMs = Annotated[int, Meta(ge=1, le=86_400_000)]
#: Position of a turn within its call, from 0.
Seq = Annotated[int, Meta(ge=0, le=2_147_483_647)]
#: A count, or a position.
Count = Annotated[int, Meta(ge=0, le=MAX_EXACT)]
#: A share or a probability.
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
