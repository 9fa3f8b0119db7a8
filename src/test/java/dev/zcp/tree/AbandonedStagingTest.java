package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Name;
import dev.zcp.io.HeldDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a signal makes of files that are being written just then.
class AbandonedStagingTest {

  private static final Name NAME = Name.of("final".getBytes(StandardCharsets.US_ASCII));
  private static final Metadata METADATA = Metadata.ofNew(0600);

  @TempDir Path folder;

  private final Staging staging = new Staging();

  /// Closing it would give its number to the next file that is opened, while a system call of
  /// another thread still writes to that number.
  @Test
  void aPartialFileIsDeletedButStaysOpenForWhoeverWritesToIt() throws IOException {
    try (HeldDirectory directory = HeldDirectory.open(folder)) {
      PartialFile file = staging.create(directory);
      assertThat(folder).isNotEmptyDirectory();
      staging.abandon();
      assertThat(folder).isEmptyDirectory();
      assertThat(file.end().write(ByteBuffer.wrap(new byte[5]), 0)).isEqualTo(5);
      assertThat(file.discard()).isTrue();
      assertThat(file.end().channel().isOpen()).isFalse();
    }
  }

  @Test
  void nothingIsPublishedOrBegunAnyMore() throws IOException {
    try (HeldDirectory directory = HeldDirectory.open(folder)) {
      PartialFile file = staging.create(directory);
      PartialFile other = staging.create(directory);
      staging.abandon();
      assertThatThrownBy(() -> file.publish(NAME, METADATA)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> other.publishNew(NAME, METADATA)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> staging.create(directory)).isInstanceOf(IOException.class);
      assertThat(folder).isEmptyDirectory();
    }
  }
}
