package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.secure.Key;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

  private static final int PORT = 5230;

  private final Key ofAddress = Key.random();
  private final Key ofFile = Key.random();
  private final Key ofEnvironment = Key.random();
  private final Key ofReceiver = Key.random();

  @TempDir Path dir;

  private RawPath file;
  private RawPath shared;

  @BeforeEach
  void leaveKeys() throws IOException {
    file = RawPath.of(write("key", ofFile.text() + "\r\n", "rw-------"));
    shared = RawPath.of(dir.resolve("shared"));
    SharedKey.leave(shared, PORT, ofReceiver);
  }

  @Test
  void theAddressComesFirstThenTheFileThenTheEnvironmentThenTheReceiver() throws Failure {
    KeySource all = new KeySource(file, ofEnvironment.text(), shared);
    KeySource noFile = new KeySource(null, ofEnvironment.text(), shared);
    KeySource onlyShared = new KeySource(null, null, shared);
    assertThat(sender(ofAddress.text(), all)).isEqualTo(ofAddress.text());
    assertThat(sender(null, all)).isEqualTo(ofFile.text());
    assertThat(sender(null, noFile)).isEqualTo(ofEnvironment.text());
    assertThat(sender(null, onlyShared)).isEqualTo(ofReceiver.text());
    assertThat(Keys.given(address(null), all).text()).isEqualTo(ofFile.text());
    assertThat(Keys.given(address(null), noFile).text()).isEqualTo(ofEnvironment.text());
  }

  @Test
  void whatAnotherReceiverLeftIsNoKeyThatWasGiven() throws Failure {
    KeySource onlyShared = new KeySource(null, null, shared);
    assertThat(Keys.given(address(null), onlyShared)).isNull();
    assertThat(Keys.newText()).isNotEqualTo(Keys.newText());
  }

  @Test
  void aKeyThatWasLeftHereIsForReceiversHereOnTheSamePort() {
    KeySource onlyShared = new KeySource(null, null, shared);
    requireFailure(
        ExitCode.AUTHENTICATION,
        "no key for this address",
        () -> ofSender(address(null), onlyShared, false));
    requireFailure(
        ExitCode.AUTHENTICATION,
        "no key for this address",
        () -> ofSender(Address.parse("127.0.0.1:5231"), onlyShared, true));
    requireFailure(
        ExitCode.AUTHENTICATION,
        "no key for this address",
        () -> ofSender(address(null), new KeySource(null, null, null), true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "not a key at all, but a sentence"})
  void whatIsNoKeyIsNotTakenForOne(String text) throws IOException {
    write("key", text, "rw-------");
    requireFailure(
        ExitCode.USAGE, "this is not a key", () -> sender(null, new KeySource(file, null, null)));
    requireFailure(
        ExitCode.USAGE,
        "ZCP_KEY: this is not a key",
        () -> sender(null, new KeySource(null, text, null)));
  }

  @Test
  void aKeyFollowedByMoreIsNoKey() throws IOException {
    write("key", ofFile.text() + "\n" + ofFile.text(), "rw-------");
    requireFailure(
        ExitCode.USAGE, "this is not a key", () -> sender(null, new KeySource(file, null, null)));
    write("key", ofFile.text() + " ".repeat(10_000) + "x", "rw-------");
    requireFailure(
        ExitCode.USAGE, "this is not a key", () -> sender(null, new KeySource(file, null, null)));
  }

  @Test
  void aKeyFileThatIsMissingIsAFailureAndNotTheNextPlace() {
    KeySource source = new KeySource(RawPath.of(dir.resolve("none")), ofAddress.text(), shared);
    requireFailure(
        ExitCode.AUTHENTICATION, "none: no such file or directory", () -> sender(null, source));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "r--r--r--"})
  void aKeyThatOthersMayReadIsNoSecret(String permissions) throws IOException {
    write("key", ofFile.text(), permissions);
    KeySource source = new KeySource(file, null, null);
    requireFailure(
        ExitCode.AUTHENTICATION, "others may read this key (chmod 600", () -> sender(null, source));
    requireFailure(
        ExitCode.AUTHENTICATION,
        "others may read this key",
        () -> Keys.given(address(null), source));
  }

  @Test
  void whatIsNoKeyIsNoSecretThatOthersMayRead() throws IOException {
    write("key", "just a file", "rw-r--r--");
    requireFailure(
        ExitCode.USAGE, "this is not a key", () -> sender(null, new KeySource(file, null, null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "r--------", "rwx------"})
  void aKeyThatOnlyItsOwnerMayReadIsOne(String permissions) throws IOException, Failure {
    write("key", ofFile.text(), permissions);
    assertThat(sender(null, new KeySource(file, null, null))).isEqualTo(ofFile.text());
  }

  @Test
  void aKeyFileOfAnotherUserIsNotTaken() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Path path = write("key", ofFile.text(), "rw-------");
    Files.setAttribute(path, "unix:uid", 1234);
    requireFailure(
        ExitCode.AUTHENTICATION,
        "key: belongs to somebody else (copy it, or",
        () -> sender(null, new KeySource(file, null, null)));
  }

  @Test
  void aKeyThatSomebodyElseLeftIsNotTaken() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Files.setAttribute(SharedKey.path(shared, PORT), "unix:uid", 1234);
    requireFailure(
        ExitCode.AUTHENTICATION,
        "belongs to somebody else",
        () -> sender(null, new KeySource(null, null, shared)));
  }

  @Test
  void aPlaceOfAnotherUserIsNoPlaceForKeys() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Path place = shared.toPath();
    KeySource source = new KeySource(null, null, shared);
    Files.setAttribute(place, "unix:uid", 1234);
    requireNoPlace(source, "shared: belongs to somebody else");
    Files.setAttribute(place, "unix:uid", 0);
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
    requireNoPlace(source, "shared: others may write there");
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
    Files.move(place, dir.resolve("moved"));
    Files.createSymbolicLink(place, dir.resolve("moved"));
    requireNoPlace(source, "shared: is a link");
  }

  private void requireNoPlace(KeySource source, String why) {
    requireFailure(ExitCode.AUTHENTICATION, why, () -> sender(null, source));
    assertThatThrownBy(() -> SharedKey.leave(shared, PORT, ofReceiver))
        .hasMessageEndingWith(why.substring(why.indexOf(": ") + 2));
  }

  @Test
  void aKeyMayComeThroughAPipe() throws Exception {
    Path fifo = Programs.fifo(dir.resolve("fifo"));
    Files.setPosixFilePermissions(fifo, PosixFilePermissions.fromString("rw-rw-rw-"));
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.writeString(fifo, ofFile.text() + "\n");
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    writer.start();
    assertThat(sender(null, new KeySource(RawPath.of(fifo), null, null))).isEqualTo(ofFile.text());
    writer.join();
  }

  @Test
  void noTextOfAKeySourceHoldsTheKey() {
    assertThat(new KeySource(file, ofEnvironment.text(), shared).toString())
        .doesNotContain(ofEnvironment.text());
  }

  private static String sender(String key, KeySource from) throws Failure {
    return ofSender(address(key), from, true).text();
  }

  private static Address address(String key) {
    return new Address(Address.Scheme.PLAIN, key, "127.0.0.1", PORT);
  }

  private static void requireFailure(ExitCode exitCode, String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .hasMessageContaining(text)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(exitCode));
  }

  private Path write(String name, String text, String permissions) throws IOException {
    Path path = dir.resolve(name);
    Files.deleteIfExists(path);
    Files.writeString(path, text);
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  /// As a sender finds its key: the one that it was given, else the one that was left for it.
  private static Key ofSender(Address address, KeySource from, boolean loopback) throws Failure {
    Key given = Keys.given(address, from);
    return given != null ? given : Keys.left(address, from, loopback);
  }
}
