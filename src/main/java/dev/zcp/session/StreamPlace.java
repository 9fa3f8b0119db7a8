package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.spi.Sink;
import dev.zcp.wire.Meta;

/// Standard output: it takes the bytes of one file.
final class StreamPlace implements LandingPlace {

  private final Sink stream;
  private boolean taken;

  StreamPlace(Sink stream) {
    this.stream = stream;
  }

  @Override
  public synchronized Landing prepare(Meta meta, BlockDigest digest, FileLog log) throws Failure {
    if (taken) {
      throw Failure.of(
          ExitCode.DESTINATION,
          meta.name().toString(),
          "the receiver writes to standard output, which takes one file");
    }
    taken = true;
    return new StreamLanding(stream);
  }
}
