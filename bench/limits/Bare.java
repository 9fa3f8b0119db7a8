/// The floor for the start-up of zcp: a `main` that does nothing.
final class Bare {

  private Bare() {}

  public static void main(String[] args) {}
}
