"""The command `ragteach`: opens the course, checks a notebook, shows progress, grades a class, builds the notebooks."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ragteach import __version__
from ragteach.language import sentence, system_language

CHECKOUT = Path(__file__).parents[1]

NO_COURSE = {
    "fr": "Aucun carnet du cours ici\u00a0: placez-vous dans le dossier qui contient notebooks/{lang}.",
    "en": "No notebook of the course here: go to the folder that holds notebooks/{lang}.",
}
NO_SOURCES = {
    "fr": "Aucune source du cours ici\u00a0: placez-vous dans le dossier qui contient course/.",
    "en": "No source of the course here: go to the folder that holds course/.",
}
NO_MODULE = {
    "fr": "Il manque le module {name}\u00a0: installez le projet avec pip install --editable '.[author]'.",
    "en": "The module {name} is missing: install the project with pip install --editable '.[author]'.",
}

LIMITS = {
    "sandbox": "all the layers that this system has, refuse where one is missing, or a process only",
    "cell_seconds": "seconds a cell",
    "call_seconds": "seconds a call of a function",
    "cell_cpu": "processor seconds a cell",
    "call_cpu": "processor seconds a call",
    "memory": "megabytes beyond what Python and the libraries need",
    "processes": "processes and threads",
    "file_size": "megabytes a file",
    "files": "megabytes of all files together",
    "printed": "characters kept of what a call prints",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns 0, 1 where a check found something, 2 (and one sentence) where it could not be run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a Windows console may lack the no-break spaces of French
    arguments = parser().parse_args(sys.argv[1:] if argv is None else argv)
    try:
        return arguments.run(arguments)
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("ragteach"):
            raise
        message = NO_MODULE[system_language()].format(name=error.name)
    except (OSError, ValueError) as error:
        message = sentence(error, getattr(arguments, "lang", None) or system_language())
    except KeyboardInterrupt:
        return 130
    print(f"ragteach: {message}", file=sys.stderr)
    return 2


def parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    top = argparse.ArgumentParser(prog="ragteach", description=__doc__)
    top.add_argument("--version", action="version", version=f"ragteach {__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("lab", help="open the course in JupyterLab")
    command.add_argument("--lang", choices=["fr", "en"], help="French or English; by default the system's language")
    command.add_argument("options", nargs="*", metavar="-- OPTION", help="JupyterLab's own, after two hyphens")
    command.set_defaults(run=open_lab)

    command = commands.add_parser("check", help="grade one notebook and show the feedback")
    command.add_argument("notebook", metavar="NOTEBOOK")
    command.set_defaults(run=check_notebook)

    command = commands.add_parser("progress", help="show what has been solved on this machine")
    command.set_defaults(run=show_progress)

    command = commands.add_parser("grade", help="grade a folder of submissions")
    command.add_argument("paths", nargs="*", metavar="PATH", help="folder, zip or notebook")
    command.add_argument(
        "--out", required=True, metavar="DIR", help="folder of the results: grades.csv, report.html ..."
    )
    command.add_argument("--jobs", type=int, metavar="N", help="submissions at a time (default: one a core)")
    command.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, whose machines then do the work")
    command.add_argument("--seed", type=int, metavar="S", help="of the random inputs (default: drawn once, then kept)")
    command.add_argument("--timeout", type=float, default=60, metavar="S", help="seconds a submission (default: 60)")
    command.add_argument(
        "--attempts",
        choices=["last", "best"],
        default="last",
        help="which of a student's notebooks counts (default: last)",
    )
    command.add_argument("--report-only", action="store_true", help="grade nothing, write DIR anew from what it holds")
    command.add_argument("--lang", choices=["fr", "en"], help="of the report; by default the system's language")
    add_limits(command.add_argument_group("limits of one submission"))
    command.set_defaults(run=grade_class)

    command = commands.add_parser("build", help="make the notebooks from course/ (for authors)")
    command.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 02_bm25 (default: all)")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="only tell where stored notebooks and sources differ")
    how.add_argument("--force", action="store_true", help="execute all notebooks, changed or not")
    command.set_defaults(run=build_notebooks)
    return top


def add_limits(group: argparse._ArgumentGroup) -> None:
    """Describe the limits, which are the fields of ragteach.grading.settings.Settings."""
    from ragteach.grading.settings import SANDBOXES, Settings

    defaults = vars(Settings())
    for name, text in LIMITS.items():
        kind = {"choices": SANDBOXES} if name == "sandbox" else {"type": type(defaults[name]), "metavar": "N"}
        group.add_argument(f"--{name.replace('_', '-')}", help=f"{text} (default: {defaults[name]})", **kind)


def open_lab(arguments: argparse.Namespace) -> int:
    """Open JupyterLab on the first lesson."""
    lang = arguments.lang or system_language()
    project = folder_with(f"notebooks/{lang}/*.ipynb", NO_COURSE[lang].format(lang=lang))
    first = min(path.name for path in (project / "notebooks" / lang).glob("*.ipynb"))
    from jupyterlab.labapp import LabApp

    options = [f"--ServerApp.root_dir={project}", f"--LabApp.default_url=/lab/tree/notebooks/{lang}/{first}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # JupyterLab asks a root user, as in a container, to say so
    LabApp.launch_instance([*options, *arguments.options])
    return 0


def check_notebook(arguments: argparse.Namespace) -> int:
    """Grade one notebook."""
    from ragteach import grading

    return grading.check_notebook(arguments.notebook)


def show_progress(arguments: argparse.Namespace) -> int:
    """Show the reader's progress."""
    from ragteach.notebook.progress import reader_language, summary_text

    print(summary_text(reader_language()))
    return 0


def grade_class(arguments: argparse.Namespace) -> int:
    """Grade a class."""
    from ragteach import grading

    return grading.grade(
        arguments.paths,
        arguments.out,
        arguments.jobs,
        arguments.seed,
        arguments.timeout,
        arguments.lang,
        arguments.attempts,
        arguments.report_only,
        arguments.dask,
        **{name: value for name in LIMITS if (value := getattr(arguments, name)) is not None},
    )


def build_notebooks(arguments: argparse.Namespace) -> int:
    """Make the notebooks, or compare them with their sources."""
    project = folder_with("course/*/*/*.py", NO_SOURCES[system_language()])
    from ragteach import build

    chapters = arguments.chapters
    problems = build.check(project, chapters) if arguments.check else build.build(project, chapters, arguments.force)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def folder_with(pattern: str, message: str) -> Path:
    """Find the project: the current folder, else the checkout that this package lies in.

    Raises ValueError with `message` where neither holds a file that matches the pattern.
    """
    for folder in (Path.cwd(), CHECKOUT):
        if any(folder.glob(pattern)):
            return folder
    raise ValueError(message)


if __name__ == "__main__":
    sys.exit(main())
