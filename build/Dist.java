import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Makes a distribution of zcp: a trimmed runtime, one jar, an AOT cache, a launcher and the
/// papers.
///
/// Run by Maven on the JDK that the distribution is for, from the project's folder: `java
/// build/Dist.java OUT TIME MODULE_FLAGS JAR|FOLDER...`. Every byte but those of the cache is the
/// same from every build of one commit.
final class Dist {

  private static final int DIGITS = 8;

  private Dist() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path home = Path.of(args[0]).toAbsolutePath();
    Instant time = Instant.parse(args[1]);
    Jvm jvm = new Jvm(home, List.of(args[2].split(" +")));
    List<Path> jars = jars(List.of(args).subList(3, args.length));

    // The tests need the native library before there is a distribution; without a C compiler there
    // is none.
    Path library = home.resolve("lib/libzcp.so");
    byte[] compiled = Files.exists(library) ? Files.readAllBytes(library) : null;
    Tree.delete(home);
    if (compiled != null) {
      Files.createDirectories(library.getParent());
      Files.write(library, compiled);
    }
    NativeLibrary.unpack(jars, home.resolve("lib"));
    MergedJar.write(jars, jvm.jar(), time);
    Runtimes.link(jvm.runtime());
    writeLauncher(home.resolve("bin/zcp"), jvm);
    Files.writeString(home.resolve("lib/commit"), commit(jvm.jar()) + "\n");
    Papers.write(home.resolve("share"), jars);
    // A JVM may compare the jar's size and time with those the cache holds (JDK-8377932).
    Tree.setTimes(home, time);
    AotCache.train(jvm);
    Tree.setTimes(home, time);
    AotCache.check(jvm);
  }

  private static void writeLauncher(Path file, Jvm jvm) throws IOException {
    Files.createDirectories(file.getParent());
    String flags = "'" + String.join("' \\\n  '", jvm.flags()) + "'";
    String text = Files.readString(Path.of("src/main/sh/zcp"));
    Files.writeString(file, text.replace("  @FLAGS@ ", "  " + flags + " "));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// What is built, for `zcp --version` and to tell two builds apart: of what is not a commit, also
  /// the beginning of the jar's SHA-256.
  private static String commit(Path jar) throws IOException, InterruptedException {
    String commit = NativeLibrary.isOnPath("git") ? described() : "none";
    return commit.endsWith("-dirty") || commit.equals("none")
        ? commit + "-" + sha256(jar).substring(0, DIGITS)
        : commit;
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String described() throws IOException, InterruptedException {
    Process git =
        new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return git.waitFor() == 0 ? said : "none";
  }

  /// The jars named, and those in the folders named, in an order that does not hang on the machine.
  private static List<Path> jars(List<String> names) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String name : names) {
      for (Path file : Tree.filesBelow(Path.of(name))) {
        if (file.toString().endsWith(".jar")) {
          jars.add(file);
        }
      }
    }
    return jars;
  }
}
