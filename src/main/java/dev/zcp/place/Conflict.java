package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Metadata.Replaced;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What becomes of an entry whose name something has in the target already: what is there is kept,
/// replaced, or backed up and replaced; or the entry fails. Any thread may call it.
///
/// **What this run has made or kept itself is never replaced by another entry of this run.** Two
/// names of a source are one name on a file system that folds letters, and two sources that are
/// merged may have the same name: the second one fails.
public final class Conflict {

  /// How often somebody may take a name that was free when it was looked at.
  private static final int TRIES_MAX = 16;

  /// Locks for those who replace something: two names may be one.
  private static final int REPLACING_STRIPES = 64;

  /// More backups of one file than this are no backups any more.
  private static final int BACKUPS_MAX = 100_000;

  private final Policy policy;
  private final Predicate<String> consent;
  private final Consumer<String> notes;
  private final boolean mayRepeat;

  /// Why nothing is replaced, and what to do; null if the policy decides.
  private final String refusal;

  /// Whether an entry may come again under its name, as after a connection was lost.
  private final boolean comesAgain;

  private final RunNames names;
  private final Object[] replacing = new Object[REPLACING_STRIPES];
  private final AtomicBoolean saidThatThereAreNoLinks = new AtomicBoolean();

  /// @param consent asked before something is replaced, if that is the policy
  /// @param notes gets what a user should know
  /// @param mayRepeat whether an entry may come twice, as in a list of names: then it is done once
  public Conflict(
      Policy policy, Predicate<String> consent, Consumer<String> notes, boolean mayRepeat) {
    this.policy = policy;
    this.mayRepeat = mayRepeat;
    this.consent = consent;
    this.notes = notes;
    this.refusal = null;
    this.comesAgain = false;
    this.names = new RunNames(() -> true);
    Arrays.setAll(replacing, _ -> new Object());
  }

  /// Of what a sender offers, which may offer an entry again: no two of its entries have one name.
  ///
  /// @param refusal why what exists is never replaced, and the way out: it is told with the
  ///   failure. Null if the policy decides
  /// @param mayRemember whether there is room to remember one more. If there is none, directories
  ///   are listed to see whether they have a name exactly
  public Conflict(Policy policy, String refusal, BooleanSupplier mayRemember) {
    this.policy = policy;
    this.mayRepeat = false;
    this.consent = _ -> false;
    this.notes = _ -> {};
    this.refusal = refusal;
    this.comesAgain = true;
    this.names = new RunNames(mayRemember);
    Arrays.setAll(replacing, _ -> new Object());
  }

  /// That of a run which has made nothing.
  public static Conflict ofNothing() {
    return new Conflict(Policy.USUAL, _ -> false, _ -> {}, false);
  }

  /// Where an entry comes from, as far as it matters for its target.
  public interface ClaimSource {

    /// The source's name, for messages: asked for its text only if one is shown.
    Object source();

    /// The target's name, likewise.
    Object target();

    /// Whether the source has this very name in this very directory.
    default boolean isAt(OpenDirectory directory, byte[] name) {
      return false;
    }

    /// What the source leads to if it is a link; null if that is nothing, or not known.
    default FileStatus behind() throws IOException {
      return null;
    }

    /// Whether what has the name in the directory has it under the name of another entry of the
    /// source: the file system takes both names for one. If the source's names are not known, it is
    /// looked whether the directory lists exactly this name.
    ///
    /// @param existing what has the name there
    default boolean isOneThere(OpenDirectory directory, byte[] name, FileStatus existing)
        throws IOException {
      return !hasExactly(directory, name);
    }

    /// Whether an entry of this name will come to the directory that this one comes to.
    default boolean willCome(byte[] name) throws IOException {
      return false;
    }
  }

  /// A name in a target that an entry is to have, and what has it.
  public static class Claim {

    private ClaimSource source;
    private OpenDirectory directory;
    private byte[] name;
    private FileStatus status;

    /// Whether this run has made the directory, so that nothing is in it but what this run made.
    private boolean isInNew;

    /// Whether other entries of this run may want the same name, so that it must be known what this
    /// run has made.
    private boolean isRemembered;

    private FileStatus replaced;
    private String keptBecause;

    /// What is the same as the source, and stays; or null.
    private FileStatus same;

    private boolean isRepeated;

    /// Begins with another name.
    ///
    /// @param newStatus of what is to be made
    /// @param inNew whether this run has made the directory
    /// @param remembered whether another entry of this run may want the name, though `inNew`
    public final Claim begin(
        ClaimSource newSource,
        OpenDirectory newDirectory,
        byte[] newName,
        FileStatus newStatus,
        boolean inNew,
        boolean remembered) {
      source = newSource;
      directory = newDirectory;
      name = newName;
      status = newStatus;
      isInNew = inNew;
      isRemembered = remembered || !inNew;
      replaced = null;
      keptBecause = null;
      same = null;
      isRepeated = false;
      return this;
    }

    public final Object sourceLabel() {
      return source.source();
    }

    public final Object label() {
      return source.target();
    }

    private boolean isOwnName() {
      return source.isAt(directory, name);
    }

    private boolean willCome(byte[] other) throws IOException {
      return source.willCome(other);
    }

    private FileStatus sourceBehind() throws IOException {
      return status.isSymlink() ? source.behind() : status;
    }

    /// Whether this run has made the directory in which the name is.
    public final boolean isInNew() {
      return isInNew;
    }

    /// The target's name, for messages.
    @Override
    public final String toString() {
      return label().toString();
    }

    /// The directory in which the name is.
    public final OpenDirectory directory() {
      return directory;
    }

    public final byte[] name() {
      return name;
    }

    /// The status of what is to be made.
    public final FileStatus status() {
      return status;
    }

    /// Whether nothing is to be made: what has the name stays.
    public final boolean isOver() {
      return keptBecause != null;
    }

    /// Whether what has the name is the same as the source, as far as `--skip-same` looks.
    public final boolean isSame() {
      return same != null;
    }

    /// Whether this very entry was done before.
    public final boolean isRepeated() {
      return isRepeated;
    }

    /// What is the [same][#isSame].
    public final FileStatus same() {
      return same;
    }

    /// Why nothing is to be made, or null: a phrase about the target.
    public final String keptBecause() {
      return keptBecause;
    }

    /// What loses its name, or null.
    public final FileStatus replaced() {
      return replaced;
    }

    /// The file that loses its name, or null: of a link that loses it nothing is kept.
    public final Replaced replacedFile() {
      return replaced != null && replaced.isRegular()
          ? new Replaced(directory, name, replaced)
          : null;
    }

    /// Opens the file that would lose its name, to write into it.
    public final NativeFile openReplaced() throws IOException {
      NativeFile file = directory.existing(name);
      if (!file.status().isSameFile(replaced)) {
        file.close();
        throw new FileSystemException(
            label().toString(), null, "was replaced by another file meanwhile");
      }
      return file;
    }
  }

  /// Gives something its final name: see [Partials.Partial#reveal].
  @FunctionalInterface
  public interface Reveal {
    void reveal(byte[] finalName, boolean replaces) throws IOException;
  }

  // --- What is there

  /// Looks what has the name, unless nothing can have it, and decides.
  ///
  /// @throws Failure if neither is to be there
  public void look(Claim claim) throws IOException, Failure {
    if (!claim.isInNew) {
      decide(claim, claim.directory.statusOf(claim.name));
    }
  }

  /// As [#look], if it was looked before.
  ///
  /// @param existing what has the name, or null
  public void decide(Claim claim, FileStatus existing) throws IOException, Failure {
    Failure refused = decideIfReplaced(claim, existing);
    if (refused != null) {
      throw refused;
    }
  }

  /// As [#decide]; but that nothing is replaced is told, and not thrown.
  ///
  /// @return why what has the name is not replaced, or null if it may be, or stays
  public Failure decideIfReplaced(Claim claim, FileStatus existing) throws IOException, Failure {
    claim.replaced = null;
    if (existing == null) {
      return null;
    }
    if (claim.isInNew) {
      refuseFolded(claim);
    }
    refuseOwn(claim, existing);
    if (claim.isRepeated) {
      claim.keptBecause = "is copied already";
      return null;
    }
    refuseSameFile(claim, existing);
    claim.keptBecause = keptBecause(claim, existing);
    if (claim.keptBecause != null) {
      remember(claim, existing);
    } else if (refusal != null) {
      return exists(claim.label(), "already exists").with(refusal);
    } else {
      refuseBackupOfSource(claim);
      claim.replaced = existing;
    }
    return null;
  }

  /// What has the name stays, since it is the same as the source.
  public void keepSame(Claim claim, FileStatus there) throws IOException, Failure {
    if (claim.isInNew) {
      refuseFolded(claim);
    }
    synchronized (names) {
      refuseOwn(claim, there);
      remember(claim, there);
    }
    claim.keptBecause = "is the same as " + claim.sourceLabel();
    claim.same = there;
  }

  /// What has the name is replaced, whatever the policy for those that differ.
  public void replace(Claim claim, FileStatus existing) throws IOException, Failure {
    refuseOwn(claim, existing);
    claim.replaced = existing;
  }

  /// Gives the name. If somebody took it meanwhile, it is decided anew; if that is kept then,
  /// nothing is revealed.
  public void reveal(Claim claim, Reveal made) throws IOException, Failure {
    for (int tries = 1; !claim.isOver(); tries++) {
      try {
        if (claim.replaced == null) {
          made.reveal(claim.name, false);
          return;
        }
        if (replace(claim, made)) {
          return;
        }
      } catch (FileAlreadyExistsException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
      decide(claim, claim.directory.statusOf(claim.name));
    }
  }

  /// Two entries of this run whose names are one may both have seen what loses the name.
  ///
  /// @return false if something else has the name by now
  private boolean replace(Claim claim, Reveal made) throws IOException, Failure {
    int stripe = Math.floorMod(claim.replaced.inode(), REPLACING_STRIPES);
    synchronized (replacing[stripe]) {
      FileStatus now = claim.isRemembered ? claim.directory.statusOf(claim.name) : claim.replaced;
      if (now == null || !now.isSameFile(claim.replaced)) {
        return false;
      }
      if (policy.backup() != null) {
        backUp(claim);
      }
      made.reveal(claim.name, true);
      return true;
    }
  }

  /// Whether it must be [known][#remember] what was made under the claim.
  public boolean remembers(Claim claim) {
    return claim.isRemembered;
  }

  /// Tells the user.
  void note(String message) {
    notes.accept(message);
  }

  /// This run has made this under the claim's name, or keeps it.
  public void remember(Claim claim, FileStatus there) {
    if (claim.isRemembered && there != null) {
      names.add(claim.directory.status(), claim.name, there);
    }
  }

  /// Nothing may delete it: it is a source that is itself in the target.
  public void spare(FileStatus there) {
    names.add(there);
  }

  /// Whether this run has made or kept it.
  public boolean isOfThisRun(FileStatus there) {
    return names.has(there);
  }

  /// Takes a directory of a target into use.
  ///
  /// @param above in which it is
  /// @param isNew whether this run has made it just now
  /// @return whether another entry of this run has it under another name
  public boolean isTaken(OpenDirectory above, byte[] name, FileStatus directory, boolean isNew)
      throws IOException {
    return names.isTaken(above.status(), name, directory, isNew)
        || !isNew && names.isFull() && !hasExactly(above, name);
  }

  /// Whether a target is never written into but only loses its name. Then it may be another name of
  /// the source, or a link to it.
  public boolean takesNames() {
    return policy.remove() || policy.backup() != null;
  }

  /// Whether a target that is a link is followed, and not replaced.
  public boolean writesThroughLinks() {
    return policy.writeThroughLinks();
  }

  /// Whether a user can ask for files to be written in place.
  boolean mayWriteInPlace() {
    return !comesAgain;
  }

  /// Whether what is the same as its source stays.
  public boolean skipsSame() {
    return policy.skipSame();
  }

  /// Whether whatever exists stays.
  public boolean keepsAll() {
    return policy.existing() == Existing.KEEP;
  }

  /// Whether further names of a source whose target is kept are linked to that target.
  public boolean linksToKept() {
    // With -i the user may keep a file that is no copy.
    return policy.existing() == Existing.OLDER
        || policy.skipSame() && policy.existing() != Existing.KEEP && !asks();
  }

  private boolean asks() {
    return policy.existing() == Existing.ASK || policy.existing() == Existing.ASK_IF_OLDER;
  }

  /// The file whose permissions and owner the copy gets. Null if there is none, or if it is removed
  /// or becomes a backup: then the copy gets those of the source, as with cp(1).
  public Replaced predecessor(Claim claim) {
    return takesNames() ? null : claim.replacedFile();
  }

  // --- What is decided

  private String keptBecause(Claim claim, FileStatus existing) throws Failure {
    FileStatus source = claim.status;
    if (source.isSameFile(existing) && !mayReplaceItself(existing, claim)) {
      if (existing.isSymlink() && !claim.isOwnName()) {
        return "is the same link as " + claim.sourceLabel();
      }
      throw sameFile(claim);
    }
    if (policy.skipSame() && !existing.isDirectory() && FileAge.isSame(existing, source)) {
      claim.same = existing;
      return "has the size and the modification time of " + claim.sourceLabel();
    }
    String kept =
        switch (policy.existing()) {
          case REPLACE, REFUSE -> null;
          case KEEP -> "exists and is kept";
          case OLDER -> FileAge.isOlder(existing, source) ? null : notOlder(claim);
          case ASK -> ask(claim);
          case ASK_IF_OLDER -> FileAge.isOlder(existing, source) ? ask(claim) : notOlder(claim);
        };
    if (kept == null && policy.existing() == Existing.REFUSE) {
      throw exists(claim.label(), "already exists");
    }
    if (kept == null && existing.isDirectory()) {
      throw exists(claim.label(), "is a directory");
    }
    return kept;
  }

  /// Whether a file may be replaced by a copy of itself. It must keep another name, or that of its
  /// backup, or its bytes would be lost.
  private boolean mayReplaceItself(FileStatus existing, Claim claim) {
    return claim.isOwnName()
        ? policy.backup() != null && policy.force()
        : existing.links() > 1 && takesNames();
  }

  private String ask(Claim claim) {
    return consent.test("replace " + claim.label() + "?")
        ? null
        : "exists and is kept, as you said";
  }

  private static String notOlder(Claim claim) {
    return "is not older than " + claim.sourceLabel();
  }

  /// A link and the file it leads to are one file, too: either in place of the other would leave
  /// nothing but the link, unless a backup keeps the file. Two links may lead to one file.
  private void refuseSameFile(Claim claim, FileStatus existing) throws IOException, Failure {
    if (claim.status.isSymlink() == existing.isSymlink()) {
      return;
    }
    boolean isSafe = existing.isSymlink() ? takesNames() : policy.backup() != null;
    if (isSafe && !claim.isOwnName()) {
      return;
    }
    FileStatus source = claim.sourceBehind();
    FileStatus target = existing.isSymlink() ? claim.directory.statusBehind(claim.name) : existing;
    if (source != null && target != null && source.isSameFile(target)) {
      throw sameFile(claim);
    }
  }

  /// @throws Failure if another entry of this run is there
  private void refuseOwn(Claim claim, FileStatus existing) throws IOException, Failure {
    boolean keepsBoth = policy.backup() != null && policy.backup().numbered() == Numbered.ALWAYS;
    if (!claim.isRemembered || existing.isSameFile(claim.status)) {
      return;
    }
    if (!names.has(existing)) {
      if (names.isFull()) {
        refuseFolded(claim);
      }
      return;
    }
    if (names.has(claim.directory.status(), claim.name, existing)) {
      claim.isRepeated = mayRepeat;
      if (!mayRepeat && !keepsBoth && !comesAgain) {
        throw exists(claim.label(), "was made by this command already, from another source")
            .with("it is kept, and " + claim.sourceLabel() + " is not copied");
      }
    } else if (existing.links() < 2) {
      throw folded(claim);
    } else {
      // It may have had several names before.
      refuseFolded(claim);
    }
  }

  /// @throws Failure if the file system takes the name for that of another entry of this run
  private static void refuseFolded(Claim claim) throws IOException, Failure {
    if (isFolded(claim)) {
      throw folded(claim);
    }
  }

  /// Whether what has the name has it as another entry of the source. In a directory that is new,
  /// another process may have made it.
  static boolean isFolded(Claim claim) throws IOException {
    FileStatus existing = claim.directory.statusOf(claim.name);
    return existing != null && claim.source.isOneThere(claim.directory, claim.name, existing);
  }

  /// @param other a name in `directory`
  /// @throws Failure if it and the claim's are one name there
  void requireExact(Claim claim, OpenDirectory directory, byte[] other)
      throws IOException, Failure {
    boolean isOneDirectory = directory.status().isSameFile(claim.directory.status());
    if (isOneDirectory && !Arrays.equals(other, claim.name)) {
      refuseFolded(claim);
    }
  }

  static boolean hasExactly(OpenDirectory directory, byte[] name) throws IOException {
    for (byte[] each : directory.names()) {
      if (Arrays.equals(each, name)) {
        return true;
      }
    }
    return false;
  }

  private static Failure folded(Claim claim) {
    return exists(
            claim.label(),
            "has the same name there as another entry of the source, for that file system")
        .with("the other one is kept, and " + claim.sourceLabel() + " is not copied");
  }

  static Failure sameFile(Claim claim) {
    return exists(claim.label(), "is the same file as " + claim.sourceLabel())
        .with("it is unharmed");
  }

  private static Failure exists(Object targetLabel, String what) {
    return Failure.of(ExitCode.EXISTS, targetLabel.toString(), what);
  }

  // --- Backups

  /// Sees to it that what has the name stays in its directory under the name of a backup. To be
  /// called right before something is renamed to the name: the old file gets the backup's name as a
  /// second one, and loses the first only when the new file takes it. If the file system has no
  /// hard links, nothing has the name in between.
  ///
  /// @throws IOException if there can be no backup; then nothing has changed
  private void backUp(Claim claim) throws IOException {
    byte[] kept = simpleName(claim);
    if (kept == null) {
      backUpByNumber(claim);
    } else {
      backUpAs(claim, kept);
    }
  }

  /// The name of the backup, or null if it gets a number. A name that this run has made, or will
  /// make, is never taken.
  private byte[] simpleName(Claim claim) throws IOException {
    Backup backup = policy.backup();
    boolean isNumbered =
        switch (backup.numbered()) {
          case NEVER -> false;
          case IF_BEGUN -> hasNumbered(claim);
          case ALWAYS -> true;
        };
    byte[] simple = isNumbered ? null : joined(claim.name, backup.suffix());
    return simple == null || isOfThisRun(claim, simple) ? null : simple;
  }

  private boolean isOfThisRun(Claim claim, byte[] name) throws IOException {
    if (claim.willCome(name)) {
      return true;
    }
    FileStatus there = statusIfPossible(claim, name);
    return there != null && names.has(there);
  }

  private static boolean hasNumbered(Claim claim) throws IOException {
    return statusIfPossible(claim, numberedName(claim.name, 1)) != null;
  }

  private static FileStatus statusIfPossible(Claim claim, byte[] name) throws IOException {
    try {
      return claim.directory.statusOf(name);
    } catch (FileSystemException e) {
      if (Errno.of(e) == Errno.ENAMETOOLONG) {
        return null;
      }
      throw e;
    }
  }

  /// The backup would take the name of the very file that is copied.
  private void refuseBackupOfSource(Claim claim) throws IOException, Failure {
    byte[] backup = policy.backup() == null || claim.isOwnName() ? null : simpleName(claim);
    FileStatus kept = backup == null ? null : statusIfPossible(claim, backup);
    if (kept != null && kept.isSameFile(claim.status)) {
      throw exists(claim.label(), "its backup would replace " + claim.sourceLabel())
          .with("nothing was copied");
    }
  }

  private void backUpAs(Claim claim, byte[] kept) throws IOException {
    OpenDirectory directory = claim.directory;
    byte[] second = HiddenName.random();
    try {
      directory.addName(second, directory, claim.name);
    } catch (FileSystemException e) {
      backUpWithoutLinks(claim, kept, e, false);
      return;
    }
    try {
      directory.rename(second, kept);
    } finally {
      removeIfLeft(directory, second);
    }
  }

  /// Takes the first number that is free, by a call that fails if it is not.
  private void backUpByNumber(Claim claim) throws IOException {
    for (int number = 1; number <= BACKUPS_MAX; number++) {
      byte[] kept = numberedName(claim.name, number);
      if (claim.willCome(kept)) {
        continue;
      }
      try {
        claim.directory.addName(kept, claim.directory, claim.name);
        return;
      } catch (FileAlreadyExistsException e) {
        continue;
      } catch (FileSystemException e) {
        if (backUpWithoutLinks(claim, kept, e, true)) {
          return;
        }
      }
    }
    throw new IOException("there are " + BACKUPS_MAX + " backups already");
  }

  /// Renames the old file if it can have no second name: on FAT, or since it is somebody else's
  /// (`protected_hardlinks` of proc(5)), or since it has too many.
  ///
  /// @param onlyToNew whether `kept` must be nobody's yet
  /// @return false if `kept` is somebody's
  private boolean backUpWithoutLinks(
      Claim claim, byte[] kept, FileSystemException noLink, boolean onlyToNew) throws IOException {
    if (noLink instanceof NoSuchFileException) {
      // Somebody removed it: there is nothing to keep.
      return true;
    }
    if (noLink instanceof AccessDeniedException) {
      throw noLink;
    }
    try {
      if (onlyToNew) {
        claim.directory.renameToNew(claim.name, kept);
      } else {
        claim.directory.rename(claim.name, kept);
      }
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    if (!saidThatThereAreNoLinks.getAndSet(true)) {
      notes.accept(
          "backups are made by renaming, since a second name is refused there: the first name is"
              + " free for a moment");
    }
    return true;
  }

  /// If the backup is this very file already, left by a copy that was cut short, rename(2) does
  /// nothing and leaves both names.
  private static void removeIfLeft(OpenDirectory directory, byte[] name) throws IOException {
    try {
      directory.remove(name);
    } catch (NoSuchFileException e) {
      return;
    }
  }

  private static byte[] numberedName(byte[] name, int number) {
    return joined(name, ".~" + number + "~");
  }

  private static byte[] joined(byte[] name, String suffix) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(name.length + suffix.length());
    all.writeBytes(name);
    all.writeBytes(suffix.getBytes(StandardCharsets.ISO_8859_1));
    return all.toByteArray();
  }

  /// What one run has made or kept: 32 to 64 bytes for each entry that is remembered. Two entries
  /// may be taken for one by chance (one in 2^64 for each pair), and then one of them fails.
  private static final class RunNames {

    // splitmix64: https://doi.org/10.1145/2714064.2660195
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final BooleanSupplier mayRemember;

    // All below is guarded by this.
    private boolean isFull;
    private final HashSetOfLongs inodes = new HashSetOfLongs();
    private final HashSetOfLongs named = new HashSetOfLongs();

    /// By the directory: its own name, and where it is.
    private final Map<Long, Long> directories = new HashMap<>();

    /// @param mayRemember whether there is room for one more
    RunNames(BooleanSupplier mayRemember) {
      this.mayRemember = mayRemember;
    }

    /// Whether something was not remembered.
    synchronized boolean isFull() {
      return isFull;
    }

    synchronized void add(FileStatus directory, byte[] name, FileStatus there) {
      long inode = hash(there);
      if (!inodes.has(inode) && !mayRemember.getAsBoolean()) {
        isFull = true;
        return;
      }
      inodes.add(inode);
      named.add(hash(directory, name, inode));
    }

    synchronized void add(FileStatus there) {
      inodes.add(hash(there));
    }

    synchronized boolean has(FileStatus there) {
      return inodes.has(hash(there));
    }

    synchronized boolean has(FileStatus directory, byte[] name, FileStatus there) {
      return named.has(hash(directory, name, hash(there)));
    }

    synchronized boolean isTaken(
        FileStatus above, byte[] name, FileStatus directory, boolean isNew) {
      long key = hash(directory);
      Long place = hash(above, name, key);
      Long before = isNew ? null : directories.get(key);
      if (before == null && !mayRemember.getAsBoolean()) {
        isFull = true;
      } else if (before == null) {
        inodes.add(key);
        directories.put(key, place);
      }
      return before != null && !before.equals(place);
    }

    private static long hash(FileStatus file) {
      return mixed(mixed(file.inode()) + file.device());
    }

    private static long hash(FileStatus directory, byte[] name, long seed) {
      long hash = mixed(seed ^ hash(directory));
      for (byte each : name) {
        hash = mixed(hash + each);
      }
      return hash;
    }

    private static long mixed(long number) {
      long z = number + GOLDEN;
      z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
      z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
      return z ^ z >>> 31;
    }
  }
}
