package dev.zcp.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Remembers why it could not be written: a `PrintStream` above it only knows that it failed.
final class RememberingStream extends FilterOutputStream {

  private String failure = "";

  RememberingStream(OutputStream out) {
    super(out);
  }

  /// The first cause, or empty where all went well.
  String failure() {
    return failure;
  }

  @Override
  public void write(int b) throws IOException {
    try {
      out.write(b);
    } catch (IOException e) {
      throw remember(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw remember(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw remember(e);
    }
  }

  private IOException remember(IOException e) {
    if (failure.isEmpty()) {
      failure = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    return e;
  }
}
