"""Contests: things that do the same task, in turns."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from driver import machine
from driver.figures import Figures
from driver.ground import PAUSE_S, Ground
from driver.processes import Failed, Plan, run

STRATEGY_REFUSED = 10


@dataclass
class Place:
    """A source to read, and a target of the same name, in a folder that is new for each turn.

    @param versions how many there are of the target while it is written
    """

    ground: Ground
    source: Path
    size: int = 0
    entries: int = 1
    folder: Path = Path()
    versions: int = 1

    @property
    def name(self) -> str:
        return self.ground.name

    @property
    def target(self) -> Path:
        return self.folder / self.source.name

    def renew(self) -> None:
        self.folder = self.ground.new(self.size * self.versions, self.entries)


@dataclass(frozen=True)
class Contender:
    """Something that does a task. Only contenders with one task are compared.

    `headline` is zcp as a user would call it; `variant` is zcp otherwise. `lacks` says what others
    do and it does not; `copies` is false where there is no target to compare.
    """

    task: str
    name: str
    plan: Callable[[], Plan]
    headline: bool = False
    variant: bool = False
    lacks: str = ""
    copies: bool = True

    @property
    def tool(self) -> str:
        """The first word of its name, by which it is chosen."""
        return self.name.replace(",", " ").split()[0]

    @property
    def ours(self) -> bool:
        return self.headline or self.variant


@dataclass
class Run:
    """One line of raw.csv. Round 0 warms up and is not counted."""

    group: str
    place: str
    task: str
    contender: str
    round: int
    turn: int
    wall_s: float
    user_s: float
    system_s: float
    rss_kib: int
    steal: float
    load: float
    far_s: float = 0


def reason_to_leave_out(contender: Contender, number: int, failure: Failed) -> str:
    """Why the contest goes on without it; nothing where the failure is one of the benchmark.

    Names no path: it goes into the summary. Standard error has the whole message.
    """
    if contender.variant and failure.code == STRATEGY_REFUSED:
        return "refused there"
    if contender.ours or number > 0:
        return ""
    return f"{failure.brief}, when it was first tried"


@dataclass
class Contest:
    group: str
    title: str
    place: Place
    contenders: list[Contender]
    rounds: int
    heavy: bool
    left_out: list[str] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    limit_s: int = 0

    def choose(self, tools: set[str]) -> None:
        """Leaves out all but some tools."""
        self.contenders = [each for each in self.contenders if each.tool in tools]
        self.left_out.clear()

    def shorten(self) -> None:
        """Leaves out the variants, and of long rounds all but those a median needs."""
        self.contenders = [each for each in self.contenders if not each.variant]
        if self.heavy:
            self.rounds = min(self.rounds, 7)

    def hold(self, shuffle: random.Random, errors: Path) -> None:
        """All rounds, each with every contender once, in an order of its own."""
        for number in range(self.rounds + 1):
            what = f"round {number} of {self.rounds}" if number else "warm-up"
            print(f"{self.title}: {what}", file=sys.stderr, flush=True)
            order = self.contenders.copy()
            shuffle.shuffle(order)
            for turn, contender in enumerate(order):
                try:
                    self.runs.append(self.take_turn(contender, number, turn, errors))
                except Failed as failure:
                    reason = reason_to_leave_out(contender, number, failure)
                    if not reason:
                        raise
                    print(f"{self.title}: left out: {failure}", file=sys.stderr)
                    self.left_out.append(f"{self.title}: {contender.name}: {reason}")
                    self.contenders.remove(contender)

    def take_turn(
        self, contender: Contender, number: int, turn: int, errors: Path
    ) -> Run:
        self.place.renew()
        if self.heavy:
            # Write-back of one run must not fall into the next.
            os.sync()
            time.sleep(PAUSE_S)
        plan = contender.plan()
        before = machine.ticks()
        usage = run(plan, errors, self.limit_s)
        stolen = machine.steal(before, machine.ticks())
        self.check(contender, number)
        return Run(
            self.group,
            self.place.name,
            contender.task,
            contender.name,
            number,
            turn,
            **vars(usage),
            steal=stolen,
            load=os.getloadavg()[0],
        )

    def check(self, contender: Contender, number: int) -> None:
        """Whoever copies must have written the source's bytes, all of them and no more.

        @param number of the round
        """
        if contender.copies:
            if not self.place.target.exists():
                raise Failed(f"{contender.name} wrote nothing")
            result = subprocess.run(["cmp", "-s", self.place.source, self.place.target])
            if result.returncode != 0:
                raise Failed(f"{contender.name} wrote other bytes than it read")

    def tasks(self) -> list[str]:
        return list(dict.fromkeys(contender.task for contender in self.contenders))

    def of_task(self, task: str) -> list[Contender]:
        return [contender for contender in self.contenders if contender.task == task]

    def counted(self, contender: Contender) -> list[Run]:
        """The runs of a contender but for the warm-up."""
        key = (contender.task, contender.name)
        return [
            run for run in self.runs if run.round and (run.task, run.contender) == key
        ]

    def wall(self, contender: Contender) -> Figures:
        return Figures.of([run.wall_s for run in self.counted(contender)])
