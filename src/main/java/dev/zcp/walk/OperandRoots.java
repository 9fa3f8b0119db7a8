package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/// Gives a walk the operands of a command. Those that come one after the other and are in one
/// directory share an anchor, and batches. Belongs to one thread.
public final class OperandRoots {

  private static final byte[] SELF = {'.'};

  private final Walk walk;
  private final Worker worker = new Worker();

  /// Null if there is none.
  private final RawPath directory;

  private Folder anchor;
  private RawPath anchorPath;
  private EntryBatch batch;

  /// @param directory the one that the operands go to, or null if there is none
  public OperandRoots(Walk walk, RawPath directory) {
    this.walk = walk;
    this.directory = directory;
  }

  /// The name of an operand in its directory; `/` is what `.` is there.
  public static byte[] name(RawPath operand) {
    byte[] name = operand.lastComponent();
    return name.length == 0 ? SELF : name;
  }

  /// Whether `name` is `.` or `..`, which name nothing anywhere else.
  public static boolean isDots(byte[] name) {
    return name[0] == '.' && (name.length == 1 || name.length == 2 && name[1] == '.');
  }

  /// Holds the directory that has the operand, and looks at the operand.
  ///
  /// @param name as [#name] gives it
  /// @param follow whether what a link leads to is meant
  /// @throws Failure SOURCE if it is missing or may not be looked at; nothing is held then
  public FileStatus hold(RawPath operand, byte[] name, boolean follow) throws Failure {
    RawPath parent = operand.parent();
    if (!parent.equals(anchorPath)) {
      flush();
      anchorPath = parent;
      anchor = Folder.anchor(parent, directory);
    }
    try {
      walk.folders().hold(anchor);
    } catch (Failure failure) {
      throw Failure.of(failure.exitCode(), operand, failure.reason()).because(failure);
    }
    boolean found = false;
    try {
      FileStatus status = follow ? anchor.source.statusBehind(name) : anchor.source.statusOf(name);
      if (status == null) {
        throw Failure.of(ExitCode.SOURCE, operand, "no such file or directory");
      }
      found = true;
      return status;
    } catch (IOException e) {
      throw Reasons.source(operand, e);
    } finally {
      if (!found) {
        walk.folders().release(anchor);
      }
    }
  }

  /// Holds the target's directory for what comes from no directory: standard input.
  public Folder holdTarget() throws Failure {
    flush();
    anchorPath = RawPath.of(SELF);
    anchor = Folder.anchor(anchorPath, directory);
    walk.folders().hold(anchor);
    return anchor;
  }

  /// What [#hold] held, for as long.
  public Folder anchor() {
    return anchor;
  }

  public void release() {
    walk.folders().release(anchor);
  }

  /// The operand is a directory.
  ///
  /// @param newName in the target
  /// @param isTargetRoot as [Folder#isTargetRoot]
  /// @return a folder that counts as pending, for [Walk#push] or a [ListedNames]
  public Folder top(byte[] name, byte[] newName, boolean follow, boolean isTargetRoot) {
    anchor.oneMore();
    return anchor.operand(name, newName, follow, isTargetRoot);
  }

  /// The operand is none.
  ///
  /// @param newName in the target, or null if it is the source's; else there is no other operand
  public void add(byte[] name, byte[] newName, int type) {
    if (batch == null) {
      batch = new EntryBatch(walk, anchor, newName, true);
    }
    batch.add(name, type);
    if (batch.isFull()) {
      offer();
    }
  }

  /// Takes the operand into the target under its whole path, with the directories that lead to it:
  /// `--parents`.
  ///
  /// @param path what [#pathBelowRoot] makes of it
  /// @param isDirectory whether the operand is a directory, or a link that is followed to one
  /// @throws Failure if a directory on the way cannot be opened or made
  public void addWithParents(RawPath operand, byte[] path, boolean isDirectory) throws Failure {
    RawPath root = RawPath.of(new byte[] {operand.bytes()[0] == '/' ? (byte) '/' : (byte) '.'});
    Folder from = Folder.anchor(root, directory);
    ListedNames names = new ListedNames(walk, from, () -> {}, true, true);
    try {
      if (isDirectory) {
        names.addDirectory(path);
      } else {
        names.add(path);
      }
    } finally {
      names.end();
    }
  }

  /// The names of a path but for each `.`, with one slash between them; empty if there are none.
  ///
  /// @throws Failure USAGE if one is `..`, which names nothing in the target
  public static byte[] pathBelowRoot(RawPath operand) throws Failure {
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    byte[] typed = operand.bytes();
    int start = 0;
    for (int at = 0; at <= typed.length; at++) {
      if (at == typed.length || typed[at] == '/') {
        byte[] name = Arrays.copyOfRange(typed, start, at);
        start = at + 1;
        if (name.length == 2 && isDots(name)) {
          throw Failure.of(ExitCode.USAGE, operand, "--parents takes no path with '..'");
        }
        if (name.length > 0 && !isDots(name)) {
          if (path.size() > 0) {
            path.write('/');
          }
          path.writeBytes(name);
        }
      }
    }
    return path.toByteArray();
  }

  /// There are no more operands.
  public void flush() {
    if (batch != null) {
      offer();
    }
    if (anchor != null) {
      walk.oneIsOver(anchor);
      anchor = null;
      anchorPath = null;
    }
  }

  private void offer() {
    EntryBatch full = batch;
    batch = null;
    walk.workers().offer(full, worker);
  }
}
