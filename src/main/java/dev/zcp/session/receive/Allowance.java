package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.wire.RoomThere;
import java.util.function.LongFunction;

/// What the user allows a receiver to be brought, by all its sessions together: a sender that comes
/// again and again gets no more by that. Any thread may call it.
public final class Allowance {

  private final Limit bytes;
  private final Limit entries;

  public Allowance(Admission admission) {
    this.bytes = new Limit(admission.bytesMax(), "--max-size", ByteSize::new);
    this.entries = new Limit(admission.filesMax(), "--max-files", each -> each);
  }

  /// Of bytes, or of entries. All that is not final is guarded by the allowance.
  private static final class Limit {

    private final long max;
    private final String option;
    private final LongFunction<Object> label;

    /// What has come, or is reserved for a session.
    private long taken;

    /// How much of it sessions have brought that broke. The same command sends that again, and the
    /// receiver only knows that it is there when it is offered; so it does not count before.
    private long mayComeAgain;

    Limit(long max, String option, LongFunction<Object> label) {
      this.max = max;
      this.option = option;
      this.label = label;
    }

    long left() {
      return max - taken;
    }
  }

  /// What one session has of a limit. All is guarded by the allowance.
  private static final class LimitUse {

    private final Limit limit;

    /// At least what is used.
    private long reserved;

    private long used;

    /// How much of what it used may come again.
    private long repeatable;

    LimitUse(Limit limit) {
      this.limit = limit;
    }

    /// @return whether it fits, as far as can be told
    boolean reserve(long count) {
      long more = count - reserved;
      if (more > 0) {
        if (more - limit.mayComeAgain > limit.left()) {
          return false;
        }
        take(Math.min(more, limit.left()));
      }
      return true;
    }

    /// @return whether it fits
    boolean use(long count) {
      long more = count - (reserved - used);
      if (more > limit.left()) {
        return false;
      }
      take(Math.max(0, more));
      used += count;
      return true;
    }

    void giveBack(long count) {
      used -= count;
      take(-count);
    }

    void release(boolean mayComeAgain) {
      take(used - reserved);
      if (mayComeAgain) {
        limit.mayComeAgain += used - repeatable;
        repeatable = used;
      }
    }

    private void take(long more) {
      reserved += more;
      // Of sparse files any number of bytes may come.
      limit.taken += limit.max == Admission.UNLIMITED ? 0 : more;
    }

    Failure refusal(Object subject, String what) {
      Object left = limit.label.apply(limit.left() + reserved - used);
      return Failure.of(ExitCode.DESTINATION, subject, what)
          .with(
              limit.option
                  + " allows "
                  + limit.label.apply(limit.max)
                  + " in all, "
                  + left
                  + " left");
    }
  }

  /// How much more may come, if a place has room for so much.
  RoomThere room(long bytesThere, long entriesThere) {
    synchronized (this) {
      return RoomThere.of(
          Math.min(bytesThere, Math.max(0, bytes.left())),
          Math.min(entriesThere, Math.max(0, entries.left())));
    }
  }

  /// The part of one session. What it reserved and does not use others get when it is closed.
  public final class SessionAllowance {

    private final LimitUse ofBytes = new LimitUse(bytes);
    private final LimitUse ofEntries = new LimitUse(entries);

    /// Reserves what is announced, so that of two sessions at a time only those begin that both
    /// fit. May be called again.
    ///
    /// @param receiver for the message
    /// @throws Failure DESTINATION if it is too much
    void reserve(Object receiver, long bytesAll, long entriesAll) throws Failure {
      synchronized (Allowance.this) {
        if (!ofEntries.reserve(entriesAll)) {
          throw ofEntries.refusal(
              receiver, "the sender has " + entriesAll + (entriesAll == 1 ? " entry" : " entries"));
        }
        if (!ofBytes.reserve(bytesAll)) {
          throw ofBytes.refusal(receiver, "the sender has " + new ByteSize(bytesAll));
        }
      }
    }

    /// An entry is about to be made: what was announced may be wrong.
    ///
    /// @param count how many bytes are to come of it; of a stream 0, and [#useBytes] counts them
    /// @throws Failure DESTINATION if it is too much
    public void use(Object entry, long count) throws Failure {
      synchronized (Allowance.this) {
        if (!ofEntries.use(1)) {
          throw ofEntries.refusal(entry, "is one entry too many");
        }
        if (!ofBytes.use(count)) {
          ofEntries.giveBack(1);
          throw tooLarge(entry);
        }
      }
    }

    /// As [#use], of bytes alone.
    public void useBytes(Object entry, long count) throws Failure {
      synchronized (Allowance.this) {
        if (!ofBytes.use(count)) {
          throw tooLarge(entry);
        }
      }
    }

    private Failure tooLarge(Object entry) {
      return ofBytes.refusal(entry, "is too large");
    }

    /// An entry was not made after all, and this is what was [used][#use] for it and is not there.
    public void giveBack(long count) {
      synchronized (Allowance.this) {
        ofEntries.giveBack(1);
        ofBytes.giveBack(count);
      }
    }

    /// As [#giveBack], of bytes alone.
    void giveBackBytes(long count) {
      synchronized (Allowance.this) {
        ofBytes.giveBack(count);
      }
    }

    /// Lets go of what was reserved and is not used.
    ///
    /// @param mayComeAgain whether the sender is expected to send all of it again
    void release(boolean mayComeAgain) {
      synchronized (Allowance.this) {
        ofBytes.release(mayComeAgain);
        ofEntries.release(mayComeAgain);
      }
    }
  }
}
