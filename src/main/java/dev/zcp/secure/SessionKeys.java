package dev.zcp.secure;

/// The seals of one connection. Each end has both: it signs with the one of its own direction and
/// verifies with the other.
///
/// @param sender seals what the sender says
/// @param receiver seals what the receiver says
public record SessionKeys(FrameMac sender, FrameMac receiver) {}
