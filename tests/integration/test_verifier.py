"""The verifier reads a run from the topics of a real broker."""

import json

from tests.faults.driver import play
from tests.faults.schedule import PLAIN, schedule
from tests.records import Raw, create_topic, produce
from tests.verifier import verify_topics

_TOPICS = ("turn.utterances", "turn.decisions", "turn.predictions", "dead.letters")


async def test_run_on_a_broker(broker, topic_prefix):
    """
    A run that lost its last decision is found out, whatever partitions it lies on.
    """
    for name in _TOPICS:
        await create_topic(broker.address, f"{topic_prefix}{name}", partitions=3)
    items = schedule(1, records=40, mix=PLAIN)
    sent = await play(broker.address, f"{topic_prefix}turn.utterances", items)
    answers = [
        Raw(
            key=each.item.key,
            value=json.dumps(
                {
                    **each.item.fields,
                    "decision_id": str(position),
                    "kind": "miss",
                    "status": "ok",
                }
            ).encode(),
        )
        for position, each in enumerate(sent)
    ]
    decisions = f"{topic_prefix}turn.decisions"

    await produce(broker.address, decisions, answers[:-1])
    short = await verify_topics(broker.address, prefix=topic_prefix)
    await produce(broker.address, decisions, answers[-1:])
    whole = await verify_topics(broker.address, prefix=topic_prefix)

    assert [each.invariant for each in short.violations] == ["I1"]
    assert whole.violations == ()
    assert (whole.counts.turns, whole.counts.decisions) == (40, 40)
