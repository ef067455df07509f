package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.e2e.Program.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What people set before the start: mistakes are told at once, and secrets never. */
class SettingsEndToEndTest {

  private static final String CANARY = "canary-of-a-secret-that-nobody-may-see";

  @TempDir Path folder;

  @Test
  void all_mistakes_are_told_at_once_and_nothing_is_started() throws Exception {
    try (Installation installation = new Installation(folder)) {
      installation
          .set("LEASE_SECOND", "3")
          .set("HTTP_PORT", "99999")
          .set("LEASE_SECONDS", "10")
          .set("HEARTBEAT_SECONDS", "5")
          .set("SIGNING_SECRT", CANARY)
          .set("DATABASE_URL", "postgres://mill:" + CANARY + "@");
      for (String command : new String[] {"start", "config"}) {
        Result result = installation.cli(command).exits(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).doesNotContain(CANARY);
        assertThat(result.err().lines())
            .hasSize(8)
            .anyMatch(line -> line.equals("millrace: There are 6 mistakes in the settings:"))
            .anyMatch(line -> line.matches(" +- MILLRACE_LEASE_SECOND .*MILLRACE_LEASE_SECONDS.*"))
            .anyMatch(
                line -> line.matches(" +- MILLRACE_SIGNING_SECRT .*MILLRACE_SIGNING_SECRET.*"))
            .anyMatch(line -> line.matches(" +- MILLRACE_HTTP_PORT .*99999.*"))
            .anyMatch(line -> line.matches(" +- MILLRACE_DATABASE_URL .*"))
            .anyMatch(line -> line.matches(" +- MILLRACE_CANCEL_GRACE_SECONDS .*"))
            .anyMatch(line ->
                line.matches(" +- MILLRACE_LEASE_SECONDS .*3 times MILLRACE_HEARTBEAT_SECONDS.*"));
      }
      assertThat(installation.data()).doesNotExist();
      assertThat(installation.profile()).doesNotExist();
    }
  }

  @Test
  void the_effective_settings_are_printed_without_their_secrets() throws Exception {
    try (Installation installation = new Installation(folder)) {
      installation
          .set("SIGNING_SECRET", CANARY)
          .set("DATABASE_URL", "postgres://mill:" + CANARY + "@db.example:5432/race");
      Result table = installation.cli("config").exits(0);
      assertThat(table.out() + table.err()).doesNotContain(CANARY);
      assertThat(table.out().lines())
          .noneMatch(String::isBlank)
          .anyMatch(line -> line.matches("MILLRACE_LEASE_SECONDS +15 +env +.*"))
          .anyMatch(line -> line.matches("MILLRACE_BATCH_MAX +256 +default +.*"))
          .anyMatch(line -> line.matches("MILLRACE_DATABASE_URL .*db.example.* env +.*"));
      Result json = installation.cli("config", "--format", "json").exits(0);
      assertThat(json.out()).doesNotContain(CANARY);
      assertThat(json.json().path("items").valueStream())
          .filteredOn(item -> ApiJson.text(item, "name").equals("MILLRACE_SIGNING_SECRET"))
          .singleElement()
          .extracting(SettingsEndToEndTest::value)
          .isEqualTo("********");
    }
  }

  private static String value(JsonNode item) {
    return ApiJson.text(item, "value");
  }
}
