"""What is measured on: a file system made for the run, and a new directory for every turn.

ext4 without a journal passes over the inodes of files that were deleted a short while ago
(recently_deleted in the kernel's fs/ext4/ialloc.c). After a tree was deleted there, creating files
takes up to ten times as long, for minutes. So nothing is deleted before the end, unless there is no
room left.
"""

import argparse
import os
import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from driver import machine
from driver.processes import Failed
from driver.setting import PROJECT, new_folder

KINDS = ["tmpfs", "ext4"]

IMAGE_BYTES_MAX = 24 << 30
INODES = {"ext4": ["-i", "4096"]}
# Else a thread of the kernel goes on writing inode tables while others are measured.
AT_ONCE = {"ext4": ["-E", "lazy_itable_init=0,lazy_journal_init=0"]}

# Directories, the journal, and whatever else writes there meanwhile.
SPARE_BYTES = 512 << 20

# What a file takes at least on a disk.
BLOCK_BYTES = 4 << 10

PAUSE_S = 0.3


@dataclass
class Ground:
    """A directory to measure in.

    @param made whether its file system was made for the run
    @param kept folders that stay when room is made
    """

    directory: Path
    made: bool
    kept: set[Path] = field(default_factory=set)
    folders: int = 0
    sweeps: int = 0

    def __post_init__(self) -> None:
        self.name = machine.file_system(self.directory)
        self.origin = "made for the run" if self.made else "that was there before"
        self.origin = f"{machine.journalled(self.directory)}, {self.origin}"

    @property
    def said(self) -> str:
        """What kind it is, where it comes from, and whether anything was deleted in between."""
        if not self.sweeps:
            return f"{self.origin}; nothing was deleted before the end"
        return f"{self.origin}; what earlier turns made was deleted {self.sweeps} times for want of room"

    def new(self, size: int, entries: int, keep: bool = False) -> Path:
        """A new folder on ground that has room for so much, and stays so if it is kept."""
        if self.shortage(size, entries):
            self.sweep()
            if shortage := self.shortage(size, entries):
                raise Failed(f"{self.directory}: {shortage}", brief=shortage)
        self.folders += 1
        folder = self.directory / str(self.folders)
        folder.mkdir()
        if keep:
            self.kept.add(folder)
        return folder

    def shortage(self, size: int, entries: int) -> str:
        needed = size + entries * BLOCK_BYTES + SPARE_BYTES
        status = os.statvfs(self.directory)
        free = status.f_bavail * status.f_frsize
        if free < needed:
            return f"{needed >> 20} MiB free are needed and {free >> 20} are there"
        # A file system that makes inodes as they are asked for says that it has none.
        if status.f_files and status.f_favail < entries:
            return f"{entries} free inodes are needed and {status.f_favail} are there"
        return ""

    def sweep(self) -> None:
        """Takes away all that nobody keeps."""
        used = [each for each in self.directory.iterdir() if each not in self.kept]
        # In a process of its own: what a list of a hundred thousand names takes would count as the
        # memory of what is started next.
        subprocess.run(["rm", "-rf", "--", *used], check=True)
        os.sync()
        time.sleep(PAUSE_S)
        self.sweeps += 1


def add_options(parser: argparse.ArgumentParser, kinds: list[str] = KINDS) -> None:
    parser.add_argument(
        "--ground",
        type=lambda names: names.split(","),
        default=kinds,
        metavar="KIND,...",
        help=f"file systems to make for the run, of {', '.join(KINDS)} [{','.join(kinds)}]",
    )
    parser.add_argument(
        "--disk",
        type=Path,
        default=Path(os.environ.get("TMPDIR") or PROJECT / "target"),
        metavar="DIR",
        help="where the image of ext4 is, or the files if nothing can be mounted [TMPDIR, else target]",
    )
    parser.add_argument(
        "--memory",
        type=Path,
        default=Path("/dev/shm"),
        metavar="DIR",
        help="the same for tmpfs [/dev/shm]",
    )


def of(options: argparse.Namespace, stack: ExitStack) -> list[Ground]:
    parents = {"tmpfs": options.memory, "ext4": options.disk}
    for kind in options.ground:
        if kind not in parents:
            raise Failed(f"no ground {kind}; there are {', '.join(KINDS)}")
    return [opened(kind, parents[kind], stack) for kind in options.ground]


def opened(kind: str, parent: Path, stack: ExitStack) -> Ground:
    """A new file system if root asks, else a folder of what is there."""
    home = new_folder(stack, parent)
    if os.geteuid() == 0:
        return stack.enter_context(mounted(kind, home))
    return Ground(home, made=False)


@contextmanager
def mounted(kind: str, home: Path, size: int = IMAGE_BYTES_MAX) -> Iterator[Ground]:
    """A new file system: a tmpfs, or one in a file of half of the free space at most."""
    folder, image = home / kind, home / f"{kind}.img"
    folder.mkdir()
    folder.chmod(0o755)
    try:
        if kind == "tmpfs":
            quietly(["mount", "-t", "tmpfs", "-o", "size=80%", "zcp-bench", folder])
        else:
            if not shutil.which(f"mkfs.{kind}"):
                raise Failed(f"no mkfs.{kind}")
            with open(image, "wb") as file:
                file.truncate(min(size, shutil.disk_usage(home).free // 2))
            options = [*INODES.get(kind, []), *AT_ONCE.get(kind, [])]
            quietly([f"mkfs.{kind}", "-q", *options, image])
            quietly(["mount", "-o", "loop", image, folder])
    except Failed as failure:
        image.unlink(missing_ok=True)
        raise Failed(f"{kind}: {failure}", brief=f"{kind} cannot be mounted here")
    try:
        yield Ground(folder, made=True)
    finally:
        quietly(["umount", folder])
        image.unlink(missing_ok=True)


def quietly(argv: list) -> None:
    """Runs a command whose words count only where it fails."""
    result = subprocess.run(argv, text=True, stdout=-1, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise Failed(
            f"{Path(argv[0]).name} ended with {result.returncode}: {result.stdout}"
        )
