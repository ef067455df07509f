package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.Confirm;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Option;

/** Asks before what can't be undone, unless it was said beforehand. */
public final class Consent {

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  /** Words that the server has to be asked for. */
  @FunctionalInterface
  public interface Question {
    String text() throws IOException, InterruptedException;
  }

  /** True if the user wants it. */
  public boolean given(Session session, String question) throws IOException {
    return yes || Confirm.asks(session, question);
  }

  /** The same, with a question that nobody thinks of unless it is asked. */
  public boolean given(Session session, Question question)
      throws IOException, InterruptedException {
    return yes || Confirm.asks(session, question.text());
  }
}
