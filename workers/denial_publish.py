"""Banned pairs onto `pair.denials`, each stored before we say so."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from models.text import clean, match_key
from topics.codec import DecodeError, decode, encode
from topics.denial import Denial, denied_pair
from topics.names import DENIALS, pair_key
from workers.admin import connection, need_topics
from workers.errors import SettingsError
from workers.publish import publish
from workers.settings import Settings
from workers.stream.settings import stream_settings

_CLIENT_ID = "turngate-deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts as a person gives them; user text, so not in its repr."""

    tenant_id: str
    utterance: str
    prediction: str
    #: The decision that showed it to be wrong.
    decision_id: str | None = None

    def __repr__(self) -> str:
        """Hide the texts."""
        return f"Pair(tenant_id={self.tenant_id!r})"


def denial(pair: Pair, *, by: str | None) -> Denial:
    """
    Make the record of a pair, named as a worker names it.

    Raises:
        SettingsError: a text is empty, or longer than any that could be served; or no worker would
            take the record, as without a tenant.

    """
    keys = []
    for text in (pair.utterance, pair.prediction):
        cleaned = clean(text)
        if cleaned.too_long or not cleaned.text:
            raise SettingsError("a text is empty or longer than any that could be served")
        keys.append(match_key(cleaned.text))
    made = Denial(
        tenant_id=pair.tenant_id,
        pair=denied_pair(pair.tenant_id, *keys),
        denied_at_ms=int(time.time() * 1e3),
        by=by,
        decision_id=pair.decision_id,
    )
    try:
        return decode(Denial, encode(made))
    except DecodeError as error:
        raise SettingsError(f"not a ban that a worker would take: {error.reason}") from None
    except orjson.JSONEncodeError:
        raise SettingsError("not a ban that a worker would take: a name is no text") from None


async def publish_denials(
    settings: Settings, denials: Iterable[Denial], *, lift: bool = False
) -> None:
    """
    Ban pairs, or lift their bans; each is stored when this returns.

    Raises:
        SettingsError: the topic does not exist.
        BrokerUnavailable: Kafka did not take a record in time; some may be stored.

    """
    await need_topics(connection(settings), prefix=settings.prefix, topics=(DENIALS,))
    stream = stream_settings(settings, client_id=_CLIENT_ID)
    records = [
        (pair_key(each.tenant_id, each.pair), None if lift else encode(each)) for each in denials
    ]
    await publish(stream, settings.prefix + DENIALS.name, records)
