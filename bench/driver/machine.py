"""What the figures were taken on and with. Neither the machine's name nor any of its paths."""

import os
import platform
import subprocess
from pathlib import Path

STEAL = 7  # among the figures of the first line of /proc/stat: proc_stat(5)


def lines(dist: Path, project: Path, grounds: list) -> list[tuple[str, str]]:
    """What to say of machine and programs, each with its value; programs not there are left out."""
    facts = [
        *host(),
        ("file systems", ". ".join(ground.said for ground in grounds) or "none used"),
        ("zcp", f"{said([str(dist / 'bin/zcp'), '--version'])}, {commit(project)}"),
        ("Java", said([str(dist / "runtime/bin/java"), "-version"], line=1)),
        ("cp", said(["cp", "--version"])),
        ("cksum", said(["cksum", "--version"])),
        ("dd", said(["dd", "--version"])),
        ("cat", said(["cat", "--version"])),
        ("node", said(["node", "--version"])),
        ("/usr/bin/python3", said(["/usr/bin/python3", "--version"])),
        ("python3 first on PATH", said(["python3", "--version"])),
        ("cc", said(["cc", "--version"])),
    ]
    return [(what, value) for what, value in facts if value]


def host() -> list[tuple[str, str]]:
    return [
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("memory", f"{memory_gib():.0f} GiB"),
        ("kernel", f"{platform.system()} {platform.release()}"),
    ]


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def file_system(directory: Path) -> str:
    """The type of the file system that a directory is on: proc_pid_mountinfo(5)."""
    device = os.stat(directory).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, source = line.partition(" - ")
        if mount.split()[2] == wanted:
            return source.split()[0]
    return "unknown"


def journalled(directory: Path) -> str:
    """The type of the file system, of ext4 with what the kernel's jbd2 knows of it."""
    kind = file_system(directory)
    if kind != "ext4":
        return kind
    device = os.stat(directory).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    name = Path(os.path.realpath(f"/sys/dev/block/{number}")).name
    journal = any(Path("/proc/fs/jbd2").glob(f"{name}-*"))
    return f"ext4 {'with' if journal else 'without'} a journal"


def said(argv: list[str], line: int = 0) -> str:
    """A line of what a program says of itself, or nothing where it is not there."""
    try:
        result = subprocess.run(
            argv,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=-1,
            stderr=subprocess.STDOUT,
        )
        return result.stdout.splitlines()[line]
    except (OSError, IndexError):
        return ""


def commit(project: Path) -> str:
    git = ["git", "-C", str(project), "-c", f"safe.directory={project}"]
    changed = said([*git, "status", "--porcelain", "--", "src", "build", "pom.xml"])
    return f"commit {said([*git, 'rev-parse', '--short=12', 'HEAD'])}" + (
        " with changes" if changed else ""
    )


def ticks() -> list[int]:
    """The machine's time since it started, by what it went to."""
    return [int(field) for field in Path("/proc/stat").read_text().split()[1:9]]


def steal(before: list[int], after: list[int]) -> float:
    """The part of the time between that other machines on the same host took."""
    total = sum(after) - sum(before)
    return (after[STEAL] - before[STEAL]) / total if total else 0
