package dev.zcp.session.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.io.FileStatus;
import dev.zcp.session.Reasons;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;

/// The sources and the target of a command, and which source goes where, as with cp(1).
final class Operands {

  private static final byte[] SELF = {'.'};

  private final Means means;
  private final CopyRequest request;

  /// Whether the sources go into the target under their own names, and do not become it.
  private final boolean into;

  /// The directory that sources go into, or that holds the target.
  private final RawPath directory;

  private final Map<RawPath, RawPath> taken = new HashMap<>();
  private final Ancestry ancestry;

  private Folder anchor;
  private RawPath anchorPath;
  private EntryBatch batch;

  /// @throws Failure where the target is none for these sources; nothing was made then
  Operands(Means means) throws Failure {
    this.means = means;
    this.request = means.request();
    RawPath target = request.target();
    this.into = request.placement() != Placement.EXACTLY && isDirectory(target);
    if (request.placement() == Placement.INSIDE && !into) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "not a directory, as -t has it");
    }
    if (request.sources().size() > 1 && !into) {
      throw Failure.of(
          ExitCode.DESTINATION,
          target.toString(),
          "not a directory, and there are several sources");
    }
    this.directory = into ? target : target.parent();
    try (OpenDirectory open = OpenDirectory.open(directory)) {
      this.ancestry = Ancestry.of(open);
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "its directory does not exist")
          .with("create it first")
          .because(e);
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// Gives the crew every source.
  void addAll() {
    for (RawPath source : request.sources()) {
      try {
        add(source);
      } catch (Failure failure) {
        means.failures().tell(source, failure);
      }
    }
    flush();
  }

  /// Gives the crew what a list names of the one source, as the list is read.
  void addListed(InputStream standardInput) throws Failure {
    RawPath source = request.sources().getFirst();
    byte[] name = name(source);
    FileStatus status = hold(source, name, true);
    try {
      if (!status.isDirectory()) {
        throw Failure.of(ExitCode.SOURCE, source.toString(), "not a directory")
            .with("a list names what is in one");
      }
      refuseItself(source, status, newName(name));
    } finally {
      means.folders().release(anchor);
    }
    Folder top = top(name, true);
    try (NameLists names = NameLists.open(request.selection().names(), standardInput)) {
      new ListedNames(means, top).add(names);
    } catch (IOException e) {
      throw Reasons.source(request.selection().names().file(), e);
    }
    flush();
  }

  private void add(RawPath source) throws Failure {
    byte[] name = name(source);
    Links links = request.selection().links();
    boolean follow = links != Links.KEPT || source.endsInSlash();
    FileStatus status = hold(source, name, follow);
    try {
      byte[] newName = newName(name);
      takeName(source, newName);
      if (status.isDirectory()) {
        if (!request.selection().recursive()) {
          throw Failure.of(ExitCode.USAGE, source.toString(), "is a directory")
              .with("-r copies it");
        }
        refuseItself(source, status, newName);
        means.crew().push(new FolderCopy(means, top(name, follow)));
        return;
      }
      if (source.endsInSlash()) {
        throw Failure.of(ExitCode.SOURCE, source.toString(), "not a directory");
      }
      if (!into && request.target().endsInSlash()) {
        throw Failure.of(ExitCode.DESTINATION, request.target().toString(), "no such directory")
            .with("create it first");
      }
      addEntry(name, into ? null : newName, status.type());
    } finally {
      means.folders().release(anchor);
    }
  }

  private void addEntry(byte[] name, byte[] newName, int type) {
    if (batch == null) {
      batch = new EntryBatch(means, anchor, newName, true);
    }
    batch.add(name, type);
    if (batch.isFull()) {
      offer();
    }
  }

  private Folder top(byte[] name, boolean follow) {
    anchor.pending.incrementAndGet();
    byte[] newName = newName(name);
    return anchor.top(name, newName, follow, !into || newName == SELF);
  }

  /// Holds the directory that has the source, and looks at the source.
  private FileStatus hold(RawPath source, byte[] name, boolean follow) throws Failure {
    RawPath parent = source.parent();
    if (!parent.equals(anchorPath)) {
      flush();
      anchorPath = parent;
      anchor = Folder.anchor(parent, directory);
    }
    try {
      means.folders().hold(anchor);
    } catch (Failure failure) {
      throw Failure.of(failure.exitCode(), source.toString(), failure.reason()).because(failure);
    }
    boolean found = false;
    try {
      FileStatus status = follow ? anchor.source.statusBehind(name) : anchor.source.statusOf(name);
      if (status == null) {
        throw Failure.of(ExitCode.SOURCE, source.toString(), "no such file or directory");
      }
      found = true;
      return status;
    } catch (IOException e) {
      throw Reasons.source(source, e);
    } finally {
      if (!found) {
        means.folders().release(anchor);
      }
    }
  }

  private void flush() {
    if (batch != null) {
      offer();
    }
    if (anchor != null) {
      means.completion().oneIsOver(anchor);
      anchor = null;
      anchorPath = null;
    }
  }

  private void offer() {
    EntryBatch full = batch;
    batch = null;
    if (!means.crew().offer(full)) {
      full.run(new Hand());
    }
  }

  /// The name in its directory; `/` is what `.` is there.
  private static byte[] name(RawPath source) {
    byte[] name = source.lastComponent();
    return name.length == 0 ? SELF : name;
  }

  /// The content of `.`, `..` and `/` goes into the target as it is: they have no name there.
  private byte[] newName(byte[] name) {
    byte[] own = into ? name : name(request.target());
    return isDots(own) && into ? SELF : own;
  }

  private static boolean isDots(byte[] name) {
    return name[0] == '.' && (name.length == 1 || name.length == 2 && name[1] == '.');
  }

  private void takeName(RawPath source, byte[] newName) throws Failure {
    if (newName == SELF || request.sources().size() == 1) {
      return;
    }
    RawPath place = RawPath.of(newName);
    RawPath other = taken.putIfAbsent(place, source);
    if (other != null) {
      throw Failure.of(
          ExitCode.USAGE,
          PathLabel.of(directory.resolve(newName).bytes()),
          "both " + other + " and " + source + " would go here");
    }
  }

  private void refuseItself(RawPath source, FileStatus status, byte[] newName) throws Failure {
    try {
      FileStatus existing = anchor.target.statusOf(newName);
      if (existing != null && existing.isSameFile(status)) {
        throw Failure.of(
                ExitCode.EXISTS,
                PathLabel.of(directory.resolve(newName).bytes()),
                "is the same directory as " + source)
            .with("it is unharmed");
      }
    } catch (IOException e) {
      throw Reasons.destination(PathLabel.of(directory.resolve(newName).bytes()), e);
    }
    if (ancestry.has(status)) {
      throw Failure.of(
          ExitCode.USAGE,
          source.toString(),
          "cannot be copied into itself, to " + PathLabel.of(directory.resolve(newName).bytes()));
    }
  }

  private static boolean isDirectory(RawPath path) throws Failure {
    try {
      FileStatus status = FileStatus.ofExisting(path.toPath());
      return status != null && status.isDirectory();
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }
}
