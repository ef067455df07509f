package dev.millrace.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Asks before something that cannot be taken back. */
public final class Confirm {

  private Confirm() {}

  /**
   * True if the person says yes. Silence, an empty line and everything else mean no.
   *
   * @throws Failure if nobody is there to ask, because then only {@code --yes} can be meant
   */
  public static boolean asks(Session session, String question) throws IOException {
    Surroundings surroundings = session.surroundings();
    if (!surroundings.inIsTerminal() || !surroundings.errIsTerminal()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "This needs a yes, and there is no terminal to ask on. Nothing was changed.",
          "the same with --yes, if you are sure");
    }
    PrintStream err = surroundings.err();
    // Asked even if quiet: a question that nobody sees would look like a program that hangs.
    err.print(question + " [y/N] ");
    err.flush();
    boolean yes = isYes(readLine(surroundings));
    if (!yes) {
      session.say("Nothing was changed.");
    }
    return yes;
  }

  private static @Nullable String readLine(Surroundings surroundings) throws IOException {
    return new BufferedReader(
            new InputStreamReader(surroundings.in(), surroundings.err().charset()))
        .readLine();
  }

  private static boolean isYes(@Nullable String answer) {
    String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }
}
