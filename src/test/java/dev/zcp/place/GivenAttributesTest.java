package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.linux.Errno;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.AttributeSource.GivenAttributes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// As the kernel answers for a file: xattr(7), listxattr(2), getxattr(2).
class GivenAttributesTest {

  private static final GivenAttributes TWO =
      new GivenAttributes(
          List.of(
              new GivenAttribute(bytes("user.a"), bytes("one")),
              new GivenAttribute(bytes("user.b"), new byte[0])));

  @Test
  void namesAreListedWithANulAfterEach() {
    ByteBuffer list = ByteBuffer.allocateDirect(14);
    assertThat(TWO.listAttributes(list)).isEqualTo(14);
    byte[] names = new byte[14];
    list.get(0, names);
    assertThat(names).isEqualTo(bytes("user.a\0user.b\0"));
    assertThat(GivenAttributes.NONE.listAttributes(list)).isZero();
  }

  @Test
  void withoutRoomOnlyTheLengthIsTold() {
    assertThat(TWO.listAttributes(ByteBuffer.allocateDirect(0))).isEqualTo(14);
    assertThat(TWO.listAttributes(ByteBuffer.allocateDirect(13))).isEqualTo(-Errno.ERANGE);
    assertThat(TWO.attribute(bytes("user.a"), ByteBuffer.allocateDirect(2)))
        .isEqualTo(-Errno.ERANGE);
  }

  @Test
  void aValueIsFilledInFromTheBeginning() {
    ByteBuffer value = ByteBuffer.allocateDirect(8).position(5);
    assertThat(TWO.attribute(bytes("user.a"), value)).isEqualTo(3);
    byte[] found = new byte[3];
    value.get(0, found);
    assertThat(found).isEqualTo(bytes("one"));
    assertThat(TWO.attribute(bytes("user.b"), value)).isZero();
    assertThat(TWO.attribute(bytes("user.c"), value)).isEqualTo(-Errno.ENODATA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "user.a\0b"})
  void aNameThatTheKernelWouldSeeLessOfIsNone(String name) {
    List<GivenAttribute> one = List.of(new GivenAttribute(bytes(name), new byte[0]));
    assertThatThrownBy(() -> new GivenAttributes(one)).isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
