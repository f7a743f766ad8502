"""Which profiles are published, and under which version."""

from dataclasses import replace

import pytest

from tests.fakes.hot import make_profile
from topics.profile import Mode
from workers.profile_file import Given
from workers.profile_publish import versions

BEFORE = replace(make_profile("a", Mode.LIVE), version=7)
OTHER = replace(make_profile("a", Mode.SHADOW), version=7)


def decided(profile, *, versioned, known=BEFORE):
    """Give the versions that are published, and what is wrong."""
    given = Given(profile, versioned, 1, ())
    changed, mistakes = versions([given], {("t", "a"): known} if known else {})
    return [one.version for one in changed], [str(note) for note in mistakes]


@pytest.mark.parametrize(
    ("profile", "versioned", "expected"),
    [
        pytest.param(replace(OTHER, version=1), False, [8], id="without: the next one"),
        pytest.param(replace(OTHER, version=9), True, [9], id="above"),
        pytest.param(replace(BEFORE, version=1), False, [], id="without, the same"),
        pytest.param(BEFORE, True, [], id="with, the same"),
        pytest.param(replace(BEFORE, version=8), True, [8], id="the same under a higher one"),
    ],
)
def test_versions_only_grow(profile, versioned, expected):
    """
    What is published, every worker takes; what is in force already is left alone.
    """
    assert decided(profile, versioned=versioned) == (expected, [])


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(OTHER, id="equal, with other content"),
        pytest.param(replace(OTHER, version=6), id="below"),
        pytest.param(replace(BEFORE, version=6), id="below, with the same content"),
    ],
)
def test_a_version_that_no_worker_would_take(profile):
    """
    It is a mistake, since publishing it would change nothing and say so nowhere.
    """
    published, (mistake,) = decided(profile, versioned=True)

    assert published == []
    assert "7, which is in force" in mistake


@pytest.mark.parametrize(("versioned", "expected"), [(False, [1]), (True, [5])])
def test_a_new_agent(versioned, expected):
    """
    Its first version is 1, or what the file says.
    """
    profile = replace(BEFORE, version=5 if versioned else 1)

    assert decided(profile, versioned=versioned, known=None) == (expected, [])
