"""Draws of phrases."""

from models.evaluation.router.draw import draw
from models.evaluation.router.rows import Row
from models.evaluation.router.sets import RoutingSet


def rows(part, counts, outside=0):
    """Rows of intents, and out-of-scope ones."""
    inside = [Row(f"{part} {name} {i}", name) for name, n in counts.items() for i in range(n)]
    return inside + [Row(f"{part} outside {i}", "oos") for i in range(outside)]


def test_k_examples_an_intent():
    """
    Each intent gives k examples, or what it has; out-of-scope rows of train and validation are the
    out-of-scope phrases, and nothing comes from test.
    """
    one = RoutingSet(
        name="set",
        train=rows("train", {"b": 30, "a": 4}, 2),
        validation=rows("validation", {"a": 3, "b": 3}, 3),
        test=rows("test", {"a": 9}, 9),
    )

    drawn = draw(one, 10, 0)

    assert {name: len(set(texts)) for name, texts in drawn.intents.items()} == {"a": 4, "b": 10}
    assert drawn.validation["a"] == [f"validation a {i}" for i in range(3)]
    assert len(drawn.out_of_scope) == 5
    texts = [text for texts in drawn.intents.values() for text in texts]
    assert not any(text.startswith(("test", "validation")) for text in texts)


def test_validation_is_held_back():
    """
    Without validation rows a quarter of each intent's train rows is held back.
    """
    one = RoutingSet(name="set", train=rows("train", {"a": 100, "b": 6, "c": 1}), test=())

    drawn = draw(one, 50, 0)

    assert {name: len(texts) for name, texts in drawn.validation.items()} == {"a": 25, "b": 1}
    assert {name: len(texts) for name, texts in drawn.intents.items()} == {"a": 50, "b": 5, "c": 1}
    assert not set(drawn.intents["a"]) & set(drawn.validation["a"])


def test_a_seed_is_a_draw():
    """
    The same seed draws the same, another one does not.
    """
    one = RoutingSet(name="set", train=rows("train", {"a": 100}), test=())

    assert draw(one, 5, 1) == draw(one, 5, 1)
    assert draw(one, 5, 1) != draw(one, 5, 2)
