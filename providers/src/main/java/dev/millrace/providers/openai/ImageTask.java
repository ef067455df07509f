package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes pictures from a prompt. */
final class ImageTask implements OpenAiTask {

  private static final long MOST_BYTES = 256L << 20;
  private static final long MOST_PICTURE_BYTES = 64L << 20;
  private static final int LONGEST_PROMPT = 32_000;
  private static final int MOST_VARIANTS = 8;

  /** The picture is paid for, so a hiccup on the way to it is not the end. */
  private static final int MOST_FETCHES = 3;

  private final Service service;
  private final FetchClient downloads;

  ImageTask(Service service, FetchClient downloads) {
    this.service = service;
    this.downloads = downloads;
  }

  @Override
  public Outcome run(Work work) throws Unusable, FetchTrouble {
    ObjectNode question = question(new Fields(work.input()), service.models().image());
    work.progress(5, "drawing", "Asking for the pictures");
    Optional<JsonNode> json;
    try (FetchStream answer =
        service.ask("/images/generations", question, work, service.whole(MOST_BYTES))) {
      if (answer.status() != 200) {
        return Answers.bad(answer.status(), answer.headers(), answer.readAll());
      }
      json = Answers.json(answer.readAll());
    }
    if (json.isEmpty() || !json.get().path("data").isArray()) {
      return Answers.garbage();
    }
    work.progress(80, "taking", "Taking the pictures");
    return told(work, json.get());
  }

  private static ObjectNode question(Fields fields, String usualModel) throws Unusable {
    ObjectNode question = Answers.JSON.createObjectNode();
    String model = fields.text("model", 200).orElse(usualModel);
    question.put("model", model);
    question.put("prompt", fields.required("prompt", LONGEST_PROMPT));
    question.put("n", fields.whole("variants", 1, 1, MOST_VARIANTS));
    for (String name : List.of("size", "quality", "style", "background")) {
      fields.text(name, 40).ifPresent(value -> question.put(name, value));
    }
    // These models always answer so, and refuse to be asked for it.
    if (!model.startsWith("gpt-image")) {
      question.put("response_format", "b64_json");
    }
    return question;
  }

  private Outcome told(Work work, JsonNode answer) throws FetchTrouble {
    List<Output> outputs = new ArrayList<>();
    for (JsonNode each : answer.path("data").values()) {
      Optional<byte[]> bytes = bytes(work, each);
      Optional<Magic> kind = bytes.flatMap(Magic::of).filter(Magic::isPicture);
      if (kind.isEmpty()) {
        // The service has answered; what one picture comes to says nothing about the next one.
        return Outcome.Uncertain.blameless("A picture was made and could not be had.");
      }
      byte[] picture = bytes.get();
      outputs.add(
          new Output(
              "image-" + (outputs.size() + 1) + "." + kind.get().extension(),
              kind.get().mediaType(),
              out -> out.write(picture)));
    }
    if (outputs.isEmpty()) {
      return Answers.garbage();
    }
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("delivered", outputs.size());
    summary.put("usage", Usage.of(answer.path("usage")));
    return new Outcome.Succeeded(outputs, summary);
  }

  /** A picture is in the answer itself, or behind a URL that is as foreign as any other. */
  private Optional<byte[]> bytes(Work work, JsonNode each) throws FetchTrouble {
    String encoded = Answers.text(each.path("b64_json"));
    if (!encoded.isEmpty()) {
      try {
        return Optional.of(Base64.getMimeDecoder().decode(encoded));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
    for (int tries = 0; tries < MOST_FETCHES; tries++) {
      FetchResult result = fetch(work, Answers.text(each.path("url")));
      if (result instanceof FetchResult.Fetched fetched && fetched.status() < 500) {
        return fetched.status() == 200 ? Optional.of(fetched.body().bytes()) : Optional.empty();
      }
      if (result instanceof FetchResult.Refused || result instanceof FetchResult.TooLarge) {
        return Optional.empty();
      }
      if (result instanceof FetchResult.Stopped stopped) {
        throw new FetchTrouble(stopped);
      }
    }
    return Optional.empty();
  }

  private FetchResult fetch(Work work, String url) {
    return downloads.fetch(
        FetchRequest.get(url)
            .within(
                FetchLimits.USUAL.withBodyBytes(MOST_PICTURE_BYTES).withTotal(service.timeout()))
            .stopWhen(work::canceled));
  }
}
