package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Security;
import javax.crypto.Cipher;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.conscrypt.Conscrypt;

/// Who does the cryptography of files and of TLS: BoringSSL, which Conscrypt brings, or the JDK if
/// Conscrypt has no library for this machine. The JDK's own is as fast only once its second
/// compiler has compiled it, and zcp runs without that.
public final class Cryptography {

  private static final boolean IS_NATIVE = Conscrypt.isAvailable();

  static {
    if (IS_NATIVE) {
      Security.insertProviderAt(Conscrypt.newProvider(), 1);
    }
  }

  private Cryptography() {}

  /// From now on BoringSSL is asked first, in all of this process. Loading it takes longer than the
  /// few digests of a handshake.
  static void prepare() {
    // The class is initialized before this runs.
  }

  /// SHA-256 for the bytes of files.
  public static MessageDigest sha256() {
    return Hmac.sha256();
  }

  /// Whether that is BoringSSL. The JDK's AES-GCM takes 800 times as long before its second
  /// compiler has compiled it.
  public static boolean isNative() {
    return IS_NATIVE;
  }

  /// AES-GCM for the bytes of files.
  public static Cipher aesGcm() {
    try {
      return Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform must have AES-GCM", e);
    }
  }

  /// Bytes that only the two ends of this TLS connection have: RFC 8446, section 7.5.
  static byte[] exported(SSLEngine engine, String label, int bytes) throws SSLException {
    return Conscrypt.isConscrypt(engine)
        ? Conscrypt.exportKeyingMaterial(engine, label, null, bytes)
        : ((ExtendedSSLSession) engine.getSession()).exportKeyingMaterialData(label, null, bytes);
  }

  /// For what an engine reads and writes: BoringSSL takes native memory as it is, and the JDK's
  /// AES-GCM takes two to three times as long over it as over an array.
  public static ByteBuffer buffer(int bytes) {
    return IS_NATIVE ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }
}
