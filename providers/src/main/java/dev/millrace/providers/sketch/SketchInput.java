package dev.millrace.providers.sketch;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A checked input.
 *
 * @param delay time to waste on purpose, spread over the drawing
 */
record SketchInput(
    String prompt,
    Style style,
    long seed,
    int width,
    int height,
    int variants,
    Duration delay,
    Mishap mishap) {

  private static final int LONGEST_PROMPT = 10_000;

  /** Says in one sentence why an input can't be used. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String sentence) {
      super(sentence);
    }

    String sentence() {
      return String.valueOf(getMessage());
    }
  }

  static SketchInput of(Map<String, Object> input) throws Unusable {
    String prompt = text(input, "prompt", "");
    if (prompt.isBlank()) {
      throw new Unusable("The input needs a prompt: a few words on what to draw.");
    }
    if (prompt.length() > LONGEST_PROMPT) {
      throw new Unusable("The prompt is longer than " + LONGEST_PROMPT + " characters.");
    }
    String style = text(input, "style", Style.POSTER.label());
    String mishap = text(input, "fail", Mishap.NONE.label());
    return new SketchInput(
        prompt,
        Style.named(style)
            .orElseThrow(() ->
                new Unusable(
                    "There is no style '"
                        + brief(style)
                        + "'; choose one of "
                        + Style.all()
                        + ".")),
        whole(input, "seed", Dice.hash(prompt) >>> 33, Long.MIN_VALUE, Long.MAX_VALUE),
        (int) whole(input, "width", 1024, 256, 2048),
        (int) whole(input, "height", 1024, 256, 2048),
        (int) whole(input, "variants", 1, 1, 4),
        Duration.ofMillis(Math.round(number(input, "delay_seconds", 0, 0, 600) * 1000)),
        Mishap.named(mishap)
            .orElseThrow(() ->
                new Unusable(
                    "There is no way to fail called '"
                        + brief(mishap)
                        + "'; choose one of "
                        + Mishap.all()
                        + ".")));
  }

  /** The seed of a variant, counted from 1; the first is the seed itself. */
  long seedOf(int variant) {
    return variant == 1 ? seed : Dice.mix(seed + variant);
  }

  private static String text(Map<String, Object> input, String key, String otherwise)
      throws Unusable {
    Object value = given(input, key);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof String text) {
      return text;
    }
    throw new Unusable("The " + key + " must be text.");
  }

  private static long whole(
      Map<String, Object> input, String key, long otherwise, long least, long most)
      throws Unusable {
    Object value = given(input, key);
    long number =
        switch (value) {
          case null -> otherwise;
          case Integer i -> i;
          case Long l -> l;
          case Double d when d == Math.rint(d) && Math.abs(d) < 1e15 -> d.longValue();
          default -> throw new Unusable("The " + key + " must be a whole number.");
        };
    if (number < least || number > most) {
      throw new Unusable("The " + key + " must be between " + least + " and " + most + ".");
    }
    return number;
  }

  private static double number(
      Map<String, Object> input, String key, double otherwise, int least, int most)
      throws Unusable {
    Object value = given(input, key);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Number number)) {
      throw new Unusable("The " + key + " must be a number.");
    }
    double amount = number.doubleValue();
    // Written so that NaN is refused too.
    if (!(amount >= least && amount <= most)) {
      throw new Unusable("The " + key + " must be between " + least + " and " + most + ".");
    }
    return amount;
  }

  private static @Nullable Object given(Map<String, Object> input, String key) {
    return input.get(key);
  }

  private static String brief(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
