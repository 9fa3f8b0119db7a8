package dev.zcp.secure;

/// The seals of one connection, as one end has them.
///
/// @param own seals what this end says
/// @param others seals what the other end says
public record SessionKeys(FrameMac own, FrameMac others) {}
