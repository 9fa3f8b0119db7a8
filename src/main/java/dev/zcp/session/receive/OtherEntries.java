package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials.Partial;
import dev.zcp.tree.Handle;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.util.Arrays;

/// Makes what has no bytes: symbolic links, FIFOs, devices, and second names of files. One that is
/// there already as it was offered is left as it is. Any thread may call it.
final class OtherEntries {

  private static final int PRIVATE = 0600;

  private final Terms terms;
  private final Folders folders;
  private final FirstNames firstNames;

  OtherEntries(Terms terms, Folders folders, FirstNames firstNames) {
    this.terms = terms;
    this.folders = folders;
    this.firstNames = firstNames;
  }

  Answer consider(Offered entry) throws IOException, Failure {
    Keep kind = keep(entry.kind());
    if (!kind.isIn(terms.keeps())) {
      String why = kind.label() + " are not taken (a receiver with --accept=" + kind.word();
      return Answer.declined(entry.fileId(), why + " takes them)");
    }
    boolean isMade = terms.discards() || make(entry);
    return Answer.of(entry.fileId(), isMade ? Answer.AnswerKind.MADE : Answer.AnswerKind.KEPT);
  }

  private static Keep keep(EntryKind kind) {
    return switch (kind) {
      case LINK -> Keep.LINKS;
      case HARD_LINK -> Keep.HARD_LINKS;
      case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE -> Keep.SPECIALS;
      case FILE, DIRECTORY -> throw new IllegalArgumentException("made elsewhere: " + kind);
    };
  }

  /// @return whether it is made; else what exists stays
  private boolean make(Offered entry) throws IOException, Failure {
    EntryPath firstPath = entry.kind() == EntryKind.HARD_LINK ? firstPath(entry) : null;
    try (Folders.HeldFolder folder = folders.hold(entry.path().parent(), true);
        Folders.HeldFolder first =
            firstPath == null ? null : folders.hold(firstPath.parent(), false)) {
      Maker maker =
          first == null
              ? new Anew(entry)
              : new SecondName(first.directory(), firstPath.name().bytes(), terms.work());
      boolean isMade = make(entry, folder.directory(), maker);
      terms.durability().made(folder.directory());
      if (isMade || terms.namesWhatStays()) {
        firstNames.arrived(entry);
      }
      return isMade;
    }
  }

  private EntryPath firstPath(Offered entry) throws Failure {
    EntryPath first = firstNames.of(entry.firstId());
    if (first == null) {
      throw Failure.of(
          ExitCode.DESTINATION,
          entry.path().toString(),
          "the file that it is a name of has not arrived");
    }
    return first;
  }

  private boolean make(Offered entry, OpenDirectory directory, Maker maker)
      throws IOException, Failure {
    byte[] name = entry.path().name().bytes();
    FileStatus there = directory.statusOf(name);
    if (there == null && maker.isWholeAtOnce()) {
      maker.make(directory, name);
      maker.complete(directory, name);
    } else if (there == null) {
      make(directory, name, maker, false);
    } else if (maker.isThere(directory, name, there)) {
      return true;
    } else if (stays(there, entry)) {
      return false;
    } else if (there.isDirectory()) {
      throw Terms.takenByDirectory(entry);
    } else if (terms.replaces() || maker.isEqual(directory, name, there)) {
      make(directory, name, maker, true);
    } else {
      throw Terms.taken(entry);
    }
    return true;
  }

  /// Other names of a file follow the first one, as with `cp -au`.
  private boolean stays(FileStatus there, Offered entry) {
    boolean follows = entry.kind() == EntryKind.HARD_LINK && terms.namesWhatStays();
    return !follows && terms.stays(there, entry);
  }

  /// Makes it under a hidden name first.
  private void make(OpenDirectory directory, byte[] name, Maker maker, boolean replaces)
      throws IOException {
    Partial partial = terms.partials().begin(directory);
    try {
      partial.make(hidden -> maker.make(directory, hidden));
      maker.complete(directory, partial.name());
      partial.reveal(name, replaces);
    } finally {
      partial.discard();
    }
  }

  /// One way of making an entry.
  private sealed interface Maker {

    void make(OpenDirectory directory, byte[] name) throws IOException;

    /// Whether it lacks nothing once it is made, but its times and its owner.
    boolean isWholeAtOnce();

    /// Gives it what else it is to have.
    void complete(OpenDirectory directory, byte[] name) throws IOException;

    /// Whether what has the name is what would be made.
    boolean isThere(OpenDirectory directory, byte[] name, FileStatus there) throws IOException;

    /// Whether nothing is lost if this takes the place of what has the name.
    boolean isEqual(OpenDirectory directory, byte[] name, FileStatus there) throws IOException;
  }

  /// Makes a link, a FIFO or a device.
  private final class Anew implements Maker {

    private final Offered entry;
    private final int type;

    Anew(Offered entry) {
      this.entry = entry;
      this.type = Given.type(entry.kind());
    }

    /// A FIFO or a device has no mode yet.
    @Override
    public boolean isWholeAtOnce() {
      return entry.kind() == EntryKind.LINK;
    }

    @Override
    public void make(OpenDirectory directory, byte[] name) throws IOException {
      if (entry.kind() == EntryKind.LINK) {
        directory.makeLink(name, entry.content().bytes());
      } else {
        directory.makeSpecial(name, type | PRIVATE, entry.metadata().represents());
      }
    }

    @Override
    public void complete(OpenDirectory directory, byte[] name) throws IOException {
      // Not before: of what is there already, or cannot be made, nothing is lost.
      Given given = terms.given(entry);
      try (Handle made = Handle.hold(directory, name)) {
        terms.preserver().special(given.attributes(), given.status(), made, entry.path());
      }
    }

    @Override
    public boolean isThere(OpenDirectory directory, byte[] name, FileStatus there)
        throws IOException {
      if (there.type() != type) {
        return false;
      }
      return there.isSymlink()
          ? Arrays.equals(directory.readLink(name), entry.content().bytes())
          : there.represents() == entry.metadata().represents();
    }

    @Override
    public boolean isEqual(OpenDirectory directory, byte[] name, FileStatus there) {
      return false;
    }
  }

  /// Gives a file that has arrived a second name.
  private record SecondName(OpenDirectory first, byte[] firstName, FileWork work) implements Maker {

    @Override
    public boolean isWholeAtOnce() {
      return true;
    }

    @Override
    public void make(OpenDirectory directory, byte[] name) throws IOException {
      String obstacle = directory.addNameIfPossible(name, first, firstName);
      if (obstacle != null) {
        throw new IOException("can be no hard link: " + obstacle);
      }
    }

    @Override
    public void complete(OpenDirectory directory, byte[] name) {
      // It has all that the first name has.
    }

    @Override
    public boolean isThere(OpenDirectory directory, byte[] name, FileStatus there)
        throws IOException {
      FileStatus status = first.statusOf(firstName);
      return status != null && status.isSameFile(there);
    }

    /// Two senders of one tree may have made it a file of its own, with the same bytes and time.
    @Override
    public boolean isEqual(OpenDirectory directory, byte[] name, FileStatus there)
        throws IOException {
      FileStatus status = first.statusOf(firstName);
      if (status == null
          || !status.isRegular()
          || !there.isRegular()
          || status.sizeBytes() != there.sizeBytes()
          || !status.modified().equals(there.modified())) {
        return false;
      }
      try (NativeFile one = first.file(firstName, false);
          NativeFile other = directory.file(name, false)) {
        return ReadBack.areEqual(one, other, there.sizeBytes(), work)
            && one.status().isUnchangedSince(status)
            && other.status().isUnchangedSince(there);
      }
    }
  }
}
