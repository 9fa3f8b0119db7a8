package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.copy.Assurance;
import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.copy.CopyRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.testing.Archive;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.NameLists.NameList;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the options of `zcp copy` for trees ask for.
class CopyRequestsTest {

  @TempDir Path dir;

  @Test
  void whatIsNotAskedForIsTheConstantThatACheapCopyIsKnownBy() throws Failure {
    CopyRequest request = copy("-fnvq", "a", "b");
    assertThat(request.preserve()).isSameAs(Preserve.USUAL);
    assertThat(request.assurance()).isEqualTo(Assurance.USUAL);
    assertThat(request.selection()).isEqualTo(Selection.FILES);
    assertThat(request.policy())
        .isEqualTo(new Policy(Existing.KEEP, null, false, OnChange.RETRY, false));
    assertThat(request.jobs()).isEqualTo(CopyRequest.JOBS_MEASURED);
    assertThat(request.placement()).isEqualTo(Placement.AS_FOUND);
    assertThat(request.dryRun()).isFalse();
  }

  @Test
  void anArchiveIsATreeWithAllThatCanBeKept() throws Failure {
    for (String option : new String[] {"-a", "--archive"}) {
      CopyRequest request = copy(option, "a", "b");
      assertThat(request.selection()).isEqualTo(Archive.TREE);
      assertThat(request.preserve()).isEqualTo(Archive.ALL);
    }
  }

  @Test
  void aTreeKeepsWhatAFileKeepsAndItsLinks() throws Failure {
    for (String option : new String[] {"-r", "-R", "--recursive"}) {
      CopyRequest request = copy(option, "a", "b");
      assertThat(request.selection()).isEqualTo(Archive.TREE);
      assertThat(request.preserve()).isSameAs(Preserve.USUAL);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-L, FOLLOWED",
    "-H, FOLLOWED",
    "-P, KEPT",
    "-d, KEPT",
    "-rL, FOLLOWED",
    "-rH, FOLLOWED_IF_NAMED",
    "-Hr, FOLLOWED_IF_NAMED",
    "-aL, FOLLOWED",
    "-La, KEPT",
    "-aH, FOLLOWED_IF_NAMED",
    "-HLP, KEPT",
    "-rPLH, FOLLOWED_IF_NAMED",
    "-Ld, KEPT",
    "-dL, FOLLOWED",
    "--dereference, FOLLOWED",
    "--no-dereference, KEPT",
  })
  void theLastWordOnLinksCounts(String options, Links expected) throws Failure {
    assertThat(copy(options, "a", "b").selection().links()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "-p, motas",
    "--preserve, motas",
    "-d, ls",
    "-dp, motals",
    "--preserve=xattr, xs",
    "'--preserve=acl,links', als",
    "--preserve=all, motxals",
    "'--preserve=ownership,timestamps', ots",
    "--preserve=MODE, mas",
    "-a --no-preserve=owner, mtxals",
    "--no-preserve=owner -a, motxals",
    "-a --no-preserve=all, ''",
    "-a --no-preserve=all -p, mota",
    "'-p --no-preserve=mode,times --preserve=mode', moas",
    "'--preserve=mode', mas",
    "'--preserve=mode --no-preserve=acl', ms",
    "--sparse=never, ''",
    "-a --sparse=never, motxal",
    "--sparse=never -a, motxals",
    "--sparse=never --sparse=auto, s",
  })
  void whatIsPreservedIsToldInOrder(String options, String expected) throws Failure {
    Preserve preserve = copy((options + " a b").split(" ")).preserve();
    String kept =
        (preserve.mode() ? "m" : "")
            + (preserve.owner() ? "o" : "")
            + (preserve.times() ? "t" : "")
            + (preserve.xattr() ? "x" : "")
            + (preserve.acl() ? "a" : "")
            + (preserve.links() ? "l" : "")
            + (preserve.sparse() ? "s" : "");
    assertThat(kept).isEqualTo(expected);
  }

  @Test
  void aWordThatIsNothingToPreserveIsToldWithTheNearest() {
    assertUsage(
        "--preserve=onwer", "--preserve: 'onwer' is not one of mode, owner,", "mean owner?");
    assertUsage("--no-preserve=context", "--no-preserve: 'context' is not one of mode, owner,");
    assertUsage("--preserve=mode,", "has an empty value");
    assertUsage("--sparse=some", "--sparse: 'some' is not one of auto, never, always");
  }

  @ParameterizedTest
  @CsvSource({
    "-f, REPLACE",
    "-n, KEEP",
    "-u, OLDER",
    "-i, ASK",
    "-un, KEEP",
    "-nu, KEEP",
    "-in, KEEP",
    "-ni, ASK",
    "-nif, ASK",
    "-fu, OLDER",
  })
  void theWordsOnWhatExistsAreThoseOfCp(String options, Existing expected) throws Failure {
    assertThat(copy(options, "a", "b").policy().existing()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "-b, IF_BEGUN, ~",
    "--backup, IF_BEGUN, ~",
    "--backup=existing, IF_BEGUN, ~",
    "--backup=nil, IF_BEGUN, ~",
    "--backup=simple, NEVER, ~",
    "--backup=never, NEVER, ~",
    "--backup=numbered, ALWAYS, ~",
    "--backup=t, ALWAYS, ~",
    "-S.old, IF_BEGUN, .old",
    "--suffix=.old --backup, IF_BEGUN, .old",
    "--backup=numbered -b, ALWAYS, ~",
  })
  void aBackupHasASuffixOrANumber(String options, Numbered numbered, String suffix) throws Failure {
    assertThat(copy((options + " a b").split(" ")).policy().backup())
        .isEqualTo(new Backup(numbered, suffix));
  }

  @Test
  void aValueThatMayBeMissingIsNotTheOperandThatFollows() throws Failure {
    CopyRequest request = copy("--backup", "numbered", "b");
    assertThat(request.sources()).containsExactly(RawPath.of("numbered"));
    assertThat(copy("--preserve", "--", "--backup", "b").sources())
        .containsExactly(RawPath.of("--backup"));
  }

  @Test
  void noBackupIsAWordToo() throws Failure {
    for (String word : List.of("none", "off")) {
      assertThat(copy("-b", "--backup=" + word, "a", "b").policy().backup()).isNull();
    }
  }

  @Test
  void aLinkReplacesOnlyIfToldTo() throws Failure {
    for (String link : List.of("-l", "-s")) {
      assertThat(copy(link, "a", "b").policy().existing()).isEqualTo(Existing.REFUSE);
      for (String also : List.of("-f", "-b", "--remove-destination")) {
        assertThat(copy(link, also, "a", "b").policy().existing()).isEqualTo(Existing.REPLACE);
      }
      assertThat(copy(link, "-n", "a", "b").policy().existing()).isEqualTo(Existing.KEEP);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-l, HARD_LINK",
    "--link, HARD_LINK",
    "-s, SYMLINK",
    "--attributes-only, ATTRIBUTES",
    "--parents, COPY",
  })
  void whatAFileBecomesIsAnOption(String option, CopyKind kind) throws Failure {
    assertThat(copy(option, "a", "b").form().kind()).isEqualTo(kind);
    assertThat(copy(option, "a", "b").form().parents()).isEqualTo(option.equals("--parents"));
  }

  @Test
  void aFileBecomesOneThing() {
    assertUsage("-ls", "-l and -s cannot be combined");
    assertUsageOf(
        "-s and --attributes-only cannot be combined", "-s", "--attributes-only", "a", "b");
    assertUsageOf(
        "-l and --verify cannot be combined: no bytes are copied",
        "-l",
        "--verify=media",
        "a",
        "b");
  }

  @Test
  void sharedBlocksAreTheStrategyForThem() throws Failure {
    assertThat(copy("--reflink", "a", "b").choice().strategy()).isEqualTo("reflink");
    assertThat(copy("--reflink=always", "a", "b").choice().strategy()).isEqualTo("reflink");
    assertThat(copy("--reflink=never", "a", "b").choice().strategy()).isEqualTo("direct");
    assertThat(copy("--reflink", "--reflink=auto", "a", "b").choice()).isEqualTo(Choice.DEFAULT);
    assertUsage("--reflink=maybe", "--reflink: 'maybe' is not one of auto, always, never");
    assertUsageOf("--reflink=always needs --sparse=auto", "--reflink", "--sparse=always", "a", "b");
    assertUsageOf("--reflink=always needs --sparse=auto", "--reflink", "--sparse=never", "a", "b");
  }

  @ParameterizedTest
  @CsvSource({"--chunk-size=1M, false", "--limit-rate=1G, false", "--strategy=mmap, true"})
  void onlyASharedCopyHasNoSizeAndNoRate(String option, boolean saysHow) throws Failure {
    String name = option.substring(0, option.indexOf('='));
    assertUsageOf(name + " is not for --reflink=always", "--reflink", option, "a", "b");
    assertThat(copy("--reflink=auto", option, "a", "b")).isEqualTo(copy(option, "a", "b"));
    if (saysHow) {
      assertUsageOf(name + " is not for --reflink=never", "--reflink=never", option, "a", "b");
    } else {
      CopyRequest request = copy("--reflink=never", option, "a", "b");
      assertThat(request.choice().strategy()).isEqualTo("direct");
      assertThat(request.choice().chunkBytes())
          .isEqualTo(copy(option, "a", "b").choice().chunkBytes());
    }
  }

  @Test
  void zerosBecomeHolesIfThatIsTheLastWord() throws Failure {
    assertThat(copy("--sparse=always", "a", "b").form().zerosToHoles()).isTrue();
    assertThat(copy("--sparse=always", "--sparse=auto", "a", "b").form().zerosToHoles()).isFalse();
  }

  @Test
  void aStrategyThatWouldNotRunIsRefused() throws Failure {
    assertUsageOf(
        "--strategy and --sparse=always cannot be combined",
        "--strategy=mmap",
        "--sparse=always",
        "a",
        "b");
    assertUsageOf(
        "--chunk-size and --sparse=always cannot be combined",
        "--chunk-size=1M",
        "--sparse=always",
        "a",
        "b");
    assertThat(copy("--strategy=auto", "--sparse=always", "a", "b").choice())
        .isEqualTo(Choice.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "--update, OLDER",
    "--update=older, OLDER",
    "--update=none, KEEP",
    "--update=all, REPLACE",
    "-u --update=all, REPLACE",
    "--update=all -u, OLDER",
    "-i --update=none, KEEP",
    "--update=none -i, ASK",
  })
  void whatIsUpdatedIsAWord(String options, Existing existing) throws Failure {
    assertThat(copy((options + " a b").split(" ")).policy().existing()).isEqualTo(existing);
  }

  @Test
  void namesAndWordsMayBeAbbreviated() throws Failure {
    CopyRequest request = copy("--rem", "--backup=num", "--preserve=own", "--sym", "a", "b");
    assertThat(request.policy().remove()).isTrue();
    assertThat(request.policy().backup().numbered()).isEqualTo(Numbered.ALWAYS);
    assertThat(request.preserve().owner()).isTrue();
    assertThat(request.form().kind()).isEqualTo(CopyKind.SYMLINK);
    assertUsage("--re", "option '--re' is ambiguous: --recursive, --reflink");
    assertUsage("--sparse=a", "--sparse: 'a' is ambiguous: auto, always");
  }

  @Test
  void aValueInAWordOfItsOwnIsNoAbbreviation() throws Failure {
    for (String option : List.of("-S", "-bS", "--suffix", "--suf")) {
      CopyRequest request = copy(option, "--re", "a", "b");
      assertThat(request.policy().backup().suffix()).isEqualTo("--re");
    }
    assertThat(copy("-S.x", "--recurs", "a", "b").selection().recursive()).isTrue();
  }

  @Test
  void aSuffixStaysInTheDirectory() {
    assertUsage("--suffix=/x", "--suffix: '/x'");
    assertUsage("--suffix=", "--suffix: ''");
    assertUsage("--backup=numbred", "did you mean numbered?");
  }

  @Test
  void whatIsDoneAboutTroubleIsSaidByWords() throws Failure {
    assertThat(copy("a", "b").policy().onChange()).isEqualTo(OnChange.RETRY);
    assertThat(copy("--on-change=fail", "a", "b").policy().onChange()).isEqualTo(OnChange.FAIL);
    assertThat(copy("--on-change=accept", "a", "b").policy().onChange()).isEqualTo(OnChange.ACCEPT);
    assertThat(copy("--strict", "a", "b").policy().strict()).isTrue();
    assertThat(copy("--follow-target-links", "a", "b").policy().writeThroughLinks()).isTrue();
    assertUsage("--on-change=retyr", "did you mean retry?");
  }

  @Test
  void assuranceHasALevelAManifestAndTheDevice() throws Failure {
    assertThat(copy("--verify=none", "a", "b").assurance()).isEqualTo(Assurance.USUAL);
    assertThat(copy("--verify=media", "--manifest=m", "--fsync", "a", "b").assurance())
        .isEqualTo(new Assurance(Level.MEDIA, RawPath.of("m"), true, false));
    assertThat(copy("--verify-only", "a", "b").assurance().compareOnly()).isTrue();
    assertUsage("--verify=wire", "--verify: wire is for a copy to or from another machine");
  }

  @Test
  void aTargetIsFoundOrNamedADirectoryOrNamedNoDirectory() throws Failure {
    CopyRequest inside = copy("-t", "d", "a", "b");
    assertThat(inside.placement()).isEqualTo(Placement.INSIDE);
    assertThat(inside.target()).isEqualTo(RawPath.of("d"));
    assertThat(inside.sources()).containsExactly(RawPath.of("a"), RawPath.of("b"));
    assertThat(copy("a", "--target-directory=d").sources()).containsExactly(RawPath.of("a"));
    assertThat(copy("-T", "a", "b").placement()).isEqualTo(Placement.EXACTLY);
    assertUsageOf("-t and -T", "-Tt", "d", "a");
    assertUsageOf("-T takes one SOURCE, but there are 2", "-T", "a", "b", "c");
    assertUsageOf("SOURCE is missing", "-t", "d");
    assertUsageOf("-t needs a directory", "-t", "-", "a");
  }

  @Test
  void namesComeFromAListOfOneSource() throws Failure {
    assertThat(copy("--files-from=l", "a", "b").selection().names())
        .isEqualTo(new NameList(RawPath.of("l"), false));
    assertThat(copy("--files-from=-", "--from0", "a", "b").selection().names())
        .isEqualTo(new NameList(RawPath.of("-"), true));
    assertUsageOf("one SOURCE, but there are 2", "--files-from=l", "a", "b", "c");
    assertUsageOf("--from0 needs --files-from", "--from0", "a", "b");
    assertUsageOf("both read standard input", "-i", "--files-from=-", "a", "b");
  }

  @Test
  void patternsCountInTheOrderOfAllThreeOptions() throws Exception {
    Path file = Files.writeString(dir.resolve("ignore"), "c.o\n");
    Filter filter =
        copy(
                "-r",
                "--exclude=*.o",
                "--include",
                "a.*",
                "--exclude-from=" + file,
                "--include=c.*",
                "--exclude=a.x",
                "a",
                "b")
            .selection()
            .filter();
    assertThat(List.of("a.o", "b.o", "c.o", "a.x", "b.x"))
        .filteredOn(name -> filter.excludes(name.getBytes(StandardCharsets.UTF_8), false))
        .containsExactly("b.o", "a.x");
    assertThat(copy("-r", "a", "b").selection().filter()).isSameAs(Filter.NONE);
  }

  @Test
  void patternsAreForTreesAndTheirMistakesAreTold() {
    assertUsageOf("--exclude applies to directories only", "--exclude=x", "a", "b");
    assertUsageOf("[a: not a gitignore pattern", "-r", "--exclude=[a", "a", "b");
    assertUsageOf("--exclude-from needs a file", "-r", "--exclude-from=-", "a", "b");
    assertThatThrownBy(() -> copy("-r", "--exclude-from=" + dir.resolve("none"), "a", "b"))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.SOURCE))
        .hasMessageEndingWith("none: no such file or directory");
  }

  @Test
  void jobsAreCountedFromOne() throws Failure {
    assertThat(copy("-j1", "a", "b").jobs()).isEqualTo(1);
    assertThat(copy("--jobs=1024", "a", "b").jobs()).isEqualTo(1024);
    for (String wrong : new String[] {"0", "-1", "1025", "", "many", "99999999999"}) {
      assertUsage("--jobs=" + wrong, "--jobs: '" + wrong + "' is not a number from 1 to 1024");
    }
  }

  @Test
  void mountsAndTrialsAreFlags() throws Failure {
    assertThat(copy("-rx", "a", "b").selection().oneFileSystem()).isTrue();
    assertThat(copy("--dry-run", "a", "b").dryRun()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "-n --backup, --backup and -n",
    "-nb, -b and -n",
    "-n -S.x, --suffix and -n",
    "--dry-run -i, --dry-run and -i",
    "--dry-run --manifest=m, --dry-run and --manifest",
    "--verify-only --dry-run, --dry-run and --verify-only",
    "--verify-only -n, --verify-only and -n",
    "--fsync --verify-only, --verify-only and --fsync",
    "--inplace --backup, --inplace and --backup",
    "--inplace -b, --inplace and -b",
    "--inplace -S.x, --inplace and --suffix",
  })
  void whatContradictsItselfIsToldByItsTwoOptions(String options, String message) {
    assertUsageOf(message + " cannot be combined", (options + " a b").split(" "));
  }

  @Test
  void aStreamHasNothingThatATreeHas() throws Failure {
    assertThat(copy("-n", "-", "b").sources()).containsExactly(RawPath.of("-"));
    for (String option :
        new String[] {"-r", "-a", "-p", "-u", "-i", "--manifest=m", "--verify=readback", "-b"}) {
      String name = option.split("=")[0];
      assertUsageOf(name + " is not for '-'", option, "-", "b");
      assertUsageOf(name + " is not for '-'", option, "a", "-");
    }
  }

  private static void assertUsage(String option, String... messages) {
    for (String message : messages) {
      assertUsageOf(message, option, "a", "b");
    }
  }

  @Test
  void backupsAreKeptAsTheVariablesOfCpSayUnlessOptionsDo() throws Failure {
    Map<String, String> set = Map.of("VERSION_CONTROL", "num", "SIMPLE_BACKUP_SUFFIX", ".é");
    assertThat(copy(set, "a", "b").policy().backup()).isNull();
    assertThat(copy(set, "-b", "a", "b").policy().backup())
        .isEqualTo(new Backup(Numbered.ALWAYS, ".\u00c3\u00a9"));
    assertThat(copy(set, "--backup=simple", "-S.o", "a", "b").policy().backup())
        .isEqualTo(new Backup(Numbered.NEVER, ".o"));
    Map<String, String> empty = Map.of("VERSION_CONTROL", "", "SIMPLE_BACKUP_SUFFIX", "");
    assertThat(copy(empty, "--backup", "a", "b").policy().backup())
        .isEqualTo(new Backup(Numbered.IF_BEGUN, "~"));
    assertThat(copy(Map.of("VERSION_CONTROL", "off"), "-b", "a", "b").policy().backup()).isNull();
    assertUsageOf(
        "VERSION_CONTROL: 'some' is not one of", Map.of("VERSION_CONTROL", "some"), "-b", "a", "b");
    assertUsageOf(
        "SIMPLE_BACKUP_SUFFIX: '/x' must not be empty",
        Map.of("SIMPLE_BACKUP_SUFFIX", "/x"),
        "-b",
        "a",
        "b");
  }

  private static void assertUsageOf(String message, String... words) {
    assertUsageOf(message, Map.of(), words);
  }

  private static void assertUsageOf(
      String message, Map<String, String> environment, String... words) {
    assertThatThrownBy(() -> copy(environment, words))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining(message);
  }

  private static CopyRequest copy(String... words) throws Failure {
    return copy(Map.of(), words);
  }

  private static CopyRequest copy(Map<String, String> environment, String... words) throws Failure {
    CopyCommand command = new CopyCommand();
    Parser.parse(command, Arguments.of(words), null);
    return command.request(RequestsTest.shell(environment));
  }
}
