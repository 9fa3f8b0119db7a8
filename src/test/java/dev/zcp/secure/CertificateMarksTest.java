package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// What a person compares of a certificate is what browsers and curl go by.
class CertificateMarksTest {

  @Test
  void wordsAreThoseOfTheirPaper() {
    // 127.0.0.1, 63.84.220.193, and 12.110.110.204 of arXiv:0901.4016.
    byte[] bytes = HexFormat.of().parseHex("7f000001" + "3f54dcc1" + "0c6e");
    assertThat(CertificateMarks.words(bytes)).isEqualTo("lusab-babad-gutih-tugad-budov");
  }

  @Test
  void oneCertificateOfAProcessHasOneSetOfMarks() {
    CertificateMarks marks = Tls.marks();
    assertThat(Tls.marks()).isEqualTo(marks);
    assertThat(marks.sha256()).matches("([0-9A-F]{2}:){31}[0-9A-F]{2}");
    assertThat(marks.pin()).matches("sha256//[A-Za-z0-9+/]{43}=");
    assertThat(marks.words()).matches("([a-z]{5}-){4}[a-z]{5}");
  }
}
