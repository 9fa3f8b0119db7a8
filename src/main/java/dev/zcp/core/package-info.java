/// Small values that every other package speaks in: spans, sizes, rates, names, exit codes,
/// failures.
///
/// Nothing here does input or output.
package dev.zcp.core;
