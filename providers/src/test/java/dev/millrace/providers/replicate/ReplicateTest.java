package dev.millrace.providers.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Verification;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.Postbox;
import dev.millrace.testkit.outside.Trouble;
import dev.millrace.testkit.outside.Webhooks;
import dev.millrace.testkit.replicate.ReplicateDouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is Replicate's own: its three kinds of model, its headers, its list, its secrets. */
class ReplicateTest {

  private static final String VERSION =
      "5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa";
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final String FRESH = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";

  private final HandClock clock = new HandClock();
  private final ReplicateRig rig = new ReplicateRig(clock);
  private final ReplicateDouble service = rig.replicate();
  private final AsyncProvider provider = rig.provider(PATIENT);
  private final Postbox postbox = new Postbox();

  @AfterEach
  void closeTheService() {
    service.close();
    postbox.close();
  }

  private Order order(String intent, Map<String, Object> settings, boolean callback) {
    return new Order(
        intent,
        "job_test",
        1,
        settings,
        Map.of("prompt", "a cat"),
        callback ? Optional.of(postbox.address(intent)) : Optional.empty(),
        clock.instant(),
        Optional.of(Duration.ofMinutes(30)));
  }

  private Order order(String intent) {
    return order(intent, rig.settings(), true);
  }

  private Asked create(Map<String, Object> settings) throws InterruptedException {
    assertThat(provider.mistakes(settings)).isEmpty();
    assertThat(provider.submit(order("int_0001", settings, true)))
        .isInstanceOf(Submission.Accepted.class);
    return service.asked().getLast();
  }

  @Test
  void versions_official_models_and_deployments_have_their_own_paths() throws InterruptedException {
    assertThat(create(Map.of("version", VERSION)))
        .satisfies(asked -> {
          assertThat(asked.path()).isEqualTo("/v1/predictions");
          assertThat(asked.body()).contains("\"version\":\"" + VERSION + "\"");
        });
    assertThat(create(Map.of("model", "a/b:" + VERSION)).path()).isEqualTo("/v1/predictions");
    assertThat(create(Map.of("model", "meta/llama-3")).path())
        .isEqualTo("/v1/models/meta/llama-3/predictions");
    assertThat(create(Map.of("deployment", "acme/my-app")).path())
        .isEqualTo("/v1/deployments/acme/my-app/predictions");
  }

  @Test
  void a_create_asks_for_webhooks_and_ends_with_the_jobs_own_deadline()
      throws InterruptedException {
    Asked asked = create(Map.of("model", "a/b"));
    JsonNode body = JsonMapper.shared().readTree(asked.body());

    assertThat(body.path("webhook").asString()).endsWith("/int_0001");
    assertThat(body.path("webhook_events_filter").toString())
        .isEqualTo("[\"start\",\"completed\"]");
    assertThat(asked.header("cancel-after")).contains("1800s");
    assertThat(asked.header("prefer")).isEmpty();
    assertThat(asked.header("authorization")).contains("Bearer " + ReplicateDouble.TOKEN);
  }

  @Test
  void a_quick_model_can_be_waited_for() throws InterruptedException {
    service.sends(Webhooks.EARLY);
    Submission submission =
        provider.submit(order("int_0001", Map.of("model", "a/b", "wait_seconds", 5), true));

    assertThat(service.asked().getLast().header("prefer")).contains("wait=5");
    assertThat(submission).isInstanceOf(Submission.Finished.class);
    assertThat(((Submission.Finished) submission).outcome()).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void all_mistakes_in_settings_are_named() throws InterruptedException {
    Map<String, Object> wrong =
        Map.of(
            "modle", "a/b",
            "version", "latest",
            "deployment", "../x",
            "wait_seconds", 61,
            "webhook_events", List.of("start"));

    assertThat(provider.mistakes(wrong))
        .hasSize(6)
        .anySatisfy(mistake -> assertThat(mistake).startsWith("modle is not a setting"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("exactly one of"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("version must"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("deployment must"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("wait_seconds must"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("webhook_events must"));
    assertThat(((Submission.Declined) provider.submit(order("int_0001", wrong, true))).outcome())
        .isInstanceOf(Outcome.Failed.class);
    assertThat(service.asked()).isEmpty();
  }

  @Test
  void work_that_was_aborted_or_whose_output_is_gone_may_be_tried_again()
      throws InterruptedException {
    Order order = order("int_0001");
    provider.submit(order);
    provider.submit(order("int_0002"));
    List<String> references = service.references();
    service.abort(references.getFirst());
    service.succeed(references.getLast());
    service.removeData(references.getLast());

    for (String reference : references) {
      assertThat(((Standing.Ended) provider.collect(order, reference)).outcome())
          .isInstanceOf(Outcome.Unavailable.class);
    }
  }

  @Test
  void lost_work_is_found_on_a_later_page() throws InterruptedException {
    service.pageSize(2);
    Order order = order("int_lost_1");
    service.onSubmit(Trouble.CUT_AFTER);
    provider.submit(order);
    for (int i = 0; i < 7; i++) {
      provider.submit(order("int_other_" + i));
    }

    assertThat(provider.find(order)).isEqualTo(new Finding.Found(service.references().getFirst()));
  }

  @Test
  void older_predictions_end_the_search() throws InterruptedException {
    service.pageSize(1);
    for (int i = 0; i < 5; i++) {
      provider.submit(order("int_other_" + i));
    }
    clock.advance(Duration.ofMinutes(10));
    Order order = order("int_lost_1");
    clock.advance(Duration.ofMinutes(2));
    int before = service.asked().size();

    assertThat(provider.find(order)).isEqualTo(new Finding.Absent());
    assertThat(service.asked()).hasSize(before + 1);
  }

  @Test
  void a_prediction_that_does_not_tell_its_webhook_might_be_ours() throws InterruptedException {
    service.tellsWebhooks(false);
    Order order = order("int_lost_1");
    service.onSubmit(Trouble.CUT_AFTER);
    provider.submit(order);
    clock.advance(Duration.ofMinutes(2));

    assertThat(provider.find(order)).isInstanceOf(Finding.Unknown.class);
  }

  @Test
  void a_prediction_with_plainly_other_input_is_not_ours() throws InterruptedException {
    service.tellsWebhooks(false);
    provider.submit(order("int_other_1"));
    Order order =
        new Order(
            "int_lost_1",
            "job_test",
            1,
            rig.settings(),
            Map.of("prompt", "a dog"),
            Optional.empty(),
            clock.instant(),
            Optional.empty());
    clock.advance(Duration.ofMinutes(2));

    assertThat(provider.find(order)).isEqualTo(new Finding.Absent());
  }

  @Test
  void without_a_secret_the_accounts_own_is_asked_for_and_asked_again_when_replaced()
      throws InterruptedException {
    AsyncProvider asking = rig.provider(PATIENT, List.of());
    provider.submit(order("int_0001"));
    provider.submit(order("int_0002"));
    service.succeed(service.references().getFirst());
    assertThat(verify(asking, 0)).isInstanceOf(Verification.Genuine.class);

    service.secret(FRESH);
    clock.advance(Duration.ofMinutes(2));
    service.succeed(service.references().getLast());

    assertThat(verify(asking, 1)).isInstanceOf(Verification.Genuine.class);
    // The first one's signature is old now, and forgeries must not lead to more questions.
    int before = service.asked().size();
    for (int i = 0; i < 10; i++) {
      assertThat(verify(asking, 0)).isInstanceOf(Verification.Refused.class);
    }
    assertThat(service.asked()).hasSize(before);
  }

  private Verification verify(AsyncProvider by, int letter) throws InterruptedException {
    Postbox.Letter taken = postbox.letters().get(letter);
    return by.verify(taken.headers(), taken.body());
  }

  @Test
  void without_any_secret_no_call_is_believed() throws InterruptedException {
    AsyncProvider asking = rig.provider(PATIENT, List.of());
    provider.submit(order("int_0001"));
    service.succeed(service.references().getFirst());
    service.onQuestion(Trouble.BROKEN);

    assertThat(((Verification.Refused) verify(asking, 0)).reason())
        .isEqualTo(Verification.Reason.NO_KEYS);
  }

  @Test
  void the_token_is_in_no_text_about_the_account() {
    assertThat(ReplicateAccount.of("r8_secret", List.of(FRESH)).toString())
        .doesNotContain("r8_secret", FRESH);
  }
}
