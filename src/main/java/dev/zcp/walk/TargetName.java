package dev.zcp.walk;

/// The name of what is in a target, for messages: put together only where one is shown.
///
/// @param name in the target
public record TargetName(Folder folder, byte[] name) {

  @Override
  public String toString() {
    return folder.targetLabel(name);
  }
}
