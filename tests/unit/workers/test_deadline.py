"""Deadlines."""

import pytest

from workers.deadline import Deadline
from workers.errors import Outcome, TooLate, WorkerError


class TestDeadline:
    def test_time_left_is_never_negative(self):
        """
        A deadline that has passed leaves nothing, not less.
        """
        assert Deadline.after(-5).left_s() == 0

    def test_a_passed_deadline_raises_an_outcome(self):
        """
        Too late is an outcome: no handler of failures swallows it.
        """
        with pytest.raises(TooLate) as excinfo:
            Deadline.after(0).check()

        assert isinstance(excinfo.value, Outcome)
        assert not isinstance(excinfo.value, WorkerError)

    def test_a_deadline_ahead_lets_work_go_on(self):
        """
        Before it, check does nothing.
        """
        deadline = Deadline.after(60)

        deadline.check()

        assert 59 < deadline.left_s() <= 60
