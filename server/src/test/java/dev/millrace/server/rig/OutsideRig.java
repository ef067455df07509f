package dev.millrace.server.rig;

import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.fal.FalDouble;
import dev.millrace.testkit.net.KeptPort;
import dev.millrace.testkit.outside.StandardSignature;
import dev.millrace.testkit.replicate.ReplicateDouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A server whose jobs run at doubles of Replicate and fal, which can call it back. */
public final class OutsideRig implements AutoCloseable {

  private static final int MOST_RUNS = 20;

  public static final String PICTURE =
      "data:text/plain;base64,"
          + Base64.getEncoder().encodeToString("a picture".getBytes(StandardCharsets.UTF_8));

  private static final String WORKFLOW =
      """
      workflow: poster
      title: Poster
      executor: replicate
      settings:
        model: acme/poster
      properties:
        prompt: {type: string, title: Prompt}
        photo: {type: file, title: Photo}
      required: [prompt]
      effects:
        - effect: poster
          title: Poster
          credits_cost: 3
      """;

  private static final String CLIP =
      """
      workflow: clip
      title: Clip
      executor: fal
      settings:
        model: fal-ai/flux/dev
      properties:
        prompt: {type: string, title: Prompt}
      required: [prompt]
      effects:
        - effect: clip
          title: Clip
          credits_cost: 2
      """;

  private final FalDouble fal = FalDouble.start(InstantSource.system());
  private final ReplicateDouble replicate = ReplicateDouble.start(InstantSource.system());
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;
  private final String[] settings;
  private final ServerRig rig;

  private OutsideRig(Path folder, boolean reachable, String... more) {
    try {
      Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
      Files.writeString(catalogue.resolve("poster.yaml"), WORKFLOW);
      Files.writeString(catalogue.resolve("clip.yaml"), CLIP);
      port = KeptPort.next();
      settings =
          Stream.concat(
                  Stream.of(
                      "HTTP_PORT=" + port,
                      "CATALOGUE_DIR=" + catalogue,
                      "REPLICATE_URL=" + replicate.api(),
                      "REPLICATE_API_TOKEN=" + ReplicateDouble.TOKEN,
                      "REPLICATE_WEBHOOK_SECRETS=" + ReplicateDouble.SECRET,
                      "FAL_URL=" + fal.address(),
                      "FAL_JWKS_URL=" + fal.jwks(),
                      "FAL_API_KEY=" + FalDouble.KEY,
                      reachable ? "HTTP_PUBLIC_URL=http://127.0.0.1:" + port : "LOG_FORMAT=json"),
                  Stream.of(more))
              .toArray(String[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rig = ServerRig.start(folder, settings);
  }

  public static OutsideRig start(Path folder, String... more) {
    return new OutsideRig(folder, true, more);
  }

  /** One that nobody outside can call. */
  public static OutsideRig unreachable(Path folder, String... more) {
    return new OutsideRig(folder, false, more);
  }

  public ServerRig rig() {
    return rig;
  }

  public Client client() {
    return rig.admin();
  }

  public ReplicateDouble replicate() {
    return replicate;
  }

  public FalDouble fal() {
    return fal;
  }

  public void restart() {
    rig.restart();
  }

  public String submitted() {
    return client().asked("poster", "\"prompt\":\"a cat\"");
  }

  /** The reference of the newest work there, as soon as there is so much. */
  public String reference(int bill) {
    return await().until(() -> replicate.references(), all -> all.size() >= bill).get(bill - 1);
  }

  /**
   * Lets the settling time of all services pass for submits that nobody has heard of for so long,
   * and has the services asked now.
   */
  public void settle(Duration quiet) {
    meddle(
        """
        update attempt
        set unconfirmed_at = unconfirmed_at - interval '1 hour'
        where unconfirmed_at < clock_timestamp() - %1$d * interval '1 ms'
          and unconfirmed_at > clock_timestamp() - interval '10 min'
          and reference is null
          and ended_at is null;
        update attempt e
        set started_at = e.started_at - interval '1 hour',
            intent_at = e.intent_at - interval '1 hour',
            ended_at = e.ended_at - interval '1 hour'
        from attempt a
        where a.outcome in ('lease_lost', 'requeued')
          and a.ended_at < clock_timestamp() - %1$d * interval '1 ms'
          and a.ended_at > clock_timestamp() - interval '10 min'
          and a.reference is null
          and e.tenant_id = a.tenant_id
          and e.job_id = a.job_id
          and e.number <= a.number;
        update dispatch d
        set ask_at = clock_timestamp()
        from attempt a
        where a.tenant_id = d.tenant_id
          and a.job_id = d.job_id
          and a.token = d.lease_token
          and a.unconfirmed_at < clock_timestamp() - interval '10 min'
          and a.reference is null
          and d.ask_at > clock_timestamp()
          and d.asking_until is null
        """
            .formatted(quiet.toMillis()));
  }

  /** The deadline of a job, or of all that wait for a service without a reference, has come. */
  public void expire(String condition) {
    meddle(
        """
        update job set deadline_at = clock_timestamp()
        where state = 'submitted' and (%1$s);
        update dispatch d set deadline_at = j.deadline_at
        from job j
        where j.tenant_id = d.tenant_id
          and j.id = d.job_id
          and j.deadline_at is distinct from d.deadline_at
        """
            .formatted(condition));
  }

  /** Everything that was handed over was so an hour ago. */
  public void age() {
    rig.database()
        .execute(
            """
            update attempt
            set started_at = started_at - interval '1 hour',
                intent_at = intent_at - interval '1 hour'
            """);
  }

  /** Has whatever is out asked about at once. */
  public void askNow() {
    meddle("update dispatch set ask_at = clock_timestamp() where asking_until is null");
  }

  /**
   * Changes rows of a server at work. This takes its locks in any order, so whenever it and the
   * server would wait for each other, it begins again.
   */
  public void meddle(String sql) {
    for (int run = 1; ; run++) {
      try {
        rig.database().execute(sql);
        return;
      } catch (IllegalStateException e) {
        if (run == MOST_RUNS || !String.valueOf(e.getMessage()).contains("deadlock detected")) {
          throw e;
        }
      }
    }
  }

  public static JsonNode picture() {
    return JsonNodeFactory.instance.arrayNode().add(PICTURE);
  }

  /** What Replicate would send about this reference. */
  public static String news(String reference, String status) {
    return """
    {"id":"%s","status":"%s","output":["%s"],"urls":{},"input":{},"error":null,\
    "created_at":"2026-01-01T00:00:00Z"}
    """
        .formatted(reference, status, PICTURE);
  }

  public int call(String event, Instant at, String body) {
    String timestamp = String.valueOf(at.getEpochSecond());
    return call(
        event,
        timestamp,
        StandardSignature.of(ReplicateDouble.SECRET, event, timestamp, body),
        body);
  }

  public int call(String event, String timestamp, String signature, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + "/callbacks/replicate/nobody-knows"))
            .header("Content-Type", "application/json")
            .header("webhook-id", event)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What is in the inbox: verdicts with their number of deliveries. */
  public List<String> inbox() {
    String all =
        rig.ask(
            "select coalesce(string_agg(verdict || ' x' || deliveries, ', ' order by event), '')"
                + " from inbox");
    return all.isEmpty() ? List.of() : List.of(all.split(", ", -1));
  }

  @Override
  public void close() {
    rig.close();
    replicate.close();
    fal.close();
    http.shutdownNow();
  }
}
