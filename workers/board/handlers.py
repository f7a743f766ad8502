"""The board's pages."""

import asyncio
import codecs
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

from aiohttp import web
from yarl import URL

from topics.gap import Gap, GapReason, GapState
from workers.board import query as queries
from workers.board import retrieval
from workers.board.access import SESSION_S
from workers.board.acting import Changed, Form, WrongForm, read_form, seen
from workers.board.query import ORDERS, Query, page_of, read_page, read_query, select
from workers.board.render import STYLE
from workers.board.similar import similar
from workers.board.trend import trend
from workers.board.web import BOARD, COOKIE, is_secure, page, problem, read_fields
from workers.errors import EdgeError, SettingsError
from workers.gaps import chosen, new_action_id
from workers.gaps_export import jsonl, table, title

Lines = Callable[[], Iterator[str]]

#: Longest token that is looked at, characters.
_MAX_TOKEN = 1_000


async def style(_: web.Request) -> web.Response:
    """Give the style sheet."""
    text = await asyncio.to_thread(STYLE.read_text, "utf-8")
    return web.Response(text=text, content_type="text/css", charset="utf-8")


async def healthz(_: web.Request) -> web.Response:
    """Say that the process answers."""
    return web.Response(text="ok\n")


async def readyz(request: web.Request) -> web.Response:
    """Say whether the topics are followed."""
    ready = request.app[BOARD].source.away is None
    return web.json_response({"ready": ready}, status=200 if ready else 503)


async def login_page(request: web.Request) -> web.Response:
    """Ask for the token."""
    return page(request, "login.html", {"wrong": None})


async def login(request: web.Request) -> web.Response:
    """Begin a session for who knows the token; others wait, and after some tries much longer."""
    board = request.app[BOARD]
    address = request.remote or ""
    form = await read_fields(request)
    given = str(form.get("token", ""))
    if not board.access.may_try(address):
        said = {"wrong": "Too many wrong tokens from your address. Wait five minutes."}
        answer = page(request, "login.html", said, status=429)
        answer.headers["Retry-After"] = "300"
        return answer
    if len(given) > _MAX_TOKEN or not board.access.is_right(given.strip(), address):
        await asyncio.sleep(board.wrong_token_s)
        return page(request, "login.html", {"wrong": "That is not the token."}, status=401)
    answer = web.Response(status=303, headers={"Location": "/"})
    answer.set_cookie(
        COOKIE,
        board.access.open(),
        max_age=SESSION_S,
        httponly=True,
        samesite="Strict",
        secure=is_secure(request),
        path="/",
    )
    return answer


async def logout(request: web.Request) -> web.Response:
    """End the session."""
    request.app[BOARD].access.close(request.cookies.get(COOKIE, ""))
    answer = web.Response(status=303, headers={"Location": "/login"})
    answer.del_cookie(COOKIE, path="/")
    return answer


async def listing(request: web.Request) -> web.Response:
    """List gaps."""
    board = request.app[BOARD]
    query, found = _selected(request)
    gaps = board.source.gaps.gaps()
    whole = chosen(gaps)
    rows = page_of(found, query.page)
    today = board.today()
    return page(
        request,
        "gaps.html",
        {
            "query": query,
            "found": rows,
            "asked": sum(gap.count for gap in found),
            "rows": [(gap, title(gap), trend(gap.days, today)) for gap in rows.rows],
            "any": queries.ANY,
            "states": [state.value for state in GapState],
            "reasons": [reason.value for reason in GapReason],
            "orders": ORDERS,
            "tenants": _tenants(gap.tenant_id for gap in whole),
            "languages": sorted({name for gap in whole for name in gap.languages}),
        },
    )


async def export(request: web.Request) -> web.Response:
    """Give the gaps that a query chooses as a file."""
    _, found = _selected(request)
    return await _file(request, "gaps", csv=lambda: table(found), json=lambda: jsonl(found))


async def show(request: web.Request) -> web.Response:
    """Show one gap."""
    return _gap_page(request, _named(request))


async def act(request: web.Request) -> web.Response:
    """Take a decision on a gap."""
    board = request.app[BOARD]
    gap = _named(request)
    given = await read_fields(request)
    form = None
    try:
        form = read_form(given)
        await board.actor.act(form, gap)
    except Changed:
        now = _named(request)
        return _gap_page(request, now, form=form, status=409, changed=True)
    except WrongForm as error:
        return _gap_page(request, gap, form=form, status=400, sentence=str(error))
    except (EdgeError, SettingsError) as error:
        sentence = f"Not sent, or nobody knows: {error}. Nothing is lost: send it again."
        return _gap_page(request, gap, form=form, status=503, sentence=sentence)
    raise _see_other(gap.gap_id, f"?sent={form.action_id}")


async def merging(request: web.Request) -> web.Response:
    """Offer the gaps that one may become a part of, those that ask the same words first."""
    board = request.app[BOARD]
    gap = _named(request)
    if gap.merged_into is not None:
        # Its own page says where it went.
        raise _see_other(gap.gap_id)
    query = read_query(
        {"text": request.query.get("text", ""), "page": request.query.get("page", "")}
    )
    others = [
        one
        for one in chosen(board.source.gaps.gaps(), tenant_id=gap.tenant_id)
        if one.gap_id != gap.gap_id
    ]
    if query.text:
        others = [one for one in others if queries.mentions(one, query.text)]
    else:
        others = await asyncio.to_thread(similar, gap, others)
    rows = page_of(others, query.page)
    return page(
        request,
        "merge.html",
        {
            "gap": gap,
            "title": title(gap),
            "query": query,
            "found": rows,
            "rows": [(one, title(one)) for one in rows.rows],
            "action_id": new_action_id(),
            "seen": seen(gap),
        },
    )


async def missed(request: web.Request) -> web.Response:
    """List the entries that search did not bring."""
    board = request.app[BOARD]
    items = board.source.failures.items()
    tenant = request.query.get("tenant", "")
    found = retrieval.by_entry(items, tenant=tenant)
    rows = page_of(found, read_page(request.query))
    today = board.today()
    return page(
        request,
        "missed.html",
        {
            "query": Query(tenant=tenant),
            "found": rows,
            "asked": sum(one.count for one in found),
            "rows": [(one, trend(one.days, today)) for one in rows.rows],
            "tenants": _tenants(item.tenant_id for item in items),
        },
    )


async def missed_export(request: web.Request) -> web.Response:
    """Give the questions that search did not answer as a file."""
    tenant = request.query.get("tenant", "")
    items = request.app[BOARD].source.failures.items()
    found = [item for item in items if not tenant or item.tenant_id == tenant]
    return await _file(
        request,
        "not-retrieved",
        csv=lambda: retrieval.table(found),
        json=lambda: retrieval.jsonl(found),
    )


async def operations(request: web.Request) -> web.Response:
    """Show what the workers do."""
    return page(request, "operations.html", await request.app[BOARD].operations.values())


def _selected(request: web.Request) -> tuple[Query, list[Gap]]:
    board = request.app[BOARD]
    query = read_query(request.query)
    return query, select(board.source.gaps.gaps(), query, board.today())


def _tenants(names: Iterable[str]) -> list[str]:
    return sorted(set(names))


def _named(request: web.Request) -> Gap:
    gap = request.app[BOARD].source.gaps.gap(request.match_info["gap_id"])
    if gap is None:
        raise web.HTTPNotFound
    return gap


def _see_other(gap_id: str, query: str = "") -> web.HTTPSeeOther:
    # Whatever an id holds: aiohttp's own way would leave a slash in it.
    place = f"/gaps/{quote(gap_id, safe='')}{query}"
    return web.HTTPSeeOther(URL(place, encoded=True))


def _gap_page(
    request: web.Request,
    gap: Gap,
    *,
    form: Form | None = None,
    status: int = 200,
    sentence: str | None = None,
    changed: bool = False,
) -> web.Response:
    board = request.app[BOARD]
    into = None if gap.merged_into is None else board.source.gaps.gap(gap.merged_into)
    return page(
        request,
        "gap.html",
        {
            "gap": gap,
            "title": title(gap),
            "trend": trend(gap.days, board.today()),
            "into": gap.merged_into,
            "into_title": "" if into is None else title(into),
            "seen": seen(gap),
            # The same name where it is to be sent again, so that it is applied once.
            "action_ids": _action_ids(form, again=status == web.HTTPServiceUnavailable.status_code),
            "entry_id": (form and form.entry_id) or "",
            "again": form if status == web.HTTPServiceUnavailable.status_code else None,
            "sentence": sentence,
            "changed": changed,
            "sent": _sent(request, gap),
        },
        status=status,
    )


def _action_ids(form: Form | None, *, again: bool) -> dict[str, str]:
    names = {kind: new_action_id() for kind in ("added", "dismissed", "reopen")}
    if form is not None and again:
        names[form.kind.value] = form.action_id
    return names


def _sent(request: web.Request, gap: Gap) -> str | None:
    """Tell what became of an action that was sent from here: `applied` or `waiting`."""
    actor = request.app[BOARD].actor
    action_id = request.query.get("sent", "")
    if not actor.was_sent(action_id):
        return None
    return "applied" if actor.applied(action_id, gap.gap_id) else "waiting"


async def _file(request: web.Request, name: str, *, csv: Lines, json: Lines) -> web.Response:
    """Answer with a file; a spreadsheet reads UTF-8 only behind its mark."""
    board = request.app[BOARD]
    if board.source.away is not None:
        # Old pages say that they are old; a file could not.
        return problem(request, 503, f"No file now: {board.source.away}.")
    kind = request.match_info["kind"]
    body = await asyncio.to_thread(_bytes, csv if kind == "csv" else json)
    mark = codecs.BOM_UTF8 if kind == "csv" else b""
    day = board.today().isoformat()
    return web.Response(
        body=mark + body,
        headers={
            "Content-Type": f"{_TYPES[kind]}; charset=utf-8",
            "Content-Disposition": f'attachment; filename="{name}-{day}.{kind}"',
        },
    )


def _bytes(lines: Lines) -> bytes:
    return "".join(lines()).encode()


_TYPES = {"csv": "text/csv", "jsonl": "application/x-ndjson"}
