package dev.zcp.tree;

import java.nio.ByteBuffer;

/// What has extended attributes that can be read: a file, or what somebody told of one. As in
/// [dev.zcp.linux.Attributes], a method gives what the call returned or minus the error number.
public sealed interface AttributeSource permits Handle, GivenAttributes {

  /// Fills `target`, a direct buffer, from its beginning on with the names, a NUL after each; with
  /// no room it tells the length alone.
  int listAttributes(ByteBuffer target);

  /// Fills `target`, a direct buffer, from its beginning on with the value of `name`.
  int attribute(byte[] name, ByteBuffer target);
}
