package dev.zcp.secure;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;

/// What a certificate that nobody has vouched for is known by.
///
/// @param sha256 of the certificate, as browsers show it: pairs of digits with colons
/// @param pin the SHA-256 of its key, as curl's `--pinnedpubkey` takes it
/// @param words the first 80 bits of `sha256`, to be read aloud
public record CertificateMarks(String sha256, String pin, String words) {

  private static final int WORDS = 5;
  private static final String CONSONANTS = "bdfghjklmnprstvz";
  private static final String VOWELS = "aiou";

  static CertificateMarks of(X509Certificate certificate) throws GeneralSecurityException {
    MessageDigest digest = Cryptography.sha256();
    byte[] sha256 = digest.digest(certificate.getEncoded());
    byte[] key = digest.digest(certificate.getPublicKey().getEncoded());
    return new CertificateMarks(
        HexFormat.ofDelimiter(":").withUpperCase().formatHex(sha256),
        "sha256//" + Base64.getEncoder().encodeToString(key),
        words(sha256));
  }

  /// Proquints: 16 bits are a word of three consonants and two vowels, which people of most
  /// languages can say (arXiv:0901.4016).
  static String words(byte[] bytes) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      int bits = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
      words.append(i == 0 ? "" : "-");
      words.append(CONSONANTS.charAt(bits >>> 12));
      words.append(VOWELS.charAt(bits >>> 10 & 3));
      words.append(CONSONANTS.charAt(bits >>> 6 & 15));
      words.append(VOWELS.charAt(bits >>> 4 & 3));
      words.append(CONSONANTS.charAt(bits & 15));
    }
    return words.toString();
  }
}
