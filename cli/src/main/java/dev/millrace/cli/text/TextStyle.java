package dev.millrace.cli.text;

/** What one stream can show: colours, and characters beyond ASCII. */
public record TextStyle(boolean colour, boolean unicode) {

  public String dim(String text) {
    return paint("2", text);
  }

  public String red(String text) {
    return paint("31", text);
  }

  public String green(String text) {
    return paint("32", text);
  }

  /** Paints text (perhaps padded) in the colour of a job's state. */
  public String state(String state, String text) {
    return switch (state) {
      case "completed" -> green(text);
      case "failed", "dead_letter", "expired", "rejected", "blocked" -> red(text);
      case "running", "submitted" -> paint("36", text);
      case "waiting_review", "canceling", "canceled" -> paint("33", text);
      default -> text;
    };
  }

  public String separator() {
    return unicode ? " \u00b7 " : " | ";
  }

  private String paint(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
