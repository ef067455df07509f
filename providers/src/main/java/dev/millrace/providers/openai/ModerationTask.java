package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Judges a text, and delivers the judgement. A bad text is a good result here. */
final class ModerationTask implements OpenAiTask {

  private static final long MOST_BYTES = 1L << 20;
  private static final int LONGEST_TEXT = 200_000;
  private static final int MOST_CATEGORIES = 100;

  private final Service service;

  ModerationTask(Service service) {
    this.service = service;
  }

  /** A judgement costs nothing, at OpenAI and elsewhere. */
  @Override
  public boolean isBilled() {
    return false;
  }

  @Override
  public Outcome run(Work work) throws Unusable, FetchTrouble {
    Fields fields = new Fields(work.input());
    ObjectNode question = Answers.JSON.createObjectNode();
    question.put("model", fields.text("model", 200).orElse(service.models().moderation()));
    question.put("input", fields.required("text", LONGEST_TEXT));
    work.progress(5, "judging", "Asking for a judgement");
    try (FetchStream answer =
        service.ask("/moderations", question, work, service.whole(MOST_BYTES))) {
      if (answer.status() != 200) {
        return Answers.bad(answer.status(), answer.headers(), answer.readAll());
      }
      Optional<JsonNode> result =
          Answers.json(answer.readAll()).map(json -> json.path("results").path(0));
      return result
          .filter(each -> each.path("flagged").isBoolean())
          .map(ModerationTask::told)
          .orElseGet(Answers::garbage);
    }
  }

  private static Outcome told(JsonNode result) {
    boolean flagged = result.path("flagged").booleanValue();
    ObjectNode document = Answers.JSON.createObjectNode();
    document.put("flagged", flagged);
    ObjectNode scores = document.putObject("scores");
    result.path("category_scores").properties().stream()
        .filter(score -> score.getValue().isNumber())
        .limit(MOST_CATEGORIES)
        .forEach(score -> scores.put(score.getKey(), score.getValue().doubleValue()));
    ObjectNode categories = document.putObject("categories");
    result.path("categories").properties().stream()
        .filter(category -> category.getValue().isBoolean())
        .limit(MOST_CATEGORIES)
        .forEach(category -> categories.put(category.getKey(), category.getValue().booleanValue()));
    byte[] json = Answers.JSON.writeValueAsBytes(document);
    return new Outcome.Succeeded(
        List.of(new Output("moderation.json", "application/json", out -> out.write(json))),
        Map.of("flagged", flagged));
  }
}
