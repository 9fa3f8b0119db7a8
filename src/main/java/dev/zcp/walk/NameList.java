package dev.zcp.walk;

import dev.zcp.core.RawPath;

/// A file that lists what is to be taken of a directory, one name after the other, each relative to
/// that directory.
///
/// @param file the list; `-` is standard input
/// @param nulSeparated whether names end in NUL bytes, and not in newlines
public record NameList(RawPath file, boolean nulSeparated) {}
