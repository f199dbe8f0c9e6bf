"""Names of submissions as paths that any system takes."""

import hashlib

MAX_BYTES = 240  # of one part of a path: room for ".html" in the 255 bytes of a file's name


def file_name(name: str) -> str:
    """Turn a submission's name into a relative path that any system takes and that never leaves its folder."""
    return "/".join(safe_part(part) for part in name.split("/") if part) or "_"


def safe_part(part: str) -> str:
    """Turn one part of a path into a file name that any system takes."""
    safe = "".join("_" if char in '<>:"|?*\\' or not char.isprintable() else char for char in part).strip(" ")
    if not safe.strip("."):
        return "_" * max(1, len(safe))
    if len(safe.encode()) > MAX_BYTES:
        digest = hashlib.sha256(safe.encode()).hexdigest()[:8]
        safe = safe.encode()[: MAX_BYTES - 9].decode(errors="ignore") + "-" + digest
    return safe
