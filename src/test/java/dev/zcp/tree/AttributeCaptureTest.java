package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributeCaptureTest {

  private static final int EACH_BYTES = 5;
  private static final int VALUE_BYTES = 20;
  private static final int ALL_BYTES =
      EACH_BYTES + "user.large".getBytes(StandardCharsets.US_ASCII).length + VALUE_BYTES;

  @TempDir Path dir;

  /// Or it would be taken here, and refused where it is sent.
  @Test
  void anAttributeCountsForWhatItTakesOnTheWayToo() throws Exception {
    assumeTrue(
        Files.getFileStore(dir).supportsFileAttributeView(UserDefinedFileAttributeView.class),
        "no extended attributes there");
    Files.setAttribute(dir, "user:large", ByteBuffer.allocate(VALUE_BYTES));
    assertThat(taken(ALL_BYTES, 0)).isOne();
    assertThat(taken(ALL_BYTES - 1, 1)).isZero();
  }

  private int taken(int bytesMax, int lossCount) throws Exception {
    Losses losses = new Losses();
    AttributeCapture capture = new AttributeCapture(true, false, bytesMax, EACH_BYTES, losses);
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
      int count = capture.of(directory, dir).size();
      assertThat(losses.all()).hasSize(lossCount);
      return count;
    }
  }
}
