"""The part of the demo whose turns are common intents."""

from aiokafka import AIOKafkaProducer

from workers.demo.collect import collecting, complete, until
from workers.demo.play import Player
from workers.demo.ready import NotReady, Page, until_known
from workers.demo.routes.data import RouteData
from workers.demo.routes.score import summarise_routes
from workers.demo.routes.summary import RouteSummary
from workers.demo.script import Script
from workers.up import Say, Stack

#: How long the routers may take, seconds: each is compiled by a process that takes what time nobody
#: else wants, while the other turns are played.
_ROUTERS_S = 300.0
#: How long the last decisions may take, seconds.
_LAST_DECISIONS_S = 240.0
#: State of a router that is still to come.
_WAITING = "waiting"
_ROUTERS = "turngate_routers{"


async def play_routes(
    stack: Stack, producer: AIOKafkaProducer, data: RouteData, script: Script, say: Say
) -> RouteSummary:
    """Wait for the routers, whose profiles are published already, and play the turns."""
    say(f"playing {len(script.turns)} turns to agents with intents, once their routers are made")
    try:
        await until_known(
            stack.workers,
            lambda page: ready(page, len(data.tenants)),
            what="routers",
            limit_s=_ROUTERS_S,
        )
        routers_ready = True
    except NotReady:
        routers_ready = False
    player = Player(producer, stack.settings.prefix)
    async with collecting(stack.settings, lambda _: None) as answers:
        await player.play(script)
        await until(lambda: complete(player.sent, answers), _LAST_DECISIONS_S)
    return summarise_routes(data, script.turns, player.sent, answers, routers_ready=routers_ready)


def ready(page: Page, count: int) -> bool:
    """Tell from a worker's page whether so many routers are there, whatever came of them."""
    states = {name: value for name, value in page.items() if name.startswith(_ROUTERS)}
    waiting = sum(value for name, value in states.items() if _WAITING in name)
    return sum(states.values()) >= count and waiting == 0
