package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndsTest {

  @TempDir Path dir;

  @Test
  void aFileIsAFileOfItsDevice() throws Exception {
    RawPath file = RawPath.of(Files.writeString(dir.resolve("file"), "content"));
    Route.Traits traits = new Route.Traits(Kind.FILE, true, false, FileStatus.of(dir).device());
    assertThat(Ends.ofSource(file)).isEqualTo(traits);
    assertThat(Ends.ofTarget(file)).isEqualTo(traits);
    assertThat(Ends.bytesOf(file)).isEqualTo(7);
  }

  @Test
  void aTargetThatIsNotThereYetWillBeAFileBesideItsSiblings() throws Exception {
    Route.Traits traits = new Route.Traits(Kind.FILE, true, false, FileStatus.of(dir).device());
    assertThat(Ends.ofTarget(RawPath.of(dir.resolve("new")))).isEqualTo(traits);
    assertThat(Ends.ofTarget(RawPath.of(dir))).as("into a directory").isEqualTo(traits);
    assertThat(Ends.ofTarget(RawPath.of("new-file-of-the-working-directory")).kind())
        .isEqualTo(Kind.FILE);
  }

  @Test
  void whatGivesBytesInOrderHasNoDeviceAndNoLength() throws Exception {
    RawPath fifo = RawPath.of(Programs.fifo(dir.resolve("fifo")));
    RawPath device = RawPath.of("/dev/null");
    RawPath standard = RawPath.of("-");
    assertThat(Ends.ofSource(fifo)).isEqualTo(inOrder(Kind.PIPE)).isEqualTo(Ends.ofTarget(fifo));
    assertThat(Ends.ofSource(device)).isEqualTo(inOrder(Kind.STREAM));
    assertThat(Ends.ofTarget(device)).isEqualTo(inOrder(Kind.STREAM));
    assertThat(Ends.ofSource(standard)).isEqualTo(Ends.ofTarget(standard));
    for (RawPath path : new RawPath[] {fifo, device, standard}) {
      assertThat(Ends.bytesOf(path)).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void anAddressIsASocketUnlessAFileHasItsName() throws Exception {
    assertThat(Ends.ofTarget(RawPath.of("localhost:5230"))).isEqualTo(inOrder(Kind.SOCKET));
    assertThat(Ends.ofTarget(RawPath.of("zcp+plain://k@[::1]:5230")).kind()).isEqualTo(Kind.SOCKET);
    RawPath file = RawPath.of(Files.createFile(dir.resolve("localhost:5230")));
    assertThat(Ends.ofTarget(file).kind()).isEqualTo(Kind.FILE);
    assertThat(Ends.ofTarget(RawPath.of(dir.resolve("other:5230"))).kind()).isEqualTo(Kind.FILE);
  }

  @Test
  void whatCannotBeCopiedIsRefused() throws IOException {
    requireFailure(ExitCode.SOURCE, () -> Ends.ofSource(RawPath.of(dir.resolve("missing"))));
    requireFailure(ExitCode.USAGE, () -> Ends.ofSource(RawPath.of(dir)));
    requireFailure(
        ExitCode.DESTINATION, () -> Ends.ofTarget(RawPath.of(dir.resolve("missing/new"))));
    RawPath file = RawPath.of(Files.createFile(dir.resolve("file")));
    requireFailure(ExitCode.SOURCE, () -> Ends.ofSource(RawPath.of(file + "/")));
    Path socket = dir.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      requireFailure(ExitCode.SOURCE, () -> Ends.ofSource(RawPath.of(socket)));
      requireFailure(ExitCode.DESTINATION, () -> Ends.ofTarget(RawPath.of(socket)));
    }
  }

  private static Route.Traits inOrder(Kind kind) {
    return new Route.Traits(kind, true, false, Route.Traits.NO_DEVICE);
  }

  private static void requireFailure(ExitCode exitCode, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(exitCode));
  }
}
