package dev.millrace.worker.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.aws.FakeAutoScaling;
import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** What AWS says reaches the worker, and what the worker wants reaches AWS. */
class SpotTest {

  private final FakeImds metadata = new FakeImds();
  private final FakeAutoScaling scaling = new FakeAutoScaling(FakeImds.INSTANCE);
  private final Web web = new Web();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final WorkerLog log =
      new WorkerLog(
          WorkerLog.Look.TEXT,
          new PrintStream(text, true, StandardCharsets.UTF_8),
          Clock.systemUTC());
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    metadata.close();
    scaling.close();
    web.close();
  }

  @Test
  void the_metadata_service_is_asked_with_a_token_that_is_renewed() throws Exception {
    Imds imds = new Imds(web, metadata.url());
    assertThat(imds.present(Duration.ofMinutes(1))).isTrue();
    assertThat(told(imds, "meta-data/instance-id")).contains(FakeImds.INSTANCE);
    metadata.endTokens();
    assertThat(told(imds, "meta-data/placement/region")).contains("us-east-1");
    assertThat(told(imds, "meta-data/spot/instance-action")).isEmpty();
  }

  /** What the service says, as soon as it does: it has two seconds, and a machine may need more. */
  private static Optional<String> told(Imds imds, String path) {
    return await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> imds.get(path), _ -> true);
  }

  @Test
  void elsewhere_there_is_no_metadata_service() throws Exception {
    metadata.die();
    assertThat(new Imds(web, metadata.url()).present(Duration.ZERO)).isFalse();
    assertThat(new Imds(web, URI.create("http://127.0.0.1:9")).present(Duration.ZERO)).isFalse();
  }

  @Test
  void a_metadata_service_that_comes_late_is_waited_for() throws Exception {
    metadata.die();
    Imds imds = new Imds(web, metadata.url());
    Thread.ofVirtual()
        .start(() -> {
          // Only once it was asked in vain, which the log of nobody tells.
          await().pollDelay(Duration.ofMillis(500)).until(() -> true);
          metadata.comeBack();
        });
    assertThat(imds.present(Duration.ofMinutes(1))).isTrue();
    assertThat(imds.get("meta-data/instance-id", Duration.ofMinutes(1)))
        .contains(FakeImds.INSTANCE);
  }

  @Test
  void a_rebalance_and_then_an_interruption_are_heard_once_each() {
    try (SpotWatch watch = watch()) {
      metadata.recommendRebalance();
      await().until(() -> heard.contains("rebalance"));
      metadata.interrupt();
      await().until(() -> heard.contains("interrupted"));
      assertThat(heard).containsExactly("rebalance", "interrupted");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void a_metadata_service_that_is_away_for_a_while_is_asked_again() {
    try (SpotWatch watch = watch()) {
      metadata.die();
      await().until(() -> text.toString(StandardCharsets.UTF_8).contains("spot.cannot_look"));
      metadata.interrupt();
      metadata.comeBack();
      await().until(() -> heard.contains("interrupted"));
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void protection_is_on_while_jobs_run_and_off_while_none_do() {
    try (Protection protection = new Protection(scaleIn(), Duration.ZERO, log)) {
      await().until(() -> scaling.protections().equals(List.of(false)));
      protection.running(1);
      await().until(() -> scaling.protections().equals(List.of(false, true)));
      protection.running(2);
      protection.running(0);
      await().until(() -> scaling.protections().equals(List.of(false, true, false)));
    }
  }

  @Test
  void a_worker_that_ends_lets_its_instance_go() {
    Protection protection = new Protection(scaleIn(), Duration.ofHours(1), log);
    protection.running(1);
    await().until(() -> scaling.protections().contains(true));
    protection.close();
    assertThat(scaling.protections()).endsWith(false);
  }

  @Test
  void what_aws_refuses_is_asked_again() {
    scaling.fail(8);
    try (Protection protection = new Protection(scaleIn(), Duration.ZERO, log)) {
      protection.running(1);
      await().until(() -> scaling.protections().contains(true));
    }
  }

  private ScaleIn scaleIn() {
    StaticCredentialsProvider credentials =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIATEST", "secret"));
    return ScaleIn.of(FakeImds.INSTANCE, Optional.empty(), "us-east-1", scaling.url(), credentials);
  }

  private SpotWatch watch() {
    return new SpotWatch(
        new Imds(web, metadata.url()),
        Duration.ofMillis(20),
        Optional.empty(),
        new SpotWatch.Listener() {
          @Override
          public void interrupted() {
            heard.add("interrupted");
          }

          @Override
          public void rebalance() {
            heard.add("rebalance");
          }
        },
        log);
  }
}
