"""The seccomp layer: system calls that no notebook of this course needs are refused.

The filter is a small program in the kernel's BPF, written here: the library that could write it, libseccomp, is not on
every Linux. Source: the kernel's documentation, userspace-api/seccomp_filter.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from collections.abc import Sequence

from ragteach.grading.sandbox import kernel

ABSENT = 0x3FFF_FFFF  # the number of no call: what 64-bit ARM never had
# name: (number on x86-64, number on 64-bit ARM)
REFUSED = {
    # other programs
    "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "setpriority": (141, 140), "ioprio_set": (251, 30), "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # the network, and memory that outlives its process
    "socket": (41, 198), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # file systems and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "lookup_dcookie": (212, 18), "quotactl": (179, 60),
    "unshare": (272, 97), "setns": (308, 268),
    # the kernel and the machine
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "personality": (135, 92), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225),
    "reboot": (169, 142), "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116),
    "vhangup": (153, 58),
    # files that count neither as memory nor as files, and the comings and goings in a folder that cannot be read
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "inotify_init1": (294, 26),
    "inotify_init": (253, ABSENT),
    # what Landlock lets pass on files that the worker's user owns, or did before Linux 6.2
    "truncate": (76, 45), "chown": (92, ABSENT), "lchown": (94, ABSENT), "fchown": (93, 55), "fchownat": (260, 54),
    "utime": (132, ABSENT), "utimes": (235, ABSENT), "futimesat": (261, ABSENT), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466), "file_setattr": (469, 469),
}  # fmt: skip
PRETENDED = {"chmod": (90, ABSENT), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452)}
UNKNOWN = {  # whose flags lie out of a filter's sight: libraries then use clone and openat
    "clone3": (435, 435), "openat2": (437, 437),
}  # fmt: skip
ON_ITSELF = {  # allowed where the first argument is this process
    "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
}  # fmt: skip
PROCESSORS = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}
OTHER_TABLE = 0x4000_0000  # x86-64 numbers its system calls a second time from here on

NUMBER, PROCESSOR, ARGUMENTS = 0, 4, 16  # where the kernel lays what a filter may look at; an argument has 8 bytes
LOAD, AND, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
ALLOW, KILL, ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
REFUSE, PRETEND, NO_SUCH_CALL = ERROR | errno.EPERM, ERROR, ERROR | errno.ENOSYS
NO_SUCH_CONTROL = ERROR | errno.ENOTTY
ALL_BITS = 0xFFFF_FFFF
BY_ARGUMENT = (  # (numbers, which argument, mask, values of it under the mask, answer to these, answer to others)
    # clone: no flag that makes a namespace
    ((56, 220), 0, 0x7E02_0080, (0,), ALLOW, REFUSE),
    # socketpair: streams only, as the others can turn to sockets that lie in a folder of the system
    ((53, 199), 1, 0xF, (1,), ALLOW, REFUSE),
    # ioctl: those of terminals and of waiting, which are asked of any file; others change a file's attributes
    ((16, 29), 1, 0xFFFF_FF00, (0x5400,), ALLOW, NO_SUCH_CONTROL),
    # fcntl: no signals to other processes (F_SETOWN, F_SETSIG, F_SETOWN_EX), no F_SETLEASE, no F_NOTIFY
    ((72, 25), 1, ALL_BITS, (8, 10, 15, 1024, 1026), REFUSE, ALLOW),
    # open, openat: none that empties a file without being open for writing, which Landlock sees since Linux 6.2
    ((2, ABSENT), 1, 0x203, (0x200, 0x203), REFUSE, ALLOW),
    ((257, 56), 2, 0x203, (0x200, 0x203), REFUSE, ALLOW),
)
# utimensat: to set the time of now is refused, as Path.touch then opens the file instead
TIMES = (280, 88), 2, ALL_BITS, (0,), REFUSE, PRETEND


def program(processor: str, process: int, sealed: bool) -> bytes:
    """Write the filter for a processor (platform.machine()) and a process, by its number.

    Where the files are not `sealed`, it answers that a file's mode or times have been changed, and does not change
    them: shutil.copy must not fail for that. Raises ValueError for a processor whose system calls are not known here.
    """
    if processor not in PROCESSORS:
        raise ValueError(f"The system calls of {processor} are not known.")
    column, name = PROCESSORS[processor]
    steps = [
        (LOAD, 0, 0, PROCESSOR),
        (IF_EQUAL, 1, 0, name),
        (RETURN, 0, 0, KILL),  # a 32-bit program, whose numbers mean other calls
        (LOAD, 0, 0, NUMBER),
        (IF_AT_LEAST, 0, 1, OTHER_TABLE),
        (RETURN, 0, 0, REFUSE),
    ]
    for calls, answer in ((REFUSED, REFUSE), (UNKNOWN, NO_SUCH_CALL), ({} if sealed else PRETENDED, PRETEND)):
        for numbers in calls.values():
            steps += [(IF_EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, answer)]
    for numbers in ON_ITSELF.values():
        steps += by_argument(numbers[column], 0, ALL_BITS, (0, process), ALLOW, REFUSE)
    for numbers, *rest in (*BY_ARGUMENT, *([] if sealed else [TIMES])):
        steps += by_argument(numbers[column], *rest)
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def by_argument(number: int, argument: int, mask: int, values: Sequence[int], then: int, otherwise: int) -> list[tuple]:
    """Write the steps that answer a call by the lower half of one of its arguments."""
    steps = [(LOAD, 0, 0, ARGUMENTS + 8 * argument), (AND, 0, 0, mask)]
    steps += [(IF_EQUAL, len(values) - n, 0, value) for n, value in enumerate(values)]
    steps += [(RETURN, 0, 0, otherwise), (RETURN, 0, 0, then)]
    return [(IF_EQUAL, 0, len(steps), number), *steps]


def restrict(sealed: bool) -> None:
    """Put this process under the filter, for good. Raises OSError or ValueError where that cannot be."""
    kernel.no_new_privileges()
    kernel.load_filter(program(platform.machine(), os.getpid(), sealed))
