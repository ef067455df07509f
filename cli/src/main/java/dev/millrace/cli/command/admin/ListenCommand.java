package dev.millrace.cli.command.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.service.webhooks.Signature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "listen",
    description = "Forward events to a program on this machine, signed as webhooks are (admins).")
public final class ListenCommand implements CommandAction {

  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final int SECRET_BYTES = 32;
  private static final int WAIT_SECONDS = 20;

  @Option(
      names = "--forward-to",
      required = true,
      paramLabel = "URL",
      description = "Such as http://localhost:3000/hooks.")
  private String target = "";

  @Option(
      names = "--events",
      paramLabel = "TYPE",
      description = "Such as job.completed,job.failed, or * for all; the ends of jobs if left out.")
  private @Nullable String events;

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      description = "Sign with this one (whsec_...); otherwise with a new one, which is printed.")
  private @Nullable String secret;

  @Option(names = "--count", paramLabel = "N", description = "End after N events.")
  private int count = Integer.MAX_VALUE;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    URI forwardTo = target();
    String signing = secret == null ? fresh() : secret;
    String filter = events == null ? "" : "&events=" + ServerApi.segment(events);
    String cursor = ApiJson.text(session.api().get("/api/admin/events"), "next_cursor");
    if (secret == null) {
      session.say("Signed with " + signing);
    }
    session.say("Forwarding to " + forwardTo + ". Ctrl-C ends it.");
    int forwarded = 0;
    try (HttpClient http = client()) {
      while (true) {
        JsonNode page =
            session
                .api()
                .getPatiently(
                    "/api/admin/events?wait=%d&cursor=%s%s"
                        .formatted(WAIT_SECONDS, ServerApi.segment(cursor), filter));
        for (JsonNode event : page.path("items")) {
          forward(session, http, request(session, forwardTo, signing, event), event);
          forwarded++;
          if (forwarded >= count) {
            return ExitCode.OK;
          }
        }
        cursor = ApiJson.text(page, "next_cursor");
      }
    }
  }

  private URI target() {
    try {
      URI uri = URI.create(target);
      if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException _) {
      // Said below.
    }
    throw new CommandFailure(
        ExitCode.USAGE, "--forward-to must be a URL like http://localhost:3000/.");
  }

  private static String fresh() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Signature.secret(bytes);
  }

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(ANSWER)
        .followRedirects(HttpClient.Redirect.NEVER)
        .build();
  }

  private static HttpRequest request(Session session, URI target, String secret, JsonNode event) {
    byte[] body = ApiJson.line(event.path("payload")).getBytes(UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("User-Agent", "Millrace-Webhooks")
            .POST(BodyPublishers.ofByteArray(body));
    try {
      Signature.headers(
              List.of(secret),
              ApiJson.text(event, "id"),
              session.surroundings().clock().instant(),
              body)
          .forEach(request::header);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--secret must be base64, with whsec_ before it.");
    }
    return request.build();
  }

  private static void forward(Session session, HttpClient http, HttpRequest request, JsonNode event)
      throws InterruptedException {
    long start = System.nanoTime();
    String answer;
    try {
      answer = Integer.toString(http.send(request, BodyHandlers.discarding()).statusCode());
    } catch (IOException e) {
      answer = "no answer";
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (session.format() == Format.TABLE) {
      JsonNode payload = event.path("payload");
      session.print(
          "%s  %s  %s  %s (%d ms)"
              .formatted(
                  ApiJson.text(payload, "timestamp"),
                  ApiJson.text(payload, "type"),
                  ApiJson.text(payload.path("data"), "job_id"),
                  answer,
                  millis));
    } else {
      session.print(
          ApiJson.object()
              .put("id", ApiJson.text(event, "id"))
              .put("answer", answer)
              .put("millis", millis)
              .set("payload", event.path("payload")));
    }
  }
}
