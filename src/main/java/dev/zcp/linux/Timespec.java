package dev.zcp.linux;

/// A `struct timespec`.
///
/// @param seconds since 1970, negative before
/// @param nanos 0 to 999,999,999, counted forwards also before 1970; or [Attributes#UTIME_OMIT]
public record Timespec(long seconds, int nanos) {}
