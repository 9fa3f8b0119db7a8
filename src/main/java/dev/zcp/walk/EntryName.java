package dev.zcp.walk;

/// The name of an entry for messages: put together only where one is shown.
///
/// @param name in the source
public record EntryName(Folder folder, byte[] name) {

  @Override
  public String toString() {
    return folder.sourceLabel(name);
  }
}
