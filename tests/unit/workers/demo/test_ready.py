"""What is read from the workers' metrics pages."""

import pytest

from workers.child import Child, ChildSpec
from workers.demo.ready import NotReady, read_page, until_known
from workers.demo.routes.run import ready
from workers.loopback import free_port

_PAGE = """# HELP turngate_kb_entries Entries.
turngate_kb_entries 40.0
turngate_routers{state="routed"} 2.0
turngate_routers{state="waiting"} 1.0
"""


def test_read_page():
    """
    A page is values by name and labels.
    """
    assert read_page(_PAGE) == {
        "turngate_kb_entries": 40.0,
        'turngate_routers{state="routed"}': 2.0,
        'turngate_routers{state="waiting"}': 1.0,
    }


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(_PAGE, False, id="one is waiting"),
        pytest.param(_PAGE.replace("} 1.0", "} 0.0"), False, id="one is not known"),
        pytest.param(_PAGE.replace("} 1.0", "} 0.0").replace("2.0", "3.0"), True, id="all there"),
        pytest.param("", False, id="no page"),
    ],
)
def test_routers_ready(page, expected):
    """
    Routers are ready when there are as many as agents and none is waiting.
    """
    assert ready(read_page(page), 3) is expected


async def test_time_is_up():
    """
    A worker that does not answer is named with what it did not have.
    """
    port = free_port()
    child = Child(ChildSpec(name="worker-1", arguments=(), environment={}, port=port))

    with pytest.raises(NotReady, match="worker-1 did not have the entries"):
        await until_known([child], lambda _: False, what="the entries", limit_s=0)
