"""Every event, there and back."""

import contextlib
import dataclasses
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.topics.examples import FULL, MINIMAL
from tests.unit.topics.strategies import JSON, events
from topics.codec import DecodeError, decode, encode
from topics.names import TOPICS
from topics.prediction import Prediction
from topics.utterance import Utterance

_EVENTS = [topic.event for topic in TOPICS]


def _name(event: object) -> str:
    return event.__name__ if isinstance(event, type) else type(event).__name__


def test_every_event_has_examples() -> None:
    """No topic is left out of the tests below."""
    assert {type(event) for event in FULL} == set(_EVENTS)
    assert set(MINIMAL) == set(_EVENTS)


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_full_event_comes_back(event: object) -> None:
    """An event with every field set is the same after the wire."""
    assert decode(type(event), encode(event)) == event


@pytest.mark.parametrize("event", _EVENTS, ids=_name)
def test_required_fields_suffice(event: type) -> None:
    """What a producer leaves out takes its default, which is not written either if it is null."""
    read: Any = decode(event, MINIMAL[event])

    assert decode(event, encode(read)) == read
    assert b"null" not in encode(read)


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_encoding_is_deterministic(event: object) -> None:
    """One event is always the same bytes, also when it went over the wire before."""
    raw = encode(event)

    assert encode(event) == raw
    assert encode(decode(type(event), raw)) == raw


@pytest.mark.parametrize("event", _EVENTS, ids=_name)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_event_comes_back(event: type, data: st.DataObject) -> None:
    """Whatever values the types allow, the event is the same after the wire."""
    made = data.draw(events(event))

    assert decode(event, encode(made)) == made


@settings(max_examples=200, deadline=None)
@given(response=JSON)
def test_prepared_response_is_handed_back_unread(response: object) -> None:
    """Any JSON in a prepared response survives, its nulls included."""
    made = Prediction(prediction_id="p", text="yes", response=response)

    assert decode(Prediction, encode(made)).response == response


@settings(max_examples=200, deadline=None)
@given(raw=st.binary() | JSON.map(encode))
def test_whatever_arrives_is_an_event_or_a_decode_error(raw: bytes) -> None:
    """No bytes make the decoder fail in any other way."""
    with contextlib.suppress(DecodeError):
        assert isinstance(decode(Utterance, raw), Utterance)


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_events_cannot_be_changed(event: object) -> None:
    """Events are frozen: change means a new object."""
    for field in dataclasses.fields(event):  # type: ignore[arg-type]
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(event, field.name, None)
