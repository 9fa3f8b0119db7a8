package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.ProcessTimes;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Bottleneck.Devices;
import dev.zcp.insight.Bottleneck.Network;
import dev.zcp.insight.Bottleneck.TransferFacts;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.insight.StageBook;
import dev.zcp.insight.WorkSide;
import dev.zcp.linux.DirtyPages;
import dev.zcp.linux.Processors;
import dev.zcp.profile.RouteKey;
import dev.zcp.profile.RouteTunings.UserProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// The training run of an AOT cache: runs the usual commands of one course once, so that the cache
/// made at its end holds the classes they load, and no others. `Train COURSE DIR` works in that
/// directory, which must exist; the course is `start`, `copy` or `peer`.
///
/// A command that ends otherwise than expected fails the run and with it the build: a cache trained
/// on error messages would be of no use.
final class Train {

  /// Large enough that every strategy takes more than one step and the digest gets its thread.
  private static final int LARGE_FILE_BYTES = 9 << 20;

  private static final long HUGE_FILE_BYTES = 128L << 20;

  private static final int SMALL_FILE_BYTES = 1024;

  private static final String CLASS = ".class";

  private static final int FOLDERS = 9;

  private static final long NS_PER_SECOND = 1_000_000_000;

  private static final int FILES_PER_FOLDER = 20;

  /// Of another way: what is read is the same. Only long files read it, and explain.
  private static final String PROFILE =
      """
      {"format":1,"ways":[{"from":{"type":"t","source":"s","point":"/none"},\
      "to":{"type":"t","source":"s","point":"/none"},"kernel":"k","date":"d","zcp":"z",\
      "fileBytes":1,"better":true,"figures":[{"strategy":"direct","chunkBytes":0,\
      "medianNsPerMiB":2,"lowerQuartileNsPerMiB":1,"upperQuartileNsPerMiB":3,"runs":7}]}]}
      """;

  /// A command line and the exit code it must end with.
  private record Lesson(ExitCode expected, String... arguments) {}

  private final Path directory;
  private final Path small;
  private final Path large;
  private final Path profile;
  private final Path tree;

  private Train(Path directory) throws IOException {
    this.directory = directory;
    this.small = Files.write(directory.resolve("small"), new byte[SMALL_FILE_BYTES]);
    this.large = Files.write(directory.resolve("large"), new byte[LARGE_FILE_BYTES]);
    Path configuration = Files.createDirectories(directory.resolve(".config/zcp"));
    this.profile = Files.writeString(configuration.resolve("profile.json"), PROFILE);
    this.tree = directory.resolve("tree");
  }

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    // The cache holds only classes that the training run loads; Main.main itself does not run here.
    Class.forName(Main.class.getName());
    // So does what it asks for before it runs a command.
    System.getenv();
    Train train = new Train(Path.of(args[1]));
    switch (args[0]) {
      case "start" -> train.learnAll(train.starts());
      case "copy" -> {
        train.plantTree();
        train.makeHuge();
        train.learnAll(train.copies());
        learnVerdicts();
      }
      case "peer" -> train.learnPeers();
      default -> throw new IllegalArgumentException("no such course: " + args[0]);
    }
  }

  /// Files in folders, and one of each other thing that needs no privilege.
  private void plantTree() throws IOException {
    byte[] content = new byte[SMALL_FILE_BYTES];
    for (int i = 0; i < FOLDERS; i++) {
      Path folder = Files.createDirectories(tree.resolve("folder" + i % 7 + "/folder" + i));
      for (int j = 0; j < FILES_PER_FOLDER; j++) {
        Files.write(folder.resolve("file" + j), content);
      }
    }
    Files.createSymbolicLink(tree.resolve("link"), small);
    Files.createLink(tree.resolve("one"), Files.write(tree.resolve("other"), content));
    Files.copy(large, tree.resolve("large"));
  }

  /// A file that two threads copy, on ext4; all of it is a hole, so it is made at once.
  private void makeHuge() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path("huge"), "rw")) {
      file.setLength(HUGE_FILE_BYTES);
    }
  }

  private void learnAll(List<Lesson> lessons) {
    for (Lesson lesson : lessons) {
      expect(lesson, new ByteArrayOutputStream());
    }
  }

  private List<Lesson> starts() {
    return List.of(
        new Lesson(ExitCode.OK, "--version"),
        new Lesson(ExitCode.OK, "--help"),
        new Lesson(ExitCode.OK, "completion", "--help"),
        new Lesson(ExitCode.OK, "completion", "bash"),
        new Lesson(ExitCode.OK, "completion", "zsh"),
        new Lesson(ExitCode.OK, "completion", "fish"),
        new Lesson(ExitCode.USAGE),
        new Lesson(ExitCode.USAGE, "cpoy"));
  }

  private void learnPeers() throws IOException, ReflectiveOperationException {
    for (String command : List.of("send", "receive")) {
      expect(new Lesson(ExitCode.OK, command, "--help"), new ByteArrayOutputStream());
      expect(
          new Lesson(ExitCode.USAGE, command, "--strat=mmap", "a", "b"),
          new ByteArrayOutputStream());
    }
    for (String strategy : List.of("auto", "direct", "splice")) {
      String receiving = "--strategy=" + (strategy.equals("auto") ? "direct" : strategy);
      String sending = "--strategy=" + strategy;
      Path fresh = Files.createDirectory(directory.resolve("by-" + strategy));
      sendAndReceive(
          List.of(receiving, fresh.toString()),
          List.of(sending),
          List.of(small.toString(), large.toString()));
    }
    plantTree();
    List<String> trees = List.of(tree.toString());
    String arrived = Files.createDirectory(directory.resolve("arrived")).toString();
    // Twice: the second time files are compared, and replaced if they differ.
    for (int i = 0; i < 2; i++) {
      sendAndReceive(List.of("--accept=all", arrived), List.of("-a"), trees);
    }
    Files.write(Path.of(arrived, "tree", "other"), new byte[1]);
    sendAndReceive(
        List.of("--accept=all", "--overwrite", arrived), List.of("-a", "--connections=2"), trees);
    sendAndReceive(
        List.of("--discard", "--accept=links", arrived),
        List.of("-r", "-q", "--exclude=*.o"),
        trees);
    for (String word : List.of("-v", "--json")) {
      List<String> receiving = new ArrayList<>(reports(word));
      receiving.addAll(List.of("--accept=all", "--verify=readback", "--overwrite", arrived));
      List<String> sending = new ArrayList<>(reports(word));
      sending.add("-a");
      sendAndReceive(receiving, sending, List.of(tree.toString(), large.toString()));
    }
    sendAndReceive(List.of("--progress=always", arrived), List.of("-v"), List.of("-"));
    sendAndReceive(
        List.of(
            "--tls",
            "--accept=all",
            Files.createDirectory(directory.resolve("encrypted")).toString()),
        List.of("-a", "--connections=2"),
        List.of(tree.toString(), large.toString()));
    String copied = directory.resolve("copied").toString();
    copyBySsh("-a", tree.toString(), "there:" + copied);
    copyBySsh("-aq", "there:" + copied, path("fetched"));
    copyBySsh("-q", small.toString(), "there:" + copied);
    learnAll(List.of(plan()));
    copyBySsh("-q", shard("0"), "there:" + path("planned"));
    learnVerdicts();
    // A file that is long enough to be sent by it would take the build long.
    new UserProfile(RawPath.of(profile)).find(new RouteKey.Send("none"));
  }

  /// What only a transfer of some length takes, which would make the build long: its verdict, and
  /// the evidence for that.
  private static void learnVerdicts() throws IOException, ReflectiveOperationException {
    loadAllOfInsight();
    Devices devices = new Devices(0, DirtyPages.now());
    Processors.waitedNs();
    ProcessTimes idle = new ProcessTimes(NS_PER_SECOND / 10, 0, NS_PER_SECOND / 10);
    Network network = new Network(1, NS_PER_SECOND, 0, 0, NS_PER_SECOND, 0);
    for (int percent = 10; percent <= 90; percent += 40) {
      Latencies most = latencies(NS_PER_SECOND / 100 * percent);
      Map<Stage, Latencies> own =
          Map.of(Stage.COPY, most, Stage.SEND, most, Stage.OPEN, latencies(NS_PER_SECOND / 10));
      Map<Stage, Latencies> peers = Map.of(Stage.READ, most);
      for (WorkSide side : List.of(WorkSide.LOCAL, WorkSide.SENDER)) {
        Bottleneck.of(
            new TransferFacts(NS_PER_SECOND, side, own, peers, idle, idle, network, devices));
      }
    }
  }

  /// Some of them are loaded only if a transfer takes long, and the first that is missing in the
  /// cache would open the jar. Classes that are in no jar, as in a test, are in no cache.
  private static void loadAllOfInsight() throws IOException, ReflectiveOperationException {
    String jar = System.getProperty("java.class.path");
    if (!jar.endsWith(".jar") || jar.contains(File.pathSeparator)) {
      return;
    }
    String folder = Insight.class.getPackageName().replace('.', '/') + '/';
    try (JarFile classes = new JarFile(jar)) {
      for (JarEntry each : Collections.list(classes.entries())) {
        String name = each.getName();
        if (name.startsWith(folder) && name.endsWith(CLASS)) {
          String path = name.substring(0, name.length() - CLASS.length());
          Class.forName(path.replace('/', '.'));
        }
      }
    }
  }

  private static Latencies latencies(long sampleNs) {
    StageBook book = new StageBook(0);
    book.book(sampleNs);
    return book.close(0);
  }

  private List<Lesson> copies() {
    List<Lesson> lessons = new ArrayList<>();
    lessons.add(new Lesson(ExitCode.OK, "copy", "--help"));
    lessons.add(new Lesson(ExitCode.OK, "strategies", "--help"));
    lessons.add(new Lesson(ExitCode.OK, "strategies"));
    lessons.add(new Lesson(ExitCode.OK, "strategies", small.toString(), path("target")));
    lessons.add(new Lesson(ExitCode.OK, "explain", small.toString(), path("target")));
    lessons.add(new Lesson(ExitCode.USAGE, "copy", "--strat=mmap", "a", "b"));
    lessons.add(new Lesson(ExitCode.USAGE, "copy", "--strategy=mmpa", "a", "b"));
    for (String strategy :
        List.of(
            "auto", "stream", "heap", "direct", "mmap", "transferTo", "copyFileRange", "splice")) {
      lessons.add(copy("--strategy=" + strategy, large));
    }
    lessons.add(copy("-q", small));
    lessons.add(copy("-v", small));
    lessons.add(copy("-n", small));
    lessons.add(copy("--json", small));
    lessons.add(copy("--worst=2", small));
    lessons.add(copy("--progress=always", large));
    lessons.add(copy("--sparse=never", Path.of(path("huge"))));
    lessons.add(reportAll("-v"));
    lessons.add(reportAll("--json"));
    lessons.add(new Lesson(ExitCode.SOURCE, "copy", path("missing"), path("target")));
    lessons.add(copyTree("-q", "copy1"));
    lessons.add(copyTree("-q", "copy2"));
    lessons.add(copyTree("-v", "copy1"));
    lessons.add(copyTree("--json", "copy3"));
    lessons.add(copyTree("--dry-run", "copy4"));
    lessons.add(copyTree("--exclude=*.o", "copy4"));
    lessons.add(copyTree("--progress=always", "copy4"));
    lessons.add(copyTree("--verify=readback", "copy5"));
    lessons.add(new Lesson(ExitCode.OK, "plan", "--help"));
    lessons.add(plan());
    // The second time all is there.
    for (String shard : List.of("0", "1", "0")) {
      lessons.add(new Lesson(ExitCode.OK, "copy", "-q", shard(shard), path("planned")));
    }
    lessons.add(new Lesson(ExitCode.OK, "plan", "--finish", path("plan"), path("planned")));
    lessons.add(new Lesson(ExitCode.OK, "plan", "--status", path("plan")));
    lessons.add(new Lesson(ExitCode.OK, "plan", "--status", "--json", path("plan")));
    return lessons;
  }

  private Lesson plan() {
    return new Lesson(
        ExitCode.OK, "plan", tree.toString(), "--shards=2", "--output=" + path("plan"));
  }

  private String shard(String number) {
    return "--shard=" + path("plan/" + number);
  }

  private Lesson reportAll(String word) {
    List<String> words = new ArrayList<>(List.of("copy", "-a"));
    words.addAll(reports(word));
    words.addAll(List.of(tree.toString(), path("reported")));
    return new Lesson(ExitCode.OK, words.toArray(String[]::new));
  }

  private List<String> reports(String word) {
    return List.of(
        word,
        "--report=full",
        "--worst=2",
        "--report-file=" + path("report.html"),
        "--metrics=" + path("metrics.prom"),
        "--histogram=" + path("latencies.hlog"));
  }

  private Lesson copy(String option, Path source) {
    return new Lesson(ExitCode.OK, "copy", option, source.toString(), path("target"));
  }

  private Lesson copyTree(String option, String name) {
    return new Lesson(ExitCode.OK, "copy", "-a", option, tree.toString(), path(name));
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /// One transfer over loopback: the receiver on a thread of its own, the sender with the URL that
  /// it printed. Of the sender, `options` come before that and `sources` after it.
  private void sendAndReceive(List<String> receive, List<String> options, List<String> sources) {
    List<String> receiving = new ArrayList<>(List.of("receive", "--listen=127.0.0.1:0", "--once"));
    receiving.addAll(receive);
    Lesson lesson = new Lesson(ExitCode.OK, receiving.toArray(String[]::new));
    FirstLine url = new FirstLine();
    Thread receiver = new Thread(() -> expect(lesson, url), "train-receive");
    receiver.start();
    List<String> sending = new ArrayList<>(List.of("send"));
    sending.addAll(options);
    sending.add(url.await());
    sending.addAll(sources);
    expect(new Lesson(ExitCode.OK, sending.toArray(String[]::new)), new ByteArrayOutputStream());
    try {
      receiver.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// One copy to or from the other end that ssh starts: both are of this process, and the ssh
  /// between them is a shell that joins pipes.
  private void copyBySsh(String... arguments) throws IOException {
    String there = path("there.fifo");
    String back = path("back.fifo");
    Files.deleteIfExists(Path.of(there));
    Files.deleteIfExists(Path.of(back));
    try {
      if (new ProcessBuilder("mkfifo", there, back).start().waitFor() != 0) {
        throw new IOException("mkfifo failed");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    Map<String, String> variables =
        Map.of("HOME", directory.toString(), "SSH_CONNECTION", "127.0.0.1 1 127.0.0.1 22");
    Thread serve = new Thread(() -> serve(there, back, variables), "train-serve");
    serve.setDaemon(true);
    serve.start();
    List<String> words = new ArrayList<>(List.of("copy"));
    words.add("--ssh=sh -c 'cat \"$1\" & cat > \"$2\"' sh \"" + back + "\" \"" + there + "\"");
    words.addAll(List.of(arguments));
    expect(new Lesson(ExitCode.OK, words.toArray(String[]::new)), new ByteArrayOutputStream());
  }

  private static void serve(String in, String out, Map<String, String> variables) {
    // Each is open when somebody has opened the other end.
    try (FileOutputStream writing = new FileOutputStream(out);
        FileInputStream reading = new FileInputStream(in)) {
      PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
      Main.run(Arguments.raw(new String[] {"serve"}), reading, writing, err, variables);
    } catch (IOException e) {
      // The copy fails then, and tells why.
    }
  }

  private void expect(Lesson lesson, OutputStream out) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            Arguments.raw(lesson.arguments()),
            new ByteArrayInputStream(new byte[0]),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("XDG_RUNTIME_DIR", directory.toString(), "HOME", directory.toString()));
    if (code != lesson.expected().number()) {
      throw new IllegalStateException(
          String.join(" ", lesson.arguments())
              + ": exit code "
              + code
              + ", expected "
              + lesson.expected().number()
              + ": "
              + err.toString(StandardCharsets.UTF_8));
    }
  }

  /// Standard output of a receiver, whose first line is awaited by somebody else.
  private static final class FirstLine extends ByteArrayOutputStream {

    private final CompletableFuture<String> line = new CompletableFuture<>();

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      String text = toString(StandardCharsets.UTF_8);
      int end = text.indexOf('\n');
      if (end >= 0) {
        // With --json it stands among others, in quotes.
        line.complete(text.substring(text.indexOf("zcp"), end).replaceAll("\".*", ""));
      }
    }

    String await() {
      return line.join();
    }
  }
}
