"""What `ragteach grade` does: find the submissions, mark those that are new or changed, write the outputs."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from statistics import mean

from tqdm import tqdm

from ragteach.checking.exercise import Text
from ragteach.grading import cluster, reading_words, words
from ragteach.grading.attempts import POLICIES
from ragteach.grading.find import Found, as_people_sort, find
from ragteach.grading.gradebook import Row, Run, row_of
from ragteach.grading.jobs import mark_all, sandbox_report
from ragteach.grading.layouts import owner_of
from ragteach.grading.lock import Locked, locked
from ragteach.grading.marking import Marked, grader_error
from ragteach.grading.output_words import unwritten
from ragteach.grading.outputs import Outputs
from ragteach.grading.say import complain, say
from ragteach.grading.settings import Settings
from ragteach.grading.store import Store, begun, key_of
from ragteach.grading.write import write
from ragteach.language import LANGUAGES, BadValue, sentence, system_language

INTERRUPTED = 130  # what a shell expects after Ctrl-C
UNMARKED = 1


@dataclass(frozen=True)
class Options:
    """What a teacher may ask for; see ragteach.grading.grade."""

    jobs: int | None = None
    seed: int | None = None
    timeout: float = 60.0
    lang: str | None = None
    policy: str = "last"
    report_only: bool = False
    settings: Settings = field(default_factory=Settings)
    dask: str | None = None


Plan = dict[str, list[str]]
"""Name of a submission -> the keys under which the results of its attempts are kept."""


def grade_class(paths: Sequence[Path], out: Path, options: Options) -> int:
    """Mark every submission below `paths` and write the gradebook; see ragteach.grading.grade."""
    lang = options.lang if options.lang in LANGUAGES else system_language()
    try:
        check(paths, out, options)
        with tempfile.TemporaryDirectory(prefix="ragteach-", ignore_cleanup_errors=True) as scratch:
            if options.report_only:
                return report_again(out, options.lang)
            found = find(paths, Path(scratch, "zips"), options.policy)
            if not found:
                raise BadValue(words.NOTHING_FOUND)
            sandbox = enforced(options)
            out.mkdir(parents=True, exist_ok=True)
            with locked(out):
                store = Store(out)
                run = Run(
                    lang,
                    seed_of(options, store),
                    options.policy,
                    options.timeout,
                    sandbox[lang],
                    vars(options.settings),
                    len(found),
                )
                return mark_class(found, store, out, run, sandbox, options, scratch)
    except Locked:
        complain(words.LOCKED[lang])
    except (ValueError, OSError) as error:
        complain(sentence(error, lang))
    return 2


def check(paths: Sequence[Path], out: Path, options: Options) -> None:
    """Raise BadValue with one sentence where a run cannot begin."""
    if (options.jobs is not None and options.jobs < 1) or not 0 < options.timeout < inf:
        raise BadValue(words.BAD_NUMBERS)
    if options.policy not in POLICIES:
        raise BadValue(words.BAD_POLICY)
    for place in (out, *out.parents):
        if place.is_file():
            raise BadValue(reading_words.no_folder(str(place)))
    try:
        known = begun(out)
    except ValueError as error:
        raise BadValue(words.foreign(str(error))) from None
    if options.report_only:
        if not known:  # said before the lock leaves its file in a folder that is not ours
            raise BadValue(words.NO_RESULTS)
        return
    if not out.parts:  # --out '', or .
        raise BadValue(reading_words.NO_OUT)
    if not paths:
        raise BadValue(words.NO_PATH)
    for path in paths:
        if path.is_dir() and out.resolve() == path.resolve():
            raise BadValue(words.SAME_FOLDER)


def seed_of(options: Options, store: Store) -> int:
    """Give the seed asked for, else that of the last run, else a new one, which no student can know."""
    if options.seed is not None:
        return options.seed
    return secrets.randbelow(2**31) if store.run is None else store.run["seed"]


def enforced(options: Options) -> Text:
    """Say what keeps submissions apart from the computer, or the computers, that run them."""
    return cluster.sandbox_report(options.dask, options.settings) if options.dask else sandbox_report(options.settings)


def mark_class(
    found: Sequence[Found], store: Store, out: Path, run: Run, sandbox: Text, options: Options, scratch: str
) -> int:
    """Mark what has no result yet, keep each result as it comes, and write the outputs, after Ctrl-C too."""
    outputs = Outputs(out)
    plan: Plan = defaultdict(list)
    todo: dict[tuple[str, Path | None], tuple[Found, str]] = {}
    for one in (attempt for submission in found for attempt in attempts_of(submission)):
        key = key_of(one.notebook, run.seed, run.timeout, options.settings, *told(one, run))
        plan[one.name].append(key)
        if store.get(one.name, key) is None:
            todo[one.name, one.notebook] = one, key
    store.begin({**vars(run), "sandbox": sandbox, "plan": plan})  # in both languages, for --report-only
    interrupted = False
    total = sum(map(len, plan.values()))
    bar = tqdm(total=total, initial=total - len(todo), disable=None, leave=False, file=sys.stderr, unit=" notebooks")
    try:
        for one, marked in mark_each([one for one, _ in todo.values()], run, options, scratch):
            store.add(worded(marked, one, run.policy, run.lang), todo[one.name, one.notebook][1])
            bar.update()
    except KeyboardInterrupt:
        interrupted = True
    bar.close()
    status = finish(plan, store, run, outputs)
    return INTERRUPTED if interrupted else status


def report_again(out: Path, lang: str | None) -> int:
    """Write the outputs of the last run anew from the results that are kept."""
    with locked(out):
        store, outputs = Store(out), Outputs(out)
        if store.run is None:
            raise BadValue(words.NO_RESULTS)
        kept = dict(store.run)
        plan = kept.pop("plan")
        run = Run(**kept)
        lang = lang or run.lang
        return finish(plan, store, replace(run, lang=lang, sandbox=run.sandbox[lang]), outputs)


def told(one: Found, run: Run) -> tuple:
    """Give what else a submission's page says, so that the page is made anew where that changes."""
    if one.notebook is None:
        return run.lang, one.refusal
    return (run.policy, one.set_aside, one.no_attempts, one.unread) if one.set_aside else ()


def attempts_of(one: Found) -> list[Found]:
    """List what is to be marked of a submission: each attempt where the best counts, else the one that counts."""
    if not one.attempts:
        return [one]
    return [
        replace(
            one,
            notebook=notebook,
            attempts=(),
            set_aside=tuple(sorted({*one.set_aside, *(p.name for p in one.attempts if p != notebook)})),
        )
        for notebook in one.attempts
    ]


def mark_each(todo: Sequence[Found], run: Run, options: Options, scratch: str) -> Iterator[tuple[Found, Marked]]:
    """Mark submissions; those without a readable file here, the others each in a worker of its own."""
    with_file = [one for one in todo if one.notebook is not None]
    for one in todo:
        if one.notebook is None:
            yield one, Marked(one.name, "refused", lang=run.lang, remarks=(one.refusal or words.NO_FILE,))
    if with_file and options.dask:
        yield from cluster.mark_all(
            with_file, address=options.dask, seed=run.seed, timeout=options.timeout, settings=options.settings
        )
    elif with_file:
        jobs = options.jobs or os.cpu_count() or 1
        yield from mark_all(
            with_file,
            jobs=jobs,
            seed=run.seed,
            timeout=options.timeout,
            scratch=scratch,
            settings=options.settings,
        )


def worded(marked: Marked, found: Found, policy: str, lang: str) -> Row:
    """Put a marked submission into words, in the teacher's language where its own is unknown.

    A fault of the wording is the grader's, never the student's.
    """
    lang = marked.lang or lang
    try:
        return row_of(replace(marked, lang=lang), found, policy)
    except Exception:
        failed = grader_error(found, traceback.format_exc())
        return row_of(replace(failed, chapter=marked.chapter, lang=lang), found, policy)


def settle(plan: Plan, store: Store, outputs: Outputs) -> tuple[list[Row], int]:
    """Choose the row of each submission and write its page; returns the rows, by student, and how many are new.

    Where the grader failed, or did not come that far, the result of an earlier run stays.
    """
    rows, done = [], 0
    failed = store.failures()
    for name, keys in plan.items():
        attempts = [row for row in (store.get(name, key) for key in keys) if row is not None]
        known = attempts if len(attempts) == len(keys) else [*store.earlier(name), *attempts]
        earlier = best(known) if known else None
        if len(attempts) == len(keys):
            row = best(attempts)
            done += 1
        elif name in failed:
            row = kept(earlier, words.KEPT, failed[name].details["fault"]) if earlier else failed[name]
            done += 1
        elif earlier is not None:
            row = kept(earlier, words.NOT_YET, "")
        else:
            continue
        outputs.write(row.details["feedback"], row.page)
        rows.append(replace(row, page=""))
    return sorted(rows, key=place_in_class), done


def place_in_class(row: Row) -> tuple:
    """Give the key that sorts rows by student, where the download names them, then by submission."""
    return as_people_sort(row.details["student"] or row.name), as_people_sort(row.name)


def best(attempts: Sequence[Row]) -> Row:
    """Choose the attempt with most points, of equal ones the last."""
    return max(enumerate(attempts), key=lambda one: (one[1].points or 0, one[0]))[1]


def kept(row: Row, why: dict[str, str], fault: str) -> Row:
    """Make a row of an earlier result, and say so."""
    remarks = [why[row.details["lang"]], *row.details["remarks"]]
    return replace(row, details={**row.details, "remarks": remarks, "fault": fault})


def finish(plan: Plan, store: Store, run: Run, outputs: Outputs) -> int:
    """Write the outputs, say what there is, and return whether the grader failed on any of it, files included."""
    rows, done = settle(plan, store, outputs)
    write(outputs, rows, run, done)
    if outputs.kept:
        complain(words.put_aside(outputs.kept)[run.lang])
    if outputs.failed:
        complain(unwritten(outputs.failed)[run.lang])
    if done < run.total:
        complain(words.unfinished(done, run.total)[run.lang])
    if n := left_out(store.names(), plan):
        complain(reading_words.left_out(n)[run.lang])
    counts = Counter(row.status for row in rows)
    where = [str(outputs.folder / name) for name in ("grades.csv", "report.html")]
    say("\n".join([words.class_summary(counts)[run.lang], *means(rows, run.lang), *where]))
    return UNMARKED if done < run.total or store.failures() or outputs.failed else 0


def means(rows: Sequence[Row], lang: str) -> list[str]:
    """Write the mean of what was graded, one for each chapter: their totals differ."""
    graded = defaultdict(list)
    for row in rows:
        if row.status == "graded":
            graded[row.details["chapter"]].append(row)
    return [
        reading_words.mean(mean(row.points for row in own), own[0].max_points, id if len(graded) > 1 else "")[lang]
        for id, own in sorted(graded.items())
    ]


def left_out(names: Sequence[str], plan: Plan) -> int:
    """Count the submissions with a result that this run did not find.

    With other paths or chapters a name gets a part more or less: one that is a stretch of another is the same person's.
    """
    now = {bearer(name) for name in plan}
    parts = {part for name in now for part in stretches(name)}
    return sum(one not in parts and not now & stretches(one) for one in map(bearer, names))


def bearer(name: str) -> str:
    """Tell whose a submission is: Moodle's number, where it stands in the name, or else all of the name."""
    owner = owner_of(tuple(name.split("/")))
    return owner.participant if owner and owner.participant else name


def stretches(name: str) -> set[str]:
    """List the parts of a name that follow each other: "a", "a/b", "b"."""
    parts = name.split("/")
    return {"/".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
