package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListingTest {

  @TempDir Path dir;

  @Test
  void everyEntryIsToldOnceWithItsTypeAndDotsAreNone() throws IOException {
    Files.createFile(dir.resolve("file"));
    Files.createFile(dir.resolve("..three"));
    Files.createDirectory(dir.resolve(".hidden"));
    Files.createSymbolicLink(dir.resolve("link"), Path.of("nowhere"));
    List<String> found = new ArrayList<>();
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
      Listing listing = new Listing();
      listing.begin(directory, 0);
      while (listing.fill(directory)) {
        while (listing.next()) {
          found.add(name(listing) + type(listing));
        }
      }
    }
    assertThat(found).containsExactlyInAnyOrder("file-", "..three-", ".hidden/", "link@");
  }

  @Test
  void whoeverBeginsAgainGoesOnBehindTheEntryThatHeWasAt() throws IOException {
    for (int i = 0; i < 5000; i++) {
      Files.createFile(dir.resolve("a file with quite a long name " + i));
    }
    Set<String> found = new HashSet<>();
    long position = 0;
    int parts = 0;
    for (boolean more = true; more; parts++) {
      try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
        Listing listing = new Listing();
        listing.begin(directory, position);
        more = listing.fill(directory);
        while (listing.next()) {
          assertThat(found.add(name(listing))).isTrue();
          position = listing.position();
        }
      }
    }
    assertThat(found).hasSize(5000);
    assertThat(parts).isGreaterThan(5);
  }

  private static String name(Listing listing) {
    return new String(listing.name(), StandardCharsets.UTF_8);
  }

  private static String type(Listing listing) {
    return switch (listing.type()) {
      case FileType.REGULAR -> "-";
      case FileType.DIRECTORY -> "/";
      case FileType.SYMLINK -> "@";
      default -> "?";
    };
  }
}
