package dev.zcp.linux;

/// Prints the mask of a process of its own, in octal.
final class UmaskProbe {

  private UmaskProbe() {}

  public static void main(String[] none) {
    System.out.println(Integer.toOctalString(OwnProcess.umask()));
  }
}
