"""A student: its lesson here, its network where torch is installed."""

import json
import random

import numpy as np
import pytest

from models.pipeline.student_texts import BATCH, batches, read_lesson, spread, teach


class CountingEncoder:
    """Gives each text a vector and counts how often it is asked."""

    dimension = 3

    def __init__(self, fingerprint="one"):
        self.fingerprint = fingerprint
        self.asked = 0

    def encode(self, texts):
        """Encode lengths."""
        self.asked += 1
        return np.array([[len(text), 0, 1] for text in texts], np.float32)


@pytest.mark.parametrize(
    ("layers", "kept", "places"),
    [(12, 6, (0, 2, 4, 7, 9, 11)), (12, 3, (0, 6, 11)), (12, 2, (0, 11)), (4, 4, (0, 1, 2, 3))],
)
def test_layers_are_spread_from_the_first_to_the_last(layers, kept, places):
    """What reads the words and what makes the vector are both kept."""
    assert spread(layers, kept) == places


@pytest.mark.parametrize("kept", [0, 1, 13])
def test_a_student_has_two_layers_to_all(kept):
    """Anything else is an error."""
    with pytest.raises(ValueError, match="at least two"):
        spread(12, kept)


def test_a_lesson_is_of_groups_and_public_pairs(tmp_path):
    """Each group is a family, and so is each public pair; other rows are the groups' again."""
    groups, rows = tmp_path / "groups.jsonl", tmp_path / "train.jsonl"
    groups.write_text("\n".join(json.dumps([[f"a{n}", f"b{n}"], [f"c{n}"]]) for n in range(101)))
    rows.write_text(
        '{"layer":"public","a":"how  much","b":"what does it cost","label":1}\n'
        '{"layer":"scenes","a":"x","b":"y","label":0}\n'
    )

    lesson = read_lesson(groups, rows)

    assert lesson.held == [[f"a{n}", f"b{n}", f"c{n}"] for n in (0, 50, 100)]
    assert lesson.taught[0] == ["a1", "b1", "c1"]
    assert lesson.taught[-1] == ["how much", "what does it cost"]
    assert len(lesson.taught) == 99
    assert read_lesson(groups).taught == lesson.taught[:-1]


def test_batches_hold_whole_families_or_a_share_of_large_ones():
    """A batch is full, no family fills it alone, and as many texts come as were asked for."""
    families = [[f"{name} {n}" for n in range(size)] for name, size in enumerate([3, 200] * 30)]

    found = list(batches(families, 3_000, random.Random(1)))  # noqa: S311

    assert sum(map(len, found)) >= 3_000
    for batch in found:
        counts = np.unique([text.split()[0] for text in batch], return_counts=True)[1]
        assert len(batch) >= BATCH
        assert set(counts) <= {3, 24}


def test_the_teacher_is_asked_once(tmp_path):
    """Vectors are kept for the same encoder and texts, and for nothing else."""
    first, other = CountingEncoder(), CountingEncoder("two")
    texts = ["a", "bcd"]

    vectors = teach(first, texts, tmp_path)
    again = teach(first, texts, tmp_path)
    teach(other, texts, tmp_path)
    teach(first, texts[:1], tmp_path)

    assert vectors.tolist() == again.tolist() == [[1, 0, 1], [3, 0, 1]]
    assert (first.asked, other.asked) == (2, 1)
    assert not list(tmp_path.glob("*.part.npy"))


def small_network(layers):
    """Make a network of a few numbers."""
    from models.pipeline.network import BertEncoder, NetworkConfig  # noqa: PLC0415

    config = NetworkConfig(vocabulary=20, hidden=8, layers=layers, heads=2, ffn=16, positions=16)
    return BertEncoder(config).eval()


def test_a_cut_keeps_what_was_chosen():
    """Each kept layer has its own weights, and words, positions and norms are the teacher's."""
    pytest.importorskip("torch", reason="torch is not installed: it is of the extra `train`")
    from models.pipeline.student import cut  # noqa: PLC0415

    teacher = small_network(5)

    student = cut(teacher, [0, 2, 4])

    own, theirs = student.state_dict(), teacher.state_dict()
    assert student.config.layers == 3
    for name, value in own.items():
        _, layer, rest = name.partition("layers.")
        place, _, rest = rest.partition(".")
        source = f"layers.{int(place) * 2}.{rest}" if layer else name
        assert (value == theirs[source]).all()


def test_a_whole_cut_is_its_teacher():
    """With all layers kept nothing is lost, and nothing is left to learn."""
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: it is of the extra `train`"
    )
    from models.pipeline.network import SentenceEncoder  # noqa: PLC0415
    from models.pipeline.student import cut, loss_of  # noqa: PLC0415

    teacher = small_network(3)
    ids = torch.tensor([[3, 4, 5], [6, 7, 8], [9, 4, 2]])
    with torch.inference_mode():
        given = SentenceEncoder(teacher)(ids, torch.ones_like(ids))
        whole = SentenceEncoder(cut(teacher, [0, 1, 2]))(ids, torch.ones_like(ids))
        half = SentenceEncoder(cut(teacher, [0, 2]))(ids, torch.ones_like(ids))

    assert float(loss_of(whole, given)) == pytest.approx(0, abs=1e-5)
    assert float(loss_of(half, given)) > 1e-3
