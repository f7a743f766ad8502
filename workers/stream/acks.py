"""
An acknowledgement counts only once the agent said that the event is handled.

Faust acknowledges every event that leaves the stream's iterator: when the agent asks for the next
one, when it crashes or is cancelled, and when the event is skipped because the flow is suspended.
Only the first of these means that the work is done.
"""

import time
from typing import Any

import faust
from faust.types import ConsumerMessage


class FetchedMessage(ConsumerMessage):
    """A Kafka record with what the commit rule needs to know of it."""

    __slots__ = ("fetched_s", "handled")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: When it was fetched, seconds on `time.monotonic()`.
        self.fetched_s: float = time.monotonic()
        #: Whether a commit may pass it; set by `HandledPrefix` alone.
        self.handled: bool = False


class HandledEvent(faust.Event):
    """An event that refuses to be acknowledged before it is marked handled."""

    #: Whether the agent is done with it.
    handled: bool = False

    def mark_handled(self) -> None:
        """Say that the work is done and stored; the next acknowledgement counts."""
        self.handled = True

    def ack(self) -> bool:
        """
        Acknowledge, if it is handled and was not acknowledged before.

        Returns:
            Whether this was the last acknowledgement that the record waited for.

        """
        if not self.handled or self.acked:
            return False
        self.acked = True
        return super().ack()
