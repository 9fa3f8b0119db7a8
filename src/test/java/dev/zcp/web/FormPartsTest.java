package dev.zcp.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forms come in pieces of any size, and their files are what was sent, whatever is in them.
class FormPartsTest {

  private static final String TYPE = "multipart/form-data; boundary=----b";

  @Test
  void filesComeAsTheyWereSentInWhateverPieces() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      List<byte[]> files = new ArrayList<>();
      ByteArrayOutputStream form = new ByteArrayOutputStream();
      for (int i = 0; i < 5; i++) {
        byte[] file = new byte[random.nextInt(run < 190 ? 50 : 200_000)];
        // What nearly is a delimiter.
        for (int at = 0; at < file.length; at++) {
          file[at] = (byte) "\r\n------bx".charAt(random.nextInt(10));
        }
        if (new String(file, StandardCharsets.US_ASCII).contains("\r\n------b")) {
          continue;
        }
        files.add(file);
        form.writeBytes(ascii("------b\r\ncontent-disposition: form-data; filename=\"f\"\r\n\r\n"));
        form.writeBytes(file);
        form.writeBytes(ascii("\r\n"));
      }
      form.writeBytes(ascii("------b--\r\n"));
      FormParts parts = FormParts.of(pieces(form.toByteArray(), random), TYPE);
      for (byte[] file : files) {
        assertThat(parts.next()).as("seed %d", seed).isTrue();
        assertThat(parts.fileName()).isEqualTo("f");
        assertThat(parts.readAllBytes()).as("seed %d", seed).isEqualTo(file);
      }
      assertThat(parts.next()).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void whatWasNotReadIsPassedOver() throws IOException {
    FormParts parts = form("------b\r\n\r\nfirst\r\n------b\r\n\r\nsecond\r\n------b--");
    parts.next();
    parts.next();
    assertThat(new String(parts.readAllBytes(), StandardCharsets.US_ASCII)).isEqualTo("second");
  }

  @Test
  void theLastDelimiterNeedsNoEndOfALine() throws IOException {
    FormParts parts = form("------b\r\n\r\nonly\r\n------b--");
    assertThat(parts.next()).isTrue();
    assertThat(parts.next()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "form-data; name=\"f\"; filename=\"a;b=c.txt\" | a;b=c.txt",
        "form-data; filename=a | a",
        "form-data; filename=\"a\\\"b\"; name=f | a\"b",
        "form-data; filename=\"C:\\dir\\\" | C:\\dir\\",
        "form-data; filename=\"%22\" | %22",
        "form-data; filename*=UTF-8''x |",
        "form-data; name=\"f\" |",
        "attachment; filename=\"a\" |",
        "form-data |",
        "form-data; filename=\"a |  a",
      })
  void namesAreReadAsBrowsersWriteThem(String disposition, String name) throws IOException {
    FormParts parts =
        form("------b\r\nContent-Disposition: " + disposition + "\r\n\r\nx\r\n------b--");
    assertThat(parts.next()).isTrue();
    assertThat(parts.fileName()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text/plain; boundary=b",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; x=y"
      })
  void whatIsNoFormIsNone(String type) {
    assertThat(FormParts.of(InputStream.nullInputStream(), type)).isNull();
    assertThat(FormParts.of(InputStream.nullInputStream(), null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "------b",
        "------b\r\n",
        "------b\r\nX: y",
        "------b\r\n\r\nabc",
        "------b\r\n\r\nabc\r\n------"
      })
  void whatIsCutShortIsNeverWhole(String cut) {
    assertThatThrownBy(
            () -> {
              FormParts parts = form(cut);
              while (parts.next()) {
                parts.readAllBytes();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("the form is cut short");
  }

  @Test
  void headersAreBounded() {
    String line = "X: " + "y".repeat(1000) + "\r\n";
    assertThatThrownBy(() -> form("------b\r\n" + line.repeat(20)).next())
        .hasMessageContaining("too long");
    assertThatThrownBy(() -> form("------b\r\n" + "y".repeat(50_000)).next())
        .hasMessageContaining("too long");
  }

  private static FormParts form(String text) {
    return FormParts.of(new ByteArrayInputStream(ascii(text)), TYPE);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static InputStream pieces(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, 1 + random.nextInt(3000)));
      }
    };
  }
}
