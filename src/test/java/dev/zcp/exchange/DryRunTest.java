package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Answer.AnswerKind;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Frame;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.SurplusNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Dry runs, as both ends of a session know them.
class DryRunTest {

  private static final Bytes PATH = Bytes.of(new byte[] {'o', 'l', 'd'});

  private final SendingEnd sender = new SendingEnd();
  private final ReceivingEnd receiver = new ReceivingEnd();

  @Test
  void eachEntryIsOverByItsPlanAndCountsForNothing() throws ProtocolException {
    begin(true);
    Node top = directory("top", null);
    List<SentEntry> entries = new ArrayList<>();
    entries.add(new TestEntry(top.offered(0, 0)));
    for (String name : List.of("new", "old", "same")) {
      entries.add(new TestEntry(file(name, top).offered(0, 0), entries.getFirst()));
    }
    entries.forEach(each -> sender.offer(each, List.of()));
    sender.allOffered();
    answer(AnswerKind.NEW, AnswerKind.CREATE, AnswerKind.REPLACE, AnswerKind.CORRECT);
    List<SenderEvent> heard = hearAll();
    assertThat(heard)
        .containsExactly(
            new SenderEvent.Planned(entries.get(0), AnswerKind.NEW),
            new SenderEvent.Planned(entries.get(1), AnswerKind.CREATE),
            new SenderEvent.Planned(entries.get(2), AnswerKind.REPLACE),
            new SenderEvent.Planned(entries.get(3), AnswerKind.CORRECT));
    sender.end(entries.getFirst(), Status.OK);
    sayAll();
    receiver.due();
    receiver.completed(0);
    hearAll();
    sayAll();
    Done.Tally tally = new Done.Tally(0, false, false, 2, 0);
    receiver.sayGoodbye(ExitCode.OK, tally, "", List.of(PATH, PATH));
    assertThat(hearAll())
        .containsExactly(new SenderEvent.Surplus(List.of(PATH, PATH)), new SenderEvent.Over());
    assertThat(sender.peersLastWord().entries()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(AnswerKind.class)
  void nothingOfAFileIsWantedInADryRunAndNoPlanIsToldOtherwise(AnswerKind kind)
      throws ProtocolException {
    for (boolean dryRun : new boolean[] {true, false}) {
      SendingEnd end = new SendingEnd().begin(manifest(dryRun));
      end.up(0, false);
      end.next(0, 1);
      end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
      end.offer(new TestEntry(file("file", null).offered(0, 0)), List.of());
      end.next(0, 1);
      boolean isPlan =
          kind == AnswerKind.CREATE || kind == AnswerKind.REPLACE || kind == AnswerKind.CORRECT;
      boolean fits =
          switch (kind) {
            case DECLINED, FAILED, KEPT -> true;
            case ALL, WHOLE -> !dryRun;
            case CREATE, REPLACE, CORRECT -> dryRun;
            case MADE, NEW, REST, BASE -> false;
          };
      Frame reply = kind == AnswerKind.REST ? null : new Reply(List.of(of(kind)));
      if (reply != null && fits) {
        assertThat(end.onFrame(0, reply)).hasSize(isPlan || kind != AnswerKind.ALL ? 1 : 0);
      } else if (reply != null) {
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> end.onFrame(0, reply));
      }
    }
  }

  @Test
  void noBytesComeInADryRun() throws ProtocolException {
    begin(true);
    receiver.onFrame(0, new Offer(List.of(file("file", null).offered(0, 0))));
    for (Frame each :
        List.of(new Data(0, new Span(0, 1)), new Show(0, 0, Digest.NONE), TestFrames.part(1))) {
      assertThatExceptionOfType(ProtocolException.class)
          .as(each.type().toString())
          .isThrownBy(() -> receiver.onFrame(0, each))
          .withMessageContaining("in a dry run");
    }
  }

  @Test
  void whatWouldBeDeletedIsToldInDryRunsOnlyAndIsBounded() throws ProtocolException {
    SurplusNames names = new SurplusNames(List.of(PATH));
    begin(false);
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> sender.onFrame(0, names));
    SendingEnd planning = new SendingEnd().begin(manifest(true));
    planning.up(0, false);
    SurplusNames most =
        new SurplusNames(Collections.nCopies(7, Bytes.of(new byte[Limits.PATH_BYTES_MAX])));
    for (int i = 0; i < Limits.SURPLUS_BYTES_MAX / most.payloadBytes(); i++) {
      planning.onFrame(0, most);
    }
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> planning.onFrame(0, most));
    // Another connection tells all of it again.
    planning.up(1, false);
    assertThat(planning.onFrame(1, most)).isEmpty();
  }

  private void begin(boolean dryRun) throws ProtocolException {
    sender.begin(manifest(dryRun));
    sender.up(0, false);
    receiver.up(0);
    sayAll();
    receiver.accept(TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    hearAll();
  }

  private static Manifest manifest(boolean dryRun) {
    return new Manifest(
        -1, -1, -1, Level.WIRE, Digest.Algorithm.CRC32C, KeepExisting.SAME, dryRun, false, 0);
  }

  private static Answer of(AnswerKind kind) {
    return switch (kind) {
      case DECLINED -> Answer.declined(0, "");
      case FAILED -> Answer.failed(0, ExitCode.EXISTS, "");
      default -> Answer.of(0, kind);
    };
  }

  private void answer(AnswerKind... kinds) throws ProtocolException {
    List<Offered> offered = new ArrayList<>();
    for (Frame each : sayAll()) {
      if (each instanceof Offer offer) {
        offered.addAll(offer.entries());
      }
    }
    assertThat(offered).hasSize(kinds.length);
    for (int i = 0; i < kinds.length; i++) {
      receiver.answer(Answer.of(i, kinds[i]));
    }
  }

  /// Has the receiver hear all that the sender has to say now.
  private List<Frame> sayAll() throws ProtocolException {
    List<Frame> said = new ArrayList<>();
    while (sender.next(0, 100) instanceof SenderAction.Say(Frame frame)) {
      said.add(frame);
      receiver.onFrame(0, frame);
      if (frame instanceof Done) {
        break;
      }
    }
    return said;
  }

  private List<SenderEvent> hearAll() throws ProtocolException {
    List<SenderEvent> heard = new ArrayList<>();
    for (Frame each : receiver.next(0)) {
      heard.addAll(sender.onFrame(0, each));
    }
    heard.removeIf(each -> each instanceof SenderEvent.Accepted);
    heard.removeIf(each -> each instanceof SenderEvent.Done);
    return heard;
  }

  private static Node directory(String name, Node above) {
    return new Node(EntryKind.DIRECTORY, name, above, false, null);
  }

  private static Node file(String name, Node above) {
    Node node = new Node(EntryKind.FILE, name, above, false, null);
    node.set(Cells.ofZeros(1, 5));
    return node;
  }
}
