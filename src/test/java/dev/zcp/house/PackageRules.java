package dev.zcp.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Who may use whom, as data and as rules over compiled classes.
final class PackageRules {

  static final String ROOT = "dev.zcp";

  /// A package and those it may use, besides itself.
  record Row(String name, List<String> mayUse) {
    static Row of(String name, String... mayUse) {
      return new Row(name, List.of(mayUse));
    }
  }

  /// The house from its roof to its cellar: each package uses only packages further down. A package
  /// stands here before its first class does, so that it cannot come with other habits.
  static final List<Row> TABLE =
      List.of(
          Row.of(
              "cli",
              "plan",
              "bench",
              "copy",
              "ssh",
              "web",
              "session.send",
              "session.receive",
              "session",
              "report",
              "walk",
              "tree",
              "profile",
              "insight",
              "engine",
              "json",
              "compress",
              "delta",
              "linux",
              "spi",
              "core"),
          Row.of("plan", "report", "walk", "place", "tree", "insight", "json", "linux", "core"),
          Row.of(
              "bench",
              "copy",
              "session.send",
              "session",
              "report",
              "tree",
              "profile",
              "insight",
              "engine",
              "json",
              "linux",
              "spi",
              "core"),
          Row.of(
              "copy", "session", "carrier", "walk", "place", "tree", "profile", "insight", "engine",
              "secure", "linux", "spi", "core"),
          Row.of(
              "ssh",
              "session.send",
              "session.receive",
              "session",
              "carrier",
              "walk",
              "tree",
              "insight",
              "engine",
              "wire",
              "secure",
              "compress",
              "delta",
              "linux",
              "spi",
              "core"),
          Row.of(
              "web",
              "session.receive",
              "session",
              "carrier",
              "place",
              "tree",
              "insight",
              "wire",
              "secure",
              "linux",
              "core"),
          Row.of(
              "session.send",
              "session",
              "carrier",
              "walk",
              "tree",
              "profile",
              "insight",
              "engine",
              "exchange",
              "wire",
              "secure",
              "compress",
              "delta",
              "linux",
              "spi",
              "core"),
          Row.of(
              "session.receive",
              "session",
              "carrier",
              "place",
              "tree",
              "insight",
              "engine",
              "exchange",
              "wire",
              "secure",
              "compress",
              "delta",
              "linux",
              "spi",
              "core"),
          Row.of(
              "session",
              "carrier",
              "walk",
              "tree",
              "insight",
              "engine",
              "wire",
              "secure",
              "compress",
              "delta",
              "linux",
              "spi",
              "core"),
          Row.of("report", "insight", "json", "core"),
          Row.of("carrier", "tree", "insight", "engine", "wire", "secure", "linux", "spi", "core"),
          Row.of("walk", "place", "tree", "linux", "core"),
          Row.of("place", "tree", "insight", "linux", "spi", "core"),
          Row.of("tree", "insight", "engine", "linux", "spi", "core"),
          Row.of("profile", "engine", "json", "linux", "core"),
          Row.of("insight", "engine", "linux", "spi", "core"),
          Row.of("engine", "strategy", "spi", "core"),
          Row.of("exchange", "wire", "delta", "core"),
          Row.of("wire", "core"),
          Row.of("json", "core"),
          Row.of("secure"),
          Row.of("compress"),
          Row.of("delta", "spi", "core"),
          Row.of("strategy", "linux", "spi", "core"),
          Row.of("linux", "spi", "core"),
          Row.of("spi", "core"),
          Row.of("core"));

  /// The rules that are not about one row of the table.
  static final List<ArchRule> OTHERS =
      List.of(
          onlyIn("linux", "java.lang.foreign"),
          onlyIn("cli", "picocli"),
          onlyIn("insight", "org.HdrHistogram"),
          onlyIn("secure", "org.conscrypt"),
          onlyIn("compress", "com.github.luben"),
          onlyIn("json", "tools.jackson"),
          onlyIn("web", "io.nayuki"),
          onlyIn("web", "com.sun.net.httpserver"),
          noClasses()
              .that(inPackage("engine"))
              .and()
              .haveSimpleNameNotStartingWith("Metered")
              .should()
              .dependOnClassesThat(resideInAPackage("java.nio.channels.."))
              .because(
                  "the engine moves bytes through strategies and sees no channel; the two"
                      + " decorators of ends only pass theirs on"),
          noClasses()
              .that(DescribedPredicate.not(inPackage("strategy")))
              .and()
              .doNotHaveSimpleName("Strategies")
              .should()
              .dependOnClassesThat(inPackage("strategy"))
              .because("only Strategies knows which there are"),
          noClasses()
              .that()
              .doNotHaveSimpleName("Crc32c")
              .and()
              .doNotHaveSimpleName("BlockDigest")
              .and()
              .doNotHaveSimpleName("Key")
              .should()
              .dependOnClassesThat()
              .haveFullyQualifiedName("java.util.zip.CRC32C")
              .because(
                  "digests are made by Crc32c, and by BlockDigest beside a transfer; a Key has a"
                      + " check"),
          noClasses()
              .that(areNotAnEntryPoint())
              .should()
              .accessTargetWhere(endsTheProcessOrHoldsItsStreams())
              .because("only the entry point owns the process: its streams and its end"));

  private PackageRules() {}

  /// The rule that keeps one row of the table.
  static ArchRule rule(Row row) {
    Set<String> allowed = new TreeSet<>(row.mayUse());
    allowed.add(row.name());
    return noClasses()
        .that(describe("are in " + row.name(), each -> rowOf(each).equals(row.name())))
        .should()
        .dependOnClassesThat(
            describe(
                "are of this project and outside " + allowed,
                each -> isOfTheProject(each.getPackageName()) && !allowed.contains(rowOf(each))))
        .because("the package " + row.name() + " may use only " + row.mayUse());
  }

  /// No two packages use each other, by whatever way round.
  static ArchRule noCycles() {
    return slices().matching(ROOT + ".(**)").should().beFreeOfCycles();
  }

  /// The packages below the root that `classes` live in, by their rows of the table, or by their
  /// own name if they have none; the root itself is the empty name.
  static Set<String> packagesOf(JavaClasses classes) {
    Set<String> names = new TreeSet<>();
    for (JavaClass each : classes) {
      names.add(rowOf(each));
    }
    return names;
  }

  /// The row that a class is subject to: the longest that is a beginning of its package's name.
  private static String rowOf(JavaClass type) {
    String name = type.getPackageName();
    if (!isOfTheProject(name) || name.equals(ROOT)) {
      return "";
    }
    String below = name.substring(ROOT.length() + 1);
    for (String row = below; !row.isEmpty(); row = beforeLastDot(row)) {
      String candidate = row;
      if (TABLE.stream().anyMatch(each -> each.name().equals(candidate))) {
        return row;
      }
    }
    return below;
  }

  private static String beforeLastDot(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private static boolean isOfTheProject(String packageName) {
    return packageName.equals(ROOT) || packageName.startsWith(ROOT + ".");
  }

  private static ArchRule onlyIn(String name, String library) {
    return noClasses()
        .that(DescribedPredicate.not(inPackage(name)))
        .should()
        .dependOnClassesThat(resideInAPackage(library + ".."))
        .because("one package knows " + library + ", the package " + name);
  }

  private static DescribedPredicate<JavaClass> inPackage(String name) {
    return resideInAPackage(pattern(name));
  }

  private static String pattern(String name) {
    return ROOT + "." + name + "..";
  }

  /// The training run is an entry point of its own, which users never start; a signal ends the
  /// process from outside of Main.
  private static DescribedPredicate<JavaClass> areNotAnEntryPoint() {
    return describe(
        "are not Main or Train of cli, or Signals of linux",
        each -> {
          String outermost = each.getName().split("\\$")[0];
          return !Set.of(ROOT + ".cli.Main", ROOT + ".cli.Train", ROOT + ".linux.Signals")
              .contains(outermost);
        });
  }

  private static DescribedPredicate<JavaAccess<?>> endsTheProcessOrHoldsItsStreams() {
    return describe(
        "it is System.in, out, err or exit, or Runtime.exit or halt",
        access -> {
          String owner = access.getTargetOwner().getName();
          String name = access.getTarget().getName();
          return switch (owner) {
            case "java.lang.System" -> Set.of("in", "out", "err", "exit").contains(name);
            case "java.lang.Runtime" -> Set.of("exit", "halt").contains(name);
            default -> false;
          };
        });
  }
}
