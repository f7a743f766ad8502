"""
What a System One endpoint answers, read into probabilities of the four levels.

Servers differ in what they add and leave out, so only what we decide on is required: for each
question that we asked, four probabilities that make a distribution. Anything else is ignored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from workers.system_one.endpoint import Envelope
from workers.system_one.errors import Failure, JudgeUnavailable

#: 0 other subject, 1 same topic but not the asked fact, 2 part of the answer, 3 the answer.
LEVELS = 4
#: How far the sum of probabilities may be from 1: servers round to two or to four decimals.
_SUM_TOLERANCE = 0.05
#: Room for the binary form of decimals, in a probability and in their sum.
_EPSILON = 1e-6
_KEYS = tuple(str(level) for level in range(LEVELS))

#: Of each level, lowest first; the sum is 1.
Probabilities = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one call brought."""

    #: One for each question, in the order of the names.
    probabilities: tuple[Probabilities, ...]
    #: The model that says it answered; empty where none does. Any text, of the server's choosing.
    model: str


def read_answer(raw: bytes, *, ids: Sequence[str], envelope: Envelope) -> Answer:
    """
    Read the body of an answer to the questions named `ids`.

    Raises:
        JudgeUnavailable: malformed, incomplete or unsuccessful; one bad answer spoils them all.

    """
    body = _object(_parse(raw))
    if envelope == "cloudflare":
        if body.get("success") is not True:
            raise JudgeUnavailable(Failure.UNSUCCESSFUL if "success" in body else Failure.MALFORMED)
        body = _object(body.get("result"))
    if "answers" not in body:
        raise JudgeUnavailable(Failure.INCOMPLETE)
    answers = _object(body["answers"])
    model = body.get("model")
    return Answer(
        probabilities=tuple(_probabilities(answers.get(name)) for name in ids),
        model=model if isinstance(model, str) else "",
    )


def _parse(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass  # raised outside: the library's error holds the text
    raise JudgeUnavailable(Failure.MALFORMED)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise JudgeUnavailable(Failure.MALFORMED)
    return value


def _probabilities(answer: Any) -> Probabilities:
    if answer is None:
        raise JudgeUnavailable(Failure.INCOMPLETE)
    answer = _object(answer)
    if answer.get("type", "score") != "score":
        raise JudgeUnavailable(Failure.MALFORMED)
    if answer.get("probabilities") is None:
        raise JudgeUnavailable(Failure.INCOMPLETE)
    given = _object(answer["probabilities"])
    if given.keys() != set(_KEYS):
        raise JudgeUnavailable(Failure.MALFORMED)
    zero, one, two, three = (_probability(given[key]) for key in _KEYS)
    total = zero + one + two + three
    if abs(total - 1.0) > _SUM_TOLERANCE + _EPSILON:
        raise JudgeUnavailable(Failure.MALFORMED)
    return zero / total, one / total, two / total, three / total


def _probability(value: Any) -> float:
    # A bool is an int to Python and a lie to us; NaN fails every comparison.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JudgeUnavailable(Failure.MALFORMED)
    if not -_EPSILON <= value <= 1.0 + _EPSILON:
        raise JudgeUnavailable(Failure.MALFORMED)
    return min(1.0, max(0.0, float(value)))
