package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Anchors;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Links;
import dev.zcp.walk.ListedNames;
import dev.zcp.walk.NameLists;
import dev.zcp.walk.PathLabel;
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

  private final Anchors anchors;

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
    this.anchors = new Anchors(means.walk(), directory);
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
    anchors.flush();
  }

  /// Gives the crew what a list names of the one source, as the list is read.
  void addListed(InputStream standardInput) throws Failure {
    RawPath source = request.sources().getFirst();
    byte[] name = Anchors.name(source);
    FileStatus status = anchors.hold(source, name, true);
    try {
      if (!status.isDirectory()) {
        throw Failure.of(ExitCode.SOURCE, source.toString(), "not a directory")
            .with("a list names what is in one");
      }
      refuseItself(source, status, newName(name));
    } finally {
      anchors.release();
    }
    Folder top = top(name, true);
    try (NameLists names = NameLists.open(request.selection().names(), standardInput)) {
      new ListedNames(means.walk(), top, () -> {}).add(names);
    } catch (IOException e) {
      throw Reasons.source(request.selection().names().file(), e);
    }
    anchors.flush();
  }

  private void add(RawPath source) throws Failure {
    byte[] name = Anchors.name(source);
    Links links = request.selection().links();
    boolean follow = links != Links.KEPT || source.endsInSlash();
    FileStatus status = anchors.hold(source, name, follow);
    try {
      byte[] newName = newName(name);
      takeName(source, newName);
      if (status.isDirectory()) {
        if (!request.selection().recursive()) {
          throw Failure.of(ExitCode.USAGE, source.toString(), "is a directory")
              .with("-r copies it");
        }
        refuseItself(source, status, newName);
        means.walk().push(top(name, follow));
        return;
      }
      if (source.endsInSlash()) {
        throw Failure.of(ExitCode.SOURCE, source.toString(), "not a directory");
      }
      if (!into && request.target().endsInSlash()) {
        throw Failure.of(ExitCode.DESTINATION, request.target().toString(), "no such directory")
            .with("create it first");
      }
      anchors.add(name, into ? null : newName, status.type());
    } finally {
      anchors.release();
    }
  }

  /// The content of `.`, `..` and `/` goes into the target as it is: they have no name there.
  private byte[] newName(byte[] name) {
    byte[] own = into ? name : Anchors.name(request.target());
    return Anchors.isDots(own) && into ? SELF : own;
  }

  private Folder top(byte[] name, boolean follow) {
    byte[] newName = newName(name);
    return anchors.top(name, newName, follow, !into || newName == SELF);
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
      FileStatus existing = anchors.anchor().target().statusOf(newName);
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
      FileStatus status = FileStatus.ofExisting(path);
      return status != null && status.isDirectory();
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }
}
