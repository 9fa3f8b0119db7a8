"""What a copier of trees keeps, found by letting it copy one of everything."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from driver.processes import Failed

OLD_NS = 981_173_106_123_456_789
OTHER_OWNER = 54321
HOLE_BYTES = 8 << 20
MODE = 0o4751
ACL_OF_OTHER = f"u:{OTHER_OWNER}:r"

# An aspect of a tree, each of which some tool loses.
ASPECTS = [
    "mode",
    "times",
    "times of directories",
    "owner",
    "xattrs",
    "ACLs",
    "hard links",
    "holes",
    "symlinks",
    "times of symlinks",
    "FIFOs",
]


@dataclass(frozen=True)
class Keeping:
    """What one copier does with one of everything.

    @param unknown aspects that this file system or this user cannot have
    @param lost those that the copy does not have
    """

    unknown: list[str]
    lost: list[str]

    @property
    def said(self) -> str:
        return f"keep {', '.join(self.lost)}" if self.lost else ""


def keeping(
    directory: Path, command: Callable[[Path, Path], list[str]], ours: bool = False
) -> Keeping:
    """Lets a copier copy one of everything, twice: first without what may make it fail.

    @param directory an empty one, on the file system in question; empty again afterwards
    @param ours whether a failure is one of the benchmark, and not a loss
    """
    lost, unknown = [], []
    for aspect in ASPECTS:
        source, target = directory / "source", directory / "target"
        source.mkdir()
        try:
            if not PLANT[aspect](source):
                unknown.append(aspect)
                continue
            before = LOOK[aspect](source)
            # Where a copier refuses an aspect, it loses that and no other.
            ended = subprocess.run(
                command(source, target),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=60,
            )
            if ended.returncode != 0 and ours:
                raise Failed(f"zcp fails on {aspect}: {ended.stderr!r}")
            if ended.returncode != 0 or LOOK[aspect](target) != before:
                lost.append(aspect)
        except subprocess.TimeoutExpired:
            lost.append(aspect)
        except FileNotFoundError:
            lost.append(aspect)
        finally:
            shutil.rmtree(source)
            shutil.rmtree(target, ignore_errors=True)
    return Keeping(unknown, lost)


def plant_mode(tree: Path) -> bool:
    (tree / "file").write_text("content")
    (tree / "file").chmod(MODE)
    return True


def plant_times(tree: Path) -> bool:
    (tree / "file").write_text("content")
    os.utime(tree / "file", ns=(OLD_NS, OLD_NS))
    return True


def plant_directory_times(tree: Path) -> bool:
    (tree / "folder").mkdir()
    (tree / "folder/file").write_text("content")
    os.utime(tree / "folder", ns=(OLD_NS, OLD_NS))
    return True


def plant_owner(tree: Path) -> bool:
    (tree / "file").write_text("content")
    if os.geteuid() != 0:
        return False
    os.chown(tree / "file", OTHER_OWNER, OTHER_OWNER)
    return True


def plant_xattr(tree: Path) -> bool:
    (tree / "file").write_text("content")
    try:
        os.setxattr(tree / "file", "user.zcp", b"value")
    except OSError:
        return False
    return True


def plant_acl(tree: Path) -> bool:
    (tree / "file").write_text("content")
    if not shutil.which("setfacl"):
        return False
    return (
        subprocess.run(
            ["setfacl", "-m", ACL_OF_OTHER, tree / "file"], stderr=subprocess.DEVNULL
        ).returncode
        == 0
    )


def plant_hard_link(tree: Path) -> bool:
    (tree / "a").mkdir()
    (tree / "b").mkdir()
    (tree / "a/file").write_text("content")
    os.link(tree / "a/file", tree / "b/file")
    return True


def plant_hole(tree: Path) -> bool:
    with open(tree / "file", "wb") as file:
        file.seek(HOLE_BYTES)
        file.write(b"end")
    return (tree / "file").stat().st_blocks * 512 < HOLE_BYTES


def plant_symlink(tree: Path) -> bool:
    os.symlink("nowhere", tree / "link")
    os.utime(tree / "link", ns=(OLD_NS, OLD_NS), follow_symlinks=False)
    return True


def plant_fifo(tree: Path) -> bool:
    os.mkfifo(tree / "fifo")
    return True


PLANT: dict[str, Callable[[Path], bool]] = {
    "mode": plant_mode,
    "times": plant_times,
    "times of directories": plant_directory_times,
    "owner": plant_owner,
    "xattrs": plant_xattr,
    "ACLs": plant_acl,
    "hard links": plant_hard_link,
    "holes": plant_hole,
    "symlinks": plant_symlink,
    "times of symlinks": plant_symlink,
    "FIFOs": plant_fifo,
}

LOOK: dict[str, Callable[[Path], object]] = {
    "mode": lambda tree: (tree / "file").stat().st_mode,
    "times": lambda tree: (tree / "file").stat().st_mtime_ns,
    "times of directories": lambda tree: (tree / "folder").stat().st_mtime_ns,
    "owner": lambda tree: owner(tree / "file"),
    "xattrs": lambda tree: xattr(tree / "file", "user.zcp"),
    "ACLs": lambda tree: xattr(tree / "file", "system.posix_acl_access"),
    "hard links": lambda tree: (tree / "a/file").samefile(tree / "b/file"),
    "holes": lambda tree: (tree / "file").stat().st_blocks * 512 < HOLE_BYTES,
    "symlinks": lambda tree: os.readlink(tree / "link"),
    "times of symlinks": lambda tree: os.lstat(tree / "link").st_mtime_ns,
    "FIFOs": lambda tree: (tree / "fifo").is_fifo(),
}


def owner(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_uid, status.st_gid


def xattr(path: Path, name: str) -> bytes:
    try:
        return os.getxattr(path, name)
    except OSError:
        return b""
