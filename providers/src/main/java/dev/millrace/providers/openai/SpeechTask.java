package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.Content;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Speaks a text. */
final class SpeechTask implements OpenAiTask {

  private static final long MOST_BYTES = 256L << 20;
  private static final int LONGEST_TEXT = 32_000;

  private final Service service;

  SpeechTask(Service service) {
    this.service = service;
  }

  @Override
  public Outcome run(Work work) throws Unusable, FetchTrouble {
    Fields fields = new Fields(work.input());
    String text = fields.required("text", LONGEST_TEXT);
    ObjectNode question = Answers.JSON.createObjectNode();
    question.put("model", fields.text("model", 200).orElse(service.models().speech()));
    question.put("input", text);
    question.put("voice", fields.text("voice", 100).orElse("alloy"));
    question.put("response_format", fields.oneOf("format", List.of("mp3", "wav", "opus", "flac")));
    fields.number("speed", 0.25, 4).ifPresent(speed -> question.put("speed", speed));
    fields.text("instructions", 4_000).ifPresent(how -> question.put("instructions", how));
    work.progress(5, "speaking", "Asking for the recording");
    try (FetchStream answer =
        service.ask("/audio/speech", question, work, service.whole(MOST_BYTES))) {
      Content body = answer.readAll();
      if (answer.status() != 200) {
        return Answers.bad(answer.status(), answer.headers(), body);
      }
      return told(body, text);
    }
  }

  private static Outcome told(Content body, String text) {
    Optional<Magic> kind = Magic.of(body.bytes()).filter(Magic::isSound);
    return kind.<Outcome>map(sound ->
            new Outcome.Succeeded(
                List.of(
                    new Output("speech." + sound.extension(), sound.mediaType(), body::writeTo)),
                // The service counts nothing here, so what was spoken is the measure.
                Map.of("usage", Map.of("characters", (long) text.length()))))
        .orElseGet(Answers::garbage);
  }
}
