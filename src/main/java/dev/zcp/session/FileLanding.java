package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.io.HeldDirectory;
import dev.zcp.spi.Sink;
import dev.zcp.tree.Metadata;
import dev.zcp.tree.PartialFile;
import dev.zcp.tree.Staging;
import dev.zcp.wire.Meta;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// A file that comes down as a partial file in the receiver's directory, to get its final name
/// there or to be thrown away. Its digest is that of what can be read back from it.
final class FileLanding implements Landing {

  private final Meta meta;
  private final Existing existing;
  private final boolean discard;
  private final PartialFile partial;
  private final BlockDigest digest;
  private final FileLog log;

  /// @param discard whether it is thrown away where it would get its name
  /// @throws IOException where no partial file can be created
  FileLanding(
      HeldDirectory directory,
      Staging staging,
      Meta meta,
      Existing existing,
      boolean discard,
      BlockDigest digest,
      FileLog log)
      throws IOException {
    this.meta = meta;
    this.existing = existing;
    this.discard = discard;
    this.partial = staging.create(directory);
    this.digest = digest;
    this.log = log;
  }

  @Override
  public Sink sink() {
    return partial.end();
  }

  @Override
  public void beginBlock(Span block) {
    digest.begin(partial.end(), block.offset(), log);
  }

  @Override
  public void advance(long offset) {
    digest.advance(offset);
  }

  @Override
  public long finishBlock() throws IOException {
    return digest.finish();
  }

  @Override
  public boolean publish() throws Failure {
    if (discard) {
      forgo();
      return false;
    }
    Instant modified = Instant.ofEpochSecond(meta.mtimeSeconds(), meta.mtimeNanos());
    Metadata metadata = Metadata.ofNew(meta.mode()).withModified(FileTime.from(modified));
    long startedNs = System.nanoTime();
    try {
      if (existing == Existing.REPLACE) {
        partial.publish(meta.name(), metadata);
      } else {
        partial.publishNew(meta.name(), metadata);
      }
    } catch (FileAlreadyExistsException e) {
      throw taken(meta).because(e);
    } catch (IOException e) {
      throw Reasons.destination(meta.name(), e);
    }
    log.sample(Stage.PUBLISH, System.nanoTime() - startedNs);
    return true;
  }

  /// What it takes to free the bytes comes with the landing's own discard, after the answer.
  private void forgo() throws Failure {
    if (!partial.delete()) {
      throw Failure.of(
          ExitCode.DESTINATION, meta.name().toString(), "the partial file cannot be deleted");
    }
  }

  @Override
  public void discard() {
    partial.discard();
  }

  static Failure taken(Meta meta) {
    return Failure.of(ExitCode.EXISTS, meta.name().toString(), "already exists")
        .with("it is kept; a receiver with --overwrite replaces it");
  }
}
