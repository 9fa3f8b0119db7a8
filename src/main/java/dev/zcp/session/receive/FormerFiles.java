package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.FormerCopies;
import dev.zcp.place.PlaceLink;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.session.Admission;
import dev.zcp.tree.AttributeSource;
import dev.zcp.wire.EntryPath;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/// The former copies of what comes in a session, by its paths there: a directory that is null is
/// the receiver's own. Any thread may call it.
final class FormerFiles implements Closeable {

  private static final byte[] TARGET = {};

  private final FormerCopies copies;

  /// Whether the copies are of the first name, and so have not that in their paths.
  private final boolean areOfName;

  private FormerFiles(FormerCopies copies, boolean areOfName) {
    this.copies = copies;
    this.areOfName = areOfName;
  }

  /// @return null if there are none
  /// @throws Failure as [FormerCopies#open]
  static FormerFiles open(Terms terms) throws Failure {
    Admission.Former former = terms.admission().former();
    return former.trees().isEmpty()
        ? null
        : new FormerFiles(
            FormerCopies.open(
                former.trees(),
                former.target(),
                terms.metadata(),
                PlaceLink.ofFormerCopies(terms.conflict(), terms.partials(), terms.durability())),
            former.isOfName());
  }

  /// Whether something may be in a directory once it is made.
  boolean hasDirectory(EntryPath directory) {
    return copies.hasDirectory(below(directory));
  }

  /// As [FormerCopies#isLike].
  boolean isLike(Claim claim, EntryPath directory) throws IOException {
    return copies.isLike(claim, below(directory));
  }

  /// As [FormerCopies#link].
  Linked link(Claim claim, EntryPath directory, AttributeSource attributes)
      throws IOException, Failure {
    return copies.link(claim, below(directory), attributes);
  }

  /// Whether [#link] would find one.
  boolean has(Claim claim, EntryPath directory, AttributeSource attributes) throws IOException {
    return copies.plan(claim, below(directory), attributes) != Linked.OBSTACLE;
  }

  /// As [FormerCopies#open].
  NativeFile open(Claim claim, EntryPath directory) throws IOException {
    return copies.open(claim, below(directory));
  }

  /// As [FormerCopies#openVersion].
  NativeFile openVersion(Claim claim, EntryPath directory) throws IOException {
    return copies.openVersion(claim, below(directory));
  }

  private byte[] below(EntryPath directory) {
    if (directory == null || directory.isTop()) {
      return TARGET;
    }
    byte[] path = directory.bytes();
    if (!areOfName) {
      return path;
    }
    int at = 0;
    while (at < path.length && path[at] != '/') {
      at++;
    }
    return at == path.length ? TARGET : Arrays.copyOfRange(path, at + 1, path.length);
  }

  @Override
  public void close() {
    copies.close();
  }
}
