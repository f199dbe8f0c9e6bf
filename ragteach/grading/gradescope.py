"""results.json as Gradescope's autograder reads it; students see it, so no secret input is in it."""

from __future__ import annotations

import json

from ragteach.grading.gradebook import Row


def results(row: Row) -> str | None:
    """Write one submission's results; None where the grader failed, so that Gradescope says so instead of a zero."""
    if row.points is None:
        return None
    tests = [
        {
            "name": one["feedback"][0],
            "number": str(number),
            "score": one["points"],
            "max_score": one["max_points"],
            "status": "passed" if one["verdict"] == "passed" else "failed",
            "output": "\n".join(one["feedback"][1:]),
            "output_format": "text",
            "visibility": "visible",
        }
        for number, one in enumerate(row.details["exercises"], 1)
    ]
    whole = {
        "score": row.points,
        "execution_time": round(row.details["seconds"]),
        "output": "\n".join(row.details["remarks"]),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
