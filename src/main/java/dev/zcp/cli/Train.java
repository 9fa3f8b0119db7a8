package dev.zcp.cli;

import dev.zcp.core.Daemon;
import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.core.RawPath;
import dev.zcp.core.Uninterruptible;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Bottleneck.EndFacts;
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
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// The training run of an AOT cache: runs the usual commands of one course once, so that the cache
/// made at its end holds the classes they load, and no others. `Train COURSE DIR` works in that
/// directory, which must exist.
///
/// The course is a file of `build/training`, with a lesson in each line: a command line after the
/// exit code that it must end with; `receive ... | send ... URL ...`, a transfer over loopback;
/// `ssh` and a command to or from the directory `there:`; or what else [#learn] knows. A `/` begins
/// a path below the directory of the run.
///
/// A command that ends otherwise than expected fails the run and with it the build: a cache trained
/// on error messages would be of no use.
final class Train {

  /// Large enough that every strategy takes more than one step and the digest gets its thread.
  private static final int LARGE_FILE_BYTES = 9 << 20;

  /// Large enough that it would be gone on with if it were interrupted.
  private static final long HUGE_FILE_BYTES = 256L << 20;

  private static final int SMALL_FILE_BYTES = 1024;

  private static final String CLASS = ".class";

  private static final int FOLDERS = 9;

  private static final int UNSORTED = 60;

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

  private final Path directory;

  private Train(Path directory) throws IOException {
    this.directory = directory;
    Files.write(directory.resolve("small"), new byte[SMALL_FILE_BYTES]);
    Files.write(directory.resolve("large"), new byte[LARGE_FILE_BYTES]);
    for (String each :
        List.of(".config/zcp", "by-auto", "by-direct", "by-splice", "arrived", "encrypted")) {
      Files.createDirectories(directory.resolve(each));
    }
    Files.writeString(directory.resolve(".config/zcp/profile.json"), PROFILE);
  }

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    // The cache holds only classes that the training run loads; Main.main itself does not run here.
    Class.forName(Main.class.getName());
    // So does what it asks for before it runs a command.
    System.getenv();
    Arguments.of("zcp://@here").withKey("key");
    Train train = new Train(Path.of(args[1]));
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      train.learn(line);
    }
  }

  private void learn(String line) throws IOException, ReflectiveOperationException {
    int space = line.indexOf(' ');
    String rest = line.substring(space + 1);
    switch (space < 0 ? line : line.substring(0, space)) {
      case "#" -> {}
      case "tree" -> plantTree();
      case "huge" -> makeHuge();
      case "change" -> Files.write(Path.of(below(rest)), new byte[1]);
      case "receive" -> sendAndReceive(line);
      case "ssh" -> doBySsh(rest);
      case "class" -> Class.forName(rest);
      case "verdicts" -> learnVerdicts();
      // A file that is long enough to be sent by it would take the build long.
      case "profile" -> {
        RawPath profile = RawPath.of(below("/.config/zcp/profile.json"));
        new UserProfile(profile).find(new RouteKey.Send("none"));
      }
      default -> {
        String words = space < 0 ? "" : rest;
        expect(line.charAt(0) - '0', words(words));
      }
    }
  }

  /// Files in folders, and one of each other thing that needs no privilege.
  private void plantTree() throws IOException {
    Path tree = directory.resolve("tree");
    byte[] content = new byte[SMALL_FILE_BYTES];
    for (int i = 0; i < FOLDERS; i++) {
      Path folder = Files.createDirectories(tree.resolve("folder" + i % 7 + "/folder" + i));
      for (int j = 0; j < FILES_PER_FOLDER; j++) {
        Files.write(folder.resolve("file" + j), content);
      }
    }
    Files.createSymbolicLink(tree.resolve("link"), directory.resolve("small"));
    Files.createLink(tree.resolve("one"), Files.write(tree.resolve("other"), content));
    Files.copy(directory.resolve("large"), tree.resolve("large"));
  }

  /// A file that two threads copy, on ext4; all of it is a hole, so it is made at once.
  private void makeHuge() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(below("/huge"), "rw")) {
      file.setLength(HUGE_FILE_BYTES);
    }
  }

  /// What only a transfer of some length takes, which would make the build long: its verdict, and
  /// the evidence for that.
  private static void learnVerdicts() throws IOException, ReflectiveOperationException {
    loadAllOfInsight();
    Processors.waitedNs();
    sortSamples(3);
    sortSamples(UNSORTED);
    for (int percent = 10; percent <= 90; percent += 40) {
      Latencies most = latencies(NS_PER_SECOND / 100 * percent);
      Map<Stage, Latencies> own =
          Map.of(Stage.COPY, most, Stage.SEND, most, Stage.OPEN, latencies(NS_PER_SECOND / 10));
      judge(WorkSide.LOCAL, own);
      judge(WorkSide.SENDER, own);
      judge(WorkSide.LOCAL, Map.of(Stage.CREATE, most));
    }
  }

  private static void judge(WorkSide side, Map<Stage, Latencies> own) {
    ProcessTimes idle = new ProcessTimes(NS_PER_SECOND / 10, 0, NS_PER_SECOND / 10);
    Network network = new Network(1, NS_PER_SECOND, 0, 0, NS_PER_SECOND, 1, 0);
    TransferFacts facts =
        new TransferFacts(
            NS_PER_SECOND,
            side,
            own,
            Map.of(Stage.READ, latencies(NS_PER_SECOND / 2)),
            idle,
            idle,
            network);
    Bottleneck.of(
        Bottleneck.judge(facts),
        new EndFacts(side, 1000, 1000, 0, NS_PER_SECOND / 10, DirtyPages.now()));
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

  /// So many, and in no order, that the JDK does not sort them by insertion; in one way if many are
  /// the same, and in another if not.
  private static void sortSamples(int different) {
    StageBook book = new StageBook(0);
    for (int i = 0; i < UNSORTED; i++) {
      book.book(i * 7 % different);
    }
    book.close(0);
  }

  private static Latencies latencies(long sampleNs) {
    StageBook book = new StageBook(0);
    book.book(sampleNs);
    return book.close(0);
  }

  /// The words of a line, with their paths below the directory of the run.
  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (String each : line.split(" ")) {
      if (!each.isEmpty()) {
        words.add(below(each));
      }
    }
    return words;
  }

  private String below(String word) {
    return word.startsWith("/")
        ? directory + word
        : word.replace("=/", "=" + directory + "/").replace("there:/", "there:" + directory + "/");
  }

  /// A transfer over loopback: the receiver on a thread of its own, the sender with the URL that it
  /// printed.
  private void sendAndReceive(String line) {
    int bar = line.indexOf(" | ");
    List<String> receiving = words(line.substring(0, bar) + " --listen=127.0.0.1:0 --once");
    FirstLine url = new FirstLine();
    Thread receiver = new Thread(() -> expect(0, receiving, url), "train-receive");
    receiver.start();
    List<String> sending = words(line.substring(bar + 3).replace("URL", url.await()));
    expect(0, sending);
    Uninterruptible.join(receiver);
  }

  /// One copy to or from the other end that ssh starts: both are of this process, and the ssh
  /// between them is a shell that joins pipes.
  private void doBySsh(String command) throws IOException {
    String there = below("/there.fifo");
    String back = below("/back.fifo");
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
    Daemon.start(() -> serve(there, back, variables), "train-serve");
    List<String> words = words(command);
    words.add(1, "--ssh=sh -c 'cat \"$1\" & cat > \"$2\"' sh \"" + back + "\" \"" + there + "\"");
    expect(0, words);
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

  /// Whoever reads JSON is slow, as a busy machine is: what a command does then is learned, too.
  private void expect(int expected, List<String> words) {
    boolean isSlow = words.contains("--json");
    expect(expected, words, isSlow ? new SlowOutput() : new ByteArrayOutputStream());
  }

  private void expect(int expected, List<String> words, OutputStream out) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            Arguments.raw(words.toArray(String[]::new)),
            new ByteArrayInputStream(new byte[0]),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("XDG_RUNTIME_DIR", directory.toString(), "HOME", directory.toString()));
    if (code != expected) {
      throw new IllegalStateException(words + ": exit code " + code + ": " + err);
    }
  }

  /// Takes the result late.
  private static final class SlowOutput extends ByteArrayOutputStream {

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      if (new String(bytes, offset, length, StandardCharsets.UTF_8).contains("result")) {
        LockSupport.parkNanos(2 * Shell.REST_NS_MAX);
      }
      super.write(bytes, offset, length);
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
