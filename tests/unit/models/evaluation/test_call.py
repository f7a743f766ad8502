"""The split of calls."""

from models.evaluation.call import name_of_call, side_of_call

CALLS = [(f"tenant-{number % 3}", f"call-{number}") for number in range(600)]


def test_sides_never_move():
    """
    A call stays where it was in every earlier export: these are written down.
    """
    sides = [side_of_call("acme", f"call-{number}", 0.5)[0] for number in range(16)]

    assert "".join(sides) == "vvvvvtvttvtttttt"
    assert name_of_call("acme", "call-1") == "dacd6966d39762093c942930"


def test_share():
    """
    The share of calls is kept, none and all of them included.
    """
    found = [side_of_call(*call, 0.3) for call in CALLS]

    assert 0.25 < found.count("validation") / len(CALLS) < 0.35
    assert {side_of_call(*call, 0.0) for call in CALLS} == {"test"}
    assert {side_of_call(*call, 1.0) for call in CALLS} == {"validation"}


def test_a_larger_share_takes_no_call_out():
    """
    What a threshold was chosen on never becomes test data as validation grows.
    """
    small = {call for call in CALLS if side_of_call(*call, 0.3) == "validation"}
    large = {call for call in CALLS if side_of_call(*call, 0.6) == "validation"}

    assert small < large


def test_tenant_and_call_are_apart():
    """
    Two calls whose ids read the same in a row are two calls.
    """
    assert name_of_call("ab", "c") != name_of_call("a", "bc")
