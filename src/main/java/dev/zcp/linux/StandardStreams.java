package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;

/// Standard input and output as ends of a transfer.
///
/// @param in what `-` reads from; where it is a [FileInputStream], strategies see its descriptor
/// @param out what `-` writes to; where it is a [FileOutputStream], strategies see its descriptor
public record StandardStreams(InputStream in, OutputStream out) {

  /// The end that reads standard input: of a pipe, or of anything else that gives bytes in order. A
  /// file that a shell redirected is read in order too, from where the shell left it. Closing it
  /// leaves standard input open.
  public Source source() throws IOException {
    if (in instanceof FileInputStream file) {
      int descriptor = Descriptors.of(file.getFD());
      return new StreamSource(file.getChannel(), descriptor, kindOf(descriptor), false);
    }
    return new StreamSource(Channels.newChannel(in), Descriptors.NONE, Route.Kind.STREAM, false);
  }

  /// The end that writes standard output. Closing it leaves standard output open.
  ///
  /// @throws IOException where what was printed before cannot be flushed
  public Sink sink() throws IOException {
    out.flush();
    if (out instanceof FileOutputStream file) {
      int descriptor = Descriptors.of(file.getFD());
      return new StreamSink(file.getChannel(), descriptor, kindOf(descriptor), false);
    }
    return new StreamSink(Channels.newChannel(out), Descriptors.NONE, Route.Kind.STREAM, false);
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
