package dev.zcp.tree;

/// One extended attribute by its value: xattr(7).
///
/// @param name with its namespace, as `user.` is one; without a NUL
public record GivenAttribute(byte[] name, byte[] value) {}
