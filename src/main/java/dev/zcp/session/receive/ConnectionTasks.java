package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Uninterruptible;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.place.Durability;
import dev.zcp.session.Kinds;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Show;
import dev.zcp.wire.Wants;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// What the workers do for one connection of a session: they answer offers and looks, write small
/// files and publish large ones.
final class ConnectionTasks implements Closeable {

  /// A worker takes so many small files at once: enough that handing them over costs next to
  /// nothing.
  private static final int OFFERS_MAX = 64;

  private final ReceivingSession session;
  private final Outbox outbox;
  private final CompressedInput input;
  private final PartWriter parts;
  private volatile boolean closed;

  // All below is guarded by this.

  /// What no worker has begun yet, in order.
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

  /// Units of this connection, and parts of its offers, that are not dealt with yet.
  private int units;

  /// @param input of the connection
  ConnectionTasks(ReceivingSession session, Outbox outbox, CompressedInput input) {
    this.session = session;
    this.outbox = outbox;
    this.input = input;
    this.parts = new PartWriter(session, outbox);
  }

  /// Does what the workers have not begun, then waits until none of them is at work for this
  /// connection: only then may it count as lost. The calling thread does it, since all workers may
  /// wait for this session to [give way][PathLocks.Holder].
  @Override
  public void close() {
    closed = true;
    while (doNext()) {
      // There may be more by that.
    }
    awaitWorkers();
  }

  private synchronized Runnable next() {
    return waiting.pollFirst();
  }

  private synchronized void unitOver() {
    units--;
    notifyAll();
  }

  private synchronized void awaitWorkers() {
    Uninterruptible.await(() -> units == 0, this::wait);
  }

  /// Leaves a unit to the workers.
  ///
  /// @param after run in any case
  private void leaveUnitToWorkers(long unit, Runnable work, Runnable after) {
    leaveToWorkers(
        () -> {
          work.run();
          session.end().unitDone(outbox.number(), unit);
        },
        after);
  }

  /// Leaves work to the workers. If this throws, [#close] does the work.
  ///
  /// @param after run in any case
  private void leaveToWorkers(Runnable work, Runnable after) {
    long leftNs = System.nanoTime();
    synchronized (this) {
      units++;
      waiting.addLast(
          () -> {
            session.sample(Stage.QUEUE, System.nanoTime() - leftNs);
            session.perform(work, after);
          });
    }
    session.workers().take(this::doNext);
  }

  /// @return false if nothing was waiting
  private boolean doNext() {
    Runnable next = next();
    if (next == null) {
      return false;
    }
    try {
      next.run();
    } finally {
      unitOver();
    }
    return true;
  }

  /// Has each entry answered.
  void consider(List<Offered> entries) {
    List<IncomingEntry> files = new ArrayList<>(Math.min(OFFERS_MAX, entries.size()));
    for (Offered entry : entries) {
      files.add(session.entries().add(entry));
      if (entry.hasSize() && entry.size() >= ResumableFile.BYTES_MIN) {
        // All of it may be read, of what is there.
        leaveToWorkers(List.of(files.removeLast()));
      } else if (files.size() == OFFERS_MAX) {
        leaveToWorkers(files);
        files = new ArrayList<>(OFFERS_MAX);
      }
    }
    if (!files.isEmpty()) {
      leaveToWorkers(files);
    }
  }

  private void leaveToWorkers(List<IncomingEntry> files) {
    leaveToWorkers(
        () -> {
          for (IncomingEntry each : files) {
            consider(each);
          }
        });
  }

  private void leaveToWorkers(Runnable work) {
    leaveToWorkers(work, () -> {});
  }

  private void consider(IncomingEntry incoming) {
    work(
        incoming,
        () -> {
          Answer answer = session.place().consider(incoming);
          session.entries().takeUp(incoming);
          if (isWanted(answer) && incoming.offered().kind() == EntryKind.FILE) {
            session.entries().count(incoming, answer.held());
          }
          answer(incoming, answer);
        });
  }

  /// Works on an entry, unless it is over, or the session is.
  private void work(IncomingEntry incoming, Runnable work) {
    if (!session.connections().isOver() && incoming.enter()) {
      try {
        work.run();
      } finally {
        incoming.leave();
      }
    }
  }

  private static boolean isWanted(Answer answer) {
    return switch (answer.kind()) {
      case ALL, REST, BASE -> true;
      case WHOLE, MADE, NEW, KEPT, DECLINED, FAILED, CREATE, REPLACE, CORRECT -> false;
    };
  }

  /// Takes what another version of a file has of these chunks of it.
  void chunks(Chunks chunks) {
    IncomingEntry incoming = session.entries().of(chunks.fileId());
    if (incoming != null) {
      session.entries().tell(incoming, chunks);
      leaveToWorkers(() -> rebuild(incoming));
    }
  }

  /// If the connection was lost meanwhile, the sender tells all chunks anew.
  private void rebuild(IncomingEntry incoming) {
    if (closed) {
      return;
    }
    work(
        incoming,
        () -> {
          boolean rebuilds = incoming.beginRebuilding();
          while (rebuilds) {
            Answer answer =
                session
                    .entries()
                    .take(incoming, after -> leaveToWorkers(() -> rebuild(incoming), after));
            if (answer != null) {
              answer(incoming, answer);
            }
            rebuilds = incoming.rebuildsOn();
          }
        });
  }

  private void answer(IncomingEntry incoming, Answer answer) {
    book(incoming, answer);
    session.end().answer(answer);
    if (answer.kind() == Answer.AnswerKind.REST) {
      // It may have taken its time, and so may the next.
      session.speak();
    }
  }

  private void book(IncomingEntry incoming, Answer answer) {
    Offered entry = incoming.offered();
    if (session.isDryRun() && plan(incoming, answer)) {
      return;
    }
    switch (answer.kind()) {
      case ALL, NEW, REST, WHOLE, BASE -> {}
      case CREATE, REPLACE, CORRECT -> throw new IllegalStateException("this is no dry run");
      case MADE -> {
        session.insight().made(Kinds.made(entry.kind()));
        session.entries().done(incoming);
      }
      case DECLINED -> {
        if (entry.kind() != EntryKind.SOCKET) {
          session.insight().declined(Kinds.label(entry.kind()), entry.path(), answer.text());
        }
        session.entries().done(incoming);
      }
      case KEPT -> {
        session.insight().kept(entry.path(), "is kept, as the sender asked");
        session.entries().done(incoming);
      }
      case FAILED -> session.entries().refused(incoming, incoming.refusal(answer));
    }
  }

  /// @return whether there is no more to be booked
  private boolean plan(IncomingEntry incoming, Answer answer) {
    Offered entry = incoming.offered();
    Planned plan = Kinds.planned(answer.kind(), entry.kind());
    if (plan == null) {
      return false;
    }
    session.planned(entry, plan);
    if (!entry.kind().isDirectory()) {
      session.entries().done(incoming);
    }
    return true;
  }

  /// Has a look answered.
  void look(ReceiverAction.Look action) {
    leaveToWorkers(
        () -> {
          Wants.Want[] wants = session.place().look(action.look(), action.directories(), parts);
          session.end().wants(outbox.number(), Wants.of(action.look().firstId(), wants));
        });
  }

  /// Takes the bytes of a part off the connection, and has its files written.
  ///
  /// @throws IOException if the connection failed
  void takePart(ReceiverAction.TakePart action) throws IOException, InterruptedException {
    ByteBuffer bytes = read(action.part());
    leaveToWorkers(() -> parts.write(action, bytes), () -> session.buffers().giveBack(bytes));
  }

  /// Bytes off the connection, in a buffer that is to be given back.
  private ByteBuffer read(Part part) throws IOException, InterruptedException {
    session.tellOfParts();
    PartBuffers.BufferShare buffers = session.buffers();
    ByteBuffer bytes = buffers.take(part.rawBytes());
    boolean isRead = false;
    try {
      if (part.isZstd()) {
        readCompressed(bytes);
      } else {
        read(outbox.connection(), bytes);
      }
      isRead = true;
      return bytes;
    } finally {
      if (!isRead) {
        buffers.giveBack(bytes);
      }
    }
  }

  private void readCompressed(ByteBuffer bytes) throws IOException {
    outbox.connection().timeout().waitForPeer();
    long startedNs = System.nanoTime();
    input.begin(bytes.remaining());
    while (bytes.hasRemaining()) {
      input.read(bytes);
    }
    long elapsedNs = System.nanoTime() - startedNs;
    session.sample(Stage.RECEIVE, elapsedNs - input.takeOtherNs());
    outbox.connection().timeout().stopWaiting();
    bytes.flip();
  }

  private void read(Connection connection, ByteBuffer bytes) throws IOException {
    connection.timeout().waitForPeer();
    int end = bytes.limit();
    while (bytes.position() < end) {
      // What is taken at once is waited for at once, while this end shows no progress.
      long piece = Math.min(end - bytes.position(), session.context().rate().pieceBytesMax());
      bytes.limit(bytes.position() + (int) piece);
      long startedNs = System.nanoTime();
      int count = connection.read(bytes);
      session.sample(Stage.RECEIVE, System.nanoTime() - startedNs);
      connection.moved(count);
      session.context().rate().spend(count, session.insight());
    }
    connection.timeout().stopWaiting();
    bytes.flip();
  }

  /// Has done what has become due.
  void settle(List<ReceiverAction> due) {
    leaveToWorkers(() -> session.settle(due));
  }

  /// Has files published. What it takes to free their bytes, if they go nowhere, comes after the
  /// answer.
  void publish(ReceiverAction.Publish action) {
    PublishedEntries published = new PublishedEntries();
    leaveUnitToWorkers(
        action.unit(),
        () -> {
          for (Ending ending : action.endings()) {
            if (!session.connections().isOver()) {
              publish(ending, published);
            }
          }
          published.flush();
        },
        () -> {
          session.speak();
          published.close();
        });
  }

  private void publish(Ending ending, PublishedEntries published) {
    IncomingEntry incoming = published.enter(ending.fileId());
    if (incoming == null) {
      return;
    }
    incoming
        .landing()
        .publish(
            ending, session.level(), published.queue(), new EntryOutcome(incoming, ending.size()));
  }

  /// Tells the sender of a file that is published, or there.
  private final class EntryOutcome implements Landing.PublishOutcome {

    private final IncomingEntry entry;
    private final long bytes;
    private final FileLog log;

    EntryOutcome(IncomingEntry entry, long bytes) {
      this.entry = entry;
      this.bytes = bytes;
      this.log = entry.log(session.insight());
    }

    @Override
    public void arrived(Level reached) {
      long bytesResumed = entry.bytesResumed();
      if (entry.isRebuilt()) {
        session.insight().ofSession().reused(bytesResumed);
      } else if (bytesResumed == entry.offered().size()) {
        session.alreadyThere(bytesResumed);
      } else {
        session.insight().ofSession().resumed(bytesResumed);
      }
      Landing landing = entry.landing();
      session.done(log, reached, landing.bytesBelieved(), bytes - bytesResumed);
      if (landing.leftBehind() != null) {
        session.insight().note(entry.offered().path() + ": " + landing.leftBehind());
      }
      session.entries().done(entry);
      session.end().published(entry.offered().fileId(), reached);
    }

    @Override
    public void failed(Failure failure) {
      session.entries().failed(entry, failure);
    }
  }

  /// Has what is there compared with what was shown.
  void compare(ReceiverAction.Compare action) {
    PublishedEntries published = new PublishedEntries();
    leaveUnitToWorkers(action.unit(), () -> compare(action.shown(), published), published::close);
  }

  private void compare(Show shown, PublishedEntries published) {
    IncomingEntry incoming = published.enter(shown.fileId());
    if (incoming == null) {
      return;
    }
    EntryOutcome outcome = new EntryOutcome(incoming, incoming.offered().size());
    if (!incoming.landing().isThere(shown, session.level(), outcome)) {
      session.entries().count(incoming, List.of());
      session.end().differs(shown.fileId());
    }
  }

  /// The entries of one unit whose files are published together. Belongs to one thread.
  private final class PublishedEntries implements Closeable {

    /// Null before the first file.
    private Durability.PublicationQueue queue;

    private final List<IncomingEntry> inside = new ArrayList<>();

    Durability.PublicationQueue queue() {
      if (queue == null) {
        queue = session.place().durability().new PublicationQueue();
      }
      return queue;
    }

    /// Begins work on an entry, up to [#close].
    ///
    /// @return null if it is over
    IncomingEntry enter(long fileId) {
      IncomingEntry entry = session.entries().of(fileId);
      if (entry == null || !entry.enter()) {
        return null;
      }
      inside.add(entry);
      return entry;
    }

    /// Has all of them published that were given to the [#queue].
    void flush() {
      if (queue != null && queue.flush()) {
        session.act();
      }
    }

    /// Lets go of them, which may take its time if their bytes go nowhere.
    @Override
    public void close() {
      inside.forEach(IncomingEntry::leave);
      inside.clear();
    }
  }
}
