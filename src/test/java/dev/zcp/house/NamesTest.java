package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.zcp.core.ExitCode;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// No two types have one simple name, so that a name in a message, a page or a stack trace says
/// which type it is. The cases of a sealed type that are nested may: they are read with its name.
class NamesTest {

  @Test
  void noSimpleNameIsGivenTwice() {
    Collection<Class<?>> project =
        new ClassFileImporter()
            .importUrl(ExitCode.class.getProtectionDomain().getCodeSource().getLocation()).stream()
                .<Class<?>>map(JavaClass::reflect)
                .toList();
    assertThat(project).hasSizeGreaterThan(500);
    assertThat(doubles(project)).isEmpty();
  }

  @Test
  void aNameThatIsGivenTwiceIsFound() {
    assertThat(doubles(List.of(One.class, One.Same.class, Two.class, Two.Same.class)))
        .containsExactly("Same");
  }

  @Test
  void casesOfSealedTypesAreReadWithTheNameOfTheType() {
    assertThat(doubles(List.of(One.Case.class, Two.Case.class))).isEmpty();
    assertThat(doubles(List.of(One.Case.class, Case.class, Two.Case.class))).isEmpty();
  }

  private sealed interface One {
    record Same() {}

    record Case() implements One {}
  }

  private sealed interface Two {
    record Same() {}

    record Case() implements Two {}
  }

  private record Case() {}

  private static Set<String> doubles(Collection<Class<?>> types) {
    Set<String> seen = new HashSet<>();
    Set<String> doubles = new TreeSet<>();
    for (Class<?> type : types) {
      boolean isNamed = !type.isAnonymousClass() && !type.getSimpleName().equals("package-info");
      if (isNamed && !isNestedCase(type) && !seen.add(type.getSimpleName())) {
        doubles.add(type.getSimpleName());
      }
    }
    return doubles;
  }

  private static boolean isNestedCase(Class<?> type) {
    if (!type.isMemberClass()) {
      return false;
    }
    for (Class<?> sealed : type.getInterfaces()) {
      if (sealed.isSealed() && sealed.getNestHost() == type.getNestHost()) {
        return true;
      }
    }
    return false;
  }
}
