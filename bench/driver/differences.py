"""Files and trees that are there in a former version, by ssh between two namespaces."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from driver import sets
from driver.contest import Contender, Place, Run
from driver.daemons import Ssh, make_key
from driver.figures import Figures
from driver.ground import Ground, quietly
from driver.lab import LISTENING, Lab
from driver.processes import Plan
from driver.report import table
from driver.trees import TreeContest
from driver.ways import Way

ROUNDS = 5
ROUNDS_QUICK = 1

# Whole files take minutes over a slow way.
WHOLE = "--whole-file"

PLACE_BYTES = 4 << 10
INSERTED_BYTES = 64 << 10
TREE_FILE_BYTES = 2 << 20

# In each version.
ENTRIES_MAX = 50_000

FORMER_TIME_S = 1_700_000_000


@dataclass(frozen=True)
class Change:
    """@param make makes the former version and the new one, both of so many bytes
    @param options of `zcp sync`, each measured by itself, the one that counts first
    @param deletes whether what is surplus in the target goes
    @param rsync its options
    @param fast whether only over a way over which all of it goes in no time
    """

    name: str
    title: str
    size: int
    make: Callable[[Path, Path, int], None]
    options: tuple[str, ...] = ("--delta", WHOLE)
    deletes: bool = False
    rsync: tuple[str, ...] = ("--no-whole-file",)
    fast: bool = False

    def options_over(self, is_fast: bool) -> list[str]:
        return [option for option in self.options if is_fast or option != WHOLE]


def all_changes(quick: bool) -> list[Change]:
    gib = 64 << 20 if quick else 1 << 30
    return [
        Change("image", "an image with 200 places of 4 KiB changed", 4 * gib, image),
        Change("log", "a log with a tenth appended", gib, log),
        Change("archive", "an archive with 64 KiB inserted at its beginning", gib, archive),
        Change(
            "renamed",
            "a tree of files of 2 MiB, its top renamed",
            gib,
            renamed,
            deletes=True,
            rsync=("--no-whole-file", "--fuzzy", "--delete-after"),
            fast=True,
        ),
        Change("new", "a file of which nothing is there", gib // 4, new, fast=True),
        Change(
            "source",
            "the Go toolchain, of which nothing is there",
            gib // 2,
            source,
            options=("--compress=auto", "--compress=always"),
            rsync=("-z", "--compress-choice=zstd"),
        ),
        Change(
            "random",
            "a file that does not shrink, and nothing is there",
            gib // 16,
            shrinkless,
            options=("--compress=auto", "--compress=never"),
            rsync=(),
        ),
    ]


def image(former: Path, source: Path, size: int) -> None:
    sets.write_random(former, size)
    shutil.copyfile(former, source)
    places = 200
    with open(source, "r+b") as file:
        for number in range(places):
            # Spread evenly, and not at the same place of each stretch.
            stretch = size // places
            at = number * stretch + number * 7919 * PLACE_BYTES % (stretch - PLACE_BYTES)
            file.seek(at // PLACE_BYTES * PLACE_BYTES)
            file.write(os.urandom(PLACE_BYTES))


def log(former: Path, source: Path, size: int) -> None:
    sets.write_random(former, size)
    shutil.copyfile(former, source)
    with open(source, "ab") as file:
        for _ in range(size // 10 >> 20):
            file.write(os.urandom(1 << 20))


def archive(former: Path, source: Path, size: int) -> None:
    sets.write_random(former, size)
    with open(source, "wb") as file, open(former, "rb") as rest:
        file.write(os.urandom(INSERTED_BYTES))
        shutil.copyfileobj(rest, file, 1 << 20)


def renamed(former: Path, source: Path, size: int) -> None:
    top = former / "before"
    top.mkdir(parents=True)
    for number in range(size // TREE_FILE_BYTES):
        sets.write_random(top / str(number), TREE_FILE_BYTES)
    quietly(["cp", "-a", "-T", former, source])
    (source / "before").rename(source / "after")


def new(former: Path, source: Path, size: int) -> None:
    sets.write_random(former, size)
    sets.write_random(source, size)


def source(former: Path, source: Path, _: int) -> None:
    former.mkdir()
    sets.copier(sets.go_tree())(source)


def shrinkless(former: Path, source: Path, size: int) -> None:
    former.mkdir()
    source.mkdir()
    sets.write_random(source / "random", size)


@dataclass
class ChangeContest(TreeContest):
    """The target is there in its former version when a turn begins.

    @param wire what went over the way in each run, in bytes, both directions
    """

    former: Path = Path()
    way: Way | None = None
    wire: list[int] = field(default_factory=list)

    def take_turn(self, contender: Contender, number: int, turn: int, errors: Path) -> Run:
        def plan() -> Plan:
            quietly(["cp", "-a", "-T", self.former, self.place.target])
            self.before = carried(self.way)
            return contender.plan()

        prepared = Contender(**{**vars(contender), "plan": plan})
        run = super().take_turn(prepared, number, turn, errors)
        self.wire.append(carried(self.way) - self.before)
        return run

    def carried(self, contender: Contender) -> Figures:
        key = (contender.task, contender.name)
        return Figures.of(
            [
                count
                for run, count in zip(self.runs, self.wire, strict=True)
                if run.round and (run.task, run.contender) == key
            ]
        )


def carried(way: Way) -> int:
    """What has gone over a way so far, in bytes, headers among them: proc_pid_net(5)."""
    for line in (way.net / "dev").read_text().splitlines():
        device, _, counts = line.partition(":")
        if device.strip() == "far":
            figures = counts.split()
            return int(figures[0]) + int(figures[8])
    raise ValueError(f"{way.title} has no device")


@contextmanager
def made(change: Change, ground: Ground) -> Iterator[tuple[Path, Place]]:
    """Both versions, as long as they are needed: the former one, and the place of the new one."""
    folder = ground.new(2 * change.size, ENTRIES_MAX, keep=True)
    former, source = folder / "former", folder / "set"
    change.make(former, source, change.size)
    if former.is_file():
        # Who looks at seconds alone would take the two for the same.
        os.utime(former, (FORMER_TIME_S, FORMER_TIME_S))
    # A target is written beside its former version.
    yield former, Place(ground, source, sets.measured(source).bytes, versions=2)
    ground.kept.clear()
    ground.sweep()


def contest_of(
    change: Change, way: Way, lab: Lab, former: Path, place: Place, is_fast: bool
) -> ChangeContest:
    contest = ChangeContest(
        f"{way.title.split()[0]} {change.name}",
        f"{change.title}, {place.size >> 20} MiB, {way.title}",
        place,
        [],
        lab.rounds(ROUNDS, ROUNDS_QUICK),
        heavy=True,
        size=sets.measured(place.source),
        former=former,
        way=way,
    )
    folder = lab.scratch / way.name
    folder.mkdir(exist_ok=True)
    ssh = Ssh(folder, place, lab.zcp, way)
    make_key(folder / "host")
    make_key(folder / "user")
    for option in change.options_over(is_fast):
        headline = option == change.options[0]
        contest.contenders.append(
            Contender(
                LISTENING,
                "zcp sync" if headline else f"zcp sync {option}",
                lambda option=option: zcp(ssh, change, option),
                headline=headline,
                variant=not headline,
            )
        )
    if lab.has("rsync", contest):
        contest.contenders.append(Contender(LISTENING, "rsync", lambda: rsync(ssh, change)))
    return contest


def zcp(ssh: Ssh, change: Change, option: str) -> Plan:
    def command(to: int) -> list[str]:
        sync = [ssh.zcp, "sync", "-q", f"--ssh={ssh.shell(to)}"]
        sync += [f"--remote-command={ssh.zcp}", option]
        sync += ["--delete"] * change.deletes
        return [*sync, str(ssh.place.source), ssh.address(ssh.place.target)]

    return ssh.plan(command)


def rsync(ssh: Ssh, change: Change) -> Plan:
    content = "/" if ssh.place.source.is_dir() else ""

    def command(to: int) -> list[str]:
        sync = ["rsync", "-a", *change.rsync, "-e", ssh.shell(to)]
        target = ssh.address(ssh.place.target)
        return [*sync, f"{ssh.place.source}{content}", f"{target}{content}"]

    return ssh.plan(command)


def wire_table(contests: list[ChangeContest]) -> list[str]:
    """Blocks of the summary: what went over the way, and what all took at both ends."""
    blocks = ["## Bytes, processor time and memory"]
    for contest in contests:
        rows = []
        for contender in contest.contenders:
            runs = contest.counted(contender)
            cells = [
                f"{contest.carried(contender).median:,.0f}",
                f"{Figures.of([run.wall_s for run in runs]).median:.2f} s",
                f"{Figures.of([run.user_s + run.system_s for run in runs]).median:.2f} s",
                f"{Figures.of([run.rss_kib for run in runs]).median / 1024:.0f} MiB",
            ]
            rows.append([contender.name, *cells])
        heads = ["", "bytes, both directions", "time", "processor time", "memory of all"]
        blocks += [f"{contest.title}:", table(heads, rows, "lrrrr")]
    return blocks
