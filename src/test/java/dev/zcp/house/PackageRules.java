package dev.zcp.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
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
              "cli", "bench", "session", "report", "profile", "insight", "engine", "tree", "spi",
              "core"),
          Row.of("bench", "session", "profile", "insight", "engine", "io", "spi", "linux", "core"),
          Row.of(
              "session",
              "tree",
              "profile",
              "engine",
              "exchange",
              "wire",
              "secure",
              "io",
              "insight",
              "spi",
              "core"),
          Row.of("report", "insight", "spi", "core"),
          Row.of("profile", "engine", "io", "core"),
          Row.of("insight", "engine", "spi", "core"),
          Row.of("engine", "spi", "core"),
          Row.of("tree", "linux", "io", "spi", "core"),
          Row.of("exchange", "wire", "core"),
          Row.of("wire", "core"),
          Row.of("secure", "core"),
          Row.of("strategy", "spi", "linux", "core"),
          Row.of("io", "spi", "linux", "core"),
          Row.of("spi", "core"),
          Row.of("linux"),
          Row.of("core"));

  /// The rules that are not about one row of the table.
  static final List<ArchRule> OTHERS =
      List.of(
          onlyIn("linux", "java.lang.foreign"),
          onlyIn("cli", "picocli"),
          onlyIn("insight", "org.HdrHistogram"),
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
              .should()
              .dependOnClassesThat(inPackage("strategy"))
              .because("strategies are found by ServiceLoader"),
          noClasses()
              .that(areNotAnEntryPoint())
              .should()
              .accessTargetWhere(endsTheProcessOrHoldsItsStreams())
              .because("only the entry point owns the process: its streams and its end"));

  private PackageRules() {}

  /// The rule that keeps one row of the table.
  static ArchRule rule(Row row) {
    List<String> allowed = new ArrayList<>(row.mayUse());
    allowed.add(row.name());
    return noClasses()
        .that(inPackage(row.name()))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(patterns(allowed))))
                .as("are of this project and outside " + allowed))
        .because("the package " + row.name() + " may use only " + row.mayUse());
  }

  /// The packages right below the root that `classes` live in; the root itself is the empty name.
  static Set<String> packagesOf(JavaClasses classes) {
    Set<String> names = new TreeSet<>();
    for (JavaClass each : classes) {
      String below = each.getPackageName().substring(ROOT.length());
      names.add(below.isEmpty() ? "" : below.split("\\.")[1]);
    }
    return names;
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

  private static String[] patterns(List<String> names) {
    return names.stream().map(PackageRules::pattern).toArray(String[]::new);
  }

  /// The training run is an entry point of its own, which users never start.
  private static DescribedPredicate<JavaClass> areNotAnEntryPoint() {
    return describe(
        "are not Main or Train of cli",
        each -> {
          String outermost = each.getName().split("\\$")[0];
          return !outermost.equals(ROOT + ".cli.Main") && !outermost.equals(ROOT + ".cli.Train");
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
