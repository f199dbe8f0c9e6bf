"""Run a program as a user who is not root: `python ordinary_user.py PROGRAM ...`, by root.

What the program needs (Python and this project) may lie in a folder that is root's alone, as /root is: it is shown
to the program in a mount namespace of its own.
"""

import os
import sys
from pathlib import Path

USER, BIND, RECURSIVE, PRIVATE = 12345, 0x1000, 0x4000, 0x4_0000


def closed(path: Path) -> Path | None:
    """Find the topmost folder above a path that others may not enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 1), None)


def open_up(paths: set[Path]) -> None:
    """Lay an empty folder over each closed one, and in it what is needed."""
    from ragteach.grading.sandbox import kernel

    hidden = {path: top for path in paths if (top := closed(path))}
    if not hidden:
        return
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("none", "/", None, RECURSIVE | PRIVATE)
    kept = {path: os.open(path, os.O_PATH) for path in hidden}
    for top in set(hidden.values()):
        kernel.mount("none", str(top), "tmpfs", 0, "mode=755")
    for path, descriptor in kept.items():
        path.mkdir(parents=True, exist_ok=True)
        kernel.mount(f"/proc/self/fd/{descriptor}", str(path), None, BIND)


def main() -> None:
    """Run as a process, by root."""
    project = Path(__file__).resolve().parent.parent
    sys.path.insert(0, str(project))
    try:
        open_up({project, *(Path(os.path.realpath(prefix)) for prefix in (sys.prefix, sys.base_prefix))})
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    except OSError as error:  # root without its rights, as in a container
        sys.exit(f"No ordinary user can be had here: {error}")
    if not os.access(project / "ragteach/grading/forkserver.py", os.R_OK) or not os.access(sys.argv[1], os.X_OK):
        sys.exit("No ordinary user can be had here: this project is closed to others.")
    os.execv(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
