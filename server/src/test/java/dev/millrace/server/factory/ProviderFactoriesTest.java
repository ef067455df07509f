package dev.millrace.server.factory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.settings.Settings;
import dev.millrace.server.settings.SettingsException;
import dev.millrace.testkit.ExampleJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Foreign factories are found, and whatever is wrong with one is a sentence for the operator. */
class ProviderFactoriesTest {

  private static final String SERVICE =
      "META-INF/services/dev.millrace.spi.provider.ProviderFactory";

  @TempDir Path place;

  @Test
  void those_that_come_with_millrace_are_found_in_the_order_of_their_names() {
    ProviderFactories found = ProviderFactories.find(null);

    assertThat(found.mistakes()).isEmpty();
    assertThat(found.all())
        .extracting(ProviderFactories.Declared::name)
        .containsExactly("fal", "http", "openai", "replicate", "scrape", "sketch");
  }

  @Test
  void a_folder_that_is_not_there_has_none() {
    assertThat(ProviderFactories.find(place.resolve("nowhere")).mistakes()).isEmpty();
  }

  @Test
  void two_of_one_name_are_a_mistake() throws IOException {
    jar("sketch", "");

    assertThat(mistakes()).containsExactly("there are two providers called sketch, one is x.Made");
  }

  @Test
  void a_name_that_no_variable_can_have_is_a_mistake() throws IOException {
    jar("My Own", "");

    assertThat(mistakes()).singleElement().asString().contains("x.Made", "a-z, 0-9 and dashes");
  }

  @Test
  void a_setting_outside_its_own_name_is_a_mistake() throws IOException {
    jar("mine", setting("data-dir"));

    assertThat(mistakes()).singleElement().asString().contains("data-dir must begin with mine-");
  }

  @Test
  void a_setting_that_the_server_has_is_a_mistake_and_keeps_its_meaning() throws IOException {
    jar("lease", setting("lease-seconds"));

    assertThatThrownBy(() ->
            Settings.load(
                Map.of("MILLRACE_PROVIDERS_DIR", place.resolve("jars").toString()), place))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("MILLRACE_LEASE_SECONDS is a setting already");
  }

  @Test
  void a_default_that_is_not_allowed_is_a_mistake() throws IOException {
    jar(
        "mine",
        "ProviderSetting.of(\"mine-size\", new ProviderSetting.Kind.WholeNumber(1, 9), \"10\","
            + " \"How large it is.\")");

    assertThatThrownBy(() ->
            Settings.load(
                Map.of("MILLRACE_PROVIDERS_DIR", place.resolve("jars").toString()), place))
        .hasMessageContaining("MILLRACE_MINE_SIZE must be a whole number from 1 to 9");
  }

  @Test
  void a_factory_that_throws_or_is_missing_is_a_mistake() throws IOException {
    jar("mine", "List.<ProviderSetting>of().getFirst()");
    assertThat(mistakes()).singleElement().asString().contains("x.Made can't be used");

    Files.writeString(place.resolve("example/resources").resolve(SERVICE), "x.Absent");
    ExampleJar.build(place.resolve("example"), place, place.resolve("jars/made.jar"));
    assertThat(mistakes()).singleElement().asString().contains("can't be loaded", "x.Absent");
  }

  private static String setting(String name) {
    return "ProviderSetting.optional(\""
        + name
        + "\", new ProviderSetting.Kind.Word(), \"nothing\", \"What it is.\")";
  }

  private List<String> mistakes() {
    return ProviderFactories.find(place.resolve("jars")).mistakes();
  }

  private void jar(String name, String settings) throws IOException {
    Path java = Files.createDirectories(place.resolve("example/java/x"));
    Files.writeString(
        java.resolve("Made.java"),
        """
        package x;
        import dev.millrace.spi.provider.*;
        import java.util.List;
        public final class Made implements ProviderFactory {
          public String name() { return "%s"; }
          public List<ProviderSetting> settings() { return List.of(%s); }
          public List<Performer> performers(ProviderSettings settings) { return List.of(); }
        }
        """
            .formatted(name, settings));
    Path service = place.resolve("example/resources").resolve(SERVICE);
    Files.createDirectories(service.getParent());
    Files.writeString(service, "x.Made");
    ExampleJar.build(place.resolve("example"), place, place.resolve("jars/made.jar"));
  }
}
