package dev.millrace.providers.fal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Verification;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.fal.FalDouble;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.Postbox;
import dev.millrace.testkit.outside.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is the queue's own: its paths, its errors, its keys. */
class FalTest {

  private final HandClock clock = new HandClock();
  private final FalRig rig = new FalRig(clock);
  private final FalDouble service = rig.fal();
  private final AsyncProvider provider = rig.provider(Duration.ofSeconds(20));
  private final Postbox postbox = new Postbox();

  @AfterEach
  void closeTheService() {
    service.close();
    postbox.close();
  }

  private Order order(Map<String, Object> settings) {
    return new Order(
        "int_0001",
        "job_test",
        1,
        settings,
        Map.of("prompt", "a cat"),
        Optional.of(postbox.address("int_0001")),
        clock.instant(),
        Optional.of(Duration.ofMinutes(30)));
  }

  private String submitted() throws InterruptedException {
    return ((Submission.Accepted) provider.submit(order(rig.settings()))).reference();
  }

  private long questionsForKeys() {
    return service.asked().stream().filter(asked -> asked.path().endsWith("jwks.json")).count();
  }

  @Test
  void a_submit_has_the_whole_model_and_a_question_only_its_app() throws InterruptedException {
    Order order = order(Map.of("model", "fal-ai/flux/dev", "priority", "low"));
    String reference = ((Submission.Accepted) provider.submit(order)).reference();
    provider.collect(order, reference);

    Asked submit = service.asked().getFirst();
    assertThat(submit.path()).isEqualTo("/fal-ai/flux/dev");
    assertThat(submit.body()).isEqualTo("{\"prompt\":\"a cat\"}");
    assertThat(submit.header("x-fal-queue-priority")).contains("low");
    assertThat(submit.header("x-fal-request-timeout")).contains("1800");
    assertThat(service.asked().getLast().path())
        .isEqualTo("/fal-ai/flux/requests/" + reference + "/status");
  }

  @Test
  void files_are_outputs_and_repeated_input_is_not() throws InterruptedException {
    String reference = submitted();
    service.succeed(reference);

    Standing.Ended ended = (Standing.Ended) provider.collect(order(rig.settings()), reference);

    assertThat(((Outcome.Succeeded) ended.outcome()).outputs())
        .extracting(Output::name)
        .containsExactly("a.png");
  }

  @Test
  void work_that_found_no_machine_in_time_may_be_tried_again() throws InterruptedException {
    String reference = submitted();
    service.abort(reference);

    Standing.Ended ended = (Standing.Ended) provider.collect(order(rig.settings()), reference);
    assertThat(ended.outcome()).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void all_mistakes_in_settings_are_named() {
    assertThat(provider.mistakes(Map.of("modle", "x", "model", "../x", "priority", "high")))
        .hasSize(3);
    assertThat(provider.mistakes(Map.of("model", "flux"))).hasSize(1);
  }

  @Test
  void a_key_that_was_replaced_is_fetched_again_but_not_for_every_forgery()
      throws InterruptedException {
    String one = submitted();
    String two = submitted();
    service.succeed(one);
    assertThat(verify(0)).isInstanceOf(Verification.Genuine.class);
    assertThat(questionsForKeys()).isOne();

    service.replaceKey();
    clock.advance(Duration.ofMinutes(2));
    service.succeed(two);
    assertThat(verify(1)).isInstanceOf(Verification.Genuine.class);
    assertThat(questionsForKeys()).isEqualTo(2);

    for (int i = 0; i < 10; i++) {
      assertThat(verify(0)).isInstanceOf(Verification.Refused.class);
    }
    assertThat(questionsForKeys()).isEqualTo(2);
  }

  @Test
  void without_keys_no_call_is_believed_and_no_key_of_ours_is_shown() throws InterruptedException {
    service.succeed(submitted());
    service.onQuestion(Trouble.BROKEN);

    assertThat(((Verification.Refused) verify(0)).reason()).isEqualTo(Verification.Reason.NO_KEYS);
    assertThat(service.asked().getLast().header("authorization")).isEmpty();
  }

  private Verification verify(int letter) throws InterruptedException {
    Postbox.Letter taken = postbox.letters().get(letter);
    return provider.verify(taken.headers(), taken.body());
  }

  @Test
  void a_key_set_of_garbage_has_no_keys() {
    for (String jwks : List.of("", "[]", "{\"keys\":1}", "{\"keys\":[{\"kty\":\"OKP\"}]}")) {
      assertThat(FalKeys.read(jwks)).isEmpty();
    }
  }
}
