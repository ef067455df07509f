package dev.millrace.server.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A catalogue with workflows for pull workers, and workers that speak the protocol. */
public final class FleetRig {

  private static final int MOST_TRIES = 30;
  public static final String SECRET = "the-secret-of-the-fleet-is-32-long";

  private FleetRig() {}

  /** Starts a server with the workflows upscale, caption (of the provider comfyui) and retired. */
  public static ServerRig start(Path folder, String... settings) {
    return ServerRig.start(folder, settings(folder, settings));
  }

  public static String[] settings(Path folder, String... settings) {
    Path catalogue = folder.resolve("catalogue");
    write(catalogue, "upscale", "");
    write(catalogue, "caption", "provider: comfyui");
    write(catalogue, "retired", "active: false");
    String[] all = new String[settings.length + 3];
    all[0] = "CATALOGUE_DIR=" + catalogue;
    all[1] = "FLEET_SECRET=" + SECRET;
    all[2] = "WELCOME_CREDITS=100000";
    System.arraycopy(settings, 0, all, 3, settings.length);
    return all;
  }

  private static void write(Path catalogue, String workflow, String more) {
    try {
      Files.createDirectories(catalogue);
      Files.writeString(
          catalogue.resolve(workflow + ".yaml"),
          """
          workflow: %1$s
          version: 3
          title: A workflow for workers
          executor: worker
          %2$s
          properties:
            prompt: {type: string, minLength: 1, maxLength: 100}
          required: [prompt]
          effects:
            - {effect: %1$s/one, title: One, credits_cost: 2, retry: {max_failures: 2, max_interruptions: 3}}
            - {effect: %1$s/reviewed, title: Reviewed, credits_cost: 2, review: required}
          """
              .formatted(workflow, more));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Answer register(Client client, String secret, String json) {
    return client.with(null).post("/api/worker/register", json, "X-Fleet-Secret", secret);
  }

  /** A registered worker's client. */
  public static Worker worker(Client client, String id, int slots, String... slugs) {
    String json =
        "{\"worker_id\":\"%s\",\"max_concurrency\":%d,\"workflow_slugs\":[\"%s\"]}"
            .formatted(id, slots, String.join("\",\"", slugs));
    Answer answer = register(client, SECRET, json);
    // Workers register one after the other, and may have to come again.
    for (int i = 0; i < MOST_TRIES && answer.status() == 503; i++) {
      answer = register(client, SECRET, json);
    }
    return new Worker(client.with(answer.expect(201).at("/token")));
  }

  /** One that speaks the protocol. */
  public record Worker(Client client) {

    public Answer call(String verb, String json) {
      return client.post("/api/worker/" + verb, json);
    }

    public Answer poll(int max, int wait) {
      return call("poll", "{\"max\":%d,\"wait\":%d}".formatted(max, wait));
    }

    /** The one job that there is for it now. */
    public Work lease() {
      return new Work(this, poll(1, 20).expect(200).json().at("/jobs/0"));
    }
  }

  /** A job that a worker holds. */
  public record Work(Worker worker, JsonNode job) {

    public String id() {
      return job.path("job_id").asString();
    }

    public String token() {
      return job.path("lease_token").asString();
    }

    /** Reports on it, with more fields such as {@code "progress":40}. */
    public Answer tell(String verb, String... more) {
      return worker.call(
          verb,
          "{\"job_id\":\"%s\",\"lease_token\":\"%s\"%s}"
              .formatted(id(), token(), more.length == 0 ? "" : "," + String.join(",", more)));
    }

    public Answer complete(String text) {
      return tell("complete", "\"outputs\":[{\"text\":\"%s\"}]".formatted(text));
    }
  }
}
