package dev.zcp.secure;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import org.conscrypt.Conscrypt;

/// Who does the cryptography of files: BoringSSL, which Conscrypt brings, or the JDK if there is no
/// library of Conscrypt for this machine. The JDK's own is as fast only once its second compiler
/// has compiled it, and zcp runs without that.
public final class Cryptography {

  private static final String SHA256 = "SHA-256";

  private Cryptography() {}

  /// Loaded when something is first asked of it.
  private static final class Loaded {

    private static final Provider PROVIDER =
        Conscrypt.isAvailable() ? Conscrypt.newProvider() : null;
  }

  /// Null if the JDK must do.
  static Provider provider() {
    return Loaded.PROVIDER;
  }

  /// For the bytes of files. For a few bytes the JDK's own is there sooner.
  public static MessageDigest sha256() {
    try {
      Provider provider = provider();
      return provider == null
          ? MessageDigest.getInstance(SHA256)
          : MessageDigest.getInstance(SHA256, provider);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform and BoringSSL have SHA-256", e);
    }
  }
}
