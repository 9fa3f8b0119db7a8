package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy.Numbered;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.ListedNames;
import dev.zcp.walk.NameLists;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The sources and the target of a command, and which source goes where, as with cp(1).
final class Operands {

  private static final byte[] SELF = {'.'};
  private static final byte[] NO_PATH = {};
  private static final byte[] STANDARD_STREAM = {'-'};

  private final CopyContext context;
  private final CopyRequest request;
  private final Walk walk;
  private final FileCopier files;

  /// Whether the sources go into the target under their own names, and do not become it.
  private final boolean into;

  /// Whether the one source, a directory, is copied to a directory that is named with a slash at
  /// its end: so a link to one is followed.
  private final boolean becomesContent;

  /// The directory that sources go into, or that holds the target.
  private final RawPath directory;

  /// What the target's names are taken by.
  private final Map<RawPath, Taken> taken = new HashMap<>();

  /// The target directory and all that it is in, up to the root: whichever way one came there.
  private final List<FileStatus> ancestry;

  private final OperandRoots roots;

  private record Taken(RawPath source, FileStatus status) {}

  /// @throws Failure if the target is none for these sources; nothing was made then
  Operands(CopyContext context, Walk walk, FileCopier files) throws Failure {
    this.context = context;
    this.request = context.request();
    this.walk = walk;
    this.files = files;
    RawPath target = request.target();
    boolean isDirectory = isDirectory(target);
    this.into = request.placement() != Placement.EXACTLY && isDirectory;
    if (request.placement() == Placement.INSIDE && !into) {
      throw noDirectory(", and -t needs one");
    }
    if (request.sources().size() > 1 && !into) {
      throw Failure.of(
          ExitCode.DESTINATION, target, "not a directory, but several sources need one");
    }
    if (request.form().parents() && !into) {
      throw noDirectory(", and --parents needs one");
    }
    this.becomesContent = !into && isDirectory && target.endsInSlash();
    this.directory = into || becomesContent ? target : target.parent();
    if (request.assurance().compareOnly()) {
      refuseMerged("--verify-only compares it with one");
    } else if (request.deleting() != null) {
      refuseMerged("--delete would delete what the others have");
    }
    this.roots = new OperandRoots(walk, directory);
    try (OpenDirectory open = OpenDirectory.open(directory)) {
      this.ancestry = ancestry(open);
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, target, "its directory does not exist")
          .with("create it first")
          .because(e);
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  private static List<FileStatus> ancestry(OpenDirectory directory) throws IOException {
    List<FileStatus> directories = new ArrayList<>();
    directories.add(directory.status());
    OpenDirectory above = directory.above();
    // The root is in itself.
    while (!above.status().isSameFile(directories.getLast())) {
      directories.add(above.status());
      try (OpenDirectory below = above) {
        above = below.above();
      }
    }
    above.close();
    return directories;
  }

  /// Hands every source to the workers.
  void addAll() {
    for (RawPath source : request.sources()) {
      try {
        add(source);
      } catch (Failure failure) {
        context.errors().tell(source, failure);
      }
    }
    roots.flush();
  }

  /// Hands to the workers what a list names of the one source, as the list is read.
  void addListed(InputStream standardInput) throws Failure {
    RawPath source = request.sources().getFirst();
    byte[] name = OperandRoots.name(source);
    FileStatus status = roots.hold(source, name, true);
    try {
      if (!status.isDirectory()) {
        throw Failure.of(ExitCode.SOURCE, source, "not a directory")
            .with("--files-from lists what is in a directory");
      }
      refuseSameDirectory(source, status, newName(name));
    } finally {
      roots.release();
    }
    Folder top = top(name, true);
    try (NameLists names = NameLists.open(request.selection().names(), standardInput)) {
      new ListedNames(walk, top, () -> {}, true).add(names);
    } catch (IOException e) {
      throw Reasons.source(request.selection().names().file(), e);
    }
    roots.flush();
  }

  private void add(RawPath source) throws Failure {
    if (source.isStandardStream()) {
      addStandardInput();
      return;
    }
    byte[] name = OperandRoots.name(source);
    Links links = request.selection().links();
    byte[] path = request.form().parents() ? OperandRoots.pathBelowRoot(source) : NO_PATH;
    // No directory leads to a path without names, such as `.`.
    boolean isWithParents = path.length > 0;
    boolean follow = links != Links.KEPT || source.endsInSlash();
    FileStatus status = roots.hold(source, name, follow);
    try {
      byte[] newName = isWithParents ? path : newName(name);
      if (isNamedTwice(source, status, newName)) {
        return;
      }
      if (status.isDirectory()) {
        if (!request.selection().recursive()) {
          throw Failure.of(ExitCode.USAGE, source, "is a directory").with("-r copies it");
        }
        refuseItself(source, status, newName);
        if (isWithParents) {
          roots.addWithParents(source, path, true);
        } else {
          walk.push(top(name, follow));
        }
        return;
      }
      if (source.endsInSlash()) {
        throw Failure.of(ExitCode.SOURCE, source, "not a directory");
      }
      if (becomesContent) {
        throw Failure.of(ExitCode.EXISTS, request.target(), "is a directory");
      }
      if (!into && request.target().endsInSlash()) {
        throw noDirectory("");
      }
      if (isWithParents) {
        roots.addWithParents(source, path, false);
      } else {
        roots.add(name, into ? null : newName, status.type());
      }
    } finally {
      roots.release();
    }
  }

  /// Copies it at once, and not beside what else is copied.
  private void addStandardInput() throws Failure {
    if (into) {
      throw Failure.of(
          ExitCode.USAGE, directory, "is a directory, but standard input needs the name of a file");
    }
    Folder anchor = roots.holdTarget();
    try {
      byte[] name = OperandRoots.name(request.target());
      files.copyStandardInput(new Entry(anchor, STANDARD_STREAM, name, false, true));
    } finally {
      roots.release();
    }
  }

  /// The content of `.`, `..` and `/` goes into the target as it is: they have no name there.
  private byte[] newName(byte[] name) {
    if (becomesContent) {
      return SELF;
    }
    byte[] own = into ? name : OperandRoots.name(request.target());
    return OperandRoots.isDots(own) && into ? SELF : own;
  }

  private Folder top(byte[] name, boolean follow) {
    byte[] newName = newName(name);
    return roots.top(name, newName, follow, !into || newName == SELF);
  }

  /// Directories of one name are merged; what is named twice is copied once, as by cp(1).
  ///
  /// @throws Failure USAGE if another source has taken the name in the target
  private boolean isNamedTwice(RawPath source, FileStatus status, byte[] newName) throws Failure {
    if (newName == SELF || request.sources().size() == 1) {
      return false;
    }
    Taken other = taken.putIfAbsent(RawPath.of(newName), new Taken(source, status));
    if (other == null) {
      return false;
    }
    if (other.status().isSameFile(status)) {
      context.insight().note(source + ": is named twice, and copied once");
      return true;
    }
    boolean merge = status.isDirectory() && other.status().isDirectory();
    boolean backsUp =
        request.policy().backup() != null
            && request.policy().backup().numbered() == Numbered.ALWAYS;
    if (merge || backsUp) {
      // What is in both fails for the later one, so all of the other must be there.
      context.finish(walk.workers());
      return false;
    }
    throw Failure.of(
        ExitCode.USAGE,
        labelOf(newName),
        "both " + other.source() + " and " + source + " would go here");
  }

  /// Two sources that go to one name have each what the other has not, and the later one's files
  /// may have replaced the earlier one's.
  private void refuseMerged(String why) throws Failure {
    Set<RawPath> names = new HashSet<>();
    for (RawPath source : request.sources()) {
      byte[] name = newName(OperandRoots.name(source));
      boolean isMerged = name == SELF ? request.sources().size() > 1 : !names.add(RawPath.of(name));
      if (isMerged) {
        throw Failure.of(ExitCode.USAGE, labelOf(name), "several sources go there, and " + why)
            .with("use a command for each");
      }
    }
  }

  private void refuseItself(RawPath source, FileStatus status, byte[] newName) throws Failure {
    refuseSameDirectory(source, status, newName);
    for (FileStatus above : ancestry) {
      if (above.isSameFile(status)) {
        throw Failure.of(
            ExitCode.USAGE, source, "cannot be copied into itself, to " + labelOf(newName));
      }
    }
  }

  private void refuseSameDirectory(RawPath source, FileStatus status, byte[] newName)
      throws Failure {
    try {
      FileStatus existing = roots.anchor().target().statusOf(newName);
      if (existing != null && existing.isSameFile(status)) {
        throw Failure.of(ExitCode.EXISTS, labelOf(newName), "is the same directory as " + source)
            .with("it is unharmed");
      }
    } catch (IOException e) {
      throw Reasons.destination(labelOf(newName), e);
    }
  }

  private String labelOf(byte[] newName) {
    return Folder.pathLabel(directory.resolve(newName).bytes());
  }

  /// @param wants who needs one, with a comma before it; may be empty
  private Failure noDirectory(String wants) {
    RawPath target = request.target();
    // Without the slash at its end, which the kernel takes for the name of a directory.
    if (Files.exists(target.toPath())) {
      return Failure.of(ExitCode.DESTINATION, target, "not a directory" + wants);
    }
    return Failure.of(ExitCode.DESTINATION, target, "no such directory" + wants)
        .with("create it first");
  }

  /// A link that leads nowhere is no directory, whatever is wrong with it.
  private static boolean isDirectory(RawPath path) throws Failure {
    try {
      FileStatus status = FileStatus.ofExisting(path);
      return status != null && status.isDirectory();
    } catch (FileSystemLoopException e) {
      return false;
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }
}
