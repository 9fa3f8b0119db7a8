"""A copy of one file on one machine."""

from driver.contest import Contender, Contest, Place
from driver.fio import rates
from driver.lab import COPY, NOTHING_BUT_BYTES, Lab
from driver.processes import Command, Plan

STRATEGIES = "stream heap direct mmap transferTo copyFileRange splice reflink".split()

MODE_ONLY = "verify; keep times"

# Each with its arguments before source and target, and with what it does not do.
PEERS = [
    ("rsync", "rsync -a", ["rsync", "-a", "--whole-file"], ""),
    ("xcp", "xcp", ["xcp", "--no-progress"], "verify"),
    (
        "xcp",
        "xcp --driver=parblock",
        ["xcp", "--no-progress", "--driver=parblock"],
        "verify",
    ),
    ("fcp", "fcp", ["fcp"], MODE_ONLY),
    ("cpz", "cpz", ["cpz"], MODE_ONLY),
    ("rclone", "rclone copyto", ["rclone", "--config=", "copyto"], "keep mode"),
]

LIMITS = {
    "copy-rw": "C, read and write by 1 MiB",
    "copy-range": "C, copy_file_range",
    "copy-splice": "C, splice by a pipe of 1 MiB",
    "copy-sendfile": "C, sendfile",
}


def contests(lab: Lab) -> list[Contest]:
    return [contest(lab, place) for place in lab.places]


def contest(lab: Lab, place: Place) -> Contest:
    rounds = lab.rounds(9, 3)
    contest = Contest("copy", f"copy, {place.name}", place, [], rounds, heavy=True)

    def copier(name: str, argv: list[str], lacks: str, **kind: bool) -> Contender:
        def plan() -> Plan:
            return Plan([[Command([*argv, str(place.source), str(place.target)])]])

        return Contender(COPY, name, plan, lacks=lacks, **kind)

    contest.contenders += [
        copier("cp --reflink=auto", ["cp", "--reflink=auto"], MODE_ONLY),
        copier("cp --reflink=never", ["cp", "--reflink=never"], MODE_ONLY),
        *system_copiers(place),
    ]
    for tool, name, argv, lacks in PEERS:
        if lab.has(tool, contest):
            contest.contenders.append(copier(name, argv, lacks))
    if lab.has_limits(contest):
        for program, name in LIMITS.items():
            argv = [str(lab.limits / program)]
            contest.contenders.append(copier(name, argv, NOTHING_BUT_BYTES))
    copy = [lab.zcp, "copy", "-q"]
    contest.contenders.append(copier("zcp copy", copy, MODE_ONLY, headline=True))
    contest.contenders += [
        copier(name, [*copy, f"--strategy={name}"], MODE_ONLY, variant=True)
        for name in STRATEGIES
    ]
    if lab.has("fio", contest):
        contest.contenders += rates(place, lab.scratch)
    return contest


def system_copiers(place: Place) -> list[Contender]:
    """Those with arguments of their own kind."""

    def dd() -> Plan:
        files = [f"if={place.source}", f"of={place.target}"]
        return Plan([[Command(["dd", *files, "bs=1M", "status=none"])]])

    def cat() -> Plan:
        return Plan([[Command(["cat", str(place.source)], stdout=str(place.target))]])

    return [
        Contender(COPY, "dd bs=1M", dd, lacks=NOTHING_BUT_BYTES),
        Contender(COPY, "cat >", cat, lacks=NOTHING_BUT_BYTES),
    ]
