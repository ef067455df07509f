package dev.millrace.service.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.postgres.webhooks.DueDeliveries.Answer;
import dev.millrace.postgres.webhooks.DueDeliveries.Claim;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends one message and tells what came back. Redirects are answers like any other. */
final class WebhookPost {

  private static final int EXCERPT = 1_000;
  private static final String GONE = "Not sent: its job was deleted.";
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** The answer's length is none of our business: no more than its beginning is read. */
  private static final long ANY_LENGTH = Long.MAX_VALUE;

  private final FetchClient client;
  private final EndpointSecrets secrets;
  private final Function<Claim, Optional<String>> content;
  private final FetchLimits limits;
  private final BooleanSupplier stop;

  /**
   * Sends by this client.
   *
   * @param content what a delivery says; empty if there is nothing to tell any more
   * @param timeout from the first name to the end of what is read of the answer
   * @param stop once it is true nobody waits for answers any more
   */
  WebhookPost(
      FetchClient client,
      EndpointSecrets secrets,
      Function<Claim, Optional<String>> content,
      Duration timeout,
      BooleanSupplier stop) {
    this.client = client;
    this.secrets = secrets;
    this.content = content;
    this.limits =
        new FetchLimits(
            timeout.compareTo(CONNECT) < 0 ? timeout : CONNECT,
            timeout,
            timeout,
            timeout,
            ANY_LENGTH,
            0);
    this.stop = stop;
  }

  /**
   * What came back.
   *
   * @param rest what the other side asks for
   * @param stopped true if we gave up waiting because this node stops
   */
  record Reply(Answer answer, Optional<Duration> rest, boolean stopped) {

    boolean taken() {
      Integer status = answer.status();
      return status != null && status / 100 == 2;
    }

    /** True if there is nothing to tell any more, however often it is tried. */
    boolean pointless() {
      return GONE.equals(answer.error());
    }

    boolean gone() {
      Integer status = answer.status();
      return status != null && status == 410;
    }

    Duration took() {
      return Duration.ofMillis(answer.millis());
    }
  }

  Reply send(Claim claim) {
    long start = System.nanoTime();
    List<String> objections = PayloadRules.objections(claim.content().payload());
    if (!objections.isEmpty()) {
      return failure(start, "Not sent: by the privacy rules, " + objections.getFirst() + ".");
    }
    List<String> signing = secrets.of(claim);
    if (signing.isEmpty()) {
      return failure(
          start,
          "Not sent: this node can't sign. Its signing secret is not the one that the endpoint was"
              + " made with; give every node the same, or rotate the endpoint's secret.");
    }
    Optional<String> told = content.apply(claim);
    if (told.isEmpty()) {
      return failure(start, GONE);
    }
    byte[] body = told.get().getBytes(UTF_8);
    FetchRequest request =
        FetchRequest.post(claim.target().url(), "application/json", body)
            .header("User-Agent", "Millrace-Webhooks")
            .within(limits)
            .stopWhen(stop);
    Signature.headers(signing, claim.content().message(), claim.at(), body)
        .forEach(request::header);
    try (FetchStream stream = client.open(request)) {
      return new Reply(
          new Answer(millis(start), stream.status(), null, excerpt(stream)),
          stream.headers().retryAfter(),
          false);
    } catch (FetchTrouble e) {
      boolean stopped = e.trouble() instanceof FetchResult.Stopped;
      return new Reply(
          new Answer(millis(start), null, words(e.trouble()), null), Optional.empty(), stopped);
    }
  }

  private static Reply failure(long start, String error) {
    return new Reply(new Answer(millis(start), null, error, null), Optional.empty(), false);
  }

  private static int millis(long start) {
    return Math.toIntExact(Math.max(0, (System.nanoTime() - start) / 1_000_000));
  }

  /** The status says all that counts; a body that breaks off changes nothing. */
  private static @Nullable String excerpt(FetchStream stream) {
    try {
      byte[] bytes = stream.body().readNBytes(EXCERPT);
      return bytes.length == 0 ? null : printable(new String(bytes, UTF_8));
    } catch (IOException e) {
      return null;
    }
  }

  private static String printable(String text) {
    StringBuilder kept = new StringBuilder();
    text.codePoints()
        .map(c -> Character.isISOControl(c) && c != '\n' && c != '\t' ? '\ufffd' : c)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static String words(FetchResult.Trouble trouble) {
    return switch (trouble) {
      case FetchResult.Refused(var reason) -> "Not sent: " + reason.text() + ".";
      case FetchResult.TimedOut _ -> "No answer in time.";
      case FetchResult.TooLarge _ -> "The answer's headers are too large.";
      case FetchResult.Unreachable(var gap) -> "No answer: " + gap.text() + ".";
      case FetchResult.Stopped _ -> "This node stopped.";
    };
  }
}
