package dev.zcp.bench.result;

/// Where a benchmark ran. Each is a phrase for people; empty where the system does not tell.
///
/// @param processor its model
/// @param processors how many this process may use
/// @param memoryBytes physical memory
/// @param kernel as `uname -sr` prints it
/// @param java the runtime's version
/// @param fileSystem the type of the file system of the files, and how it is mounted
public record Machine(
    String processor,
    int processors,
    long memoryBytes,
    String kernel,
    String java,
    String fileSystem) {}
