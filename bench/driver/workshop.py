"""Makes what the contests need: files, C programs, a bare main."""

import os
import re
import shutil
import zipfile
from pathlib import Path

from driver import sets
from driver.contest import Place
from driver.ground import Ground, quietly
from driver.lab import SMALL_FILE_BYTES
from driver.processes import Failed

LIMITS = Path(__file__).parent.parent / "limits"
C_FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra"]


def place(ground: Ground, size: int) -> Place:
    """A source of random bytes, in the page cache."""
    source = ground.new(size, 1, keep=True) / "file"
    sets.write_random(source, size)
    return Place(ground, source, size)


def small_place(ground: Ground) -> Place:
    return place(ground, SMALL_FILE_BYTES)


def limits(directory: Path, *flags: str) -> Path | None:
    """The compiled C programs, or nothing where there is no compiler."""
    if not shutil.which("cc"):
        return None
    for source in LIMITS.glob("*.c"):
        program = directory / source.stem
        quietly(["cc", *C_FLAGS, *flags, "-o", program, source])
    return directory


def bare(directory: Path, dist: Path) -> list[str]:
    """The command of a main() that does nothing; nothing where there is no JDK to compile it."""
    return java(directory, dist, LIMITS / "Bare.java", [], [])


def tree(directory: Path, dist: Path, training: list[str]) -> list[str]:
    """The command of the floor for trees, with zcp's flags for a copy; nothing where there is no
    compiler for it.

    @param training what the cache is made with: a source and a target
    """
    javac = find_javac()
    if not javac or not shutil.which("cc"):
        return []
    library = directory / "tree.so"
    include = javac.parent.parent / "include"
    flags = [*C_FLAGS, "-shared", "-fPIC", f"-I{include}", f"-I{include}/linux"]
    quietly(["cc", *flags, "-o", library, LIMITS / "tree" / "tree.c"])
    compiler = ["-XX:TieredStopAtLevel=1", "-Xmn8m", f"-Dlibrary={library}"]
    return java(directory, dist, LIMITS / "tree" / "Tree.java", compiler, training)


def session(directory: Path, dist: Path) -> list[str]:
    """The command of the floor for trees over a socket, with zcp's flags; nothing where there is no
    JDK to compile it.
    """
    training = directory / "training"
    for name in ("from", "to"):
        (training / name).mkdir(parents=True)
    sets.sow(training / "from" / "set", 200, 10, SMALL_FILE_BYTES)
    both = ["both", str(training / "from" / "set"), str(training / "to")]
    compiler = ["-XX:TieredStopAtLevel=1", "-Xmn8m"]
    command = java(directory, dist, LIMITS / "Session.java", compiler, both)
    shutil.rmtree(training)
    return command


def java(
    directory: Path, dist: Path, source: Path, flags: list[str], training: list[str]
) -> list[str]:
    """The command of a program in one file, on zcp's runtime and with zcp's flags, with a cache
    made as build/AotCache.java makes zcp's.
    """
    javac = find_javac()
    if not javac:
        return []
    name = source.stem
    classes = directory / f"{name}-classes"
    quietly([javac, "--release", "25", "-d", classes, source])
    jar, cache = directory / f"{name}.jar", directory / f"{name}.aot"
    # The cache takes no classes from a folder.
    with zipfile.ZipFile(jar, "w") as archive:
        for file in classes.glob("*.class"):
            archive.write(file, file.name)
    run = [str(dist / "runtime/bin/java"), *launcher_flags(dist / "bin/zcp"), *flags]
    main = ["-cp", str(jar), name]
    quietly([*run, f"-XX:AOTCacheOutput={cache}", *main, *training])
    # Where a cache is refused, this mode makes it an error.
    if not training:
        quietly([*run, "-XX:AOTMode=on", f"-XX:AOTCache={cache}", *main])
    return [*run, f"-XX:AOTCache={cache}", *main]


def launcher_flags(launcher: Path) -> list[str]:
    """The JVM's flags, each of which has a line of its own in the launcher."""
    flags = re.findall(r"^ +'(-.*)' \\$", launcher.read_text(), re.MULTILINE)
    if not flags:
        raise Failed("the launcher holds no flags for the JVM")
    return flags


def find_javac() -> Path | None:
    homes = [
        Path(os.environ[name])
        for name in ("JAVA25_HOME", "JAVA_HOME")
        if name in os.environ
    ]
    for folder in (Path.home() / ".jdks", Path("/usr/lib/jvm")):
        homes += sorted(folder.glob("*"))
    for home in homes:
        release, javac = home / "release", home / "bin/javac"
        if (
            javac.exists()
            and release.exists()
            and 'JAVA_VERSION="25' in release.read_text()
        ):
            return javac
    return None
