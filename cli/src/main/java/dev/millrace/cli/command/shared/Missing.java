package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.io.IOException;

/** Names what is missing, for the server only says that nothing is there. */
public final class Missing {

  /** A question to the server about one thing. */
  @FunctionalInterface
  public interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  private Missing() {}

  /**
   * Asks, and explains if there is no such thing.
   *
   * @param list the command that shows what there is
   */
  public static <T> T told(String kind, String id, String list, Question<T> question)
      throws IOException, InterruptedException {
    try {
      return question.ask();
    } catch (RefusedException refused) {
      if (refused.problem().code().equals("not_found")) {
        throw new CommandFailure(ExitCode.NOT_FOUND, "There is no " + kind + " " + id + ".", list);
      }
      throw refused;
    }
  }
}
