package dev.millrace.providers.openai;

import dev.millrace.spi.provider.Work;

/**
 * Tells how far a text has come. What it says is only shown if the effect wants that: a text that a
 * reviewer or a filter has yet to look at must not be read before.
 */
final class Writing {

  private static final int STEP_CHARACTERS = 40;
  private static final int SHOWN = 200;
  private static final int MOST_PERCENT = 95;
  private static final double CHARACTERS_PER_TOKEN = 4;
  private static final double HALF_WAY = 1_500;

  private final Work work;
  private final ChatInput input;
  private long told = -STEP_CHARACTERS;

  Writing(Work work, ChatInput input) {
    this.work = work;
    this.input = input;
  }

  void tell(Choices choices) {
    long length = choices.length();
    if (length == 0 || length - told < STEP_CHARACTERS) {
      return;
    }
    told = length;
    String message = input.preview() ? choices.tail(SHOWN) : length + " characters so far";
    work.progress(percent(length), "writing", message);
  }

  /** Nobody knows how long it gets: by the limit if there is one, else ever slower. */
  private int percent(long length) {
    double part =
        input
            .tokens()
            .map(most -> length / (CHARACTERS_PER_TOKEN * most * input.variants()))
            .orElse(length / (length + HALF_WAY));
    return (int) Math.clamp(MOST_PERCENT * part, 1, MOST_PERCENT);
  }
}
