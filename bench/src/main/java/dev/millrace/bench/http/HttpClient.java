package dev.millrace.bench.http;

import dev.millrace.bench.http.RawHttp.Answer;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A product and a worker in one, on one connection. */
public final class HttpClient implements AutoCloseable {

  private static final String PROMPT =
      "a photo of a lighthouse on a cliff at dawn, soft light, long exposure, wide angle, film,"
          + " detailed clouds, seed 123456789, thirty steps, upscaled twice, no people, no text";

  private final RawHttp wire;
  private final int users;
  private final String workflow;
  private final String authorization;
  private String poll = "";
  private String heartbeat = "";
  private String complete = "";

  /**
   * Connects.
   *
   * @param queue which of the workflows it submits to and works on
   */
  public HttpClient(ServerProcess server, int queue) throws IOException {
    this.wire = new RawHttp(server.port());
    this.users = server.users().size();
    this.workflow = "bench-" + queue;
    this.authorization = server.authorization();
  }

  /** A job that a worker holds. */
  public record Held(String job, String token) {}

  /** Answers the job's id. */
  public String submit() throws IOException {
    int user = ThreadLocalRandom.current().nextInt(users);
    String body =
        "{\"effect\":\"%s\",\"user\":\"user-%d\",\"input\":{\"prompt\":\"%s\"}}"
            .formatted(workflow, user, PROMPT);
    String head =
        RawHttp.head("POST", "/api/jobs", authorization, "Idempotency-Key: " + UUID.randomUUID());
    return wire.post(head, body).require(201).text("id");
  }

  /** Becomes a worker of its workflow. */
  public void register(String name, String secret) throws IOException {
    String body =
        "{\"worker_id\":\"%s\",\"workflow_slugs\":[\"%s\"],\"max_concurrency\":1}"
            .formatted(name, workflow);
    Answer answer =
        wire.post(RawHttp.head("POST", "/api/worker/register", "X-Fleet-Secret: " + secret), body);
    String bearer = "Authorization: Bearer " + answer.require(201).text("token");
    poll = RawHttp.head("POST", "/api/worker/poll", bearer);
    heartbeat = RawHttp.head("POST", "/api/worker/heartbeat", bearer);
    complete = RawHttp.head("POST", "/api/worker/complete", bearer);
  }

  /** Waits for a job, as often as it takes. */
  public Held poll() throws IOException {
    while (true) {
      Answer answer = wire.post(poll, "{\"max\":1,\"wait\":30}").require(200);
      if (answer.has("lease_token")) {
        return new Held(answer.text("job_id"), answer.text("lease_token"));
      }
    }
  }

  public void heartbeat(Held held) throws IOException {
    String body =
        "{\"job_id\":\"%s\",\"lease_token\":\"%s\",\"progress\":50,\"step\":\"sampling\"}"
            .formatted(held.job(), held.token());
    wire.post(heartbeat, body).require(200);
  }

  public void complete(Held held) throws IOException {
    String body =
        """
        {"job_id":"%s","lease_token":"%s","outputs":[{"text":"a lighthouse","media_type":"text/plain"}]}\
        """
            .formatted(held.job(), held.token());
    wire.post(complete, body).require(200);
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
