/// The protocol zcp/1 as values: frames to bytes and back, and the order in which they may come.
///
/// Nothing here does input or output, and nothing here knows a key. `PROTOCOL.md` has the bytes.
package dev.zcp.wire;
