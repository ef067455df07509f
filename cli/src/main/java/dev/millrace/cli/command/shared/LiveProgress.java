package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.ProgressLine;
import java.io.PrintStream;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** A bar that is drawn over itself. */
final class LiveProgress implements ProgressDisplay {

  private static final String START_OF_LINE = "\r";
  private static final String ERASE_TO_END = "\u001b[K";

  private final Session session;
  private final PrintStream err;
  private final long startNanos = System.nanoTime();
  private ProgressLine line = new ProgressLine("waiting", 0, "", "");

  LiveProgress(Session session) {
    this.session = session;
    this.err = session.surroundings().err();
  }

  @Override
  public void event(JsonNode event) {
    line = ProgressDisplay.line(event);
    draw();
  }

  @Override
  public void tick() {
    draw();
  }

  @Override
  public void trouble(String why) {
    line = new ProgressLine(line.state(), line.percent(), "", Clip.plain(why) + "; trying again");
    draw();
  }

  @Override
  public void close() {
    err.println();
  }

  private void draw() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
    int width = session.surroundings().barColumns();
    // One write, so that a redraw never flickers.
    err.print(START_OF_LINE + line.bar(elapsed, width, session.errStyle()) + ERASE_TO_END);
    err.flush();
  }
}
