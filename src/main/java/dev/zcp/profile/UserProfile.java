package dev.zcp.profile;

import dev.zcp.core.RawPath;
import dev.zcp.profile.Profile.Finding;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/// The profile of the user who runs this process, read when it is first asked. Nothing about it is
/// an error: one that cannot be used is as good as none. Threads may share one.
public final class UserProfile {

  private final RawPath file;

  // All below is guarded by this.
  private Profile profile;
  private String kernel;
  private Finding failed;

  /// @param file where it is, or null if none is wanted
  public UserProfile(RawPath file) {
    this.file = file;
  }

  /// What it says of `way`; null is a way of which nobody knows what it is.
  public synchronized Finding find(Way way) {
    if (file == null || way == null) {
      return new Finding.Nothing();
    }
    if (profile == null && failed == null) {
      read();
    }
    return failed != null ? failed : profile.find(way, kernel);
  }

  /// Whether there is no file, so that nothing need be found out about a way.
  public synchronized boolean isMissing() {
    if (file != null && profile == null && failed == null) {
      read();
    }
    return file == null || failed instanceof Finding.Nothing;
  }

  private void read() {
    try {
      profile = ProfileFile.read(file);
      kernel = Kernel.release();
    } catch (NoSuchFileException e) {
      failed = new Finding.Nothing();
    } catch (ProfileFormat.MalformedException e) {
      failed = new Finding.Unusable(e.getMessage());
    } catch (IOException e) {
      failed = new Finding.Unusable("cannot be read: " + e.getMessage());
    }
  }
}
