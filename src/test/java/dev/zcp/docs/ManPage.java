package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Help;
import dev.zcp.cli.Manual;
import dev.zcp.cli.Version;
import dev.zcp.core.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.OptionSpec;

/// Manual pages in man(7), clean by `mandoc -Tlint`.
final class ManPage {

  /// Of the version: a page must not change with the day it is made.
  private static final String DATE = "2026-11-01";

  private static final int LINE_CHARS_MAX = 78;

  private final List<Command> commands;
  private final StringBuilder page = new StringBuilder();

  /// @param commands all of them, `zcp` itself first
  ManPage(List<Command> commands) {
    this.commands = commands;
  }

  String page(Command command) {
    Manual manual = command.manual();
    String name = name(command);
    page.append(".\\\" Made from the command line of zcp; do not edit.\n");
    page.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1 ").append(DATE);
    page.append(" \"").append(Version.LINE).append("\" \"zcp manual\"\n");
    section("NAME");
    page.append(escaped(name)).append(" \\- ").append(escaped(manual.summary())).append('\n');
    section("SYNOPSIS");
    synopsis(command.title(), manual.synopsis());
    section("DESCRIPTION");
    paragraphs(manual.description());
    if (command == commands.getFirst()) {
      section("COMMANDS");
      for (Command sub : commands.subList(1, commands.size())) {
        entry(bold(Docs.word(sub)), sub.manual().summary() + "; see " + name(sub) + "(1).");
      }
    }
    section("OPTIONS");
    for (OptionSpec option : Docs.options(command)) {
      entry(heading(option), Help.description(option));
    }
    section("EXAMPLES");
    for (Manual.Example example : manual.examples()) {
      entry(bold(example.line()), example.effect());
    }
    section("EXIT STATUS");
    for (ExitCode code : ExitCode.values()) {
      String retry = code.retry().isEmpty() ? "" : ". Retry: " + code.retry();
      entry(bold(Integer.toString(code.number())), code.sentence() + retry + ".");
    }
    entry(bold(Help.SIGNAL_CODE), Help.SIGNAL_SENTENCE + ".");
    section("ENVIRONMENT");
    if (manual.environment().isEmpty()) {
      text("No variable changes what this command does.");
    }
    for (Manual.Variable variable : manual.environment()) {
      entry(bold(variable.name()), variable.effect());
    }
    section("SEE ALSO");
    seeAlso(command);
    return page.toString();
  }

  private static String name(Command command) {
    return command.title().replace(' ', '-');
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  /// The words of the synopsis: capitals are what the user fills in.
  private void synopsis(String title, String synopsis) {
    page.append(bold(title));
    for (String word : synopsis.split(" ")) {
      page.append(' ').append(italicCapitals(word));
    }
    page.append('\n');
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

  private void paragraphs(List<String> paragraphs) {
    for (int i = 0; i < paragraphs.size(); i++) {
      if (i > 0) {
        page.append(".PP\n");
      }
      text(paragraphs.get(i));
    }
  }

  private void entry(String heading, String meaning) {
    page.append(".TP\n").append(heading).append('\n');
    text(meaning);
  }

  /// A sentence begins a line, as roff wants it, and no line is long.
  private void text(String text) {
    for (String sentence : text.split("(?<=[.?!]) +(?=[A-Z(\\[])")) {
      StringBuilder line = new StringBuilder();
      for (String word : sentence.split(" ")) {
        String escaped = escaped(word);
        if (!line.isEmpty() && line.length() + 1 + escaped.length() > LINE_CHARS_MAX) {
          page.append(line).append('\n');
          line.setLength(0);
        }
        line.append(line.isEmpty() ? "" : " ").append(escaped);
      }
      page.append(line).append('\n');
    }
  }

  private static String heading(OptionSpec option) {
    List<String> names = new ArrayList<>();
    for (String name : option.names()) {
      names.add(bold(name));
    }
    if (!Help.takesValue(option)) {
      return String.join(", ", names);
    }
    String value = "=\\fI" + escaped(option.paramLabel()) + "\\fR";
    return String.join(", ", names) + (Help.isValueOptional(option) ? "[" + value + "]" : value);
  }

  private void seeAlso(Command command) {
    List<String> pages = new ArrayList<>();
    for (Command other : commands) {
      if (other != command) {
        pages.add(name(other));
      }
    }
    for (int i = 0; i < pages.size(); i++) {
      page.append(".BR ").append(escaped(pages.get(i))).append(" (1)");
      page.append(i + 1 < pages.size() ? ",\n" : "\n");
    }
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  /// Text as it is: a quote is no control line, a hyphen no dash, a tilde no accent.
  private static String escaped(String text) {
    String escaped =
        text.replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("~", "\\(ti")
            .replace("^", "\\(ha");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
