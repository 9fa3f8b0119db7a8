"""The memory that a copy of many files takes at most, against that of a few."""

import argparse
import csv
import random
import sys
import time
from contextlib import ExitStack
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from driver import ground, machine, setting, sets, tools, trees
from driver.figures import Figures
from driver.ground import Ground
from driver.processes import Command, Failed, Plan, Usage, run
from driver.report import table, text
from driver.sets import FileSet
from driver.setting import DIST, PROJECT

ROUNDS = 3
ROUNDS_QUICK = 1
KIB_PER_MIB = 1024


@dataclass(frozen=True)
class Taken:
    """One line of raw.csv."""

    files: str
    copier: str
    round: int
    rss_kib: int
    wall_s: float


def all_sets(quick: bool) -> list[FileSet]:
    """A few files and many, empty, in one directory and in a thousand."""
    many = 100_000 if quick else 1_000_000
    shapes = [(1_000, 1), (many, 1), (many, 1_000)]
    return [of(files, folders) for files, folders in shapes]


def of(files: int, folders: int) -> FileSet:
    where = "one directory" if folders == 1 else f"{folders} directories"
    return FileSet(
        f"{files}-{folders}",
        f"{files} empty files in {where}",
        sets.evenly(files, folders, 0),
        lambda place: sets.sow(place, files, folders, 0),
    )


def measure(options: argparse.Namespace, seed: int) -> Path:
    started = time.gmtime()
    shuffle = random.Random(seed)
    absent = tools.absences()
    copiers = [
        each
        for each in trees.copiers(str(DIST / "bin" / "zcp"))
        if each.tool not in absent and (not options.only or each.tool in options.only)
    ]
    taken = []
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    with ExitStack() as stack:
        work = setting.new_folder(stack, options.memory)
        setting.set_environment(work)
        memory = ground.opened("tmpfs", options.memory, stack)
        for files in all_sets(options.quick):
            taken += hold(files, memory, work / "errors", copiers, rounds, shuffle)
    directory = setting.output(options.quick, started)
    directory.mkdir(parents=True, exist_ok=True)
    write_raw(taken, directory / "raw.csv")
    (directory / "summary.md").write_text(text(summary(taken)))
    facts = [
        ("command", "`bench/trees --footprint" + " --quick" * options.quick + "`"),
        ("started", time.strftime("%Y-%m-%d %H:%M UTC", started)),
        ("rounds", str(rounds)),
        ("seed of the order", str(seed)),
        *machine.lines(DIST, PROJECT, [memory]),
        *tools.versions({copier.tool for copier in copiers}, machine.said),
    ]
    blocks = [
        "# Memory, " + time.strftime("%Y-%m-%d", started),
        table(["what", "value"], [list(fact) for fact in facts]),
        "`summary.md` says how it went; `raw.csv` has every run.",
    ]
    (directory / "README.md").write_text(text(blocks))
    return directory


def hold(
    files: FileSet,
    memory: Ground,
    errors: Path,
    copiers: list[trees.Copier],
    rounds: int,
    shuffle: random.Random,
) -> list[Taken]:
    taken = []
    place = trees.made(files, memory)
    for number in range(1, rounds + 1):
        print(f"{files.title}: round {number} of {rounds}", file=sys.stderr)
        order = copiers.copy()
        shuffle.shuffle(order)
        for copier in order:
            place.renew()
            usage = once(copier, place.source, place.target, errors, files)
            taken.append(
                Taken(files.title, copier.name, number, usage.rss_kib, usage.wall_s)
            )
    memory.kept.clear()
    return taken


def once(
    copier: trees.Copier, source: Path, target: Path, errors: Path, files: FileSet
) -> Usage:
    usage = run(Plan([[Command(copier.command(source, target))]]), errors)
    found = sets.measured(target).entries
    if found != files.size.entries:
        raise Failed(
            f"{copier.name} made {found} entries, and not {files.size.entries}"
        )
    return usage


def write_raw(taken: list[Taken], path: Path) -> None:
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([each.name for each in fields(Taken)])
        for each in taken:
            *words, wall_s = astuple(each)
            writer.writerow([*words, f"{wall_s:.6f}"])


def summary(taken: list[Taken]) -> list[str]:
    """A row for each copier, a column for each set; the first set is 1.00."""
    titles = list(dict.fromkeys(each.files for each in taken))
    rows = []
    for copier in dict.fromkeys(each.copier for each in taken):
        cells, first = [copier], 0.0
        for title in titles:
            figures = Figures.of(
                [
                    each.rss_kib / KIB_PER_MIB
                    for each in taken
                    if (each.files, each.copier) == (title, copier)
                ]
            )
            first = first or figures.median
            cells.append(f"{figures.median:.0f} MiB; {figures.median / first:.2f}")
        rows.append(cells)
    return [
        "# Memory for a few files and for many",
        "The most that was resident at any time; medians, and their ratio to the first column. Of"
        " rsync it is the sum of what two of its processes took. What is below 24 MiB may be the"
        " memory of the script that started it.",
        table(["", *titles], sorted(rows), "lrrr"),
    ]
