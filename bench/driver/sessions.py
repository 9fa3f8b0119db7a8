"""Files and trees from one process to another, over every kind of way."""

import secrets
import shlex
from dataclasses import replace
from pathlib import Path

from driver import machine, sets
from driver.contest import Contender, Contest, Place
from driver.daemons import Croc, Rclone, Rsync, Ssh
from driver.figures import Figures
from driver.ground import Ground
from driver.keys import new_key
from driver.lab import (
    LISTENING,
    NOTHING_BUT_BYTES_SENT,
    Lab,
)
from driver.processes import Plan
from driver.report import table
from driver.sets import FileSet, Size
from driver.trees import TreeContest, made
from driver.ways import LOOPBACK, Way

ROUNDS = 7
ROUNDS_QUICK = 2

# Of a quick run, in which nothing that works takes long.
RUN_LIMIT_QUICK_S = 20

CONNECTIONS = (1, 2, 4)

# Of a listener that has served before: what it runs of its own is compiled by then.
REHEARSALS = 3

C = "C, sendfile into splice"

# FDT is in no registry of packages, and its builds were not to be had where this was written.
NOT_TRIED = "FDT: not installed by bench/peers --setup, which has no source of it"


def all_sets(tree: Path | None, quick: bool) -> list[FileSet]:
    """@param tree what stands for many files of all sizes; nothing where there is none"""
    sizes = {"small": 16 << 20, "large": 64 << 20} if quick else {}
    files, folders = (500, 5) if quick else (50_000, 500)
    chosen = []
    for name, usual in (("tiny", 1 << 10), ("small", 1 << 30), ("large", 4 << 30)):
        size = sizes.get(name, usual)
        chosen.append(
            FileSet(
                name,
                f"one file of {f'{size >> 20} MiB' if size >> 20 else f'{size} bytes'}",
                Size(1, size),
                lambda place, size=size: sets.write_random(place, size),
            )
        )
    if tree:
        title = "the tree that was given"
        chosen.append(FileSet("tree", title, sets.measured(tree), sets.copier(tree)))
    chosen.append(
        FileSet(
            "files",
            f"{files} files of 1 KiB in {folders} directories",
            sets.evenly(files, folders, sets.SMALL_BYTES),
            lambda place: sets.sow(place, files, folders, sets.SMALL_BYTES),
        )
    )
    return chosen


def hold(
    files: FileSet, ways: list[Way], lab: Lab, ground: Ground, take: object
) -> list[TreeContest]:
    """Makes a set, and has a contest over each way."""
    place = made(files, ground)
    held = [contest_of(files, way, lab, place) for way in ways]
    for contest in held:
        take(contest)
    ground.kept.clear()
    return held


def contest_of(files: FileSet, way: Way, lab: Lab, place: Place) -> TreeContest:
    contest = TreeContest(
        f"{way.name} {files.name}",
        f"{files.title}, {way.title}, {place.name}",
        place,
        [],
        lab.rounds(ROUNDS, ROUNDS_QUICK),
        heavy=True,
        size=sets.measured(place.source),
        limit_s=RUN_LIMIT_QUICK_S if lab.quick else 0,
    )
    folder = lab.scratch / way.name
    folder.mkdir(exist_ok=True)
    one = not place.source.is_dir()
    add = contest.contenders.extend
    if lab.has("nc", contest):
        if "OpenBSD" in machine.said(["nc", "-h"]):
            add(netcats(place, way) if one else tars(place, way))
        else:
            contest.left_out.append(f"{contest.title}: nc, which is not OpenBSD's")
    if lab.has("rsync", contest):
        add(Rsync(folder, place, way).contenders())
    if lab.has("scp", contest):
        add(Ssh(folder, place, lab.zcp, way).contenders())
    if lab.has("rclone", contest):
        add(Rclone(folder, place, way).contenders())
    if lab.has("croc", contest):
        if way == LOOPBACK:
            add(Croc(folder, place).contenders())
        else:
            contest.left_out.append(f"{contest.title}: croc: on loopback only")
    if one and lab.has_limits(contest):
        contest.contenders.append(limit(lab, place, way))
    if not one and lab.floor:
        contest.contenders.append(floor(lab, place, way))
    add(ours(lab, place, way))
    if not one:
        place.versions = 1 + REHEARSALS
        contest.contenders.append(served(lab, place, way))
    for name, other in lab.editions.items():
        contest.contenders.append(zcp(other, place, way, name, "encrypt"))
    return contest


def netcats(place: Place, way: Way) -> list[Contender]:
    def netcat(check: str = "") -> Contender:
        def plan() -> Plan:
            port, to = way.port_pair()
            source, target = str(place.source), str(place.target)
            send = way.sender(["nc", "-N", way.host, str(to)], stdin=source)
            phases = [[send]]
            if check:
                both = way.sender([check, source]), way.receiver([check, target])
                phases.append([*both])
            listen = ["nc", "-l", way.listen, str(port)]
            server = way.receiver(listen, stdout=target)
            return Plan(phases, server, port, net=way.net)

        if check:
            lacks = NOTHING_BUT_BYTES_SENT.replace("verify; ", "")
            return Contender(LISTENING, f"nc, then {check}", plan, lacks=lacks)
        return Contender(LISTENING, "nc", plan, lacks=NOTHING_BUT_BYTES_SENT)

    return [netcat(), netcat("cksum")]


def tars(place: Place, way: Way) -> list[Contender]:
    """A tree has no digests to compare, so nothing comes after it."""

    def plan() -> Plan:
        port, to = way.port_pair()
        give = shlex.join(["tar", "-C", str(place.source.parent), "-c", place.source.name])
        take = shlex.join(["tar", "-C", str(place.target.parent), "-x", "-p"])
        send = f"{give} | nc -N {way.host} {to}"
        listen = f"nc -l {way.listen} {port} | {take}"
        return Plan(
            [[way.sender(["sh", "-c", send])]],
            way.receiver(["sh", "-c", listen]),
            port,
            net=way.net,
        )

    return [Contender(LISTENING, "nc with tar", plan, lacks="verify; encrypt")]


def limit(lab: Lab, place: Place, way: Way) -> Contender:
    def plan() -> Plan:
        port, to = way.port_pair()
        send, receive = str(lab.limits / "send"), str(lab.limits / "receive")
        return Plan(
            [[way.sender([send, way.host, str(to), str(place.source)])]],
            way.receiver([receive, way.listen, str(port), str(place.target)]),
            port,
            net=way.net,
        )

    return Contender(LISTENING, C, plan, lacks=NOTHING_BUT_BYTES_SENT)


def floor(lab: Lab, place: Place, way: Way) -> Contender:
    def plan() -> Plan:
        port, to = way.port_pair()
        send = [*lab.floor, "send", way.host, str(to), str(place.source)]
        receive = [*lab.floor, "receive", way.listen, str(port), str(place.target.parent)]
        return Plan([[way.sender(send)]], way.receiver(receive), port, net=way.net)

    lacks = "keep modes, owners and links; encrypt; resume"
    return Contender(LISTENING, "floor in Java", plan, lacks=lacks)


def ours(lab: Lab, place: Place, way: Way) -> list[Contender]:
    def variant(option: str, lacks: str = "encrypt") -> Contender:
        return zcp(lab.zcp, place, way, option, lacks, option)

    return [
        zcp(lab.zcp, place, way, "zcp", "encrypt", headline=True),
        zcp(lab.zcp, place, way, "zcp by TLS", "", "--tls", headline=True),
        variant("--verify=none", "verify; encrypt"),
        variant("--verify=readback"),
        *(variant(f"--connections={count}") for count in CONNECTIONS),
    ]


def served(lab: Lab, place: Place, way: Way) -> Contender:
    """zcp as it is used if a listener stays: the receiver is no new process."""
    first = zcp(lab.zcp, place, way, "", "")

    def forget() -> None:
        place.target.rename(place.folder / f"rehearsal-{secrets.token_hex(4)}")

    def plan() -> Plan:
        made = first.plan()
        argv = [word for word in made.server.argv if word != "--once"]
        daemon = replace(made.server, argv=argv)
        return replace(
            made, server=None, daemon=daemon, rehearsals=REHEARSALS, forget=forget
        )

    name = f"zcp, session {1 + REHEARSALS} of a listener"
    return Contender(LISTENING, name, plan, headline=True, lacks="encrypt")


def zcp(
    program: str,
    place: Place,
    way: Way,
    name: str,
    lacks: str,
    *options: str,
    headline: bool = False,
) -> Contender:
    key = {"ZCP_KEY": new_key()[1]}
    # What is no loopback goes unencrypted only if both ends say so.
    by = ["--tls"] if "--tls" in options else [] if way == LOOPBACK else ["--plain"]
    more = [option for option in options if option != "--tls"]

    def plan() -> Plan:
        port, to = way.port_pair()
        send = [program, "send", "-a", "-q", *by, *more, f"{way.host}:{to}"]
        receive = [program, "receive", "-q", "--once", "--accept=all", *by]
        listen = f"--listen={way.listen}:{port}"
        return Plan(
            [[way.sender([*send, str(place.source)], settings=key)]],
            way.receiver([*receive, listen, str(place.target.parent)], settings=key),
            port,
            net=way.net,
        )

    return Contender(
        LISTENING, name, plan, headline=headline, variant=not headline, lacks=lacks
    )


def sides_table(
    contests: list[Contest], near: str = "sender", far: str = "receiver"
) -> list[str]:
    """Blocks of the summary: what each side's processors did for a GiB, and how fast it went."""
    blocks = ["## Processor time of each side"]
    for contest in contests:
        gib = contest.place.size / 2**30
        rows = []
        for contender in contest.contenders:
            runs = contest.counted(contender)
            far_s = Figures.of([run.far_s for run in runs]).median
            near_s = Figures.of([run.user_s + run.system_s - run.far_s for run in runs])
            rate = contest.place.size / contest.wall(contender).median
            cells = [f"{near_s.median / gib:.2f} s", f"{far_s / gib:.2f} s", f"{rate:,.0f}"]
            rows.append([contender.name, *cells])
        heads = ["", f"{near}, for a GiB", f"{far}, for a GiB", "bytes a second"]
        blocks += [f"{contest.title}:", table(heads, rows, "lrrr")]
    return blocks
