package dev.zcp.secure;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;

/// A certificate that says nothing and that its own key signed, for a listener of TLS: TLS 1.3 asks
/// for one, and nobody looks at it, since both ends prove the session's key instead.
///
/// The JDK reads certificates and has no public API that makes them, so the few bytes of DER
/// (X.690) are written here: an X.509 certificate (RFC 5280, section 4.1) of version 3 without
/// extensions.
///
/// @param certificate of a P-256 key, signed by ECDSA with SHA-256
record SelfSigned(PrivateKey key, X509Certificate certificate) {

  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int VERSION = 0xa0;

  /// The object identifier 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758, section 3.2).
  private static final byte[] ECDSA_WITH_SHA256 = {
    0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };

  /// The object identifier 2.5.4.3, commonName.
  private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

  private static final int SERIAL_BYTES = 16;

  static SelfSigned random() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
    byte[] body = body(algorithm, pair.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(body);
    byte[] encoded = der(SEQUENCE, body, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(encoded));
    return new SelfSigned(pair.getPrivate(), certificate);
  }

  /// What is signed. It holds at any time, whatever the clocks say: the key lives no longer than
  /// its process anyway.
  private static byte[] body(byte[] algorithm, byte[] publicKey) {
    BigInteger serial = new BigInteger(1, Randomness.bytes(SERIAL_BYTES)).setBit(0);
    byte[] name =
        der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, ascii("zcp")))));
    byte[] validity =
        der(
            SEQUENCE,
            der(UTC_TIME, ascii("200101000000Z")),
            der(GENERALIZED_TIME, ascii("99991231235959Z")));
    return der(
        SEQUENCE,
        der(VERSION, der(INTEGER, new byte[] {2})),
        der(INTEGER, serial.toByteArray()),
        algorithm,
        name,
        validity,
        name,
        publicKey);
  }

  /// A value with its tag and length: X.690, section 8.1.
  private static byte[] der(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer value = ByteBuffer.allocate(length + 4).put((byte) tag);
    if (length > 0xff) {
      value.put((byte) 0x82).putShort((short) length);
    } else if (length > 0x7f) {
      value.put((byte) 0x81).put((byte) length);
    } else {
      value.put((byte) length);
    }
    for (byte[] part : parts) {
      value.put(part);
    }
    byte[] bytes = new byte[value.flip().remaining()];
    value.get(bytes);
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Without the key.
  @Override
  public String toString() {
    return "SelfSigned[redacted]";
  }
}
