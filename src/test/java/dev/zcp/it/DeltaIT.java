package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.testing.Programs;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Large files of which the other machine has another version: only what differs is sent. The other
/// machine is this one, by a real sshd.
@Timeout(300)
class DeltaIT extends SshSetup {

  private static final int BYTES = 24 << 20;

  /// All but a few chunks.
  private static final long REUSED_BYTES_MIN = 22L << 20;

  private static final Pattern REUSED = Pattern.compile("\"bytesReused\":([0-9]+)");

  private final Random random = new Random(5);
  private final byte[] old = new byte[BYTES];
  private Path source;
  private Path target;

  @BeforeEach
  void makeAFile() throws Exception {
    source = Files.createDirectory(from.resolve("tree"));
    target = Files.createDirectory(to.resolve("tree"));
    sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
    random.nextBytes(old);
    Files.write(target.resolve("file"), old);
    Files.setLastModifiedTime(target.resolve("file"), FileTime.fromMillis(1_000_000));
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE", "BETWEEN", "RELAYED"})
  void ofAChangedFileOnlyWhatDiffersIsSent(Way way) throws Exception {
    byte[] changed = old.clone();
    for (int i = 0; i < 5; i++) {
      changed[random.nextInt(BYTES)]++;
    }
    Files.write(source.resolve("file"), changed);
    // Both ends are on this machine, and know it if they are connected without ssh.
    BuiltZcp.Ended ended = way == Way.BETWEEN ? sync(way, "--delta") : sync(way);
    assertThat(ended.err()).contains("from former versions there");
    assertThat(target.resolve("file")).hasBinaryContent(changed);
  }

  @Test
  void bytesThatAreInsertedMoveOnlyTheCutsBesideThem() throws Exception {
    byte[] inserted = new byte[BYTES + 1001];
    random.nextBytes(inserted);
    System.arraycopy(old, 0, inserted, 1000, BYTES / 2);
    System.arraycopy(old, BYTES / 2, inserted, 1001 + BYTES / 2, BYTES / 2);
    Files.write(source.resolve("file"), inserted);
    assertThat(reused(sync(Way.THERE, "--json"))).isGreaterThan(REUSED_BYTES_MIN);
    assertThat(target.resolve("file")).hasBinaryContent(inserted);
  }

  @Test
  void aFileThatGrewOrWasCutShortIsTakenAsFarAsItIsThere() throws Exception {
    byte[] grown = Arrays.copyOf(old, BYTES + (3 << 20));
    byte[] more = new byte[3 << 20];
    random.nextBytes(more);
    System.arraycopy(more, 0, grown, BYTES, more.length);
    Files.write(source.resolve("file"), grown);
    assertThat(reused(sync(Way.FROM_THERE, "--json"))).isGreaterThan(REUSED_BYTES_MIN);
    assertThat(target.resolve("file")).hasBinaryContent(grown);
    byte[] cut = Arrays.copyOf(grown, BYTES);
    Files.write(source.resolve("file"), cut);
    assertThat(reused(sync(Way.FROM_THERE, "--json"))).isGreaterThan(REUSED_BYTES_MIN);
    assertThat(target.resolve("file")).hasBinaryContent(cut);
  }

  @Test
  void wholeFileSendsAllAndFilesOfOneMachineAreSentWholeUnlessDeltaAsks() throws Exception {
    byte[] changed = old.clone();
    changed[7]++;
    Files.write(source.resolve("file"), changed);
    assertThat(reused(sync(Way.THERE, "--json", "--whole-file"))).isZero();
    assertThat(target.resolve("file")).hasBinaryContent(changed);
    for (boolean isForced : new boolean[] {false, true}) {
      changed[8]++;
      Files.write(source.resolve("file"), changed);
      assertThat(reused(sendHere(isForced))).isGreaterThan(isForced ? REUSED_BYTES_MIN : -1);
      assertThat(target.resolve("file")).hasBinaryContent(changed);
    }
  }

  @Test
  void holesStayHoles() throws Exception {
    Path file = source.resolve("file");
    try (FileChannel sparse =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.wrap(old, 0, 4 << 20), 100L << 20);
      sparse.write(ByteBuffer.wrap(old, 8 << 20, 4 << 20), 300L << 20);
    }
    assertThat(reused(sync(Way.THERE, "--json"))).isGreaterThan(7L << 20);
    assertThat(Files.mismatch(file, target.resolve("file"))).isEqualTo(-1);
    Object blocks = Files.getAttribute(target.resolve("file"), "unix:size");
    assertThat(blocks).isEqualTo(304L << 20);
    String used = Programs.run("du", "--block-size=1M", target.resolve("file").toString());
    assertThat(Integer.parseInt(used.split("\\s")[0])).isLessThan(20);
  }

  @Test
  void aRenamedFileIsTakenFromWhereItWas() throws Exception {
    Files.createDirectories(source.resolve("new/place"));
    Files.write(source.resolve("new/place/other name"), old);
    Files.setLastModifiedTime(
        source.resolve("new/place/other name"), FileTime.fromMillis(1_000_000));
    assertThat(reused(sync(Way.THERE, "--json", "--delete"))).isEqualTo(BYTES);
    assertThat(target.resolve("new/place/other name")).hasBinaryContent(old);
    assertThat(target.resolve("file")).doesNotExist();
  }

  @Test
  void moreRenamedFilesThanMayBeOpenAreAllTakenFromWhereTheyWere() throws Exception {
    int count = 40;
    for (int i = 0; i < count; i++) {
      byte[] content = Arrays.copyOf(old, 1 << 20);
      content[0] = (byte) i;
      for (Path file : new Path[] {target.resolve("old" + i), source.resolve("new" + i)}) {
        Files.write(file, content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(i * 1000L));
      }
    }
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"),
            words(
                "sync",
                "--json",
                "--delete",
                Way.FROM_THERE.source(source),
                Way.FROM_THERE.target(target)));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(reused(ended)).isEqualTo((long) count << 20);
    assertThat(Programs.run("diff", "-r", source.toString(), target.toString())).isEmpty();
  }

  @Test
  void aFormerCopyServesIfTheFileHasChangedSince() throws Exception {
    byte[] changed = old.clone();
    changed[BYTES / 2]++;
    Files.write(source.resolve("file"), changed);
    target = to.resolve("second");
    assertThat(reused(sync(Way.THERE, "--json", "--link-dest=../tree")))
        .isGreaterThan(REUSED_BYTES_MIN);
    assertThat(target.resolve("file")).hasBinaryContent(changed);
    assertThat(to.resolve("tree/file")).hasBinaryContent(old);
  }

  @Test
  void whatWasInterruptedGoesOnAndTheOldFileIsWholeUntilThen() throws Exception {
    byte[] changed = old.clone();
    random.nextBytes(changed);
    System.arraycopy(old, 0, changed, 0, BYTES / 2);
    Files.write(source.resolve("file"), changed);
    for (int tries = 0; tries < 6; tries++) {
      try (BuiltZcp zcp =
          BuiltZcp.start(
              folder, words("sync", "--limit-rate=1M", source.toString(), box(target)))) {
        Thread.sleep(600 + 400L * tries);
        zcp.signal("KILL");
      }
      assertThat(target.resolve("file")).hasBinaryContent(old);
    }
    BuiltZcp.Ended ended = sync(Way.THERE, "--json");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(reused(ended)).isGreaterThan(BYTES / 2 - (1L << 20));
    assertThat(target.resolve("file")).hasBinaryContent(changed);
  }

  @Test
  void onAFileSystemThatSharesBlocksNoneIsTakenForWhatIsTheSame() throws Exception {
    assumeThat(Programs.isRoot()).as("needs root to mount").isTrue();
    Programs.assume("mkfs.xfs");
    Path image = folder.resolve("image");
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Programs.run("truncate", "-s", "600M", image.toString());
    Programs.run("mkfs.xfs", "-q", "-m", "reflink=1", image.toString());
    Programs.run("mount", "-o", "loop", image.toString(), mount.toString());
    try {
      target = Files.createDirectory(mount.resolve("tree"));
      Files.write(target.resolve("file"), old);
      byte[] changed = old.clone();
      changed[BYTES / 2]++;
      Files.write(source.resolve("file"), changed);
      Files.createLink(mount.resolve("kept"), target.resolve("file"));
      assertThat(reused(sync(Way.THERE, "--json"))).isGreaterThan(REUSED_BYTES_MIN);
      assertThat(target.resolve("file")).hasBinaryContent(changed);
      assertThat(mount.resolve("kept")).hasBinaryContent(old);
      String map = Programs.run("filefrag", "-v", target.resolve("file").toString());
      assertThat(map).contains("shared");
    } finally {
      Programs.run("umount", "-l", mount.toString());
    }
  }

  private BuiltZcp.Ended sync(Way way, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of(options));
    if (way == Way.RELAYED) {
      words.add("--relay");
    }
    words.add(way.source(source));
    words.add(way.target(target));
    BuiltZcp.Ended ended = zcp("sync", words.toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended;
  }

  private BuiltZcp.Ended sendHere(boolean isForced) throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "--once",
            "--overwrite",
            "--listen=127.0.0.1:0",
            target.toString())) {
      List<String> words = new ArrayList<>(List.of("send", "--json"));
      words.addAll(isForced ? List.of("--delta") : List.of());
      words.addAll(List.of(receiver.firstLine(), source.resolve("file").toString()));
      BuiltZcp.Ended ended = BuiltZcp.run(folder, words.toArray(String[]::new));
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(receiver.end().exitCode()).isZero();
      return ended;
    }
  }

  private static long reused(BuiltZcp.Ended ended) {
    Matcher found = REUSED.matcher(ended.out());
    assertThat(found.find()).as(ended.out()).isTrue();
    return Long.parseLong(found.group(1));
  }
}
