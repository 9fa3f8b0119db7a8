package dev.zcp.bench;

import java.nio.file.Path;

/// A file's path and the device that it is on, which strategies ask for.
///
/// @param device `st_dev`
record BenchFile(Path path, long device) {}
