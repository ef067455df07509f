package dev.millrace.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void a_profile_exists() throws IOException {
    environment.put("MILLRACE_PROFILE_DIR", folder.toString());
    new Profile(URI.create("http://profile:1"), "mr_profile")
        .save(Profile.file(environment, Profile.DEFAULT));
  }

  private Settings resolve(@Nullable String url, @Nullable String key) throws IOException {
    return Settings.resolve(new Options(url, key, null, Format.TABLE, false, false), environment);
  }

  @Test
  void the_profile_is_enough() throws IOException {
    assertThat(resolve(null, null))
        .isEqualTo(new Settings(URI.create("http://profile:1"), "mr_profile"));
  }

  @Test
  void the_environment_wins_over_the_profile_and_an_option_over_both() throws IOException {
    environment.put("MILLRACE_URL", "http://variable:2/");
    environment.put("MILLRACE_API_KEY", "mr_variable");
    assertThat(resolve(null, null))
        .isEqualTo(new Settings(URI.create("http://variable:2"), "mr_variable"));
    assertThat(resolve("http://option:3", "mr_option"))
        .isEqualTo(new Settings(URI.create("http://option:3"), "mr_option"));
  }

  @Test
  void the_key_of_the_profile_goes_to_no_other_server() throws IOException {
    assertThat(resolve("http://elsewhere:9", null).key()).isNull();
    assertThat(resolve("http://profile:1/", null).key()).isEqualTo("mr_profile");
    environment.put("MILLRACE_URL", "http://elsewhere:9");
    assertThat(resolve(null, null).key()).isNull();
  }

  @Test
  void a_named_profile_wins_over_the_url_and_the_key_of_the_environment() throws IOException {
    environment.put("MILLRACE_URL", "http://variable:2");
    environment.put("MILLRACE_API_KEY", "mr_variable");
    new Profile(URI.create("http://staging:4"), "mr_staging")
        .save(Profile.file(environment, "staging"));
    Options options = new Options(null, null, "staging", Format.TABLE, false, false);
    assertThat(Settings.resolve(options, environment))
        .isEqualTo(new Settings(URI.create("http://staging:4"), "mr_staging"));
  }

  @Test
  void what_is_no_address_is_a_mistake() {
    for (String url : new String[] {"localhost:8080", "ftp://x", "http://", "a b"}) {
      assertThatThrownBy(() -> resolve(url, null))
          .isInstanceOfSatisfying(
              CommandFailure.class, f -> assertThat(f.exit()).isEqualTo(ExitCode.USAGE));
    }
  }
}
