package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Attire;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Status;
import dev.zcp.wire.Timestamp;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Verdicts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/// A sender by hand: one connection of a session, frame by frame.
final class StrangeSender implements Closeable {

  private final Puppet puppet;

  /// What was heard of units, and not asked for yet.
  private final Deque<Rejection> rejections = new ArrayDeque<>();

  private long units;

  private StrangeSender(Puppet puppet) {
    this.puppet = puppet;
  }

  /// One over a connection that was let in.
  static StrangeSender of(Puppet puppet) {
    return new StrangeSender(puppet);
  }

  /// One that the receiver has let in.
  static StrangeSender greet(Reception inbox) throws IOException, ProtocolException {
    return new StrangeSender(Puppet.sender(inbox.port(), inbox.key()));
  }

  /// One whose manifest says nothing and was accepted.
  static StrangeSender begin(Reception inbox) throws IOException, ProtocolException {
    StrangeSender sender = greet(inbox);
    sender.manifest(
        TestFrames.manifest(
            Manifest.UNKNOWN, Manifest.UNKNOWN, Manifest.UNKNOWN, Level.WIRE, Keep.ALL));
    return sender;
  }

  /// Another connection of the same session.
  StrangeSender join(Reception inbox, int connection) throws IOException, ProtocolException {
    return new StrangeSender(
        Puppet.sender(inbox.port(), inbox.key(), puppet.sessionId(), connection));
  }

  Puppet puppet() {
    return puppet;
  }

  Accept manifest(Manifest manifest) throws IOException, ProtocolException {
    puppet.say(manifest);
    return hear(Accept.class);
  }

  static Bytes nothing() {
    return Bytes.of(new byte[0]);
  }

  static Attire metadata(int mode, Timestamp modified) {
    return new Attire(mode, 0, 0, modified, modified, 0, List.of());
  }

  static Offered entry(long fileId, EntryKind kind, String path, long size) {
    return entry(fileId, kind, path, size, metadata(0644, new Timestamp(1_700_000_000L, 5)));
  }

  static Offered entry(long fileId, EntryKind kind, String path, long size, Attire metadata) {
    EntryPath where = EntryPath.of(path.getBytes(StandardCharsets.UTF_8));
    Bytes identity = Bytes.of(new byte[Limits.IDENTITY_BYTES]);
    Bytes content =
        kind == EntryKind.LINK ? Bytes.of("..".getBytes(StandardCharsets.US_ASCII)) : nothing();
    return new Offered(fileId, kind, where, size, metadata, identity, content, 0);
  }

  static Offered file(long fileId, String path, long size) {
    return entry(fileId, EntryKind.FILE, path, size);
  }

  /// Offers these and hears the answer to each, in the order of their ids.
  List<Answer> offer(Offered... entries) throws IOException, ProtocolException {
    puppet.say(new Offer(List.of(entries)));
    List<Answer> answers = new ArrayList<>();
    while (answers.size() < entries.length) {
      answers.addAll(hear(Reply.class).answers());
    }
    answers.sort((one, other) -> Long.compare(one.fileId(), other.fileId()));
    return answers;
  }

  /// As many entries as may be under way, each with as long a name as they may have together.
  static List<Offer> mostOffers() {
    List<Offered> entries = new ArrayList<>();
    int nameBytes = (int) (Limits.OFFERED_BYTES_MAX / Limits.ENTRIES_UNDER_WAY_MAX) - 128;
    for (int id = 0; id < Limits.ENTRIES_UNDER_WAY_MAX; id++) {
      String name = Integer.toString(id);
      entries.add(file(id, name + "x".repeat(nameBytes - name.length()), 5));
    }
    return Offer.of(entries);
  }

  /// Makes the most of these offers and hears all answers.
  void offerMost() throws IOException, ProtocolException {
    for (Offer offer : mostOffers()) {
      offer(offer.entries().toArray(Offered[]::new));
    }
  }

  /// Offers a file, all of which the receiver then wants.
  void offerFile(long fileId, String path, long size) throws IOException, ProtocolException {
    assertThat(offer(file(fileId, path, size)))
        .containsExactly(Answer.of(fileId, Answer.AnswerKind.ALL));
  }

  /// That many ones.
  static byte[] ones(long count) {
    byte[] bytes = new byte[Math.toIntExact(count)];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  static int crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /// Sends a block of ones; `error` is what its digest is wrong by.
  void block(long fileId, Span span, int error) throws IOException {
    byte[] bytes = ones(span.length());
    puppet.block(
        new Data(fileId, span),
        bytes,
        Trailer.ok(fileId, span, Digest.crc32c(crc32c(bytes) + error)));
  }

  /// Sends and ends a file of ones that was offered: two units.
  void whole(long fileId, int size) throws IOException {
    block(fileId, new Span(0, size), 0);
    end(fileId, size);
  }

  /// Sends files of five ones in a part; `error` is what the CRC32C of the last is wrong by.
  void part(long firstId, boolean isRepeated, int error, long directoryId, String... names)
      throws IOException {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    byte[] bytes = ones(5);
    for (int i = 0; i < names.length; i++) {
      int crc32c = crc32c(bytes) + (i == names.length - 1 ? error : 0);
      byte[] name = names[i].getBytes(StandardCharsets.UTF_8);
      builder.add(directoryId, name, bytes.length, crc32c, List.of());
    }
    puppet.say(builder.build(firstId, isRepeated, false, Digest.NONE));
    puppet.bytes(ones(5L * names.length), 5 * names.length);
  }

  /// Asks about files of five bytes that were modified at the beginning of 1970.
  void look(long number, long directoryId, String... names) throws IOException {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0, 0, 0);
    for (String name : names) {
      builder.addToLook(directoryId, name.getBytes(StandardCharsets.UTF_8), 5);
    }
    puppet.say(builder.buildLook(number));
  }

  /// Hears nothing more, since the receiver ends the connection.
  void assertCut() {
    assertThatExceptionOfType(IOException.class).isThrownBy(puppet::hear);
  }

  /// Ends a file of ones.
  void end(long fileId, long size) throws IOException {
    puppet.say(new EntryEnds(List.of(new Ending(fileId, Status.OK, size, crc32c(ones(size))))));
  }

  void done(ExitCode exitCode, long entries, long bytes, Bytes digest, String text)
      throws IOException {
    puppet.say(new Done(exitCode, entries, bytes, Level.NONE, digest, text, false));
  }

  /// Gives up, with nothing done.
  void giveUp(ExitCode exitCode, String text) throws IOException {
    done(exitCode, 0, 0, Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]), text);
  }

  /// The next frame, which must be such.
  <F extends Frame> F hear(Class<F> kind) throws IOException, ProtocolException {
    Frame frame = puppet.hear();
    assertThat(frame).isInstanceOf(kind);
    return kind.cast(frame);
  }

  /// Hears nothing but that so many units were dealt with, since the first.
  void hearUnits(long count) throws IOException, ProtocolException {
    while (units < count) {
      hearVerdicts();
    }
    assertThat(units).isEqualTo(count);
    assertThat(rejections).isEmpty();
  }

  /// Hears that a file was refused, after any acknowledgements.
  Refused hearRefused() throws IOException, ProtocolException {
    return (Refused) hearRejection();
  }

  /// Hears what was not well, after any acknowledgements.
  Rejection hearRejection() throws IOException, ProtocolException {
    while (rejections.isEmpty()) {
      hearVerdicts();
    }
    return rejections.pollFirst();
  }

  private void hearVerdicts() throws IOException, ProtocolException {
    Verdicts verdicts = hear(Verdicts.class);
    units += verdicts.units();
    rejections.addAll(verdicts.rejections());
  }

  /// Hears the goodbye of a receiver that gives up with this code, and nothing of files but what
  /// was said before.
  void assertGivenUp(ExitCode exitCode) throws IOException, ProtocolException {
    Frame frame = puppet.hear();
    while (frame instanceof Reply || frame instanceof Verdicts) {
      frame = puppet.hear();
    }
    assertThat(frame).isInstanceOf(Done.class);
    assertThat(((Done) frame).exitCode()).as(frame.toString()).isEqualTo(exitCode);
  }

  @Override
  public void close() throws IOException {
    puppet.close();
  }
}
