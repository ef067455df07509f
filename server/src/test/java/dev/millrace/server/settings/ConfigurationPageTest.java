package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.factory.ProviderFactories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * Keeps the generated parts of {@code docs/configuration.md} fresh. Run it with {@code
 * -Dmillrace.regenerate=true} to write them anew.
 */
@NullMarked
class ConfigurationPageTest {

  @Test
  void the_page_has_the_tables_of_the_code() throws IOException {
    Path page = page();
    String written = Files.readString(page);
    String fresh = replace(written, "settings", settings(SettingsTable.ALL));
    fresh = replace(fresh, "provider-settings", settings(ofProviders()));
    fresh = replace(fresh, "rules", rules());
    fresh = replace(fresh, "other-names", otherNames());
    if (Boolean.getBoolean("millrace.regenerate")) {
      Files.writeString(page, fresh);
      return;
    }
    assertThat(written)
        .as("docs/configuration.md is stale; run this test with -Dmillrace.regenerate=true")
        .isEqualTo(fresh);
  }

  @Test
  void every_description_is_a_sentence_that_fits_a_table() {
    assertThat(known())
        .allSatisfy(setting -> assertThat(setting.description()).matches("[A-Z][^|\\n]+\\."));
  }

  @Test
  void every_setting_is_in_the_table_once() {
    assertThat(known()).extracting(Setting::environmentName).doesNotHaveDuplicates();
  }

  @Test
  void the_table_of_the_server_knows_no_provider() {
    assertThat(ofProviders())
        .extracting(Setting::environmentName)
        .contains("MILLRACE_OPENAI_URL", "MILLRACE_REPLICATE_API_TOKEN", "MILLRACE_FAL_API_KEY");
    assertThat(SettingsTable.ALL)
        .extracting(Setting::key)
        .noneMatch(key -> key.matches("millrace\\.(openai|replicate|fal)-.*"));
  }

  private static List<Setting<?>> known() {
    List<String> mistakes = new ArrayList<>();
    List<Setting<?>> known = KnownSettings.with(ProviderFactories.find(null), mistakes).all();
    assertThat(mistakes).isEmpty();
    return known;
  }

  private static List<Setting<?>> ofProviders() {
    List<Setting<?>> known = known();
    return known.subList(SettingsTable.ALL.size(), known.size());
  }

  private static String settings(List<Setting<?>> settings) {
    return "| variable | key in the file | default | allowed | meaning |\n|---|---|---|---|---|\n"
        + settings.stream()
            .map(setting ->
                "| `%s` | `%s` | %s | %s | %s%s |\n"
                    .formatted(
                        setting.environmentName(),
                        setting.key(),
                        setting.fallback().documented(),
                        setting.kind().allowed(),
                        setting.description(),
                        setting.kind().secret() ? " **Secret.**" : ""))
            .collect(Collectors.joining());
  }

  private static String rules() {
    return SettingsTable.RULES.stream()
        .map(rule ->
            "- `%s` >= %s`%s`: %s.\n"
                .formatted(
                    rule.larger().environmentName(),
                    rule.factor() == 1 ? "" : rule.factor() + " x ",
                    rule.smaller().environmentName(),
                    rule.because()))
        .collect(Collectors.joining());
  }

  private static String otherNames() {
    return "| variable | meaning |\n|---|---|\n"
        + SettingsTable.OTHER_NAMES.stream()
            .map(other -> "| `%s` | %s |\n".formatted(other.name(), other.description()))
            .collect(Collectors.joining());
  }

  private static String replace(String page, String part, String text) {
    String begin = "<!-- generated: " + part + " -->\n";
    String end = "<!-- end: " + part + " -->";
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    assertThat(from).as("the mark " + begin).isNotNegative();
    assertThat(to).as("the mark " + end).isGreaterThan(from);
    return page.substring(0, from + begin.length()) + text + page.substring(to);
  }

  private static Path page() {
    Path dir = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(dir.resolve(".mvn"))) {
      dir = dir.getParent();
      assertThat(dir).as("the root of the repository").isNotNull();
    }
    return dir.resolve("docs/configuration.md");
  }
}
