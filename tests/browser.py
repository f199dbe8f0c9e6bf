"""JupyterLab in a headless Chromium, driven as a reader drives it: started here, used by the browser tests."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)
OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


def find_browser() -> str | None:
    """Give the path of a Chromium or Chrome of this machine, or None."""
    found = [shutil.which(program) for program in PROGRAMS] + [place for place in PLACES if Path(place).exists()]
    return next((path for path in found if path), None)


@contextmanager
def lab_server(root: Path, home: Path) -> Iterator[str]:
    """Serve JupyterLab on `root` with fresh settings under `home`; gives an address with a place for a path."""
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(QUIET))
    token = secrets.token_hex(16)
    for attempt in range(5):  # another program may take the port between our look and the server's start
        port = _free_port()
        server = _start_lab(root, home, port, token)
        if _serves(f"http://127.0.0.1:{port}/api/status?token={token}", server):
            break
        server.kill()
        assert attempt < 4, f"JupyterLab did not start:\n{(home / 'lab.log').read_text()}"
    try:
        yield f"http://127.0.0.1:{port}/lab/tree/{{}}?token={token}&reset"
    finally:
        server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _start_lab(root: Path, home: Path, port: int, token: str) -> subprocess.Popen:
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "RAGTEACH_HOME": "progress",
        "IPYTHONDIR": "ipython",
    }
    env = dict(os.environ) | {name: str(home / place) for name, place in places.items()}
    env.pop("RAGTEACH_STATIC", None)
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        *(f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={root}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with open(home / "lab.log", "w") as log:
        return subprocess.Popen(command, env=env, stdout=log, stderr=log)


def _serves(address: str, server: subprocess.Popen) -> bool:
    """Wait up to a minute for the server's answer; False where it ends, or another program answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=2).read()
            return True
        except HTTPException:
            return False
        except OSError:
            time.sleep(0.1)
        if server.poll() is not None:
            return False
    return False


@contextmanager
def browser_page() -> Iterator[Page]:
    """Open one page of a headless browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), headless=True, args=OPTIONS)
        page = browser.new_page(viewport={"width": 1300, "height": 950})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


class Notebook:
    """A notebook open in JupyterLab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        # "Idle" shows before the kernel's channel is connected, and what is run by then is dropped without a word.
        page.evaluate(
            """async () => { const app = window.jupyterapp; await app.restored; const p = app.shell.currentWidget;
            await p.context.ready; await p.sessionContext.ready; await p.sessionContext.session.kernel.info; }"""
        )

    def run_all(self) -> None:
        """Run every cell and wait for the last one; a cell that raises fails the test, with what it raised."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        assert not self.errors(), self.errors()

    def run_selected(self) -> None:
        """Run the selected cell and wait for it."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")

    def errors(self) -> list[str]:
        """Give the error outputs of all cells."""
        return self.page.evaluate(
            """() => Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)
            .filter(c => c.type === 'code').flatMap(c => c.outputs.toJSON())
            .filter(o => o.output_type === 'error').map(o => o.ename + ': ' + o.evalue)"""
        )

    def select(self, text: str, after: int = 0) -> int:
        """Select the first code cell at or after a position whose source holds the text; gives its position."""
        position = self.page.evaluate(
            """([text, after]) => { const nb = window.jupyterapp.shell.currentWidget.content;
            const cells = Array.from(nb.model.cells);
            const i = cells.findIndex((c, n) => n >= after && c.type === 'code'
                                            && c.sharedModel.getSource().includes(text));
            if (i >= 0) { nb.activeCellIndex = i; nb.deselectAll(); nb.scrollToItem(i, 'start'); } return i; }""",
            [text, after],
        )
        assert position >= 0, f"no code cell holds {text!r}"
        self.page.locator(".jp-Cell.jp-mod-active").scroll_into_view_if_needed()
        return position

    def type(self, source: str) -> None:
        """Replace the selected cell's source by typing."""
        self.page.locator(".jp-Cell.jp-mod-active .cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(source)

    @property
    def output(self):
        """Give the selected cell's output area."""
        return self.page.locator(".jp-Cell.jp-mod-active .jp-Cell-outputWrapper")
