package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a target that exists is the same whoever brings the source: a copy on this
/// machine, a session with a receiver that overwrites, and ssh in both directions.
@Timeout(300)
class ExistingTargetsIT extends SshSetup {

  private static final List<String> KINDS = List.of("file", "link", "fifo", "directory");

  /// What may be under a name: of the same kind as the source or of another one.
  private static final List<String> EXISTING =
      List.of("nothing", "file", "link", "fifo", "directory", "listed", "newer");

  /// Times of what is not preserved are those of the copy; a session always preserves them.
  @ParameterizedTest
  @ValueSource(strings = {"-a", "-r", "-au", "-an", "-a --skip-same"})
  void theResultIsTheSameWhoeverBringsTheSource(String options) throws Exception {
    Programs.assume("setfacl");
    sshd = Sshd.start(folder);
    Path source = from.resolve("tree");
    growSources(source);
    Path local = Files.createDirectories(folder.resolve("local"));
    Path there = Files.createDirectories(to.resolve("there"));
    Path back = Files.createDirectories(folder.resolve("back"));
    Path session = Files.createDirectories(folder.resolve("session"));
    for (Path each : List.of(local, there, back, session)) {
      growTargets(each.resolve("tree"));
    }
    String[] words = options.replace("-an", "-a -n").split(" ");
    BuiltZcp.Ended copied =
        BuiltZcp.run(folder, with(words(words), source.toString(), local.toString()));
    // What a directory has the name of, or is to have, fails.
    assertThat(copied.exitCode()).as(copied.err()).isNotZero();
    zcp("copy", with(words, source.toString(), box(there)));
    zcp("copy", with(words, box(source), back.toString()));
    List<Path> others = new ArrayList<>(List.of(there, back));
    if (!options.contains("u") && !options.contains("n")) {
      // What `send` has no options for.
      receive(words, source, session);
      others.add(session);
    }
    TreeSnapshot expected = TreeSnapshot.of(local);
    for (Path each : others) {
      List<String> differences = expected.differences(TreeSnapshot.of(each));
      if (!options.contains("a")) {
        differences.removeIf(line -> line.contains(": modified: "));
      }
      // Of the directory that holds the tree nothing was copied.
      differences.removeIf(line -> line.startsWith(".: "));
      assertThat(differences).as(each.toString()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-a", "-r", "-a --delete"})
  void theTopOfASourceGivesAnExistingDirectoryItsMetadata(String options) throws Exception {
    Programs.assume("setfacl", "setfattr");
    sshd = Sshd.start(folder);
    Path source = growTop(from.resolve("tree"), "750", "u:bin:rx", "2011-01-01 10:10:10.5");
    Path local = growTop(folder.resolve("local"), "711", "u:daemon:rwx", "2001-01-01");
    Path there = growTop(to.resolve("there"), "711", "u:daemon:rwx", "2001-01-01");
    Path back = growTop(folder.resolve("back"), "711", "u:daemon:rwx", "2001-01-01");
    Path session = growTop(folder.resolve("session"), "711", "u:daemon:rwx", "2001-01-01");
    String[] words = options.split(" ");
    Path content = source.resolve(".");
    BuiltZcp.Ended copied =
        BuiltZcp.run(folder, with(words(words), source + "/.", local.toString()));
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    succeed("copy", with(words, source + "/.", box(there)));
    succeed("copy", with(words, box(source) + "/.", back.toString()));
    List<Path> others = new ArrayList<>(List.of(there, back));
    if (words.length == 1) {
      receive(words, content, session);
      others.add(session);
    }
    for (Path each : others) {
      List<String> differences = TreeSnapshot.of(local).differences(TreeSnapshot.of(each));
      if (!options.contains("a")) {
        differences.removeIf(line -> line.contains(": modified: "));
      }
      assertThat(differences).as(each.toString()).isEmpty();
    }
    if (options.contains("a")) {
      assertThat(Files.getLastModifiedTime(local)).isEqualTo(Files.getLastModifiedTime(source));
    }
  }

  /// A list's root is itself taken only if the list names it.
  @ParameterizedTest
  @ValueSource(strings = {"below/file", "below/file\n."})
  void aListTouchesItsRootOnlyIfItNamesThat(String names) throws Exception {
    Programs.assume("setfacl", "setfattr");
    sshd = Sshd.start(folder);
    Path source = growTop(from.resolve("tree"), "750", "u:bin:rx", "2011-01-01 10:10:10.5");
    Path below = Files.createDirectory(source.resolve("below"));
    Files.writeString(below.resolve("file"), "listed");
    Programs.run("touch", "-d", "2012-01-01", below.toString(), source.toString());
    Path list = Files.writeString(folder.resolve("list"), names + "\n");
    String[] options = {"-a", "--files-from=" + list};
    for (String form : List.of("named", "exact", "content", "new")) {
      Path local = Files.createDirectories(folder.resolve("local-" + form));
      Path there = Files.createDirectories(to.resolve("there-" + form));
      for (Path each : List.of(local, there)) {
        if (!form.equals("new")) {
          growTop(each.resolve("tree"), "711", "u:daemon:rwx", "2001-01-01");
        }
        Programs.run("touch", "-d", "2002-01-01", each.toString());
      }
      String from = source + (form.equals("content") ? "/." : "");
      String target = form.equals("named") || form.equals("new") ? "" : "/tree";
      String[] words = form.equals("exact") ? with(options, "-T") : options;
      BuiltZcp.Ended copied = BuiltZcp.run(folder, with(words(words), from, local + target));
      assertThat(copied.exitCode()).as(copied.err()).isZero();
      succeed("copy", with(words, from, box(there) + target));
      List<String> differences = TreeSnapshot.of(local).differences(TreeSnapshot.of(there));
      boolean isTaken = names.endsWith(".") || form.equals("new");
      differences.removeIf(line -> line.startsWith(".: "));
      // What is not taken has the time at which something was made in it.
      differences.removeIf(line -> !isTaken && line.startsWith("./tree: modified: "));
      assertThat(differences).as(form).isEmpty();
      assertThat(Files.getLastModifiedTime(local.resolve("tree")))
          .satisfies(
              time ->
                  assertThat(time.equals(Files.getLastModifiedTime(source)))
                      .as(form)
                      .isEqualTo(isTaken));
    }
  }

  private static Path growTop(Path top, String mode, String acl, String time) throws IOException {
    Files.createDirectory(top);
    Files.writeString(top.resolve("file"), "content");
    Programs.run("touch", "-d", time, top.resolve("file").toString());
    Programs.run("setfattr", "-n", "user." + mode, "-v", mode, top.toString());
    Programs.run("chmod", mode, top.toString());
    Programs.run("setfacl", "-m", acl, top.toString());
    if (Programs.isRoot()) {
      Programs.run("chown", mode + ":" + mode, top.toString());
    }
    Programs.run("touch", "-d", time, top.toString());
    return top;
  }

  private static String[] words(String[] options) {
    return with(new String[] {"copy"}, options);
  }

  private void receive(String[] options, Path source, Path target) throws Exception {
    boolean isWhole = options[0].startsWith("-a");
    String accept = "--accept=" + (isWhole ? "all" : "links,specials");
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "--listen=127.0.0.1:0",
            "--overwrite",
            accept,
            "--stall-timeout=5s",
            target.toString())) {
      String line = receiver.firstLine();
      String address = line.substring(line.indexOf("zcp+plain://")).split("\\s")[0];
      BuiltZcp.run(folder, with(with(new String[] {"send"}, options), address, source.toString()));
    }
  }

  private static void growSources(Path tree) throws IOException {
    for (String kind : KINDS) {
      for (String existing : EXISTING) {
        Path path = make(tree.resolve(kind + "-over-" + existing), kind, "content");
        if (!kind.equals("link")) {
          Programs.run("chmod", "2751", path.toString());
        }
        Programs.run("touch", "-h", "-d", "2011-01-01 10:10:10.5", path.toString());
      }
    }
    Path listed = tree.resolve("file-over-listed");
    Programs.run("setfacl", "-m", "u:bin:r", listed.toString());
    Programs.run("touch", "-d", "2011-01-01 10:10:10.5", listed.toString());
    Path last = tree.resolve("link-over-link");
    if (Programs.isRoot()) {
      Programs.run("chown", "-h", "1234:5678", last.toString());
      Programs.run("chown", "1234:5678", tree.resolve("fifo-over-fifo").toString());
    }
    Programs.run("touch", "-d", "2012-01-01", tree.toString());
  }

  private static void growTargets(Path tree) throws IOException {
    for (String kind : KINDS) {
      for (String existing : EXISTING) {
        Path path = tree.resolve(kind + "-over-" + existing);
        switch (existing) {
          case "nothing" -> Files.createDirectories(tree);
          case "listed" -> {
            make(path, kind, "older");
            if (!kind.equals("link")) {
              Programs.run("chmod", "640", path.toString());
              Programs.run("setfacl", "-m", "u:daemon:rw", path.toString());
            }
            if (kind.equals("directory")) {
              Programs.run("setfacl", "-d", "-m", "u:daemon:rwx,o::---", path.toString());
            }
          }
          case "newer" -> make(path, kind, "content");
          default -> {
            make(path, existing, "older");
            if (Programs.isRoot()) {
              Programs.run("chown", "-h", "77:78", path.toString());
            }
          }
        }
        if (!existing.equals("nothing") && !existing.equals("newer")) {
          Programs.run("touch", "-h", "-d", "2001-01-01", path.toString());
        }
        if (existing.equals("newer")) {
          Programs.run("touch", "-h", "-d", "2021-01-01", path.toString());
        }
      }
    }
  }

  private static Path make(Path path, String kind, String content) throws IOException {
    Files.createDirectories(path.getParent());
    return switch (kind) {
      case "file" -> Files.writeString(path, content);
      case "link" -> Files.createSymbolicLink(path, Path.of(content));
      case "fifo" -> Programs.fifo(path);
      default -> {
        Files.createDirectory(path);
        Path below = Files.writeString(path.resolve("below"), content);
        Files.setLastModifiedTime(below, FileTime.fromMillis(content.length() * 1_000_000_000L));
        yield path;
      }
    };
  }
}
