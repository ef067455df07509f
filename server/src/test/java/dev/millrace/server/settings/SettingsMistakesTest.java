package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullMarked
class SettingsMistakesTest {

  @TempDir Path dir;

  @Test
  void all_mistakes_are_reported_at_once() throws IOException {
    file("millrace.htp.port=1\nmillrace.batch-max=many\nmillrace.http.public-url=ftp://x");

    assertThat(
            mistakes(
                Map.of(
                    "MILLRACE_HTP_PORT", "1",
                    "MILLRACE_HTTP_PORT", "70000",
                    "MILLRACE_LEASE_SECONDS", "20",
                    "MILLRACE_LOG_FORMAT", "xml")))
        .containsExactlyInAnyOrder(
            "MILLRACE_HTP_PORT is not a setting; did you mean MILLRACE_HTTP_PORT?",
            "millrace.htp.port (millrace.properties) is not a setting;"
                + " did you mean millrace.http.port?",
            "MILLRACE_HTTP_PORT must be a whole number from 0 to 65535, but is '70000'",
            "millrace.http.public-url (millrace.properties) must be an http or https URL"
                + " without user, query and fragment, but is 'ftp://x'",
            "MILLRACE_LOG_FORMAT must be auto, json or text, but is 'xml'",
            "millrace.batch-max (millrace.properties) must be a whole number from 1 to 4096,"
                + " but is 'many'",
            "MILLRACE_LEASE_SECONDS (20) must be at least 3 times MILLRACE_HEARTBEAT_SECONDS (10):"
                + " two heartbeats may get lost before a job is taken away");
  }

  @Test
  void the_exception_says_how_many_mistakes_and_lists_them() {
    SettingsException mistakes =
        refusal(Map.of("MILLRACE_HTTP_PORT", "x", "MILLRACE_BATCH_MAX", "y"));

    assertThat(mistakes)
        .hasMessageStartingWith("There are 2 mistakes in the settings:\n  - MILLRACE_HTTP_PORT")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "MILLRACE_HTP_PORT, MILLRACE_HTTP_PORT",
    "MILLRACE_PORT, MILLRACE_HTTP_PORT",
    "MILLRACE_HTTP_PROT, MILLRACE_HTTP_PORT",
    "millrace_http_port, MILLRACE_HTTP_PORT",
    "millrace.http.port, MILLRACE_HTTP_PORT",
    "MILLRACE_DATADIR, MILLRACE_DATA_DIR",
    "MILLRACE_DB_URL, MILLRACE_DATABASE_URL",
    "MILLRACE_DATABSE_URL, MILLRACE_DATABASE_URL",
    "MILLRACE_APIKEY, MILLRACE_API_KEY",
    "MILLRACE_LEASE_SECOND, MILLRACE_LEASE_SECONDS",
    "MILLRACE_PROFILES_DIR, MILLRACE_PROFILE_DIR",
    "MILLRACE_REPLICATE_TOKEN, MILLRACE_REPLICATE_API_TOKEN",
  })
  void an_unknown_variable_is_named_with_the_nearest_right_one(String written, String meant) {
    assertThat(mistakes(Map.of(written, "1")))
        .containsExactly(written + " is not a setting; did you mean " + meant + "?");
  }

  @Test
  void a_variable_that_resembles_nothing_gets_no_misleading_guess() {
    assertThat(mistakes(Map.of("MILLRACE_XYZZY", "1")))
        .containsExactly("MILLRACE_XYZZY is not a setting; docs/configuration.md lists them all");
  }

  @ParameterizedTest
  @CsvSource({"http.port", "MILLRACE_HTTP_PORT", "millrace.http_port", "%dev.millrace.http.port"})
  void a_key_of_the_file_in_another_spelling_is_a_mistake(String key) throws IOException {
    file(key + "=1");

    assertThat(mistakes(Map.of()))
        .containsExactly(
            key + " (millrace.properties) is not a setting; did you mean millrace.http.port?");
  }

  @ParameterizedTest
  @CsvSource({
    "MILLRACE_API_KEY, mr_1",
    "MILLRACE_URL, http://localhost",
    "MILLRACE_JAVA_OPTS, -Xmx1g",
    "MILLRACE_SERVICE_HOST, 10.0.0.1",
    "MILLRACE_PORT, tcp://10.0.0.1:8080",
    "MILLRACE_PORT_8080_TCP_ADDR, 10.0.0.1",
    "MILLRACE_DB_SERVICE_PORT, 5432",
    "MILLRACER, mine",
  })
  void a_name_of_the_cli_of_kubernetes_or_of_somebody_else_is_no_mistake(
      String name, String value) {
    assertThatCode(() -> Settings.load(Map.of(name, value), dir)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "MILLRACE_HTTP_PORT, -1",
    "MILLRACE_HTTP_PORT, 8080.5",
    "MILLRACE_HTTP_PORT, 99999999999999999999",
    "MILLRACE_HTTP_HOST, 'a b'",
    "MILLRACE_HTTP_HOST, http://localhost",
    "MILLRACE_HTTP_PUBLIC_URL, localhost:8080",
    "MILLRACE_HTTP_PUBLIC_URL, http://ada@host",
    "MILLRACE_HTTP_PUBLIC_URL, http://host?x=1",
    "MILLRACE_DATA_DIR, ~/data",
    "MILLRACE_EXECUTOR_SLOTS, 257",
    "MILLRACE_EXECUTOR_SLOTS, -1",
    "MILLRACE_MAX_FAILURES, 0",
    "MILLRACE_SIGNING_SECRET, short",
    "MILLRACE_DATABASE_URL, mysql://host/db",
  })
  void a_bad_value_is_one_mistake_that_starts_with_the_name(String name, String value) {
    assertThat(mistakes(Map.of(name, value)))
        .singleElement()
        .asString()
        .startsWith(name + " must be ");
  }

  @Test
  void a_sweep_must_come_before_a_lease_ends() {
    Map<String, String> hurried =
        Map.of("MILLRACE_LEASE_SECONDS", "9", "MILLRACE_HEARTBEAT_SECONDS", "3");
    Map<String, String> slow = new HashMap<>(hurried);
    slow.put("MILLRACE_REAPER_INTERVAL_MILLIS", "9001");
    assertThat(mistakes(slow)).singleElement().asString().contains("LEASE_SECONDS (9)");
    slow.put("MILLRACE_REAPER_INTERVAL_MILLIS", "9000");
    assertThatCode(() -> Settings.load(slow, dir)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "LEASE_SECONDS=29, LEASE_SECONDS=30, HEARTBEAT_SECONDS (10)",
    "RUN_DEADLINE_SECONDS=59, RUN_DEADLINE_SECONDS=60, LEASE_SECONDS (60)",
    "CANCEL_GRACE_SECONDS=9, CANCEL_GRACE_SECONDS=10, HEARTBEAT_SECONDS (10)",
    "URL_TTL_SECONDS=59, URL_TTL_SECONDS=60, LEASE_SECONDS (60)",
    "BACKOFF_CAP_SECONDS=1, BACKOFF_CAP_SECONDS=2, BACKOFF_BASE_SECONDS (2)",
    "LANE_QUEUE_MAX=255, LANE_QUEUE_MAX=256, BATCH_MAX (256)",
  })
  void settings_that_contradict_each_other_are_a_mistake(String wrong, String right, String other) {
    assertThat(mistakes(assignment(wrong))).singleElement().asString().contains(other);
    assertThatCode(() -> Settings.load(assignment(right), dir)).doesNotThrowAnyException();
  }

  @Test
  void more_slots_than_waiting_places_are_a_mistake() {
    assertThat(
            mistakes(
                Map.of(
                    "MILLRACE_EXECUTOR_SLOTS", "3",
                    "MILLRACE_LANE_QUEUE_MAX", "2",
                    "MILLRACE_BATCH_MAX", "2")))
        .singleElement()
        .asString()
        .contains("MILLRACE_EXECUTOR_SLOTS (3)");
  }

  @Test
  void a_value_that_was_refused_is_not_refused_again_by_a_rule() {
    assertThat(mistakes(Map.of("MILLRACE_LEASE_SECONDS", "0"))).hasSize(1);
  }

  @Test
  void a_named_file_that_is_missing_is_a_mistake() {
    assertThat(mistakes(Map.of("MILLRACE_CONFIG_FILE", "gone.properties")))
        .containsExactly("MILLRACE_CONFIG_FILE names 'gone.properties', which is not a file");
  }

  @Test
  void a_file_that_is_not_text_is_a_mistake() throws IOException {
    Files.write(dir.resolve("millrace.properties"), "a=ü".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(mistakes(Map.of())).containsExactly("millrace.properties is not UTF-8 text");

    file("a=\\u12");
    assertThat(mistakes(Map.of())).singleElement().asString().contains("hexadecimal");
  }

  @Test
  void an_expression_that_leads_nowhere_is_a_mistake() throws IOException {
    file("millrace.data-dir=${NOWHERE}/data\nmillrace.http.host=${millrace.http.host}");

    assertThat(mistakes(Map.of("HOME", "/")))
        .containsExactly(
            "millrace.http.host (millrace.properties) has a ${...} that cannot be resolved",
            "millrace.data-dir (millrace.properties) has a ${...} that cannot be resolved");
  }

  @Test
  void a_default_that_follows_from_a_mistake_is_not_one_more() throws IOException {
    file("millrace.data-dir=${millrace.data-dir}");

    assertThat(mistakes(Map.of())).hasSize(1);
  }

  private static Map<String, String> assignment(String text) {
    String[] parts = text.split("=", 2);
    return Map.of("MILLRACE_" + parts[0], parts[1]);
  }

  private List<String> mistakes(Map<String, String> environment) {
    return refusal(environment).mistakes();
  }

  private SettingsException refusal(Map<String, String> environment) {
    return Objects.requireNonNull(
        catchThrowableOfType(SettingsException.class, () -> Settings.load(environment, dir)));
  }

  private void file(String text) throws IOException {
    Files.writeString(dir.resolve("millrace.properties"), text);
  }
}
