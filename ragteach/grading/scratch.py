"""The folder that a submission may write in: what names it, and its removal, whatever shape it has."""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid

HOMES = "HOME USERPROFILE TMPDIR TEMP TMP IPYTHONDIR MPLCONFIGDIR RAGTEACH_HOME".split()  # variables that name it
LONG, DEEP = 2_000, 200  # of a path: systems refuse one of over some four thousand letters


def remove(folder: str) -> None:
    """Remove a folder with all that is in it, even where it is nested deeper than Python can follow."""
    for _ in range(100):
        with contextlib.suppress(RecursionError):
            shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
        lift(folder)


def lift(folder: str) -> None:
    """Open what is closed, and move what lies very deep up to the top, so that each part can be removed by itself."""
    for place, names, _ in os.walk(folder):
        deep = len(place) - len(folder) > LONG or place.count(os.sep) - folder.count(os.sep) > DEEP
        for name in names:
            path = os.path.join(place, name)
            with contextlib.suppress(OSError):
                if not os.path.islink(path):
                    os.chmod(path, 0o700)
                if deep:
                    os.rename(path, os.path.join(folder, f"lifted-{uuid.uuid4().hex}"))
        if deep:
            names.clear()
