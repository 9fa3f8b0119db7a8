package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scenes in which cp(1) does well and zcp did not, each of them told by a script.
class LikeCpIT extends Scenes {

  @Test
  void quietAndVerboseNameWhatWasCopiedAndNothingElse() throws Exception {
    assertSays(
        """
        's' -> 't/s'
        's/d' -> 't/s/d'
        's/f' -> 't/s/f'
        's/g' -> 't/s/g'
        's/l' -> 't/s/l'
        's/f' -> 't/s/f'
        's/f' -> 'p'
        """,
        """
        mkdir -p s/d t; echo x > s/f; ln s/f s/g; ln -s f s/l
        "$ZCP" copy -q -v -a s t | LC_ALL=C sort
        "$ZCP" copy -q -v -f -T s/f t/s/f 2> said; cat said
        echo n | "$ZCP" copy -q -v -i s/f t/s/f 2> said
        mkfifo p; cat p > /dev/null & "$ZCP" copy -qv s/f p
        """);
  }

  @Test
  void aDirectoryThatIsInTheWayIsKeptIfTheUserSaysSo() throws Exception {
    assertSays(
        """
        zcp: replace t/f? (y/n)
        0
        zcp: replace t/f? (y/n)
        zcp: t/f: is a directory
        9
        """,
        """
        mkdir -p t/f; echo x > f
        echo n | "$ZCP" copy -q -i f t 2>&1; echo $?
        echo y | "$ZCP" copy -q -i f t 2>&1; echo $?
        """);
  }

  @Test
  void backupsAreKeptAsTheVariableSays() throws Exception {
    assertSays(
        "f\ng\ng.~1~\ng.~2~\n",
        """
        echo x > f; echo y > g; export VERSION_CONTROL=numbered
        "$ZCP" copy -q -b f g; "$ZCP" copy -q -b f g; ls
        """);
  }

  @Test
  void relativeNamesWorkInADirectoryWhoseNameIsNotText() throws Exception {
    assertSays(
        "right\nright\nin\nright\nk\n",
        """
        name=$(printf 'w\\377')
        mkdir "$name"; cd "$name"; echo right > f; mkdir d
        "$ZCP" copy -q f g
        "$ZCP" copy -q -a f d
        echo in | "$ZCP" copy -q - h
        "$ZCP" copy -q --manifest=list f d/k
        cat g d/f h d/k
        sed 's/.* //' list
        """);
  }

  @Test
  void aFifoInATreeIsMadeAnewAndNotWaitedFor() throws Exception {
    assertSays(
        "fifo\n",
        """
        mkdir s t; echo x > s/f
        mkfifo s/p
        "$ZCP" copy -q -a s/. t
        test -p t/p && echo fifo
        """);
  }

  @Test
  void aNamedFifoIsReadAndADeviceIsWrittenTo() throws Exception {
    assertSays(
        "x\ndevice\nx\nx\n",
        """
        mkfifo p; echo x > f
        cat f > p & "$ZCP" copy -q p g; cat g
        "$ZCP" copy -q f /dev/null; test -c /dev/null && echo device
        cat p > h & "$ZCP" copy -q f p; wait; cat h
        "$ZCP" copy -q f - | cat
        """);
  }

  @Test
  void anOrdinaryUserUsesNamesInADirectoryThatHeMayNotList() throws Exception {
    assertSaysToNobody(
        "x\nx\nx\ny\ny\n",
        """
        mkdir box s; echo x > f; echo y > s/y
        chmod 300 box
        "$ZCP" copy -q -r f box/g; cat box/g
        ln -s f l; "$ZCP" copy -q --fsync f box/h; "$ZCP" copy -a -q --fsync f l s box
        cat box/h box/l box/s/y
        umask 0300
        "$ZCP" copy -q -r s t; chmod 700 t; cat t/y
        """);
  }

  @Test
  void aLinkThatCannotBeFollowedReplacesAFileAndIsReplacedByOne() throws Exception {
    assertSaysToNobody(
        "0\n3\n0\n0\n",
        """
        mkdir -p s t locked/d; echo x > f; chmod 000 locked
        ln -s ../locked/d/f s/private; ln -s ../f/x s/file; ln -s $(printf %300s | tr ' ' x) s/long
        for name in private file long; do echo y > t/$name; done
        "$ZCP" sync -q s t; echo $?; find t -type l | wc -l
        for name in private file long; do rm s/$name; echo z > s/$name; done
        "$ZCP" sync -q s t; echo $?; find t -type l | wc -l
        chmod 700 locked
        """);
  }

  @Test
  void anOrdinaryUsersDirectoryThatHeMayNotWriteToStaysAsItIs() throws Exception {
    assertSaysToNobody(
        "zcp: t/s/f: permission denied\n500\n",
        """
        mkdir -p s t/s; echo x > s/f; chmod 500 t/s
        "$ZCP" copy -q -r s t 2>&1
        ls t/s; stat -c %a t/s
        """);
  }

  @Test
  void aFileThatCannotBeReplacedIsWrittenInPlaceIfThatIsAskedFor() throws Exception {
    assumeTrue(Programs.isRoot(), "only root mounts");
    assertSays(
        "mounted: device or resource busy ('zcp copy --inplace' writes into the file that is"
            + " there)\n"
            + "old\n"
            + "new\n",
        """
        echo new > f; echo old > g; echo old > mounted
        mount --bind g mounted || exit 77
        trap 'umount mounted' EXIT
        "$ZCP" copy -q f mounted 2>&1 | sed 's:.*mounted:mounted:'
        cat g
        "$ZCP" copy -q --inplace f mounted
        cat g
        """);
  }

  /// Of the same file system, as a bind mount is.
  @Test
  void aDirectoryThatIsMountedReadOnlyInTheTargetKeepsNothingElseFromIt() throws Exception {
    assumeTrue(Programs.isRoot(), "only root mounts");
    assertSays(
        "zcp: t/ro/g: read-only file system\nzcp: t/ro/h: read-only file system\na\nz\n",
        """
        mkdir -p s/a s/ro s/z t; echo a > s/a/f; echo ro > s/ro/f; echo z > s/z/f
        cp -a s/ro t; ln s/ro/f s/ro/g; echo h > s/ro/h
        mount --bind t/ro t/ro || exit 77
        trap 'umount t/ro' EXIT
        mount -o remount,bind,ro t/ro
        "$ZCP" copy -q -a --skip-same --jobs=1 s/a s/ro s/z t 2>&1 | grep ro/ | sort
        cat t/a/f t/z/f
        """);
  }

  @Test
  void anotherNameOfAFileThatIsKeptIsLinkedToIt() throws Exception {
    assertSays(
        "kept\n2\n",
        """
        mkdir s t; echo new > s/1; ln s/1 s/2; echo kept > t/1; touch -d 2100-01-01 t/1
        "$ZCP" copy -q -u --preserve=links --jobs=1 s/1 s/2 t
        cat t/2; stat -c %h t/1
        """);
  }

  /// Whatever the order in which the directory has the names.
  @Test
  void aNameThatWasCopiedBeforeOthersWereIsLinkedToThem() throws Exception {
    assertSays(
        "2\n2\n",
        """
        mkdir s t; echo new > s/1; ln s/1 s/2; cp -p s/1 t/1
        "$ZCP" copy -q -u -p --preserve=links --jobs=1 s/2 s/1 t
        stat -c %h t/1 t/2
        """);
  }

  @Test
  void aLinkThatLeadsToItselfIsRefusedInPlainWords() throws Exception {
    assertSays(
        "zcp: loop: too many levels of symbolic links\n",
        """
        echo new > f; ln -s loop loop
        "$ZCP" copy -q -f f loop 2>&1
        """);
  }

  @Test
  void aListThatLeavesTheTargetOutMayBeCopiedIntoIt() throws Exception {
    assertSays(
        "a\nb\n",
        """
        mkdir z; echo a > a; echo b > b
        printf 'a\\0b\\0' | "$ZCP" copy -q --files-from=- --from0 . ./z
        cat z/a z/b
        """);
  }

  @Test
  void aSourceThatAFifoReplacesWhileItIsReadIsCopiedAsItWas() throws Exception {
    Programs.assume("strace");
    assertSays(
        "0\nsame\n",
        """
        head -c 300000 /dev/zero > f; cp f old; mkfifo p
        (for i in $(seq 500); do
            ls -l /proc/[0-9]*/fd 2> /dev/null | grep -q " $PWD/f$" && break
            sleep 0.02
          done
          mv p f) &
        strace -f -o trace -P "$PWD/f" -e trace=pread64,copy_file_range \\
            -e inject=pread64,copy_file_range:delay_enter=3000000:when=1 "$ZCP" copy -q f g
        echo $?; test -p f && cmp old g && echo same
        """);
  }

  @Test
  void aLinkToAPipeOrADeviceIsFollowed() throws Exception {
    assertSays(
        "1\n2\n3\n0\nfifo\n",
        """
        echo old > x; ln -s /dev/null n
        seq 3 | "$ZCP" copy -q /dev/stdin x; cat x
        "$ZCP" copy -q n y; test -f y && ! test -L y && wc -c < y
        mkfifo p; ln -s p link
        "$ZCP" copy -q -rL link z; test -p z && echo fifo
        """);
  }

  @Test
  void aUmaskThatDeniesTheOwnerMakesDirectoriesAllTheSame() throws Exception {
    assertSaysToNobody(
        "x\nx\n",
        """
        mkdir -p s/d; echo x > s/d/f
        umask 0700; "$ZCP" copy -q -a s t; "$ZCP" copy -q -r s u
        chmod -R u+rwX u; cat t/d/f u/d/f
        """);
  }

  @Test
  void aNewDirectoryGetsTheListThatItsParentGives() throws Exception {
    Programs.assume("setfacl");
    assertSays(
        "4\n",
        """
        mkdir -m 755 cp zcp; mkdir -p -m 750 s/d
        setfacl -m d:u:1000:rwx,d:g::rwx,d:o::-,d:m:rwx cp zcp || exit 77
        umask 077; cp -r s cp; "$ZCP" copy -q -r s zcp
        cd cp; getfacl s s/d > ../a; cd ../zcp; getfacl s s/d > ../b; cd ..
        cmp a b && grep -c effective a
        """);
  }

  /// Its owner may not write to it once it is complete, and zcp opens it again before.
  @ParameterizedTest
  @ValueSource(strings = {"transferTo", "auto"})
  void aFileThatNobodyMayWriteToGetsTheListThatItsDirectoryGives(String strategy) throws Exception {
    Programs.assume("setfacl");
    String said =
        asNobody(
            """
            mkdir -m 755 cp zcp; head -c 300000 /dev/zero > f; chmod 444 f
            setfacl -m d:u:1000:rwx,d:g::rwx,d:o::-,d:m:rwx cp zcp || exit 77
            cp f cp; "$ZCP" copy -q --strategy=%s f zcp
            cd cp; getfacl f > ../a; cd ../zcp; getfacl f > ../b; cd ..
            cmp a b && cmp f zcp/f && grep user a
            """
                .formatted(strategy));
    assertThat(said).contains("user::r--\n").contains("#effective:r--");
  }

  /// As with vboxsf and many FUSE file systems.
  @Test
  void aFileSystemWithNeitherFlagsOfRenamesNorSecondNamesTakesACopy() throws Exception {
    Programs.assume("strace");
    assertSays(
        "x\ny\n.:\nd\ne\nf\ng\ntrace\n\ne:\ny\n",
        """
        zcp() {
          strace -f -qq -o trace -e trace=renameat2,linkat -e inject=renameat2:error=EINVAL \\
              -e inject=linkat:error=EPERM "$ZCP" copy -q "$@"
        }
        echo x > f; mkdir d; echo y > d/y
        zcp f g; zcp -r d e; zcp -n d/y g; cat g e/y
        ls -A . e
        """);
  }

  @Test
  void aFileWhoseAttributesCannotBeComparedFailsOnce() throws Exception {
    Programs.assume("strace");
    String said =
        script(
            """
            echo x > f; cp -a f g
            strace -f -qq -o trace -e trace=flistxattr -e inject=flistxattr:error=EIO \\
                "$ZCP" copy -a --verify-only --json f g 2>&1 | grep -v '"event":"start"'
            """);
    assertThat(said).contains("\"filesFailed\":1,");
  }

  /// Java looks for the mount that a file is on, and finds none.
  @Test
  void aRootThatIsNoMountIsNoObstacle() throws Exception {
    assumeTrue(Programs.isRoot(), "only root mounts");
    String said =
        run(
            """
            test -h /lib && test -h /lib64 || exit 77
            mkdir usr proc dev zcp; cp -P /bin /lib /lib64 .; echo x > f
            mount --bind /usr usr && mount -t proc proc proc && mount --bind /dev dev &&
                mount --bind "${ZCP%/bin/zcp}" zcp || exit 77
            chroot . /bin/sh -c '/zcp/bin/zcp copy -q --verify=media f g; cat g'
            """,
            "unshare", "-m", "sh", "-c");
    assertThat(said).isEqualTo("x\n");
  }

  @Test
  void aLongFileGoesByTheProfileWhateverElseIsKept() throws Exception {
    Programs.assume("strace");
    assertSays(
        "1\n",
        """
        head -c 300000000 /dev/zero > f
        export ZCP_PROFILE="$PWD/profile"
        strace -f -o trace -e trace=openat "$ZCP" copy -q -p f g
        grep -c /profile trace
        """);
  }

  @Test
  void aBackupOfAFileThatIsWrittenInPlaceIsRefused() throws Exception {
    String said =
        script(
            """
            echo new > f; echo old > g
            "$ZCP" copy -q --inplace --backup f g 2>&1
            echo $?; cat g; ls g*
            """);
    assertThat(said)
        .startsWith("zcp copy: --inplace and --backup cannot be combined")
        .endsWith("2\nold\ng\n");
  }

  @Test
  void aFileIsNotAppendedToItself() throws Exception {
    String said =
        script(
            """
            ulimit -f 100000
            echo small > f; head -c 300000 /dev/zero > g
            for name in f g; do
              "$ZCP" copy -q $name - >> $name; echo $?
              "$ZCP" copy -q - - < $name >> $name; echo $?
            done
            cat f; wc -c < g; "$ZCP" copy -q f - >> g; tail -c 6 g
            """);
    String refused = "is the file that standard output is redirected to\n9\n";
    assertThat(said)
        .isEqualTo(
            "zcp: f: "
                + refused
                + "zcp: -: "
                + refused
                + "zcp: g: "
                + refused
                + "zcp: -: "
                + refused
                + "small\n300000\nsmall\n");
  }

  @Test
  void aFileIsNotWrittenInPlaceFromItself() throws Exception {
    assertSays(
        "zcp: note: is the file that is read (it is unharmed)\n9\ndata\nother\n",
        """
        echo data > note
        "$ZCP" copy -q --inplace - note < note 2>&1; echo $?; cat note
        echo other | "$ZCP" copy -q --inplace - note; cat note
        """);
  }

  @Test
  void aStreamThatCannotBeVerifiedIsNotRead() throws Exception {
    Programs.assume("timeout");
    assertSays(
        "zcp: p: is a stream, which cannot be read again to be verified (leave --verify out)\n"
            + "3\nx\np\n",
        """
        mkfifo p; echo x > p &
        timeout 20 "$ZCP" copy -q --verify=readback p out
        echo $?; timeout 5 cat p; ls
        """);
  }

  @Test
  void aSmallFileThatEndsBeforeItsSizeIsNotPublished() throws Exception {
    Programs.assume("strace");
    assertSays(
        "zcp: f: ended after 0 of 3000 bytes (nothing was published, run the same command again)\n"
            + "3\nf\ntrace\n",
        """
        head -c 3000 /dev/urandom > f
        strace -f -qq -o trace -P "$PWD/f" -e trace=pread64 -e inject=pread64:retval=0 \\
            "$ZCP" copy -q f g 2>&1
        echo $?; ls
        """);
  }

  /// It gets its mode while it has a hidden name, which whoever may write to the directory can give
  /// to something else.
  @Test
  void noModeIsGivenThroughALinkThatSomebodyPutInPlaceOfAFifo() throws Exception {
    Programs.assume("strace");
    assertSays(
        "zcp: t/p: was replaced by something else meanwhile\n4\n600\n",
        """
        mkdir s t; mkfifo -m 666 s/p; echo secret > victim; chmod 600 victim
        (for i in $(seq 500); do
            part=$(ls -A t | grep part$) && break
            sleep 0.02
          done
          ln -s ../victim t/x; mv -f t/x "t/$part") &
        strace -f -qq -o trace -e trace=mknodat -e inject=mknodat:delay_exit=3000000 \\
            "$ZCP" copy -q -a s/p t 2>&1
        echo $?; stat -c %a victim; ls -A t
        """);
  }

  @Test
  void anOrdinaryUserWorksBelowADirectoryThatMayOnlyBePassed() throws Exception {
    assertSaysToNobody(
        "x\nx\ny\n0\n",
        """
        mkdir -p home/own/s/d home/own/t/d; echo x > home/own/f; echo y > home/own/s/d/y
        chmod 333 home/own/t/d; chmod 111 home; cd home/own
        "$ZCP" copy -q f g; "$ZCP" copy -q -a f t; "$ZCP" copy -q -r s/. t; cat g t/f t/d/y
        "$ZCP" copy -q -a --delete s/. ../own/u; echo $?
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy -q f g", "copy -q --inplace g f"})
  void aFileUnderALeaseIsWaitedFor(String command) throws Exception {
    Programs.assume("python3");
    assertSays(
        "0\nsame\n",
        """
        head -c 300000 /dev/urandom > f; head -c 300000 /dev/urandom > g
        cat > lease.py <<'END'
        import fcntl, signal, time
        file = open("f")
        def let_go(*_):
            time.sleep(1)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        signal.signal(signal.SIGIO, let_go)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        open("held", "w")
        signal.pause()
        END
        python3 lease.py & while ! test -e held; do sleep 0.05; done
        "$ZCP" %s; echo $?; wait; cmp f g && echo same
        """
            .formatted(command));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ro", "size=64k"})
  void aMountThatTakesNothingKeepsOnlyWhatIsBelowItFromBeingCopied(String option) throws Exception {
    assumeTrue(Programs.isRoot(), "only root mounts");
    String said =
        run(
            """
            mkdir -p t/m
            for i in $(seq 30); do mkdir -p s/$i s/m/$i; echo x > s/$i/f; done
            head -c 300000 /dev/urandom > s/m/f
            mount -t tmpfs -o %s zcp t/m || exit 77
            "$ZCP" copy -q -a s/. t > /dev/null 2>&1; echo $?
            umount t/m; find t -name f | wc -l
            """
                .formatted(option),
            "unshare",
            "-m",
            "sh",
            "-c");
    assertThat(said).isEqualTo("1\n30\n");
  }

  /// Only its time of change is another then.
  @Test
  void aSourceThatGetsAnotherNameWhileItIsReadIsReadOnce() throws Exception {
    Programs.assume("strace");
    assertSays(
        "0\nsame\n1\n",
        """
        head -c 300000 /dev/urandom > f
        (for i in $(seq 500); do
            ls -l /proc/[0-9]*/fd 2> /dev/null | grep -q " $PWD/f$" && break
            sleep 0.02
          done
          ln f h) &
        strace -f -o trace -P "$PWD/f" -e trace=copy_file_range \\
            -e inject=copy_file_range:delay_enter=3000000 "$ZCP" copy -q --on-change=fail f g
        echo $?; cmp g h && echo same; grep -c copy_file_range trace
        """);
  }

  @Test
  void aMirrorOfReadOnlyDirectoriesIsBroughtUpToDateByTheirOwner() throws Exception {
    assertSaysToNobody(
        "0\n0\nnew\nn\n555\n555\n",
        """
        mkdir -p s/d/e/g; echo x > s/d/f; echo z > s/d/e/z; echo z > s/d/e/g/z
        chmod 555 s/d/e/g s/d/e s/d
        "$ZCP" copy -q -a --delete s/. t 2>&1; echo $?
        chmod -R u+w s; echo new > s/d/f; rm -r s/d/e/z s/d/e/g; echo n > s/d/e/n
        chmod 555 s/d/e s/d
        "$ZCP" copy -q -a --delete s/. t 2>&1; echo $?
        cat t/d/f; ls t/d/e; stat -c %a t/d t/d/e
        """);
  }

  @Test
  void aSourceWhoseHolesCannotBeFoundIsRead() throws Exception {
    Programs.assume("strace");
    assertSays(
        "same\n",
        """
        head -c 300000 /dev/urandom > f; truncate -s 4M f
        strace -f -qq -o trace -P "$PWD/f" -e trace=lseek -e inject=lseek:error=EIO \\
            "$ZCP" copy -q -a f g 2>&1
        cmp f g && echo same
        """);
  }

  @Test
  void subvolumesOfOneFileSystemShareTheirBlocks() throws Exception {
    assumeTrue(Programs.isRoot(), "only root mounts");
    Programs.assume("mkfs.btrfs", "btrfs");
    String said =
        run(
            """
            truncate -s 200M image; mkfs.btrfs -q image > log 2>&1; mkdir m
            mount -o loop image m || exit 77
            btrfs -q subvolume create m/a; btrfs -q subvolume create m/b
            head -c 40000000 /dev/urandom > m/a/f; sync
            "$ZCP" copy -q --strategy=reflink m/a/f m/b/g 2>&1; cmp m/a/f m/b/g && echo same
            "$ZCP" copy -q m/a/f m/b/h 2>&1; cmp m/a/f m/b/h && echo same
            sync; test $(df --output=used -k m | tail -n 1) -lt 80000 && echo shared
            umount m
            """,
            "unshare",
            "-m",
            "sh",
            "-c");
    assertThat(said).isEqualTo("same\nsame\nshared\n");
  }
}
