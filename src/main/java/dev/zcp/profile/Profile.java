package dev.zcp.profile;

import dev.zcp.profile.Mounts.Mount;
import java.util.ArrayList;
import java.util.List;

/// What was measured on this machine, by way.
///
/// @param ways the oldest first, each place once
public record Profile(List<TunedWay> ways) {

  /// How many ways are kept; the oldest go first.
  static final int WAYS_MAX = 64;

  static final Profile EMPTY = new Profile(List.of());

  public Profile {
    ways = List.copyOf(ways);
  }

  /// What holds of `way` here and now.
  ///
  /// @param kernel the release of the kernel that runs now
  Finding find(Way way, String kernel) {
    for (TunedWay tuned : ways) {
      if (tuned.way().isSamePlaceAs(way)) {
        String reason = staleness(tuned, way, kernel);
        return reason == null ? new Finding.Current(tuned) : new Finding.Stale(tuned, reason);
      }
    }
    return new Finding.Nothing();
  }

  /// This profile with `tuned`, in place of what was known of the same place.
  Profile with(TunedWay tuned) {
    List<TunedWay> all = new ArrayList<>(ways);
    all.removeIf(old -> old.way().isSamePlaceAs(tuned.way()));
    all.add(tuned);
    return new Profile(all.subList(Math.max(0, all.size() - WAYS_MAX), all.size()));
  }

  /// Why figures hold no longer, or null if they do.
  private static String staleness(TunedWay tuned, Way way, String kernel) {
    if (!tuned.kernel().equals(kernel)) {
      return "was measured on kernel " + tuned.kernel() + ", and this is " + kernel;
    }
    if (tuned.way() instanceof Way.Copy old && way instanceof Way.Copy now) {
      String source = changed(old.from(), now.from());
      return source != null ? source : changed(old.to(), now.to());
    }
    return null;
  }

  /// Why figures of another mount hold no longer, or null if it is the same.
  private static String changed(Mount before, Mount now) {
    if (before.isSameAs(now)) {
      return null;
    }
    String then = now.point() + " was " + before.type() + " of " + before.source();
    return "was measured when " + then + ", and it is " + now.type() + " of " + now.source();
  }

  /// What a profile says of a way.
  public sealed interface Finding {

    /// These figures hold.
    record Current(TunedWay tuned) implements Finding {}

    /// There are figures, and they hold no longer.
    ///
    /// @param reason a phrase that a user can read
    record Stale(TunedWay tuned, String reason) implements Finding {}

    /// There is a file, and it cannot be used.
    ///
    /// @param reason a phrase that a user can read
    record Unusable(String reason) implements Finding {}

    /// Nobody measured here.
    record Nothing() implements Finding {}
  }
}
