package dev.zcp.bench.run;

import java.nio.file.Path;

/// A file's path and the device that it is on, which strategies ask for.
///
/// @param device `st_dev`
record Place(Path path, long device) {}
