package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.zcp.core.ExitCode;
import dev.zcp.house.PackageRules.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The graph of packages that ARCHITECTURE.md draws. Plain tests that call `check`: a rule held in
/// a field was once skipped without a word (ArchUnit issue 1442).
class PackageGraphTest {

  private static final JavaClasses PROJECT =
      new ClassFileImporter()
          .importUrl(ExitCode.class.getProtectionDomain().getCodeSource().getLocation());

  @TempDir Path folder;

  @Test
  void eachPackageUsesOnlyWhatItMay() {
    Set<String> found = PackageRules.packagesOf(PROJECT);
    for (Row row : PackageRules.TABLE) {
      if (found.contains(row.name())) {
        PackageRules.rule(row).check(PROJECT);
      }
    }
  }

  @Test
  void noPackagesUseEachOther() {
    PackageRules.noCycles().check(PROJECT);
  }

  @Test
  void aCycleOfSubPackagesIsFound() throws IOException {
    JavaClasses planted =
        Planted.compile(
            folder,
            "package dev.zcp.copy.a; public class One { dev.zcp.copy.b.Two field; }",
            "package dev.zcp.copy.b; public class Two { dev.zcp.copy.a.One field; }");
    assertThatThrownBy(() -> PackageRules.noCycles().check(planted))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Cycle");
  }

  @Test
  void eachPackageOfTheProjectIsInTheTable() {
    List<String> known = PackageRules.TABLE.stream().map(Row::name).toList();
    assertThat(known).containsAll(PackageRules.packagesOf(PROJECT)).doesNotHaveDuplicates();
    assertThat(PackageRules.packagesOf(PROJECT)).contains("core", "spi", "engine");
  }

  @Test
  void aPackageThatTheTableDoesNotKnowIsFound() throws IOException {
    JavaClasses planted =
        Planted.compile(
            folder,
            "package dev.zcp.attic; public class Box {}",
            "package dev.zcp; public class Loose {}");
    assertThat(PackageRules.packagesOf(planted)).containsExactly("", "attic");
  }

  @Test
  void eachRowOfTheTableNamesOnlyRowsBelowIt() {
    Set<String> above = new HashSet<>();
    for (Row row : PackageRules.TABLE) {
      above.add(row.name());
      assertThat(row.mayUse()).as(row.name()).doesNotContainAnyElementsOf(above);
    }
    assertThat(PackageRules.TABLE).flatExtracting(Row::mayUse).isSubsetOf(above);
  }

  @Test
  void theOtherRulesHold() {
    for (ArchRule rule : PackageRules.OTHERS) {
      rule.allowEmptyShould(false).check(PROJECT);
    }
  }

  /// For each row, a class that uses every package the row may not use is caught once for each.
  @Test
  void aPackageThatUsesMoreThanItMayIsCaught() throws IOException {
    JavaClasses planted = plantUses(PackageGraphTest::forbidden);
    for (Row row : PackageRules.TABLE) {
      assertThatThrownBy(() -> PackageRules.rule(row).check(planted))
          .as(row.name())
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll(
              forbidden(row).stream()
                  .map(name -> "dev.zcp." + name + ".Used")
                  .toArray(String[]::new));
    }
  }

  @Test
  void aPackageThatUsesAllThatItMayIsNotCaught() throws IOException {
    JavaClasses planted = plantUses(Row::mayUse);
    for (Row row : PackageRules.TABLE) {
      PackageRules.rule(row).check(planted);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "engine, java.lang.foreign.Arena, knows java.lang.foreign",
    "session, picocli.CommandLine, knows picocli",
    "session, org.HdrHistogram.Histogram, knows org.HdrHistogram",
    "engine, java.nio.channels.FileChannel, sees no channel",
    "engine, dev.zcp.strategy.Planted, only Strategies knows",
    "session, java.util.zip.CRC32C, digests are made by Crc32c",
  })
  void aTypeInTheWrongPackageIsCaught(String where, String type, String reason) throws IOException {
    JavaClasses planted =
        Planted.compile(
            folder,
            "package dev.zcp.strategy; public class Planted {}",
            "package dev.zcp." + where + "; public class User { " + type + " field; }");
    assertThat(broken(planted)).singleElement().asString().contains(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "linux, java.lang.foreign.Arena",
    "cli, picocli.CommandLine",
    "insight, org.HdrHistogram.Histogram",
    "io, java.nio.channels.FileChannel",
    "strategy, dev.zcp.strategy.Planted",
  })
  void aTypeInItsOwnPackageIsNotCaught(String where, String type) throws IOException {
    JavaClasses planted =
        Planted.compile(
            folder,
            "package dev.zcp.strategy; public class Planted {}",
            "package dev.zcp." + where + "; public class User { " + type + " field; }");
    assertThat(broken(planted)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.out.println();",
        "System.err.println();",
        "System.exit(0);",
        "Runtime.getRuntime().halt(0);",
        "Runnable later = () -> System.exit(0);",
        "java.util.function.IntConsumer later = System::exit;",
      })
  void onlyTheEntryPointMayUseTheProcessStreamsAndEndIt(String statement) throws IOException {
    JavaClasses planted =
        Planted.compile(
            folder.resolve("copy"),
            "package dev.zcp.cli; public class Copy { { " + statement + " } }");
    assertThat(broken(planted)).singleElement().asString().contains("owns the process");

    JavaClasses main =
        Planted.compile(
            folder.resolve("main"),
            "package dev.zcp.cli; public class Main { { " + statement + " } }");
    assertThat(broken(main)).isEmpty();
  }

  /// The packages that `row` may not use.
  private static List<String> forbidden(Row row) {
    List<String> forbidden = new ArrayList<>();
    for (Row other : PackageRules.TABLE) {
      if (!other.equals(row) && !row.mayUse().contains(other.name())) {
        forbidden.add(other.name());
      }
    }
    return forbidden;
  }

  /// In each package of the table, a class with a field of a type of each package that `used`
  /// gives.
  private JavaClasses plantUses(Function<Row, List<String>> used) throws IOException {
    List<String> sources = new ArrayList<>();
    for (Row row : PackageRules.TABLE) {
      StringBuilder fields = new StringBuilder();
      for (String name : used.apply(row)) {
        fields.append("dev.zcp.").append(name).append(".Used ");
        fields.append(name.replace('.', '_')).append("; ");
      }
      sources.add("package dev.zcp." + row.name() + "; public class Used {}");
      sources.add("package dev.zcp." + row.name() + "; public class User { " + fields + "}");
    }
    return Planted.compile(folder, sources.toArray(String[]::new));
  }

  private static List<String> broken(JavaClasses classes) {
    List<String> broken = new ArrayList<>();
    for (ArchRule rule : PackageRules.OTHERS) {
      if (rule.allowEmptyShould(true).evaluate(classes).hasViolation()) {
        broken.add(rule.getDescription());
      }
    }
    return broken;
  }
}
