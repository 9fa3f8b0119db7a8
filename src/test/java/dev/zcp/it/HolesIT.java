package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trees of files with holes and without, copied within a file system and from one to another.
class HolesIT {

  private static final int KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  private Path tree;

  @BeforeEach
  void makeTheTree() throws IOException {
    tree = Files.createDirectory(folder.resolve("tree"));
    for (int bytes : new int[] {0, 1, 4096, 20 * KIB, 200 * KIB, 5 << 20}) {
      byte[] content = new byte[bytes];
      new Random(bytes).nextBytes(content);
      Files.write(tree.resolve("whole" + bytes), content);
    }
    holed("small", 64 * KIB);
    holed("large", 80 * MIB + 5);
    holed("huge", 20_000 * MIB);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void holesStayHolesOnTheWayAndWithin(String type) throws Exception {
    try (Mounted mount = Mounted.inFile(folder, type, "1G")) {
      Path there = mount.path().resolve("there");
      Path again = mount.path().resolve("again");
      copy(tree, there);
      assertSame(tree, there);
      copy(there, again);
      assertSame(there, again);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void filesShareTheirExtentsWhereTheyCan(String type) throws Exception {
    try (Mounted mount = Mounted.inFile(folder, type, "1G")) {
      Path there = mount.path().resolve("there");
      copy(tree, there);
      Path again = mount.path().resolve("again");
      copy(there, again);
      for (String name : List.of("whole20480", "whole204800", "whole5242880", "large")) {
        assertThat(said("filefrag", "-v", again.resolve(name).toString()))
            .as(name)
            .contains("shared");
      }
    }
  }

  private void copy(Path from, Path to) throws Exception {
    assertThat(BuiltZcp.run(folder, "copy", "-r", "-q", from.toString(), to.toString()))
        .isEqualTo(new BuiltZcp.Ended(0, "", ""));
  }

  private static void assertSame(Path from, Path to) throws Exception {
    try (var files = Files.list(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(file.getFileName());
        // To compare 20 GB of nothing takes too long.
        if (Files.size(file) < 1000 * MIB) {
          assertThat(Files.mismatch(file, copy)).as(copy.toString()).isEqualTo(-1);
        }
        assertThat(Files.size(copy)).isEqualTo(Files.size(file));
        if (file.getFileName().toString().matches("small|large|huge")) {
          assertThat(blocks(copy)).as(copy.toString()).isLessThanOrEqualTo(blocks(file) + 8);
        }
      }
    }
  }

  private static long blocks(Path file) throws Exception {
    return Long.parseLong(said("stat", "-c", "%b", file.toString()).strip());
  }

  private static String said(String... command) throws Exception {
    Programs.assume(command[0]);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private void holed(String name, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(tree.resolve(name).toFile(), "rw")) {
      file.setLength(bytes);
      file.write("begin".getBytes(StandardCharsets.US_ASCII));
      file.seek(bytes / 2);
      file.write("middle".getBytes(StandardCharsets.US_ASCII));
      file.seek(bytes - 3);
      file.write("end".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
