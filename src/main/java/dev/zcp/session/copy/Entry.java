package dev.zcp.session.copy;

/// Something in a folder that is to be copied.
///
/// @param folder the one it is in
/// @param name in the source
/// @param newName in the target
/// @param label for messages
/// @param follow whether `name` may be that of a link, and what it leads to is meant
/// @param isFirst whether it is known to be the first name of its file
record Entry(
    Folder folder, byte[] name, byte[] newName, EntryName label, boolean follow, boolean isFirst) {

  Entry asFirst() {
    return new Entry(folder, name, newName, label, follow, true);
  }

  /// The target's name, for messages.
  String targetLabel() {
    return folder.targetLabel(newName);
  }
}
