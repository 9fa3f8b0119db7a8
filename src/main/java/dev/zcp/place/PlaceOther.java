package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.OwnProcess;
import dev.zcp.place.Partials.Partial;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.Handle;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.function.Supplier;

/// Places what has no bytes: directories, symbolic links, FIFOs and devices, and further names of
/// files. Any thread may call it.
///
/// What was made is completed by a descriptor and never by its name: somebody else may have put a
/// link under that name by then.
public final class PlaceOther {

  private static final int PRIVATE = 0600;

  /// The owner's rights to write and to search.
  private static final int OWNER_MAKES = 0300;

  private final Conflict conflict;
  private final Partials partials;
  private final Metadata metadata;
  private final Durability durability;

  public PlaceOther(
      Conflict conflict, Partials partials, Metadata metadata, Durability durability) {
    this.conflict = conflict;
    this.partials = partials;
    this.metadata = metadata;
    this.durability = durability;
  }

  /// A directory of a target.
  ///
  /// @param created whether it was made just now, so that nothing is in it
  public record PlacedDirectory(OpenDirectory directory, boolean created) {}

  /// Makes the directory that the claim names, or opens the one that is there.
  ///
  /// @throws Failure EXISTS if something else has the name, or if another directory of this run is
  ///   the same one there
  public PlacedDirectory directory(Conflict.Claim claim) throws IOException, Failure {
    return directory(claim, metadata.directoryCreationMode(claim.status(), claim.directory()));
  }

  /// As [#directory], for what is to be in it, before it is known what its source is: if it is made
  /// it needs [#begin].
  public PlacedDirectory earlyDirectory(Conflict.Claim claim) throws IOException, Failure {
    return directory(claim, metadata.earlyDirectoryMode(claim.directory()));
  }

  /// It is known now what the source is of a directory that was made [early][#earlyDirectory].
  ///
  /// @param status of the source
  public void begin(FileStatus status, OpenDirectory directory) throws IOException {
    metadata.giveCreationMode(status, directory);
  }

  private PlacedDirectory directory(Conflict.Claim claim, int mode) throws IOException, Failure {
    OpenDirectory above = claim.directory();
    byte[] name = claim.name();
    try {
      above.makeDirectory(name, mode);
    } catch (FileAlreadyExistsException e) {
      if (!conflict.clear(claim)) {
        return new PlacedDirectory(writable(claim), false);
      }
      above.makeDirectory(name, mode);
    }
    durability.made(above);
    OpenDirectory made = above.newDirectory(name);
    if (conflict.remembers(claim)) {
      conflict.isTaken(above, name, made.status(), true);
    }
    return new PlacedDirectory(made, true);
  }

  /// Opens the directory that has the name, and changes nothing of it.
  ///
  /// @throws Failure as [#directory]
  public OpenDirectory existing(Conflict.Claim claim) throws IOException, Failure {
    OpenDirectory above = claim.directory();
    refuseOtherThanDirectory(claim);
    OpenDirectory there = above.directoryToUse(claim.name());
    try {
      refuseTaken(claim, there);
    } catch (IOException | Failure e) {
      there.close();
      throw e;
    }
    return there;
  }

  private OpenDirectory writable(Conflict.Claim claim) throws IOException, Failure {
    OpenDirectory there = existing(claim);
    try {
      makeWritable(there);
    } catch (IOException e) {
      there.close();
      throw e;
    }
    return there;
  }

  /// Takes the directory into use that has the name, and that this run has not made under it.
  ///
  /// @throws Failure EXISTS if another directory of this run is the same one there
  public void refuseTaken(Conflict.Claim claim, OpenDirectory there) throws IOException, Failure {
    OpenDirectory above = claim.directory();
    boolean isOther =
        claim.isInNew() && Conflict.isFolded(claim)
            || conflict.remembers(claim)
                && conflict.isTaken(above, claim.name(), there.status(), false);
    if (isOther) {
      throw Failure.of(
              ExitCode.EXISTS,
              claim.label(),
              "has a name that the target's file system takes for that of another directory")
          .with("what is in " + claim.sourceLabel() + " is not copied");
    }
  }

  /// A directory of this user that nobody may write to takes entries all the same if it gets the
  /// mode of its source at the end.
  public void makeWritable(OpenDirectory there) throws IOException {
    FileStatus status = there.status();
    boolean isWritable = (status.wholeMode() & OWNER_MAKES) == OWNER_MAKES;
    if (!isWritable && metadata.keepsMode() && status.owner() == OwnProcess.user()) {
      there.giveMode(status.wholeMode() | OWNER_MAKES);
    }
  }

  /// @throws Failure EXISTS if something has the name that is no directory
  public static void refuseOtherThanDirectory(Conflict.Claim claim) throws IOException, Failure {
    FileStatus existing = claim.directory().statusOf(claim.name());
    if (existing != null && !existing.isDirectory()) {
      throw Failure.of(
          ExitCode.EXISTS,
          claim.label(),
          "is not a directory, but " + claim.sourceBesideLabel() + " is");
    }
  }

  /// What an entry is made of.
  ///
  /// @param link where a symbolic link leads; null of a FIFO or a device
  /// @param attributes its source's
  public record EntryContent(byte[] link, AttributeSource attributes) {}

  /// Makes a symbolic link, a FIFO or a device under the claim's name, in place of what is to lose
  /// it. What has the name must have been [looked][Conflict#look] at.
  ///
  /// @return false if something has taken the name meanwhile, and that stays
  public boolean make(Conflict.Claim claim, EntryContent content) throws IOException, Failure {
    // A link lacks nothing that matters once it is made. A FIFO or a device has no mode yet.
    boolean atOnce = content.link() != null;
    return make(claim, atOnce, name -> makeNew(claim, content, name), content);
  }

  private static void makeNew(Conflict.Claim claim, EntryContent content, byte[] name)
      throws IOException {
    if (content.link() != null) {
      claim.directory().makeLink(name, content.link());
    } else {
      int mode = claim.status().type() | PRIVATE;
      claim.directory().makeSpecial(name, mode, claim.status().represents());
    }
  }

  /// Gives the claim's name to what `making` makes by one call, and which lacks nothing then.
  ///
  /// @return as [#make(Conflict.Claim, EntryContent)]
  public boolean make(Conflict.Claim claim, Partial.Making making) throws IOException, Failure {
    return make(claim, true, making, null);
  }

  private boolean make(
      Conflict.Claim claim, boolean atOnce, Partial.Making making, EntryContent content)
      throws IOException, Failure {
    if (!(atOnce && claim.replaced() == null && makeAtOnce(claim, making, content))) {
      Partial partial = partials.begin(claim.directory());
      try {
        partial.make(making);
        finish(claim, partial.name(), content);
        conflict.reveal(claim, partial::reveal);
      } finally {
        partial.discard();
      }
      if (claim.isOver()) {
        return false;
      }
    }
    durability.made(claim.directory());
    return true;
  }

  /// @return false if something has the name
  private boolean makeAtOnce(Conflict.Claim claim, Partial.Making making, EntryContent content)
      throws IOException {
    try {
      making.make(claim.name());
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    finish(claim, claim.name(), content);
    return true;
  }

  private void finish(Conflict.Claim claim, byte[] name, EntryContent content) throws IOException {
    if (content == null) {
      if (conflict.remembers(claim)) {
        conflict.remember(claim, claim.directory().statusOf(name));
      }
      return;
    }
    try (Handle made = Handle.hold(claim.directory(), name)) {
      FileStatus status = made.status();
      boolean isIt =
          status.type() == claim.status().type()
              && status.represents() == claim.status().represents();
      if (!isIt) {
        throw new FileSystemException(
            claim.label().toString(), null, "was replaced by something else meanwhile");
      }
      metadata.special(content.attributes(), claim.status(), made, claim.sourceLabel());
      conflict.remember(claim, status);
    }
  }

  /// Whether what is there is what would be made, but for its metadata.
  public boolean isThere(Conflict.Claim claim, FileStatus there, byte[] link) throws IOException {
    if (there.type() != claim.status().type()) {
      return false;
    }
    return switch (there.type()) {
      case FileType.SYMLINK -> Arrays.equals(claim.directory().readLink(claim.name()), link);
      default -> there.represents() == claim.status().represents();
    };
  }

  /// What has the name stays, since it is the same as the source, unless it may be replaced and is
  /// another entry, too: one of this run, or one of a former copy that would change with it.
  ///
  /// @return whether it stays
  public boolean keepSame(
      Conflict.Claim claim, FileStatus there, Supplier<AttributeSource> attributes)
      throws IOException, Failure {
    boolean isOfFormer = conflict.isFormerCopy(there) && differs(claim, there, attributes.get());
    return !isOfFormer && conflict.keepSame(claim, there);
  }

  /// Whether [#correct] would change anything.
  public boolean needsCorrection(Conflict.Claim claim, AttributeSource attributes)
      throws IOException {
    return differs(claim, claim.same(), attributes);
  }

  private boolean differs(Conflict.Claim claim, FileStatus there, AttributeSource attributes)
      throws IOException {
    Handle byName = Handle.of(claim.directory().descriptor(), claim.name());
    return metadata.differs(attributes, claim.status(), byName, there);
  }

  /// Gives what is the [same][Conflict.Claim#isSame], and stays, the metadata of its source.
  public void correct(Conflict.Claim claim, AttributeSource attributes) throws IOException {
    FileStatus there = claim.same();
    Handle byName = Handle.of(claim.directory().descriptor(), claim.name());
    if (metadata.isKept(attributes, claim.status(), byName, there)) {
      return;
    }
    try (Handle kept = Handle.hold(claim.directory(), claim.name())) {
      FileStatus now = kept.status();
      if (now.isSameFile(there) && now.type() == there.type()) {
        metadata.existing(attributes, claim.status(), kept, now, claim.sourceLabel());
      }
    }
  }
}
