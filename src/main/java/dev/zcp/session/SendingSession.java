package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Tuning;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.io.StandardStreams;
import dev.zcp.tree.SourceFile;
import java.io.IOException;
import java.util.List;

/// The sender's side of one session: announces every file, sends its blocks, says goodbye. The
/// answers come in beside it, to [Answers].
final class SendingSession {

  private final Connection connection;
  private final Engine engine;
  private final Tuning tuning;
  private final StandardStreams streams;
  private final Insight insight;
  private final Answers answers;

  /// Why the first of the files that were not sent was not, or null.
  private Failure unsent;

  /// @param tuning for long files; a stream, and what is short, goes without
  /// @param unsent why a file was given up before the session, or null
  SendingSession(
      Connection connection,
      String peer,
      Engine engine,
      Tuning tuning,
      StandardStreams streams,
      Insight insight,
      Failure unsent) {
    this.connection = connection;
    this.engine = engine;
    this.tuning = tuning;
    this.streams = streams;
    this.insight = insight;
    this.unsent = unsent;
    this.answers = new Answers(connection, peer);
  }

  /// @throws Failure where the session as a whole failed; a file that failed alone is told of as
  ///   such
  void run(List<Sender.Item> items) throws Failure {
    answers.start();
    try (BlockDigest digest = new BlockDigest()) {
      for (Sender.Item item : items) {
        answers.awaitRoom();
        send(item, digest);
      }
      answers.sayGoodbye(unsent);
    } catch (IOException e) {
      throw answers.causeOf(e);
    }
    answers.awaitEnd();
  }

  private void send(Sender.Item item, BlockDigest digest) throws IOException, Failure {
    FileLog log = insight.begin(item.path().toString(), item.bytes(), Stage.SEND);
    try {
      if (item.path().isStandardStream()) {
        // Standard input stays open, like the process's other streams.
        new OutgoingStream(connection, answers, item, streams.source(), log).send(engine);
        return;
      }
      try (SourceFile file = open(item)) {
        if (file.isSized()) {
          new OutgoingFile(connection, answers, item, file, log, digest).send(engineFor(item));
        } else {
          new OutgoingStream(connection, answers, item, file.end(), log).send(engine);
        }
      }
    } catch (FileFailure e) {
      log.failed(e.failure());
      unsent = unsent == null ? Sender.asToldToTheReceiver(item.name(), e.failure()) : unsent;
    }
  }

  private Engine engineFor(Sender.Item item) {
    return item.bytes() < RouteTunings.FILE_BYTES_MIN ? engine : engine.tunedBy(tuning);
  }

  private static SourceFile open(Sender.Item item) throws FileFailure {
    try {
      return SourceFile.open(item.path());
    } catch (IOException e) {
      throw new FileFailure(Reasons.source(item.path(), e));
    }
  }
}
