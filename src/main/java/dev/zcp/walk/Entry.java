package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Folder.EntryName;
import dev.zcp.walk.Folder.TargetName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;

/// Something in a folder that the walk came to. Its text is the source's name, for messages.
public final class Entry implements Conflict.ClaimSource {

  private final Folder folder;
  private final byte[] name;
  private final byte[] newName;
  private final boolean follow;
  private final boolean isFirst;

  /// Whether its directory had it, and not only somebody named it.
  private final boolean wasListed;

  /// @param folder the one it is in
  /// @param name in the source
  /// @param newName in the target
  /// @param follow whether `name` may be that of a link, and what it leads to is meant
  /// @param isFirst whether it is known to be the first name of its file
  public Entry(Folder folder, byte[] name, byte[] newName, boolean follow, boolean isFirst) {
    this(folder, name, newName, follow, isFirst, false);
  }

  Entry(
      Folder folder,
      byte[] name,
      byte[] newName,
      boolean follow,
      boolean isFirst,
      boolean wasListed) {
    this.wasListed = wasListed;
    this.folder = folder;
    this.name = name;
    this.newName = newName;
    this.follow = follow;
    this.isFirst = isFirst;
  }

  public Entry asFirst() {
    return new Entry(folder, name, newName, follow, true, wasListed);
  }

  public Folder folder() {
    return folder;
  }

  public byte[] name() {
    return name;
  }

  public byte[] newName() {
    return newName;
  }

  public boolean follow() {
    return follow;
  }

  public boolean isFirst() {
    return isFirst;
  }

  /// The source's name, for messages.
  public EntryName label() {
    return new EntryName(folder, name);
  }

  /// The target's name, for messages.
  public String targetLabel() {
    return folder.targetLabel(newName);
  }

  @Override
  public Object source() {
    return this;
  }

  @Override
  public Object target() {
    return new TargetName(folder, newName);
  }

  @Override
  public boolean isAt(OpenDirectory directory, byte[] other) {
    return directory.status().isSameFile(folder.source.status()) && Arrays.equals(name, other);
  }

  @Override
  public FileStatus behind() throws IOException {
    return folder.source.statusBehind(name);
  }

  /// Some file systems list other names than they were given.
  @Override
  public boolean isOneThere(OpenDirectory directory, byte[] targetName, FileStatus existing)
      throws IOException {
    for (byte[] other : folder.source.names()) {
      FileStatus there = Arrays.equals(other, name) ? null : directory.statusOf(other);
      if (there != null && there.isSameFile(existing)) {
        // Or both are names of one file there.
        return existing.links() < 2
            || !Conflict.hasExactly(directory, targetName)
            || !Conflict.hasExactly(directory, other);
      }
    }
    return false;
  }

  /// The operands of a command may have names of their own in the target.
  @Override
  public boolean willCome(byte[] other) throws IOException {
    return !folder.isAnchor() && folder.source.statusOf(other) != null;
  }

  /// What it is now. The caller holds the folder.
  ///
  /// @param behindLink whether what a link leads to is meant
  /// @throws Failure SOURCE if it is missing, a link that leads nowhere, or may not be looked at
  public FileStatus status(boolean behindLink) throws Failure {
    try {
      FileStatus status =
          behindLink ? folder.source.statusBehind(name) : folder.source.statusOf(name);
      if (status == null) {
        boolean dangles = behindLink && folder.source.statusOf(name) != null;
        throw dangles
            ? Failure.of(ExitCode.SOURCE, toString(), "is a link that leads nowhere")
            : gone();
      }
      return status;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /// What is wrong with the source. What a directory had, and is gone, has vanished.
  public Failure failure(IOException e) {
    return e instanceof NoSuchFileException ? gone().because(e) : Reasons.source(this, e);
  }

  private Failure gone() {
    return wasListed
        ? Failure.of(ExitCode.VANISHED, toString(), "vanished before it was copied")
        : Failure.of(ExitCode.SOURCE, toString(), "no such file or directory");
  }

  @Override
  public String toString() {
    return folder.sourceLabel(name);
  }
}
