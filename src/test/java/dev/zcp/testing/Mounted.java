package dev.zcp.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file system of its own, mounted for a test. It takes root, and a kernel that lets it mount; a
/// test that has neither is skipped with the reason.
public final class Mounted implements Closeable {

  private static final long BUSY_NS_MAX = 10_000_000_000L;

  private final Path path;

  private Mounted(Path path) {
    this.path = path;
  }

  /// One that a program made in a file, which is in `folder` and so is the mount point.
  ///
  /// @param size as truncate(1) takes it; the file has holes
  /// @param options to mkfs
  public static Mounted inFile(Path folder, String type, String size, String... options)
      throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    Path image = folder.resolve(type + ".img");
    Programs.run("truncate", "-s", size, image.toString());
    String[] make = new String[options.length + 2];
    make[0] = "mkfs." + type;
    System.arraycopy(options, 0, make, 1, options.length);
    make[make.length - 1] = image.toString();
    Programs.run(make);
    return mount(folder, type, "-o", "loop", image.toString());
  }

  /// An NTFS for which `a` and `A` are one name, in a file that is in `folder`.
  public static Mounted ignoringCase(Path folder) throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    assumeTrue(Programs.isInstalled("lowntfs-3g"), "no lowntfs-3g (Debian: ntfs-3g)");
    Path image = folder.resolve("ntfs.img");
    Programs.run("truncate", "-s", "16M", image.toString());
    Programs.run("mkntfs", "-F", "-Q", "-q", image.toString());
    Path place = Files.createDirectory(folder.resolve("ntfs"));
    String[] command = {"lowntfs-3g", "-o", "ignore_case", image.toString(), place.toString()};
    assumeTrue(Programs.succeeds(command), "this machine cannot mount by FUSE");
    return new Mounted(place);
  }

  /// One that is kept in memory: `tmpfs` or `ramfs`.
  public static Mounted inMemory(Path folder, String type) throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    return mount(folder, type, "-t", type, "zcp");
  }

  private static Mounted mount(Path folder, String type, String... what) throws IOException {
    Path place = Files.createDirectory(folder.resolve(type));
    String[] command = new String[what.length + 2];
    command[0] = "mount";
    System.arraycopy(what, 0, command, 1, what.length);
    command[command.length - 1] = place.toString();
    assumeTrue(Programs.succeeds(command), "this machine cannot mount " + type);
    return new Mounted(place);
  }

  /// Its root directory.
  public Path path() {
    return path;
  }

  /// The kernel frees a loop device a moment after its file system was unmounted, and holds the
  /// image until then.
  @Override
  public void close() throws IOException {
    long endNs = System.nanoTime() + BUSY_NS_MAX;
    while (!Programs.succeeds("umount", path.toString())) {
      if (System.nanoTime() > endNs) {
        Programs.run("umount", path.toString());
        return;
      }
      Thread.onSpinWait();
    }
  }
}
