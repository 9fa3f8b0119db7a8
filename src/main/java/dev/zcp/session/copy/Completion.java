package dev.zcp.session.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.Made;
import dev.zcp.session.Reasons;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;

/// Completes folders when all in them is over, children before their parents: an entry that is made
/// changes its directory's time, and a directory that nobody may write to takes no entry.
final class Completion {

  private final Means means;

  Completion(Means means) {
    this.means = means;
  }

  /// One of the folder's pending things is over.
  void oneIsOver(Folder folder) {
    Folder each = folder;
    while (each != null && each.pending.decrementAndGet() == 0) {
      complete(each);
      each = each.parent;
    }
  }

  private void complete(Folder folder) {
    if (!folder.isKnown() || means.partials().isAbandoned()) {
      return;
    }
    EntryName label = folder.label();
    try {
      means.folders().hold(folder);
      try {
        if (!folder.isAnchor() && means.comparison() != null) {
          means.comparison().directory(folder);
        } else if (!folder.isAnchor() && !means.request().dryRun()) {
          endow(folder, label);
          means.durability().made(folder.target);
          if (folder.created) {
            means.insight().made(Made.DIRECTORY);
          }
        }
        means.folders().complete(folder);
      } finally {
        means.folders().release(folder);
      }
    } catch (IOException e) {
      String target = folder.parent.targetLabel(folder.targetName);
      means.failures().tell(label, Reasons.destination(target, e));
    } catch (Failure failure) {
      // Of an anchor nothing is to be done, and it has no name.
      if (!folder.isAnchor()) {
        means.failures().tell(label, failure);
      }
    }
  }

  private void endow(Folder folder, EntryName label) throws IOException {
    int modeToGive = folder.modeBefore;
    try {
      means
          .preserver()
          .directory(folder.source, folder.sourceStatus, folder.target, folder.created, label);
      if (means.request().preserve().mode()) {
        modeToGive = OpenDirectory.UNCHANGED;
      }
    } finally {
      if (modeToGive != OpenDirectory.UNCHANGED) {
        folder.target.giveMode(modeToGive);
      }
    }
  }
}
