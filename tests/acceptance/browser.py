"""A headless Chromium by the WebDriver protocol; what of it a few tests need."""

import base64
import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_until_blocking
from workers.loopback import free_port

#: Starting a browser on a busy machine may take this long, seconds.
_PATIENT_S = 90
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)


class Browser:
    """One window."""

    def __init__(self, session: str) -> None:
        self._session = session

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send one command."""
        return _ask(method, f"{self._session}{path}", body)

    def open(self, url: str) -> None:
        """Load a page."""
        self.ask("POST", "/url", {"url": url})

    def find(self, selector: str) -> list["Element"]:
        """Find elements by CSS."""
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [Element(self, one[_ELEMENT]) for one in found]

    def one(self, selector: str) -> "Element":
        """Find the only element, once it is there."""
        found = wait_until_blocking(lambda: self.find(selector), f"{selector}", _PATIENT_S)
        (element,) = found
        return element

    def run(self, script: str) -> Any:
        """Run a script that the page's own rules do not hold back."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def size(self, width: int, height: int) -> None:
        """Make the window so large."""
        self.ask("POST", "/window/rect", {"width": width, "height": height})

    def picture(self, path: Path) -> bytes:
        """Take a picture, and keep it."""
        picture = base64.b64decode(self.ask("GET", "/screenshot"))
        path.write_bytes(picture)
        return picture

    def cookies(self) -> list[dict[str, Any]]:
        """Return the cookies with their flags."""
        found: list[dict[str, Any]] = self.ask("GET", "/cookie")
        return found

    def complaints(self) -> list[str]:
        """Return what the browser's console holds since the last time."""
        return [one["message"] for one in self.ask("POST", "/se/log", {"type": "browser"})]


class Element:
    """Something on a page."""

    def __init__(self, browser: Browser, name: str) -> None:
        self._browser = browser
        self._path = f"/element/{name}"

    def click(self) -> None:
        """Click what leaves the page as it is."""
        self._browser.ask("POST", f"{self._path}/click", {})

    def follow(self) -> None:
        """Click what leads to another page, and wait until that has taken this one's place."""
        page = self._browser.one("html")
        self.click()
        wait_until_blocking(lambda: page.is_gone, "another page", _PATIENT_S)

    @property
    def is_gone(self) -> bool:
        """Whether its page is no longer there."""
        try:
            self._browser.ask("GET", f"{self._path}/name")
        except urllib.error.HTTPError as error:
            with error:
                return bool(json.load(error)["value"]["error"] == "stale element reference")
        return False

    def write(self, text: str) -> None:
        """Type into it."""
        self._browser.ask("POST", f"{self._path}/value", {"text": text})

    @property
    def text(self) -> str:
        """What a reader sees of it."""
        return str(self._browser.ask("GET", f"{self._path}/text"))

    def css(self, name: str) -> str:
        """How it is shown."""
        return str(self._browser.ask("GET", f"{self._path}/css/{name}"))


@contextmanager
def browsing(folder: Path, *, dark: bool = False, scripts: bool = True) -> Iterator[Browser]:
    """
    Open a window for the time of the block; skips the test where there is no Chromium.

    Args:
        folder: where its profile goes.
        dark: whether its user prefers dark pages.
        scripts: whether pages may run any.

    """
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or chromium is None:
        pytest.skip("needs chromium and chromedriver, as Debian's chromium and chromium-driver")
    port = free_port()
    process = subprocess.Popen(  # noqa: S603 - the driver that we have just found
        [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        root = f"http://127.0.0.1:{port}"
        wait_until_blocking(lambda: _ready(root), "the driver to answer", _PATIENT_S, every_s=0.1)
        flags = [*_FLAGS, f"--user-data-dir={folder / 'profile'}"]
        if dark:
            flags.append("--blink-settings=preferredColorScheme=0")
        preferences = {} if scripts else {"profile.managed_default_content_settings.javascript": 2}
        options = {"binary": chromium, "args": flags, "prefs": preferences}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = _ask("POST", f"{root}/session", {"capabilities": {"alwaysMatch": wanted}})
        browser = Browser(f"{root}/session/{session['sessionId']}")
        try:
            yield browser
        finally:
            browser.ask("DELETE", "")
    finally:
        process.terminate()
        process.wait()


def _ready(root: str) -> bool:
    try:
        return bool(_ask("GET", f"{root}/status")["ready"])
    except OSError:
        return False


def _ask(method: str, url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method)  # noqa: S310 - the driver's address
    with urllib.request.urlopen(request, timeout=_PATIENT_S) as answer:  # noqa: S310
        return json.load(answer)["value"]
