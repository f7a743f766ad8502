from models.evaluation.drafts import DraftRow, measure_drafts


def row(draft, *, ok, evidence=("Parking costs 5 euros.",), kind=None):
    return DraftRow(evidence=evidence, draft=draft, ok=ok, kind=kind)


def test_counts():
    """Wrong ones are counted and named by their line."""
    found = measure_drafts(
        [
            (1, row("Parking costs 5 euros.", ok=True, kind="good")),
            (2, row("Parking costs 6 euros.", ok=True, kind="good")),
            (4, row("Parking costs 5 euros.", ok=False, kind="price")),
            (5, row("Parking costs 7 euros.", ok=False, kind="price")),
        ]
    )

    assert (found["n"], found["bad"]) == (4, 2)
    assert (found["bad_accepted"], found["bad_accepted_rows"]) == (1, [4])
    assert (found["good_accepted_rate"], found["good_refused_rows"]) == (0.5, [2])
    assert found["by_kind"]["price"] == {"n": 2, "accepted": 1}
    assert found["reasons"]["bad"]["price"] == 1
    assert 0.9 < found["bad_accepted_upper95"] < 1


def test_one_sided():
    """A file of one kind has no rate of the other."""
    found = measure_drafts([(1, row("Parking costs 5 euros.", ok=True))])

    assert found["good_accepted_rate"] == 1.0
    assert found["bad_accepted_upper95"] is None
