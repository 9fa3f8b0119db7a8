"""Writes what was measured: raw.csv, summary.md and README.md of one benchmark."""

import csv
from dataclasses import dataclass, field, fields
from pathlib import Path

from driver.contest import Contender, Contest, Run
from driver.figures import SPREAD_MAX, Figures, Ratio
from driver.groups import AIMS, Aim

STEAL_MAX = 0.01

# Less is not told from nothing.
CPU_S_MIN = 1e-4
RATED_BYTES_MIN = 1 << 20


@dataclass(frozen=True)
class Benchmark:
    """All that there is to tell."""

    command: str
    seed: int
    quick: bool
    started: str
    facts: list[tuple[str, str]]
    contests: list[Contest]
    remarks: list[str] = field(default_factory=list)


def write(benchmark: Benchmark, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    write_raw(benchmark.contests, directory / "raw.csv")
    (directory / "summary.md").write_text(text(summary(benchmark)))
    (directory / "README.md").write_text(text(readme(benchmark)))


def text(blocks: list[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def write_raw(contests: list[Contest], path: Path) -> None:
    names = [each.name for each in fields(Run)]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for contest in contests:
            for run in contest.runs:
                writer.writerow([plain(getattr(run, name)) for name in names])


def plain(value: object) -> object:
    return f"{value:.6f}" if isinstance(value, float) else value


def summary(benchmark: Benchmark) -> list[str]:
    contests = benchmark.contests
    blocks = ["# Summary"]
    if any(aim.group == contest.group for aim in AIMS for contest in contests):
        blocks += ["## Aims", aims(contests)]
    blocks += ["## Losses", bullets(losses(contests)) or "None."]
    blocks += ["## Noise", noise(contests)]
    left_out = [line for contest in contests for line in contest.left_out]
    if left_out:
        blocks += ["## Left out", bullets(left_out)]
    blocks += benchmark.remarks
    for contest in contests:
        for task in contest.tasks():
            blocks += [f"## {contest.title}: {task}", standings(contest, task)]
    return blocks


def readme(benchmark: Benchmark) -> list[str]:
    rounds = {contest.group: contest.rounds for contest in benchmark.contests}
    sizes = sorted({each.place.size >> 20 for each in benchmark.contests} - {0})
    facts = [
        ("command", f"`{benchmark.command}`"),
        ("started", benchmark.started),
        ("bytes to copy", ", ".join(f"{size} MiB" for size in sizes) or "1 KiB"),
        ("rounds", ", ".join(f"{group} {count}" for group, count in rounds.items())),
        ("seed of the order", str(benchmark.seed)),
        *benchmark.facts,
    ]
    blocks = [
        "# Benchmark of " + benchmark.started.split()[0],
        table(["what", "value"], [list(fact) for fact in facts]),
        "`summary.md` says how it went, losses first; `raw.csv` has every run, those of round 0 "
        "among them, which warm up and are not counted. Method and terms: `bench/README.md`.",
    ]
    if benchmark.quick:
        blocks.insert(
            1, "**A quick run: enough to see that all works, not to say how fast.**"
        )
    return blocks


def aims(contests: list[Contest]) -> str:
    rows = []
    for aim in AIMS:
        for contest in contests:
            if contest.group == aim.group and aim.place in ("", contest.place.name):
                rows.append(aim_row(aim, contest))
    heads = ["contest", "zcp", "against", "aim", "ratio", "by minima", "verdict"]
    return table(heads, rows, "lllrrrl")


def aim_row(aim: Aim, contest: Contest) -> list[str]:
    named = {contender.name: contender for contender in contest.of_task(aim.task)}
    row = [f"{contest.title}: {aim.task}", aim.ours, aim.theirs, f"{aim.limit:.2f}"]
    if aim.ours not in named or aim.theirs not in named:
        return [*row, "", "", "not measured"]
    ratio = ratio_of(contest, named[aim.ours], named[aim.theirs])
    return [
        *row,
        f"{ratio.median:.2f}",
        f"{ratio.minimum:.2f}",
        ratio.verdict(aim.limit),
    ]


def losses(contests: list[Contest]) -> list[str]:
    """Everything that is faster than zcp at the same task, or than what zcp chose."""
    lines = []
    for contest in contests:
        for task in contest.tasks():
            contenders = contest.of_task(task)
            for ours in contenders:
                if ours.headline:
                    lines += lost(contest, ours, contenders)
            lines += slower_variants(contest, contenders)
    return lines


def lost(contest: Contest, ours: Contender, contenders: list[Contender]) -> list[str]:
    lines = []
    for theirs in contenders:
        ratio = ratio_of(contest, ours, theirs)
        if ratio.median > 1 and not theirs.headline:
            what = f"its own {theirs.name}" if theirs.variant else theirs.name
            walls = f"{wall(contest, ours)} against {wall(contest, theirs)}"
            less = [lack for lack in lacks(theirs) if lack not in lacks(ours)]
            but = f", which does not {' or '.join(less)}" if less else ""
            lines.append(
                f"{contest.title}, {ours.task}: {ours.name} takes {ratio.median:.2f} times as "
                f"long as {what}{but} ({walls})."
            )
    return lines


def lacks(contender: Contender) -> list[str]:
    return [lack for lack in contender.lacks.split("; ") if lack]


def slower_variants(contest: Contest, contenders: list[Contender]) -> list[str]:
    """One line for zcp otherwise, where that loses to the first of the others."""
    rival = contenders[0]
    slower = []
    for ours in contenders:
        if ours.variant:
            ratio = ratio_of(contest, ours, rival)
            if ratio.median > 1:
                slower.append(f"{ours.name} {ratio.median:.2f}")
    if not slower:
        return []
    return [
        f"{contest.title}: others of zcp slower than {rival.name}: {', '.join(slower)}."
    ]


def noise(contests: list[Contest]) -> str:
    lines = []
    for contest in contests:
        for contender in contest.contenders:
            figures = contest.wall(contender)
            if figures.noisy:
                lines.append(
                    f"{contest.title}, {contender.task}: {contender.name} spreads by "
                    f"{figures.spread:.0%} of its median."
                )
        stolen = max((run.steal for run in contest.runs), default=0)
        if stolen > STEAL_MAX:
            lines.append(
                f"{contest.title}: up to {stolen:.0%} of a run's time was stolen."
            )
    if not lines:
        return f"No spread above {SPREAD_MAX:.0%}, no stolen time to speak of."
    return (
        bullets(lines) + "\n\nA difference that is smaller than a spread may be chance."
    )


def standings(contest: Contest, task: str) -> str:
    contenders = contest.of_task(task)
    rows = [standing(contest, contender, contenders[0]) for contender in contenders]
    heads = ["", "ratio", "by minima", "of CPU", "median", "minimum", "spread"]
    heads += ["rate", "CPU", "of it user", "memory", "does not"]
    return table(heads, rows, "lrrrrrrrrrrl")


def standing(contest: Contest, contender: Contender, first: Contender) -> list[str]:
    figures = contest.wall(contender)
    ratio = ratio_of(contest, contender, first)
    runs = contest.counted(contender)
    cpu, cpu_of_first = (
        Figures.of([run.user_s + run.system_s for run in contest.counted(each)]).median
        for each in (contender, first)
    )
    user = Figures.of([run.user_s for run in runs])
    memory = Figures.of([run.rss_kib / 1024 for run in runs])
    name = f"zcp, {contender.name}" if contender.variant else contender.name
    return [
        f"**{name}**" if contender.headline else name,
        f"{ratio.median:.2f}",
        f"{ratio.minimum:.2f}",
        f"{cpu / max(cpu_of_first, CPU_S_MIN):.2f}",
        time(figures.median),
        time(figures.minimum),
        f"{figures.spread:.0%}",
        rate(contest.place.size, figures.median),
        time(cpu),
        time(user.median),
        f"{memory.median:.0f} MiB",
        contender.lacks,
    ]


def ratio_of(contest: Contest, ours: Contender, theirs: Contender) -> Ratio:
    return Ratio.of(contest.wall(ours), contest.wall(theirs))


def wall(contest: Contest, contender: Contender) -> str:
    return time(contest.wall(contender).median)


def time(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def rate(size: int, seconds: float) -> str:
    """Nothing where the time is hardly that of moving bytes."""
    if size < RATED_BYTES_MIN:
        return ""
    return f"{size / seconds / 2**30:.2f} GiB/s"


def bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def table(heads: list[str], rows: list[list[str]], align: str = "") -> str:
    rules = ["---:" if side == "r" else "---" for side in align.ljust(len(heads), "l")]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rules, *rows])
