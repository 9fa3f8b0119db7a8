package dev.zcp.copy;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.util.List;

/// What `zcp copy` was asked to do.
///
/// @param sources at least one; `-` is standard input
/// @param target a file, a directory that exists, or `-` for standard output
/// @param placement what the target is to the sources
/// @param jobs how many files are copied at a time at most, or [#JOBS_MEASURED]
/// @param dryRun whether it is only told what would be done
/// @param form what the copies are, and under which names
/// @param deleting what is deleted that the sources do not have, or null if nothing is
/// @param rateBytes how many bytes of files a second are moved at most; 0 for no limit
public record CopyRequest(
    List<RawPath> sources,
    RawPath target,
    Placement placement,
    Choice choice,
    Selection selection,
    Preserve preserve,
    Policy policy,
    Assurance assurance,
    int jobs,
    boolean dryRun,
    CopyForm form,
    Deleting deleting,
    long rateBytes) {

  /// As many as measured best.
  public static final int JOBS_MEASURED = 0;

  public CopyRequest {
    sources = List.copyOf(sources);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("nothing to copy");
    }
  }

  /// Files, copied as cp(1) copies them unasked.
  public CopyRequest(List<RawPath> sources, RawPath target, Choice choice) {
    this(
        sources,
        target,
        Placement.AS_FOUND,
        choice,
        Selection.FILES,
        Preserve.USUAL,
        Policy.USUAL,
        Assurance.USUAL,
        JOBS_MEASURED,
        false,
        CopyForm.USUAL,
        null,
        0);
  }

  CopyRequest withPlacement(Placement other) {
    return new CopyRequest(
        sources, target, other, choice, selection, preserve, policy, assurance, jobs, dryRun, form,
        deleting, rateBytes);
  }

  /// In steps of at most so many bytes.
  CopyRequest inSteps(long bytesMax) {
    long chunkBytes =
        choice.chunkBytes() == Choice.ADAPTIVE ? bytesMax : Math.min(choice.chunkBytes(), bytesMax);
    return new CopyRequest(
        sources,
        target,
        placement,
        new Choice(choice.strategy(), chunkBytes),
        selection,
        preserve,
        policy,
        assurance,
        jobs,
        dryRun,
        form,
        deleting,
        rateBytes);
  }
}
