"""Who may read what: the filter between the index and the prompt.

A passage that reaches the prompt may come out in the answer, whatever the instructions say. So the right to read is
decided here, in code, from the identity of the user, before anything is generated.
"""

from collections.abc import Mapping, Sequence

from ragteach.retrieval.arguments import require


def allowed_chunks(chunks: Sequence[Mapping], user: Mapping) -> list[int]:
    """Give the numbers of the chunks that the user may read, in increasing order.

    A chunk may be read by a user of the same tenant who has one of its roles:

        chunk {"tenant": "north", "roles": ["technician", "manager"], "text": ...}
        user  {"tenant": "north", "roles": ["technician"]}

    Everything else is denied: another tenant, no common role, and also a chunk or a user whose tenant or roles
    are missing, None or empty. There is no wildcard and no public tenant. Raises ValueError where the user or a
    chunk is no dict, or roles is no list (a str would be read letter by letter).
    """
    tenant, roles = _rights("user", user)
    allowed = []
    for i, chunk in enumerate(chunks):
        chunk_tenant, chunk_roles = _rights(f"chunks[{i}]", chunk)
        if tenant and tenant == chunk_tenant and roles & chunk_roles:
            allowed.append(i)
    return allowed


def _rights(name: str, owner: Mapping) -> tuple[str, set[str]]:
    """Read a tenant and a set of roles; what is missing or is no text gives no right."""
    require(isinstance(owner, Mapping), f"{name} must be a dict, not {type(owner).__name__}.")
    tenant, roles = owner.get("tenant"), owner.get("roles")
    require(
        isinstance(roles, list | tuple | set | frozenset | None),
        f'{name}["roles"] must be a list of roles, not {type(roles).__name__}.',
    )
    # Only texts count: None equals None, and 1 equals True, yet neither is anybody's name.
    tenant = tenant if isinstance(tenant, str) else ""
    return tenant, {role for role in roles or () if isinstance(role, str) and role}
