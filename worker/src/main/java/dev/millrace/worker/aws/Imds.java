package dev.millrace.worker.aws;

import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The instance metadata service, version 2: a token first, then questions. */
public final class Imds {

  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final String TTL_SECONDS = "21600";

  private final Web web;
  private final URI base;
  private String token = "";

  public Imds(Web web, URI base) {
    this.web = web;
    this.base = base;
  }

  /**
   * Whether this is an EC2 instance, as far as that can be told within the time. An instance that
   * boots has its metadata service a while later than its first programs.
   */
  public boolean present(Duration patience) throws InterruptedException {
    try {
      patiently(
          patience,
          () -> {
            renew();
            return true;
          });
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** As {@link #get}, but asks again until there is an answer or the time is over. */
  public Optional<String> get(String path, Duration patience)
      throws IOException, InterruptedException {
    return patiently(patience, () -> get(path));
  }

  /** A question. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  private static <T> T patiently(Duration patience, Question<T> question)
      throws IOException, InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return question.ask();
      } catch (IOException e) {
        if (System.nanoTime() - until >= 0) {
          throw e;
        }
        Thread.sleep(backoff.next());
      }
    }
  }

  /**
   * What the service says.
   *
   * @param path such as {@code meta-data/instance-id}
   * @return empty if there is no such thing, or not yet
   * @throws IOException if the service can't be asked
   */
  public Optional<String> get(String path) throws IOException, InterruptedException {
    Answer answer = ask(path);
    if (answer.status() == 401) {
      renew();
      answer = ask(path);
    }
    if (answer.status() == 404) {
      return Optional.empty();
    }
    if (answer.status() != 200) {
      throw new IOException("the metadata service answered " + answer.status());
    }
    return Optional.of(answer.text().strip());
  }

  private Answer ask(String path) throws Unreachable, InterruptedException {
    return web.get(at(path), Map.of("X-aws-ec2-metadata-token", token), LIMIT);
  }

  private void renew() throws IOException, InterruptedException {
    Answer answer =
        web.send(
            "PUT",
            at("api/token"),
            Map.of("X-aws-ec2-metadata-token-ttl-seconds", TTL_SECONDS),
            BodyPublishers.noBody(),
            LIMIT);
    if (answer.status() != 200) {
      throw new IOException("the metadata service gave no token: " + answer.status());
    }
    token = answer.text().strip();
  }

  private URI at(String path) {
    return URI.create(base + "/latest/" + path);
  }
}
