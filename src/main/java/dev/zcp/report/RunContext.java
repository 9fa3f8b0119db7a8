package dev.zcp.report;

/// Where a run was, for whoever looks at it later. All that is not known is empty.
///
/// @param commandLine as it was typed, without a key
/// @param version of zcp
/// @param machine its name, kernel and processors
public record RunContext(String commandLine, String version, String machine) {}
