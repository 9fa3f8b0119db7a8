package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.TestFrames;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Manifest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A receiver's directory in a test.
final class Inbox implements Closeable {

  private final Path path;
  private final TargetDirectory target;

  Inbox(Path path) throws Failure {
    this.path = path;
    this.target = TargetDirectory.open(RawPath.of(path));
  }

  Path path(String name) {
    return path.resolve(name);
  }

  TargetDirectory target() {
    return target;
  }

  /// A place of a session that never gives way.
  TestPlace place(Existing existing, int keeps) throws Failure {
    return place(admission(existing, keeps), somebody());
  }

  TestPlace place(Admission admission, PathLocks.Holder holder) throws Failure {
    TestPlace place = new TestPlace(target.begin(admission, holder, () -> {}));
    place.admit(Offers.ANYTHING);
    return place;
  }

  TestPlace unadmitted(Admission admission) {
    return new TestPlace(target.begin(admission, somebody(), () -> {}));
  }

  /// Another one each time, as a lambda would not be.
  private static PathLocks.Holder somebody() {
    return new PathLocks.Holder() {
      @Override
      public boolean giveWay() {
        return false;
      }
    };
  }

  static Admission admission(Existing existing, int keeps) {
    return new Admission(
        existing, keeps, null, ResumeVerify.ALL, Admission.UNLIMITED, Admission.UNLIMITED, false);
  }

  static Manifest manifest(long entries, long bytes) {
    return TestFrames.manifest(
        entries, bytes, bytes, Offers.ANYTHING.level(), Offers.ANYTHING.keeps());
  }

  /// The names of all that is in it, in order.
  List<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(each -> !each.equals(path))
          .map(each -> path.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
