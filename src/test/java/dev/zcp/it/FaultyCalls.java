package dev.zcp.it;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs zcp with one of its system calls spoilt, counted in each process by what it is done to: by
/// a library that is compiled for this. strace(1) counts by threads, which take turns, and gives no
/// file fewer bytes than were asked for.
///
/// @param library what is preloaded
/// @param places two directories; calls below neither are left alone
record FaultyCalls(Path library, List<Path> places) {

  /// The number of a call of a name in one of the places, and what is done to it.
  ///
  /// @param place its index
  /// @param number the first is 1
  /// @param how as calls.c has it
  /// @param isLasting whether those that follow are hit, too
  /// @param command what a shell is to do before it; empty if nothing
  record Fault(String call, int place, int number, String how, boolean isLasting, String command) {}

  /// @param folder where the library is made
  static FaultyCalls make(Path folder, Path... places) throws IOException {
    Programs.assume("cc");
    Path library = folder.resolve("calls.so");
    Programs.run(
        "cc",
        "-shared",
        "-fPIC",
        "-o",
        library.toString(),
        "src/test/resources/faults/calls.c",
        "-ldl");
    return new FaultyCalls(library, List.of(places));
  }

  /// The words before a command of which each call below the places is written down.
  List<String> into(Path log) {
    List<String> words = words();
    words.add("FAULTY_LOG=" + log);
    return words;
  }

  /// The calls of such a log, each as the fault that nothing is done to it.
  static List<Fault> read(Path log) throws IOException {
    List<Fault> calls = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      String[] words = line.split(" ");
      int place = Integer.parseInt(words[1]);
      calls.add(new Fault(words[0], place, Integer.parseInt(words[2]), "", false, ""));
    }
    return calls;
  }

  /// The words before a command that meets a fault.
  List<String> with(Fault fault) {
    List<String> words = words();
    words.add("FAULTY_CALL=%s %d %d".formatted(fault.call(), fault.place(), fault.number()));
    words.add("FAULTY_HOW=" + fault.how());
    words.add("FAULTY_RUN=" + fault.command());
    if (fault.isLasting()) {
      words.add("FAULTY_ALWAYS=1");
    }
    return words;
  }

  private List<String> words() {
    List<String> words = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library));
    for (int i = 0; i < places.size(); i++) {
      words.add("FAULTY_" + i + "=" + places.get(i));
    }
    return words;
  }
}
