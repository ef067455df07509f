package dev.millrace.server.settings;

/** Makes what an operator wrote fit into one line of a message. */
final class Quoted {

  private static final int LENGTH_MAX = 80;

  private Quoted() {}

  static String value(String text) {
    return "'" + name(text) + "'";
  }

  static String name(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "...";
  }
}
