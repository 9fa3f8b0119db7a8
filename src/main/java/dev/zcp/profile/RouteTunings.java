package dev.zcp.profile;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile.Finding;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// What the user's profile says of the routes of one command. It is read when the first file is
/// long enough; nothing about it ever fails a transfer. Any thread may call it.
public final class RouteTunings {

  /// Shorter files go as if there were no profile. To read it, and to load a strategy that auto
  /// would not have taken, costs a cold process what was seen to be lost at 128 MiB and repaid from
  /// 256 MiB on.
  public static final long FILE_BYTES_MIN = 256L << 20;

  private final RawPath file;
  private final boolean wanted;
  private final UserProfile profile;
  private final Consumer<String> notes;
  private final Set<String> told = new HashSet<>();

  /// Null until it is needed.
  private Mounts mounts;

  /// @param file the profile, or null if none is to be read
  /// @param notes is told what the user should know
  public RouteTunings(RawPath file, Choice choice, Consumer<String> notes) {
    this.file = file;
    this.wanted = file != null && choice.isAuto();
    this.profile = new UserProfile(file);
    this.notes = notes;
  }

  /// For a file of `bytes` at `source` that is copied to `target`, which is there, or into it.
  public synchronized Tuning ofCopy(RawPath source, RawPath target, long bytes) {
    if (!isWorthALook(bytes) || profile.isMissing()) {
      return Tuning.NONE;
    }
    try {
      mounts = mounts == null ? Mounts.read() : mounts;
      return tuning(mounts.between(source.toPath(), target.toPath()));
    } catch (IOException e) {
      // What is wrong with a path is for the copy itself to tell.
      return Tuning.NONE;
    }
  }

  /// For a file of `bytes` that is sent to `peer`; null if its address is not known.
  public synchronized Tuning ofSend(InetAddress peer, long bytes) {
    return peer != null && isWorthALook(bytes) ? tuning(RouteKey.Send.to(peer)) : Tuning.NONE;
  }

  private boolean isWorthALook(long bytes) {
    return wanted && bytes >= FILE_BYTES_MIN && bytes != Long.MAX_VALUE;
  }

  private Tuning tuning(RouteKey routeKey) {
    Finding finding = profile.find(routeKey);
    if (finding instanceof Finding.Current(MeasuredRoute tuned)) {
      return tuned.tuning();
    }
    String remark = remark(file, finding);
    if (!remark.isEmpty() && told.add(remark)) {
      notes.accept(remark);
    }
    return Tuning.NONE;
  }

  /// What a user should know of a profile that is not used, or empty.
  public static String remark(RawPath file, Finding finding) {
    if (finding instanceof Finding.Stale(MeasuredRoute tuned, String reason)) {
      String what = file + ": what it holds " + tuned.routeKey() + " " + reason;
      return what + " (it is not used; zcp bench --tune measures anew)";
    }
    if (finding instanceof Finding.Unusable(String reason)) {
      return file + ": " + reason + " (it is not used; zcp bench --tune makes another)";
    }
    return "";
  }

  /// The profile of the user who runs this process, read when it is first asked. Nothing about it
  /// is an error: one that cannot be used is as good as none. Threads may share one.
  public static final class UserProfile {

    private final RawPath file;

    // All below is guarded by this.
    private Profile profile;
    private String kernel;
    private Finding failed;

    /// @param file where it is, or null if none is wanted
    public UserProfile(RawPath file) {
      this.file = file;
    }

    /// What it says of `routeKey`; null is a route of which nobody knows what it is.
    public synchronized Finding find(RouteKey routeKey) {
      return routeKey == null || isMissing()
          ? new Finding.Nothing()
          : failed != null ? failed : profile.find(routeKey, kernel);
    }

    /// How many nanoseconds the best copy of a MiB took that was measured from the file system of
    /// `source`, wherever it went; -1 if none was.
    public synchronized long nsPerMiBFrom(RawPath source) {
      if (isMissing() || failed != null) {
        return -1;
      }
      try {
        Mount here = Mounts.read().of(source.toPath());
        return profile.routes().stream()
            .filter(route -> route.kernel().equals(kernel))
            .filter(route -> here != null && route.routeKey() instanceof RouteKey.Copy)
            .filter(route -> route.routeKey().from().isSameAs(here))
            .flatMap(route -> route.figures().stream())
            .mapToLong(MeasuredRoute.Measured::medianNsPerMiB)
            .min()
            .orElse(-1);
      } catch (IOException e) {
        // What is wrong with the source is told by whoever walks it.
        return -1;
      }
    }

    /// Whether there is no file, so that nothing need be found out about a route.
    public synchronized boolean isMissing() {
      if (file != null && profile == null && failed == null) {
        read();
      }
      return file == null || failed instanceof Finding.Nothing;
    }

    private void read() {
      try {
        profile = Profile.read(file);
        kernel = Profile.kernel();
      } catch (NoSuchFileException e) {
        failed = new Finding.Nothing();
      } catch (AccessDeniedException e) {
        failed = new Finding.Unusable("permission denied");
      } catch (MalformedJson e) {
        failed = new Finding.Unusable(e.getMessage());
      } catch (IOException e) {
        failed = new Finding.Unusable("cannot be read: " + e.getMessage());
      }
    }
  }
}
