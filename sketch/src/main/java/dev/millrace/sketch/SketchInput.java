package dev.millrace.sketch;

import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.painter.Style;
import java.time.Duration;
import java.util.Map;

/**
 * A checked input.
 *
 * @param block how many of the variants a pretended safety filter holds back
 * @param delay time to waste on purpose, spread over the drawing
 */
record SketchInput(
    String prompt,
    Style style,
    long seed,
    Size size,
    int variants,
    int block,
    Duration delay,
    Mishap mishap) {

  private static final int LONGEST_PROMPT = 10_000;

  /** Of a picture, in pixels. */
  record Size(int width, int height) {}

  static SketchInput of(Map<String, Object> input) throws Unusable {
    Fields fields = new Fields(input);
    String prompt = fields.text("prompt", "");
    if (prompt.isBlank()) {
      throw new Unusable("The input needs a prompt: a few words on what to draw.");
    }
    if (prompt.length() > LONGEST_PROMPT) {
      throw new Unusable("The prompt is longer than " + LONGEST_PROMPT + " characters.");
    }
    String style = fields.text("style", Style.POSTER.label());
    String mishap = fields.text("fail", Mishap.NONE.label());
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
        fields.whole("seed", Dice.hash(prompt) >>> 33, Long.MIN_VALUE, Long.MAX_VALUE),
        new Size(
            (int) fields.whole("width", 1024, 256, 2048),
            (int) fields.whole("height", 1024, 256, 2048)),
        (int) fields.whole("variants", 1, 1, 4),
        (int) fields.whole("block", 0, 0, 3),
        Duration.ofMillis(Math.round(fields.number("delay_seconds", 0, 0, 600) * 1000)),
        Mishap.named(mishap)
            .orElseThrow(() ->
                new Unusable(
                    "There is no way to fail called '"
                        + brief(mishap)
                        + "'; choose one of "
                        + Mishap.all()
                        + ".")));
  }

  int width() {
    return size.width;
  }

  int height() {
    return size.height;
  }

  /** How many pictures pass the pretended safety filter; none if it holds back them all. */
  int delivered() {
    return Math.max(0, variants - block);
  }

  /** The seed of a variant, counted from 1; the first is the seed itself. */
  long seedOf(int variant) {
    return variant == 1 ? seed : Dice.mix(seed + variant);
  }

  private static String brief(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
