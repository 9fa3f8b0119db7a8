package dev.zcp.cli;

import java.util.HexFormat;

/// A program that prints the bytes of its arguments in hexadecimal, one argument a line.
final class ArgumentsProbe {

  private ArgumentsProbe() {}

  public static void main(String[] args) {
    for (String argument : Arguments.raw(args).latin1()) {
      System.out.println(HexFormat.of().formatHex(RawText.bytes(argument)));
    }
  }
}
