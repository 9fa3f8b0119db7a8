package dev.zcp.linux;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/// A process with a pipe for its standard input and another for its standard output. Unlike Java's
/// own streams of a process, these show their descriptors, so that strategies can use them.
///
/// @param in what it writes
/// @param out what it reads
public record ChildProcess(Process process, FileInputStream in, FileOutputStream out) {

  /// Starts it. Our ends of the pipes are closed in it (O_CLOEXEC), so it sees the end of its input
  /// as soon as they are closed here.
  ///
  /// It gets no variable that may hold a key.
  public static ChildProcess start(ProcessBuilder builder) throws IOException {
    hideKeys(builder);
    try (Pipe input = new Pipe();
        Pipe output = new Pipe()) {
      FileOutputStream out = new FileOutputStream(input.writing());
      FileInputStream in = null;
      try {
        in = new FileInputStream(output.reading());
        Process process =
            builder
                .redirectInput(input.reading())
                .redirectOutput(Redirect.to(output.writing()))
                .start();
        return new ChildProcess(process, in, out);
      } catch (IOException e) {
        out.close();
        if (in != null) {
          in.close();
        }
        throw e;
      }
    }
  }

  /// Takes away the variables that may hold the key of a session, which is no business of a child.
  public static void hideKeys(ProcessBuilder builder) {
    builder.environment().remove("ZCP_KEY");
    builder.environment().remove("ZCP_URL_KEY");
  }

  /// A pipe whose ends are opened again by their names in /proc: pipe(7). That is how Java hands a
  /// descriptor to a child.
  private static final class Pipe implements Closeable {

    private final int[] ends = new int[2];

    Pipe() throws IOException {
      Errno.require(Libc.pipe(ends));
    }

    File reading() {
      return name(ends[0]);
    }

    File writing() {
      return name(ends[1]);
    }

    private static File name(int descriptor) {
      return new File("/proc/self/fd/" + descriptor);
    }

    @Override
    public void close() {
      Libc.close(ends[0]);
      Libc.close(ends[1]);
    }
  }
}
