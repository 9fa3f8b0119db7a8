package dev.zcp.profile;

import dev.zcp.profile.Mounts.Mount;
import java.util.ArrayList;
import java.util.List;

/// What was measured on this machine, by route.
///
/// @param routes the oldest first, each place once
public record Profile(List<MeasuredRoute> routes) {

  /// How many routes are kept; the oldest go first.
  static final int ROUTES_MAX = 64;

  static final Profile EMPTY = new Profile(List.of());

  public Profile {
    routes = List.copyOf(routes);
  }

  /// What holds of `routeKey` here and now.
  ///
  /// @param kernel the release of the kernel that runs now
  Finding find(RouteKey routeKey, String kernel) {
    for (MeasuredRoute tuned : routes) {
      if (tuned.routeKey().isSamePlaceAs(routeKey)) {
        String reason = staleness(tuned, routeKey, kernel);
        return reason == null ? new Finding.Current(tuned) : new Finding.Stale(tuned, reason);
      }
    }
    return new Finding.Nothing();
  }

  /// This profile with `tuned`, in place of what was known of the same place.
  Profile with(MeasuredRoute tuned) {
    List<MeasuredRoute> all = new ArrayList<>(routes);
    all.removeIf(old -> old.routeKey().isSamePlaceAs(tuned.routeKey()));
    all.add(tuned);
    return new Profile(all.subList(Math.max(0, all.size() - ROUTES_MAX), all.size()));
  }

  /// Why figures hold no longer, or null if they do.
  private static String staleness(MeasuredRoute tuned, RouteKey routeKey, String kernel) {
    if (!tuned.kernel().equals(kernel)) {
      return "was measured on kernel " + tuned.kernel() + ", and this is " + kernel;
    }
    if (tuned.routeKey() instanceof RouteKey.Copy old && routeKey instanceof RouteKey.Copy now) {
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

  /// What a profile says of a route.
  public sealed interface Finding {

    /// These figures hold.
    record Current(MeasuredRoute tuned) implements Finding {}

    /// There are figures, and they hold no longer.
    ///
    /// @param reason a phrase that a user can read
    record Stale(MeasuredRoute tuned, String reason) implements Finding {}

    /// There is a file, and it cannot be used.
    ///
    /// @param reason a phrase that a user can read
    record Unusable(String reason) implements Finding {}

    /// Nobody measured here.
    record Nothing() implements Finding {}
  }
}
