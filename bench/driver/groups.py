"""What is measured: who does which task, and how well zcp is to do."""

import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from driver import machine
from driver.contest import Contender, Contest, Place
from driver.processes import Command, Plan

FILE_BYTES = 1 << 30
SMALL_FILE_BYTES = 1 << 10

STRATEGIES = "stream heap direct mmap transferTo copyFileRange splice reflink".split()
PAIRS = [
    *[(name, name) for name in "stream heap direct mmap transferTo splice".split()],
    ("transferTo", "direct"),
    ("transferTo", "splice"),
]

COPY = "copy"
LISTENING = "receiver listening"
COLD = "receiver's start on the clock"
START = "start and end"
SMALL_COPY = "copy of 1 KiB"


@dataclass(frozen=True)
class Aim:
    """In every contest of a group, `ours` takes at most `limit` of the time of `theirs`."""

    group: str
    task: str
    ours: str
    theirs: str
    limit: float


AIMS = [
    Aim("copy", COPY, "zcp copy", "cp --reflink=auto", 1.1),
    Aim("network", LISTENING, "zcp", "nc, then cksum", 1.0),
    Aim("start", START, "zcp --version", "node -e 0", 0.5),
    Aim("start", START, "zcp --version", "bare main()", 1.5),
]


@dataclass
class Lab:
    """What the contests are held with.

    @param bare the command of a bare main(), or nothing where there is no JDK to compile it
    @param limits where the C programs are, or nothing where there is no compiler
    """

    zcp: str
    bare: list[str]
    limits: Path | None
    places: list[Place]
    small: Place
    quick: bool

    def rounds(self, usual: int, quick: int) -> int:
        return quick if self.quick else usual


def copy(lab: Lab) -> list[Contest]:
    return [
        Contest(
            "copy",
            f"copy, {place.name}",
            place,
            copiers(lab, place),
            lab.rounds(9, 3),
            True,
        )
        for place in lab.places
    ]


def copiers(lab: Lab, place: Place) -> list[Contender]:
    files = [str(place.source), str(place.target)]

    def copier(name: str, *argv: str, **kind: bool) -> Contender:
        return Contender(COPY, name, lambda: Plan([[Command([*argv, *files])]]), **kind)

    return [
        copier("cp --reflink=auto", "cp", "--reflink=auto"),
        copier("cp --reflink=never", "cp", "--reflink=never"),
        copier("zcp copy", lab.zcp, "copy", "-q", headline=True),
        *[
            copier(name, lab.zcp, "copy", "-q", f"--strategy={name}", variant=True)
            for name in STRATEGIES
        ],
    ]


def network(lab: Lab) -> list[Contest]:
    contests = []
    for place in lab.places:
        contest = Contest(
            "network", f"network, {place.name}", place, [], lab.rounds(9, 3), heavy=True
        )
        if "OpenBSD" in machine.said(["nc", "-h"]):
            contest.contenders += netcats(place)
        else:
            contest.left_out.append(f"{contest.title}: nc, which is not OpenBSD's")
        if lab.limits:
            contest.contenders.append(limit(lab.limits, place))
        else:
            contest.left_out.append(f"{contest.title}: C, for want of a compiler")
        contest.contenders += pairs(lab, place)
        contests.append(contest)
    return contests


def netcats(place: Place) -> list[Contender]:
    source, target = str(place.source), str(place.target)

    def netcat(task: str, check: str = "") -> Contender:
        def plan() -> Plan:
            port = free_port()
            address = ["127.0.0.1", str(port)]
            phases = [[Command(["nc", "-N", *address], stdin=source)]]
            if check:
                phases.append([Command([check, source]), Command([check, target])])
            server = Command(["nc", "-l", *address], stdout=target)
            return Plan(phases, server, port, cold=task == COLD)

        return Contender(task, f"nc, then {check}" if check else "nc", plan)

    return [
        netcat(LISTENING),
        netcat(LISTENING, "cksum"),
        netcat(COLD),
        netcat(COLD, "cksum"),
    ]


def limit(programs: Path, place: Place) -> Contender:
    def plan() -> Plan:
        port = free_port()
        return Plan(
            [[Command([str(programs / "send"), str(port), str(place.source)])]],
            Command([str(programs / "receive"), str(port), str(place.target)]),
            port,
        )

    return Contender(LISTENING, "C, sendfile into splice", plan)


def pairs(lab: Lab, place: Place) -> list[Contender]:
    def pair(task: str, sender: str = "auto", receiver: str = "auto") -> Contender:
        def plan() -> Plan:
            port = free_port()
            address = f"127.0.0.1:{port}"
            send = ["send", "-q", f"--strategy={sender}", address, str(place.source)]
            receive = [
                "receive",
                "-q",
                "--once",
                f"--listen={address}",
                f"--strategy={receiver}",
            ]
            return Plan(
                [[Command([lab.zcp, *send])]],
                Command([lab.zcp, *receive, str(place.target.parent)]),
                port,
                cold=task == COLD,
            )

        auto = sender == receiver == "auto"
        name = "zcp" if auto else f"{sender} into {receiver}"
        return Contender(task, name, plan, headline=auto, variant=not auto)

    return [pair(LISTENING), pair(COLD), *[pair(LISTENING, *names) for names in PAIRS]]


def start(lab: Lab) -> list[Contest]:
    place = lab.small

    def starter(task: str, name: str, *argv: str, headline: bool = False) -> Contender:
        return Contender(task, name, lambda: Plan([[Command([*argv])]]), headline)

    contest = Contest("start", "start", place, [], lab.rounds(41, 5), heavy=False)
    if lab.bare:
        contest.contenders.append(starter(START, "bare main()", *lab.bare))
    else:
        contest.left_out.append("start: bare main(), for want of a JDK 25")
    if shutil.which("node"):
        contest.contenders.append(starter(START, "node -e 0", "node", "-e", "0"))
    else:
        contest.left_out.append("start: node, which is not there")
    for name, python in pythons().items():
        contest.contenders.append(starter(START, name, python, "-c", "pass"))
    files = [str(place.source), str(place.target)]
    contest.contenders += [
        starter(START, "cp --version", "cp", "--version"),
        starter(START, "zcp --version", lab.zcp, "--version", headline=True),
        starter(SMALL_COPY, "cp", "cp", *files),
        starter(SMALL_COPY, "zcp copy", lab.zcp, "copy", "-q", *files, headline=True),
    ]
    return [contest]


def pythons() -> dict[str, str]:
    """The system's Python, and the first one on the PATH where that is another."""
    system = "/usr/bin/python3"
    first = shutil.which("python3")
    found = {f"{system} -c pass": system} if os.access(system, os.X_OK) else {}
    if first and os.path.realpath(first) != os.path.realpath(system):
        found["python3 of the PATH -c pass"] = first
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


GROUPS: dict[str, Callable[[Lab], list[Contest]]] = {
    "copy": copy,
    "network": network,
    "start": start,
}
