package dev.millrace.cli.shell;

/** A command cannot go on, for a reason that it can explain itself. */
public final class CommandFailure extends RuntimeException {

  private final ExitCode exit;
  private final String hint;

  public CommandFailure(ExitCode exit, String sentence) {
    this(exit, sentence, "");
  }

  /**
   * Explains, and says what would help.
   *
   * @param hint what to type or to do next, or empty
   */
  public CommandFailure(ExitCode exit, String sentence, String hint) {
    super(sentence);
    this.exit = exit;
    this.hint = hint;
  }

  public ExitCode exit() {
    return exit;
  }

  public String hint() {
    return hint;
  }
}
