package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.settings.Settings;
import dev.millrace.service.execution.ProviderStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the factories make of the settings, of the file of secrets and of the folder. */
class ProvidersTest {

  private static final String REPLICATE = "http://127.0.0.1:9123/v1";
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir Path folder;

  @Test
  void without_settings_there_are_those_that_need_none() {
    Providers providers = providers(Map.of());

    assertThat(providers.names()).containsExactly("items", "scrape", "sketch");
    assertThat(providers.own()).isEmpty();
    assertThat(providers.keys()).containsOnlyKeys("fal", "openai", "replicate");
    assertThat(key(providers, "openai").setting()).isEqualTo("MILLRACE_OPENAI_URL");
  }

  @Test
  void outputs_may_come_from_where_a_provider_that_is_set_up_says() {
    String picture = REPLICATE + "/picture.png";
    Map<String, String> address = Map.of("MILLRACE_REPLICATE_URL", REPLICATE);
    Map<String, String> account =
        Map.of("MILLRACE_REPLICATE_URL", REPLICATE, "MILLRACE_REPLICATE_API_TOKEN", "r8_one");

    assertThat(providers(address).outputs().objection(picture, SOON)).isPresent();
    assertThat(providers(account).outputs().objection(picture, SOON)).isEmpty();
    assertThat(providers(account).outputs().objection("http://127.0.0.1:9124/", SOON)).isPresent();
  }

  @Test
  void a_tenant_has_an_account_by_its_own_key_alone() throws IOException {
    Path secrets = folder.resolve("secrets.properties");
    Files.writeString(
        secrets,
        """
        replicate_api_token@acme = r8_0123456789abcdef
        fal_webhook@acme = nothing that fal declares
        replicate_webhook_secrets@other = whsec_c2VjcmV0
        """);
    Providers providers = providers(Map.of("MILLRACE_PROVIDER_SECRETS", secrets.toString()));

    assertThat(providers.common()).doesNotContainKey("replicate");
    assertThat(providers.own()).containsOnlyKeys("acme");
    assertThat(providers.own().get("acme")).containsOnlyKeys("replicate");
    assertThat(key(providers, "replicate").own()).containsOnlyKeys("acme");
    assertThat(providers.keys().toString()).doesNotContain("0123456789");
  }

  @Test
  void everybodys_key_is_not_a_tenants() throws IOException {
    Path secrets = folder.resolve("secrets.properties");
    Files.writeString(secrets, "replicate_webhook_secrets@acme = whsec_c2VjcmV0");

    assertThat(
            providers(
                    Map.of(
                        "MILLRACE_PROVIDER_SECRETS",
                        secrets.toString(),
                        "MILLRACE_REPLICATE_API_TOKEN",
                        "r8_one"))
                .own())
        .isEmpty();
  }

  @Test
  void what_a_factory_refuses_stops_the_start_in_its_words() throws IOException {
    Path file = Files.writeString(folder.resolve("clips.yaml"), "provider: clips");

    assertThatThrownBy(() -> providers(Map.of("MILLRACE_PROVIDERS_DIR", folder.toString())))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith(
            "The provider http can't be set up: The provider of " + file + " is wrong:\n");
  }

  private static ProviderStatus.MaskedKey key(Providers providers, String name) {
    return Objects.requireNonNull(providers.keys().get(name));
  }

  private Providers providers(Map<String, String> environment) {
    return Providers.of(Settings.load(environment, folder));
  }
}
