"""A copy of a tree on one machine."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from driver import kept, sets
from driver.contest import Contender, Contest, Place
from driver.ground import Ground
from driver.kept import Keeping
from driver.lab import COPY, ZCP_TREE
from driver.processes import Command, Failed, Plan
from driver.report import table
from driver.sets import FileSet, Size

ROUNDS = 7
ROUNDS_QUICK = 2

# A peer whose tree is never finished should not take the benchmark with it.
COMPARE_LIMIT_S = 600


@dataclass(frozen=True)
class Copier:
    """A tool by the options that keep most.

    @param into whether the source wants a slash at its end where it is a directory
    """

    tool: str
    name: str
    argv: list[str]
    into: bool = False

    @property
    def ours(self) -> bool:
        return self.name == ZCP_TREE

    def command(self, source: Path, target: Path) -> list[str]:
        content = "/" if self.into and source.is_dir() else ""
        return [*self.argv, f"{source}{content}", str(target)]


def copiers(zcp: str) -> list[Copier]:
    return [
        Copier("cp", "cp -a", ["cp", "-a"]),
        Copier("rsync", "rsync -a", ["rsync", "-a"], into=True),
        Copier("xcp", "xcp -r", ["xcp", "-r", "--no-progress", "--ownership"]),
        Copier("fcp", "fcp", ["fcp"]),
        Copier("cpz", "cpz", ["cpz"]),
        Copier("zcp", ZCP_TREE, [zcp, "copy", "-a", "-q"]),
    ]


@dataclass
class Tried:
    """What was found out about the copiers on one file system."""

    place: str
    keeping: dict[str, Keeping]


def try_out(ground: Ground, copiers: list[Copier]) -> Tried:
    directory = ground.new(0, 1)
    found = {
        copier.name: kept.keeping(directory, copier.command, copier.ours)
        for copier in copiers
    }
    return Tried(ground.name, found)


@dataclass
class TreeContest(Contest):
    """The target is a tree, or a file where the source is one.

    @param size that of the source
    """

    size: Size | None = None

    def check(self, contender: Contender, number: int) -> None:
        """Entries and bytes are counted after each run; in the round that warms up, all is compared."""
        if not contender.copies:
            return
        source, target = self.place.source, self.place.target
        if not target.exists():
            raise Failed(f"{contender.name} wrote nothing")
        found = sets.measured(target)
        wanted = self.size
        if (found.entries, found.bytes) != (wanted.entries, wanted.bytes):
            raise Failed(
                f"{contender.name} wrote {found.entries} entries with {found.bytes} bytes,"
                f" and not {wanted.entries} with {wanted.bytes}"
            )
        if number == 0:
            ended = subprocess.run(
                ["diff", "-r", "-q", "--no-dereference", "--", source, target],
                stdout=subprocess.DEVNULL,
                timeout=COMPARE_LIMIT_S,
            )
            if ended.returncode != 0:
                raise Failed(f"{contender.name} wrote other bytes than it read")


def contest(
    files: FileSet,
    place: Place,
    copiers: list[Copier],
    tried: Tried,
    rounds: int,
) -> TreeContest:
    """A contest over a set that has been made already."""

    def contender(copier: Copier) -> Contender:
        def plan() -> Plan:
            return Plan([[Command(copier.command(place.source, place.target))]])

        lacks = tried.keeping[copier.name].said
        return Contender(COPY, copier.name, plan, copier.ours, lacks=lacks)

    return TreeContest(
        files.name,
        f"{files.title}, {place.name}",
        place,
        [contender(copier) for copier in copiers],
        rounds,
        heavy=True,
        size=sets.measured(place.source),
    )


def hold(
    files: FileSet,
    ground: Ground,
    copiers: list[Copier],
    tried: Tried,
    rounds: int,
    take: Callable[[TreeContest], None],
) -> TreeContest:
    """Makes a set, and has the contest over it."""
    place = made(files, ground)
    held = contest(files, place, copiers, tried, rounds)
    take(held)
    ground.kept.clear()
    return held


def made(files: FileSet, ground: Ground) -> Place:
    """A set on a ground, which keeps it until it is told otherwise."""
    source = ground.new(files.size.bytes, files.size.entries, keep=True) / "set"
    files.make(source)
    return Place(ground, source, files.size.bytes, files.size.entries)


def keeping_table(tried: list[Tried]) -> list[str]:
    """Blocks of the summary: who keeps what, as it was found here."""
    blocks = ["## What each keeps"]
    for place in tried:
        names = list(place.keeping)
        rows = []
        for aspect in kept.ASPECTS:
            cells = [verdict(place.keeping[name], aspect) for name in names]
            rows.append([aspect, *cells])
        blocks += [
            f"On {place.place}, by a copy of one of each:",
            table(["", *names], rows),
        ]
    return blocks


def verdict(keeping: Keeping, aspect: str) -> str:
    if aspect in keeping.unknown:
        return "not tried"
    return "no" if aspect in keeping.lost else "yes"
