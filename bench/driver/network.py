"""One file over loopback, from one process to another."""

from driver import machine
from driver.contest import Contender, Contest, Place
from driver.lab import (
    COLD,
    LISTENING,
    NOTHING_BUT_BYTES_SENT,
    RATES,
    Lab,
    free_port,
)
from driver.daemons import Croc, Rclone, Rsync, Ssh
from driver.processes import Command, Plan

PAIRS = [
    *[(name, name) for name in "stream heap direct mmap transferTo splice".split()],
    ("transferTo", "direct"),
    ("transferTo", "splice"),
]

NO_FILE = "read a file; write a file"

# Its server leaves off when the client has sent everything, not when all is there:
# https://github.com/esnet/iperf/issues/798
CUT_SHORT = "always write the end of the file"


def contests(lab: Lab) -> list[Contest]:
    return [contest(lab, place) for place in lab.places]


def contest(lab: Lab, place: Place) -> Contest:
    contest = Contest(
        "network", f"network, {place.name}", place, [], lab.rounds(9, 3), heavy=True
    )
    add = contest.contenders.extend
    if lab.has("nc", contest):
        if "OpenBSD" in machine.said(["nc", "-h"]):
            add(netcats(place))
        else:
            contest.left_out.append(f"{contest.title}: nc, which is not OpenBSD's")
    folder = lab.scratch / place.name
    folder.mkdir(exist_ok=True)
    if lab.has("rsync", contest):
        add(Rsync(folder, place).contenders())
    if lab.has("scp", contest):
        add(Ssh(folder, place, lab.zcp).contenders())
    if lab.has("rclone", contest):
        add(Rclone(folder, place).contenders())
    if lab.has("croc", contest):
        add(Croc(folder, place).contenders())
    if lab.has_limits(contest):
        contest.contenders.append(limit(lab, place))
    add(pairs(lab, place))
    if lab.has("iperf3", contest):
        add(iperfs(place))
    return contest


def netcats(place: Place) -> list[Contender]:
    def netcat(task: str, check: str = "") -> Contender:
        def plan() -> Plan:
            port = free_port()
            source, target = str(place.source), str(place.target)
            address = ["127.0.0.1", str(port)]
            phases = [[Command(["nc", "-N", *address], stdin=source)]]
            if check:
                phases.append([Command([check, source]), Command([check, target])])
            server = Command(["nc", "-l", *address], stdout=target)
            return Plan(phases, server, port, cold=task == COLD)

        if check:
            lacks = NOTHING_BUT_BYTES_SENT.replace("verify; ", "")
            return Contender(task, f"nc, then {check}", plan, lacks=lacks)
        return Contender(task, "nc", plan, lacks=NOTHING_BUT_BYTES_SENT)

    return [
        netcat(LISTENING),
        netcat(LISTENING, "cksum"),
        netcat(COLD),
        netcat(COLD, "cksum"),
    ]


def limit(lab: Lab, place: Place) -> Contender:
    def plan() -> Plan:
        port = free_port()
        return Plan(
            [[Command([str(lab.limits / "send"), "127.0.0.1", str(port), str(place.source)])]],
            Command([str(lab.limits / "receive"), "127.0.0.1", str(port), str(place.target)]),
            port,
        )

    name = "C, sendfile into splice"
    return Contender(LISTENING, name, plan, lacks=NOTHING_BUT_BYTES_SENT)


def iperfs(place: Place) -> list[Contender]:
    def iperf(name: str, sender: list[str], files: bool = False) -> Contender:
        def plan() -> Plan:
            port = free_port()
            to = ["-c", "127.0.0.1", "-p", str(port), "-n", str(place.size)]
            listen = ["-s", "-1", "-B", "127.0.0.1", "-p", str(port)]
            if files:
                to += ["-F", str(place.source)]
                listen += ["-F", str(place.target)]
            client = Command(["iperf3", *to, *sender])
            return Plan([[client]], Command(["iperf3", *listen]), port)

        lacks = CUT_SHORT if files else NO_FILE
        return Contender(RATES, name, plan, lacks=lacks, copies=False)

    return [
        iperf("iperf3", []),
        iperf("iperf3 -Z", ["-Z"]),
        iperf("iperf3 -F", [], files=True),
    ]


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
        lacks = "encrypt"
        return Contender(task, name, plan, headline=auto, variant=not auto, lacks=lacks)

    return [pair(LISTENING), pair(COLD), *[pair(LISTENING, *names) for names in PAIRS]]
