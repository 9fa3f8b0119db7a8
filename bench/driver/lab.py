"""What contests are held with, and the words they share."""

import socket
from dataclasses import dataclass, field
from pathlib import Path

from driver.contest import Contest, Place

FILE_BYTES = 1 << 30
SMALL_FILE_BYTES = 1 << 10

COPY = "copy"
LISTENING = "receiver listening"
COLD = "receiver's start on the clock"
RATES = "limits that are no copy"
START = "start and end"
SMALL_COPY = "copy of 1 KiB"

# Of trees: zcp as a user would call it, and the sets of many small files, in which it aims at those
# that keep less.
ZCP_TREE = "zcp copy -a"
SMALL_SETS = ["flat", "wide"]

# What a contender does not do. To verify is to compare digests, of what was read and of what was
# received or written; whether it has reached the disk, none of them asks.
NOTHING_BUT_BYTES = "verify; keep mode and times"
NOTHING_BUT_BYTES_SENT = "verify; encrypt; keep mode and times"


@dataclass
class Lab:
    """What the contests are held with.

    @param bare the command of a bare main(), or nothing where there is no JDK to compile it
    @param limits where the C programs are, or nothing where there is no compiler
    @param scratch a folder for settings and keys
    @param floor the command of the floor of a session, or nothing where there is no JDK for it
    @param editions other builds of zcp, by their names
    @param absent the tools that are not there, each with the reason
    """

    zcp: str
    limits: Path | None
    scratch: Path
    absent: dict[str, str]
    quick: bool
    bare: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    small: Place | None = None
    floor: list[str] = field(default_factory=list)
    editions: dict[str, str] = field(default_factory=dict)

    def rounds(self, usual: int, quick: int) -> int:
        return quick if self.quick else usual

    def has(self, tool: str, contest: Contest) -> bool:
        """Whether a tool is there; where it is not, the contest says so."""
        if tool in self.absent:
            contest.left_out.append(f"{contest.title}: {tool}: {self.absent[tool]}")
        return tool not in self.absent

    def has_limits(self, contest: Contest) -> bool:
        if not self.limits:
            contest.left_out.append(f"{contest.title}: C: no compiler")
        return self.limits is not None


def free_port() -> int:
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on, no two of them the same."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
