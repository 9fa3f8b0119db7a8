package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfSignedTest {

  /// Lengths of signatures and numbers differ from one to the next.
  @RepeatedTest(20)
  void theJdkReadsItAndTheSignatureIsItsOwn() throws Exception {
    X509Certificate certificate = SelfSigned.random().certificate();
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity();
    assertThat(certificate.getVersion()).isEqualTo(3);
    assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=zcp");
    assertThat(certificate.getSerialNumber()).isPositive();
    ECPublicKey key = (ECPublicKey) certificate.getPublicKey();
    assertThat(key.getParams().getOrder().bitLength()).isEqualTo(256);
  }

  @Test
  void noTwoAreTheSame() throws Exception {
    SelfSigned one = SelfSigned.random();
    assertThat(one.certificate()).isNotEqualTo(SelfSigned.random().certificate());
    assertThat(one.toString()).isEqualTo("SelfSigned[redacted]");
  }

  @Test
  void opensslReadsIt(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("certificate");
    Files.write(file, SelfSigned.random().certificate().getEncoded());
    String text =
        Programs.run(
            "openssl", "x509", "-inform", "DER", "-in", file.toString(), "-noout", "-text");
    assertThat(text)
        .contains("Version: 3")
        .contains("ecdsa-with-SHA256")
        .contains("prime256v1")
        .contains("Not After : Dec 31 23:59:59 9999 GMT");
    Programs.run(
        "sh",
        "-c",
        "openssl x509 -inform DER -in \"$1\" -out \"$1.pem\" && openssl verify -check_ss_sig"
            + " -CAfile \"$1.pem\" \"$1.pem\"",
        "sh",
        file.toString());
  }
}
