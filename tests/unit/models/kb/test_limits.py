"""How much of a knowledge base fits."""

import pytest

from models.kb.limits import MAX_TITLE_CHARS, Admission, Limits, size, too_long
from models.kb.reading import MAX_ENTRY_CHARS
from tests.fakes.kb import make_entry


@pytest.fixture
def admission():
    """Room for three passages of a tenant, five of all."""
    return Admission(Limits(tenant=3, all=5))


def test_size_follows_words_and_characters():
    """Long texts count more, also without any space."""
    assert size(make_entry("e", content="")) == 1
    assert size(make_entry("e", content="word " * 100)) == 3
    assert size(make_entry("e", content="x" * 2_000)) == 6


@pytest.mark.parametrize(
    ("field", "limit"), [("title", MAX_TITLE_CHARS), ("content", MAX_ENTRY_CHARS)]
)
def test_too_long(field, limit):
    """A text beyond its limit is named, one of exactly that length is taken."""
    assert too_long(make_entry("e", **{field: "ب" * limit})) is None
    assert field in (too_long(make_entry("e", **{field: "ب" * (limit + 1)})) or "")


def test_a_tenant_has_its_own_room(admission):
    """What is full for one is not for the other, and an update takes its old version's room."""
    assert [admission.admit(make_entry(str(n))) for n in range(3)] == [None] * 3
    assert "tenant" in admission.admit(make_entry("4"))
    assert admission.admit(make_entry("0", content="changed")) is None
    assert admission.admit(make_entry("0", tenant_id="u")) is None
    assert len(admission) == 4


def test_all_tenants_share_a_room(admission):
    """No number of tenants fills the memory."""
    found = [admission.admit(make_entry("e", tenant_id=f"t{n}")) for n in range(6)]

    assert found[:5] == [None] * 5
    assert "all tenants" in found[5]


def test_room_is_given_back(admission):
    """What is deleted makes room, and nothing is left of a tenant without entries."""
    for n in range(3):
        admission.admit(make_entry(str(n)))
    for n in range(3):
        admission.forget("t", str(n))
    admission.forget("t", "never there")

    assert admission.admit(make_entry("again")) is None
    admission.forget("t", "again")
    assert len(admission) == 0
    assert not admission._of_tenant
    assert admission._of_all == 0


def test_a_version_that_does_not_fit_takes_the_old_one_out(admission):
    """What is no longer so is not kept in place of what is too long to be."""
    admission.admit(make_entry("e"))

    assert admission.admit(make_entry("e", content="word " * 1_000)) is not None
    assert len(admission) == 0
