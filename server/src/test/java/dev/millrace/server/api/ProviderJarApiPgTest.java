package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import dev.millrace.server.settings.Settings;
import dev.millrace.server.settings.SettingsReport;
import dev.millrace.service.access.Secret;
import dev.millrace.testkit.ExampleJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A provider moves in with its own jar, and nothing of the server knows its name. */
class ProviderJarApiPgTest {

  private static final Path EXAMPLE = Path.of("../examples/provider-jar");
  private static final String FOLDER = "MILLRACE_PROVIDERS_DIR";
  private static final String KEY = "canary-of-the-operator";

  @TempDir static Path folder;

  private static Path jars;
  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void startWithTheJar() throws IOException {
    jars = Files.createDirectories(folder.resolve("jars"));
    ExampleJar.build(EXAMPLE.resolve("src/main"), folder, jars.resolve("stamp.jar"));
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.copy(EXAMPLE.resolve("stamp.yaml"), catalogue.resolve("stamp.yaml"));
    rig =
        ServerRig.start(
            folder,
            "WELCOME_CREDITS=100",
            "CATALOGUE_DIR=" + catalogue,
            "PROVIDERS_DIR=" + jars,
            "STAMP_KEY=" + KEY,
            "STAMP_LABEL=seal");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void a_paid_job_runs_on_it() throws Exception {
    Answer submitted =
        client
            .post("/api/jobs", "{\"effect\":\"stamp/plain\",\"input\":{\"text\":\"a letter\"}}")
            .expect(201);
    String id = submitted.at("/id");
    try (Sse stream = client.stream("/api/jobs/" + id + "/stream")) {
      stream.toTheEnd();
    }

    Answer job = client.job(id);
    assertThat(job.at("/state")).isEqualTo("completed");
    assertThat(job.json().path("credits").toString())
        .isEqualTo("{\"held\":3,\"captured\":3,\"refunded\":0}");
    assertThat(client.get(job.at("/outputs/0/url")).expect(200).text())
        .isEqualTo("seal " + hmac("a letter") + "\n");
    rig.examine();
  }

  @Test
  void its_key_is_shown_to_an_admin_masked_and_with_what_to_set() {
    JsonNode providers = client.get("/api/admin/providers").expect(200).json();

    assertThat(providers.toString())
        .contains("\"stamp\"", "MILLRACE_STAMP_KEY")
        .doesNotContain(KEY);
  }

  @Test
  void its_settings_are_in_the_report_and_the_secret_is_masked() {
    SettingsReport report =
        SettingsReport.load(Map.of(FOLDER, jars.toString(), "MILLRACE_STAMP_KEY", KEY), folder);

    assertThat(report.rows())
        .filteredOn(row -> row.name().startsWith("MILLRACE_STAMP_"))
        .extracting(row -> row.name() + "=" + row.value() + " " + row.source().label())
        .containsExactly(
            "MILLRACE_STAMP_KEY=" + Secret.MASK + " env", "MILLRACE_STAMP_LABEL=stamp default");
    assertThat(report.text())
        .contains("The key that texts are stamped with.")
        .doesNotContain("canary");
  }

  @Test
  void the_folder_may_be_named_by_the_properties_file() throws IOException {
    Path place = Files.createDirectories(folder.resolve("place"));
    Files.writeString(
        place.resolve("millrace.properties"),
        "millrace.providers-dir=${PLACE}/jars\nmillrace.stamp-label=wax\n");

    assertThat(SettingsReport.load(Map.of("PLACE", folder.toString()), place).rows())
        .filteredOn(row -> row.key().equals("millrace.stamp-label"))
        .extracting(SettingsReport.Row::value)
        .containsExactly("wax");
  }

  @Test
  void a_misspelt_setting_of_it_is_refused_with_the_right_one() {
    assertThatThrownBy(() ->
            Settings.load(Map.of(FOLDER, jars.toString(), "MILLRACE_STAMP_LABLE", "seal"), folder))
        .hasMessageContaining(
            "MILLRACE_STAMP_LABLE is not a setting; did you mean MILLRACE_STAMP_LABEL?");
  }

  @Test
  void without_the_jar_its_settings_are_unknown() {
    assertThatThrownBy(() -> Settings.load(Map.of("MILLRACE_STAMP_LABEL", "seal"), folder))
        .hasMessageContaining("MILLRACE_STAMP_LABEL is not a setting");
  }

  private static String hmac(String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }
}
