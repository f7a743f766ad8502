"""Names of decisions."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from topics.decision import decision_id

_TURN = st.tuples(st.text(), st.text(), st.integers(0, 2**31 - 1))


def test_decision_id_is_stable() -> None:
    """A redelivered turn has the same id, also after an upgrade of this code."""
    assert decision_id("acme", "call-1", 4) == decision_id("acme", "call-1", 4)
    assert decision_id("acme", "call-1", 4) == "16ac572f7d2faa535604410ea57c58ed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("a:b", "c", 1), ("a", "b:c", 1), id="colon"),
        pytest.param(("a/b", "c", 1), ("a", "b/c", 1), id="slash"),
        pytest.param(("a\0b", "c", 1), ("a", "b\0c", 1), id="nul"),
        pytest.param(("a", "\nb", 1), ("a\n", "b", 1), id="newline"),
        pytest.param(("ab", "c", 1), ("a", "bc", 1), id="no_separator"),
        pytest.param(("a", "b1", 2), ("a", "b", 12), id="seq"),
        pytest.param(("a", "b", 1), ("b", "a", 1), id="swapped"),
        pytest.param(("a", "b", 1), ("A", "b", 1), id="case"),
        pytest.param(("é", "b", 1), ("e\u0301", "b", 1), id="decomposed"),
        pytest.param(("a*", "b", 1), ("a", "*b", 1), id="star"),
        pytest.param(("{a", "}b", 1), ("{a}", "b", 1), id="braces"),
    ],
)
def test_two_turns_never_share_an_id(
    one: tuple[str, str, int], other: tuple[str, str, int]
) -> None:
    """Separators inside the parts cannot make two turns look alike."""
    assert decision_id(*one) != decision_id(*other)


@given(one=_TURN, other=_TURN)
def test_any_two_turns_differ(one: tuple[str, str, int], other: tuple[str, str, int]) -> None:
    """Whatever tenant, call and seq are, another turn has another id."""
    assume(one != other)

    assert decision_id(*one) != decision_id(*other)
