package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.service.access.Secret;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullMarked
class SettingsSecrecyTest {

  private static final String CANARY = "canary";
  private static final String SIGNING = "canary-canary-canary-canary-canary";

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://ada:canary@db:5432/jobs",
        "postgresql://ada:p@canary@db/jobs",
        "postgres://ada:%63anary@db/jobs?sslmode=require",
        "jdbc:postgresql://db/jobs?user=ada&password=canary",
        "jdbc:postgresql://ada:canary@db1,db2:5433/jobs?sslpassword=canary",
        "jdbc:postgresql://db/jobs?passwrod=canary",
      })
  void no_secret_is_in_the_report_or_in_the_records(String url) {
    Map<String, String> environment =
        Map.of(
            "MILLRACE_DATABASE_URL",
            url,
            "MILLRACE_SIGNING_SECRET",
            SIGNING,
            "MILLRACE_MODERATION_API_KEY",
            "sk-canary",
            "MILLRACE_OPENAI_API_KEY",
            "sk-canary",
            "MILLRACE_REPLICATE_API_TOKEN",
            "r8_canary",
            "MILLRACE_API_KEY",
            "mr_canary");
    SettingsReport report = SettingsReport.load(environment, dir);

    assertThat(report.text()).doesNotContain(CANARY).contains(Secret.MASK);
    assertThat(report.rows().toString()).doesNotContain(CANARY);
    assertThat(Settings.load(environment, dir).toString()).doesNotContain(CANARY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary",
        "mysql://ada:canary@db/jobs",
        "postgres://ada:canary@db",
        "postgres://ada:canary@db:port/jobs",
        "postgres://ada:x/canary@db/jobs",
        "postgres://ada:5432/canary@db/jobs",
        "postgres://ada:1?canary@db/jobs",
        "postgres://ada:1/x?y=canary@db/jobs",
        "postgres://ada:1#canary@db/jobs#x",
        "postgres://ada:canary%zz@db/jobs",
        "postgres://ada:canary@db/jobs?user=canary",
        "postgres://ada:canary@db/jobs?password=canary",
        "postgres://ada:canary\u0007@db/jobs",
      })
  void no_secret_is_in_the_refusal_of_a_database_url(String url) {
    assertSilent(Map.of("MILLRACE_DATABASE_URL", url));
  }

  @Test
  void no_secret_is_in_any_other_refusal() throws IOException {
    assertSilent(Map.of("MILLRACE_SIGNING_SECRET", CANARY));
    assertSilent(Map.of("MILLRACE_MODERATION_API_KEY", "sk canary"));
    assertSilent(Map.of("MILLRACE_MODERATION_API_KEY", "sk-canary\u00e9"));
    assertSilent(Map.of("MILLRACE_FAL_API_KEY", "canary key"));
    assertSilent(Map.of("MILLRACE_HTTP_PUBLIC_URL", "http://ada:canary@host"));
    assertSilent(Map.of("MILLRACE_DATABSE_URL", "postgres://ada:canary@db/jobs"));
    assertSilent(Map.of("MILLRACE_SIGNING_SECRET", SIGNING, "MILLRACE_HTTP_PORT", "x"));

    file("millrace.signing-secret=x${canary}");
    assertSilent(Map.of());
    file("millrace.signing-secret=${canary:${canary");
    assertSilent(Map.of());
    file("millrace.http.port=${DB_PASSWORD}");
    assertSilent(Map.of("DB_PASSWORD", CANARY));
    file("password=canary");
    assertSilent(Map.of());
  }

  @Test
  void the_report_says_where_each_value_came_from() throws IOException {
    file("millrace.batch-max=9");
    SettingsReport report =
        SettingsReport.load(
            Map.of(
                "MILLRACE_HTTP_PORT", "7002",
                "MILLRACE_DATABASE_URL", "postgres://ada:canary@db/jobs?sslmode=require&x=y"),
            dir);

    assertThat(report.rows()).hasSizeGreaterThan(SettingsTable.ALL.size());
    assertThat(line(report, "MILLRACE_HTTP_PORT")).startsWith("7002 env ");
    assertThat(line(report, "MILLRACE_BATCH_MAX")).startsWith("9 file ");
    assertThat(line(report, "MILLRACE_LEASE_SECONDS")).startsWith("60 default ");
    assertThat(line(report, "MILLRACE_REAPER_INTERVAL_MILLIS")).startsWith("1000 default ");
    assertThat(line(report, "MILLRACE_SIGNING_SECRET")).startsWith("(not set) default ");
    assertThat(line(report, "MILLRACE_DATABASE_URL"))
        .startsWith("jdbc:postgresql://ada:********@db/jobs?sslmode=require&x=******** env ");
    assertThat(report.file()).contains(dir.resolve("millrace.properties"));
    assertThat(report.text().lines()).hasSameSizeAs(report.rows());
    assertThat(line(report, "MILLRACE_OPENAI_MODERATION_MODEL"))
        .startsWith("omni-moderation-latest default ");
  }

  private static String line(SettingsReport report, String name) {
    SettingsReport.Row found =
        report.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    return found.value() + " " + found.source().label() + " " + found.description();
  }

  private void assertSilent(Map<String, String> environment) {
    SettingsException refusal =
        Objects.requireNonNull(
            catchThrowableOfType(SettingsException.class, () -> Settings.load(environment, dir)));
    StringWriter trace = new StringWriter();
    refusal.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain(CANARY);
  }

  private void file(String text) throws IOException {
    Files.writeString(dir.resolve("millrace.properties"), text);
  }
}
