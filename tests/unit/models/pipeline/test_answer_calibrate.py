"""Temperature and threshold of an answer judge."""

import numpy as np
import pytest

from models.pipeline.answer_calibrate import (
    answering,
    best_threshold,
    by_question,
    calibration_error,
    cross_entropy,
    rates,
)
from models.pipeline.data.kb_rows import KbRow


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


def test_a_question_is_answered_by_its_surest_entry():
    """Joined entries have no part in it, and one question of two bases is two."""

    def row(question, base, kind="written"):
        return KbRow(
            question=question, title="", content="", level=0, kind=kind, question_language="en",
            entry_language="en", group=(base,), source="",
        )  # fmt: skip

    rows = [row("a", "x"), row("b", "x"), row("a", "x"), row("a", "y"), row("b", "x", "joined")]
    told = np.array([0.2, 0.3, 0.7, 0.1, 0.9])
    labels = np.array([True, False, False, False, True])

    asked, surest, answered = by_question(rows, told, labels)

    assert [(one.question, *one.group) for one in asked] == [("a", "x"), ("b", "x"), ("a", "y")]
    assert surest.tolist() == [0.7, 0.3, 0.1]
    assert answered.tolist() == [True, False, False]


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
