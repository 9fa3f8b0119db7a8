package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nobody but root may give files away. A user who copies everything need not hear that each time;
/// whoever asks for owners by name does.
class OwnersOfUserIT {

  private static final String TOLD =
      "owner and group of 2 entries not kept: only root may change owners (the first: ";

  /// As a user has it: tests ask for a table.
  private static final String LINE = "--report=line";

  @TempDir Path folder;

  private int targets;

  @BeforeEach
  void makeTree() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may become nobody");
    folder = folder.toRealPath();
    Files.writeString(Files.createDirectory(folder.resolve("tree")).resolve("file"), "content");
    Programs.run("chmod", "755", folder.toString(), folder + "/tree");
    Path rsh = folder.resolve("rsh");
    Files.writeString(
        rsh,
        "#!/bin/sh\nshift\nexec " + String.join(" ", UnreadableTreeIT.AS_NOBODY) + " \"$@\"\n");
    Programs.run("chmod", "755", rsh.toString());
    Programs.run("chown", "65534:65534", Files.createDirectory(folder.resolve("out")).toString());
    BuiltZcp.Ended version = BuiltZcp.run(folder, UnreadableTreeIT.AS_NOBODY, "--version");
    assumeTrue(version.exitCode() == 0, "nobody may not run what was built: " + version.err());
  }

  @Test
  void aCopyOfEverythingTellsOnlyWhoAsksForMore() throws Exception {
    for (String usual : List.of("-a", "-rp", "--preserve=all -r", "--preserve -r")) {
      assertThat(copyHere(usual)).as(usual).doesNotContain("owner");
    }
    for (String more : List.of("-a -v", "-a --report=table", "-r --preserve=times,owner")) {
      assertThat(copyHere(more)).as(more).contains(TOLD);
    }
    assertThat(run(UnreadableTreeIT.AS_NOBODY, "sync", LINE, tree(), next()).err())
        .doesNotContain("owner");
    assertThat(run(UnreadableTreeIT.AS_NOBODY, "copy", "-a", "--json", tree(), next()).out())
        .contains("{\"event\":\"lost\",\"what\":\"owner and group\",\"entries\":2,");
  }

  @Test
  void itIsStillAFailureIfNothingMayBeLost() throws Exception {
    BuiltZcp.Ended ended =
        run(UnreadableTreeIT.AS_NOBODY, "copy", "-a", "--strict", tree(), next());
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.err()).contains("owner and group not kept");
  }

  /// The sender may be root: it is the user of the other machine who may not.
  @Test
  void theSameGoesForACopyToAnotherMachine() throws Exception {
    assertThat(copyThere("-a")).doesNotContain("owner");
    assertThat(copyThere("-a", "-v")).contains("zcp: there: " + TOLD);
    assertThat(copyThere("-a", "--preserve=owner")).contains("zcp: there: " + TOLD);
  }

  private String tree() {
    return folder + "/tree";
  }

  private String next() {
    return folder + "/out/" + targets++;
  }

  private String copyHere(String options) throws Exception {
    List<String> words = new ArrayList<>(List.of("copy", LINE));
    words.addAll(List.of(options.split(" ")));
    words.addAll(List.of(tree(), next()));
    BuiltZcp.Ended ended = run(UnreadableTreeIT.AS_NOBODY, words.toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended.err();
  }

  private String copyThere(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("copy", LINE));
    words.addAll(List.of(options));
    words.add("--rsh=" + folder.resolve("rsh"));
    words.add("--remote-command=" + BuiltZcp.LAUNCHER);
    words.addAll(List.of(tree(), "there:" + next()));
    BuiltZcp.Ended ended = run(List.of(), words.toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended.err();
  }

  private BuiltZcp.Ended run(List<String> as, String... arguments) throws Exception {
    return BuiltZcp.run(folder, as, arguments);
  }
}
