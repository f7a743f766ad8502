"""Age of an utterance at receipt."""

import time

import pytest

from workers.hot.receipt import receive

_HOUR = 3_600_000


def now_ms() -> int:
    return int(time.time() * 1e3)


class TestReceive:
    @pytest.mark.parametrize(
        ("said_ago", "recorded_ago", "age", "skewed"),
        [
            pytest.param(0, 0, 0, False, id="fresh"),
            pytest.param(5_000, 0, 5_000, False, id="said long ago, sent now"),
            pytest.param(5_000, 5_000, 5_000, False, id="waited in the broker"),
            pytest.param(_HOUR, _HOUR, _HOUR, False, id="an hour of backlog"),
            pytest.param(-_HOUR, 0, 0, True, id="clock an hour ahead"),
            pytest.param(_HOUR, 0, 0, True, id="clock an hour behind its record"),
            pytest.param(-_HOUR, -_HOUR, 0, True, id="both clocks ahead"),
            pytest.param(-500, 0, 0, False, id="clocks half a second apart"),
        ],
    )
    def test_age_and_skew(self, said_ago, recorded_ago, age, skewed):
        """
        An old event is old; a clock that contradicts the record's is a skew and expires nothing.
        """
        now = now_ms()

        receipt = receive(
            said_at_ms=now - said_ago,
            recorded_at_ms=now - recorded_ago,
            received_at_s=time.monotonic(),
        )

        assert abs(receipt.age_ms - age) < 1_000
        assert receipt.skewed is skewed

    def test_zero_and_the_year_2100_are_wrong_clocks(self):
        """
        A time of 0 or far ahead is no age.
        """
        for said_at_ms in (0, 4_102_444_800_000):
            receipt = receive(
                said_at_ms=said_at_ms, recorded_at_ms=now_ms(), received_at_s=time.monotonic()
            )

            assert receipt.skewed
            assert receipt.age_ms < 1_000

    def test_the_budget_counts_from_receipt(self):
        """
        Time that the record waited in the worker is spent already.
        """
        receipt = receive(
            said_at_ms=now_ms(), recorded_at_ms=now_ms(), received_at_s=time.monotonic() - 0.05
        )

        assert receipt.deadline(80).left_s() <= 0.03
        assert receipt.elapsed_ms >= 50
