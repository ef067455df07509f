package dev.millrace.sketch;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stands in for a model that writes or speaks, where there is none: {@code task: chat} answers that
 * it is a demo and says what it was asked, and {@code task: speech} hums one tone for each word.
 * {@code fail} rehearses trouble as for pictures.
 */
final class DemoAnswers {

  private static final int MOST_QUOTED = 2_000;

  private DemoAnswers() {}

  static boolean isOne(Map<String, Object> input) {
    return new Fields(input).has("task");
  }

  static Outcome answer(Work work) throws Unusable, InterruptedException {
    Fields fields = new Fields(work.input());
    String prompt = fields.text("prompt", "");
    String task = fields.text("task", "");
    Optional<Mishap> mishap = Mishap.named(fields.text("fail", Mishap.NONE.label()));
    Duration delay =
        Duration.ofMillis(Math.round(fields.number("delay_seconds", 0, 0, 600) * 1000));
    Pace pace = new Pace(work, Thread::sleep, delay, 2);
    if (!pace.next("reading", "Reading what was asked") || !pace.next("writing", "Answering")) {
      return new Outcome.Canceled();
    }
    if (mishap.isPresent() && mishap.get() == Mishap.PERMANENT) {
      return new Outcome.Failed("The sketch was asked to fail for good.");
    }
    if (mishap.isPresent() && mishap.get() == Mishap.SAFETY) {
      return new Outcome.Rejected("rehearsal");
    }
    pace.done("Finished");
    return switch (task) {
      case "chat" -> {
        byte[] text = reply(prompt).getBytes(StandardCharsets.UTF_8);
        yield done(new Output("answer.txt", "text/plain", out -> out.write(text)));
      }
      case "speech" -> {
        byte[] tones = Tones.wav(prompt);
        yield done(new Output("tones.wav", "audio/wav", out -> out.write(tones)));
      }
      default -> throw new Unusable("The task must be chat or speech.");
    };
  }

  private static Outcome done(Output output) {
    return new Outcome.Succeeded(List.of(output), Map.of());
  }

  private static String reply(String prompt) {
    String quoted = prompt.length() > MOST_QUOTED ? prompt.substring(0, MOST_QUOTED) : prompt;
    return "This is a demo, and no model is behind it. You wrote: " + quoted;
  }
}
