package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Scenes of copies between two ends, in which a shell stands for the other machine: `zcp` is a
/// copy to or from `there:PATH`.
class RshScenesIT extends Scenes {

  private static final String ZCP =
      """
      zcp() {
        "$ZCP" copy -q --rsh="$PWD/rsh" --remote-command="$ZCP" "$@"
      }
      """;

  @BeforeEach
  void makeTheShell() throws Exception {
    Path shell = Files.writeString(folder.resolve("rsh"), "#!/bin/sh\nshift\nexec sh -c \"$*\"\n");
    Programs.run("chmod", "755", shell.toString());
  }

  @Test
  void whatHasTheNameOfASocketOfTheSourceIsNotDeleted() throws Exception {
    Programs.assume("python3");
    assertSays(
        "x\nx\n",
        ZCP
            + """
            mkdir s t u; echo x > t/x; echo y > t/y; cp -r t/. u
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s/x")'
            zcp -a --delete s/. there:"$PWD/t"; ls t
            zcp -a --delete there:"$PWD/s/." u; ls u
            """);
  }

  /// The far sender said once more what the receiver had told, and whoever is at the receiver saw
  /// both. An entry had one name in the message for its source and its target.
  @Test
  void whatTheReceiverRefusesIsToldOnce() throws Exception {
    assertSays(
        """
        zcp: s/d: is not a directory, but its source is
        zcp: s/f: is a directory
        9
        """,
        ZCP
            + """
            mkdir -p s/d t/s/f; echo > s/f; echo > t/s/d
            zcp -a there:"$PWD/s" t 2> said; code=$?; sort said; echo $code
            """);
  }

  @Test
  void thatThereIsNoRoomIsToldOnce() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("t"));
    assumeTrue(
        Programs.succeeds("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()),
        "mounting a tmpfs needs root");
    try {
      String text =
          "head -c 9M /dev/zero > large; zcp there:\"$PWD/large\" t 2> said; echo $?; cat said";
      assertThat(script(ZCP + text))
          .isEqualTo("4\nzcp: t: no space left (9.00 MiB needed, 2.00 MiB free)\n");
    } finally {
      Programs.succeeds("umount", disk.toString());
    }
  }

  @Test
  void furtherNamesOfADeviceAndOfAFifoComeAlong() throws Exception {
    assumeTrue(Programs.isRoot(), "only root makes devices");
    assertSays(
        "3\n2\n3\n2\n",
        ZCP
            + """
            mkdir s; mknod s/a c 1 3; ln s/a s/b; ln s/a s/c; mkfifo s/p; ln s/p s/q
            zcp -a s/. there:"$PWD/t"; stat -c %h t/b t/p
            zcp -a there:"$PWD/s/." u; stat -c %h u/b u/p
            """);
  }

  /// Small files go in parts, larger ones do not, and links have no bytes.
  @ParameterizedTest
  @ValueSource(strings = {"echo same >", "truncate -s 3M", "ln -s same"})
  void whatIsOneFileThereAndTwoHereBecomesTwoWithTheMetadataOfEach(String make) throws Exception {
    assumeTrue(Programs.isRoot(), "only root gives files away");
    assertSays(
        "5 1\n6 1\n5 1\n6 1\n5 1\n6 1\n",
        """
        mkdir s t; %1$s s/a; %1$s s/b; chown -h 5 s/a; chown -h 6 s/b
        touch -h -d 2001-01-01 s/a s/b; cp -a s/a t; ln -P t/a t/b; cp -a t u; cp -a t v
        zcp() {
          "$ZCP" sync -q --rsh="$PWD/rsh" --remote-command="$ZCP" "$@"
          stat -c '%%u %%h' "$PWD/${2##*/}"/*
        }
        zcp s there:"$PWD/t"; zcp there:"$PWD/s" "$PWD/u"; zcp "$PWD/s" "$PWD/v"
        """
            .formatted(make));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "300K", "3M"})
  void whatWasSharedWithAFormerCopyIsNotChangedWithItsSource(String size) throws Exception {
    assertSays(
        "replace\n644 1\n600 1\n",
        """
        mkdir s o t; truncate -s %s s/f; chmod 644 s/f; cp -a s/f o/f; ln o/f t/f; chmod 600 s/f
        zcp() {
          "$ZCP" sync -q --link-dest="$PWD/o" --rsh="$PWD/rsh" --remote-command="$ZCP" "$@"
        }
        zcp -n s there:"$PWD/t" | grep -o '^replace'
        zcp s there:"$PWD/t"; stat -c '%%a %%h' o/f t/f
        """
            .formatted(size));
  }

  /// As some file systems have done, see openzfs issue 15526.
  @ParameterizedTest
  @ValueSource(strings = {"readback", "media"})
  void whatAFileSystemCallsAHoleIsReadIfTheReceiverReadsItBack(String level) throws Exception {
    Programs.assume("strace");
    assertSays(
        "0\nsame\n",
        ZCP
            + """
            head -c 300000 /dev/urandom > f; truncate -s 4M f
            strace -f -qq -o trace -P "$PWD/f" -e trace=lseek -e inject=lseek:error=ENXIO \\
                "$ZCP" copy -q -a --verify=%s --rsh="$PWD/rsh" --remote-command="$ZCP" \\
                f there:"$PWD/g" 2>&1
            echo $?; cmp f g && echo same
            """
                .formatted(level));
  }

  /// The same command would copy the tree into what the first one has made.
  @ParameterizedTest
  @ValueSource(strings = {"tree there:\"$PWD/made\"", "there:\"$PWD/tree\" made"})
  void anInterruptedTreeOfANewNameGoesOnWithDashT(String operands) throws Exception {
    assertSays(
        "1\n0\n",
        """
        mkdir tree; head -c 1000000 /dev/urandom > tree/f
        "$ZCP" copy -r -z --limit-rate=1K --rsh="$PWD/rsh" --remote-command="$ZCP" %s 2> told &
        for i in $(seq 300); do test -e made && break; sleep 0.1; done
        kill -TERM $!; wait $! 2> waited
        grep -c 'the same command with -T' told; grep -c again told
        """
            .formatted(operands));
  }

  /// Whether they were on their way already when the receiver refused the directory is chance.
  @Test
  void filesOfADirectoryThatIsNotTakenAreNotToldOf() throws Exception {
    assertSays(
        "9 0\n".repeat(6),
        """
        mkdir -p s/c t; touch s/c/x t/c
        for operands in "s there:$PWD/t" "there:$PWD/s t"; do
          for each in 1 2 3; do
            "$ZCP" copy -a -T --rsh="$PWD/rsh" --remote-command="$ZCP" $operands 2> told
            echo $? $(grep -c '[/ ]x: ' told)
          done
        done
        """);
  }

  /// Each directory below was told, too, as if it were there, often before the one that is.
  @Test
  void directoriesBelowOneThatIsRefusedAreNotToldOfInAFetch() throws Exception {
    assertSays(
        "zcp: d: is not a directory, but its source is\n9\n",
        ZCP
            + """
            for i in $(seq 60); do mkdir -p s/d/$i/a/b; ln -s x s/d/$i/a/link; done
            mkdir t; echo > t/d; zcp -a there:"$PWD/s/." t; echo $?
            """);
  }

  /// Of a file in memory the kernel looks at each page to find where its data ends.
  @Test
  void ofAFormerVersionItIsAskedOnceWhereItsDataEnds() throws Exception {
    Programs.assume("strace");
    assertSays(
        "1\nsame\n",
        """
        mkdir t; head -c 100M /dev/urandom > f; cp f t/f; printf x >> f; touch -d 2001-01-01 t/f
        strace -f -qq -o trace -P "$PWD/t/f" -e trace=lseek "$ZCP" copy -q -f --delta \
            --rsh="$PWD/rsh" --remote-command="$ZCP" f there:"$PWD/t/f" 2>&1
        grep -c SEEK_HOLE trace; cmp f t/f && echo same
        """);
  }

  /// As on a file system of a network whose server has forgotten the directory.
  @Test
  void whyADirectoryThereCannotBeUsedIsTold() throws Exception {
    Programs.assume("strace");
    assertSays(
        "zcp: there: t: stale file handle\n4\nzcp: there: t: stale file handle\n4\n",
        """
        mkdir t; echo > f
        for call in 1 2; do
          strace -f -qq -o trace -P "$PWD/t" -e trace=statx -e inject=statx:error=ESTALE:when=$call \
              "$ZCP" copy -q --rsh="$PWD/rsh" --remote-command="$ZCP" f there:"$PWD/t" 2> told
          ended=$?; sed "s,$PWD/,," told; echo $ended
        done
        """);
  }

  /// A file system may say so of something that is there, so what has its name stays.
  @Test
  void whatVanishedBeforeItWasOfferedIsNoFailureAndNothingIsDeleted() throws Exception {
    Programs.assume("strace");
    assertSays(
        "11\nold\nx\n11\nold\nx\n",
        """
        {
          echo '#!/bin/sh'
          echo exec strace -f -qq -o trace -P "$PWD/s" -e trace=getdents64 \\
              -e inject=getdents64:signal=STOP:when=2 "$ZCP" '"$@"'
        } > stopped
        chmod +x stopped
        vanish() {
          rm -rf s t; mkdir s t; echo > s/gone; echo > s/a; echo old > t/gone; echo x > t/x
          : > trace
          {
            while ! grep -q 'stopped by' trace; do sleep 0.01; done
            rm s/gone; kill -CONT $(sed -n 's/ .*stopped by.*//p' trace)
          } &
          "$@" 2> told
          echo $?; cat t/gone t/x; wait
        }
        set -- sync -q --delete --rsh="$PWD/rsh"
        vanish "$ZCP" "$@" --remote-command="$PWD/stopped" there:"$PWD/s" t
        vanish ./stopped "$@" --remote-command="$ZCP" s there:"$PWD/t"
        """);
  }

  /// The exit code was that of the entry that vanished, by which all others are copied.
  @Test
  void whatTheSenderCannotReadCountsMoreThanWhatVanishedThere() throws Exception {
    Programs.assume("strace");
    assertSays(
        "1\n1\nold\nx\n",
        """
        mkdir -p s/sub t; echo > s/sub/gone; echo > s/unread; echo > s/a; echo old > t/unread
        touch -d 2001-01-01 t/unread; echo x > t/x
        {
          echo '#!/bin/sh'; echo shift
          echo exec strace -f -qq -o trace -P "$PWD/s/sub" -P "$PWD/s/unread" \\
              -e trace=openat,read,pread64 -e inject=openat:error=ENOENT \\
              -e inject=read,pread64:error=EIO '"$@"'
        } > rsh
        "$ZCP" sync -q --delete --rsh="$PWD/rsh" --remote-command="$ZCP" there:"$PWD/s" t 2> told
        echo $?; grep -c 'could not send everything.*unread: input/output error' told
        cat t/unread t/x
        """);
  }

  /// The connection ends, too, and that must not be told as if it were news.
  @Test
  void whatASignalEndsIsToldOnce() throws Exception {
    String line =
        "zcp: there: interrupted (what had arrived is kept; the same command again takes the"
            + " rest)\n";
    assertSays(
        line.repeat(5),
        """
        head -c 1000000 /dev/urandom > f
        for each in 1 2 3 4 5; do
          mkdir t; "$ZCP" copy --limit-rate=1K --rsh="$PWD/rsh" --remote-command="$ZCP" \
              there:"$PWD/f" t/ 2> told &
          for i in $(seq 300); do test -n "$(ls -A t)" && break; sleep 0.1; done
          kill -TERM $!; wait $! 2> waited
          cat told; rm -r t
        done
        """);
  }

  @Test
  void filesOfSysfsArriveWhole() throws Exception {
    assertSays(
        "0\nsame\n",
        ZCP
            + """
            mkdir t; from=/sys/kernel/mm/transparent_hugepage
            test -r $from/enabled || exit 77
            zcp -r --exclude='khugepaged/' --exclude='hugepages-*/' $from/. there:"$PWD/t" 2>&1
            echo $?
            for each in t/*; do cmp $each $from/${each#t/} || exit; done; echo same
            """);
  }

  @Test
  void theTimeIsThatOfTheUserWithTheLogin() throws Exception {
    assertSays(
        "sent login\nreceived login\n",
        """
        printf '#!/bin/sh\\nsleep 1\\nexec "%s" "$@"\\n' "$PWD/rsh" > slow; chmod 755 slow
        told() {
          "$ZCP" copy --report=full --rsh="$PWD/slow" --remote-command="$ZCP" "$@" 2> told
          # Of a run that takes under a second the time is told in ms.
          sed -nE 's/^(sent|received) 1 file, .* in [0-9.]+ s .*/\\1/p; s/^(login) .*/\\1/p' told |
            paste -sd ' '
        }
        head -c 30 /dev/urandom > f
        told f there:"$PWD/g"; told there:"$PWD/f" h
        """);
  }

  @Test
  void aMirrorOfReadOnlyDirectoriesIsBroughtUpToDateByTheirOwner() throws Exception {
    assertSaysToNobody(
        "0\n0\nnew\nn\n555\n555\n",
        ZCP
            + """
            mkdir -p s/d/e t; echo x > s/d/f; echo z > s/d/e/z; chmod 555 s/d/e s/d
            zcp -a --delete s/. there:"$PWD/t" 2>&1; echo $?
            chmod -R u+w s; echo new > s/d/f; rm s/d/e/z; echo n > s/d/e/n; chmod 555 s/d/e s/d
            zcp -a --delete s/. there:"$PWD/t" 2>&1; echo $?
            cat t/d/f; ls t/d/e; stat -c %a t/d t/d/e
            """);
  }

  /// Each replaces what the other one made, and inode numbers are used again.
  @Test
  void twoCopiesToOneTargetAtATimeBothEndWell() throws Exception {
    String said =
        script(
            ZCP
                + """
                mkdir s t; for i in $(seq 2000); do echo $i > s/$i; done
                zcp -a s/. there:"$PWD/t" 2>&1 & zcp -a s/. there:"$PWD/t" 2>&1
                echo $?; wait $!; echo $?; diff -r s t
                """);
    assertThat(said).isEqualTo("0\n0\n");
  }

  /// The first words are those of a shell that waits for a script: RemoteShell.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not 0 all is well | 8 | the shell there says 'not 0 all is well'",
        "not 4 \\033[2J | 4 | \\x1b[2J",
        "not 999 no | 8 | no",
        "ready /x | 8 | the shell there says 'ready /x'",
        "gone 1 | 8 | the shell there says 'gone 1'",
        "\\033[2J | 8 | the shell there says '\\x1b[2J'",
      })
  void aShellThatSaysAnythingElseHasDeployedNothing(String says, int code, String message)
      throws Exception {
    Files.writeString(
        folder.resolve("rsh"),
        "#!/bin/sh\nprintf '\\211zcp-\\r\\032\\ntoken\\n" + says + "\\n'\ncat > /dev/null\n");
    assertSays(
        "zcp: there: " + message + "\n" + code + "\n",
        "\"$ZCP\" deploy --rsh=\"$PWD/rsh\" there 2>&1; echo $?");
  }

  @Test
  void aProgramThatWaitsForAChildIsEndedWithIt() throws Exception {
    Programs.assume("setsid");
    Files.writeString(folder.resolve("rsh"), "#!/bin/sh\nsleep 300\nexit 1\n");
    assertSays(
        "zcp: there: no zcp answered within 4.00 s (nothing was copied)\n5\n",
        """
        : > f; setsid -w "$ZCP" copy --stall-timeout=1s --rsh="$PWD/rsh" f there:g 2>&1
        echo $?
        """);
  }
}
