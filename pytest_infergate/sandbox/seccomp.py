"""System calls that no evaluated program needs, as a filter for the kernel (classic BPF).

A denylist over a sandbox that has no privileges already: it narrows the kernel that hostile code can reach.
Denied calls return EPERM. ``clone3`` returns ENOSYS, since its flags are behind a pointer that a filter
cannot follow; the C library then uses ``clone``, whose flags are seen. Numbers: arch/x86/entry/syscalls/
syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import errno
import platform
import struct

#: Machine → (AUDIT_ARCH of linux/audit.h, column of the table below).
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
#: Name → number on x86_64, on aarch64.
_DENIED = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setns": (308, 268),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
#: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET of linux/sched.h.
_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
#: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: harmless in a network namespace of one's own; AF_VSOCK ignores it.
_FAMILIES = (1, 2, 10, 16)

_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NUMBER_AT, _ARCH_AT, _ARGUMENT_AT = 0, 4, 16


def seccomp_filter() -> bytes | None:
    """Return the filter as ``struct sock_filter`` records; ``None`` for a machine without a table here."""
    if platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return None
    arch, column = _MACHINES[platform.machine()]
    deny = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
    program = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, arch),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if column == 0:  # the x32 numbers are a second way to every call
        program += [(_AT_LEAST, 0, 1, 0x40000000), deny]
    for numbers in sorted(_DENIED.values()):
        program += [(_EQUAL, 0, 1, numbers[column]), deny]
    program += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)]
    program += [
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _ARGUMENT_AT),
        (_ANY_BIT, 0, 1, _NAMESPACES),
        deny,
        (_RETURN, 0, 0, _ALLOW),
    ]
    families = len(_FAMILIES)
    program += [(_EQUAL, 0, families + 2, _SOCKET[column]), (_LOAD, 0, 0, _ARGUMENT_AT)]
    program += [(_EQUAL, families - n, 0, family) for n, family in enumerate(_FAMILIES)]
    program += [deny, (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
