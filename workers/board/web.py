"""What every answer of the board goes through: who asks, what a browser may do with it, errors."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from aiohttp import web
from multidict import MultiDictProxy
from yarl import URL

from workers.board.access import Access, Session
from workers.board.acting import Actor
from workers.board.operations import Operations
from workers.board.query import WrongQuery
from workers.board.render import Pages
from workers.board.source import Source
from workers.errors import EdgeError

_log = logging.getLogger(__name__)

COOKIE = "turngate-board"
#: Nothing but our style sheet, and forms to ourselves: no scripts, frames or pictures.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # To ourselves alone: without any, browsers hide the origin of our own forms from us.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Server": "turngate",
}
#: How browsers send our forms.
_FORM = "application/x-www-form-urlencoded"
#: Pages that need no session.
_OPEN = frozenset({"/login", "/board.css", "/healthz", "/readyz"})

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What the handlers need."""

    source: Source
    access: Access
    actor: Actor
    operations: Operations
    pages: Pages
    #: How long the answer to a wrong token is held back, seconds.
    wrong_token_s: float = 1.0

    @staticmethod
    def today() -> date:
        """Tell the day, UTC."""
        return datetime.now(UTC).date()


BOARD = web.AppKey("board", Board)
SESSION = web.RequestKey("session", Session)


def page(
    request: web.Request, name: str, values: Mapping[str, Any], *, status: int = 200
) -> web.Response:
    """Answer with a page; where the broker is away it says so, and its status does too."""
    board = request.app[BOARD]
    session = request.get(SESSION)
    away = None if session is None else board.source.away
    if away is not None and status == web.HTTPOk.status_code:
        status = web.HTTPServiceUnavailable.status_code
    common = {
        "csrf": "" if session is None else session.csrf,
        "away": away,
        "here": request.path,
    }
    text = board.pages.render(name, common | dict(values))
    return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


def problem(request: web.Request, status: int, sentence: str) -> web.Response:
    """Answer with a page that says what is wrong."""
    return page(request, "problem.html", {"status": status, "sentence": sentence}, status=status)


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Tell browsers what they may do with an answer."""
    response.headers.update(HEADERS)


@web.middleware
async def errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn whatever is raised into a page; nothing of a form or an address is logged."""
    try:
        return await handler(request)
    except web.HTTPRedirection:
        raise
    except web.HTTPException as error:
        return problem(request, error.status, _SENTENCES.get(error.status, error.reason))
    except WrongQuery as error:
        return problem(request, 400, f"The address cannot be used: {error}.")
    except EdgeError as error:
        return problem(request, 503, str(error))
    except Exception as error:  # noqa: BLE001 - one bad page must not end the board
        _log.error("page_failed", extra={"error": type(error).__name__})
        return problem(request, 500, "The board failed at this page; its log says at what.")


_SENTENCES = {
    400: "This form cannot be read. Go back, load the page anew and try again.",
    403: "This form was not sent from a page of yours. Go back, load the page anew and try again.",
    404: "There is nothing here.",
    405: "This is not done so.",
    413: "That is too much.",
}


async def read_fields(request: web.Request) -> MultiDictProxy[Any]:
    """
    Read the fields of a form, sent as browsers send ours: UTF-8, in an address's own writing.

    Raises:
        web.HTTPBadRequest: it is none, or damaged; whoever sends it is wrong, and not the board.

    """
    try:
        if request.content_type == _FORM and (request.charset or "utf-8").lower() == "utf-8":
            return await request.post()
    except (ValueError, web.RequestPayloadError):
        pass  # no UTF-8, or a packing that is broken
    raise web.HTTPBadRequest


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let in who has a session, and take forms only from our own pages."""
    posted = request.method not in {"GET", "HEAD"}
    if posted and not _from_here(request):
        raise web.HTTPForbidden
    if request.path in _OPEN:
        return await handler(request)
    session = request.app[BOARD].access.session(request.cookies.get(COOKIE, ""))
    if session is None:
        raise web.HTTPSeeOther("/login")
    request[SESSION] = session
    if posted:
        form = await read_fields(request)
        if not session.sent_by(str(form.get("csrf", ""))):
            raise web.HTTPForbidden
    return await handler(request)


def _from_here(request: web.Request) -> bool:
    """Tell whether the browser says that a form comes from our own pages, or says nothing."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    try:
        return URL(origin).authority == request.host
    except ValueError:
        return False


def is_secure(request: web.Request) -> bool:
    """Tell whether the browser speaks TLS, to us or to a proxy before us."""
    return request.secure or request.headers.get("X-Forwarded-Proto") == "https"
