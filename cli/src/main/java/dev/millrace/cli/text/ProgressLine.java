package dev.millrace.cli.text;

import java.time.Duration;
import java.util.Locale;

/**
 * One moment of a job, for the live bar or for a log.
 *
 * @param percent 0 to 100
 * @param step a short name, possibly empty
 * @param message a sentence, possibly empty
 */
public record ProgressLine(String state, int percent, String step, String message) {

  private static final int BAR_COLUMNS = 24;

  public ProgressLine {
    state = Clip.plain(state);
    step = Clip.plain(step);
    message = Clip.plain(message);
    percent = Math.clamp(percent, 0, 100);
  }

  /** The bar, never longer than {@code width}: a line that wraps cannot be drawn over. */
  public String bar(Duration elapsed, int width, TextStyle style) {
    int filled = BAR_COLUMNS * percent / 100;
    String full = (style.unicode() ? "\u2588" : "#").repeat(filled);
    String rest = (style.unicode() ? "\u2591" : "-").repeat(BAR_COLUMNS - filled);
    String left = style.unicode() ? full + rest : "[" + full + rest + "]";
    String figures = String.format(Locale.ROOT, " %3d%%  %s  ", percent, Say.stopwatch(elapsed));
    int room = width - Clip.width(left) - Clip.width(figures);
    if (room < state.length()) {
      return Clip.fit(percent + "% " + state, width, style.unicode());
    }
    String tail = what().isEmpty() ? "" : style.separator() + what();
    String cut = Clip.fit(tail, room - state.length(), style.unicode());
    return style.state(state, left) + figures + style.state(state, state) + style.dim(cut);
  }

  /** The same without drawing, for logs and pipes. */
  public String plain() {
    String tail = what();
    return String.format(
        Locale.ROOT, "%3d%%  %s%s", percent, state, tail.isEmpty() ? "" : "  " + tail);
  }

  private String what() {
    if (step.isEmpty() || message.isEmpty()) {
      return step + message;
    }
    return step + ": " + message;
  }
}
