"""Tests of the events in hand."""

import pytest

from workers.stream.hand import InHand


class TestInHand:
    async def test_counts_and_times_what_is_held(self):
        """
        While a handler works on an event it is counted, and has an age.
        """
        hand = InHand()

        with hand.one():
            held = (len(hand), hand.since_s is not None, await hand.wait_empty(0))

        assert held == (1, True, False)
        assert (len(hand), hand.since_s, await hand.wait_empty(0)) == (0, None, True)

    async def test_the_oldest_gives_the_age(self):
        """
        The age is that of the event that was taken first and is still held.
        """
        hand = InHand()

        with hand.one():
            first = hand.since_s
            with hand.one():
                both = hand.since_s

        assert first == both

    async def test_lets_go_when_the_handler_fails(self):
        """
        A handler that raises holds nothing any more.
        """
        hand = InHand()

        with pytest.raises(ValueError, match="failed"), hand.one():
            raise ValueError("failed")

        assert await hand.wait_empty(0)
