"""The sets of files that trees are copied of."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SMALL_BYTES = 1 << 10
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class Size:
    """How much there is in a set."""

    entries: int
    bytes: int


@dataclass(frozen=True)
class FileSet:
    """Something to copy.

    @param make writes it under a name that does not exist yet
    """

    name: str
    title: str
    size: Size
    make: Callable[[Path], None]


def all_sets(tree: Path | None, small: bool) -> list[FileSet]:
    """Those of the full size, or small ones that only show that all works.

    @param tree what is measured as the Go toolchain's; nothing where there is none
    """
    files, folders = (10_000, 100) if small else (100_000, 1_000)
    large, medium = (256 << 20, 4 << 20) if small else (4 << 30, 64 << 20)
    sets = []
    if tree:
        sets.append(FileSet("go", "the Go toolchain", measured(tree), copier(tree)))
    return sets + [
        FileSet(
            "flat",
            f"{files} files of 1 KiB in one directory",
            evenly(files, 1, SMALL_BYTES),
            lambda place: sow(place, files, 1, SMALL_BYTES),
        ),
        FileSet(
            "wide",
            f"{files} files of 1 KiB in {folders} directories",
            evenly(files, folders, SMALL_BYTES),
            lambda place: sow(place, files, folders, SMALL_BYTES),
        ),
        FileSet(
            "one",
            f"one file of {large >> 20} MiB",
            Size(1, large),
            lambda place: write_random(place, large),
        ),
        FileSet(
            "large",
            f"64 files of {medium >> 20} MiB",
            evenly(64, 1, medium),
            lambda place: sow(place, 64, 1, medium),
        ),
    ]


def go_tree() -> Path | None:
    """Where the Go toolchain is, or nothing where there is none."""
    if not shutil.which("go"):
        return None
    said = subprocess.run(["go", "env", "GOROOT"], text=True, stdout=-1).stdout.strip()
    return Path(said).resolve() if said else None


def evenly(files: int, folders: int, size: int) -> Size:
    return Size(files + folders + (folders > 1), files * size)


def sow(place: Path, files: int, folders: int, size: int) -> None:
    """Files of one size, evenly in one directory or in several."""
    place.mkdir()
    homes = [place] if folders == 1 else [place / f"d{i}" for i in range(folders)]
    for home in homes:
        if home != place:
            home.mkdir()
        for number in range(files // folders):
            write_random(home / f"f{number}", size)


def write_random(path: Path, size: int) -> None:
    with open(path, "wb") as file:
        for offset in range(0, size, BLOCK_BYTES):
            file.write(os.urandom(min(size - offset, BLOCK_BYTES)))


def copier(tree: Path) -> Callable[[Path], None]:
    def copy(place: Path) -> None:
        subprocess.run(["cp", "-a", "-T", "--", tree, place], check=True)

    return copy


def measured(path: Path) -> Size:
    """Counts entries and bytes of regular files without keeping a list of them, since this
    script's memory counts as that of what it starts.
    """
    entries, size = 1, 0
    folders = []
    status = os.lstat(path)
    if path.is_dir() and not path.is_symlink():
        folders.append(str(path))
    else:
        size = status.st_size
    while folders:
        with os.scandir(folders.pop()) as listing:
            for entry in listing:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    size += entry.stat(follow_symlinks=False).st_size
    return Size(entries, size)

