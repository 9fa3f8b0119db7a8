"""The rates that the same file and device have when nothing is copied, as fio finds them."""

import json
from pathlib import Path

from driver.contest import Contender, Place
from driver.lab import RATES
from driver.processes import Command, Failed, Plan

NS_PER_S = 1_000_000_000


def rates(place: Place, scratch: Path) -> list[Contender]:
    """Through the page cache, and past it where that is more than a word: a tmpfs is memory."""
    contenders = [
        rate(place, scratch, kind, direct=False) for kind in ("read", "write")
    ]
    if place.name != "tmpfs":
        contenders += [
            rate(place, scratch, kind, direct=True) for kind in ("read", "write")
        ]
    return contenders


def rate(place: Place, scratch: Path, kind: str, direct: bool) -> Contender:
    report = scratch / "fio.json"
    name = f"fio {kind}, {'past' if direct else 'through'} the page cache"

    def plan() -> Plan:
        argv = [*settings, f"--filename={place.source if kind == 'read' else place.target}"]
        return Plan([[Command(argv)]], own_clock=lambda: seconds(report, kind, place.size))

    settings = [
        "fio",
        "--name=rate",
        f"--rw={kind}",
        f"--size={place.size}",
        f"--direct={int(direct)}",
        "--bs=1M",
        "--ioengine=psync",
        "--thread",
        # As a copy finds it: the source in the page cache, the target without blocks.
        "--invalidate=0",
        "--fallocate=none",
        "--output-format=json",
        f"--output={report}",
    ]
    if kind == "read":
        settings.append("--readonly")
    lacks = f"{'write' if kind == 'read' else 'read'}; its own clock"
    return Contender(RATES, name, plan, lacks=lacks, copies=False)


def seconds(report: Path, kind: str, size: int) -> float:
    """How long the calls took, without the third of a second in which fio starts and ends.

    `runtime` would be whole milliseconds.
    """
    (job,) = json.loads(report.read_text())["jobs"]
    figures = job[kind]
    if figures["io_bytes"] != size or job["error"] != 0:
        raise Failed(f"fio {kind} moved {figures['io_bytes']} of {size} bytes")
    return figures["total_ios"] * figures["lat_ns"]["mean"] / NS_PER_S
