"""
Our errors.

* WorkerError
  + SettingsError      a setting is missing or senseless; the start stops and names it
  + EdgeError          something outside this process failed us
    - CacheUnavailable
    - BrokerUnavailable
    - RecordRefused
    - JudgeUnavailable  of `workers.system_one.errors`
  + CacheGarbage       a cached value is not what we wrote

* Outcome              not failures: how a step says what happened
  + TooLate

Beside them: `topics.codec.DecodeError` (bytes are not the event we expect) and `models.errors`
(a bundle or an inference failed).
"""


class WorkerError(Exception):
    """Root of our failures."""


class SettingsError(WorkerError):
    """A setting is missing or senseless."""


class EdgeError(WorkerError):
    """Something outside this process failed us."""


class CacheUnavailable(EdgeError):
    """Redis did not answer, refused, or was not asked because its breaker is open."""

    def __init__(self, message: str, *, breaker_open: bool = False) -> None:
        super().__init__(message)
        self.breaker_open = breaker_open


class BrokerUnavailable(EdgeError):
    """Kafka did not take or give a record in time."""


class RecordRefused(EdgeError):
    """The record itself cannot be stored, however long one waits: it is too large, or malformed."""


class CacheGarbage(WorkerError):
    """A cached value is not what we wrote; nothing of it is used."""


class Outcome(Exception):
    """Root of what is not a failure."""


class TooLate(Outcome):
    """The deadline passed before the work was done, or before it began."""
