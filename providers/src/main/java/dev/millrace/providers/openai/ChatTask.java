package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Writes a text, streamed: each piece that comes is progress. */
final class ChatTask implements OpenAiTask {

  private static final long MOST_BYTES = 256L << 20;
  private static final long MOST_CHARACTERS = 4L << 20;
  private static final Duration FIRST_WORD = Duration.ofMinutes(3);
  private static final Duration NEXT_WORD = Duration.ofMinutes(1);
  private static final String DONE = "[DONE]";

  private final Service service;

  ChatTask(Service service) {
    this.service = service;
  }

  @Override
  public Outcome run(Work work) throws Unusable, FetchTrouble {
    ChatInput input = ChatInput.of(work.input(), service.models().chat());
    work.progress(1, "asking", "Asking the model");
    try (FetchStream answer = service.ask("/chat/completions", input.question(), work, limits())) {
      if (answer.status() != 200) {
        return Answers.bad(answer.status(), answer.headers(), answer.readAll());
      }
      return answer.headers().mediaType().equals("text/event-stream")
          ? streamed(work, input, answer)
          : whole(input, answer);
    }
  }

  private FetchLimits limits() {
    Duration total = service.timeout();
    return new FetchLimits(
        Duration.ofSeconds(10),
        least(FIRST_WORD, total),
        least(NEXT_WORD, total),
        total,
        MOST_BYTES,
        0);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Outcome streamed(Work work, ChatInput input, FetchStream answer)
      throws FetchTrouble {
    Choices choices = new Choices();
    Writing writing = new Writing(work, input);
    ServerSentEvents events = new ServerSentEvents(answer.body());
    boolean done = false;
    try {
      for (String data = events.next(); data != null && !done; data = events.next()) {
        done = data.strip().equals(DONE);
        if (done) {
          break;
        }
        JsonNode piece = Answers.JSON.readTree(data);
        JsonNode error = Answers.error(piece);
        if (error != null) {
          return Answers.late(error);
        }
        if (!choices.take(piece, "delta")) {
          return Answers.garbage();
        }
        if (choices.length() > MOST_CHARACTERS) {
          return new Outcome.Failed("The model's answer is longer than can be taken.");
        }
        writing.tell(choices);
      }
    } catch (JacksonException | ServerSentEvents.TooLong e) {
      return Answers.garbage();
    } catch (FetchTrouble e) {
      if (e.trouble() instanceof FetchResult.TimedOut(FetchResult.Phase phase)
          && phase == FetchResult.Phase.TOTAL
          && choices.length() > 0) {
        // It wrote all the time: the service is well, and what was asked for is too long.
        return new Outcome.Failed("The model's answer takes longer than can be waited for.");
      }
      throw e;
    } catch (IOException e) {
      return Answers.brokenOff();
    }
    boolean complete = choices.areFinished() && (done || choices.all().size() >= input.variants());
    return complete ? told(input, choices) : Answers.brokenOff();
  }

  /** Some services don't stream, whatever they are asked. */
  private static Outcome whole(ChatInput input, FetchStream answer) throws FetchTrouble {
    Optional<JsonNode> json = Answers.json(answer.readAll());
    Choices choices = new Choices();
    if (json.isEmpty()) {
      return Answers.garbage();
    }
    JsonNode error = Answers.error(json.get());
    if (error != null) {
      return Answers.late(error);
    }
    return choices.take(json.get(), "message") && choices.areFinished()
        ? told(input, choices)
        : Answers.garbage();
  }

  private static Outcome told(ChatInput input, Choices choices) {
    List<Output> outputs = new ArrayList<>();
    List<String> finishes = new ArrayList<>();
    String objection = "";
    int blocked = 0;
    for (Choices.Choice choice : choices.all().values()) {
      if (!choice.objection().isEmpty()) {
        objection = choice.objection();
        blocked++;
        continue;
      }
      String text = choice.text().replace('\0', '\ufffd');
      if (text.isBlank()) {
        return new Outcome.BadAnswer("The model answered nothing.");
      }
      if (input.format() == ChatInput.Format.JSON && !isJson(text)) {
        return new Outcome.BadAnswer("The model did not answer in JSON.");
      }
      finishes.add(
          choice.finish().equals("stop")
              ? "stop"
              : choice.finish().equals("length") ? "length" : "other");
      outputs.add(output(input.format(), outputs.size() + 1, text));
    }
    if (outputs.isEmpty()) {
      return new Outcome.Rejected(objection);
    }
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("delivered", outputs.size());
    summary.put("finish", finishes);
    summary.put("usage", choices.usage());
    if (blocked > 0) {
      summary.put("blocked", blocked);
    }
    return new Outcome.Succeeded(outputs, summary);
  }

  private static boolean isJson(String text) {
    try {
      JsonNode node = Answers.JSON.readTree(text);
      return node.isObject() || node.isArray();
    } catch (JacksonException e) {
      return false;
    }
  }

  private static Output output(ChatInput.Format format, int number, String text) {
    // Half a character at a cut would be no UTF-8; encoding replaces it.
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Output(
        "text-" + number + "." + format.extension(), format.mediaType(), out -> out.write(bytes));
  }
}
