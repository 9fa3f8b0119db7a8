"""The start of a program, and a copy that is hardly more than that."""

import os
import shutil

from driver.contest import Contender, Contest
from driver.lab import SMALL_COPY, START, Lab
from driver.processes import Command, Plan


def contests(lab: Lab) -> list[Contest]:
    place = lab.small

    def starter(task: str, name: str, *argv: str, headline: bool = False) -> Contender:
        copies = task == SMALL_COPY

        def plan() -> Plan:
            files = [str(place.source), str(place.target)] if copies else []
            return Plan([[Command([*argv, *files])]])

        return Contender(task, name, plan, headline, copies=copies)

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
    contest.contenders += [
        starter(START, "cp --version", "cp", "--version"),
        starter(START, "zcp --version", lab.zcp, "--version", headline=True),
        starter(SMALL_COPY, "cp", "cp"),
        starter(SMALL_COPY, "zcp copy", lab.zcp, "copy", "-q", headline=True),
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
