"""The programs that zcp is measured against, and where they come from."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# Above the system's own: what cargo and go install has a known version.
HOME = Path(__file__).parent.parent.parent / "target" / "peers"
PROGRAMS = HOME / "bin"
REFUSALS = HOME / "refused.json"

SETUP_LIMIT_S = 1800


@dataclass(frozen=True)
class Tool:
    """A program that may not be there.

    @param source apt, cargo or go, and what that one calls it
    @param says the command that tells its version
    """

    name: str
    command: str
    source: str
    package: str
    says: list[str]


TOOLS = [
    Tool("nc", "nc", "apt", "netcat-openbsd", ["nc", "-h"]),
    Tool("rsync", "rsync", "apt", "rsync", ["rsync", "--version"]),
    Tool("scp", "sshd", "apt", "openssh-server", ["ssh", "-V"]),
    Tool("iperf3", "iperf3", "apt", "iperf3", ["iperf3", "--version"]),
    Tool("fio", "fio", "apt", "fio", ["fio", "--version"]),
    Tool("xcp", "xcp", "cargo", "xcp@0.24.9", ["xcp", "--version"]),
    Tool("fcp", "fcp", "cargo", "fcp@0.2.2", ["fcp", "--version"]),
    Tool("cpz", "cpz", "cargo", "cpz@3.2.1", ["cpz", "--version"]),
    Tool(
        "rclone",
        "rclone",
        "go",
        "github.com/rclone/rclone@v1.76.0",
        ["rclone", "--version"],
    ),
    Tool(
        "croc",
        "croc",
        "go",
        "github.com/schollz/croc/v11@v11.3.3",
        ["croc", "--version"],
    ),
]


def extend_path() -> None:
    """Finds what was installed here first, and what only root has on the path last."""
    places = [str(PROGRAMS), os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"]
    os.environ["PATH"] = os.pathsep.join(places)


def absences() -> dict[str, str]:
    """The tools that are not there, each with the reason."""
    refused = json.loads(REFUSALS.read_text()) if REFUSALS.exists() else {}
    return {
        tool.name: refused.get(tool.name, "not installed")
        for tool in TOOLS
        if not shutil.which(tool.command)
    }


def set_up() -> None:
    """Installs what is not there, as far as this machine lets it, and says how that went."""
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    missing = [tool for tool in TOOLS if not shutil.which(tool.command)]
    refused = {}
    packages = [tool for tool in missing if tool.source == "apt"]
    if packages:
        reason = apt([tool.package for tool in packages])
        refused |= {tool.name: reason for tool in packages if reason}
    for tool in missing:
        if tool.source != "apt":
            reason = cargo(tool) if tool.source == "cargo" else go(tool)
            if reason:
                refused[tool.name] = reason
    REFUSALS.write_text(json.dumps(refused, indent=2) + "\n")
    absent = absences()
    for tool in TOOLS:
        print(f"{tool.name}: {absent.get(tool.name, 'there')}")


def apt(packages: list[str]) -> str:
    if not shutil.which("apt-get"):
        return f"no apt-get to install {' '.join(packages)} by"
    if os.geteuid() != 0:
        return f"not root, so apt-get cannot install {' '.join(packages)}"
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    install = ["apt-get", "-q", "install", "-y", "--no-install-recommends"]
    update = ["apt-get", "-q", "update"]
    return attempt("apt-get update", update) or attempt(
        "apt-get install", [*install, *packages]
    )


def cargo(tool: Tool) -> str:
    install = ["cargo", "install", "--quiet", "--locked", "--root", str(HOME)]
    return attempt("cargo install", [*install, tool.package])


def go(tool: Tool) -> str:
    os.environ["GOBIN"] = str(PROGRAMS)
    return attempt("go install", ["go", "install", tool.package])


def attempt(what: str, argv: list[str]) -> str:
    """Why a command did not do it, or nothing where it did.

    What the command said of that may name paths and hosts: it goes to standard error only.
    """
    print(f"bench: {' '.join(argv)}", file=sys.stderr, flush=True)
    if not shutil.which(argv[0]):
        return f"no {argv[0]} to install it by"
    try:
        result = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=SETUP_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"{what} took more than {SETUP_LIMIT_S} s"
    return f"{what} ended with {result.returncode}" if result.returncode else ""


def versions(
    names: set[str], said: Callable[[list[str]], str]
) -> list[tuple[str, str]]:
    """What the tools of these names say of themselves, and the version that was asked for."""
    facts = []
    for tool in TOOLS:
        found = shutil.which(tool.command)
        if tool.name in names and found:
            words = said(tool.says)
            if Path(found).parent == PROGRAMS:
                words += f", by {tool.source} install {tool.package}"
            facts.append((tool.name, words))
    return facts
