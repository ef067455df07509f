package dev.millrace.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.Reply;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Verification;
import dev.millrace.testkit.conformance.HandClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** How a description is read and filled. */
class HttpProviderTest {

  private final HandClock clock = new HandClock();
  private final List<Call> calls = new ArrayList<>();

  private AsyncProvider provider(String yaml) throws BadDescription {
    return HttpProvider.of(
        yaml,
        ClipsRig.SECRETS,
        call -> {
          calls.add(call);
          return new Reply(200, Map.of(), "{\"clip\":{\"id\":7}}");
        },
        clock);
  }

  private Order order(Map<String, Object> input) {
    return new Order(
        "int_0001",
        "job_1",
        2,
        Map.of(),
        input,
        Optional.empty(),
        clock.instant(),
        Optional.of(Duration.ofMinutes(1)));
  }

  private static List<String> mistakes(String yaml) {
    BadDescription bad =
        catchThrowableOfType(BadDescription.class, () -> HttpProvider.of(yaml, ClipsRig.SECRETS));
    return bad == null ? List.of() : bad.mistakes();
  }

  @Test
  void placeholders_keep_the_type_of_their_value_and_missing_ones_leave_no_trace()
      throws Exception {
    Map<String, Object> input = new HashMap<>();
    input.put("prompt", "say \"hi\", {\"tag\": \"evil\"}\n${intent}");
    input.put("steps", List.of(1, 2));

    Submission submission = provider(ClipsRig.yaml()).submit(order(input));

    assertThat(submission).isEqualTo(new Submission.Accepted("7", Duration.ofSeconds(3)));
    var body = JsonMapper.shared().readTree(calls.getFirst().body());
    assertThat(body.path("prompt").asString()).isEqualTo(input.get("prompt"));
    assertThat(body.path("steps").toString()).isEqualTo("[1,2]");
    assertThat(body.path("title").asString()).isEqualTo("clip for job_1");
    assertThat(body.path("tag").asString()).isEqualTo("int_0001");
    assertThat(body.has("notify")).isFalse();
    assertThat(body.has("quality")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"a/b, a%2Fb", ".., %2E%2E", "a?x=1&y, a%3Fx%3D1%26y", "a b, a%20b", "ü, %C3%BC"})
  void in_an_address_a_value_stays_where_it_is_put(String value, String escaped) throws Exception {
    provider(ClipsRig.yaml()).collect(order(Map.of()), value);

    assertThat(calls.getFirst().uri().toString())
        .isEqualTo("https://api.clips.example/v2/clips/" + escaped);
  }

  @Test
  void a_value_can_not_add_a_header() throws Exception {
    String yaml =
        ClipsRig.yaml().replace("submit:", "submit:\n  headers: {X-Note: \"${input.note}\"}");
    AsyncProvider provider = provider(yaml);

    Submission submission = provider.submit(order(Map.of("note", "a\r\nX-Evil: 1")));

    assertThat(((Submission.Declined) submission).outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(calls).isEmpty();
  }

  @Test
  void a_good_file_has_no_mistakes() {
    assertThat(mistakes(ClipsRig.yaml())).isEmpty();
  }

  @Test
  void all_mistakes_are_named_with_their_place() {
    assertThat(
            mistakes(
                """
                provider: My Clips
                base_url: ftp://x/
                header: {}
                headers: {"X Y": a, X-Key: "${secret.nobody}", X-Z: 1}
                timeout_seconds: 0
                submit:
                  method: SEND
                  path: clips
                  body: {a: ["${inptu.prompt}"], b: "${secret.clips_key}"}
                  reference: id
                collect:
                  path: /clips/${referenze}
                  statuses: {going: [a], failed: [a], done: [b]}
                  output: /x
                  poll_seconds: soon
                find: {path: /clips, items: /, match: /tag, reference: /id}
                webhook: {scheme: rsa, secret: other, reference: /id}
                """))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("provider must be lower case"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("base_url must be https"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("header is not known here"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("headers.X Y is not the name"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("headers.X-Z must be text"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("timeout_seconds must be"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("submit.method must be one of"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("submit.path must begin"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("submit.body.a[0] has the"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("submit.body.b has the placeholder"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("submit.reference must be a JSON"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.path has the placeholder"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.status is missing"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.statuses.failed names a"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.statuses.done is not"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.statuses.succeeded must"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("collect.poll_seconds must be"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("find.path must have ${intent}"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("webhook.scheme must be one of"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("the secret nobody is used"))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("the secret other is used"))
        .hasSize(21);
  }

  @ParameterizedTest
  @CsvSource({
    "'', the file must be a mapping",
    "'[1]', the file must be a mapping",
    "'a: [', this is not valid YAML",
    "'provider: a\nprovider: b', this is not valid YAML",
    "'provider: a', submit is missing"
  })
  void a_file_that_is_none_is_one_mistake(String yaml, String mistake) {
    assertThat(mistakes(yaml)).anySatisfy(said -> assertThat(said).startsWith(mistake));
  }

  @Test
  void a_body_signed_by_hmac_is_genuine_and_its_copy_with_another_time_is_not() throws Exception {
    String yaml =
        ClipsRig.yaml()
            .replace(
                "scheme: standard",
                "scheme: hmac_sha256\n  header: X-Sig\n  prefix: \"sha256=\"\n"
                    + "  timestamp_header: X-Time");
    AsyncProvider provider = provider(yaml);
    byte[] body =
        "{\"clip\":{\"id\":7,\"state\":\"ready\",\"files\":\"x\"}}"
            .getBytes(StandardCharsets.UTF_8);
    String time = String.valueOf(clock.instant().getEpochSecond());
    Map<String, List<String>> headers =
        new HashMap<>(
            Map.of("X-Time", List.of(time), "X-Sig", List.of("sha256=" + Hmac.hex(time, body))));

    assertThat(provider.verify(headers, body)).isInstanceOf(Verification.Genuine.class);
    headers.put("X-Time", List.of(time + "0"));
    assertThat(provider.verify(headers, body)).isInstanceOf(Verification.Refused.class);
    headers.put("X-Time", List.of(time));
    for (int minutes : new int[] {6, -12}) {
      clock.advance(Duration.ofMinutes(minutes));
      assertThat(((Verification.Refused) provider.verify(headers, body)).reason())
          .isEqualTo(Verification.Reason.STALE);
    }
  }

  @Test
  void a_service_that_is_not_expected_to_call_is_not_believed() throws Exception {
    String yaml = ClipsRig.yaml();
    AsyncProvider provider = provider(yaml.substring(0, yaml.indexOf("webhook:")));

    assertThat(provider.verify(Map.of(), new byte[0])).isInstanceOf(Verification.Refused.class);
  }
}
