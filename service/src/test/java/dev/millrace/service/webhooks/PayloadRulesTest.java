package dev.millrace.service.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.history.EventLog.Change;
import dev.millrace.postgres.history.EventLog.Entry;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What may leave the server by itself. */
class PayloadRulesTest {

  private static Entry event(State state, String code) {
    return new Entry(
        1,
        new UUID(0x0195_0000_0000_7000L, 0x8000_0000_0000_0001L),
        4,
        new Change("complete", State.RUNNING, state),
        100,
        1,
        Instant.parse("2026-03-01T12:00:00.123456Z"),
        code);
  }

  @Test
  void every_state_can_be_told() {
    for (State state : State.values()) {
      assertThat(PayloadRules.objections(Payload.of(event(state, "timeout")).toString()))
          .as(state.label())
          .isEmpty();
    }
    assertThat(PayloadRules.objections(Payload.test(new UUID(1, 1), Instant.EPOCH).toString()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prompt",
        "input",
        "output",
        "outputs",
        "user",
        "user_id",
        "owner",
        "message",
        "step",
        "summary",
        "url",
        "error_message",
        "provider_reference",
        "key",
        "tenant"
      })
  void a_field_that_is_not_named_is_refused(String field) {
    ObjectNode payload = Payload.of(event(State.COMPLETED, "timeout"));
    ((ObjectNode) payload.path("data")).put(field, 1);

    assertThat(PayloadRules.objections(payload.toString())).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "mr_abcdef",
        "mrw_abcdef",
        "bearer",
        "sk_live_1",
        "r8_abc",
        "AKIAABCDEFGH",
        "https://example.com/a",
        "tenants/acme/jobs/1/out.png",
        "a red fox in the snow",
        "eyJhbGciOiJIUzI1NiJ9"
      })
  void a_canary_of_every_forbidden_kind_is_refused(String canary) {
    ObjectNode payload = Payload.of(event(State.FAILED, "timeout"));
    ((ObjectNode) payload.path("data")).put("error_code", canary);

    assertThat(PayloadRules.objections(payload.toString())).isNotEmpty();
  }

  @Test
  void a_code_that_is_no_word_is_left_out() {
    assertThat(Payload.of(event(State.FAILED, "It broke: a red fox")).toString())
        .doesNotContain("fox");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "null", "{", "{\"type\":1}", "{\"data\":[]}"})
  void what_is_no_message_is_refused(String text) {
    assertThat(PayloadRules.objections(text)).isNotEmpty();
  }

  @Test
  void the_first_event_is_a_creation_and_the_others_are_named_after_their_state() {
    Entry first =
        new Entry(
            1,
            new UUID(1, 1),
            1,
            new Change("submit", null, State.QUEUED),
            0,
            0,
            Instant.EPOCH,
            null);
    Entry blocked =
        new Entry(
            1,
            new UUID(1, 1),
            1,
            new Change("submit", null, State.BLOCKED),
            0,
            0,
            Instant.EPOCH,
            null);
    Entry progress =
        new Entry(
            1,
            new UUID(1, 1),
            3,
            new Change(null, State.RUNNING, State.RUNNING),
            5,
            1,
            Instant.EPOCH,
            null);

    assertThat(EventTypes.of(first)).isEqualTo("job.created");
    assertThat(EventTypes.of(blocked)).isEqualTo("job.blocked");
    assertThat(EventTypes.of(progress)).isEqualTo("job.progress");
    assertThat(EventTypes.of(event(State.COMPLETED, "x"))).isEqualTo("job.completed");
  }
}
