package dev.zcp.compress;

import com.github.luben.zstd.util.ZstdVersion;
import java.io.File;

/// What a sender was asked to compress.
///
/// @param level 1 to [#LEVEL_MAX], or 0 for nothing
/// @param isForced whether all that shrinks is compressed, even if the network is not what limits
public record Compression(int level, boolean isForced) {

  /// What zstd itself takes: some 300 MB a second on one processor.
  public static final int LEVEL_USUAL = 3;

  /// From 20 on, a connection would take hundreds of MiB.
  public static final int LEVEL_MAX = 19;

  public static final Compression AUTO = new Compression(LEVEL_USUAL, false);
  public static final Compression ALWAYS = new Compression(LEVEL_USUAL, true);
  public static final Compression NEVER = new Compression(0, false);

  /// As zstd-jni looks for it. A constant of that: nothing of it is loaded here.
  private static final String LIBRARY = "libzstd-jni-" + ZstdVersion.VERSION + ".so";

  public Compression {
    if (level < 0 || level > LEVEL_MAX) {
      throw new IllegalArgumentException("a level of " + level);
    }
  }

  public boolean isNever() {
    return level == 0;
  }

  /// Whether there is a library of zstd for this machine: beside zcp, or in the jar of zstd-jni.
  /// One that lies beside zcp may be damaged, or its file system may let nothing be executed: so it
  /// is loaded, which takes no class of zstd-jni.
  public static boolean isSupported() {
    File beside = new File(System.getProperty("zcp.home") + "/lib", LIBRARY);
    return beside.exists()
        ? isLoadable(beside)
        : Compression.class.getResource("/linux/" + System.getProperty("os.arch") + "/" + LIBRARY)
            != null;
  }

  @SuppressWarnings("restricted")
  private static boolean isLoadable(File library) {
    try {
      System.load(library.getAbsolutePath());
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }
}
