package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.nio.file.Path;

/// A process of its own that receives into a directory, for a test of what another user may. It
/// prints what became of each entry.
final class PlaceProbe {

  private static final byte[] CONTENT = {1, 2, 3};
  private static final long MORE_THAN_FITS = 1L << 60;

  private PlaceProbe() {}

  /// @param args the directory, and how existing files are taken
  public static void main(String[] args) throws Exception {
    Offers offers = new Offers();
    try (Inbox inbox = new Inbox(Path.of(args[0]));
        TestPlace place = inbox.place(Existing.valueOf(args[1]), Keep.ALL)) {
      take(place, offers.file("unreadable", CONTENT));
      take(place, offers.file("closed/f", CONTENT));
      Offered directory = offers.of(EntryKind.DIRECTORY, "t").mode(0555).owned(1, 2).offered();
      take(place, directory);
      take(
          place,
          offers
              .of(EntryKind.FILE, "t/f")
              .size(CONTENT.length)
              .mode(06755)
              .owned(1234, 5678)
              .offered());
      complete(place, directory);
      try {
        place.admit(Inbox.manifest(1, MORE_THAN_FITS));
      } catch (Failure e) {
        System.out.println(e.getMessage());
      }
      place.losses().forEach(loss -> System.out.println("lost " + loss.kind()));
    }
  }

  private static void take(TestPlace place, Offered entry) throws Exception {
    Answer answer = place.consider(entry);
    System.out.println(entry.path() + ": " + answer.kind() + " " + answer.text());
    boolean isWhole = answer.kind() == Answer.AnswerKind.WHOLE;
    if (isWhole || answer.kind() == Answer.AnswerKind.ALL && entry.kind() == EntryKind.FILE) {
      try {
        if (isWhole && place.show(entry, CONTENT, Level.WIRE) != null) {
          System.out.println(entry.path() + ": there");
          return;
        }
        PlaceContract.put(place, entry, CONTENT);
        System.out.println(entry.path() + ": arrived");
      } catch (Failure e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static void complete(TestPlace place, Offered directory) {
    try {
      place.complete(directory);
      System.out.println(directory.path() + ": complete");
    } catch (Failure e) {
      System.out.println(e.getMessage());
    }
  }
}
