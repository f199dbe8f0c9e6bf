"""Which files a worker may read: Python, its libraries, fonts; of ragteach the corpus and checking, never an answer."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import ragteach
from ragteach.grading.sandbox.landlock import LIST, READ

SYSTEM = (
    "/usr/lib /usr/lib64 /usr/lib32 /usr/local/lib /lib /lib64 /usr/share/fonts /usr/share/fontconfig "
    "/usr/share/zoneinfo /usr/local/share/fonts /etc/ld.so.cache /etc/localtime /etc/fonts /etc/mime.types "
    "/dev/urandom /dev/random"
).split()
OURS = ("__init__.py", "language.py", "checking", "corpus")


def readable() -> list[tuple[str, int]]:
    """Pair each file or folder that a worker may read with its rights, for landlock.ruleset."""
    package = Path(os.path.realpath(ragteach.__file__)).parent
    found = {}
    for root in [*SYSTEM, *pythons()]:
        for path, rights in around(Path(os.path.realpath(root)), package):
            found[str(path)] = rights
    found[str(package)] = LIST
    found.update((str(package / name), READ) for name in OURS)
    return list(found.items())


def pythons() -> Iterator[str]:
    """Yield the folders in which Python and installed packages lie."""
    for prefix in {sys.prefix, sys.base_prefix}:
        yield from (os.path.join(prefix, name) for name in ("lib", "lib64", "pyvenv.cfg", "share/proj", "etc/fonts"))
    yield from (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    yield from (path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages"))


def around(root: Path, hidden: Path) -> Iterator[tuple[Path, int]]:
    """Yield a folder, or, where something hidden lies in it, everything in it but that."""
    if root == hidden or not root.exists():
        return
    if not hidden.is_relative_to(root):
        yield root, READ
        return
    yield root, LIST  # the names of files give nothing away
    for child in root.iterdir():
        if not child.is_symlink():
            yield from around(child, hidden)
