"""What a run takes that no clock shows: system calls, and the bytes of a JVM's objects.

Both are counted in runs of their own, since counting takes time.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from driver.processes import Command, Failed, Plan, run

# What an end allocates must fit, so that all of it is still there when the JVM tells. A thread takes
# memory by the buffer (TLAB), all of which counts; left to itself the JVM makes it 50 MiB here.
YOUNG = ["-Xmn3g", "-Xmx4g", "-XX:-ResizeTLAB", "-XX:TLABSize=64k"]

LIMIT_S = 1200


def calls(plan: Plan, scratch: Path) -> int:
    """The system calls of all processes of a plan, as strace(1) counts them."""
    empty(scratch)

    def traced(argv: list[str], number: int) -> list[str]:
        # -D: whoever is to end is told so, and not strace.
        return ["strace", "-D", "-f", "-qq", "-c", "-o", f"{scratch}/{number}", *argv]

    run(changed(plan, traced), scratch / "errors", LIMIT_S)
    found = [each.read_text().splitlines()[-1].split() for each in scratch.glob("[0-9]*")]
    return sum(int(words[3]) for words in found)


def allocated(plan: Plan, scratch: Path) -> int:
    """The bytes of all objects that the JVMs of a plan made."""
    empty(scratch)
    log = f"-Xlog:gc*=info:file={scratch}/%p.log"

    def logging(argv: list[str], number: int) -> list[str]:
        if argv[0].endswith("/bin/zcp"):
            return [talkative(Path(argv[0]), scratch / f"zcp{number}", log), *argv[1:]]
        at = argv.index("-cp")
        return [*argv[:at], log, *YOUNG, *argv[at:]]

    run(changed(plan, logging), scratch / "errors", LIMIT_S)
    return sum(used(each.read_text()) for each in scratch.glob("*.log"))


def changed(plan: Plan, change: Callable[[list[str], int], list[str]]) -> Plan:
    numbers = iter(range(100))

    def other(command: Command | None) -> Command | None:
        return command and replace(command, argv=change(command.argv, next(numbers)))

    return replace(
        plan,
        phases=[[other(command) for command in phase] for phase in plan.phases],
        server=other(plan.server),
        daemon=other(plan.daemon),
    )


def empty(scratch: Path) -> None:
    scratch.mkdir(exist_ok=True)
    for each in scratch.iterdir():
        if each.is_file():
            each.unlink()


def talkative(program: Path, home: Path, log: str) -> str:
    """A copy of zcp's launcher that gives the JVM more flags. zcp finds the rest beside it."""
    launcher = program.read_text()
    flags = " ".join(f"'{flag}'" for flag in [log, *YOUNG])
    text, count = re.subn(r"(?m)^( *)-cp ", rf"\1{flags} -cp ", launcher)
    if count != 1:
        raise Failed("the launcher has no line that begins with -cp")
    (home / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("lib", "runtime"):
        link = home / name
        link.unlink(missing_ok=True)
        link.symlink_to(program.parent.parent.resolve() / name)
    copy = home / "bin" / "zcp"
    copy.write_text(text)
    copy.chmod(0o755)
    return str(copy)


def used(log: str) -> int:
    """Of a JVM that never collected."""
    if "Pause Young" in log or "Pause Full" in log:
        raise Failed("a JVM allocated more than it may for this count")
    heaps = re.findall(r"total \d+K, used (\d+)K", log)
    if not heaps:
        raise Failed(f"no heap in what the JVM said at its end: {log}")
    return sum(int(kib) for kib in heaps) << 10
