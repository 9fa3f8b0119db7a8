package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.RouteTunings;
import dev.zcp.spi.Route.Traits;
import dev.zcp.tree.Ends;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.TreeCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What is known of the way of a tree before it is gone: how many files would go by which path. It
/// looks at names and statuses, and has a [Survey] of one file of each size that matters.
///
/// @param files regular files, one for all its names
/// @param others directories, links and other names
/// @param unread what could not be looked at
/// @param target what the target can do
/// @param parts the files by their paths, the smallest first; empty if there are none
public record TreeSurvey(
    long files, long bytes, long others, long unread, Traits target, List<PathShare> parts) {

  private static final Selection EVERYTHING =
      new Selection(true, true, Links.KEPT, false, Filter.NONE, null);

  /// Between two of these the size of a file makes no difference to its path.
  private static final long[] SIZES = {
    PathChoice.SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL,
    PathChoice.SMALL_BUFFER_BYTES_MAX,
    PathChoice.ONE_CALL_BYTES_MAX,
    PathChoice.TWO_THREADS_BYTES_MIN - 1,
    RouteTunings.FILE_BYTES_MIN - 1
  };

  /// Files that go alike.
  ///
  /// @param example the largest of them
  /// @param survey of the example
  public record PathShare(long files, long bytes, RawPath example, Survey survey) {

    private PathShare with(PathShare more) {
      return new PathShare(files + more.files, bytes + more.bytes, more.example, more.survey);
    }

    private boolean goesLike(PathShare other) {
      return survey.explanation().path() == other.survey.explanation().path()
          && strategies().equals(other.strategies());
    }

    /// The one that `auto` takes and the next one, if the path is by strategies.
    public List<String> strategies() {
      boolean isBySteps = survey.explanation().path() == PathChoice.STRATEGY_STEPS;
      return survey.usable().stream()
          .limit(isBySteps ? 2 : 0)
          .map(each -> each.strategy().name())
          .toList();
    }
  }

  public TreeSurvey {
    parts = List.copyOf(parts);
  }

  /// What may still be written to the target's file system; -1 if that is not known.
  public long freeBytes() {
    return parts.isEmpty() ? -1 : parts.getFirst().survey().facts().freeBytes();
  }

  public static boolean isTree(RawPath source) {
    try {
      FileStatus status = FileStatus.ofExisting(source);
      return status != null && status.isDirectory();
    } catch (IOException e) {
      // Whoever looks at it as a file tells why it cannot be.
      return false;
    }
  }

  /// @param target a path, or the address of a receiver
  /// @param profile the user's profile, or null if there is to be none
  /// @throws Failure if the target takes no tree, or the tree cannot be counted
  public static TreeSurvey of(
      Strategies strategies, RawPath source, RawPath target, RawPath profile) throws Failure {
    Traits sink = Ends.ofTarget(target);
    if (target.isStandardStream()) {
      throw Failure.of(ExitCode.USAGE, "'-' is a stream, and the source is a directory");
    }
    if (!takesTree(target)) {
      throw Failure.of(ExitCode.EXISTS, target, "is not a directory, but the source is");
    }
    Classes classes = new Classes(source);
    TreeCounter counter = new TreeCounter(EVERYTHING, true, 1, classes);
    RawPath content = source.resolve(new byte[] {'.'});
    if (!counter.count(List.of(content))) {
      throw Failure.of(ExitCode.SOURCE, source, "cannot be counted");
    }
    List<PathShare> parts = new ArrayList<>();
    for (FileClass each : classes.bySize.values()) {
      Survey survey = Survey.of(strategies, each.largest, target, profile);
      PathShare part = new PathShare(each.files, each.bytes, each.largest, survey);
      PathShare last = parts.isEmpty() ? null : parts.getLast();
      if (last != null && last.goesLike(part)) {
        parts.set(parts.size() - 1, last.with(part));
      } else {
        parts.add(part);
      }
    }
    long others = counter.entries() - counter.files();
    return new TreeSurvey(counter.files(), counter.bytes(), others, counter.unread(), sink, parts);
  }

  private static boolean takesTree(RawPath target) throws Failure {
    try {
      FileStatus there = FileStatus.ofExisting(target);
      return there == null || there.isDirectory();
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// Files between two [#SIZES], with holes or without.
  private static final class FileClass {
    private long files;
    private long bytes;
    private long largestBytes = -1;
    private RawPath largest;
  }

  /// On the one thread that counts.
  private static final class Classes implements TreeCounter.FileListener {

    private final RawPath source;

    /// Those with holes come after those without.
    private final Map<Integer, FileClass> bySize = new TreeMap<>();

    Classes(RawPath source) {
      this.source = source;
    }

    @Override
    public void on(Entry file, FileStatus status) {
      long size = status.sizeBytes();
      int number = status.hasAllBlocks() ? 0 : SIZES.length + 1;
      for (long each : SIZES) {
        number += size > each ? 1 : 0;
      }
      FileClass its = bySize.computeIfAbsent(number, _ -> new FileClass());
      its.files++;
      its.bytes += size;
      if (size > its.largestBytes) {
        its.largestBytes = size;
        its.largest = source.resolve(file.folder().pathInSource(file.name()));
      }
    }
  }
}
