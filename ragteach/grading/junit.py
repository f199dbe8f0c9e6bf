"""junit.xml: a test suite for each submission, for tools that show test reports."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from ragteach.grading.gradebook import Row

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold
KINDS = {"failed": "failure", "missing": "failure", "not_attempted": "skipped", "passed": None}


def report(rows: Sequence[Row]) -> str:
    """Write the results: an exercise is passed, failed, skipped (not attempted) or in error (all else)."""
    root = ET.Element("testsuites", name="ragteach")
    for row in rows:
        suite = ET.SubElement(root, "testsuite", name=clean(row.name), time=str(row.details["seconds"]))
        cases = row.details["exercises"]
        for one in cases:
            case(suite, row.name, one["id"], one["verdict"], one["sentences"])
        if not cases:  # refused, or the grader failed
            case(suite, row.name, "submission", row.status, [*row.details["remarks"], row.details["fault"]])
        for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f"testcase/{kind}"))))
        suite.set("tests", str(len(suite)))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def case(suite: ET.Element, submission: str, name: str, verdict: str, sentences: Sequence[str]) -> None:
    """Add one exercise to a suite."""
    element = ET.SubElement(suite, "testcase", classname=clean(submission), name=name)
    kind = KINDS.get(verdict, "error")
    if kind:
        text = [clean(sentence) for sentence in sentences if sentence]
        outcome = ET.SubElement(element, kind, type=verdict, message=text[0] if text else verdict)
        outcome.text = "\n".join(text)


def clean(text: str) -> str:
    """Replace the characters that XML cannot hold."""
    return NOT_XML.sub("\ufffd", text)
