package dev.millrace.service.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.jobs.Offers;
import dev.millrace.spi.provider.Order;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Writes what a service gets to see of an attempt. */
public final class Orders {

  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  private final Offers offers;
  private final @Nullable URI publicUrl;

  /**
   * @param publicUrl how services reach this server; null if they can't
   */
  public Orders(Offers offers, @Nullable URI publicUrl) {
    this.offers = offers;
    this.publicUrl = publicUrl;
  }

  /** What is the same for all orders of one job. */
  record Content(int workflowId, int runSeconds, Map<String, Object> input) {}

  Order order(String provider, Turn turn, Instant intendedAt, Content content) {
    String intent = Intent.of(turn).toString();
    return new Order(
        intent,
        turn.jobId(),
        turn.attempt(),
        offers
            .workflow(content.workflowId)
            .map(queue -> queue.workflow())
            .map(workflow -> workflow.recipe().settings())
            .orElse(Map.of()),
        content.input,
        callback(provider, intent),
        intendedAt,
        Optional.of(Duration.ofSeconds(content.runSeconds)));
  }

  Order order(HandoverView work) {
    return order(work.provider(), turn(work), work.intendedAt(), content(work));
  }

  static Content content(HandoverView work) {
    return new Content(work.job().workflowId(), work.job().runSeconds(), input(work.job().input()));
  }

  static Turn turn(HandoverView work) {
    return new Turn(
        new JobId(work.job().tenantId(), work.job().jobId()), work.attempt(), work.token());
  }

  /**
   * A job's input as plain values.
   *
   * @throws JacksonException if it is not an object
   */
  public static Map<String, Object> input(String json) {
    return JsonMapper.shared().readValue(json, OBJECT);
  }

  private Optional<URI> callback(String provider, String intent) {
    return publicUrl == null
        ? Optional.empty()
        : Optional.of(URI.create(publicUrl + "/callbacks/" + provider + "/" + intent));
  }
}
