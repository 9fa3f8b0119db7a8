package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.compress.Compression;
import dev.zcp.copy.CopyRequest;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.session.Admission;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.session.PeerEndpoint.Listen;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.testing.Archive;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.NameLists.NameList;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What each command line asks of the sessions.
class RequestsTest {

  @TempDir Path dir;

  @Test
  void aPlainCopyReplacesAndLeavesTheChoiceToAuto() throws Failure {
    CopyRequest request = copy("a", "b");
    assertThat(request.sources()).containsExactly(RawPath.of("a"));
    assertThat(request.target()).isEqualTo(RawPath.of("b"));
    assertThat(request.policy().existing()).isEqualTo(Existing.REPLACE);
    assertThat(request.choice()).isEqualTo(Choice.DEFAULT);
  }

  @Test
  void operandsKeepTheirOrderAmongOptions() throws Failure {
    CopyRequest request = copy("a", "-q", "b", "--chunk-size", "64K", "c", "--", "-rf", "d");
    assertThat(request.sources())
        .containsExactly(RawPath.of("a"), RawPath.of("b"), RawPath.of("c"), RawPath.of("-rf"));
    assertThat(request.target()).isEqualTo(RawPath.of("d"));
    assertThat(request.choice().chunkBytes()).isEqualTo(64 << 10);
  }

  @Test
  void namesArePassedOnAsTyped() throws Failure {
    assertThat(copy("@list", "a=b", "%41", " x", "help", "--", "--", "-").sources())
        .containsExactly(
            RawPath.of("@list"),
            RawPath.of("a=b"),
            RawPath.of("%41"),
            RawPath.of(" x"),
            RawPath.of("help"),
            RawPath.of("--"));
  }

  @Test
  void aFileIsNotReadForMoreArguments() throws Exception {
    Path list = Files.writeString(dir.resolve("list"), "x y z");
    assertThat(copy("@" + list, "b").sources()).containsExactly(RawPath.of("@" + list));
  }

  @Test
  void noClobberWinsOverForceInEitherOrder() throws Failure {
    assertThat(copy("-f", "a", "b").policy().existing()).isEqualTo(Existing.REPLACE);
    assertThat(copy("-nf", "a", "b").policy().existing()).isEqualTo(Existing.KEEP);
    assertThat(copy("-fn", "a", "b").policy().existing()).isEqualTo(Existing.KEEP);
  }

  @Test
  void theLastOfTwoValuesCounts() throws Failure {
    assertThat(copy("--chunk-size=1K", "--chunk-size=2K", "a", "b").choice().chunkBytes())
        .isEqualTo(2048);
  }

  @Test
  void aStrategyIsAskedForByItsOwnName() throws Failure {
    assertThat(copy("--strategy=TRANSFER-TO", "a", "b").choice().strategy())
        .isEqualTo("transferTo");
    assertThat(copy("--strategy=sendfile", "a", "b").choice().strategy()).isEqualTo("transferTo");
    assertThat(copy("--strategy=AUTO", "a", "b").choice().isAuto()).isTrue();
  }

  @Test
  void aChunkIsAtLeastOneByteOrTheWholeFile() throws Failure {
    assertThat(copy("--chunk-size=1", "a", "b").choice().chunkBytes()).isEqualTo(1);
    assertThat(copy("--chunk-size=whole", "a", "b").choice().chunkBytes()).isEqualTo(Choice.WHOLE);
    for (String wrong : new String[] {"0", "0K", "banana", "-1", "", "9999999999G", "1.5M"}) {
      assertUsage(() -> copy("--chunk-size=" + wrong, "a", "b"), "--chunk-size: ");
    }
  }

  @Test
  void aSendHasItsTimeoutsAndItsKeyFromTheEnvironment() throws Failure {
    SendRequest request = send(Map.of("ZCP_KEY", "k"), "[::1]:5230", "a", "-");
    assertThat(request.peering().address().host()).isEqualTo("::1");
    assertThat(request.files()).containsExactly(RawPath.of("a"), RawPath.of("-"));
    assertThat(request.peering().key()).isEqualTo(new KeySource(null, "k", null));
    assertThat(request.peering().asked()).isEqualTo(Address.Scheme.UNSAID);
    assertThat(request.peering().flow().connectTimeoutNs()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    assertThat(request.peering().flow().stallTimeoutNs()).isEqualTo(TimeUnit.SECONDS.toNanos(30));
  }

  @Test
  void aSendTakesAnyReceiverAndATrialIsNothingForTheCommandLine() throws Failure {
    assertThat(send(Map.of(), "host:1", "a").sending().mustDiscard()).isFalse();
  }

  @Test
  void aReceiverDiscardsOnlyWhereItIsToldTo() throws Failure {
    assertThat(receive("a").admission().discard()).isFalse();
    assertThat(receive("--discard", "a").admission().discard()).isTrue();
  }

  @Test
  void toDiscardIsNeitherToReplaceNorToWriteToAStream() {
    assertUsage(() -> receive("--discard", "--overwrite", "a"), "--overwrite");
    assertUsage(() -> receive("--discard", "-"), "needs a directory");
  }

  @Test
  void aSocketBufferIsTheKernelsOwnOrASizeThatItCanDouble() throws Failure {
    assertThat(send(Map.of(), "host:1", "a").peering().flow().socketBufferBytes()).isZero();
    assertThat(
            send(Map.of(), "--socket-buffer=64K", "host:1", "a")
                .peering()
                .flow()
                .socketBufferBytes())
        .isEqualTo(65_536);
    assertThat(receive("--socket-buffer=1").peering().flow().socketBufferBytes()).isEqualTo(1);
    assertThat(receive("--socket-buffer=1073741823").peering().flow().socketBufferBytes())
        .isEqualTo(1_073_741_823);
    for (String wrong : new String[] {"0", "1G", "banana", "-1", "", "9999999999G"}) {
      assertUsage(() -> receive("--socket-buffer=" + wrong), "--socket-buffer: ");
      assertUsage(
          () -> send(Map.of(), "--socket-buffer=" + wrong, "host:1", "a"), "--socket-buffer: ");
    }
  }

  @Test
  void keysOfThisMachineAreInTheRuntimeDirectoryElseInOneOfItsOwnInTheCache() throws Exception {
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    assertThat(sharedKeys(Map.of("XDG_RUNTIME_DIR", "/run/me", "HOME", "/me")))
        .isEqualTo(RawPath.of("/run/me/zcp"));
    assertThat(sharedKeys(Map.of("XDG_CACHE_HOME", "/cache", "HOME", "/me")))
        .isEqualTo(RawPath.of("/cache/zcp/" + host));
    assertThat(sharedKeys(Map.of("XDG_RUNTIME_DIR", "relative", "HOME", "/tmp")))
        .isEqualTo(RawPath.of("/tmp/.cache/zcp/" + host));
    assertThat(sharedKeys(Map.of("HOME", "/me"))).isNull();
    assertThat(sharedKeys(Map.of())).isNull();
  }

  private static RawPath sharedKeys(Map<String, String> environment) throws Failure {
    return send(environment, "[::1]:5230", "a").peering().key().shared();
  }

  @Test
  void aSendTakesEveryOptionOfItsOwn() throws Failure {
    SendRequest request =
        send(
            Map.of(),
            "--plain",
            "--key-file=k",
            "--connect-timeout=500ms",
            "--stall-timeout=2m",
            "h:1",
            "a");
    assertThat(request.peering().asked()).isEqualTo(Address.Scheme.PLAIN);
    assertThat(request.peering().key()).isEqualTo(new KeySource(RawPath.of("k"), null, null));
    assertThat(request.peering().flow().connectTimeoutNs()).isEqualTo(500_000_000L);
    assertThat(request.peering().flow().stallTimeoutNs()).isEqualTo(120_000_000_000L);
  }

  @Test
  void aSendTakesFilesAsCopyDoesAndProvesThemByTheirDigests() throws Failure {
    SendRequest request = send("h:1", "a");
    assertThat(request.selection()).isEqualTo(Selection.FILES);
    assertThat(request.preserve()).isEqualTo(Preserve.USUAL);
    assertThat(request.policy()).isEqualTo(Policy.USUAL);
    assertThat(request.sending()).isEqualTo(Sending.USUAL);
    assertThat(request.peering().flow().rateBytes()).isZero();
    assertThat(request.peering().flow().congestion()).isNull();
  }

  @Test
  void aSendTakesTreesWithTheWordsOfCopy() throws Failure {
    assertThat(send("-a", "h:1", "a").selection()).isEqualTo(Archive.TREE);
    assertThat(send("-a", "h:1", "a").preserve()).isEqualTo(Archive.ALL);
    assertThat(send("-rL", "h:1", "a").selection().links()).isEqualTo(Links.FOLLOWED);
    assertThat(send("-rH", "h:1", "a").selection().links()).isEqualTo(Links.FOLLOWED_IF_NAMED);
    assertThat(send("-r", "--preserve=owner", "h:1", "a").preserve().owner()).isTrue();
    assertThat(send("-rx", "h:1", "a").selection().oneFileSystem()).isTrue();
    assertThat(send("-r", "--exclude=*.o", "h:1", "a").selection().filter())
        .isNotEqualTo(Archive.TREE.filter());
    assertThat(send("-a", "--files-from=l", "--from0", "h:1", "a").selection().names())
        .isEqualTo(new NameList(RawPath.of("l"), true));
    assertThat(send("--on-change=fail", "h:1", "a").policy().onChange()).isEqualTo(OnChange.FAIL);
    assertThat(send("--strict", "h:1", "a").policy().strict()).isTrue();
  }

  @Test
  void wordsAboutTreesThatContradictEachOtherAreRefusedToASendToo() {
    assertUsage(() -> send("--exclude=x", "h:1", "a"), "add -r or -a");
    assertUsage(() -> send("--from0", "h:1", "a"), "--files-from");
    assertUsage(() -> send("--files-from=l", "h:1", "a", "b"), "one SOURCE");
    assertUsage(() -> send("--files-from=l", "h:1", "-"), "needs a directory");
  }

  @Test
  void aSendSaysOverHowManyConnectionsAndHowOftenItTriesAgain() throws Failure {
    assertThat(dial(send("--connections=AUTO", "h:1", "a")).connections())
        .isEqualTo(Dial.CONNECTIONS_AUTO);
    assertThat(dial(send("--connections=64", "h:1", "a")).connections()).isEqualTo(64);
    assertThat(dial(send("--retries=0", "h:1", "a")).retries()).isZero();
    for (String wrong : new String[] {"0", "65", "-1", "+1", "x", "", "9999999999999999999"}) {
      assertUsage(() -> send("--connections=" + wrong, "h:1", "a"), "--connections: ");
    }
    for (String wrong : new String[] {"10001", "-1", "+1", "x", ""}) {
      assertUsage(() -> send("--retries=" + wrong, "h:1", "a"), "--retries: ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothEndsTakeEveryLevelOfProof(Level level) throws Failure {
    assertThat(send("--verify=" + level.label(), "h:1", "a").sending().verify()).isEqualTo(level);
    assertThat(receive("--verify=" + level.label()).admission().verify()).isEqualTo(level);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-z",
        "-p",
        "-d",
        "-H",
        "-P",
        "-L",
        "--strict",
        "--sparse=never",
        "--no-preserve=mode"
      })
  void aWebSenderRefusesWhatItWouldIgnore(String option) {
    assertUsage(() -> send("--web", option, "a"), "--web and ");
  }

  @Test
  void aReceiverProvesWhatEachSenderAsksForWhereItIsToldNothing() throws Failure {
    assertThat(receive().admission()).isEqualTo(Admission.USUAL);
    assertUsage(() -> receive("--verify=all"), "--verify: ");
  }

  @Test
  void bothEndsSayWhatOfAResumedFileIsReadAgain() throws Failure {
    assertThat(send("--resume-verify=sample", "h:1", "a").sending().resumeVerify())
        .isEqualTo(ResumeVerify.SAMPLE);
    assertThat(receive("--resume-verify=none").admission().resumeVerify())
        .isEqualTo(ResumeVerify.NONE);
    assertUsage(() -> receive("--resume-verify=some"), "--resume-verify: ");
  }

  @Test
  void aRateIsBytesASecondAndNotSoFewThatAPeerWouldGiveUp() throws Failure {
    assertThat(send("--limit-rate=10M", "h:1", "a").peering().flow().rateBytes())
        .isEqualTo(10L << 20);
    assertThat(receive("--limit-rate=1K").peering().flow().rateBytes()).isEqualTo(1024);
    for (String wrong : new String[] {"0", "1023", "-1", "fast", ""}) {
      assertUsage(() -> receive("--limit-rate=" + wrong), "--limit-rate: ");
    }
  }

  @Test
  void aCongestionControlIsANameThatTheKernelMayHave() throws Failure {
    assertThat(send("--congestion=bbr", "h:1", "a").peering().flow().congestion()).isEqualTo("bbr");
    assertThat(receive("--congestion=dctcp_reno-1x").peering().flow().congestion())
        .isEqualTo("dctcp_reno-1x");
    for (String wrong : new String[] {"", "BBR", "a/b", "abcdefghijklmnop"}) {
      assertUsage(() -> receive("--congestion=" + wrong), "--congestion: ");
    }
  }

  @Test
  void aReceiverTakesBesidesFilesOnlyWhatItIsToldTo() throws Failure {
    assertThat(receive().admission().keeps()).isZero();
    assertThat(receive("--accept=links").admission().keeps()).isEqualTo(Admission.keepOf("links"));
    assertThat(receive("--accept=links,owner", "--accept=ACL").admission().keeps())
        .isEqualTo(Admission.keepOf("links") | Admission.keepOf("owner") | Admission.keepOf("acl"));
    assertThat(receive("--accept=all").admission().keeps())
        .isEqualTo((1 << Admission.KEEP_WORDS.size()) - 1);
    assertUsage(() -> receive("--accept=lonks"), "did you mean links?");
    assertUsage(() -> receive("--accept="), "--accept: ");
  }

  @Test
  void aReceiverLimitsWhatASenderMaySend() throws Failure {
    Admission admission = receive("--max-size=20G", "--max-files=1").admission();
    assertThat(admission.bytesMax()).isEqualTo(20L << 30);
    assertThat(admission.filesMax()).isEqualTo(1);
    assertUsage(() -> receive("--max-size=much"), "--max-size: ");
    assertUsage(() -> receive("--max-files=0"), "--max-files: ");
  }

  @Test
  void standardOutputHasTwoNames() throws Failure {
    assertThat(receive("--stdout")).isEqualTo(receive("-"));
    assertUsage(() -> receive("--stdout", "inbox"), "'inbox'");
    assertUsage(() -> receive("--stdout", "--discard"), "needs a directory");
  }

  @Test
  void nobodyListensAtPort0() {
    assertUsage(() -> send(Map.of(), "h:0", "a"), "port 0");
  }

  @Test
  void aMessageAboutAnAddressHoldsNoKey() {
    assertThatThrownBy(() -> send(Map.of(), "zcp://secret@h:x", "a"))
        .isInstanceOf(Failure.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aReceiverListensOnLoopbackAndRefusesToReplace() throws Failure {
    ReceiveRequest request = receive();
    assertThat(request.peering().address()).hasToString("127.0.0.1:5230");
    assertThat(request.directory()).isEqualTo(RawPath.of("."));
    assertThat(listen(request).once()).isFalse();
    assertThat(request.admission().existing()).isEqualTo(Existing.REFUSE);
    assertThat(request.peering().asked()).isEqualTo(Address.Scheme.UNSAID);
  }

  @Test
  void aReceiverTakesEveryOptionOfItsOwn() throws Failure {
    ReceiveRequest request = receive("--listen=[::]:0", "--once", "--overwrite", "--plain", "in");
    assertThat(request.peering().address()).hasToString("[::]:0");
    assertThat(request.directory()).isEqualTo(RawPath.of("in"));
    assertThat(listen(request).once()).isTrue();
    assertThat(request.admission().existing()).isEqualTo(Existing.REPLACE);
    assertThat(request.peering().asked()).isEqualTo(Address.Scheme.PLAIN);
  }

  @Test
  void aReceiverThatWritesToStandardOutputEndsAfterOneTransfer() throws Failure {
    assertThat(listen(receive("-")).once()).isTrue();
  }

  @Test
  void aReceiverListensAtAnAddressAndNotAtAUrl() {
    assertUsage(() -> receive("--listen=zcp://k@127.0.0.1:1"), "--listen takes HOST:PORT");
  }

  @ParameterizedTest
  @CsvSource({
    "1ms, 1000000",
    "500ms, 500000000",
    "3s, 3000000000",
    "2m, 120000000000",
    "8760h, 31536000000000000",
    "0s, 0",
    "8761h, 0",
    "999999999999999999h, 0",
    "9999999999999999999s, 0",
    "3, 0",
    "s, 0",
    "-1s, 0",
    "1.5s, 0",
    "3S, 0",
    "'', 0",
  })
  void aTimeIsDigitsAndAUnit(String typed, long elapsedNs) throws Failure {
    String option = "--stall-timeout=" + typed;
    if (elapsedNs == 0) {
      assertUsage(() -> receive(option), "--stall-timeout: '" + typed + "' is not a time");
    } else {
      assertThat(receive(option).peering().flow().stallTimeoutNs()).isEqualTo(elapsedNs);
    }
  }

  @FunctionalInterface
  private interface Asking {
    Object ask() throws Failure;
  }

  @Test
  void aLevelThatIsSetCountsAsIfItWereTyped() throws Failure {
    assertThat(copyWith(Map.of()).remoteLevel()).isEqualTo(Level.WIRE);
    for (Level level : Level.values()) {
      CopyCommand command = copyWith(Map.of("ZCP_VERIFY", level.label()));
      assertThat(command.remoteLevel()).isEqualTo(level);
    }
    CopyCommand typed = copyWith(Map.of("ZCP_VERIFY", "none"), "--verify=wire");
    assertThat(typed.remoteLevel()).isEqualTo(Level.WIRE);
  }

  @Test
  void aLevelThatIsOnlySetIsIgnoredByCopiesThatHaveNoSuchLevel() throws Failure {
    assertThat(setLevel("readback", "a", "b")).isEqualTo(Level.READBACK);
    assertThat(setLevel("readback", "-", "b")).isEqualTo(Level.NONE);
    assertThat(setLevel("readback", "a", "-")).isEqualTo(Level.NONE);
    assertThat(setLevel("wire", "a", "b")).isEqualTo(Level.NONE);
    assertUsage(() -> copy("--verify=wire", "a", "b"), "--verify: wire is for a copy to");
  }

  @Test
  void whatIsCompressedIsSaidByWordsOrALevel() throws Failure {
    assertThat(compression()).isEqualTo(Compression.AUTO);
    assertThat(compression("--compress=auto")).isEqualTo(Compression.AUTO);
    assertThat(compression("-z")).isEqualTo(Compression.ALWAYS);
    assertThat(compression("--compress")).isEqualTo(Compression.ALWAYS);
    assertThat(compression("--compress=al")).isEqualTo(Compression.ALWAYS);
    assertThat(compression("--compress=NEVER")).isEqualTo(Compression.NEVER);
    assertThat(compression("-z", "--compress=19")).isEqualTo(new Compression(19, true));
    for (String wrong : List.of("20", "0", "1x", "some", "")) {
      assertUsage(() -> compression("--compress=" + wrong), "--compress: ");
    }
  }

  @Test
  void whatIsTypedOfCompressionWinsOverWhatIsSet() throws Failure {
    assertThat(compressionIfNeverIsSet()).isEqualTo(Compression.NEVER);
    assertThat(compressionIfNeverIsSet("-z")).isEqualTo(Compression.ALWAYS);
    assertThat(compressionIfNeverIsSet("--compress=2")).isEqualTo(new Compression(2, true));
  }

  private static Compression compression(String... words) throws Failure {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("[::1]:5230", "a"));
    return send(all.toArray(String[]::new)).sending().savings().compression();
  }

  private static Compression compressionIfNeverIsSet(String... words) throws Failure {
    SendCommand command = new SendCommand();
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("[::1]:5230", "a"));
    Settings settings = Settings.of("send", command, shell(Map.of("ZCP_COMPRESS", "never")));
    Parser.parse(command, Arguments.of(all.toArray(String[]::new)), settings);
    return command.request(shell(Map.of())).sending().savings().compression();
  }

  private static Level setLevel(String level, String... words) throws Failure {
    CopyCommand command = copyWith(Map.of("ZCP_VERIFY", level), words);
    return command.request(shell(Map.of())).assurance().verify();
  }

  private static CopyCommand copyWith(Map<String, String> environment, String... words)
      throws Failure {
    CopyCommand command = new CopyCommand();
    Settings settings = Settings.of("copy", command, shell(environment));
    Parser.parse(command, Arguments.of(words), settings);
    return command;
  }

  private static void assertUsage(Asking asking, String message) {
    assertThatThrownBy(asking::ask)
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining(message);
  }

  private static CopyRequest copy(String... words) throws Failure {
    CopyCommand command = new CopyCommand();
    Parser.parse(command, Arguments.of(words), null);
    return command.request(shell(Map.of()));
  }

  private static SendRequest send(String... words) throws Failure {
    return send(Map.of(), words);
  }

  private static SendRequest send(Map<String, String> environment, String... words) throws Failure {
    SendCommand command = new SendCommand();
    Parser.parse(command, Arguments.of(words), null);
    return command.request(shell(environment));
  }

  private static ReceiveRequest receive(String... words) throws Failure {
    ReceiveCommand command = new ReceiveCommand();
    Parser.parse(command, Arguments.of(words), null);
    return command.request(shell(Map.of()));
  }

  static Shell shell(Map<String, String> environment) {
    OutputStream nowhere = OutputStream.nullOutputStream();
    return new Shell(
        InputStream.nullInputStream(), nowhere, new PrintStream(nowhere), environment, null);
  }

  private static Dial dial(SendRequest request) {
    return (Dial) request.peering().endpoint();
  }

  private static Listen listen(ReceiveRequest request) {
    return (Listen) request.peering().endpoint();
  }
}
