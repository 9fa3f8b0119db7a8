"""Where the benchmarks find zcp, work, and leave what they found."""

import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from driver.processes import Failed

PROJECT = Path(__file__).resolve().parent.parent.parent
DIST = PROJECT / "target" / "zcp"


def require_current() -> None:
    """Figures of a program that nobody has the source of are worth nothing."""
    jars = list((PROJECT / "target").glob("zcp-*.jar"))
    if not jars or not (DIST / "bin/zcp").exists():
        raise Failed("there is no target/zcp: build it by mvn package")
    # The jar knows nothing of how it is packed. All in the distribution bears one date, so that
    # it is the same wherever it is built: only ctime tells when that was.
    for folder, products in (("src/main", jars), ("build", [DIST / "bin/zcp"])):
        built = min(product.stat().st_ctime for product in products)
        for file in (PROJECT / folder).rglob("*"):
            if file.is_file() and file.stat().st_mtime > built:
                raise Failed(
                    f"{file.relative_to(PROJECT)} is newer than target/zcp: mvn package builds it"
                )


def set_environment(work: Path) -> None:
    # Where a receiver leaves the key for senders of the same user.
    os.environ["XDG_RUNTIME_DIR"] = str(work)
    # A JVM announces each of these; zcp's launcher takes them away, and a bare main has no launcher.
    for name in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"):
        os.environ.pop(name, None)


def new_folder(stack: ExitStack, parent: Path) -> Path:
    return Path(
        stack.enter_context(
            tempfile.TemporaryDirectory(prefix="zcp-bench-", dir=parent)
        )
    )


def output(quick: bool, started: time.struct_time) -> Path:
    """A quick run is nothing to keep; others never replace an earlier one."""
    if quick:
        return PROJECT / "target" / "bench"
    date = time.strftime("%Y-%m-%d", started)
    number = 1
    while True:
        name = date if number == 1 else f"{date}-{number}"
        directory = PROJECT / "bench" / "runs" / name
        if not directory.exists():
            return directory
        number += 1
