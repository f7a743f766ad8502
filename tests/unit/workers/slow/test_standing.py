"""Which records on the gaps' topic are not ours."""

import pytest

from tests.fakes.stream import make_record
from workers.slow.standing import Place, Standing


def seen(partition: int, offset: int, key: bytes = b"g"):
    """Make a record of a gap that came on the topic."""
    return make_record(topic="kb.gaps", partition=partition, offset=offset, key=key)


@pytest.mark.parametrize(
    ("record", "foreign"),
    [
        pytest.param(seen(0, 4), False, id="before ours"),
        pytest.param(seen(0, 5), False, id="ours"),
        pytest.param(seen(0, 6), True, id="after ours"),
        pytest.param(seen(1, 9), False, id="another partition"),
        pytest.param(seen(0, 3, b"h"), True, id="never stored by us"),
    ],
)
def test_foreign_is_what_stands_after_ours(record, foreign):
    """A record of another worker matters where it is the last one of its gap."""
    standing = Standing()
    standing.stored(b"g", Place(0, 5))
    standing.see(record)

    assert standing.foreign() == ([record] if foreign else [])
    assert len(standing) == 0


def test_only_the_last_record_of_a_gap_counts():
    """What we stored over a foreign record has put it right already."""
    standing = Standing()
    for offset in (6, 7):
        standing.see(seen(0, offset))
    standing.stored(b"g", Place(0, 7))

    assert standing.foreign() == []


def test_reading_back_begins_anew():
    """What was stored and seen before the gaps were read back is among what was read."""
    standing = Standing()
    standing.stored(b"g", Place(0, 50))
    standing.see(seen(0, 60))
    standing.begin()
    assert len(standing) == 0

    standing.see(seen(0, 40))
    assert [record.offset for record in standing.foreign()] == [40]
