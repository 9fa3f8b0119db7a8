package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Findings;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Result.Tree;
import dev.zcp.insight.Stage;
import dev.zcp.testing.SampleLatencies;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Transfers as they might have been, with times that never change.
final class Recorded {

  private static final long GIB = 1L << 30;

  static final Link LINK =
      new Link(
          "127.0.0.1:5230",
          false,
          "",
          new SocketBuffer("SO_SNDBUF", 0, 2_626_560, "net.core.wmem_max"));

  private Recorded() {}

  /// Two of three files arrive; one of them in two ways.
  static List<Event> copyWithAFailure() {
    Ran first = new Ran("copyFileRange", GIB, 4, "reflink: the file system has no reflinks");
    Ran second =
        new Ran("direct", 209_715_200, 200, "copyFileRange: not across these file systems");
    Failure failure = Failure.of(ExitCode.SOURCE, "gone.raw", "no such file");
    long[] steps = new long[204];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = 180_000 + 1_000L * i;
    }
    steps[200] = 70_000_000;
    Map<Stage, Latencies> stages = new LinkedHashMap<>();
    stages.put(Stage.COPY, SampleLatencies.of(steps));
    stages.put(Stage.FILE, SampleLatencies.of(322_000_000, 87_000_000));
    stages.put(Stage.PUBLISH, SampleLatencies.of(21_300, 19_800));
    return List.of(
        new Event.Started("copy", "auto", 3, -1, new At()),
        new Event.FileStarted("photo.raw", GIB),
        new Event.FileDone("photo.raw", GIB, 322_000_000, List.of(first), Level.NONE),
        new Event.FileStarted("gone.raw", -1),
        new Event.FileFailed("gone.raw", failure),
        new Event.Noted("film.raw: the target's file system is nearly full"),
        new Event.FileStarted("film.raw", 209_715_200),
        new Event.FileDone("film.raw", 209_715_200, 87_000_000, List.of(second), Level.NONE),
        new Event.Finished(
            new Result(
                "copy",
                "auto",
                List.of(first, second),
                2,
                1,
                GIB + 209_715_200,
                412_000_000,
                Level.NONE,
                ExitCode.SOME_FAILED,
                "gone.raw: no such file",
                stages,
                null,
                Tree.NONE,
                Findings.NONE,
                ProcessFacts.UNKNOWN)));
  }

  /// One small file arrives, so that each stage has one sample.
  static List<Event> sendOfOneStep() {
    Ran ran = new Ran("transferTo", 1024, 1, "");
    Map<Stage, Latencies> stages = new LinkedHashMap<>();
    stages.put(Stage.SEND, SampleLatencies.of(38_400));
    stages.put(Stage.DIGEST, SampleLatencies.of(1_210));
    stages.put(Stage.FILE, SampleLatencies.of(912_000));
    return List.of(
        new Event.Started("send", "transferTo", 1, 1024, new At()),
        new Event.Connected(LINK),
        new Event.FileStarted("note.txt", 1024),
        new Event.FileDone("note.txt", 1024, 912_000, List.of(ran), Level.WIRE),
        new Event.Finished(
            new Result(
                "send",
                "transferTo",
                List.of(ran),
                1,
                0,
                1024,
                1_350_000,
                Level.WIRE,
                ExitCode.OK,
                "",
                stages,
                new Session(LINK, 1, 0, 0, 0, 0, 0, "", "", Compressed.NOTHING),
                Tree.NONE,
                Findings.NONE,
                ProcessFacts.UNKNOWN)));
  }

  /// One file over `link`.
  static Result overLink(String command, Link link) {
    return overSession(command, new Session(link, 1, 0, 0, 0, 0, 0, "", "", Compressed.NOTHING));
  }

  /// One file in `session`.
  static Result overSession(String command, Session session) {
    return new Result(
        command,
        "auto",
        List.of(new Ran("direct", GIB, 4, "")),
        1,
        0,
        GIB,
        1_000_000_000,
        Level.WIRE,
        ExitCode.OK,
        "",
        Map.of(),
        session,
        Tree.NONE,
        Findings.NONE,
        ProcessFacts.UNKNOWN);
  }

  /// One result that moved nothing.
  static Result nothing(String command, int filesDone, int filesFailed, ExitCode exitCode) {
    return new Result(
        command,
        "auto",
        List.of(),
        filesDone,
        filesFailed,
        0,
        1_200_000,
        Level.NONE,
        exitCode,
        exitCode == ExitCode.OK ? "" : "a: failed",
        Map.of(),
        null,
        Tree.NONE,
        Findings.NONE,
        ProcessFacts.UNKNOWN);
  }

  /// One that took long, in a process that stood still meanwhile.
  static Result withPauses() {
    long[] samplesNs = new long[20];
    Arrays.fill(samplesNs, 1_000_000);
    Arrays.fill(samplesNs, 0, 4, 12_000_000);
    return new Result(
        "copy",
        "auto",
        List.of(new Ran("direct", GIB, 4, "")),
        1,
        0,
        GIB,
        1_000_000_000,
        Level.NONE,
        ExitCode.OK,
        "",
        Map.of(Stage.COPY, SampleLatencies.of(samplesNs)),
        null,
        Tree.NONE,
        Result.Findings.NONE,
        new ProcessFacts(
            new ProcessUsage(812_000_000, 1_200_000_000, 5301, 77, 2, 420, 401, 12_582_912),
            new Pauses(2, 430_000_000, 410_000_000, 3)));
  }

  /// The end of a copy of a tree of 15,036 files, or of its dry run.
  static Result tree(EntryCounts entries, Plan plan, long bytesDurable, List<Event.Lost> losses) {
    return withTree(new Tree(bytesDurable, entries, plan, losses, List.of(), Map.of()));
  }

  /// The same, of `tree`.
  static Result withTree(Tree tree) {
    return new Result(
        "copy",
        "auto",
        tree.plan() == null ? List.of(new Ran("copyFileRange", GIB, 15_036, "")) : List.of(),
        tree.plan() == null ? 15_036 : 0,
        0,
        tree.plan() == null ? GIB : 0,
        211_000_000,
        Level.NONE,
        ExitCode.OK,
        "",
        Map.of(),
        null,
        tree,
        Findings.NONE,
        ProcessFacts.UNKNOWN);
  }
}
