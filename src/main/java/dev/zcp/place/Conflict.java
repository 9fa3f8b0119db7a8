package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Metadata.Replaced;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
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

  private final Policy policy;
  private final Predicate<String> consent;
  private final Consumer<String> notes;
  private final Repetition repetition;

  /// Why nothing is replaced, and what to do; null if the policy decides.
  private final String refusal;

  private final RunNames names;

  /// Null if nothing is backed up.
  private final Backups backups;

  private final Object[] replacing = new Object[REPLACING_STRIPES];

  /// Null if nothing is deleted.
  private Surplus surplus;

  /// What becomes of an entry whose name this run has given before.
  public enum Repetition {
    /// It is another one: merged sources have the name twice.
    FAILS,
    /// It is the same one, as in a list that names it twice, and done.
    IS_DONE,
    /// It is the same one, and comes again, as after a connection was lost.
    IS_MADE_AGAIN
  }

  /// @param consent asked before something is replaced, if that is the policy
  /// @param notes gets what a user should know
  public Conflict(
      Policy policy, Predicate<String> consent, Consumer<String> notes, Repetition repetition) {
    this(policy, consent, notes, repetition, null, () -> true);
  }

  /// Of what a sender offers.
  ///
  /// @param refusal why what exists is never replaced, and the way out: it is told with the
  ///   failure. Null if the policy decides
  /// @param mayRemember whether there is room to remember one more. If there is none, directories
  ///   are listed to see whether they have a name exactly
  public Conflict(Policy policy, String refusal, BooleanSupplier mayRemember) {
    this(policy, _ -> false, _ -> {}, Repetition.IS_MADE_AGAIN, refusal, mayRemember);
  }

  private Conflict(
      Policy policy,
      Predicate<String> consent,
      Consumer<String> notes,
      Repetition repetition,
      String refusal,
      BooleanSupplier mayRemember) {
    this.policy = policy;
    this.consent = consent;
    this.notes = notes;
    this.repetition = repetition;
    this.refusal = refusal;
    this.names = new RunNames(mayRemember);
    this.backups = policy.backup() == null ? null : new Backups(policy.backup(), names, notes);
    Arrays.setAll(replacing, _ -> new Object());
  }

  /// What is of another kind than its source is deleted by this, if the policy is to replace what
  /// exists. To be called before anything is placed.
  void makeWayBy(Surplus newSurplus) {
    surplus = newSurplus;
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

    private boolean isInNew;

    /// Whether other entries of this run may want the same name, so that it must be known what this
    /// run has made.
    private boolean isRemembered;

    private FileStatus replaced;
    private String keptBecause;

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

    public final ClaimSource claimSource() {
      return source;
    }

    public final Object sourceLabel() {
      return source.source();
    }

    public final Object label() {
      return source.target();
    }

    /// The source, for a message that begins with [#label]: a receiver has one name for both.
    final String sourceBesideLabel() {
      String sourceText = source.source().toString();
      return sourceText.equals(source.target().toString()) ? "its source" : sourceText;
    }

    boolean isOwnName() {
      return source.isAt(directory, name);
    }

    boolean willCome(byte[] other) throws IOException {
      return source.willCome(other);
    }

    private FileStatus sourceBehind() throws IOException {
      return status.isSymlink() ? source.behind() : status;
    }

    /// Whether this run has made the directory, so that nothing is in it but what this run made.
    public final boolean isInNew() {
      return isInNew;
    }

    /// The target's name, for messages.
    @Override
    public final String toString() {
      return label().toString();
    }

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

    /// What is the [same][#isSame], and stays; or null.
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
    if (claim.same != null && refusal == null && !keepsAlone(claim, existing)) {
      claim.same = null;
      claim.keptBecause = null;
    }
    if (claim.keptBecause != null) {
      remember(claim, existing);
    } else if (refusal != null) {
      return exists(claim.label(), "already exists").with(refusal);
    } else {
      if (backups != null && backups.wouldReplaceSource(claim)) {
        throw exists(claim.label(), "its backup would replace " + claim.sourceLabel())
            .with("nothing was copied");
      }
      claim.replaced = existing;
    }
    return null;
  }

  /// Keeps what is the same as the source, unless this run keeps or has made it under another name.
  /// Two files of the source may be one in the target: the second is made anew then. Further names
  /// of a file do not come here.
  public boolean keepsAlone(Claim claim, FileStatus existing) {
    if (existing.links() < 2) {
      return true;
    }
    synchronized (names) {
      boolean isTaken =
          names.has(existing) && !names.has(claim.directory.status(), claim.name, existing);
      if (!isTaken) {
        remember(claim, existing);
      }
      return !isTaken;
    }
  }

  /// What has the name stays, since it is the same as the source; unless it may be replaced, and
  /// this run keeps or has made it under another name.
  ///
  /// @return whether it stays
  boolean keepSame(Claim claim, FileStatus there) throws IOException, Failure {
    if (claim.isInNew) {
      refuseFolded(claim);
    }
    synchronized (names) {
      refuseOwn(claim, there);
      if (refusal == null && !keepsAlone(claim, there)) {
        return false;
      }
      remember(claim, there);
    }
    claim.keptBecause = "is the same as " + claim.sourceLabel();
    claim.same = there;
    return true;
  }

  /// Whether what may be replaced may be a name of a former copy, which stays as it is.
  boolean isFormerCopy(FileStatus existing) {
    return refusal == null && policy.isFormerCopy(existing);
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
      if (backups != null) {
        backups.backUp(claim);
      }
      boolean makesWay = claim.replaced.isDirectory();
      if (makesWay) {
        surplus.makeWay(claim);
      }
      made.reveal(claim.name, !makesWay);
      return true;
    }
  }

  /// Deletes what has the name of a directory that is to be made, if it is none and may go.
  ///
  /// @return whether it is gone, or would be after a dry run
  public boolean clear(Claim claim) throws IOException, Failure {
    FileStatus existing = claim.isInNew ? null : claim.directory.statusOf(claim.name);
    if (existing == null || existing.isDirectory() || !makesWay(claim)) {
      return false;
    }
    refuseOwn(claim, existing);
    surplus.makeWay(claim);
    return true;
  }

  /// Whether what is of another kind than the entry is deleted for it: a directory, or what is none
  /// in place of one.
  private boolean makesWay(Claim claim) throws IOException, Failure {
    boolean mayGo =
        surplus != null
            && refusal == null
            && backups == null
            && policy.existing() == Existing.REPLACE
            && surplus.mayMakeWay(claim);
    if (mayGo) {
      // What comes there under another name is not made yet.
      refuseFolded(claim);
    }
    return mayGo;
  }

  /// Whether it must be [known][#remember] what was made under the claim.
  public boolean remembers(Claim claim) {
    return claim.isRemembered;
  }

  void note(String message) {
    notes.accept(message);
  }

  /// This run has made this under the claim's name, or keeps it.
  public void remember(Claim claim, FileStatus there) {
    if (claim.isRemembered && there != null) {
      names.add(claim.directory.status(), claim.name, there);
    }
  }

  /// As [#remember] in a dry run: what would lose its name stands for what would get it. If it has
  /// several names it does not: the others would stay what they are.
  ///
  /// @throws Failure if another entry of this run would get it
  public void rememberPlanned(Claim claim, FileStatus there) throws IOException, Failure {
    if (there.links() < 2 || there.isDirectory()) {
      synchronized (names) {
        refuseOwn(claim, there);
        remember(claim, there);
      }
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

  /// Whether there was no room to remember all that this run has made or kept.
  public boolean mayHaveForgotten() {
    return names.isFull();
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
    return policy.remove() || backups != null;
  }

  /// Whether a target that is a link is followed, and not replaced.
  public boolean writesThroughLinks() {
    return policy.writeThroughLinks();
  }

  /// Whether a user can ask for files to be written in place.
  boolean mayWriteInPlace() {
    return repetition != Repetition.IS_MADE_AGAIN;
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

  private String keptBecause(Claim claim, FileStatus existing) throws IOException, Failure {
    FileStatus source = claim.status;
    if (source.isSameFile(existing) && !mayReplaceItself(existing, claim)) {
      if (existing.isSymlink() && !claim.isOwnName()) {
        return "is the same link as " + claim.sourceLabel();
      }
      throw sameFile(claim);
    }
    // The metadata of a former copy would be changed with it.
    boolean mayKeepSame = policy.skipSame() && !existing.isDirectory();
    if (mayKeepSame && !policy.isFormerCopy(existing) && FileAge.isSame(existing, source)) {
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
      if (!makesWay(claim)) {
        throw exists(claim.label(), "is a directory");
      }
      surplus.planWay(claim);
    }
    return kept;
  }

  /// Whether a file may be replaced by a copy of itself. It must keep another name, or that of its
  /// backup, or its bytes would be lost.
  private boolean mayReplaceItself(FileStatus existing, Claim claim) {
    return claim.isOwnName()
        ? backups != null && policy.force()
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
    boolean isSafe = existing.isSymlink() ? takesNames() : backups != null;
    if (isSafe && !claim.isOwnName()) {
      return;
    }
    if (isSameBehind(claim, existing)) {
      throw sameFile(claim);
    }
  }

  /// Whether source and target lead to one file. A link that cannot be followed leads to none.
  /// After any other error nobody knows, and it is thrown.
  private static boolean isSameBehind(Claim claim, FileStatus existing) throws IOException {
    try {
      FileStatus source = claim.sourceBehind();
      FileStatus target =
          existing.isSymlink() ? claim.directory.statusBehind(claim.name) : existing;
      return source != null && target != null && source.isSameFile(target);
    } catch (IOException e) {
      return switch (Errno.of(e)) {
        case Errno.ELOOP, Errno.ENOTDIR, Errno.ENAMETOOLONG, Errno.EACCES -> false;
        default -> throw e;
      };
    }
  }

  /// @throws Failure if another entry of this run is there
  private void refuseOwn(Claim claim, FileStatus existing) throws IOException, Failure {
    boolean keepsBoth = backups != null && policy.backup().numbered() == Numbered.ALWAYS;
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
      claim.isRepeated = repetition == Repetition.IS_DONE;
      if (repetition == Repetition.FAILS && !keepsBoth) {
        throw exists(claim.label(), "was made by this command already, from another source")
            .with("it is kept, and " + claim.sourceLabel() + " is not copied");
      }
    } else {
      // It may have several names; or what this run made was replaced by another process, and its
      // inode number is in use again.
      refuseFolded(claim);
    }
  }

  /// @throws Failure if the file system takes the name for that of another entry of this run
  private static void refuseFolded(Claim claim) throws IOException, Failure {
    if (isFolded(claim)) {
      throw exists(
              claim.label(),
              "has a name that the target's file system takes for that of another entry")
          .with("the other one is kept, and " + claim.sourceLabel() + " is not copied");
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

  public static boolean hasExactly(OpenDirectory directory, byte[] name) throws IOException {
    for (byte[] each : directory.names()) {
      if (Arrays.equals(each, name)) {
        return true;
      }
    }
    return false;
  }

  static Failure sameFile(Claim claim) {
    return exists(claim.label(), "is the same file as " + claim.sourceLabel())
        .with("it is unharmed");
  }

  private static Failure exists(Object targetLabel, String what) {
    return Failure.of(ExitCode.EXISTS, targetLabel, what);
  }
}
