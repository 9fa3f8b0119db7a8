package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Partials;
import dev.zcp.testing.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestFileTest {

  @TempDir Path dir;

  @Test
  void sha256sumAcceptsEveryName() throws Exception {
    Programs.assume("sha256sum");
    Path tree = Files.createDirectory(dir.resolve("tree"));
    Files.createDirectory(tree.resolve("sub"));
    List<byte[]> names =
        List.of(
            ascii("plain"),
            ascii("sub/below"),
            ascii(" a leading space"),
            ascii("*a star"),
            ascii("-"),
            ascii("--check"),
            ascii("a\\backslash"),
            ascii("a\nnewline"),
            ascii("a\rreturn"),
            ascii("\\n"),
            ascii("#comment"),
            ascii("SHA256 (x) = y"),
            new byte[] {'b', (byte) 0xff, 1, 0x1b, '[', (byte) 0xc3},
            "grüße 🙂".getBytes(StandardCharsets.UTF_8));
    Path list = dir.resolve("list");
    try (ManifestFile manifest = manifest(list)) {
      for (byte[] name : names) {
        byte[] content = ("content of " + names.indexOf(name)).getBytes(StandardCharsets.US_ASCII);
        Files.write(RawPath.of(tree).resolve(name).toPath(), content);
        manifest.add(RawPath.of(name), sha256(content));
      }
      assertThat(list).as("before it is whole").doesNotExist();
      manifest.publish(false);
    }
    String check = "cd \"$1\" && sha256sum --check --strict --quiet \"$2\"";
    assertThat(Programs.run("sh", "-c", check, "sh", tree.toString(), list.toString())).isEmpty();
    assertThat(Files.readAllLines(list, StandardCharsets.ISO_8859_1)).hasSize(names.size());

    Files.writeString(tree.resolve("-"), "another content");
    assertThatThrownBy(
            () -> Programs.run("sh", "-c", check, "sh", tree.toString(), list.toString()))
        .hasMessageContaining("./-: FAILED");
  }

  @Test
  void aListThatIsNotPublishedIsGoneAndAnOlderOneStays() throws Exception {
    Path list = Files.writeString(dir.resolve("list"), "older");
    try (ManifestFile manifest = manifest(list)) {
      manifest.add(RawPath.of("a"), sha256(new byte[1]));
    }
    assertThat(list).hasContent("older");
    try (var entries = Files.list(dir)) {
      assertThat(entries).containsExactly(list);
    }
  }

  @Test
  void aListReplacesAnOlderOneAndIsForcedWhereThatIsAskedFor() throws Exception {
    Path list = Files.writeString(dir.resolve("list"), "older");
    try (ManifestFile manifest = manifest(list)) {
      manifest.add(RawPath.of("a"), new byte[] {0x01, (byte) 0xab});
      manifest.publish(true);
    }
    assertThat(list).hasContent("01ab  a\n");
  }

  @Test
  void linesGoToStandardOutputForAHyphen() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StandardStreams streams = new StandardStreams(InputStream.nullInputStream(), out);
    try (ManifestFile manifest = ManifestFile.create(RawPath.of("-"), new Partials(), streams)) {
      manifest.add(RawPath.of("a"), new byte[] {0x01, (byte) 0xab});
      manifest.publish(true);
    }
    assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("01ab  a\n");
  }

  @Test
  void aListThatCannotBeWrittenIsAFailureAndNotAShorterList() throws Exception {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    StandardStreams streams = new StandardStreams(InputStream.nullInputStream(), full);
    try (ManifestFile manifest = ManifestFile.create(RawPath.of("-"), new Partials(), streams)) {
      byte[] name = "a".repeat(200).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 1000; i++) {
        manifest.add(RawPath.of(name), new byte[32]);
      }
      assertThatThrownBy(() -> manifest.publish(false))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("no space left on device")
          .extracting(failure -> ((Failure) failure).exitCode())
          .isEqualTo(ExitCode.DESTINATION);
    }
  }

  private static ManifestFile manifest(Path list) throws Failure {
    StandardStreams streams =
        new StandardStreams(InputStream.nullInputStream(), OutputStream.nullOutputStream());
    return ManifestFile.create(RawPath.of(list), new Partials(), streams);
  }

  private static byte[] sha256(byte[] content) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(content);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
