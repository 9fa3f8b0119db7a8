package dev.zcp.io;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;

/// Standard input and output as ends of a transfer.
///
/// @param in what `-` reads from, where it is not the process's own standard input
/// @param out what `-` writes to, where it is not the process's own standard output
public record StandardStreams(InputStream in, OutputStream out) {

  private static final int STANDARD_INPUT = 0;
  private static final int STANDARD_OUTPUT = 1;

  /// The end that reads standard input: of a pipe, or of anything else that gives bytes in order. A
  /// file that a shell redirected is read in order too, from where the shell left it.
  public Source source() {
    if (in != System.in) {
      return new StreamSource(Channels.newChannel(in), Descriptors.NONE, Route.Kind.STREAM, false);
    }
    FileInputStream stream = new FileInputStream(FileDescriptor.in);
    return new StreamSource(stream.getChannel(), STANDARD_INPUT, kindOf(STANDARD_INPUT), false);
  }

  /// The end that writes standard output. Closing it leaves standard output open.
  ///
  /// @throws IOException where what was printed before cannot be flushed
  public Sink sink() throws IOException {
    out.flush();
    if (out != System.out) {
      return new StreamSink(Channels.newChannel(out), Descriptors.NONE, Route.Kind.STREAM, false);
    }
    FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
    return new StreamSink(stream.getChannel(), STANDARD_OUTPUT, kindOf(STANDARD_OUTPUT), false);
  }

  private static Route.Kind kindOf(int descriptor) {
    try {
      return SpecialFile.kindOf(FileStatus.of(Path.of("/proc/self/fd/" + descriptor)).mode());
    } catch (IOException e) {
      // Without /proc nothing is known of it but that it gives or takes bytes.
      return Route.Kind.STREAM;
    }
  }
}
