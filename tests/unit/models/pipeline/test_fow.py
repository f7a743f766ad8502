"""The public benchmark's pairs as rows."""

import json

from models.evaluation.rows import read_pairs
from models.pipeline.fow import row


def test_a_row_is_one_that_evaluation_reads(tmp_path):
    """The cached question is the prediction, the new one the utterance."""
    made = row(
        {
            "id": "negation-001", "category": "negation", "style": "minimal",
            "a": "Cancel it", "b": "Don't cancel it", "same_answer": False,
        }
    )  # fmt: skip
    path = tmp_path / "fow.jsonl"
    path.write_text(json.dumps(made))

    (pair,) = read_pairs([path])

    assert (pair.utterance, pair.prediction, pair.label) == ("Don't cancel it", "Cancel it", 0)
    assert pair.kind == "negation"
