package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Work;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** The service, as something that can be asked. Only it knows the key. */
final class Service {

  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final OpenAiSettings settings;
  private final FetchClient client;

  Service(OpenAiSettings settings) {
    this.settings = settings;
    this.client = new FetchClient(FetchPolicy.only(settings.url()));
  }

  OpenAiSettings.Models models() {
    return settings.models();
  }

  Duration timeout() {
    return settings.timeout();
  }

  /** Limits for an answer that comes only when all of it is ready. */
  FetchLimits whole(long mostBytes) {
    Duration timeout = settings.timeout();
    return new FetchLimits(CONNECT, timeout, timeout, timeout, mostBytes, 0);
  }

  FetchStream ask(String path, JsonNode question, Work work, FetchLimits limits)
      throws FetchTrouble {
    FetchRequest request =
        FetchRequest.post(
                settings.url() + path, "application/json", Answers.JSON.writeValueAsBytes(question))
            .header("Accept", "application/json, text/event-stream, */*;q=0.1")
            .header("User-Agent", "Millrace/1.0")
            .within(limits)
            .stopWhen(work::canceled);
    if (settings.key() != null) {
      request.credential("Authorization", "Bearer " + settings.key());
    }
    return client.open(request);
  }
}
