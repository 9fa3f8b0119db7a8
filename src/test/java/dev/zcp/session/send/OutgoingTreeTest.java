package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.spi.Source;
import dev.zcp.testing.Archive;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.Programs;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.NameLists.NameList;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.RoomThere;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutgoingTreeTest {

  @TempDir Path folder;

  private final List<Event> events = new ArrayList<>();
  private final Losses losses = new Losses();
  private final Insight insight = new Insight("send", "auto", events::add);
  private Selection selection = Archive.TREE;
  private Preserve preserve = Archive.ALL;
  private String standardInput = "";
  private Path tree;

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(folder.resolve("tree"));
    Files.createDirectories(tree.resolve("d/e"));
    Files.writeString(tree.resolve("a"), "first");
    Files.writeString(tree.resolve("d/b"), "second one");
    Files.writeString(tree.resolve("d/e/c"), "");
  }

  @Test
  void aDirectoryComesBeforeWhatIsInItAndIsEndedAfterIt() throws Exception {
    RecordingOutlet outlet = walk(tree);
    List<String> seen = outlet.events();
    assertThat(outlet.paths())
        .containsExactlyInAnyOrder(
            "tree", "tree/a", "tree/d", "tree/d/b", "tree/d/e", "tree/d/e/c");
    assertThat(seen).startsWith("+tree").endsWith("-tree");
    assertThat(seen).containsSubsequence("+tree/d", "+tree/d/b", "=tree/d/b", "-tree/d");
    assertThat(seen).containsSubsequence("+tree/d/e", "=tree/d/e/c", "-tree/d/e", "-tree/d");
    assertThat(events).isEmpty();
  }

  @Test
  void whatIsOfferedIsWhatTheSourceIs() throws Exception {
    Path file = tree.resolve("d/b");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_890_123L));
    Offered offered = walk(tree).offered("tree/d/b");
    assertThat(offered.kind()).isEqualTo(EntryKind.FILE);
    assertThat(offered.size()).isEqualTo(10);
    assertThat(offered.metadata().mode()).isEqualTo(0750);
    assertThat(offered.metadata().owner()).isEqualTo(Files.getAttribute(file, "unix:uid"));
    assertThat(offered.metadata().group()).isEqualTo(Files.getAttribute(file, "unix:gid"));
    assertThat(offered.metadata().modified().seconds()).isEqualTo(1_234_567_890L);
    assertThat(offered.metadata().modified().nanos()).isEqualTo(123_000_000);
  }

  @Test
  void theSameVersionHasTheSameIdentityAndAnotherHasAnother() throws Exception {
    Bytes first = walk(tree).offered("tree/a").identity();
    assertThat(walk(tree).offered("tree/a").identity()).isEqualTo(first);
    Files.writeString(tree.resolve("a"), "FIRST");
    assertThat(walk(tree).offered("tree/a").identity()).isNotEqualTo(first);
  }

  @Test
  void ofADotTheContentArrivesInTheReceiversDirectory() throws Exception {
    RecordingOutlet outlet = walk(tree.resolve("."));
    assertThat(outlet.paths()).containsExactlyInAnyOrder(".", "a", "d", "d/b", "d/e", "d/e/c");
    assertThat(outlet.events()).contains("-d").endsWith("-.");
  }

  @Test
  void aFileArrivesUnderItsLastName() throws Exception {
    selection = Selection.FILES;
    preserve = Preserve.USUAL;
    RecordingOutlet outlet = walk(tree.resolve("a"), tree.resolve("d/b"));
    assertThat(outlet.paths()).containsExactly("a", "b");
    assertThat(bytesOf(outlet.entry("b"))).isEqualTo("second one");
  }

  @Test
  void twoOfOneNameAreRefusedBeforeAnythingIsSent() throws Exception {
    Files.writeString(tree.resolve("d/a"), "other");
    assertThatThrownBy(() -> tree(tree.resolve("a"), tree.resolve("d/a")))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("have this name");
  }

  @Test
  void aDirectoryIsRefusedWhereOnlyFilesWereAskedFor() {
    selection = Selection.FILES;
    assertThatThrownBy(() -> tree(tree))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("is a directory")
        .hasMessageContaining("-r sends it");
  }

  @Test
  void whatCannotBeReadTakesNoPathFromAnotherOperand() throws Exception {
    Path broken = Files.createDirectory(folder.resolve("broken"));
    // The first byte of a process's memory: proc(5).
    Path link = Files.createSymbolicLink(broken.resolve("a"), Path.of("/proc/self/mem"));
    selection = new Selection(true, true, Links.FOLLOWED, false, Filter.NONE, null);
    preserve = Preserve.USUAL;
    for (Path first : List.of(broken, tree)) {
      events.clear();
      Path second = first == tree ? broken : tree;
      RecordingOutlet outlet = walk(first.resolve("."), second.resolve("."));
      assertThat(outlet.offered("a").size()).isEqualTo(5);
      assertThat(failures()).singleElement().asString().contains("broken/a");
    }
    Files.delete(link);
  }

  @Test
  void oneOfSeveralThatCannotBeSentIsToldAndTheOthersGo() throws Exception {
    RecordingOutlet outlet = walk(folder.resolve("none"), tree.resolve("a"));
    assertThat(outlet.paths()).containsExactly("a");
    assertThat(failures()).singleElement().satisfies(e -> assertMissing(e));
  }

  private static void assertMissing(Failure failure) {
    assertThat(failure.exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(failure.getMessage()).contains("no such file or directory");
  }

  @Test
  void aLinkGoesAsALinkOrAsWhatItLeadsTo() throws Exception {
    Files.createSymbolicLink(tree.resolve("link"), Path.of("d/b"));
    Offered link = walk(tree).offered("tree/link");
    assertThat(link.kind()).isEqualTo(EntryKind.LINK);
    assertThat(link.content().bytes()).isEqualTo("d/b".getBytes(StandardCharsets.UTF_8));
    selection = new Selection(true, true, Links.FOLLOWED, false, Filter.NONE, null);
    RecordingOutlet followed = walk(tree);
    assertThat(followed.offered("tree/link").size()).isEqualTo(10);
    assertThat(bytesOf(followed.entry("tree/link"))).isEqualTo("second one");
  }

  @Test
  void aSocketIsOnlyNamedAndAFifoNeedsToBeAskedFor() throws Exception {
    Programs.fifo(tree.resolve("fifo"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(tree.resolve("socket")));
      assertThat(walk(tree).offered("tree/fifo").kind()).isEqualTo(EntryKind.FIFO);
      assertThat(walk(tree).offered("tree/socket").kind()).isEqualTo(EntryKind.SOCKET);
      selection = new Selection(true, false, Links.KEPT, false, Filter.NONE, null);
      assertThat(walk(tree).paths()).doesNotContain("tree/fifo");
      assertThat(failures()).singleElement().asString().contains("-a makes it anew");
    }
  }

  @Test
  void whatAFilterLeavesOutIsNotSent() throws Exception {
    Filter filter = (path, _) -> new String(path, StandardCharsets.UTF_8).equals("d/e");
    selection = new Selection(true, true, Links.KEPT, false, filter, null);
    assertThat(walk(tree).paths())
        .containsExactlyInAnyOrder("tree", "tree/a", "tree/d", "tree/d/b");
  }

  @Test
  void whatAListNamesIsSentWithTheDirectoriesThatLeadThere() throws Exception {
    standardInput = "d/e/c\na\nnone\n";
    NameList list = new NameList(RawPath.of("-"), false);
    selection = new Selection(false, true, Links.KEPT, false, Filter.NONE, list);
    assertThat(counted(tree(tree))).isEqualTo(OutgoingCount.Totals.UNKNOWN);
    RecordingOutlet outlet = walk(tree);
    assertThat(outlet.events())
        .containsSubsequence("+tree", "+tree/d", "+tree/d/e", "+tree/d/e/c", "-tree");
    assertThat(outlet.paths())
        .containsExactlyInAnyOrder("tree", "tree/d", "tree/d/e", "tree/d/e/c", "tree/a");
    assertThat(failures()).singleElement().satisfies(e -> assertMissing(e));
  }

  @Test
  void theOtherNamesOfAFileWaitForTheFirst() throws Exception {
    Files.createLink(tree.resolve("d/again"), tree.resolve("a"));
    Files.createLink(tree.resolve("d/e/oncemore"), tree.resolve("a"));
    RecordingOutlet outlet = walk(tree);
    List<Offered> names = namesOfA(outlet);
    Offered first = names.getFirst();
    assertThat(first.kind()).isEqualTo(EntryKind.FILE);
    for (Offered other : names.subList(1, 3)) {
      assertThat(other.kind()).isEqualTo(EntryKind.HARD_LINK);
      assertThat(other.firstId()).isEqualTo(first.fileId());
      assertThat(outlet.events()).containsSubsequence("=" + first.path(), "+" + other.path());
    }
    assertThat(outlet.events()).endsWith("-tree");
  }

  @Test
  void namesThatMayGoAreOfferedWhileADirectoryWaitsForThoseThatTheyAreIn() throws Exception {
    Path first = Files.write(folder.resolve("first"), new byte[5]);
    Path chains = Files.createDirectory(folder.resolve("chains"));
    for (int i = 0; i < 8; i++) {
      Path end = Files.createDirectories(chains.resolve("c" + i).resolve("d"));
      Files.createLink(end.resolve("name"), first);
    }
    RecordingOutlet outlet = RecordingOutlet.ofAll().withRoomForDirectories(4);
    walk(outlet, first, chains);
    assertThat(outlet.offered())
        .extracting(Offered::kind)
        .filteredOn(kind -> kind != EntryKind.DIRECTORY)
        .containsOnlyOnce(EntryKind.FILE)
        .hasSize(9);
    assertThat(outlet.events()).endsWith("-chains");
  }

  @Test
  void whatIsTooDeepForAllThatItIsInToBeUnderWayIsNamedAndTheRestIsSent() throws Exception {
    Path deep = Files.createDirectory(folder.resolve("deep"));
    Files.createDirectories(deep.resolve("1/2/3/4/5"));
    Files.write(deep.resolve("1/2/file"), new byte[5]);
    RecordingOutlet outlet = RecordingOutlet.ofAll().withRoomForDirectories(4);
    walk(outlet, deep);
    assertThat(outlet.paths())
        .containsExactlyInAnyOrder("deep", "deep/1", "deep/1/2", "deep/1/2/3", "deep/1/2/file");
    assertThat(outlet.events()).endsWith("-deep");
    assertThat(failures())
        .singleElement()
        .asString()
        .contains("deep/1/2/3/4: is too deep in the tree to be sent");
  }

  @Test
  void ofALongListOnlyDirectoriesThatTheLatestNamesAreInNeedRoom() throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Files.createDirectories(tree.resolve("c" + i + "/d/e"));
      Files.write(tree.resolve("c" + i + "/d/e/file"), new byte[5]);
      names.addAll(List.of("c" + i, "c" + i + "/d", "c" + i + "/d/e", "c" + i + "/d/e/file"));
    }
    Path list = Files.write(folder.resolve("list"), names);
    selection =
        new Selection(
            false, true, Links.KEPT, false, Filter.NONE, new NameList(RawPath.of(list), false));
    RecordingOutlet outlet = RecordingOutlet.ofAll().withRoomForDirectories(8);
    walk(outlet, tree);
    assertThat(failures()).isEmpty();
    assertThat(outlet.paths()).contains("tree/c0/d/e/file", "tree/c7/d/e/file");
    assertThat(outlet.events()).endsWith("-tree");
  }

  @Test
  void theNextNameGoesFirstWhereTheFirstFailed() throws Exception {
    Files.createLink(tree.resolve("d/again"), tree.resolve("a"));
    Files.createLink(tree.resolve("d/e/oncemore"), tree.resolve("a"));
    List<String> tried = new ArrayList<>();
    RecordingOutlet outlet =
        new RecordingOutlet(
            Keep.ALL,
            offered -> {
              boolean isFirst = offered.size() == 5 && tried.isEmpty();
              if (isFirst) {
                tried.add(offered.path().toString());
              }
              return isFirst;
            });
    walk(outlet, tree);
    List<Offered> names = namesOfA(outlet);
    assertThat(names)
        .extracting(Offered::kind)
        .containsExactly(EntryKind.FILE, EntryKind.FILE, EntryKind.HARD_LINK);
    assertThat(names.get(2).firstId()).isEqualTo(names.get(1).fileId());
    assertThat(outlet.events()).endsWith("-tree");
  }

  /// A receiver that takes no parts; the sender hears of that when the walk is through and the
  /// directory of the first files has gone.
  private static final class GivingBack extends RecordingOutlet {

    private final List<OutgoingPart> parts = new ArrayList<>();

    /// Null before it has.
    private Path gone;

    GivingBack() {
      super(Keep.ALL, _ -> false);
    }

    @Override
    public int partFileBytesMax() {
      return 100;
    }

    @Override
    public long partBytesMax() {
      return 1000;
    }

    @Override
    public void queue(OutgoingPart part) {
      parts.add(part);
    }

    @Override
    public void await(BooleanSupplier goOn) {
      if (!goOn.getAsBoolean() && !parts.isEmpty()) {
        gone = Path.of(parts.getFirst().entries[0].toString()).getParent();
        try {
          Programs.run("rm", "-r", gone.toString());
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        parts.forEach(part -> part.visitor.offerEach(part));
        parts.clear();
      }
      super.await(goOn);
    }
  }

  /// The sender waited for the first name for ever.
  @Test
  void theNextNameGoesFirstIfTheDirectoryOfTheFirstIsGone() throws Exception {
    Path one = Files.createDirectories(folder.resolve("one/d"));
    Path other = Files.createDirectories(folder.resolve("other/d"));
    Path between = Files.createDirectory(folder.resolve("between"));
    for (int i = 0; i < 300; i++) {
      // So many that the one that is walked first is closed.
      Files.createFile(Files.createDirectory(between.resolve("d" + i)).resolve("file"));
    }
    for (String name : List.of("a", "b")) {
      Files.writeString(one.resolve(name), "first");
      Files.createLink(other.resolve(name), one.resolve(name));
    }
    GivingBack outlet = new GivingBack();
    walk(outlet, one.getParent(), between, other.getParent());
    String left = outlet.gone.equals(one) ? "other/d" : "one/d";
    assertThat(outlet.offered(left + "/a").kind()).isEqualTo(EntryKind.FILE);
    assertThat(outlet.offered(left + "/b").kind()).isEqualTo(EntryKind.FILE);
    assertThat(failures()).as("told once").hasSize(1);
    assertThat(outlet.events()).contains("-one/d", "-other/d");
  }

  @Test
  void eachNameIsAFileWhereTheReceiverMakesNoHardLinks() throws Exception {
    Files.createLink(tree.resolve("d/again"), tree.resolve("a"));
    RecordingOutlet outlet = new RecordingOutlet(Keep.ALL & ~Keep.HARD_LINKS.bit(), _ -> false);
    walk(outlet, tree);
    assertThat(outlet.offered("tree/d/again").size()).isEqualTo(5);
    assertThat(outlet.offered("tree/a").size()).isEqualTo(5);
    assertThat(losses.all()).singleElement().satisfies(OutgoingTreeTest::assertLinksLost);
  }

  private static void assertLinksLost(Loss loss) {
    assertThat(loss.kind()).isEqualTo(Loss.LossKind.HARD_LINK);
    assertThat(loss.files()).isEqualTo(2);
  }

  /// Of the file `a`, in the order in which they were offered.
  private static List<Offered> namesOfA(RecordingOutlet outlet) {
    return outlet.offered().stream()
        .filter(each -> each.size() == 5 || each.kind() == EntryKind.HARD_LINK)
        .toList();
  }

  @Test
  void attributesAreSentWhereTheReceiverKeepsThem() throws Exception {
    Programs.assume("setfattr");
    Programs.run("setfattr", "-n", "user.one", "-v", "1", tree.resolve("a").toString());
    Programs.run("setfattr", "-n", "user.two", "-v", "22", tree.resolve("d").toString());
    RecordingOutlet outlet = walk(tree);
    assertThat(attributes(outlet.offered("tree/a"))).containsExactly("user.one=1");
    assertThat(attributes(outlet.offered("tree/d"))).containsExactly("user.two=22");
    RecordingOutlet without = new RecordingOutlet(Keep.ALL & ~Keep.XATTR.bit(), _ -> false);
    walk(without, tree);
    assertThat(attributes(without.offered("tree/a"))).isEmpty();
    assertThat(losses.all())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.kind()).isEqualTo(Loss.LossKind.XATTR);
              assertThat(loss.files()).isEqualTo(2);
            });
  }

  /// Whose the files will be there is not known here: the receiver says whether owners are lost.
  @Test
  void ownersThatAreNotTakenAreNoLossThatASenderSees() throws Exception {
    RecordingOutlet without = new RecordingOutlet(Keep.ALL & ~Keep.OWNER.bit(), _ -> false);
    walk(without, tree);
    assertThat(losses.all()).isEmpty();
  }

  @Test
  void accessListsAreSentThatSayMoreThanAMode() throws Exception {
    Programs.run("setfacl", "-m", "u:1234:r", tree.resolve("a").toString());
    RecordingOutlet outlet = walk(tree);
    assertThat(attributes(outlet.offered("tree/a")))
        .singleElement()
        .asString()
        .startsWith("system.posix_acl_access=");
    assertThat(attributes(outlet.offered("tree/d/b"))).isEmpty();
  }

  private static List<String> attributes(Offered offered) {
    return offered.metadata().attributes().stream()
        .map(each -> text(each.name()) + "=" + text(each.value()))
        .toList();
  }

  private static String text(Bytes octets) {
    return new String(octets.bytes(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void holesAreFoundWhereTheyAreToBeKept() throws Exception {
    Path sparse = tree.resolve("sparse");
    ByteBuffer data = ByteBuffer.allocate(64 << 10);
    try (FileChannel channel =
        FileChannel.open(sparse, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(data, 1 << 20);
    }
    Programs.run("truncate", "-s", "4M", sparse.toString());
    RecordingOutlet outlet = walk(tree);
    long end = (1 << 20) + (64 << 10);
    assertThat(outlet.entry("tree/sparse").findHoles(() -> false))
        .containsExactly(new Span(0, 1 << 20), new Span(end, (4 << 20) - end));
    assertThat(outlet.entry("tree/d/b").findHoles(() -> false)).isEmpty();
    preserve = new Preserve(true, true, true, true, true, true, false);
    assertThat(walk(tree).entry("tree/sparse").findHoles(() -> false)).isEmpty();
  }

  @Test
  void aFileThatWasReplacedIsNotOpened() throws Exception {
    RecordingOutlet outlet = walk(tree);
    Outgoing entry = outlet.entry("tree/d/b");
    assertThat(bytesOf(entry)).isEqualTo("second one");
    assertThat(entry.isUnchanged()).isTrue();
    Path other = Files.writeString(folder.resolve("other"), "other");
    Files.move(other, tree.resolve("d/b"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(entry.isUnchanged()).isFalse();
    assertThatThrownBy(entry::open)
        .isInstanceOf(Failure.class)
        .hasMessageContaining("was replaced by another file");
    Outgoing anew = entry.anew();
    assertThat(anew.size()).isEqualTo(5);
    assertThat(anew.offered(99).fileId()).isEqualTo(99);
    assertThat(bytesOf(anew)).isEqualTo("other");
  }

  @Test
  void aSmallFileByItsPathIsNotOpenedWhenItWasReplaced() throws Exception {
    selection = Selection.FILES;
    preserve = Preserve.USUAL;
    Outgoing entry = walk(tree.resolve("a")).entry("a");
    assertThat(entry.isUnchanged()).isTrue();
    Path other = Files.writeString(folder.resolve("other"), "first");
    Files.move(other, tree.resolve("a"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(entry.isUnchanged()).isFalse();
    assertThatThrownBy(entry::open)
        .isInstanceOf(Failure.class)
        .hasMessageContaining("was replaced by another file");
  }

  @Test
  void standardInputIsAStream() throws Exception {
    selection = Selection.FILES;
    preserve = Preserve.USUAL;
    standardInput = "from a pipe";
    RecordingOutlet outlet = new RecordingOutlet(0, _ -> false);
    OutgoingTree outgoing = tree(List.of(RawPath.of("-")));
    assertThat(counted(outgoing).bytes()).isEqualTo(-1);
    outgoing.walk(outlet);
    assertThat(outlet.offered("stdin").hasSize()).isFalse();
    assertThat(bytesOf(outlet.entry("stdin"))).isEqualTo("from a pipe");
  }

  @Test
  void aFileThatSaysItIsEmptyAndIsNotGoesAsAStream() throws Exception {
    Path status = Path.of("/proc/self/status");
    assertThat(walk(status).offered("status").hasSize()).isFalse();
    selection = Selection.FILES;
    preserve = Preserve.USUAL;
    assertThat(walk(status).offered("status").hasSize()).isFalse();
    assertThat(walk(tree.resolve("d/e/c")).offered("c").size()).isZero();
  }

  @Test
  void belowADirectoryThatIsNotTakenNothingIsOffered() throws Exception {
    RecordingOutlet outlet =
        new RecordingOutlet(Keep.ALL, offered -> offered.path().toString().equals("tree/d"));
    walk(outlet, tree);
    assertThat(outlet.paths()).containsExactlyInAnyOrder("tree", "tree/a", "tree/d");
    assertThat(outlet.events()).doesNotContain("-tree/d").endsWith("-tree");
  }

  @Test
  void theWalkEndsWithTheSession() throws Exception {
    for (int i = 0; i < 300; i++) {
      Files.createDirectories(tree.resolve("many/" + i));
    }
    RecordingOutlet outlet = RecordingOutlet.ofAll().withRoom(3);
    walk(outlet, tree);
    assertThat(outlet.paths()).hasSize(3);
  }

  @Test
  void noDirectoryIsLeftOpenWhereTheSessionEndsEarly() throws Exception {
    int before = OpenDescriptors.targets().size();
    try (OutgoingTree outgoing = tree(tree)) {
      outgoing.walk(RecordingOutlet.ofAll());
    }
    assertThat(OpenDescriptors.targets()).hasSize(before);
  }

  @Test
  void theCountIsOfWhatIsOffered() throws Exception {
    Files.createLink(tree.resolve("d/again"), tree.resolve("a"));
    Files.createSymbolicLink(tree.resolve("link"), Path.of("d/b"));
    Programs.fifo(tree.resolve("fifo"));
    for (Path operand : List.of(tree, tree.resolve("."), tree.resolve("d"))) {
      OutgoingCount.Totals totals = counted(tree(operand));
      List<Offered> offered = walk(operand).offered();
      long bytes = offered.stream().mapToLong(Offered::size).sum();
      long files = offered.stream().filter(each -> each.kind() == EntryKind.FILE).count();
      // The receiver's own directory is there already.
      long entries = offered.stream().filter(each -> !each.path().isTop()).count();
      assertThat(totals).isEqualTo(new OutgoingCount.Totals(entries, bytes, bytes, files));
    }
  }

  @Test
  void whatSurelyFitsIsNotCounted() throws Exception {
    RoomThere all = RoomThere.of(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(tree(tree).count().before(all)).isEqualTo(OutgoingCount.Totals.UNKNOWN);
    Path file = tree.resolve("a");
    assertThat(tree(file).count().before(all)).isEqualTo(counted(tree(file)));
    assertThat(counted(tree(file)).entries()).isEqualTo(1);
  }

  @Test
  void holesAreNoDataToBeCounted() throws Exception {
    Path sparse = folder.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertThat(counted(tree(sparse))).isEqualTo(new OutgoingCount.Totals(1, 1L << 40, 0, 1));
  }

  @Test
  void moreAttributesThanAFrameHoldsAreALoss() throws Exception {
    Programs.assume("setfattr");
    Path tmpfs = Files.createDirectory(folder.resolve("tmpfs"));
    assumeTrue(
        Programs.succeeds("mount", "-t", "tmpfs", "none", tmpfs.toString()),
        "nothing can be mounted here");
    try {
      Path file = Files.writeString(tmpfs.resolve("f"), "x");
      String value = "v".repeat(60_000);
      for (int i = 0; i < 3; i++) {
        assumeTrue(
            Programs.succeeds("setfattr", "-n", "user.n" + i, "-v", value, file.toString()),
            "tmpfs keeps no such attributes here");
      }
      Offered offered = walk(file).offered("f");
      assertThat(offered.metadata().attributes()).hasSize(2);
      assertThat(losses.all())
          .singleElement()
          .satisfies(
              loss -> {
                assertThat(loss.kind()).isEqualTo(Loss.LossKind.XATTR);
                assertThat(loss.reason()).contains("" + Limits.ATTRIBUTES_BYTES_MAX);
              });
    } finally {
      Programs.run("umount", tmpfs.toString());
    }
  }

  private RecordingOutlet walk(Path... operands) throws Exception {
    RecordingOutlet outlet = RecordingOutlet.ofAll();
    walk(outlet, operands);
    return outlet;
  }

  private void walk(RecordingOutlet outlet, Path... operands) throws Exception {
    try (OutgoingTree outgoing = tree(operands)) {
      outgoing.walk(outlet);
      outlet.settle();
    }
  }

  private static OutgoingCount.Totals counted(OutgoingTree tree) {
    return tree.count().before(RoomThere.UNSAID);
  }

  private OutgoingTree tree(Path... operands) throws Exception {
    return tree(Arrays.stream(operands).map(RawPath::of).toList());
  }

  private OutgoingTree tree(List<RawPath> operands) throws Exception {
    SendRequest request =
        new SendRequest(
            new Peering(
                PeerEndpoint.Dial.usual(Address.parse("127.0.0.1:1")),
                new KeySource(null, null, null),
                Address.Scheme.UNSAID,
                Flow.of(1, 1)),
            operands,
            Choice.DEFAULT,
            selection,
            preserve,
            Policy.USUAL,
            Sending.USUAL);
    CommandEnvironment environment =
        new CommandEnvironment(
            Strategies.load(List.of()),
            new ByteArrayInputStream(standardInput.getBytes(StandardCharsets.UTF_8)),
            new ByteArrayOutputStream(),
            events::add);
    return OutgoingTree.of(request, environment, insight, losses);
  }

  private List<Failure> failures() {
    List<Failure> failures = new ArrayList<>();
    for (Event event : events) {
      if (event instanceof Event.FileFailed(_, Failure failure)) {
        failures.add(failure);
      }
    }
    return failures;
  }

  private static String bytesOf(Outgoing entry) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (Source source = entry.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(100);
      for (int n = source.read(buffer, 0); n > 0; n = source.read(buffer.clear(), all.size())) {
        all.write(buffer.array(), 0, n);
      }
    }
    return all.toString(StandardCharsets.UTF_8);
  }
}
