package dev.zcp.bench.run;

/// A file that contenders read from, and what it holds.
record Original(Place place, Content content, long bytes) {}
