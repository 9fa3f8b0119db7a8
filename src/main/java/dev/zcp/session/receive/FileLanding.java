package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Preserver.Replaced;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// A file that comes down beside its place, under a hidden name, and gets its own when it is
/// complete; or is thrown away there.
final class FileLanding implements Landing {

  private final Terms terms;
  private final Offered entry;
  private final OpenDirectory directory;
  private final ResumableFile file;
  private final WhenOver whenOver;

  // Guarded by this.
  private boolean over;
  private boolean closed;

  private volatile long bytesBelieved;

  /// @param directory where it comes down, which stays open until `whenOver`
  /// @param whenOver told when the file has its name or never will
  FileLanding(
      Terms terms, Offered entry, OpenDirectory directory, ResumableFile file, WhenOver whenOver) {
    this.terms = terms;
    this.entry = entry;
    this.directory = directory;
    this.file = file;
    this.whenOver = whenOver;
  }

  @Override
  public Sink sink() {
    return file.file();
  }

  @Override
  public Source written() {
    return file.file();
  }

  @Override
  public void begin(Span span) throws Failure {
    try {
      file.takeBack(span);
    } catch (IOException e) {
      throw Reasons.destination(entry.path(), e);
    }
  }

  @Override
  public void hole(Span span) throws IOException {
    file.hole(span);
  }

  @Override
  public void verified(Span span, int crc32c) {
    long startedNs = System.nanoTime();
    if (!span.isEmpty() && file.append(span, crc32c)) {
      terms.work().sample(Stage.JOURNAL, System.nanoTime() - startedNs);
    }
  }

  @Override
  public Level publish(Ending ending, Level level) throws Failure {
    if (!beginEnd()) {
      throw new IllegalStateException("the landing of " + entry.path() + " is over");
    }
    boolean published = false;
    boolean isOfUse = true;
    try {
      requireSize(ending.size());
      Level reached =
          ReadBack.prove(
              file.file(), ending.size(), ending.crc32c(), level, terms.work(), entry.path());
      // Who has read the whole file need not believe anything of it.
      bytesBelieved = reached == Level.WIRE ? file.bytesBelieved() : 0;
      if (terms.discards()) {
        file.forgo();
      } else {
        reveal();
      }
      published = true;
      return bytesBelieved == 0 ? reached : Level.NONE;
    } catch (IOException e) {
      throw Arrivals.withKept(Reasons.destination(entry.path(), e), file.keptBytes());
    } catch (Failure e) {
      isOfUse = e.exitCode() == ExitCode.DESTINATION;
      throw e;
    } finally {
      if (!published && isOfUse) {
        file.keep();
      } else if (!published) {
        file.drop();
      }
      if (!published || !terms.discards()) {
        end(published);
      }
    }
  }

  @Override
  public long bytesBelieved() {
    return bytesBelieved;
  }

  @Override
  public String leftBehind() {
    return file.leftBehind();
  }

  @Override
  public long bytesToKeep() {
    return file.keptBytes();
  }

  private void reveal() throws IOException, Failure {
    Replaced replaced = replaced();
    Given given = terms.given(entry);
    long startedNs = System.nanoTime();
    terms
        .preserver()
        .file(given.attributes(), given.status(), directory, file.file(), replaced, entry.path());
    long completeNs = System.nanoTime();
    terms.work().sample(Stage.METADATA, completeNs - startedNs);
    try {
      file.file().close();
    } catch (IOException e) {
      // Some file systems say only here what they could not write, whatever the journal tells.
      file.drop();
      throw e;
    }
    try {
      file.reveal(name(), terms.replaces());
    } catch (FileAlreadyExistsException e) {
      throw Terms.taken(entry).because(e);
    }
    terms.work().sample(Stage.PUBLISH, System.nanoTime() - completeNs);
  }

  @Override
  public long keep() {
    if (!beginEnd()) {
      return 0;
    }
    long kept = file.keptBytes();
    file.keep();
    end(false);
    return kept;
  }

  @Override
  public void drop() {
    if (beginEnd()) {
      file.drop();
      end(false);
    }
  }

  @Override
  public void close() {
    keep();
    boolean mine;
    synchronized (this) {
      mine = !closed;
    }
    if (mine) {
      // What was discarded is freed by this.
      file.drop();
      end(false);
    }
  }

  private synchronized boolean beginEnd() {
    boolean first = !over;
    over = true;
    return first;
  }

  private void end(boolean arrived) {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    whenOver.over(arrived);
  }

  private byte[] name() {
    return entry.path().name().bytes();
  }

  /// Every byte is there, as the sender's digest and the count of its blocks say; the file's end
  /// may be a hole that nobody wrote.
  private void requireSize(long bytes) throws IOException, Failure {
    long there = file.file().status().sizeBytes();
    if (there != bytes) {
      throw Failure.of(
          ExitCode.INTEGRITY,
          entry.path().toString(),
          "has " + there + " bytes in place of " + bytes);
    }
  }

  /// What loses its name to this one, or null.
  private Replaced replaced() throws IOException, Failure {
    if (!terms.replaces()) {
      return null;
    }
    byte[] name = name();
    FileStatus there = directory.statusOf(name);
    if (there != null && there.isDirectory()) {
      throw Terms.takenByDirectory(entry);
    }
    return there != null && there.isRegular() ? new Replaced(directory, name, there) : null;
  }
}
