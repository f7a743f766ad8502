"""Temperature and threshold of an answer judge."""

import numpy as np
import pytest

from models.pipeline.answer_calibrate import (
    answering,
    best_threshold,
    calibration_error,
    cross_entropy,
    rates,
)


def test_a_judge_that_is_too_sure_is_cooled():
    """Half of its sure levels are wrong, so a higher temperature costs less."""
    logits = np.array([[9, 0, 0, 0], [9, 0, 0, 0]], np.float32)
    levels = np.array([0, 1])

    assert cross_entropy(logits, levels, 3.0) < cross_entropy(logits, levels, 1.0)


def test_answering_is_at_least_a_part():
    """Levels 2 and 3 together."""
    logits = np.log(np.array([[0.1, 0.2, 0.3, 0.4]], np.float32))

    assert answering(logits, 1.0) == pytest.approx([0.7], abs=1e-3)


def test_the_threshold_parts_what_can_be_parted():
    """Between the highest that does not answer and the lowest that does; the highest of equals."""
    told = np.array([0.05, 0.32, 0.61, 0.95])
    labels = np.array([False, False, True, True])

    assert best_threshold(told, labels) == pytest.approx(0.61)


def test_both_errors_count_alike_however_many_rows_they_have():
    """A hundred that do not answer do not drown one that does."""
    told = np.array([0.5] * 100 + [0.4])
    labels = np.array([False] * 100 + [True])
    value = best_threshold(told, labels)

    assert value > 0.5 or value <= 0.4


def test_calibration_error():
    """Ones that are right nine times in ten are well told by 0.9, and badly by 0.5."""
    labels = np.array([True] * 9 + [False])

    assert calibration_error(np.full(10, 0.9), labels) == pytest.approx(0.0)
    assert calibration_error(np.full(10, 0.5), labels) == pytest.approx(0.4)


def test_rates():
    """As a manifest holds them, with the bound on false accepts."""
    found = rates(np.array([0.9, 0.2, 0.8, 0.1]), np.array([True, True, False, False]), 0.5)

    assert found["recall"] == 0.5
    assert found["false_accept_rate"] == 0.5
    assert found["false_accept_upper95"] > 0.5
