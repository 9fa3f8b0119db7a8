package dev.zcp.place;

import dev.zcp.core.SipHash;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

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
    Partial partial = new Partial(false);
    partial.begin(directory, name);
    unfinished.add(partial);
    return partial;
  }

  /// One that its owner [begins][Partial#begin] anew for each file.
  Partial reusable() {
    return new Partial(false);
  }

  /// The file `name` of `directory`, which is there, as one to be revealed. If all is abandoned it
  /// stays: somebody else goes on with it.
  public Partial goOnWith(OpenDirectory directory, byte[] name) {
    Partial partial = new Partial(true);
    partial.begin(directory, name);
    partial.made = true;
    unfinished.add(partial);
    return partial;
  }

  /// Deletes everything but what [#goOnWith] took, and refuses whatever comes after.
  public void abandon() {
    abandoned = true;
    for (Partial partial : unfinished) {
      partial.abandon();
    }
  }

  /// Whether anything is under way that stays if all is abandoned.
  public boolean isAnyLasting() {
    for (Partial partial : unfinished) {
      if (partial.lasting) {
        return true;
      }
    }
    return false;
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

    /// How long the end of the process waits for a call that makes something: it may be one to a
    /// server that is gone.
    private static final int MAKING_MS_MAX = 1000;

    /// Whether somebody may go on with it, so that it stays if it is not finished.
    private volatile boolean lasting;

    private OpenDirectory directory;
    private byte[] name;

    // The signal's thread comes in between. It waits for what is being made, and then deletes it.
    // Whoever reveals it need not look: a name that was deleted is not renamed, and one that was
    // renamed is not deleted.
    private volatile boolean making;
    private volatile boolean made;

    /// Whether it may be another name of something.
    private boolean isMaybeLink;

    private Partial(boolean lasting) {
      this.lasting = lasting;
    }

    /// The next file, under a name that is nobody's yet.
    void begin(OpenDirectory newDirectory) {
      begin(newDirectory, HiddenName.random());
      unfinished.add(this);
    }

    private void begin(OpenDirectory newDirectory, byte[] newName) {
      directory = newDirectory;
      name = newName;
    }

    public byte[] name() {
      return name;
    }

    boolean isLasting() {
      return lasting;
    }

    /// Makes it an empty file that nobody else can read.
    public NativeFile createFile() throws IOException {
      return createFile(PRIVATE);
    }

    public NativeFile createFile(int mode) throws IOException {
      making = true;
      try {
        requireWanted();
        NativeFile file = directory.create(name, mode);
        made = true;
        return file;
      } finally {
        making = false;
      }
    }

    /// Makes it by one call on its directory, which leaves nothing there if it fails.
    public void make(Making call) throws IOException {
      making = true;
      isMaybeLink = true;
      try {
        requireWanted();
        call.make(name);
        made = true;
      } finally {
        making = false;
      }
    }

    /// Makes an entry under a name of the directory.
    @FunctionalInterface
    public interface Making {
      void make(byte[] name) throws IOException;
    }

    /// Takes it out of the reach of those who would go on with it.
    void hide() throws IOException {
      byte[] hidden = HiddenName.random();
      making = true;
      try {
        requireWanted();
        directory.renameToNew(name, hidden);
        name = hidden;
        lasting = false;
      } finally {
        making = false;
      }
    }

    /// Gives it its final name.
    ///
    /// @param replaces whether what has that name loses it; else nothing may have it
    /// @throws java.nio.file.FileAlreadyExistsException if something has it that may not be
    ///   replaced
    public void reveal(byte[] finalName, boolean replaces) throws IOException {
      requireWanted();
      if (replaces) {
        directory.rename(name, finalName);
        if (isMaybeLink) {
          // If another process has made the same link meanwhile, both names are there: rename(2).
          delete();
        }
      } else {
        directory.renameToNew(name, finalName);
      }
      made = false;
      forget();
    }

    /// Deletes it, if it was made and not revealed.
    public void discard() {
      delete();
      forget();
    }

    /// Leaves it under its hidden name.
    public void leave() {
      forget();
    }

    private void forget() {
      unfinished.remove(this);
    }

    private void abandon() {
      for (int i = 0; making && i < MAKING_MS_MAX; i++) {
        LockSupport.parkNanos(1_000_000);
      }
      if (!lasting) {
        delete();
      }
    }

    private void delete() {
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
    private static final int DIGITS_END = PREFIX.length + DIGIT_COUNT;

    /// A key, so that the digits are those of no other kind of name.
    private static final long LASTING = 2;

    private HiddenName() {}

    /// Of something that nobody goes on with. Unpredictable enough: O_EXCL takes nothing that
    /// somebody planted. SecureRandom would cost 14 ms of start-up.
    public static byte[] random() {
      return part(ThreadLocalRandom.current().nextLong());
    }

    /// Of a file that the next copy to the same place is to find again.
    ///
    /// @param name the one that it will have
    static byte[] lasting(byte[] name) {
      return part(SipHash.of(LASTING, 0, name));
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
      return isOf(name, PART);
    }

    /// The name of what may be there beside a hidden file: by that of a partial file its journal's,
    /// and the other way round.
    ///
    /// @return null if it is neither's name
    public static byte[] partner(byte[] name) {
      if (isOf(name, PART)) {
        return withSuffix(name, JOURNAL);
      }
      return isOf(name, JOURNAL) ? withSuffix(name, PART) : null;
    }

    private static boolean isOf(byte[] name, byte[] suffix) {
      boolean isOf =
          isReserved(name)
              && name.length == DIGITS_END + suffix.length
              && Arrays.equals(name, DIGITS_END, name.length, suffix, 0, suffix.length);
      for (int i = PREFIX.length; isOf && i < DIGITS_END; i++) {
        isOf = Character.digit(name[i], 1 << DIGIT_BITS) >= 0;
      }
      return isOf;
    }

    private static byte[] withSuffix(byte[] name, byte[] suffix) {
      byte[] other = Arrays.copyOf(name, DIGITS_END + suffix.length);
      System.arraycopy(suffix, 0, other, DIGITS_END, suffix.length);
      return other;
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
