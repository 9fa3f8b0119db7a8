package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Help;
import dev.zcp.cli.Manual;
import dev.zcp.cli.OptionConflict;
import dev.zcp.cli.Version;
import dev.zcp.core.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/// A manual page: what the model of the command line tells, and the sections of [HandWritten]. A
/// hand-written section whose title the model has, too, follows what the model tells.
final class ManPage {

  /// Of the version: a page must not change with the day it is made.
  private static final String DATE = "2026-11-01";

  /// The order of man-pages(7). What is in neither list stands between them.
  private static final List<String> FIRST =
      List.of("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "CONFLICTS");

  private static final List<String> LAST =
      List.of("EXIT STATUS", "ENVIRONMENT", "FILES", "NOTES", "EXAMPLES", "SEE ALSO");

  private final List<Command> commands;

  /// @param commands all of them, `zcp` itself first
  ManPage(List<Command> commands) {
    this.commands = commands;
  }

  String page(Command command) {
    String name = Docs.page(command);
    Map<String, Roff> sections = new LinkedHashMap<>();
    FIRST.forEach(title -> sections.put(title, new Roff()));
    Map<String, String> handWritten = HandWritten.sections(name);
    handWritten.keySet().stream()
        .filter(title -> !LAST.contains(title))
        .forEach(title -> sections.putIfAbsent(title, new Roff()));
    LAST.forEach(title -> sections.put(title, new Roff()));
    fill(sections, command);
    handWritten.forEach((title, roff) -> append(sections.get(title), roff));

    StringBuilder page = new StringBuilder();
    page.append(".\\\" Made from the command line of zcp and from src/main/man; do not edit.\n");
    page.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1 ").append(DATE);
    page.append(" \"").append(Version.LINE).append("\" \"zcp manual\"\n");
    sections.forEach(
        (title, roff) -> {
          String text = roff.toString();
          page.append(text.isEmpty() ? "" : ".SH " + title + "\n" + text);
        });
    return page.toString();
  }

  private static void append(Roff section, String roff) {
    boolean needsBreak = !section.toString().isEmpty() && !roff.startsWith(".");
    section.raw(needsBreak ? ".PP\n" : "").raw(roff);
  }

  private void fill(Map<String, Roff> sections, Command command) {
    Manual manual = command.manual();
    sections
        .get("NAME")
        .raw(Roff.escaped(Docs.page(command)) + " \\- " + Roff.escaped(manual.summary()) + "\n");
    sections.get("SYNOPSIS").raw(synopsis(command.title(), manual.synopsis()));
    manual.description().forEach(sections.get("DESCRIPTION")::paragraph);
    if (command == commands.getFirst()) {
      for (Command sub : commands.subList(1, commands.size())) {
        String effect = sub.manual().summary() + "; see " + Docs.page(sub) + "(1).";
        sections.get("COMMANDS").entryInRoff(Roff.bold(Docs.word(sub)), effect);
      }
    }
    Roff text = sections.get("OPTIONS");
    Map<String, List<OptionSpec>> groups = Help.groups(command);
    groups.forEach(
        (title, options) -> {
          if (groups.size() > 1) {
            text.part(title);
          }
          options.forEach(
              option -> text.entryInRoff(heading(option), Help.description(option, manual)));
        });
    for (OptionConflict conflict : command.conflicts()) {
      List<String> names =
          conflict.options().stream()
              .filter(name -> command.spec().findOption(name) != null)
              .map(Roff::bold)
              .toList();
      sections.get("CONFLICTS").entryInRoff(String.join(", ", names), conflict.rule());
    }
    for (ExitCode code : ExitCode.values()) {
      String retry = code.retry().isEmpty() ? "" : ". Retry: " + code.retry();
      sections
          .get("EXIT STATUS")
          .entryInRoff(Roff.bold(Integer.toString(code.number())), code.sentence() + retry + ".");
    }
    sections
        .get("EXIT STATUS")
        .entryInRoff(Roff.bold(Help.SIGNAL_CODE), Help.SIGNAL_SENTENCE + ".");
    if (manual.environment().isEmpty()) {
      sections.get("ENVIRONMENT").paragraph("No variable changes what this command does.");
    }
    for (Manual.Term variable : manual.environment()) {
      sections.get("ENVIRONMENT").entryInRoff(Roff.bold(variable.word()), variable.meaning());
    }
    for (Manual.Term example : manual.examples()) {
      sections.get("EXAMPLES").entryInRoff(Roff.bold(example.word()), example.meaning());
    }
    sections.get("SEE ALSO").raw(seeAlso(command));
  }

  /// The words of the synopsis: capitals are what the user fills in.
  private static String synopsis(String title, String synopsis) {
    StringBuilder line = new StringBuilder(Roff.bold(title));
    for (String word : synopsis.split(" ")) {
      line.append(' ').append(italicCapitals(word));
    }
    return line.append('\n').toString();
  }

  private static String italicCapitals(String word) {
    StringBuilder styled = new StringBuilder();
    StringBuilder capitals = new StringBuilder();
    for (char c : (word + " ").toCharArray()) {
      if (Character.isUpperCase(c)) {
        capitals.append(c);
        continue;
      }
      if (!capitals.isEmpty()) {
        styled.append("\\fI").append(capitals).append("\\fR");
        capitals.setLength(0);
      }
      styled.append(c);
    }
    return styled.toString().stripTrailing();
  }

  private static String heading(OptionSpec option) {
    List<String> names = new ArrayList<>();
    for (String name : option.names()) {
      names.add(Roff.bold(name));
    }
    if (!Help.takesValue(option)) {
      return String.join(", ", names);
    }
    String value = "=\\fI" + Roff.escaped(option.paramLabel()) + "\\fR";
    return String.join(", ", names) + (Help.isValueOptional(option) ? "[" + value + "]" : value);
  }

  private String seeAlso(Command command) {
    List<String> pages = new ArrayList<>();
    for (Command other : commands) {
      if (other != command) {
        pages.add(".BR " + Roff.escaped(Docs.page(other)) + " (1)");
      }
    }
    return String.join(",\n", pages) + "\n";
  }
}
