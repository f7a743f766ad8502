"""How a remote judge fails; an `EdgeError` of `workers.errors`, whose tree this continues."""

from enum import StrEnum

from workers.errors import EdgeError


class Failure(StrEnum):
    """What went wrong, from a fixed set: for metrics, logs and statuses."""

    #: No connection: refused, or an unknown host.
    UNREACHABLE = "unreachable"
    #: No trusted connection: the certificate or the handshake is not good.
    UNTRUSTED = "untrusted"
    #: The connection ended before the answer did.
    BROKEN = "broken"
    #: The answer points elsewhere; we never follow.
    REDIRECTED = "redirected"
    #: The key is missing, wrong, or not enough.
    UNAUTHORISED = "unauthorised"
    #: The request is not one that this endpoint takes: another address, model or size.
    REJECTED = "rejected"
    #: Too many requests for this key.
    RATE_LIMITED = "rate_limited"
    #: The server failed, or has too much to do.
    SERVER_ERROR = "server_error"
    #: The answer is longer than any honest one.
    TOO_LARGE = "too_large"
    #: What came is not HTTP, not JSON, or not the protocol.
    MALFORMED = "malformed"
    #: A question that we asked has no answer with probabilities.
    INCOMPLETE = "incomplete"
    #: The envelope says itself that there was no success.
    UNSUCCESSFUL = "unsuccessful"


class JudgeUnavailable(EdgeError):
    """
    The remote judge did not answer as it must; nothing of what it sent is used.

    The message is the failure and the HTTP status: what the server wrote may echo what we sent.
    """

    def __init__(self, failure: Failure, *, status: int | None = None) -> None:
        super().__init__(failure.value if status is None else f"{failure.value}, status {status}")
        #: What went wrong.
        self.failure = failure
        #: HTTP status of the answer, where there was one and it is what went wrong.
        self.status = status
