package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.AttributeComparison;
import dev.zcp.tree.FileKey;
import dev.zcp.tree.Handle;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Preserve;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Compares what is there with the sources, on the way that a [TreeCopy] goes, in place of copying.
/// Any thread may call it that holds the folder.
///
/// As with `diff -r`, what only one of two directories has is a difference, and a directory is
/// named without what is in it. What a filter leaves out is looked at on neither side, and sockets
/// are not either, since they are not copied.
final class TreeComparison implements Visitor {

  private final CopyContext context;
  private final Verification verification;

  /// Null until the walk begins.
  private Walk walk;

  private final LinkStructure links = new LinkStructure();
  private final AttributeComparison attributes;
  private final LongAdder compared = new LongAdder();
  private final LongAdder differing = new LongAdder();

  TreeComparison(CopyContext context, Verification verification) {
    this.context = context;
    this.verification = verification;
    Preserve preserve = context.request().preserve();
    this.attributes = new AttributeComparison(preserve.xattr(), preserve.acl());
  }

  @Override
  public void begin(Walk newWalk) {
    walk = newWalk;
  }

  /// The request as it is compared. A tree that was copied to a name that was free is there now, so
  /// that the same command would copy into it: if the target has no entry of the source's name, it
  /// is the target itself that is compared.
  static CopyRequest placed(CopyRequest request) throws Failure {
    RawPath target = request.target();
    RawPath source = request.sources().getFirst();
    byte[] name = source.lastComponent();
    boolean asFound = request.placement() == Placement.AS_FOUND && request.sources().size() == 1;
    if (!asFound || name.length == 0) {
      return request;
    }
    try {
      FileStatus from = FileStatus.ofExisting(source);
      FileStatus to = FileStatus.ofExisting(target);
      boolean directories = from != null && from.isDirectory() && to != null && to.isDirectory();
      return directories && !FileStatus.exists(target.resolve(name))
          ? request.withPlacement(Placement.EXACTLY)
          : request;
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// @throws Failure INTEGRITY if the target has no such directory
  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure {
    Folder parent = folder.parent();
    byte[] name = folder.targetName();
    FileStatus target = parent.target().statusOf(name);
    if (target == null) {
      throw difference(parent.targetLabel(name), "is missing");
    }
    if (!target.isDirectory()) {
      throw difference(parent.targetLabel(name), "is not a directory, but its source is");
    }
    OpenDirectory directory = parent.target().directory(name, false);
    return new Entered(directory, false);
  }

  /// Compares a directory, besides what is in it.
  @Override
  public void leave(Folder folder) throws IOException, Failure {
    if (context.partials().isAbandoned()) {
      return;
    }
    walk.folders().hold(folder);
    try {
      directory(folder);
      walk.folders().complete(folder);
    } finally {
      walk.folders().release(folder);
    }
  }

  private void directory(Folder folder) throws IOException {
    compared.increment();
    Object label = new TargetName(folder.parent(), folder.targetName());
    Differences differences = new Differences(context.request().preserve());
    differences.metadata(folder.sourceStatus(), folder.targetStatus());
    differences.addAll(
        attributes.differences(
            Handle.of(folder.source().descriptor()), Handle.of(folder.target().descriptor())));
    tell(label, differences);
  }

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    if (type == FileType.SOCKET) {
      context.insight().skipped(entry.label().toString(), "is a socket, and is not copied");
      return;
    }
    FileStatus source = status != null ? status : entry.status(entry.follow());
    try {
      FileStatus target = entry.folder().target().statusOf(entry.newName());
      if (target == null) {
        throw difference(nameOf(entry), "is missing");
      }
      compared.increment();
      Differences differences = new Differences(context.request().preserve());
      if (!differences.type(source, target)) {
        tell(nameOf(entry), differences);
      } else if (source.isRegular()) {
        file(entry, differences);
      } else {
        other(entry, source, target, differences);
      }
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    }
  }

  /// Names what the target's directory has and the source's has not.
  @Override
  public void listed(Folder folder, Listing listing) throws Failure {
    try {
      listing.begin(folder.target(), 0);
      while (listing.next(folder.target())) {
        byte[] name = listing.name();
        if (folder.source().statusOf(name) == null && !isLeftOut(folder, name)) {
          String label = folder.targetLabel(name);
          context.errors().tell(label, difference(label, "is not in the source"));
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(folder.parent().targetLabel(folder.targetName()), e);
    }
  }

  /// Tells whether there was any difference: then that is how the command ends.
  void tellEnd() {
    long count = differing.sum();
    if (count > 0) {
      context
          .insight()
          .failed(
              Failure.of(
                  ExitCode.INTEGRITY,
                  "entries that differ from their source: " + count + ", compared: " + compared));
    }
  }

  private void other(Entry entry, FileStatus source, FileStatus target, Differences differences)
      throws IOException {
    if (source.isSymlink()) {
      differences.link(
          entry.folder().source().readLink(entry.name()),
          entry.folder().target().readLink(entry.newName()));
    } else {
      differences.device(source, target);
    }
    differences.metadata(source, target);
    differences.addAll(
        attributes.differences(
            Handle.of(entry.folder().source().descriptor(), entry.name()),
            Handle.of(entry.folder().target().descriptor(), entry.newName())));
    structure(entry, source, target, differences);
    tell(nameOf(entry), differences);
  }

  private void file(Entry entry, Differences differences) throws IOException, Failure {
    Object label = nameOf(entry);
    try (NativeFile source = openSource(entry);
        NativeFile target = entry.folder().target().file(entry.newName(), false)) {
      FileStatus from = source.status();
      FileStatus to = target.status();
      FileLog log = context.insight().begin(label, from.sizeBytes(), Stage.READ_BACK);
      try {
        Verification.Evidence evidence =
            differences.size(from, to)
                ? verification.compare(source, from, target, pathOf(entry), differences, log)
                : Verification.Evidence.of(Level.NONE);
        differences.metadata(from, to);
        differences.addAll(
            attributes.differences(Handle.of(source.descriptor()), Handle.of(target.descriptor())));
        structure(entry, from, to, differences);
        if (differences.isEmpty()) {
          evidence.published();
          log.done(evidence.level());
        } else {
          context.errors().tell(log, difference(label, differences.toString()));
        }
      } catch (Failure failure) {
        context.errors().tell(log, failure);
      } catch (IOException e) {
        context.errors().tell(log, Reasons.move(entry.label(), label, e));
      }
    }
  }

  private static Object nameOf(Entry entry) {
    return new TargetName(entry.folder(), entry.newName());
  }

  private static RawPath pathOf(Entry entry) {
    return entry.folder().pathInTarget(entry.newName());
  }

  private static NativeFile openSource(Entry entry) throws Failure {
    try {
      return entry.folder().source().file(entry.name(), entry.follow());
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  private void structure(
      Entry entry, FileStatus source, FileStatus target, Differences differences) {
    if (context.request().preserve().links() && (source.links() > 1 || target.links() > 1)) {
      String difference = links.difference(source, target, nameOf(entry));
      if (difference != null) {
        differences.add(difference);
      }
    }
  }

  private void tell(Object label, Differences differences) {
    if (!differences.isEmpty()) {
      context.errors().tell(label, difference(label, differences.toString()));
    }
  }

  private Failure difference(Object label, String what) {
    differing.increment();
    return Failure.of(ExitCode.INTEGRITY, label, what);
  }

  private boolean isLeftOut(Folder folder, byte[] name) throws IOException {
    FileStatus status = folder.target().statusOf(name);
    if (status == null || status.isSocket()) {
      return true;
    }
    Filter filter = context.request().selection().filter();
    return filter != Filter.NONE
        && filter.excludes(folder.pathInSource(name), status.isDirectory());
  }

  /// Which names are names of one file, of two trees that are compared. It remembers the files with
  /// more than one name, and no others. Any thread may call it.
  private static final class LinkStructure {

    private final Map<FileKey, Pair> bySource = new ConcurrentHashMap<>();
    private final Map<FileKey, Pair> byTarget = new ConcurrentHashMap<>();

    /// What the first name of a file was compared with.
    ///
    /// @param label the name of that pair, in the target
    private record Pair(FileStatus other, Object label) {}

    /// What makes a pair of names another than those before, or null.
    ///
    /// @param label the name in the target
    String difference(FileStatus source, FileStatus target, Object label) {
      Object oneSource = otherThan(bySource, source, target, label);
      if (oneSource != null) {
        return "is another file than " + oneSource + ", and their sources are one";
      }
      Object oneTarget = otherThan(byTarget, target, source, label);
      return oneTarget == null
          ? null
          : "is the same file as " + oneTarget + ", and their sources are two";
    }

    /// The name of the first pair of `one`, if that was compared with another file; or null.
    private static Object otherThan(
        Map<FileKey, Pair> first, FileStatus one, FileStatus other, Object label) {
      Pair pair =
          one.links() > 1 ? first.putIfAbsent(FileKey.of(one), new Pair(other, label)) : null;
      return pair == null || pair.other().isSameFile(other) ? null : pair.label();
    }
  }
}
