"""Mutants of chapter 00's references that do nothing wrong that an exercise asks about: see mutants.py."""

EQUIVALENT = {
    "start.best_chunk": {
        "len(chunks) > 0 -> len(chunks) >= 0 in: require(len(chunks) > 0, 'chunks must hold at least one text.')": (
            "the maximum of no count raises a ValueError as well"
        ),
    },
}
