package dev.millrace.sketch;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Png;
import dev.millrace.sketch.painter.Step;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Reading;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Draws a picture from a prompt, without any model or network.
 *
 * <p>Input: {@code prompt}; {@code style} (poster, papercut, botanical, night, bauhaus, flow);
 * {@code seed}; {@code width} and {@code height} (256 to 2048); {@code variants} (1 to 4). Three
 * more rehearse trouble: {@code delay_seconds} (0 to 600), {@code fail} (none, retryable, once,
 * permanent, safety, crash) and {@code block} (0 to 3 variants that a safety filter holds back).
 *
 * <p>An input with {@code items} (up to 64 texts) asks for a contact sheet of them instead, under a
 * {@code title}; {@code skipped} is how many items were left out before. One with a {@code task}
 * asks for a text or a sound: see {@link DemoAnswers}.
 */
public final class SketchProvider implements Provider {

  private static final String NAME = "sketch";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final DrawingPause pause;

  public SketchProvider() {
    this(Thread::sleep);
  }

  SketchProvider(DrawingPause pause) {
    this.pause = pause;
    // Drawing in memory needs no display, and asking for one fails where there is none.
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Outcome execute(Work work) throws InterruptedException {
    try {
      if (DemoAnswers.isOne(work.input())) {
        return DemoAnswers.answer(work);
      }
      return SheetInput.isOne(work.input())
          ? sheet(work, SheetInput.of(work.input()))
          : draw(work, SketchInput.of(work.input()));
    } catch (Unusable e) {
      return new Outcome.Failed(e.sentence());
    }
  }

  private Outcome draw(Work work, SketchInput input) throws InterruptedException {
    List<Output> outputs = new ArrayList<>();
    Pace pace = null;
    // What the filter holds back isn't drawn; if that is everything, one is begun to be refused.
    int drawn = Math.max(1, input.delivered());
    for (int variant = 1; variant <= drawn; variant++) {
      Canvas canvas = new Canvas(input.width(), input.height());
      List<Step> steps = new ArrayList<>();
      steps.add(new Step("composing", "Reading the prompt", () -> {}));
      steps.addAll(
          input.style().painter().plan(canvas, Brief.of(input.prompt(), input.seedOf(variant))));
      if (pace == null) {
        pace = new Pace(work, pause, input.delay(), drawn * (steps.size() + 1));
      }
      for (Step step : steps) {
        if (!pace.next(step.name(), message(step.message(), variant, input))) {
          return new Outcome.Canceled();
        }
        step.draw().run();
        if (pace.halfWay()) {
          Optional<Outcome> trouble = trouble(input, work.attempt());
          if (trouble.isPresent()) {
            return trouble.get();
          }
        }
      }
      if (!pace.next("encoding", message("Saving the picture", variant, input))) {
        return new Outcome.Canceled();
      }
      outputs.add(output(input, variant, canvas));
    }
    if (work.canceled()) {
      return new Outcome.Canceled();
    }
    if (pace != null) {
      pace.done("Finished");
    }
    return new Outcome.Succeeded(outputs, summary(input));
  }

  private static Map<String, Object> summary(SketchInput input) {
    Map<String, Object> summary = new HashMap<>();
    summary.put("style", input.style().label());
    summary.put("seed", input.seed());
    summary.put("variants", input.variants());
    summary.put("delivered", input.delivered());
    if (input.block() > 0) {
      summary.put("blocked", input.block());
    }
    return summary;
  }

  private Outcome sheet(Work work, SheetInput input) throws InterruptedException {
    Sheet sheet = Sheet.of(input);
    List<Step> steps = sheet.plan();
    Pace pace = new Pace(work, pause, Duration.ZERO, steps.size() + 1);
    for (Step step : steps) {
      if (!pace.next(step.name(), step.message())) {
        return new Outcome.Canceled();
      }
      step.draw().run();
    }
    if (!pace.next("encoding", "Saving the sheet")) {
      return new Outcome.Canceled();
    }
    byte[] png = sheet.encode();
    if (work.canceled()) {
      return new Outcome.Canceled();
    }
    pace.done("Finished");
    return new Outcome.Succeeded(
        List.of(
            new Output(Reading.slug(input.title()) + ".png", "image/png", out -> out.write(png))),
        Map.of(
            "applied",
            input.items().size(),
            "failed",
            0,
            "skipped",
            input.skipped(),
            "remaining",
            0));
  }

  private static Output output(SketchInput input, int variant, Canvas canvas) {
    byte[] png = Png.encode(canvas.image());
    canvas.close();
    String name =
        "%s-%s-%d.png".formatted(Reading.slug(input.prompt()), input.style().label(), variant);
    return new Output(name, "image/png", out -> out.write(png));
  }

  private static String message(String message, int variant, SketchInput input) {
    return input.variants() == 1
        ? message
        : "%s (%d of %d)".formatted(message, variant, input.variants());
  }

  /** The trouble that was asked for, or nothing; comes half way, where it hurts a little. */
  private static Optional<Outcome> trouble(SketchInput input, int attempt) {
    if (input.delivered() == 0) {
      return Optional.of(new Outcome.Rejected("rehearsal"));
    }
    return switch (input.mishap()) {
      case NONE -> Optional.empty();
      case RETRYABLE -> Optional.of(unavailable());
      case ONCE -> attempt == 1 ? Optional.of(unavailable()) : Optional.empty();
      case PERMANENT -> Optional.of(new Outcome.Failed("The sketch was asked to fail for good."));
      case SAFETY -> Optional.of(new Outcome.Rejected("rehearsal"));
      case CRASH -> throw new IllegalStateException("The sketch was asked to crash.");
    };
  }

  private static Outcome unavailable() {
    return new Outcome.Unavailable(
        "The sketch was asked to be unavailable.", Optional.of(RETRY_AFTER));
  }
}
