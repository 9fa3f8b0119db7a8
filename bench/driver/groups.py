"""What is measured, and how well zcp is to do."""

from collections.abc import Callable
from dataclasses import dataclass

from driver import local, network, start
from driver.contest import Contest
from driver.lab import COPY, LISTENING, SMALL_SETS, START, ZCP_TREE, Lab

GROUPS: dict[str, Callable[[Lab], list[Contest]]] = {
    "copy": local.contests,
    "network": network.contests,
    "start": start.contests,
}


@dataclass(frozen=True)
class Aim:
    """In every contest of a group, `ours` takes at most `limit` of the time of `theirs`.

    @param place the only file system on which it is aimed at; empty where each is meant
    """

    group: str
    task: str
    ours: str
    theirs: str
    limit: float
    place: str = ""


AIMS = [
    Aim("copy", COPY, "zcp copy", "cp --reflink=auto", 1.1),
    Aim("network", LISTENING, "zcp", "nc, then cksum", 1.0),
    Aim("start", START, "zcp --version", "node -e 0", 0.5),
    Aim("start", START, "zcp --version", "bare main()", 1.5),
    # Of bench/trees.
    Aim("go", COPY, ZCP_TREE, "cp -a", 0.35),
    *(
        Aim(name, COPY, ZCP_TREE, rival, 1.0)
        for name in SMALL_SETS
        for rival in ("cpz", "fcp")
    ),
    Aim("one", COPY, ZCP_TREE, "cp -a", 0.85, place="ext4"),
    # Of bench/sessions; that no peer is faster is what its losses tell.
    *(
        Aim(f"loopback {name}", LISTENING, "zcp", rival, 1.1)
        for name in ("small", "large")
        for rival in ("C, sendfile into splice", "--verify=none")
    ),
]
