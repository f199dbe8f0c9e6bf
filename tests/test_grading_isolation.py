"""What code under grading can do to the computer that grades it: nothing, layer by layer. Honest code still runs."""

import contextlib
import errno
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from shutil import which

import pytest
from grading_notebooks import POINTS, SOLUTIONS, TOTAL, cells, code, save, wrong

import ragteach
from ragteach.grading import forked, isolation_words, jobs, sandbox, session, workers
from ragteach.grading.find import Found
from ragteach.grading.marking import mark
from ragteach.grading.sandbox import files, identity, landlock, limits, seccomp
from ragteach.grading.scratch import remove
from ragteach.grading.settings import Settings
from ragteach.grading.transport import Gone, Late, SpawnedWorker, WorkerBroken, how_it_ended, message_of

PACKAGE = Path(ragteach.__file__).parent
PROJECT = PACKAGE.parent
LINUX = sys.platform == "linux"
AUTO = Settings()
LAYERS, MISSING = jobs.layers_here() if LINUX else ((), {})
pytestmark = pytest.mark.skipif(not LINUX, reason="the sandbox is Linux's.")


def needs(*layers):
    """Skip where the system refuses a layer, and say why."""
    refused = {layer: MISSING.get(layer, "no Linux") for layer in layers if layer not in LAYERS}
    return pytest.mark.skipif(bool(refused), reason=f"this system refuses {refused}.")


def run(*sources, settings=AUTO):
    """Run cells in a worker; return what it says of each that stopped: {number: (kind, detail)}, or "gone"."""
    worker = workers.new_worker(settings, 30.0)
    try:
        made = [{"source": source, "exercise": None, "entry": None} for source in sources]
        worker.send({"cells": made, "skip": [], "seconds": 60.0, "cpu": 60.0, "lang": "en"})
        while "ran" not in (message := message_of(worker.receive(time.monotonic() + 65))):
            pass
        return {number: (kind, detail) for number, kind, detail in message["ran"]}
    except (Gone, Late):
        return "gone"
    finally:
        worker.close()


def attempt(source, settings=AUTO):
    """Run an attack; return the error that stopped it, or "it worked"."""
    indented = "\n    ".join(source.splitlines())
    told = run(f"try:\n    {indented}\nexcept OSError as error:\n    raise SystemExit(repr(error))", settings=settings)
    return told[0][1] if told else "it worked"


COUNT = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    if libc.syscall(*args) == -1:
        raise OSError(ctypes.get_errno(), "refused")
"""


COMPILED = Path(cache_from_source(str(PACKAGE / "retrieval/bm25.py")))


@needs("files")
@pytest.mark.parametrize(
    "path",
    [
        PROJECT / "solutions/en/02_bm25.ipynb",
        PROJECT / "course/fr/02_bm25/exercises.py",
        PACKAGE / "retrieval/bm25.py",
        PACKAGE / "exercises/bm25/__init__.py",
        PACKAGE / "answers/prompt.py",
        PACKAGE / "grading/marking.py",
        COMPILED,
        Path(__file__),
        Path("/etc/passwd"),
        Path("/etc/shadow"),
        Path("/proc/self/environ"),
        Path("/proc/GRADER/mem"),
        Path("/proc/1/cmdline"),
        Path("/dev/mem"),
    ],
    ids=str,
)
def test_what_lies_outside_cannot_be_read(path):
    path = Path(str(path).replace("GRADER", str(os.getpid())))
    import_module("ragteach.retrieval.bm25")  # so that its compiled file is there
    if PROJECT in path.parents and not path.exists():
        pytest.skip("this checkout has no such file.")
    assert "Error" in attempt(f"open({str(path)!r}, 'rb').read(1)")


@needs("files")
@pytest.mark.parametrize("folder", [PROJECT, PROJECT / "solutions", "/", "/proc", Path.home(), "/tmp"])
def test_folders_outside_cannot_be_listed(folder):
    assert "Error" in attempt(f"import os\nos.listdir({str(folder)!r})")


@needs("files")
def test_another_submission_and_the_gradebook_cannot_be_read(tmp_path):
    for name in ("other/02_bm25.ipynb", "out/grades.csv"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("secret")
        for place in (path, *path.parents[:2]):
            place.chmod(0o777)
        assert "PermissionError" in attempt(f"open({str(path)!r}).read()")
        assert "Error" in attempt(f"open({str(path)!r}, 'w')")
        assert "Error" in attempt(f"import os\nos.unlink({str(path)!r})")
        assert "Error" in attempt(f"import os\nos.link({str(path)!r}, 'mine')\nopen('mine').read()")
        assert "PermissionError" in attempt(f"import os\nos.symlink({str(path)!r}, 'mine')\nopen('mine').read()")
        assert path.read_text() == "secret"


@needs("files")
def test_the_answers_cannot_be_loaded_by_their_file():
    source = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("answers", {str(PACKAGE / "retrieval/bm25.py")!r})
spec.loader.exec_module(importlib.util.module_from_spec(spec))
"""
    assert "PermissionError" in attempt(source)
    prying = f"import sys\nsys.meta_path[:] = sys.meta_path[1:]\nimport ragteach.retrieval.bm25\n# {source}"
    assert "Error" in run(prying)[0][1]


@needs("files")
@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/var/tmp", str(PACKAGE), str(Path.home()), sys.prefix])
def test_nothing_can_be_written_outside_the_scratch_folder(folder):
    target = Path(folder, "ragteach-test-written")
    assert "Error" in attempt(f"open({str(target)!r}, 'w')")
    assert not target.exists()


def test_the_environment_is_not_the_teachers(monkeypatch):
    forked.close_servers()
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    source = "import os\nassert 'SECRET_TOKEN' not in os.environ\nassert 'hush' not in str(dict(os.environ))"
    assert run(source) == {}
    assert run(source, settings=Settings("process")) == {}


def test_no_answer_lies_in_the_memory_that_a_worker_inherits():
    source = """
import gc, sys
closed = ("ragteach.retrieval", "ragteach.answers", "ragteach.exercises", "hypothesis")
assert not [name for name in sys.modules if name.startswith(closed)]
"""
    assert run(source) == {}
    assert run(source, settings=Settings("process")) == {}


@needs("calls")
@pytest.mark.parametrize(
    "source",
    [
        "import subprocess\nsubprocess.run(['/bin/true'])",
        "import os\nos.execv('/bin/true', ['true'])",
        "import os\nos.posix_spawn('/bin/true', ['true'], {})",
        "import os, sys\nos.execv(sys.executable, ['python', '-c', '1'])",
        "import os\nfd = os.memfd_create('x')\nos.write(fd, b'#!/bin/true')\nos.execve(fd, ['x'], {})",
    ],
    ids="subprocess execv spawn python memfd".split(),
)
def test_no_other_program_can_be_run(source):
    assert "PermissionError" in attempt(source)


@needs("calls")
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"])
def test_no_socket_can_be_made(family):
    assert "PermissionError" in attempt(f"import socket\nsocket.socket(socket.{family})")


@needs("namespaces")
def test_there_is_no_network_even_without_the_other_layers(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        only = forked.ForkServer({**workers.bounds_of(Settings(), 30.0)}, only=["namespaces"])
        assert only.layers == ("namespaces",)
        monkeypatch.setitem(forked._servers, "test", only)
        monkeypatch.setattr(forked, "server", lambda bounds: only)
        told = run(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)")
    forked.close_servers()
    assert "OSError" in told[0][1] or "unreachable" in told[0][1] or "Refused" in told[0][1]


@needs("calls")
@pytest.mark.parametrize(
    "source",
    [
        f"call({seccomp.REFUSED['ptrace'][0]}, 16, 1, 0, 0)",
        f"call({seccomp.REFUSED['process_vm_readv'][0]}, 1, 0, 0, 0, 0, 0)",
        f"call({seccomp.REFUSED['io_uring_setup'][0]}, 8, 0)",
        f"call({seccomp.REFUSED['bpf'][0]}, 0, 0, 0)",
        f"call({seccomp.REFUSED['unshare'][0]}, 0x10000000)",
        f"call({seccomp.REFUSED['mount'][0]}, b'none', b'.', b'tmpfs', 0, 0)",
        f"call({seccomp.REFUSED['open_by_handle_at'][0]}, -100, 0, 0)",
        f"call({seccomp.REFUSED['perf_event_open'][0]}, 0, 0, -1, -1, 0)",
        f"call({seccomp.REFUSED['shmget'][0]}, 0, 4096, 0o1600)",
        f"call({seccomp.REFUSED['memfd_create'][0]}, b'x', 0)",
        f"call({seccomp.REFUSED['memfd_secret'][0]}, 0)",
        f"call({seccomp.REFUSED['inotify_init'][0]})",
        f"call({seccomp.REFUSED['inotify_init1'][0]}, 0)",
        f"call({seccomp.REFUSED['fanotify_init'][0]}, 0, 0)",
        "call(56, 0x10000011, 0, 0, 0, 0)",
        "call(0x40000000 + 520, 0, 0, 0)",
    ],
    ids=(
        "ptrace vm_readv io_uring bpf unshare mount handle perf shm memfd secret inotify inotify1 fanotify clone x32"
    ).split(),
)
def test_dangerous_system_calls_are_refused(source):
    if os.uname().machine != "x86_64":
        pytest.skip("these numbers are of x86-64.")
    assert "PermissionError" in attempt(COUNT + source)  # whatever the kernel would say


@needs("calls")
def test_no_memory_lies_beyond_the_limits_and_no_folder_is_watched():
    assert "PermissionError" in attempt("import os\nos.memfd_create('x')")
    watch = "fd = libc.inotify_init1(0)\nif fd == -1:\n    raise OSError(ctypes.get_errno(), 'refused')"
    assert "PermissionError" in attempt(COUNT + watch)


@needs("calls", "namespaces")
@pytest.mark.parametrize(
    "source",
    [
        "os.kill({grader}, 9)",
        "os.kill({server}, 9)",
        "os.kill(os.getppid() or {grader}, 9)",
        "os.kill(-1, 9)",
        "os.killpg({group}, 9)",
        "resource.prlimit({grader}, resource.RLIMIT_CPU, (1, 1))",
        "os.sched_setaffinity({grader}, [0])",
        "os.setpriority(os.PRIO_USER, 0, 19)",
        "os.setuid(0)",
        "os.setgid(0)",
        "os.chroot('.')",
        "signal.pidfd_send_signal(os.pidfd_open({grader}), 9)",
    ],
    ids="grader server parent all group prlimit affinity nice uid gid chroot pidfd".split(),
)
def test_no_process_outside_can_be_reached(source):
    server = forked.server(workers.bounds_of(Settings(), 30.0))
    source = source.format(grader=os.getpid(), server=server.process.pid, group=os.getpgid(0))
    told = attempt(f"import os, resource, signal\n{source}")
    assert "PermissionError" in told or "ProcessLookupError" in told or os.geteuid() and source.startswith("os.set")
    assert server.process.poll() is None and run("pass") == {}


@needs("limits")
def test_memory_is_bounded_and_said_so():
    assert run("x = bytearray(8 << 30)") == {0: ("memory", "")}
    grow = "x = []\n    while True:\n        x.append(' ' * 10**7)"
    few = Settings(memory=100)
    assert run(f"def f():\n    {grow}\nf()", "x = 1", settings=few) == {0: ("memory", "")}
    assert run(f"if True:\n    {grow}", "x = 1", settings=few) == "gone"  # it keeps all: the cell is left out
    assert run("x = bytearray(300_000_000)", settings=Settings(memory=200)) == {0: ("memory", "")}
    assert run("x = bytearray(300_000_000)") == {}


@needs("limits")
@pytest.mark.parametrize("work", ["time.sleep(60)", "None"])
def test_a_fork_bomb_stays_small(work):
    source = f"""
import os, time
made = 0
try:
    for _ in range(2000):
        if os.fork() == 0:
            {work}
            os._exit(0)
        made += 1
except OSError:
    pass
assert 0 < made <= 20, made
"""
    assert run(source, settings=Settings(processes=20)) == {}
    deep = "import os\nwhile True:\n    os.fork()"
    assert run(deep, settings=Settings(processes=20)) != {}
    assert descendants(forked.server(workers.bounds_of(Settings(processes=20), 30.0))) == 0


@needs("namespaces")
def test_a_daemon_ends_with_its_worker():
    source = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
"""
    assert run(source) == {}
    assert descendants() == 0


def test_a_daemon_ends_with_its_worker_where_there_are_no_namespaces(monkeypatch):
    only = forked.ForkServer(workers.bounds_of(Settings(), 30.0), only=[layer for layer in LAYERS if layer == "limits"])
    monkeypatch.setattr(forked, "server", lambda bounds: only)
    source = "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(60)"
    try:
        assert only.missing["namespaces"]
        assert run(source) == {}
        assert descendants(only) == 0
        assert run("pass") == {}
    finally:
        only.close()


def private_memory(process):
    """Tell how many megabytes a process has for itself alone."""
    lines = [line.split() for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]]
    return sum(int(value) for name, value, *_ in lines if name.startswith("Private")) / 1000


def test_a_worker_takes_little_memory_beyond_what_all_share(tmp_path, monkeypatch):
    found, close = Found("a", save(tmp_path / "a.ipynb", [code("import matplotlib.pyplot, sklearn"), *cells()])), []

    def measured(self):
        close.extend(private_memory(process) for process in below(self._worker.server.process.pid))
        return end(self)

    end = session.Session.close
    monkeypatch.setattr(session.Session, "close", measured)
    assert mark(found, n_random=8, timeout=30.0).points == TOTAL
    assert close and max(close) < 150


def descendants(server=None):
    """Count the living processes below the fork server that are not its own: what a submission has left behind."""
    server = server or forked.server(workers.bounds_of(Settings(), 30.0))
    own = 2 if "namespaces" in server.layers else 1  # the first process of the namespaces serves, another waits for it
    return len(below(server.process.pid)) - own


def since(process):
    """Tell when a process began, None where it has ended: numbers are given again, and nobody may ask for its end."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def below(process):
    """List a process and all that descend from it."""
    parents, found = {}, {process}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)] = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    for _ in range(10):
        found |= {pid for pid, parent in parents.items() if parent in found}
    return found


@needs("limits")
def test_files_are_bounded_one_by_one():
    assert "OSError" in run("open('x', 'wb').write(bytes(60_000_000))")[0][1]
    assert run("open('x', 'wb').write(bytes(40_000_000))") == {}


@needs("namespaces")
def test_files_are_bounded_all_together():
    source = "for n in range(20):\n    open(f'x{n}', 'wb').write(bytes(40_000_000))"
    assert "No space left" in run(source)[0][1]


def test_nothing_is_left_of_the_scratch_folder():
    server = forked.server(workers.bounds_of(Settings(), 30.0))
    source = """
import os
open("x", "w").write("x")
os.mkdir("closed"); open("closed/x", "w"); os.chmod("closed", 0)
for _ in range(1500):
    os.mkdir("deep"); os.chdir("deep")
"""
    assert run(source) == {}
    assert [path.name for path in Path(server.folder).iterdir() if path.name.isdigit()] == []


def test_a_folder_nested_deeper_than_python_can_follow_is_removed(tmp_path):
    here = os.getcwd()
    os.mkdir(tmp_path / "top")
    os.chdir(tmp_path / "top")
    for _ in range(1500):
        os.mkdir("deep")
        os.chdir("deep")
    os.chdir(here)
    remove(str(tmp_path / "top"))
    assert list(tmp_path.iterdir()) == []


def test_one_workers_files_are_not_seen_by_the_next():
    assert run("import os\nopen('left', 'w').write('x')\nopen(os.path.expanduser('~/left'), 'w').write('x')") == {}
    assert run("import os\nassert os.listdir('.') == [] and os.listdir(os.path.expanduser('~')) == []") == {}


def test_honest_code_runs():
    told = run(
        "import numpy as np\nassert (np.ones((50, 50)) @ np.ones(50)).sum() == 2500",
        "from sklearn.feature_extraction.text import CountVectorizer\nCountVectorizer().fit_transform(['ab'])",
        "from sklearn.decomposition import TruncatedSVD\nTruncatedSVD(2).fit(np.random.rand(9, 5))",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('é')\nplt.savefig('figure.png')\nplt.show()",
        "import asyncio\nawait asyncio.sleep(0)",
        "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()",
        "import tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')",
        "from concurrent.futures import ThreadPoolExecutor as Pool\nwith Pool(2) as p:\n    list(p.map(abs, [1]))",
        "import statistics, sqlite3, decimal, zoneinfo, csv\nsqlite3.connect('x.db').execute('create table t (a)')",
        "import ragteach.corpus\nassert ragteach.corpus.load('mini', 'fr').documents",
        "from ragteach.notebook import check, begin\nbegin('02_bm25')\nassert check('bm25.idf', 3) == 3",
        "from ragteach.explore import anything\nanything()",
        "import random, secrets, uuid\nrandom.random(), secrets.token_hex(), uuid.uuid4()",
        "import rank_bm25",
        "import ctypes\nassert ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)() == 3",
    )
    assert told == {}


@needs("files", "limits", "calls")
def test_without_namespaces_the_other_layers_hold_too(monkeypatch, tmp_path):
    """As in a container that may not make namespaces."""
    only = forked.ForkServer(workers.bounds_of(AUTO, 30.0), only=[layer for layer in LAYERS if layer != "namespaces"])
    monkeypatch.setattr(forked, "server", lambda bounds: only)
    monkeypatch.setattr(forked, "close_servers", lambda: None)
    (tmp_path / "secret").write_text("secret")
    try:
        assert "namespaces" not in only.layers and "files" in only.layers
        assert run("import numpy, tempfile\nopen('x', 'w').write('x')\ntempfile.TemporaryFile()") == {}
        assert "Error" in attempt(f"open({str(tmp_path / 'secret')!r})")
        for source in ("os.kill({0}, 9)", "os.kill(os.getppid(), 9)", "os.kill(-1, 9)"):
            assert "Error" in attempt("import os\n" + source.format(os.getpid()))
        assert "PermissionError" in attempt("import socket\nsocket.socket()")
        source = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)"
        assert run(source) == {} and descendants(only) == 0
        assert os.listdir(only.folder) == [] or not [name for name in os.listdir(only.folder) if name.isdigit()]
    finally:
        only.close()


def test_the_worker_can_be_imported_where_there_is_no_such_c_library():
    """As on Windows, where ctypes has no library of the process itself."""
    source = "import ctypes\nctypes.CDLL = None\nimport ragteach.grading.jobs, ragteach.grading.worker"
    done = subprocess.run([sys.executable, "-c", source], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_is_closed_fails_with_a_sentence():
    for name in ("retrieval", "answers.prompt", "exercises"):
        assert "is not available during grading" in run(f"import ragteach.{name}")[0][1]


def test_the_limits_of_the_settings_are_those_of_the_worker():
    source = "import resource as r\nassert r.getrlimit(r.RLIMIT_{}) == ({}, {})"
    bounds = workers.bounds_of(Settings(file_size=7, processes=9), 12.0)
    assert (bounds["cpu"], bounds["file_size"], bounds["processes"]) == (17, 7, 9)
    for name, value in (("CPU", 35), ("FSIZE", 7_000_000), ("NPROC", 9), ("CORE", 0)):
        assert run(source.format(name, value, value), settings=Settings(file_size=7, processes=9)) == {}


@pytest.mark.parametrize("sandbox", ["auto", "process"])
def test_the_processors_time_of_a_call_is_bounded_too(tmp_path, sandbox):
    threads = """
import hashlib, threading
def idf(n_docs, doc_freq):
    stop = []
    def work():
        while not stop:
            hashlib.pbkdf2_hmac("sha256", b"x", b"y", 20_000)
    made = [threading.Thread(target=work) for _ in range(2)]
    try:
        for thread in made:
            thread.start()
        while True:
            pass
    finally:
        stop.append(True)
"""
    settings = Settings(sandbox, call_seconds=60.0, call_cpu=0.3)
    found = Found("a", save(tmp_path / "a.ipynb", cells(wrong("bm25.idf", threads))))
    result = mark(found, n_random=2, timeout=30.0, settings=settings)
    assert {one.exercise: one.verdict for one in result.results if not one.passed} == {"bm25.idf": "timeout"}


def test_settings_are_checked():
    for wrong_one in ({"sandbox": "none"}, {"memory": 0}, {"call_seconds": float("nan")}, {"processes": -1}):
        with pytest.raises(ValueError):
            Settings(**wrong_one)


def test_the_report_names_what_is_enforced_and_what_is_not():
    text = jobs.sandbox_report(Settings())
    assert "Landlock" in text["en"] if "files" in LAYERS else "not allow" in text["en"]
    some = isolation_words.report(["files"], {"namespaces": "Operation not permitted"}, root=True)
    assert "Landlock" in some["fr"] and "pas de réseau" in some["fr"] and "Operation not permitted" in some["fr"]
    assert "nothing" in isolation_words.report([], {}, root=False)["en"]
    assert "Linux" in jobs.sandbox_report(Settings("process"))["en"]


def test_strict_refuses_to_start_where_a_layer_fails(monkeypatch):
    monkeypatch.setattr(jobs, "layers_here", lambda: (("limits",), {"files": "no Landlock"}))
    with pytest.raises(ValueError, match=r"files \(no Landlock\)"):
        jobs.sandbox_report(Settings("strict"))
    assert "no Landlock" in jobs.sandbox_report(Settings("auto"))["en"]
    monkeypatch.setattr(workers, "forks", lambda settings: False)
    with pytest.raises(WorkerBroken, match="Linux"):
        workers.new_worker(Settings("strict"), 30.0)


def test_a_strict_worker_takes_every_layer_or_does_not_run(monkeypatch):
    if not MISSING:
        assert run("pass", settings=Settings("strict")) == {}
    only = forked.ForkServer(workers.bounds_of(Settings(), 30.0), only=[])
    monkeypatch.setattr(workers, "server", lambda bounds: only)
    try:
        with pytest.raises(WorkerBroken, match="files"):
            workers.new_worker(Settings("strict"), 30.0)
    finally:
        only.close()


def test_a_fork_server_that_dies_is_replaced(tmp_path):
    bounds = workers.bounds_of(Settings(), 30.0)
    found = Found("a", save(tmp_path / "a.ipynb", cells()))
    os.killpg(forked.server(bounds).process.pid, signal.SIGKILL)
    time.sleep(0.1)
    first = mark(found, n_random=2, timeout=30.0)
    assert (first.status, first.points) == ("graded", TOTAL)


def test_too_much_memory_is_a_verdict_and_in_the_end_a_status(tmp_path):
    def marked(made):
        return mark(Found("a", save(tmp_path / "a.ipynb", made)), n_random=2, timeout=30.0)

    hungry = marked(cells(wrong("bm25.idf", "def idf(n, m):\n    return bytearray(8 << 30)")))
    verdicts = {one.exercise: one.verdict for one in hungry.results if not one.passed}
    assert hungry.status == "graded" and verdicts == {"bm25.idf": "memory"}
    cell = marked(cells({"bm25.idf": "x = bytearray(8 << 30)\n" + SOLUTIONS["bm25.idf"]}))
    verdicts = {one.exercise: one.verdict for one in cell.results if not one.passed}
    assert verdicts == {"bm25.idf": "memory"} and cell.points == TOTAL - POINTS["bm25.idf"]
    assert "memory" in " ".join(remark["en"] for remark in cell.remarks)
    dying = marked([code(f"import os\nos._exit(77)  # {n}") for n in range(4)] + cells())
    assert dying.status == "memory" and {one.verdict for one in dying.results} == {"memory"}


def test_how_a_worker_ended_is_told():
    assert how_it_ended(None) == how_it_ended(0) == how_it_ended(-signal.SIGSEGV) == "crashed"
    assert how_it_ended(-signal.SIGXCPU) == "timeout" and how_it_ended(77) == "memory"


def test_a_process_that_the_system_kills_for_memory_is_told_so():
    worker = workers.new_worker(Settings(), 30.0)
    worker.gone = True
    worker.server.end = lambda wait: {"status": signal.SIGKILL, "cpu": 1.0, "killed": False}
    end = type(worker.server).end
    try:
        assert worker.close() == "memory"
        worker.server.end = lambda wait: {"status": signal.SIGKILL, "cpu": 40.0, "killed": False}
        assert worker.close() == "timeout"
    finally:
        del worker.server.end
        end(worker.server, 0.0)


def test_functions_among_the_arguments_ask_back():
    from ragteach.checking.exercise import Exercise
    from ragteach.grading.samples import sample
    from ragteach.grading.submission import Cell, Notebook

    text = {"fr": "", "en": ""}
    reference = lambda f, x: f(x) + f(y=2, x=1)  # noqa: E731
    exercise = Exercise("t.apply", "t", "apply", text, 1, 1, 1, reference, (), lambda: None, (), ())
    notebook = Notebook((Cell("def apply(f, x):\n    return f(x) + f(y=2, x=1)", "t.apply"),), None, "en")
    seen = []

    def double(x, y=0):
        seen.append(x)
        return 2 * x + y

    def refuse(x, y=0):
        raise ValueError("not this one")

    samples = [sample(exercise, (double, 3)), sample(exercise, (refuse, 3)), sample(exercise, (double, 4))]
    for settings in (Settings(), Settings("process")):
        one = session.Session(notebook, {"t.apply": reference}, {"t.apply": "apply"}, 30.0, settings)
        try:
            first, second, third = one.ask("t.apply", {}, {}, samples, 5.0)
            assert (first.value, third.value) == (10, 12) and second.errors[0] == "ValueError"
        finally:
            one.close()
    assert seen.count(4) == 3  # once by the reference, once by each worker


def test_the_rules_leave_out_what_is_hidden(tmp_path):
    for name in ("libs/other/a.py", "libs/ours/secret.py", "libs/ours/open.py", "libs/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    os.symlink(tmp_path / "libs/ours", tmp_path / "libs/link")
    found = dict(files.around(tmp_path, tmp_path / "libs/ours"))
    libs = tmp_path / "libs"
    assert found == {
        tmp_path: landlock.LIST,
        libs: landlock.LIST,
        libs / "other": landlock.READ,
        libs / "b.py": landlock.READ,
    }
    rules = dict(files.readable())
    assert not [path for path, rights in rules.items() if rights & landlock.READ_FILE and PACKAGE.is_relative_to(path)]


def test_a_stranger_is_nobody_known():
    first, second = identity.stranger(100), identity.stranger(101)
    assert first != second and min(first, second) > 30_000


def test_a_processor_whose_calls_are_unknown_is_said():
    with pytest.raises(ValueError, match="riscv64"):
        seccomp.program("riscv64", 1, True)
    assert len(seccomp.program("aarch64", 1, True)) == len(seccomp.program("x86_64", 1, True))


@pytest.mark.parametrize(
    ("processor", "numbers"), [("x86_64", (319, 447, 253, 294, 300)), ("aarch64", (279, 447, 26, 262))]
)
def test_memory_without_limits_and_watching_are_refused_on_both_processors(processor, numbers):
    steps = list(struct.iter_unpack("=HBBI", seccomp.program(processor, 1, True)))
    refuse = (seccomp.RETURN, 0, 0, seccomp.ERROR | errno.EPERM)
    for number in numbers:
        assert steps[steps.index((seccomp.IF_EQUAL, 0, 1, number)) + 1] == refuse


def test_a_layer_that_fails_is_reported_with_its_reason():
    assert sandbox.attempt(lambda: 1 / 0) == "ZeroDivisionError: division by zero"
    assert sandbox.attempt(lambda: None) is None
    assert sandbox.attempt(lambda: os._exit(0)) == "the process ended"
    assert limits.taken() > 1_000_000


def test_the_spawned_worker_needs_no_sandbox():
    worker = SpawnedWorker(workers.bounds_of(Settings("process"), 30.0))
    assert worker.close() == "crashed"


def test_a_grader_that_is_killed_leaves_nothing_behind(tmp_path):
    for n in range(2):
        save(tmp_path / f"in/s{n}.ipynb", [code("import time\ntime.sleep(9)"), *cells(SOLUTIONS)])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    grade = [sys.executable, "-m", "ragteach.cli", "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    grader = subprocess.Popen([*grade, "--jobs", "2"], cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
    while not list(scratch.glob("ragteach-*/ragteach-*/1")):  # a worker's folder
        assert grader.poll() is None
        time.sleep(0.1)
    started = {pid: since(pid) for pid in below(grader.pid) - {grader.pid}}
    assert len(started) >= 4  # two jobs and their fork servers
    grader.kill()
    grader.wait()
    limit = time.monotonic() + 60
    while (alive := [pid for pid, at in started.items() if at and since(pid) == at]) or list(scratch.iterdir()):
        assert time.monotonic() < limit, (alive, list(scratch.iterdir()))
        time.sleep(0.1)


@pytest.mark.skipif(os.geteuid() != 0 or not which("setpriv"), reason="needs root, who gives up his rights by setpriv.")
def test_root_without_its_rights_grades_too(tmp_path):
    save(tmp_path / "in/a.ipynb", cells(SOLUTIONS))
    grade = [sys.executable, "-m", "ragteach.cli", "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    bare = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    done = subprocess.run([*bare, *grade], cwd=PROJECT, capture_output=True, text=True)
    assert f'"a","graded",{TOTAL}' in (tmp_path / "out/grades.csv").read_text(), done.stderr


@pytest.mark.parametrize("source", ["whos", "pwd", "hist", "\n\nwhos\n", "%whos", "pwd = 4", "x = [\n1]"])
def test_a_line_that_is_a_magic_for_ipython_is_no_mistake(source):
    assert run(source) == {}


def test_a_magic_without_its_sign_among_other_lines_is_a_name_as_in_jupyter():
    assert run("x = 1\nwhos") == {0: ("error", "NameError: name 'whos' is not defined")}


def test_what_only_displays_is_no_system_command():
    names = "html HTML javascript js latex markdown svg SVG".split()
    assert run(*(f"%%{name}\n<b>x</b>" for name in names)) == {}
    assert run("%%bash\nls") == {0: ("shell", "%bash ls")}


def test_an_error_whose_class_lies_about_its_name_is_told():
    source = """
class Lying(type):
    @property
    def __name__(cls):
        raise SystemExit
class Mine(Exception, metaclass=Lying):
    pass
raise Mine("why")
"""
    assert run(source) == {0: ("error", "Mine: why")}


WAYS = {
    "namespaces": set(LAYERS),
    "no namespaces": set(LAYERS) - {"namespaces"},
    "no Landlock": set(LAYERS) - {"files"},
}


@pytest.fixture(scope="module", params=[pytest.param(name, marks=needs("files", "calls")) for name in WAYS])
def server_of_a_way(request):
    """Start a fork server that holds its workers in one of three ways; without namespaces as in many a container."""
    if request.param != "no namespaces" and "namespaces" not in LAYERS:
        pytest.skip(f"this system refuses {MISSING}.")
    made = forked.ForkServer(workers.bounds_of(AUTO, 30.0), only=sorted(WAYS[request.param]))
    yield made
    made.close()


@pytest.fixture
def way(server_of_a_way, monkeypatch):
    """Have all workers of a test held in one of the ways."""
    monkeypatch.setattr(forked, "server", lambda bounds: server_of_a_way)
    monkeypatch.setattr(forked, "close_servers", lambda: None)
    return server_of_a_way


def test_memory_is_bounded_each_way(way):
    """Also where the number of processes cannot be."""
    assert run("x = bytearray(8 << 30)") == {0: ("memory", "")}
    assert "OSError" in run("open('x', 'wb').write(bytes(60_000_000))")[0][1]


SIBLINGS = """
import os
def outcome(action):
    try:
        action()
        return "it worked"
    except OSError as error:
        return type(error).__name__
here = os.getcwd()
open("own", "w").write("x")
os.mkdir("own folder")
tries = [
    lambda: open(FOLDER + "/planted", "w"),
    lambda: os.makedirs(FOLDER + "/sklearn"),
    lambda: os.symlink("/", FOLDER + "/link"),
    lambda: os.link("own", FOLDER + "/hard"),
    lambda: os.rename("own folder", FOLDER + "/moved"),
    lambda: os.mkfifo(FOLDER + "/pipe"),
    lambda: os.rename(FOLDER + "/there", FOLDER + "/elsewhere"),
    lambda: os.unlink(FOLDER + "/there"),
    lambda: open(FOLDER + "/there", "a"),
    lambda: os.truncate(FOLDER + "/there", 0),
]
told = [outcome(one) for one in tries]
assert "it worked" not in told, told
"""


def test_a_worker_writes_in_its_own_scratch_folder_alone(way, tmp_path):
    """Not in its fork server's folder, nor in that of a later worker or of another job."""
    server = Path(way.folder)
    for folder in (server, server / "cache", server / "900", tmp_path, tmp_path / "1"):
        folder.mkdir(exist_ok=True)
        (folder / "there").write_text("x")
        before = sorted(os.listdir(folder))
        assert run(SIBLINGS.replace("FOLDER", repr(str(folder)))) == {}
        assert sorted(os.listdir(folder)) == before and (folder / "there").read_text() == "x"


def test_what_lies_in_a_servers_folder_is_not_imported(way):
    """The server loads libraries unconfined, whoever has written there."""
    for name in ("sklearn", "matplotlib", "numpy", "ragteach"):
        Path(way.folder, name).mkdir()
        Path(way.folder, name, "__init__.py").write_text("import os\nos._exit(1)")
    worker = forked.ForkedWorker(workers.bounds_of(AUTO, 30.0), ["sklearn", "matplotlib"])
    assert worker.close()
    plant = "import os\nos.mkdir('../sklearn')\nopen('../sklearn/__init__.py', 'w').write('planted = 1')"
    assert "Error" in attempt(plant)
    source = f"""
import os, sys, sklearn
assert sklearn.__version__ and not hasattr(sklearn, "planted")
assert sys.path.count("") == 1 and sys.path[0] == ""
assert not [path for path in sys.path if os.path.realpath(path or "/").startswith({way.folder!r})]
open("mine.py", "w").write("x = 3")
import mine
assert mine.x == 3
"""
    assert run(source) == {}


CHANGES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
PATH = THEIRS.encode()
HERE = -100
times = (ctypes.c_long * 4)(1, 0, 1, 0)
room = (ctypes.c_ulong * 4)()
def by_descriptor(action):
    for flags in (os.O_RDONLY, os.O_PATH):
        try:
            descriptor = os.open(THEIRS, flags)
        except OSError:
            continue
        action(descriptor)
def tried(*actions):
    for action in actions:
        try:
            action()
        except OSError:
            pass
tried(
    lambda: os.chmod(THEIRS, 0),
    lambda: by_descriptor(lambda fd: os.chmod(fd, 0)),
    lambda: by_descriptor(lambda fd: os.chmod(f"/proc/self/fd/{fd}", 0)),
    lambda: libc.fchmodat(HERE, PATH, 0, 0),
    lambda: libc.syscall(452, HERE, PATH, 0, 0),
    lambda: os.chown(THEIRS, os.getuid(), os.getgid()),
    lambda: os.lchown(THEIRS, os.getuid(), os.getgid()),
    lambda: by_descriptor(lambda fd: os.fchown(fd, os.getuid(), os.getgid())),
    lambda: os.utime(THEIRS),
    lambda: os.utime(THEIRS, (1, 1)),
    lambda: by_descriptor(lambda fd: os.utime(fd, (1, 1))),
    lambda: os.utime(os.path.basename(THEIRS), (1, 1), dir_fd=os.open(os.path.dirname(THEIRS), os.O_PATH)),
    lambda: libc.utimes(PATH, times),
    lambda: libc.utime(PATH, times),
    lambda: libc.futimesat(HERE, PATH, times),
    lambda: os.setxattr(THEIRS, "user.x", b"x"),
    lambda: os.removexattr(THEIRS, "user.kept"),
    lambda: os.setxattr(THEIRS, "user.x", b"x", follow_symlinks=False),
    lambda: os.removexattr(THEIRS, "user.kept", follow_symlinks=False),
    lambda: libc.syscall(466, HERE, PATH, 0, b"user.kept"),
    lambda: libc.syscall(469, HERE, PATH, ctypes.byref(room), 24, 0),
    lambda: os.truncate(THEIRS, 0),
    lambda: os.open(THEIRS, os.O_RDONLY | os.O_TRUNC),
    lambda: os.open(THEIRS, 3 | os.O_TRUNC),
)
"""


def state(path):
    """Tell all of a file that can be changed, but for the time at which it was last read."""
    found, attributes = os.stat(path), {}
    for name in os.listxattr(path):
        attributes[name] = os.getxattr(path, name)
    return found.st_mode, found.st_uid, found.st_gid, found.st_mtime_ns, found.st_ctime_ns, found.st_size, attributes


def test_modes_times_owners_and_attributes_stay_as_they_are(way, tmp_path):
    readable = Path(PACKAGE, "language.py")
    theirs = tmp_path / "bob.ipynb"
    theirs.write_text("theirs")
    with contextlib.suppress(OSError):  # not every file system has attributes
        os.setxattr(theirs, "user.kept", b"x")
    for path in (theirs, tmp_path, way.folder, readable, Path(tempfile.gettempdir())):
        before = state(path)
        assert run(f"THEIRS = {str(path)!r}\n{CHANGES}") == {}
        assert state(path)[:3] == before[:3] and state(path)[5:] == before[5:]
        assert state(path) == before or path not in (theirs, tmp_path, readable)  # the others are in use


def test_honest_code_that_copies_and_unpacks_runs(way):
    told = run(
        "import os, shutil\nfrom pathlib import Path\nopen('a', 'w').write('x')\nos.chmod('a', 0o600)",
        "for copy in (shutil.copy, shutil.copy2, shutil.copyfile, shutil.move):\n    copy('a', 'b')",
        "os.mkdir('c')\nPath('c/d').write_text('x')\nshutil.copytree('c', 'e')\nshutil.rmtree('c')",
        "Path('touched').touch()\nPath('touched').touch()\nassert Path('touched').exists()",
        "os.rename('e/d', 'd')\nPath('d').replace('f')\nopen('f', 'w').close()",
        "os.link('f', 'g')\nos.symlink('f', 'h')\nos.ftruncate(os.open('f', os.O_RDWR), 0)",
        "import numpy as np\nnp.save('n.npy', np.ones(3))\nnp.load('n.npy', mmap_mode='r+')",
        "np.savez('n.npz', a=np.ones(3))\nnp.load('n.npz')['a']\nnp.savetxt('n.txt', np.ones(3))",
        "import tempfile\nwith tempfile.TemporaryDirectory() as t:\n    Path(t, 'x').touch()",
        "with tempfile.NamedTemporaryFile('w+') as t:\n    t.write('x')\n    t.truncate(0)",
        "import zipfile\nzipfile.ZipFile('z.zip', 'w').write('f')\nzipfile.ZipFile('z.zip').extractall('z')",
        "import tarfile\nwith tarfile.open('t.tar', 'w') as t:\n    t.add('f')\ntarfile.open('t.tar').extractall('t')",
        "import sqlite3\nwith sqlite3.connect('x.db') as db:\n    db.execute('create table t (a)')",
        "import pandas" if find_spec("pandas") else "pass",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('figure.png')",
        "import socket\na, b = socket.socketpair()\na.send(b'x')\nassert b.recv(1) == b'x'",
        "import asyncio\nawait asyncio.sleep(0)",
        "import sys\nassert sys.stdin is None or not sys.stdin.isatty()\nos.set_inheritable(os.open('f', 0), True)",
        "import threading, fcntl\nfcntl.flock(open('f'), fcntl.LOCK_EX)\nos.set_blocking(os.pipe()[0], False)",
    )
    assert told == {}


def test_a_pair_of_sockets_reaches_no_socket_of_the_system(way, tmp_path):
    """A pair of datagrams could send to any socket that lies in a folder, as a log's does."""
    place = f"/tmp/ragteach-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log, contextlib.ExitStack() as after:
        log.bind(place)
        after.callback(os.unlink, place)
        os.chmod(place, 0o777)
        for kind in ("SOCK_DGRAM", "SOCK_SEQPACKET", "SOCK_RAW", "SOCK_DGRAM | socket.SOCK_NONBLOCK"):
            source = f"import socket\na, b = socket.socketpair(type=socket.{kind})\na.sendto(b'x', {place!r})"
            assert "Error" in attempt(source)
        assert "Error" in attempt(f"import socket\na, b = socket.socketpair()\na.connect({place!r})")
        log.setblocking(False)
        with pytest.raises(BlockingIOError):
            log.recv(1)


def test_no_signal_is_sent_by_way_of_a_file(way):
    for order in ("F_SETOWN, 1", "F_SETSIG, 9", "F_SETLEASE, fcntl.F_RDLCK", "F_NOTIFY, 1"):
        assert "PermissionError" in attempt(f"import fcntl\nfcntl.fcntl(open('x', 'w+'), fcntl.{order})")


def answer_of(steps, number, *arguments):
    """Follow a filter as the kernel does, and return its answer to a call."""
    processor = steps[1][3]
    values = {seccomp.NUMBER: number, seccomp.PROCESSOR: processor}
    values.update({seccomp.ARGUMENTS + 8 * n: value & 0xFFFF_FFFF for n, value in enumerate(arguments)})
    at = held = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == seccomp.RETURN:
            return value
        if code == seccomp.LOAD:
            held = values[value]
        elif code == seccomp.AND:
            held &= value
        else:
            at += yes if (held == value if code == seccomp.IF_EQUAL else held >= value) else no


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize("sealed", [True, False])
def test_the_filter_answers_each_call_as_it_should(processor, sealed):
    steps = list(struct.iter_unpack("=HBBI", seccomp.program(processor, 7, sealed)))
    column = seccomp.PROCESSORS[processor][0]
    for numbers in seccomp.REFUSED.values():
        assert numbers[column] == seccomp.ABSENT or answer_of(steps, numbers[column], 0, 0, 0) == seccomp.REFUSE
    for numbers in seccomp.PRETENDED.values():
        expected = seccomp.ALLOW if sealed else seccomp.PRETEND
        assert numbers[column] == seccomp.ABSENT or answer_of(steps, numbers[column], 0, 0, 0) == expected
    number = {name: numbers[column] for name, numbers in seccomp.ON_ITSELF.items()}
    assert answer_of(steps, number["kill"], 7, 9) == answer_of(steps, number["kill"], 0, 9) == seccomp.ALLOW
    assert answer_of(steps, number["kill"], 8, 9) == answer_of(steps, number["kill"], -1, 9) == seccomp.REFUSE
    clone, socketpair, ioctl, fcntl, opened, utimensat = (
        (56, 53, 16, 72, 257, 280) if processor == "x86_64" else (220, 199, 29, 25, 56, 88)
    )
    for call, refusal in (
        ((clone, 0x10000011), seccomp.REFUSE),
        ((clone, 0x11), seccomp.ALLOW),
        ((socketpair, 1, 2), seccomp.REFUSE),
        ((socketpair, 1, 1 | os.O_CLOEXEC), seccomp.ALLOW),
        ((ioctl, 3, 0x4008_6602), seccomp.NO_SUCH_CONTROL),  # FS_IOC_SETFLAGS
        ((ioctl, 3, 0x5451), seccomp.ALLOW),  # FIOCLEX
        ((fcntl, 3, 8), seccomp.REFUSE),
        ((fcntl, 3, 1), seccomp.ALLOW),
        ((opened, -100, 0, os.O_TRUNC | os.O_CLOEXEC), seccomp.REFUSE),
        ((opened, -100, 0, os.O_TRUNC | 3), seccomp.REFUSE),
        ((opened, -100, 0, os.O_TRUNC | os.O_CREAT | os.O_WRONLY), seccomp.ALLOW),
        ((opened, -100, 0, os.O_TRUNC | os.O_RDWR), seccomp.ALLOW),
        ((opened, -100, 0, os.O_RDONLY), seccomp.ALLOW),
        ((utimensat, -100, 0, 0), seccomp.ALLOW if sealed else seccomp.REFUSE),
        ((utimensat, -100, 0, 4096), seccomp.ALLOW if sealed else seccomp.PRETEND),
    ):
        assert answer_of(steps, *call) == refusal, call


@pytest.mark.skipif(os.geteuid() != 0, reason="this is an ordinary user already.")
def test_all_this_holds_where_an_ordinary_user_grades():
    """A worker then has the teacher's own user, and what the teacher owns is closed by other layers alone."""
    home = Path(tempfile.mkdtemp(prefix="ordinary-"))
    try:
        os.chown(home, 12345, 12345)
        as_user = [sys.executable, str(Path(__file__).with_name("ordinary_user.py"))]
        pick = "namespaces or Landlock or strict"  # in the names of tests, or of their cases
        tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={home / 'base'}"]
        done = subprocess.run(
            [*as_user, sys.executable, *tests, "-k", pick, "-rs", __file__],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            env={**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(home)},
        )
    finally:
        remove(str(home))
    if "No ordinary user" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@needs("limits")
def test_a_stricter_limit_of_the_systems_stays_and_costs_no_other():
    bounds = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))\n"
    told = "from ragteach.grading.sandbox.limits import limit\nprint(limit(60, 500, None, 50))\n"
    told += "print(resource.getrlimit(resource.RLIMIT_NOFILE)[1])"
    done = subprocess.run([sys.executable, "-c", bounds + told], capture_output=True, text=True, cwd=PROJECT)
    assert done.stdout.split("\n")[:2] == ["['processes']", "100"], done.stderr


@pytest.mark.skipif(
    os.geteuid() != 0 or not which("unshare") or subprocess.run(["unshare", "-r", "true"]).returncode,
    reason="needs root, and user namespaces.",
)
def test_where_root_is_the_only_user_there_is_submissions_are_graded_and_it_is_said(tmp_path):
    save(tmp_path / "in/a.ipynb", cells(SOLUTIONS))
    grade = [sys.executable, "-m", "ragteach.cli", "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    done = subprocess.run(["unshare", "-r", *grade, "--lang", "en"], cwd=PROJECT, capture_output=True, text=True)
    assert f'"a","graded",{TOTAL}' in (tmp_path / "out/grades.csv").read_text(), done.stderr
    assert "root is the only user here" in (tmp_path / "out/report.html").read_text()
