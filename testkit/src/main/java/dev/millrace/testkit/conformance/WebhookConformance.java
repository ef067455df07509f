package dev.millrace.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Verification;
import dev.millrace.testkit.outside.Postbox;
import dev.millrace.testkit.outside.Trouble;
import dev.millrace.testkit.outside.Webhooks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a service's own calls are worth. */
public abstract class WebhookConformance extends StatusConformance {

  private Verification verify(Postbox.Letter letter) throws InterruptedException {
    return provider.verify(letter.headers(), letter.body());
  }

  private Verification.Genuine genuine(Postbox.Letter letter) throws InterruptedException {
    return (Verification.Genuine) verify(letter);
  }

  private Postbox.Letter success() throws InterruptedException {
    service.succeed(accepted(order()));
    return postbox.letters().getLast();
  }

  @Test
  void a_genuine_call_names_the_work_and_says_how_it_ended() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.succeed(reference);

    Verification.Genuine genuine = genuine(postbox.letters().getFirst());

    assertThat(genuine.reference()).isEqualTo(reference);
    assertThat(genuine.eventId()).isNotBlank();
    assertThat(genuine.intent())
        .isEqualTo(rig.signsTheIntent() ? Optional.of(INTENT) : Optional.empty());
    assertThat(outcome(genuine.standing())).isInstanceOf(Outcome.Succeeded.class);
    assertThat(postbox.letters().getFirst().path()).endsWith(INTENT);
  }

  @Test
  void a_call_says_what_collecting_would_say() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.succeed(reference);

    Standing.Ended heard = (Standing.Ended) genuine(postbox.letters().getFirst()).standing();
    Standing.Ended asked = (Standing.Ended) provider.collect(order, reference);

    assertThat(((Outcome.Succeeded) heard.outcome()).outputs())
        .usingRecursiveComparison()
        .isEqualTo(((Outcome.Succeeded) asked.outcome()).outputs());
  }

  @Test
  void a_call_about_a_refusal_rejects() throws InterruptedException {
    service.refuse(accepted(order()));

    assertThat(outcome(genuine(postbox.letters().getFirst()).standing()))
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_call_that_comes_twice_has_the_same_event_id() throws InterruptedException {
    service.sends(Webhooks.TWICE);
    service.succeed(accepted(order()));

    assertThat(postbox.letters()).hasSize(2);
    assertThat(genuine(postbox.letters().getFirst()).eventId())
        .isEqualTo(genuine(postbox.letters().getLast()).eventId());
  }

  @Test
  void other_news_has_another_event_id() throws InterruptedException {
    String one = genuine(success()).eventId();
    service.succeed(accepted(order("int_another_1")));

    assertThat(genuine(postbox.letters().getLast()).eventId()).isNotEqualTo(one);
  }

  @Test
  void a_call_before_the_submits_answer_names_the_same_reference() throws InterruptedException {
    service.sends(Webhooks.EARLY);
    Order order = order();

    String reference = accepted(order);

    assertThat(postbox.letters()).hasSize(1);
    assertThat(genuine(postbox.letters().getFirst()).reference()).isEqualTo(reference);
  }

  @Test
  void a_call_about_a_submit_whose_answer_was_lost_names_its_reference()
      throws InterruptedException {
    service.sends(Webhooks.EARLY);
    service.onSubmit(Trouble.CUT_AFTER);
    provider.submit(order());

    assertThat(genuine(postbox.letters().getFirst()).reference())
        .isEqualTo(service.references().getFirst());
  }

  @Test
  void without_a_call_the_work_can_still_be_collected() throws InterruptedException {
    service.sends(Webhooks.NEVER);
    Order order = order();
    String reference = accepted(order);
    service.succeed(reference);

    assertThat(postbox.letters()).isEmpty();
    assertThat(outcome(provider.collect(order, reference))).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void a_changed_body_is_refused() throws InterruptedException {
    Postbox.Letter letter = success();
    byte[] changed =
        (new String(letter.body(), StandardCharsets.UTF_8) + " ").getBytes(StandardCharsets.UTF_8);

    assertRefused(provider.verify(letter.headers(), changed), Verification.Reason.WRONG_SIGNATURE);
  }

  @Test
  void an_unsigned_call_is_refused_however_good_its_body() throws InterruptedException {
    Postbox.Letter letter = success();

    assertRefused(provider.verify(Map.of(), letter.body()), Verification.Reason.UNSIGNED);
  }

  @Test
  void each_header_of_a_signature_is_needed_once() throws InterruptedException {
    Postbox.Letter letter = success();
    List<String> signing =
        letter.headers().keySet().stream()
            .filter(name -> name.toLowerCase(Locale.ROOT).contains("webhook"))
            .toList();
    assertThat(signing).isNotEmpty();

    for (String name : signing) {
      Map<String, List<String>> without = new HashMap<>(letter.headers());
      String value = letter.headers().getOrDefault(name, List.of()).getFirst();
      without.remove(name);
      assertThat(provider.verify(without, letter.body()))
          .as("without " + name)
          .isInstanceOf(Verification.Refused.class);
      without.put(name, List.of(value, value));
      assertThat(provider.verify(without, letter.body()))
          .as("twice " + name)
          .isInstanceOf(Verification.Refused.class);
      without.put(name, List.of(value + "0"));
      assertThat(provider.verify(without, letter.body()))
          .as("another " + name)
          .isInstanceOf(Verification.Refused.class);
    }
  }

  @Test
  void header_names_have_any_case() throws InterruptedException {
    Postbox.Letter letter = success();
    Map<String, List<String>> loud = new HashMap<>();
    letter.headers().forEach((name, value) -> loud.put(name.toUpperCase(Locale.ROOT), value));

    assertThat(provider.verify(loud, letter.body())).isInstanceOf(Verification.Genuine.class);
  }

  @Test
  void a_copy_that_comes_late_is_stale() throws InterruptedException {
    Postbox.Letter letter = success();
    clock.advance(Duration.ofMinutes(5));
    assertThat(verify(letter)).isInstanceOf(Verification.Genuine.class);
    clock.advance(Duration.ofSeconds(1));

    assertRefused(verify(letter), Verification.Reason.STALE);
  }

  @Test
  void a_copy_that_is_dated_in_the_future_is_stale() throws InterruptedException {
    Postbox.Letter letter = success();
    clock.advance(Duration.ofMinutes(-5));
    assertThat(verify(letter)).isInstanceOf(Verification.Genuine.class);
    clock.advance(Duration.ofSeconds(-1));

    assertRefused(verify(letter), Verification.Reason.STALE);
  }

  private static void assertRefused(Verification verification, Verification.Reason reason) {
    assertThat(verification).isInstanceOf(Verification.Refused.class);
    assertThat(((Verification.Refused) verification).reason()).isEqualTo(reason);
  }
}
