package dev.zcp.insight;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.insight.Result.Ran;
import java.util.List;

/// The log of one file, which books into the [Lane] of the thread that began it. Several
/// connections may carry one file, so any thread may call it.
final class BookedFile implements FileLog {

  private final Insight insight;
  private final Lane lane;
  private final Object name;
  private final Object sharedName;
  final Stage stepStage;
  final long beganNs;

  // All below is guarded by the lane.

  /// The neighbours among the files that are open in the lane.
  BookedFile before;

  BookedFile after;

  /// What moved bytes of this file so far; null if nothing did.
  RanLedger ran;

  /// Why the strategies that declined since the last take-over did so.
  private String declined = "";

  /// Whether it is done or has failed.
  boolean ended;

  private long bytes;

  /// @param beganNs when it began, by [System#nanoTime]
  BookedFile(
      Insight insight, Lane lane, Object name, Object sharedName, Stage stepStage, long beganNs) {
    this.insight = insight;
    this.lane = lane;
    this.name = name;
    this.sharedName = sharedName;
    this.stepStage = stepStage;
    this.beganNs = beganNs;
  }

  /// Printable.
  String name() {
    return name.toString();
  }

  Object nameObject() {
    return name;
  }

  Object sharedNameObject() {
    return sharedName;
  }

  /// A step moved so many bytes; to be called under the lane's lock.
  void add(String strategy, long more) {
    bytes += more;
    ran = ran == null ? new RanLedger() : ran;
    String because = ran.reasonOf(strategy);
    if (because == null) {
      because = declined;
      declined = "";
    }
    ran.add(strategy, more, 1, because);
  }

  @Override
  public void moved(String strategy, long offset, long bytes, long elapsedNs) {
    Lane own = insight.lane();
    if (own == lane) {
      lane.moved(this, strategy, offset, bytes, elapsedNs);
    } else {
      own.book(stepStage, this, offset, bytes, elapsedNs);
      lane.moved(this, strategy, bytes);
    }
  }

  @Override
  public void moved(String strategy, long bytes) {
    lane.moved(this, strategy, bytes);
  }

  @Override
  public void read(long offset, long bytes, long elapsedNs) {
    insight.lane().book(Stage.READ, this, offset, bytes, elapsedNs);
  }

  @Override
  public void written(long offset, long bytes, long elapsedNs) {
    insight.lane().book(Stage.WRITE, this, offset, bytes, elapsedNs);
  }

  @Override
  public void declined(String strategy, String reason) {
    synchronized (lane) {
      declined += (declined.isEmpty() ? "" : "; ") + strategy + ": " + reason;
    }
  }

  @Override
  public void sample(Stage stage, long elapsedNs) {
    sample(stage, OFFSET_UNKNOWN, 0, elapsedNs);
  }

  @Override
  public void sample(Stage stage, long offset, long bytes, long elapsedNs) {
    insight.lane().book(stage, this, offset, bytes, elapsedNs);
  }

  @Override
  public void path(String label) {
    lane.path(label);
  }

  @Override
  public void done(Level verified) {
    long elapsedNs = System.nanoTime() - beganNs;
    if (lane.complete(this, elapsedNs, verified) && insight.hearsEachFile()) {
      insight.tell(new Event.FileDone(name(), bytes(), elapsedNs, ran(), verified));
    }
  }

  @Override
  public void failed(Failure failure) {
    if (lane.end(this)) {
      insight.fileFailed(new Event.FileFailed(name(), failure));
    }
  }

  @Override
  public void left() {
    lane.end(this);
  }

  private long bytes() {
    synchronized (lane) {
      return bytes;
    }
  }

  private List<Ran> ran() {
    synchronized (lane) {
      return ran == null ? List.of() : ran.inOrder();
    }
  }
}
