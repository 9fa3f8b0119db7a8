package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A session that takes every entry, and says of each that it is over only when the walk waits for
/// something, or at the end: as late as may be.
class RecordingOutlet implements PartlessOutlet {

  private final int keeps;
  private final Predicate<Offered> fails;
  private final List<Offered> offered = new ArrayList<>();
  private final List<Outgoing> entries = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<Outgoing> underWay = new ArrayList<>();

  /// How many entries it takes before the session is over.
  private int room = Integer.MAX_VALUE;

  private int directoriesMax = Integer.MAX_VALUE;
  private int directories;

  /// @param fails which entries the receiver does not take
  RecordingOutlet(int keeps, Predicate<Offered> fails) {
    this.keeps = keeps;
    this.fails = fails;
  }

  /// A receiver that takes and keeps everything.
  static RecordingOutlet ofAll() {
    return new RecordingOutlet(Keep.ALL, _ -> false);
  }

  RecordingOutlet withRoom(int entryCount) {
    room = entryCount;
    return this;
  }

  /// A receiver that remembers so many directories that are not over.
  RecordingOutlet withRoomForDirectories(int count) {
    directoriesMax = count;
    return this;
  }

  @Override
  public int underWay() {
    return underWay.size() + directories;
  }

  @Override
  public boolean hasRoom(EntryKind kind) {
    return kind != EntryKind.DIRECTORY || directories < directoriesMax;
  }

  @Override
  public boolean isAgreed() {
    return true;
  }

  @Override
  public int keeps() {
    return keeps;
  }

  @Override
  public boolean offer(Outgoing entry) {
    if (offered.size() == room) {
      return false;
    }
    await(() -> hasRoom(entry.kind()));
    if (!hasRoom(entry.kind())) {
      throw new AssertionError("the walk waits for ever");
    }
    Offered each = entry.offered(offered.size());
    offered.add(each);
    entries.add(entry);
    events.add("+" + each.path());
    directories += each.kind() == EntryKind.DIRECTORY ? 1 : 0;
    if (each.kind() == EntryKind.DIRECTORY && fails.test(each)) {
      directories--;
      entry.over(false);
    } else if (each.kind() != EntryKind.DIRECTORY) {
      underWay.add(entry);
    }
    return true;
  }

  @Override
  public void note(Failure failure) {
    failures.add(failure);
  }

  /// What could not be offered.
  List<Failure> failures() {
    return failures;
  }

  @Override
  public void ended(Outgoing directory) {
    events.add("-" + offered(directory).path());
    directories--;
    directory.over(true);
  }

  @Override
  public void await(BooleanSupplier goOn) {
    while (!goOn.getAsBoolean() && !underWay.isEmpty()) {
      settle(underWay.removeFirst());
    }
  }

  @Override
  public void wake() {
    // Who waits asks by itself.
  }

  /// Says of all that is under way that it is over.
  void settle() {
    while (!underWay.isEmpty()) {
      settle(underWay.removeFirst());
    }
  }

  private void settle(Outgoing entry) {
    boolean well = !fails.test(offered(entry));
    events.add((well ? "=" : "!") + offered(entry).path());
    entry.over(well);
  }

  /// What came and went: `+` an entry was offered, `=` it is over, `!` it failed, `-` it is a
  /// directory and was ended.
  List<String> events() {
    return events;
  }

  Outgoing entry(String path) {
    for (Outgoing each : entries) {
      if (offered(each).path().toString().equals(path)) {
        return each;
      }
    }
    throw new AssertionError("not offered: " + path + ", but " + events);
  }

  Offered offered(String path) {
    return offered(entry(path));
  }

  List<String> paths() {
    return offered.stream().map(each -> each.path().toString()).toList();
  }

  List<Offered> offered() {
    return offered;
  }

  private Offered offered(Outgoing entry) {
    return offered.get((int) entry.fileId());
  }
}
