package dev.zcp.insight;

/// A connection to a peer that has proved the key.
///
/// @param peer the other end, printable
/// @param discards whether the receiving end throws away what it takes
/// @param buffer the kernel's buffer on this end, as the connection began
public record Link(String peer, boolean discards, SocketBuffer buffer) {}
