package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.insight.Event;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Partials;
import dev.zcp.testing.FileContent;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class VerificationTest {

  private static final RawPath NAME = RawPath.of("below/target");

  /// Several pieces, and a part of one.
  private static final int BYTES = 3 * FileComparison.PIECE_BYTES + 4321;

  @TempDir Path dir;

  private final List<String> notes = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final byte[] content = new byte[BYTES];
  private Result result;

  @BeforeEach
  void makeContent() throws IOException {
    new Random(1).nextBytes(content);
    Files.write(dir.resolve("source"), content);
    Files.write(dir.resolve("target"), content);
  }

  @Test
  void aCopyThatIsTheSameReachesTheLevelThatWasAskedFor() throws Exception {
    assertThat(check(dir, Level.NONE, false)).isEqualTo(Level.NONE);
    assertThat(result.stages()).as("nothing is read").doesNotContainKey(Stage.READ_BACK);
    assertThat(check(dir, Level.READBACK, false)).isEqualTo(Level.READBACK);
    assertThat(result.stages()).containsKey(Stage.READ_BACK);
    assertThat(notes).isEmpty();
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void filesOfZerosOfAnyLengthAreReadToTheirEnd() throws Exception {
    int piece = FileComparison.PIECE_BYTES;
    for (int bytes : List.of(1, 1024, piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 1024)) {
      Files.write(dir.resolve("source"), new byte[bytes]);
      Files.write(dir.resolve("target"), new byte[bytes]);
      assertThat(check(dir, Level.READBACK, false)).isEqualTo(Level.READBACK);
    }
  }

  @Test
  void theMediaAreReadWhereThereAreAny() throws Exception {
    String type = Files.getFileStore(dir).type();
    assumeTrue(List.of("ext4", "xfs", "btrfs").contains(type), "no media known of " + type);
    assertThat(check(dir, Level.MEDIA, false)).isEqualTo(Level.MEDIA);
    assertThat(notes).isEmpty();
  }

  @Test
  void aFileSystemInMemoryHasNoMediaAndThatIsSaidOnce() throws Exception {
    Path shared = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(shared), "no /dev/shm");
    assumeTrue(Files.getFileStore(shared).type().equals("tmpfs"), "/dev/shm is no tmpfs");
    Path place = Files.createTempDirectory(shared, "zcp-proof");
    try {
      Files.write(place.resolve("source"), content);
      Files.write(place.resolve("target"), content);
      assertThat(check(place, Level.MEDIA, false)).isEqualTo(Level.READBACK);
      assertThat(notes).singleElement().asString().contains("is read back from memory");
    } finally {
      Files.delete(place.resolve("source"));
      Files.delete(place.resolve("target"));
      Files.delete(place);
    }
  }

  @Test
  void whatDiffersIsWrittenAgain() throws Exception {
    for (Level level : List.of(Level.READBACK, Level.MEDIA)) {
      flip("target", 0);
      flip("target", FileComparison.PIECE_BYTES + 17);
      flip("target", BYTES - 1);
      notes.clear();
      assertThat(check(dir, level, false)).isEqualTo(level);
      FileContent.assertHolds(dir.resolve("target"), content);
      assertThat(notes)
          .containsExactly(NAME + ": differed from its source at byte 0 and was written again");
    }
  }

  @Test
  void aLargeFileIsReadByTwoAndMendedInBothHalves() throws Exception {
    byte[] large = new byte[(int) FileComparison.TWO_THREADS_BYTES_MIN + 4321];
    new Random(2).nextBytes(large);
    for (long at : new long[] {17, large.length / 2, large.length - 1}) {
      Files.write(dir.resolve("source"), large);
      Files.write(dir.resolve("target"), large);
      assertThat(check(dir, Level.READBACK, false)).isEqualTo(Level.READBACK);
      assertThat(notes).isEmpty();
      flip("target", at);
      assertThat(check(dir, Level.READBACK, false)).isEqualTo(Level.READBACK);
      assertThat(notes)
          .containsExactly(
              NAME + ": differed from its source at byte " + at + " and was written again");
      FileContent.assertHolds(dir.resolve("target"), large);
      notes.clear();
    }
  }

  @Test
  void aTargetOfAnotherLengthFails() throws Exception {
    Files.write(dir.resolve("target"), new byte[] {content[0]});
    assertFails(ExitCode.INTEGRITY, "has 1 bytes of " + BYTES);
    Files.write(dir.resolve("source"), new byte[] {1, 2});
    Files.write(dir.resolve("target"), new byte[] {1});
    assertFails(ExitCode.INTEGRITY, "has 1 bytes of 2");
    Files.write(dir.resolve("target"), new byte[0]);
    assertFails(ExitCode.INTEGRITY, "has 0 bytes of 2");
    Files.write(dir.resolve("target"), new byte[] {1, 2, 3});
    assertFails(ExitCode.INTEGRITY, "has 3 bytes of 2");
  }

  @Test
  void aSourceThatWasWrittenToSinceIsNoFaultOfTheCopy() throws Exception {
    try (OpenDirectory folder = OpenDirectory.open(RawPath.of(dir));
        NativeFile source = folder.file(bytes("source"), false)) {
      FileStatus before = source.status();
      flip("source", BYTES / 2);
      assertThatThrownBy(() -> check(folder, source, before, Level.READBACK, false))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("its source changed before it was verified")
          .extracting(failure -> ((Failure) failure).exitCode())
          .isEqualTo(ExitCode.SOURCE);
    }
  }

  @Test
  void aFileOfProcIsComparedThoughItTellsNoLength() throws Exception {
    Path version = Path.of("/proc/version");
    Files.write(dir.resolve("target"), Files.readAllBytes(version));
    try (OpenDirectory proc = OpenDirectory.open(RawPath.of("/proc"));
        OpenDirectory folder = OpenDirectory.open(RawPath.of(dir));
        NativeFile source = proc.file(bytes("version"), false)) {
      assertThat(check(folder, source, source.status(), Level.READBACK, false))
          .isEqualTo(Level.READBACK);
      Files.write(dir.resolve("target"), new byte[] {'L'});
      assertThatThrownBy(() -> check(folder, source, source.status(), Level.READBACK, false))
          .hasMessageContaining("has 1 bytes of 0");
    }
  }

  @Test
  void theManifestHasTheDigestOfWhatIsInTheTarget() throws Exception {
    String expected =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content))
            + "  "
            + NAME
            + "\n";
    for (Level level : List.of(Level.NONE, Level.READBACK, Level.MEDIA)) {
      out.reset();
      check(dir, level, true);
      assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo(expected);
    }
    flip("target", BYTES - 1);
    out.reset();
    check(dir, Level.READBACK, true);
    assertThat(out.toString(StandardCharsets.US_ASCII)).as("once mended").isEqualTo(expected);
  }

  private void assertFails(ExitCode code, String message) {
    assertThatThrownBy(() -> check(dir, Level.READBACK, false))
        .isInstanceOf(Failure.class)
        .hasMessageContaining(message)
        .extracting(failure -> ((Failure) failure).exitCode())
        .isEqualTo(code);
  }

  private Level check(Path place, Level level, boolean listed) throws Exception {
    try (OpenDirectory folder = OpenDirectory.open(RawPath.of(place));
        NativeFile source = folder.file(bytes("source"), false)) {
      return check(folder, source, source.status(), level, listed);
    }
  }

  private Level check(
      OpenDirectory folder, NativeFile source, FileStatus status, Level level, boolean listed)
      throws Exception {
    Insight insight =
        new Insight(
            "copy",
            "auto",
            event -> {
              if (event instanceof Event.Noted noted) {
                notes.add(noted.message());
              }
            });
    // Opened as a partial file is: for reading and writing.
    Files.move(dir(folder).resolve("target"), dir(folder).resolve("whole"));
    try (NativeFile target = folder.create(bytes("target"), 0600);
        Verification verification =
            Verification.of(request(level, listed), new Partials(), streams(), insight)) {
      ByteBuffer whole = direct(Files.readAllBytes(dir(folder).resolve("whole")));
      while (whole.hasRemaining()) {
        target.write(whole, whole.position());
      }
      FileLog log = insight.begin("target", -1, Stage.COPY);
      Verification.Evidence evidence = verification.check(source, status, target, NAME, log);
      evidence.published();
      verification.finish();
      log.done(evidence.level());
      result = insight.finish();
      return evidence.level();
    } finally {
      Files.delete(dir(folder).resolve("whole"));
    }
  }

  private CopyRequest request(Level level, boolean listed) {
    Assurance assurance = new Assurance(level, listed ? RawPath.of("-") : null, false, false);
    return new CopyRequest(
        List.of(RawPath.of("a")),
        RawPath.of("b"),
        Placement.AS_FOUND,
        Choice.DEFAULT,
        Selection.FILES,
        Preserve.USUAL,
        Policy.USUAL,
        assurance,
        CopyRequest.JOBS_MEASURED,
        false,
        CopyForm.USUAL,
        null,
        0);
  }

  private StandardStreams streams() {
    return new StandardStreams(InputStream.nullInputStream(), out);
  }

  private void flip(String name, long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(dir.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) ~one.get(0));
      channel.write(one.flip(), at);
    }
  }

  private static Path dir(OpenDirectory folder) throws IOException {
    return Path.of("/proc/self/fd/" + folder.descriptor()).toRealPath();
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
