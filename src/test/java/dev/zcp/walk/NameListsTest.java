package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.walk.NameLists.NameList;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameListsTest {

  @TempDir Path dir;

  @Test
  void namesAreLinesOrEndInNul() throws Exception {
    assertThat(names(false, "a\nb c\nd")).containsExactly("a", "b c", "d");
    assertThat(names(true, "a\nb\0c\0")).containsExactly("a\nb", "c");
    assertThat(names(false, "")).isEmpty();
  }

  @Test
  void namesAreBytes() throws Exception {
    assertThat(names(false, "\u00ff\u0080\n")).containsExactly("\u00ff\u0080");
  }

  @Test
  void linesMayEndAsInAFileOfWindows() throws Exception {
    assertThat(names(false, "a\r\n\r\nb\rc\r\nd\r")).containsExactly("a", "b\rc", "d");
    assertThat(names(true, "a\r\0")).containsExactly("a\r");
  }

  @Test
  void namesComeWithoutWhatSaysNothing() throws Exception {
    assertThat(names(false, "./a\nb/\nc//d/./e\n\n\n.\n./\n..a/b..\n"))
        .containsExactly("a", "b", "c/d/e", "", "", "..a/b..");
  }

  @Test
  void aNameThatLeadsOutIsToldByItsLineAndTheOthersFollow() throws Exception {
    try (NameLists list = open(false, "a\n\n/etc/passwd\nb/../c\nd\n..")) {
      assertThat(list.next()).asString().isEqualTo("a");
      assertRefused(list, "line 3: is absolute");
      assertRefused(list, "line 4: contains '..'");
      assertThat(list.next()).asString().isEqualTo("d");
      assertRefused(list, "line 6: contains '..'");
      assertThat(list.next()).isNull();
      assertThat(list.next()).isNull();
    }
  }

  @Test
  void aListOfTheOtherKindIsToldSo() throws Exception {
    try (NameLists list = open(false, "a\0b\0")) {
      assertRefused(list, "add --from0");
    }
  }

  @Test
  void aNameOfAnyLengthTakesNoMoreThanItsLimit() throws Exception {
    String longest = "x".repeat(NameLists.NAME_BYTES_MAX);
    try (NameLists list = open(false, longest + "\n" + longest + "x\nb\n")) {
      assertThat(list.next()).hasSize(NameLists.NAME_BYTES_MAX);
      assertRefused(list, "line 2: is longer than");
      assertThat(list.next()).asString().isEqualTo("b");
    }
  }

  @Test
  void aMissingListIsAMissingSource() {
    NameList missing = new NameList(RawPath.of(dir.resolve("none")), false);
    assertThatThrownBy(() -> NameLists.open(missing, InputStream.nullInputStream()))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.SOURCE))
        .hasMessageEndingWith("none: no such file or directory");
  }

  @Test
  void aListThatCannotBeReadIsAtItsEndThen() throws Exception {
    try (NameLists list =
        NameLists.open(new NameList(RawPath.of(dir), false), InputStream.nullInputStream())) {
      assertRefused(list, "is a directory");
      assertThat(list.next()).isNull();
    }
  }

  @Test
  void standardInputIsReadAsItComesAndStaysOpen() throws Exception {
    boolean[] closed = new boolean[1];
    InputStream in =
        new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.ISO_8859_1)) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    try (NameLists list = NameLists.open(new NameList(RawPath.of("-"), false), in)) {
      assertThat(list.next()).asString().isEqualTo("a");
    }
    assertThat(closed[0]).isFalse();
  }

  private static void assertRefused(NameLists list, String message) {
    assertThatThrownBy(list::next)
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.SOURCE))
        .hasMessageContaining(message);
  }

  private List<String> names(boolean nulSeparated, String latin1) throws Exception {
    List<String> names = new ArrayList<>();
    try (NameLists list = open(nulSeparated, latin1)) {
      for (byte[] name = list.next(); name != null; name = list.next()) {
        names.add(new String(name, StandardCharsets.ISO_8859_1));
      }
    }
    return names;
  }

  private NameLists open(boolean nulSeparated, String latin1) throws IOException, Failure {
    Path file = Files.write(dir.resolve("list"), latin1.getBytes(StandardCharsets.ISO_8859_1));
    return NameLists.open(
        new NameList(RawPath.of(file), nulSeparated), InputStream.nullInputStream());
  }
}
