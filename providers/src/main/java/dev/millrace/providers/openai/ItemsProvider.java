package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Makes a list of items, each an output of its own, so that each can be approved or declined.
 *
 * <p>Input: {@code prompt}; {@code count} (1 to 100) and {@code fields}, or {@code records} to
 * improve; {@code model}. Without a service it makes items up, which say so.
 */
final class ItemsProvider implements Provider {

  private static final String NAME = "items";

  private final @Nullable ChatTask chat;

  /**
   * Makes the provider.
   *
   * @param chat asks the service; null if there is none
   */
  ItemsProvider(@Nullable ChatTask chat) {
    this.chat = chat;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean needsService() {
    return chat != null;
  }

  @Override
  public Outcome execute(Work work) {
    try {
      ItemsInput input = ItemsInput.of(work.input());
      return chat == null ? standIn(work, input) : asked(chat, work, input);
    } catch (Unusable e) {
      return new Outcome.Failed(e.sentence());
    } catch (FetchTrouble e) {
      return Answers.missing(e.trouble());
    }
  }

  private static Outcome standIn(Work work, ItemsInput input) {
    work.progress(1, "drafting", "Making items up, without a model");
    List<JsonNode> items =
        StandInItems.of(input).stream()
            .map(item -> Answers.JSON.<JsonNode>valueToTree(item))
            .toList();
    return work.canceled() ? new Outcome.Canceled() : drafts(items, "stand_in", Map.of());
  }

  private static Outcome asked(ChatTask chat, Work work, ItemsInput input)
      throws Unusable, FetchTrouble {
    Outcome outcome = chat.run(new Question(work, input.question()));
    if (!(outcome
        instanceof Outcome.Succeeded(List<Output> outputs, Map<String, Object> summary))) {
      return outcome;
    }
    return items(outputs.getFirst())
        .filter(items -> !items.isEmpty())
        .map(items -> items.subList(0, Math.min(items.size(), input.count())))
        .map(items -> drafts(items, "model", summary))
        .orElseGet(() -> new Outcome.BadAnswer("The model did not answer with a list of items."));
  }

  /** The list may be the answer, or in it. */
  private static Optional<List<JsonNode>> items(Output answer) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      answer.content().writeTo(bytes);
      JsonNode json = Answers.JSON.readTree(bytes.toByteArray());
      JsonNode list = json.isArray() ? json : json.path("items");
      return Optional.of(list)
          .filter(JsonNode::isArray)
          .map(items -> List.copyOf(items.values()))
          .filter(items -> items.stream().allMatch(JsonNode::isObject));
    } catch (JacksonException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory", e);
    }
  }

  private static Outcome drafts(List<JsonNode> items, String by, Map<String, Object> told) {
    List<Output> outputs = new ArrayList<>();
    for (JsonNode item : items) {
      byte[] json = Answers.JSON.writeValueAsBytes(item);
      outputs.add(
          new Output(
              "item-%03d.json".formatted(outputs.size() + 1),
              "application/json",
              out -> out.write(json)));
    }
    Map<String, Object> summary = new HashMap<>();
    summary.put("items", outputs.size());
    summary.put("made_by", by);
    Object usage = told.get("usage");
    if (usage != null) {
      summary.put("usage", usage);
    }
    return new Outcome.Succeeded(outputs, summary);
  }

  /** The same work with what a model is asked as its input. */
  private record Question(Work work, Map<String, Object> input) implements Work {

    @Override
    public String jobId() {
      return work.jobId();
    }

    @Override
    public int attempt() {
      return work.attempt();
    }

    @Override
    public void progress(int percent, String step, String message) {
      work.progress(percent, step, message);
    }

    @Override
    public boolean canceled() {
      return work.canceled();
    }
  }
}
