package dev.zcp.tree;

import dev.zcp.linux.NativeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// What a copy or a receiver has made and not published yet. Once abandoned, as on a signal,
/// nothing of it is left and nothing is published any more.
public final class Partials {

  private final Set<Partial> unfinished = ConcurrentHashMap.newKeySet();
  private volatile boolean abandoned;

  /// A name in `directory` that is nobody's yet; nothing is made. The directory must stay open
  /// until it is published or discarded.
  public Partial begin(OpenDirectory directory) {
    return begin(directory, HiddenName.random());
  }

  /// As [#begin], under a name that something may have.
  public Partial begin(OpenDirectory directory, byte[] name) {
    return new Partial(directory, name, false);
  }

  /// The file `name` of `directory`, which is there, as one to be revealed. If all is abandoned it
  /// stays: somebody else goes on with it.
  public Partial goOnWith(OpenDirectory directory, byte[] name) {
    return new Partial(directory, name, true);
  }

  /// Deletes everything but what [#goOnWith] took, and refuses whatever comes after.
  public void abandon() {
    abandoned = true;
    for (Partial partial : unfinished) {
      // It waits for one that is being revealed: no name appears after this.
      partial.abandon();
    }
  }

  public boolean isAbandoned() {
    return abandoned;
  }

  private void requireWanted() throws IOException {
    if (abandoned) {
      throw new IOException("it was given up");
    }
  }

  /// An entry under a hidden name, `.zcp-RANDOM.part`, beside the place where it is to be: a file
  /// that has not all its bytes yet, or what is about to replace another entry.
  public final class Partial {

    private static final int PRIVATE = 0600;

    private final OpenDirectory directory;
    private final byte[] name;

    /// Whether somebody may go on with it, so that it stays if it is not finished.
    private final boolean lasting;

    // Guarded by this: the signal's thread comes in between.
    private boolean made;

    private Partial(OpenDirectory directory, byte[] name, boolean lasting) {
      this.directory = directory;
      this.name = name;
      this.lasting = lasting;
      this.made = lasting;
      unfinished.add(this);
    }

    public byte[] name() {
      return name;
    }

    /// Makes it an empty file that nobody else can read.
    public NativeFile createFile() throws IOException {
      return createFile(PRIVATE);
    }

    /// Makes it an empty file with a mode of its own.
    public synchronized NativeFile createFile(int mode) throws IOException {
      requireWanted();
      NativeFile file = directory.create(name, mode);
      made = true;
      return file;
    }

    /// Makes it by one call on its directory, which leaves nothing there if it fails.
    public synchronized void make(Making making) throws IOException {
      requireWanted();
      making.make(name);
      made = true;
    }

    /// Makes an entry under a name of the directory.
    @FunctionalInterface
    public interface Making {
      void make(byte[] name) throws IOException;
    }

    /// Gives it its final name.
    ///
    /// @param replaces whether what has that name loses it; else nothing may have it
    /// @throws java.nio.file.FileAlreadyExistsException if something has it that may not be
    ///   replaced
    public synchronized void reveal(byte[] finalName, boolean replaces) throws IOException {
      requireWanted();
      if (replaces) {
        directory.rename(name, finalName);
      } else {
        directory.renameToNew(name, finalName);
      }
      made = false;
      unfinished.remove(this);
    }

    /// Deletes it, if it was made and not revealed.
    public void discard() {
      delete();
      unfinished.remove(this);
    }

    /// Leaves it under its hidden name.
    public void leave() {
      unfinished.remove(this);
    }

    private synchronized void abandon() {
      if (!lasting) {
        delete();
      }
    }

    private synchronized void delete() {
      if (made) {
        made = false;
        try {
          directory.remove(name);
        } catch (IOException e) {
          // It stays under its hidden name. What made it fail is told, and this follows from
          // it.
        }
      }
    }
  }

  /// The names that zcp keeps for itself: `.zcp-`, 16 hexadecimal digits, and what it is.
  public static final class HiddenName {

    private static final byte[] PREFIX = ascii(".zcp-");
    private static final byte[] PART = ascii(".part");
    private static final byte[] JOURNAL = ascii(".journal");
    private static final byte[] DIGITS = ascii("0123456789abcdef");
    private static final int DIGIT_BITS = 4;
    private static final int DIGIT_COUNT = Long.SIZE / DIGIT_BITS;

    private HiddenName() {}

    /// Of something that nobody goes on with. Unpredictable enough: O_EXCL takes nothing that
    /// somebody planted. SecureRandom would cost 14 ms of start-up.
    public static byte[] random() {
      return part(ThreadLocalRandom.current().nextLong());
    }

    /// Of a file that has not all its bytes yet.
    public static byte[] part(long digits) {
      return of(digits, PART);
    }

    /// Of what is known of the file with the same digits.
    public static byte[] journal(long digits) {
      return of(digits, JOURNAL);
    }

    /// The bytes with which every name begins that zcp reserves.
    public static byte[] prefix() {
      return PREFIX.clone();
    }

    /// Whether a name is one that zcp keeps for itself.
    public static boolean isReserved(byte[] name) {
      return name.length >= PREFIX.length
          && Arrays.equals(name, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
    }

    /// Whether a name is one of those that [#part] gives.
    public static boolean isPart(byte[] name) {
      int end = PREFIX.length + DIGIT_COUNT;
      boolean isPart =
          isReserved(name)
              && name.length == end + PART.length
              && Arrays.equals(name, end, name.length, PART, 0, PART.length);
      for (int i = PREFIX.length; isPart && i < end; i++) {
        isPart = Character.digit(name[i], 1 << DIGIT_BITS) >= 0;
      }
      return isPart;
    }

    private static byte[] of(long digits, byte[] suffix) {
      byte[] name = new byte[PREFIX.length + DIGIT_COUNT + suffix.length];
      System.arraycopy(PREFIX, 0, name, 0, PREFIX.length);
      for (int i = 0; i < DIGIT_COUNT; i++) {
        int shift = Long.SIZE - (i + 1) * DIGIT_BITS;
        name[PREFIX.length + i] = DIGITS[(int) (digits >>> shift) & 0xf];
      }
      System.arraycopy(suffix, 0, name, PREFIX.length + DIGIT_COUNT, suffix.length);
      return name;
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
