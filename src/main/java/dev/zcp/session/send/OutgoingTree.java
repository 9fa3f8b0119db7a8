package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.linux.StandardStreams;
import dev.zcp.session.Admission;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Folder;
import dev.zcp.walk.ListedNames;
import dev.zcp.walk.NameLists;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Walk;
import dev.zcp.walk.Walk.WalkErrors;
import dev.zcp.walk.WorkerPool;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a send command takes with it: the operands, and with `-r` what is in them, found on the way
/// that a copy of trees goes.
///
/// An operand arrives under its last component below the receiver's directory, as with scp(1); of
/// `.`, `..` and `/` the content does, and the receiver's directory gets what is known of the
/// directory itself.
final class OutgoingTree implements Closeable, WalkErrors {

  /// In place of the target's name of a directory whose content is sent.
  private static final byte[] SELF = {'.'};

  /// Of standard input: what a file is created with.
  private static final int STREAM_MODE = 0666;

  private static final int OPEN_FOLDERS_MIN = 4;
  private static final int OPEN_FOLDERS_MAX = 256;

  /// Of the descriptors that there are, the share that open directories get.
  private static final int OPEN_FOLDERS_SHARE = 8;

  private final SendRequest request;
  private final CommandEnvironment environment;
  private final StandardStreams streams;
  private final Insight insight;
  private final Losses losses;
  private final List<OutgoingOperand> operands;
  private final OutgoingCount count;

  private final List<Failure> unsent;

  /// Null until the walk begins, and if there is none.
  private volatile OpenFolders folders;

  private volatile Outlet outlet;
  private volatile boolean stopped;

  private OutgoingTree(
      SendRequest request,
      CommandEnvironment environment,
      Insight insight,
      Losses losses,
      List<OutgoingOperand> operands,
      List<Failure> unsent) {
    this.request = request;
    this.environment = environment;
    this.streams = new StandardStreams(environment.in(), environment.out());
    this.insight = insight;
    this.losses = losses;
    this.operands = operands;
    this.count = new OutgoingCount(request, operands);
    this.unsent = unsent;
  }

  /// Looks at the operands, and at nothing in them.
  ///
  /// @param losses gets what cannot be sent of an entry besides its bytes
  /// @throws Failure USAGE if two operands would get the same name; USAGE or SOURCE if the only one
  ///   cannot be sent. Of several, one that cannot be is told to `insight`, and is left out
  static OutgoingTree of(
      SendRequest request, CommandEnvironment environment, Insight insight, Losses losses)
      throws Failure {
    List<OutgoingOperand> operands = new ArrayList<>();
    List<Failure> unsent = new ArrayList<>();
    Map<Name, RawPath> taken = new HashMap<>();
    for (RawPath path : request.files()) {
      try {
        operands.add(OutgoingOperand.of(request, path));
      } catch (Failure failure) {
        if (request.files().size() == 1) {
          throw failure;
        }
        insight.begin(path, -1, Stage.SEND).failed(failure);
        unsent.add(failure);
      }
    }
    for (OutgoingOperand each : operands) {
      RawPath other = each.name() == null ? null : taken.put(each.name(), each.path());
      if (other != null) {
        throw Failure.of(
            ExitCode.USAGE,
            each.name().toString(),
            "both " + other + " and " + each.path() + " have this name");
      }
    }
    return new OutgoingTree(request, environment, insight, losses, List.copyOf(operands), unsent);
  }

  boolean isEmpty() {
    return operands.isEmpty();
  }

  /// Whether everything can be read once more: no stream, and no list of names, which may be one.
  boolean isReadTwice() {
    boolean isAnyStream = false;
    for (OutgoingOperand operand : operands) {
      isAnyStream |= operand.isStream();
    }
    return !isAnyStream && request.selection().names() == null;
  }

  /// What is to come, by a walk of its own over names and statuses.
  OutgoingCount count() {
    return count;
  }

  /// Bits of [Keep]: what is to be kept, if the receiver does.
  int keeps() {
    return Admission.keepsOf(request.selection(), request.preserve());
  }

  /// Walks, and gives every entry to `outlet`; directories before what is in them. Returns when
  /// there is nothing more to be offered, or after [#stop]. What cannot be sent is told to the
  /// insight.
  void walk(Outlet to) {
    outlet = to;
    unsent.forEach(outlet::note);
    OutgoingVisitor visitor =
        new OutgoingVisitor(request, outlet, insight, losses, this, mayMeet());
    folders = new OpenFolders(openFolders());
    WorkerPool workers = new WorkerPool(1);
    Walk walk = new Walk(request.selection(), folders, workers, visitor, this);
    try {
      addOperands(walk);
    } catch (Failure failure) {
      insight.failed(failure);
      outlet.note(failure);
    }
    workers.run();
    visitor.finish();
  }

  /// Whether two operands may have something of one path: names of operands differ, but the content
  /// of one goes beside them.
  private boolean mayMeet() {
    boolean isAnyContent = false;
    for (OutgoingOperand operand : operands) {
      isAnyContent |= operand.name() == null;
    }
    return isAnyContent && operands.size() > 1;
  }

  /// If the session is over, so is the walk.
  void offer(Outgoing entry) {
    if (!outlet.offer(entry)) {
      stopped = true;
    }
  }

  /// The session is over: the walk ends soon.
  void stop() {
    stopped = true;
    count.stop();
    Outlet waiting = outlet;
    if (waiting != null) {
      waiting.wake();
    }
  }

  /// Closes the directories that are open, when no entry is under way any more.
  @Override
  public void close() {
    count.stop();
    if (folders != null) {
      folders.close();
    }
  }

  @Override
  public void tell(Object label, Failure failure) {
    insight.begin(label, -1, Stage.SEND).failed(failure);
    outlet.note(failure);
  }

  @Override
  public boolean isOver() {
    return stopped;
  }

  @Override
  public void left() {
    // Why the session is over is told, and that tells of the rest.
  }

  /// Whether the folder is a directory whose content is sent in its place.
  static boolean isContent(Folder folder) {
    return folder.targetName() == SELF;
  }

  private void offerStream(OutgoingOperand operand) throws Failure {
    EntryPath path = EntryPath.of(operand.name().bytes());
    if (operand.isStandardInput()) {
      Offered draft = Drafts.stream(path, STREAM_MODE, Instant.now());
      offer(new Origin.In(streams), null, draft);
      return;
    }
    FileStatus status = operand.status();
    offer(
        new Origin.AtPath(operand.path()),
        status,
        Drafts.file(path, Offered.SIZE_UNKNOWN, status, List.of()));
  }

  private void offer(Origin origin, FileStatus status, Offered draft) {
    offer(new Outgoing(insight, origin, status, draft, false, null, Outgoing.NO_AFTERMATH));
  }

  private void addOperands(Walk walk) throws Failure {
    OperandRoots roots = new OperandRoots(walk, null);
    for (OutgoingOperand operand : operands) {
      try {
        boolean isRead = operand.isStream() && !request.selection().specials();
        if (operand.isStandardInput() || isRead && request.selection().names() == null) {
          offerStream(operand);
        } else {
          add(walk, roots, operand);
        }
      } catch (Failure failure) {
        if (operands.size() == 1) {
          throw failure;
        }
        tell(operand.path(), failure);
      }
    }
    roots.flush();
  }

  private void add(Walk walk, OperandRoots roots, OutgoingOperand operand) throws Failure {
    byte[] name = OperandRoots.name(operand.path());
    boolean listed = request.selection().names() != null;
    boolean follow =
        listed || request.selection().links() != Links.KEPT || operand.path().endsInSlash();
    FileStatus status = roots.hold(operand.path(), name, follow);
    try {
      if (!operand.isDirectory()) {
        roots.add(name, operand.newName(), status.type());
        return;
      }
      byte[] newName = operand.name() == null ? SELF : operand.name().bytes();
      Folder top = roots.top(name, newName, follow, newName == SELF);
      if (listed) {
        addListed(walk, top);
      } else {
        walk.push(top);
      }
    } finally {
      roots.release();
    }
  }

  private void addListed(Walk walk, Folder top) throws Failure {
    try (NameLists names = NameLists.open(request.selection().names(), environment.in())) {
      // Else no directory of a long list would be over before its end.
      new ListedNames(walk, top, walk.workers()::run, false).add(names);
    } catch (IOException e) {
      throw Reasons.source(request.selection().names().file(), e);
    }
  }

  private static int openFolders() {
    return Math.clamp(
        OwnProcess.descriptorsMax() / OPEN_FOLDERS_SHARE, OPEN_FOLDERS_MIN, OPEN_FOLDERS_MAX);
  }
}
