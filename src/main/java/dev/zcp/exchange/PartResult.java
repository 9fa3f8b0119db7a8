package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.wire.Answer;
import java.util.ArrayList;
import java.util.List;

/// What became of the files of a part at the receiver. Belongs to whoever writes them until it is
/// [told][ReceivingEnd#partDone].
public final class PartResult {

  private final TreeDigest published = new TreeDigest();

  /// Those that did not arrive: FAILED, KEPT, or ALL if the bytes are wanted.
  private final List<Answer> missing = new ArrayList<>();

  private long presentBytes;

  /// The least that was reached; null before the first.
  private Level reached;

  /// A file is published.
  ///
  /// @param hash see [FileHash]
  public void published(long hash, long size, Level level) {
    published.add(hash, size);
    reached = reached == null ? level : reached.lesser(level);
  }

  /// A file is there as it was shown, without its bytes.
  public void present(long hash, long size, Level level) {
    published(hash, size, level);
    presentBytes += size;
  }

  public void failed(long fileId, ExitCode exitCode, String text) {
    missing.add(Answer.failed(fileId, exitCode, text));
  }

  /// Its directory was not taken. The user was told of the directory.
  public void failedWithDirectory(long fileId) {
    failed(fileId, ExitCode.DESTINATION, Arrivals.NO_DIRECTORY);
  }

  /// What exists is not what was shown, and may be replaced.
  public void wanted(long fileId) {
    missing.add(Answer.of(fileId, Answer.AnswerKind.ALL));
  }

  /// What exists stays. Not to be told of a file that came [bare][dev.zcp.wire.Part.Cursor#isBare]
  /// in a part that is new: its sender knows.
  public void kept(long fileId) {
    missing.add(Answer.of(fileId, Answer.AnswerKind.KEPT));
  }

  void addTo(TreeDigest tree) {
    tree.add(published);
  }

  List<Answer> missing() {
    return missing;
  }

  /// How many bytes the published files have that came with them.
  public long bytes() {
    return published.bytes() - presentBytes;
  }

  public Level reached() {
    return reached;
  }
}
