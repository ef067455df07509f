package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullMarked
class SettingsPrecedenceTest {

  @TempDir Path dir;

  @Test
  void nothing_set_gives_the_documented_defaults() {
    Settings settings = Settings.load(Map.of("HOME", "/people/ada"), dir);

    assertThat(settings.http().host()).isEqualTo("127.0.0.1");
    assertThat(settings.http().port()).isEqualTo(8080);
    assertThat(settings.http().publicUrl()).isNull();
    assertThat(settings.http().shutdownGrace()).isEqualTo(Duration.ofSeconds(35));
    assertThat(settings.folders().data()).isEqualTo(dir.resolve("data"));
    assertThat(settings.folders().profile()).isEqualTo(Path.of("/people/ada/.config/millrace"));
    assertThat(settings.folders().catalogue()).isNull();
    assertThat(settings.database()).isEqualTo(new Settings.Database(null, 16));
    assertThat(settings.leases())
        .isEqualTo(
            new Settings.Leases(
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofHours(1),
                Duration.ofDays(1),
                Duration.ofHours(1),
                Duration.ofDays(7),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1)));
    assertThat(settings.retries())
        .isEqualTo(new Settings.Retries(3, 10, Duration.ofSeconds(2), Duration.ofMinutes(5)));
    assertThat(settings.credits()).isEqualTo(new Settings.Credits(1_000_000, 1_000));
    assertThat(settings.quota()).isEqualTo(new Settings.Quota(5, 0, 0, 0));
    assertThat(settings.files())
        .isEqualTo(
            new Settings.Files(512L << 20, 512L << 20, 64L << 20, Duration.ofHours(1), null, null));
    assertThat(settings.guard())
        .isEqualTo(
            new Settings.Guard(
                null,
                null,
                null,
                "omni-moderation-latest",
                Duration.ofSeconds(5),
                dev.millrace.service.guard.ModerationFailure.CLOSED));
    assertThat(settings.lanes()).isEqualTo(new Settings.Lanes(256, 10_000));
    assertThat(settings.executorSlots()).isEqualTo(2);
    assertThat(settings.logFormat()).isEqualTo(Settings.LogFormat.AUTO);
  }

  @Test
  void the_names_that_people_script_against_are_read() {
    Settings settings =
        Settings.load(
            Map.of(
                "MILLRACE_HTTP_PORT", "0",
                "MILLRACE_DATA_DIR", "/srv/millrace",
                "MILLRACE_DATABASE_URL", "postgres://ada@db/jobs",
                "MILLRACE_PROFILE_DIR", "profile"),
            dir);

    assertThat(settings.http().port()).isZero();
    assertThat(settings.folders().data()).isEqualTo(Path.of("/srv/millrace"));
    assertThat(Objects.requireNonNull(settings.database().url()).user()).isEqualTo("ada");
    assertThat(settings.folders().profile()).isEqualTo(dir.resolve("profile"));
  }

  @Test
  void the_environment_beats_the_file_and_the_file_beats_the_default() throws IOException {
    file("millrace.http.port=7001\nmillrace.executor-slots=7");

    Settings settings = Settings.load(Map.of("MILLRACE_HTTP_PORT", "7002"), dir);

    assertThat(settings.http().port()).isEqualTo(7002);
    assertThat(settings.executorSlots()).isEqualTo(7);
    assertThat(settings.lanes().batchMax()).isEqualTo(256);
  }

  @Test
  void a_variable_that_reorders_smallrye_sources_changes_nothing() throws IOException {
    file("millrace.http.port=7001");

    assertThat(
            Settings.load(Map.of("MILLRACE_HTTP_PORT", "7002", "CONFIG_ORDINAL", "1"), dir)
                .http()
                .port())
        .isEqualTo(7002);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void an_empty_variable_counts_as_not_set(String empty) throws IOException {
    file("millrace.http.port=7001");

    Settings settings =
        Settings.load(Map.of("MILLRACE_HTTP_PORT", empty, "MILLRACE_BATCH_MAX", empty), dir);

    assertThat(settings.http().port()).isEqualTo(7001);
    assertThat(settings.lanes().batchMax()).isEqualTo(256);
  }

  @Test
  void an_empty_key_of_the_file_counts_as_not_set() throws IOException {
    file("millrace.http.port=\nmillrace.batch-max=${NOTHING:}\nmillrace.database.url=${EMPTY}");

    Settings settings = Settings.load(Map.of("EMPTY", ""), dir);

    assertThat(settings.http().port()).isEqualTo(8080);
    assertThat(settings.lanes().batchMax()).isEqualTo(256);
    assertThat(settings.database().url()).isNull();
  }

  @Test
  void white_space_around_a_value_is_not_part_of_it() {
    assertThat(Settings.load(Map.of("MILLRACE_HTTP_PORT", " 7002\n"), dir).http().port())
        .isEqualTo(7002);
  }

  @Test
  void a_named_file_is_read_instead_of_the_usual_one() throws IOException {
    file("millrace.http.port=7001");
    Files.writeString(dir.resolve("other.properties"), "millrace.batch-max=9");

    Settings settings = Settings.load(Map.of("MILLRACE_CONFIG_FILE", "other.properties"), dir);

    assertThat(settings.http().port()).isEqualTo(8080);
    assertThat(settings.lanes().batchMax()).isEqualTo(9);
  }

  @Test
  void the_file_may_refer_to_variables_and_to_other_settings() throws IOException {
    file(
        """
        millrace.data-dir=${HOME}/data
        millrace.http.public-url=http://localhost:${millrace.http.port}/
        """);

    Settings settings =
        Settings.load(Map.of("HOME", "/people/ada", "MILLRACE_HTTP_PORT", "7002"), dir);

    assertThat(settings.folders().data()).isEqualTo(Path.of("/people/ada/data"));
    assertThat(settings.http().publicUrl()).isEqualTo(URI.create("http://localhost:7002"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pa$$word", "${HOME}", "${x:y}", "\\${x}", "\\$", "\\\\$$", "a\\b", "$", "${"})
  void a_variable_is_literal_even_where_the_file_refers_to_it(String text) throws IOException {
    String secret = text + "-0123456789-0123456789-0123456789";
    file("millrace.signing-secret=${SIGNING}");

    assertThat(signingSecret(Map.of("MILLRACE_SIGNING_SECRET", secret))).isEqualTo(secret);
    assertThat(signingSecret(Map.of("SIGNING", secret))).isEqualTo(secret);
  }

  @Test
  void system_properties_are_no_source() {
    System.setProperty("millrace.http.port", "7003");
    try {
      assertThat(Settings.load(Map.of(), dir).http().port()).isEqualTo(8080);
    } finally {
      System.clearProperty("millrace.http.port");
    }
  }

  @Test
  void the_profile_follows_the_xdg_rules() {
    assertThat(profile(Map.of("XDG_CONFIG_HOME", "/cfg", "HOME", "/people/ada")))
        .isEqualTo(Path.of("/cfg/millrace"));
    assertThat(profile(Map.of("XDG_CONFIG_HOME", "relative", "HOME", "/people/$ada")))
        .isEqualTo(Path.of("/people/$ada/.config/millrace"));
    assertThat(profile(Map.of("MILLRACE_DATA_DIR", "/srv"))).isEqualTo(Path.of("/srv/profile"));
  }

  private Path profile(Map<String, String> environment) {
    return Settings.load(environment, dir).folders().profile();
  }

  private String signingSecret(Map<String, String> environment) {
    return Objects.requireNonNull(Settings.load(environment, dir).files().signingSecret()).reveal();
  }

  private void file(String text) throws IOException {
    Files.writeString(dir.resolve("millrace.properties"), text);
  }
}
