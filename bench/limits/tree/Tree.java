import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;

/// The floor for the copy of a tree by Java: two threads, each of which takes a directory, lists it
/// and copies its files by descriptors, with no object for a file. Files get a partial name, their
/// mode and times, and then their own name. Links are kept, owners and attributes are not.
///
/// Usage: `Tree SOURCE TARGET`, with `-Dlibrary=PATH` of what tree.c was compiled to.
final class Tree {

  private static final int AT_FDCWD = -100;
  private static final int O_WRONLY = 1;
  private static final int O_CREAT = 0x40;
  private static final int O_EXCL = 0x80;
  private static final int O_DIRECTORY = 0x10000;
  private static final int O_NOFOLLOW = 0x20000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int DT_DIR = 4;
  private static final int DT_REG = 8;
  private static final int DT_LNK = 10;

  // Where things are in a thread's memory.
  private static final int ENTRIES = 0;
  private static final int ENTRIES_BYTES = 32 << 10;
  private static final int BEFORE = ENTRIES_BYTES;
  private static final int AFTER = BEFORE + 144;
  private static final int TIMES = AFTER + 144;
  private static final int PARTIAL = TIMES + 32;
  private static final int PATH = PARTIAL + 512;
  private static final int DATA = 64 << 10;
  private static final int DATA_BYTES = 64 << 10;

  // struct stat of x86-64.
  private static final int MODE = 24;
  private static final int SIZE = 48;
  private static final int ACCESSED = 72;
  private static final int MODIFIED = 88;
  private static final int CHANGED = 104;

  static {
    System.load(System.getProperty("library"));
  }

  private static final long OPENAT = find("openat");
  private static final long CLOSE = find("close");
  private static final long GETDENTS64 = find("getdents64");
  private static final long READ = find("read");
  private static final long WRITE = find("write");
  private static final long FSTAT = find("fstat");
  private static final long FCHMOD = find("fchmod");
  private static final long FUTIMENS = find("futimens");
  private static final long RENAMEAT = find("renameat");
  private static final long MKDIRAT = find("mkdirat");
  private static final long COPY_FILE_RANGE = find("copy_file_range");
  private static final long READLINKAT = find("readlinkat");
  private static final long SYMLINKAT = find("symlinkat");

  private record Pair(String source, String target) {}

  private static final Pair END = new Pair("", "");
  private static final BlockingDeque<Pair> WAITING = new LinkedBlockingDeque<>();
  private static final AtomicInteger UNDONE = new AtomicInteger(1);

  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(DATA + DATA_BYTES).order(ByteOrder.nativeOrder());
  private final long base = address(memory);

  static native long call(long function, long a, long b, long c, long d, long e, long f);

  static native long find(String name);

  static native long address(ByteBuffer buffer);

  public static void main(String[] args) throws InterruptedException {
    WAITING.add(new Pair(args[0], args[1]));
    Thread second = new Thread(() -> new Tree().work());
    second.start();
    new Tree().work();
    second.join();
  }

  private void work() {
    try {
      for (Pair pair = WAITING.takeFirst(); pair != END; pair = WAITING.takeFirst()) {
        copyDirectory(pair);
        if (UNDONE.decrementAndGet() == 0) {
          WAITING.add(END);
          WAITING.add(END);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void copyDirectory(Pair pair) {
    long source = openDirectory(pair.source);
    put(pair.target);
    ok(call(MKDIRAT, AT_FDCWD, base + PATH, 0700, 0, 0, 0));
    long target = openDirectory(pair.target);
    while (true) {
      int bytes = (int) ok(call(GETDENTS64, source, base + ENTRIES, ENTRIES_BYTES, 0, 0, 0));
      if (bytes == 0) {
        break;
      }
      for (int at = 0; at < bytes; at += memory.getShort(at + 16) & 0xffff) {
        copyEntry(pair, source, target, memory.get(at + 18), at + 19);
      }
    }
    ok(call(FSTAT, source, base + BEFORE, 0, 0, 0, 0));
    finish(target);
    call(CLOSE, source, 0, 0, 0, 0, 0);
    call(CLOSE, target, 0, 0, 0, 0, 0);
  }

  private void copyEntry(Pair pair, long source, long target, int type, int name) {
    switch (type) {
      case DT_REG -> copyFile(source, target, name);
      case DT_LNK -> {
        long bytes = ok(call(READLINKAT, source, base + name, base + PATH, 4095, 0, 0));
        memory.put((int) (PATH + bytes), (byte) 0);
        ok(call(SYMLINKAT, base + PATH, target, base + name, 0, 0, 0));
      }
      case DT_DIR -> {
        String text = text(name);
        if (!text.equals(".") && !text.equals("..")) {
          UNDONE.incrementAndGet();
          WAITING.addFirst(new Pair(pair.source + "/" + text, pair.target + "/" + text));
        }
      }
      default -> throw new IllegalStateException("type " + type);
    }
  }

  private void copyFile(long from, long into, int name) {
    long source = ok(call(OPENAT, from, base + name, O_NOFOLLOW | O_CLOEXEC, 0, 0, 0));
    ok(call(FSTAT, source, base + BEFORE, 0, 0, 0, 0));
    long size = memory.getLong(BEFORE + SIZE);
    memory.put(PARTIAL, (byte) '.').put(PARTIAL + 1, (byte) '~');
    for (int i = 0; ; i++) {
      byte letter = memory.get(name + i);
      memory.put(PARTIAL + 2 + i, letter);
      if (letter == 0) {
        break;
      }
    }
    int flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC;
    long target = ok(call(OPENAT, into, base + PARTIAL, flags, 0600, 0, 0));
    if (size <= DATA_BYTES) {
      long bytes = ok(call(READ, source, base + DATA, DATA_BYTES, 0, 0, 0));
      if (bytes > 0) {
        ok(call(WRITE, target, base + DATA, bytes, 0, 0, 0));
      }
    } else {
      for (long at = 0; at < size; ) {
        at += ok(call(COPY_FILE_RANGE, source, 0, target, 0, size - at, 0));
      }
    }
    ok(call(FSTAT, source, base + AFTER, 0, 0, 0, 0));
    if (memory.getLong(AFTER + SIZE) != size
        || memory.getLong(AFTER + CHANGED + 8) != memory.getLong(BEFORE + CHANGED + 8)) {
      throw new IllegalStateException("changed: " + text(name));
    }
    finish(target);
    call(CLOSE, source, 0, 0, 0, 0, 0);
    call(CLOSE, target, 0, 0, 0, 0, 0);
    ok(call(RENAMEAT, into, base + PARTIAL, into, base + name, 0, 0));
  }

  /// Gives the target the mode and the times that fstat(2) found.
  private void finish(long target) {
    ok(call(FCHMOD, target, memory.getInt(BEFORE + MODE) & 07777, 0, 0, 0, 0));
    for (int i = 0; i < 16; i += 8) {
      memory.putLong(TIMES + i, memory.getLong(BEFORE + ACCESSED + i));
      memory.putLong(TIMES + 16 + i, memory.getLong(BEFORE + MODIFIED + i));
    }
    ok(call(FUTIMENS, target, base + TIMES, 0, 0, 0, 0));
  }

  private long openDirectory(String path) {
    put(path);
    return ok(call(OPENAT, AT_FDCWD, base + PATH, O_DIRECTORY | O_CLOEXEC, 0, 0, 0));
  }

  private void put(String path) {
    byte[] bytes = path.getBytes();
    memory.put(PATH, bytes).put(PATH + bytes.length, (byte) 0);
  }

  private String text(int name) {
    int end = name;
    while (memory.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - name];
    memory.get(name, bytes);
    return new String(bytes);
  }

  private static long ok(long result) {
    if (result < 0) {
      throw new IllegalStateException("errno " + -result);
    }
    return result;
  }
}
