"""Answers, honest and not, into probabilities."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.judging import entry_of_level
from tests.faults.system_one import ENVELOPES, LIES, ODDITIES, honest_answer
from workers.system_one.answer import read_answer
from workers.system_one.errors import JudgeUnavailable
from workers.system_one.request import encode_request

_REQUEST = encode_request("clef", "q", [entry_of_level(level) for level in (3, 0, 1, 2)])
_HONEST = honest_answer(orjson.loads(_REQUEST.body))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("0 1 2 3 type score probabilities".split()), inner)
    ),
    max_leaves=12,
)


def read(body, envelope="flat"):
    """Read an answer to `_REQUEST`."""
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return read_answer(raw, ids=_REQUEST.ids, envelope=envelope)


class TestHonest:
    @pytest.mark.parametrize("envelope", ["flat", "cloudflare"])
    def test_probabilities_come_in_the_order_of_the_candidates(self, envelope):
        """
        Each candidate gets its own probabilities, lowest level first.
        """
        body = _HONEST if envelope == "flat" else {"success": True, "result": _HONEST}

        answer = read(body, envelope)

        best = [probabilities.index(max(probabilities)) for probabilities in answer.probabilities]
        assert best == [3, 0, 1, 2]
        assert answer.probabilities[0] == pytest.approx((0.03, 0.03, 0.03, 0.91))
        assert answer.model == "clef-2026"

    @pytest.mark.parametrize("name", ODDITIES)
    def test_what_the_protocol_allows_is_understood(self, name):
        """
        Optional parts may be missing or strange, orders and extras are free, decimals are few.
        """
        answer = read(ODDITIES[name](_HONEST))

        assert len(answer.probabilities) == 4
        for probabilities in answer.probabilities:
            assert sum(probabilities) == pytest.approx(1.0)

    @pytest.mark.parametrize("name", ["bare", "other-order", "extras", "extra-answers"])
    def test_order_and_extras_change_no_level(self, name):
        """
        Answers are found by name, never by place.
        """
        assert read(ODDITIES[name](_HONEST)).probabilities == read(_HONEST).probabilities


class TestLies:
    @pytest.mark.parametrize("name", LIES)
    def test_a_lie_is_refused_whole_and_says_nothing_of_itself(self, name):
        """
        One bad answer spoils all: nothing is half believed, and nothing of it is in the error.
        """
        with pytest.raises(JudgeUnavailable) as excinfo:
            read(LIES[name](_HONEST))

        assert str(excinfo.value) in {"malformed", "incomplete"}
        assert excinfo.value.__context__ is None

    @pytest.mark.parametrize("name", ENVELOPES)
    def test_a_broken_envelope_is_refused(self, name):
        """
        Inside the envelope of Cloudflare only `success: true` counts.
        """
        with pytest.raises(JudgeUnavailable) as excinfo:
            read(ENVELOPES[name](_HONEST), "cloudflare")

        assert str(excinfo.value) in {"malformed", "unsuccessful"}

    def test_an_envelope_where_none_is_expected(self):
        """
        A wrong setting is found out, not guessed around.
        """
        with pytest.raises(JudgeUnavailable, match="incomplete"):
            read({"success": True, "result": _HONEST})

    @pytest.mark.parametrize(
        ("shares", "good"),
        [
            pytest.param((0.95, 0.0, 0.0, 0.0), True, id="0.95"),
            pytest.param((0.94, 0.0, 0.0, 0.0), False, id="0.94"),
            pytest.param((0.35, 0.35, 0.35, 0.0), True, id="1.05"),
            pytest.param((0.36, 0.35, 0.35, 0.0), False, id="1.06"),
        ],
    )
    def test_the_sum_may_be_off_by_rounding_only(self, shares, good):
        """
        Up to 0.05 is rounding, more is no distribution.
        """
        levels = {str(level): share for level, share in enumerate(shares)}
        body = {"answers": {name: {"probabilities": levels} for name in _REQUEST.ids}}

        if good:
            assert sum(read(body).probabilities[0]) == pytest.approx(1.0)
        else:
            with pytest.raises(JudgeUnavailable, match="malformed"):
                read(body)

    @given(_JSON)
    def test_whatever_an_answer_is_there_are_two_ways_out(self, value):
        """
        Any JSON at all is a distribution or an error of ours.
        """
        body = {"answers": _HONEST["answers"] | {_REQUEST.ids[1]: value}}

        try:
            answer = read(json.dumps(body).encode())  # it writes NaN and any integer
        except JudgeUnavailable:
            return
        assert all(
            sum(levels) == pytest.approx(1.0) and min(levels) >= 0
            for levels in answer.probabilities
        )
