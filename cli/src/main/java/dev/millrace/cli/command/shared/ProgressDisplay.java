package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.ProgressLine;
import tools.jackson.databind.JsonNode;

/** Shows on standard error how far a job is. */
public interface ProgressDisplay extends AutoCloseable {

  /** A new event came. */
  void event(JsonNode event);

  /** Nothing came, but time went on. */
  default void tick() {}

  /** The connection is gone for the moment. */
  void trouble(String why);

  /** No more events; what is printed next starts on a fresh line. */
  @Override
  default void close() {}

  /** The way that fits: a bar for a terminal, lines for a log, nothing if quiet. */
  static ProgressDisplay of(Session session) {
    if (session.quiet()) {
      return new Silent();
    }
    return canRedraw(session) ? new LiveProgress(session) : new Lines(session);
  }

  /** True if a person sees standard error, and a line of it can be drawn over. */
  static boolean canRedraw(Session session) {
    return !session.quiet()
        && session.surroundings().errIsTerminal()
        && !session.surroundings().variable("TERM").equals("dumb");
  }

  static ProgressLine line(JsonNode event) {
    return new ProgressLine(
        ApiJson.text(event, "state"),
        (int) ApiJson.number(event, "progress"),
        ApiJson.text(event, "step"),
        ApiJson.text(event, "message"));
  }

  /** One line per event. */
  record Lines(Session session) implements ProgressDisplay {

    @Override
    public void event(JsonNode event) {
      session.say(line(event).plain());
    }

    @Override
    public void trouble(String why) {
      session.say("      " + why + "; trying again");
    }
  }

  /** Nothing at all. */
  record Silent() implements ProgressDisplay {

    @Override
    public void event(JsonNode event) {}

    @Override
    public void trouble(String why) {}
  }
}
