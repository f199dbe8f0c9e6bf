"""Names of submissions as paths that any system takes."""

import hashlib
import re

MAX_BYTES = 240  # of one part of a path: room for ".html" in the 255 bytes of a file's name
MAX_ALL = 150  # of a whole name: with the teacher's own folder before it, Windows takes 260 letters
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*(\.|$)", re.IGNORECASE)
OF_OUTPUTS = (".html", ".json")


def file_name(name: str) -> str:
    """Turn a submission's name into a relative path that any system takes and that never leaves its folder.

    With .html or .json after it, it is no folder of another submission's path: no part of a name ends in these.
    """
    parts = [safe_part(part) for part in name.split("/") if part]
    safe = "/".join(f"{part}_" if part.casefold().endswith(OF_OUTPUTS) else part for part in parts)
    return cut(safe, MAX_ALL) or "_"


def safe_part(part: str) -> str:
    """Turn one part of a path into a file name that any system takes."""
    safe = "".join("_" if char in '<>:"|?*\\' or not char.isprintable() else char for char in part).strip(" ")
    if not safe.strip(". "):
        return "_" * max(1, len(safe))
    safe = safe.rstrip(". ")  # Windows drops these
    if RESERVED.match(safe):  # devices there, whatever stands after the dot
        safe = f"_{safe}"
    return cut(safe, MAX_BYTES)


def cut(text: str, most: int) -> str:
    """Keep a name within some bytes: of a longer one the beginning, and a digest that tells it from its like."""
    if len(text.encode()) <= most:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return text.encode()[: most - 9].decode(errors="ignore") + "-" + digest
