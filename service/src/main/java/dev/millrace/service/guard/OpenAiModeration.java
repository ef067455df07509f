package dev.millrace.service.guard;

import dev.millrace.providers.wire.WireJson;
import dev.millrace.service.access.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a service that speaks OpenAI's {@code POST /moderations}. Each question is asked once: the
 * client waits for it, and trying again is the client's to decide. The answer is nobody's friend:
 * its size and time are bounded, redirects aren't followed, and a text is clear only if the answer
 * says so.
 */
public final class OpenAiModeration implements Moderation, AutoCloseable {

  private static final int MOST_TEXTS = 32;
  private static final int MOST_ANSWER_BYTES = 1024 * 1024;
  private static final int LONGEST_CATEGORY = 40;
  private static final long LONGEST_RETRY_SECONDS = 300;
  private static final Duration USUAL_RETRY = Duration.ofSeconds(5);
  private static final String UNNAMED = "moderation";

  private final URI address;
  private final @Nullable Secret key;
  private final String model;
  private final Duration timeout;
  private final HttpClient client;

  /**
   * Asks nothing yet.
   *
   * @param base such as {@code https://api.openai.com/v1}, without a slash at its end
   * @param key null if the service wants none
   * @param timeout from the question to the last byte of the answer
   */
  public OpenAiModeration(URI base, @Nullable Secret key, String model, Duration timeout) {
    this.address = URI.create(base + "/moderations");
    this.key = key;
    this.model = model;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Answer classify(List<String> texts) throws InterruptedException {
    List<String> asked = bounded(texts);
    CompletableFuture<HttpResponse<byte[]>> asking =
        client.sendAsync(
            question(asked), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_ANSWER_BYTES));
    try {
      return answer(asking.get(timeout.toMillis(), TimeUnit.MILLISECONDS), asked.size());
    } catch (TimeoutException slow) {
      return new Answer.Trouble("did not answer within " + timeout.toSeconds() + " s", USUAL_RETRY);
    } catch (ExecutionException failed) {
      // Only the kind of the failure is told: a message could quote what was sent.
      Throwable cause = failed.getCause() instanceof IOException io ? io : failed;
      return new Answer.Trouble(
          "could not be asked (" + cause.getClass().getSimpleName() + ")", USUAL_RETRY);
    } finally {
      asking.cancel(true);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  /** A service bounds how many texts it takes at once; the last one carries all that are over. */
  private static List<String> bounded(List<String> texts) {
    if (texts.size() <= MOST_TEXTS) {
      return texts;
    }
    List<String> bounded = new ArrayList<>(texts.subList(0, MOST_TEXTS - 1));
    bounded.add(String.join("\n", texts.subList(MOST_TEXTS - 1, texts.size())));
    return bounded;
  }

  private HttpRequest question(List<String> texts) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("model", model);
    ArrayNode input = body.putArray("input");
    texts.forEach(input::add);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8));
    if (key != null) {
      request.header("Authorization", "Bearer " + key.reveal());
    }
    return request.build();
  }

  private static Answer answer(HttpResponse<byte[]> response, int asked) {
    if (response.statusCode() != 200) {
      return new Answer.Trouble("answered " + response.statusCode(), retryAfter(response));
    }
    return WireJson.any(new String(response.body(), StandardCharsets.UTF_8))
        .map(json -> json.path("results"))
        .filter(results -> results.size() == asked)
        .map(OpenAiModeration::verdict)
        .orElseGet(OpenAiModeration::garbage);
  }

  private static Answer verdict(JsonNode results) {
    for (JsonNode result : results.values()) {
      JsonNode flagged = result.path("flagged");
      if (!flagged.isBoolean()) {
        return garbage();
      }
      if (flagged.booleanValue()) {
        return new Answer.Flagged(category(result.path("categories")));
      }
    }
    return new Answer.Clear();
  }

  /** The first category that is true, as a public word: {@code sexual/minors}, sexual_minors. */
  private static String category(JsonNode categories) {
    return categories.properties().stream()
        .filter(category -> category.getValue().isBoolean() && category.getValue().booleanValue())
        .map(Map.Entry::getKey)
        .map(name -> name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"))
        .map(name -> name.substring(0, Math.min(LONGEST_CATEGORY, name.length())))
        .filter(name -> Verdict.Denied.CATEGORY.matcher(name).matches())
        .findFirst()
        .orElse(UNNAMED);
  }

  private static Answer garbage() {
    return new Answer.Trouble("answered something that can't be understood", USUAL_RETRY);
  }

  private static Duration retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(seconds -> seconds.matches("\\d{1,9}"))
        .map(Long::parseLong)
        .map(seconds -> Duration.ofSeconds(Math.clamp(seconds, 1, LONGEST_RETRY_SECONDS)))
        .orElse(USUAL_RETRY);
  }
}
