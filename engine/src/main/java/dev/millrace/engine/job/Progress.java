package dev.millrace.engine.job;

import org.jspecify.annotations.Nullable;

/** How far a job is, for whoever waits. */
public record Progress(int percent, @Nullable String step, @Nullable String message) {

  public static final int TEXT_LIMIT = 500;
  public static final Progress NONE = new Progress(0, null, null);

  public Progress {
    percent = Math.clamp(percent, 0, 100);
    step = cut(step);
    message = cut(message);
  }

  public Progress withPercent(int other) {
    return new Progress(other, step, message);
  }

  /** The same, told in other words. */
  public Progress saying(@Nullable String otherStep, @Nullable String otherMessage) {
    return new Progress(percent, otherStep, otherMessage);
  }

  private static @Nullable String cut(@Nullable String text) {
    if (text == null || text.length() <= TEXT_LIMIT) {
      return text;
    }
    // Half of a surrogate pair is no character, and no UTF-8 can carry it.
    boolean splits = Character.isHighSurrogate(text.charAt(TEXT_LIMIT - 1));
    return text.substring(0, splits ? TEXT_LIMIT - 1 : TEXT_LIMIT);
  }
}
