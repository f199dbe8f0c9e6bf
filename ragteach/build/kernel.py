"""Executing a made notebook in a fresh kernel, and finding what it depended on."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

import ragteach
from ragteach.build.cells import LANGUAGE_INFO, BuildError, sha

PACKAGE = Path(ragteach.__file__).parent
DATA = "ragteach/corpus/data"
CELL_SECONDS = 120

# Sent after the last cell, and no part of the notebook: which of our modules did the notebook load?
LOADED = """
import json, sys
print(json.dumps([module.__file__ for name, module in sys.modules.items()
                  if name.split(".")[0] == "ragteach" and getattr(module, "__file__", None)]))
"""

# What another run would write otherwise: an object's address, a temporary file, a widget's random id.
CHANGING = re.compile(r"\b0x[0-9a-f]{6,}\b|ipykernel_\d+|" + re.escape(tempfile.gettempdir()))
WIDGET = "application/vnd.jupyter.widget-view+json"


def execute(notebook: NotebookNode, place: str) -> list[str]:
    """Fill in the notebook's outputs and list the files of ours that it loaded, as paths from the package's parent.

    The kernel starts in an empty folder, with an empty memory of the reader (RAGTEACH_HOME) and static pictures
    for widgets (RAGTEACH_STATIC). Raises BuildError, naming `place` and the cell, where a cell ends in an error,
    takes more than 120 seconds or kills the kernel, and where an output would differ at the next run.
    """
    request = new_code_cell(LOADED, id="loaded")
    notebook.cells.append(request)
    at: list[NotebookNode] = []  # the cells begun so far
    with tempfile.TemporaryDirectory() as scratch:
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": scratch}},
            record_timing=False,
            store_widget_state=False,
            extra_arguments=["--log-level=ERROR"],
            coalesce_streams=True,  # how a print is cut into messages is chance
            on_cell_start=lambda cell, cell_index: at.append(cell),
        )
        try:
            client.execute(env=environment(Path(scratch)))
        except CellExecutionError as error:
            raise BuildError(f"{place}, cell {at[-1].id}: {error.ename}: {error.evalue}") from None
        except CellTimeoutError:
            raise BuildError(f"{place}, cell {at[-1].id}: it took more than {CELL_SECONDS} seconds.") from None
        except DeadKernelError:
            raise BuildError(f"{place}, cell {at[-1].id}: the kernel died.") from None
        finally:
            notebook.cells.remove(request)
    notebook.metadata.language_info = LANGUAGE_INFO
    check_outputs(notebook, place)
    return ours(json.loads(request.outputs[0].text))


def environment(scratch: Path) -> dict[str, str]:
    """Give the kernel's environment: this one, with all that would make two runs differ taken out."""
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    path = [str(PACKAGE.parent), *filter(None, [env.get("PYTHONPATH")])]
    home = Path(tempfile.mkdtemp(dir=scratch, prefix="."))
    return env | {
        "PYTHONPATH": os.pathsep.join(path),  # the kernel loads the very package that builds
        "PYTHONHASHSEED": "0",
        "RAGTEACH_STATIC": "1",
        "RAGTEACH_HOME": str(home / "ragteach"),
        "IPYTHONDIR": str(home / "ipython"),  # no start-up files of the author's
        "MATPLOTLIBRC": os.devnull,
    }


def check_outputs(notebook: NotebookNode, place: str) -> None:
    """Raise BuildError where an output would differ at the next run, or needs a live kernel to be seen."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            shown = {"text": output.text} if output.output_type == "stream" else output.get("data", {})
            if WIDGET in shown:
                raise BuildError(f"{place}, cell {cell.id}: a widget is stored; show a picture under RAGTEACH_STATIC.")
            for text in (value for value in shown.values() if isinstance(value, str)):
                if found := CHANGING.search(text):
                    raise BuildError(f"{place}, cell {cell.id}: {found[0]!r} in the output changes at every run.")


def ours(files: list[str]) -> list[str]:
    """List the loaded files that belong to this package, and the corpus data where its loaders were among them."""
    paths = {Path(file).resolve() for file in files}
    inside = sorted(path.relative_to(PACKAGE.parent).as_posix() for path in paths if path.is_relative_to(PACKAGE))
    return inside + [DATA] * any(path.startswith("ragteach/corpus/") for path in inside)


def hashes(root: Path, paths: list[str]) -> dict[str, str]:
    """Hash each path: a source of the course below `root`, or a file or folder of the package. "" for a lost one."""
    return {path: sha_of((root if path.startswith("course/") else PACKAGE.parent) / path) for path in paths}


def sha_of(path: Path) -> str:
    """Hash a file, or the names and contents of a folder's files."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
        return sha("".join(file.relative_to(path).as_posix() + sha_of(file) for file in files).encode())
    return sha(path.read_bytes()) if path.is_file() else ""
