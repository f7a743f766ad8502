"""The knowledge-base judge behind an endpoint that speaks the System One decisions protocol."""

from workers.system_one.answer import LEVELS, Probabilities
from workers.system_one.endpoint import Endpoint, endpoint_of
from workers.system_one.errors import Failure, JudgeUnavailable
from workers.system_one.judge import SystemOneJudge, connect
from workers.system_one.request import MAX_CANDIDATES, Candidate

__all__ = [
    "LEVELS",
    "MAX_CANDIDATES",
    "Candidate",
    "Endpoint",
    "Failure",
    "JudgeUnavailable",
    "Probabilities",
    "SystemOneJudge",
    "connect",
    "endpoint_of",
]
