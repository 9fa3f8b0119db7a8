"""What the ways to publish a new file cost, by `limits/publish.c`, on several file systems."""

import argparse
import csv
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from driver import ground, machine, setting, workshop
from driver.figures import Figures
from driver.ground import PAUSE_S, Ground
from driver.processes import Failed
from driver.report import bullets, table, text

WAYS = ["exclusive", "partial", "unnamed", "staged"]
SHAPES = [(1, 1), (1, 4), (1000, 1), (1000, 4)]

FILES = 50_000
FILES_QUICK = 2_000
ROUNDS = 7
ROUNDS_QUICK = 2

# In memory, which tells what the code costs without a disk.
LOOP_TYPES = ["ext4", "xfs", "btrfs"]
IMAGE_BYTES = 6 << 30

NS_PER_US = 1000


@dataclass(frozen=True)
class Turn:
    """One line of raw.csv. Round 0 warms up and is not counted."""

    place: str
    way: str
    folders: int
    threads: int
    round: int
    ns: int


def measure(options: argparse.Namespace, seed: int) -> Path:
    started = time.gmtime()
    shuffle = random.Random(seed)
    turns, left_out, said = [], [], []
    with ExitStack() as stack:
        tools = setting.new_folder(stack, options.memory)
        if not workshop.limits(tools):
            raise Failed("there is no C compiler")
        for name, place in places(options, stack, left_out):
            turns += hold(
                name, place, str(tools / "publish"), shuffle, options, left_out
            )
            said.append(f"{name}: {place.said}")
    directory = setting.output(options.quick, started)
    directory.mkdir(parents=True, exist_ok=True)
    write_raw(turns, directory / "raw.csv")
    blocks = summary(turns) + (
        ["## Left out", bullets(left_out)] if left_out else []
    )
    (directory / "summary.md").write_text(text(blocks))
    (directory / "README.md").write_text(text(readme(options, started, seed, said)))
    return directory


def places(
    options: argparse.Namespace, stack: ExitStack, left_out: list[str]
) -> Iterator[tuple[str, Ground]]:
    """The two that are given, and file systems in a file in memory, one after the other."""
    for each in ground.of(options, stack):
        yield each.name, each
    if os.geteuid() != 0:
        left_out.append("file systems in memory: only root may mount")
        return
    home = setting.new_folder(stack, options.memory)
    for kind in LOOP_TYPES:
        try:
            with ground.mounted(kind, home, IMAGE_BYTES) as made:
                yield f"{kind} in memory", made
        except Failed as failure:
            left_out.append(f"{kind} in memory: {failure.brief}")


def hold(
    name: str,
    place: Ground,
    program: str,
    shuffle: random.Random,
    options: argparse.Namespace,
    left_out: list[str],
) -> list[Turn]:
    """All rounds in one place, each with every way and shape once, in an order of its own."""
    turns = []
    files = FILES_QUICK if options.quick else FILES
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    cells = [(way, folders, threads) for way in WAYS for folders, threads in SHAPES]
    for number in range(rounds + 1):
        what = f"round {number} of {rounds}" if number else "warm-up"
        print(f"publish, {name}: {what}", file=sys.stderr, flush=True)
        shuffle.shuffle(cells)
        for cell in cells.copy():
            try:
                ns = once(place, program, files, *cell)
            except Failed as failure:
                if number:
                    raise
                left_out.append(f"{name}: {' '.join(map(str, cell))}: {failure.brief}")
                cells.remove(cell)
                continue
            turns.append(Turn(name, *cell, number, ns))
    return turns


def once(
    place: Ground, program: str, files: int, way: str, folders: int, threads: int
) -> int:
    folder = place.new(0, files + folders)
    os.sync()
    time.sleep(PAUSE_S)
    argv = [program, folder, way, str(files), str(folders), str(threads)]
    ended = subprocess.run(argv, text=True, stdout=-1, stderr=-1)
    found = sum(len(names) for _, _, names in os.walk(folder))
    if ended.returncode != 0:
        reason = ended.stderr.strip().rpartition(": ")[2]
        raise Failed(ended.stderr, ended.returncode, reason)
    if found != files:
        raise Failed(f"{way} made {found} files, and not {files}")
    return int(ended.stdout)


def write_raw(turns: list[Turn], path: Path) -> None:
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([each.name for each in fields(Turn)])
        writer.writerows(astuple(turn) for turn in turns)


def summary(turns: list[Turn]) -> list[str]:
    """A table for each place: a row for each shape, a column for each way."""
    blocks = [
        "# Ways to publish a file of 1 KiB",
        "Medians in microseconds a file, and in brackets the smallest; the first of a row is 1.00.",
    ]
    for place in dict.fromkeys(turn.place for turn in turns):
        rows = [row(turns, place, folders, threads) for folders, threads in SHAPES]
        heads = ["directories", "threads", *WAYS]
        blocks += [f"## {place}", table(heads, rows, "rrrrrr")]
    return blocks


def row(turns: list[Turn], place: str, folders: int, threads: int) -> list[str]:
    cells, first = [str(folders), str(threads)], 0.0
    for way in WAYS:
        ns = [
            turn.ns
            for turn in turns
            if turn.round
            and (turn.place, turn.way) == (place, way)
            and (turn.folders, turn.threads) == (folders, threads)
        ]
        if not ns:
            cells.append("-")
            continue
        figures = Figures.of([float(value) for value in ns])
        first = first or figures.median
        cells.append(
            f"{figures.median / NS_PER_US:.1f} ({figures.minimum / NS_PER_US:.1f});"
            f" {figures.median / first:.2f}"
        )
    return cells


def readme(
    options: argparse.Namespace, started: time.struct_time, seed: int, said: list[str]
) -> list[str]:
    quick = " --quick" if options.quick else ""
    facts = [
        ("command", f"`bench/trees --publish{quick}`"),
        ("started", time.strftime("%Y-%m-%d %H:%M UTC", started)),
        ("files of a run", str(FILES_QUICK if options.quick else FILES)),
        ("rounds", str(ROUNDS_QUICK if options.quick else ROUNDS)),
        ("seed of the order", str(seed)),
        ("file systems", ". ".join(said)),
        *machine.host(),
    ]
    return [
        "# Publishing, " + time.strftime("%Y-%m-%d", started),
        table(["what", "value"], [list(fact) for fact in facts]),
        "`summary.md` says how it went; `raw.csv` has every run, those of round 0 among them, which"
        " warm up and are not counted. `bench/limits/publish.c` says what each way is.",
    ]
