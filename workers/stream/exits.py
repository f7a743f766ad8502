"""How the process ends: the codes, and the way out that nothing can hold up."""

import enum
import logging
import os
import threading
from typing import NoReturn

_log = logging.getLogger(__name__)

#: How long the last log lines may take, seconds: a blocked thread may hold a handler's lock.
_LAST_WORDS_S = 1.0


class ExitCode(enum.IntEnum):
    """What a worker ends with; a second signal gives 128 and its number."""

    #: Stopped as asked; what was handled is committed, the rest comes again.
    OK = 0
    #: It could not start, or something in it crashed.
    FAILED = 1
    #: It was asked to stop, and was not done by the limit; the event in hand comes again.
    HUNG = 3
    #: The watchdog ended it because something did not move.
    STUCK = 4


def end_process(code: int, reason: str) -> NoReturn:
    """
    Log why, flush the logs, and end the process at once, without waiting for anything else.

    Threads that hang would hold up an ordinary exit forever.
    """
    words = threading.Thread(target=_last_words, args=(code, reason), daemon=True)
    words.start()
    words.join(_LAST_WORDS_S)
    os._exit(code)


def _last_words(code: int, reason: str) -> None:
    _log.critical("worker_ends_hard", extra={"reason": reason, "code": int(code)})
    for handler in logging.getLogger().handlers:
        handler.flush()
