"""What counts of the phrases of a router."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.router.phrases import Finding, Part, Phrases, Problem, prepare
from models.text import match_key

LISTS = st.lists(st.sampled_from(["pay", "Pay.", "  pay", "bill", "\u200b", "नमस्ते", "x" * 2000]))


def test_phrases_are_cleaned_and_kept_in_order():
    """
    Phrases are cleaned; intents and phrases keep their order.
    """
    prepared = prepare(
        Phrases(
            intents={"b": [" Pay\u200b  bill "], "a": ["कार्ड बंद करो", "block card"]},
            validation={"a": ["أوقف البطاقة"]},
            out_of_scope=["tell me a joke"],
        )
    )

    assert prepared.names == ("b", "a")
    assert prepared.examples == (("Pay bill", 0), ("कार्ड बंद करो", 1), ("block card", 1))
    assert prepared.validation == (("أوقف البطاقة", 1),)
    assert prepared.out_of_scope == ("tell me a joke",)
    assert prepared.findings == ()


@pytest.mark.parametrize(
    ("phrases", "finding"),
    [
        pytest.param(
            Phrases(intents={"a": ["pay", " \u200b "]}),
            Finding(problem=Problem.EMPTY, part=Part.EXAMPLES, intent="a", index=1),
            id="empty",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay", "pay " * 200]}),
            Finding(problem=Problem.TOO_LONG, part=Part.EXAMPLES, intent="a", index=1),
            id="too long",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay", "Pay."]}),
            Finding(problem=Problem.REPEATED, part=Part.EXAMPLES, intent="a", index=1),
            id="twice in an intent",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay"]}, validation={"a": ["PAY"]}),
            Finding(problem=Problem.REPEATED, part=Part.VALIDATION, intent="a", index=0),
            id="an example validates itself",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay"], "b": ["bill"]}, validation={"b": ["pay"]}),
            Finding(
                problem=Problem.CONTRADICTED,
                part=Part.VALIDATION,
                intent="b",
                index=0,
                other="a",
            ),
            id="example of one, validation of another",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay"]}, out_of_scope=["pay"]),
            Finding(problem=Problem.CONTRADICTED, part=Part.OUT_OF_SCOPE, index=0, other="a"),
            id="in and out of scope",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay"]}, validation={"z": ["bill"]}),
            Finding(problem=Problem.UNKNOWN_INTENT, part=Part.VALIDATION, intent="z"),
            id="validation of no intent",
        ),
        pytest.param(
            Phrases(intents={"a": ["pay"], "b": []}),
            Finding(problem=Problem.NO_EXAMPLES, part=Part.EXAMPLES, intent="b"),
            id="an intent without examples",
        ),
    ],
)
def test_what_is_left_out_is_found(phrases, finding):
    """
    A phrase that cannot count is left out and reported by its place.
    """
    prepared = prepare(phrases)

    assert prepared.findings == (finding,)
    assert ("pay", 0) in prepared.examples


def test_an_example_under_two_intents_counts_under_neither():
    """
    A phrase under two intents counts under neither, both places are reported, and an intent that
    has nothing else is left out.
    """
    prepared = prepare(Phrases(intents={"a": ["stop it", "end"], "b": ["Stop it."]}))

    assert prepared.names == ("a",)
    assert prepared.examples == (("end", 0),)
    assert [(one.problem, one.intent, one.index, one.other) for one in prepared.findings] == [
        (Problem.AMBIGUOUS, "a", 0, "b"),
        (Problem.AMBIGUOUS, "b", 0, "a"),
        (Problem.NO_EXAMPLES, "b", None, None),
    ]


def test_no_later_list_brings_an_ambiguous_phrase_back():
    """
    A phrase under two intents is no validation or out-of-scope phrase either.
    """
    prepared = prepare(
        Phrases(
            intents={"a": ["stop", "end"], "b": ["stop", "go"]},
            validation={"a": ["stop"]},
            out_of_scope=["stop"],
        )
    )

    assert prepared.validation == ()
    assert prepared.out_of_scope == ()


@given(
    st.dictionaries(st.sampled_from("abc"), LISTS),
    st.dictionaries(st.sampled_from("abcd"), LISTS),
    LISTS,
)
def test_what_counts_counts_once(intents, validation, outside):
    """
    Whatever is given, no two phrases that count sound the same, every intent has an example, and
    each phrase either counts or is reported.
    """
    prepared = prepare(Phrases(intents=intents, validation=validation, out_of_scope=outside))

    labelled = [*prepared.examples, *prepared.validation]
    texts = [text for text, _ in labelled] + list(prepared.out_of_scope)
    assert len({match_key(text) for text in texts}) == len(texts)
    assert all(texts)
    assert {label for _, label in prepared.examples} == set(range(len(prepared.names)))
    unknown = set(validation) - set(prepared.names)
    given_phrases = sum(map(len, intents.values())) + len(outside)
    given_phrases += sum(len(texts) for name, texts in validation.items() if name not in unknown)
    assert given_phrases == len(texts) + sum(one.index is not None for one in prepared.findings)
