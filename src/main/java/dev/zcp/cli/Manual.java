package dev.zcp.cli;

import java.util.ArrayList;
import java.util.List;

/// The prose of one command, from which `--help` and its manual page are made.
///
/// @param summary what it does, as a phrase: `copy files`
/// @param synopsis what follows the title: `[OPTIONS] SOURCE... TARGET`
/// @param description paragraphs
/// @param examples what people come for
/// @param environment the variables that change what it does
public record Manual(
    String summary,
    String synopsis,
    List<String> description,
    List<Example> examples,
    List<Variable> environment) {

  /// @param line the command line
  /// @param effect what it does, as a sentence
  public record Example(String line, String effect) {}

  /// @param name the variable
  /// @param effect what its value is for, as a sentence
  public record Variable(String name, String effect) {}

  /// A variable and no option: whoever wants no profile, or another, wants it for every command.
  static final String PROFILE_VARIABLE = "ZCP_PROFILE";

  private static final Variable PROFILE =
      new Variable(
          PROFILE_VARIABLE,
          "The profile that 'zcp bench --tune' writes and auto reads. Default: zcp/profile.json"
              + " in XDG_CONFIG_HOME, or in ~/.config. If it is empty, no profile is used.");

  static List<Variable> both(List<Variable> some, List<Variable> more) {
    List<Variable> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  static List<Variable> withProfile(List<Variable> others) {
    List<Variable> all = new ArrayList<>(others);
    all.add(PROFILE);
    return all;
  }
}
