package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullMarked
class S3SettingsTest {

  private static final String CANARY = "canary-canary-canary";

  @TempDir Path folder;

  @Test
  void without_a_bucket_files_stay_in_the_data_folder() {
    assertThat(load(Map.of()).files().s3()).isNull();
  }

  @Test
  void a_bucket_alone_means_amazon_with_the_machines_own_credentials() {
    assertThat(load(Map.of("BUCKET", "rig-files")).files().s3())
        .isEqualTo(new Settings.S3("rig-files", null, null, "us-east-1", false, "", null));
  }

  @Test
  void all_of_it_can_be_said() {
    Settings.S3 s3 =
        Objects.requireNonNull(
            load(Map.of(
                    "BUCKET", "rig-files",
                    "ENDPOINT", "https://minio.example.org/",
                    "REGION", "eu-central-1",
                    "PATH_STYLE", "true",
                    "PREFIX", "rig/one",
                    "ACCESS_KEY_ID", "id",
                    "SECRET_ACCESS_KEY", CANARY))
                .files()
                .s3());
    assertThat(s3.endpoint()).isEqualTo(URI.create("https://minio.example.org"));
    assertThat(s3.pathStyle()).isTrue();
    assertThat(s3.prefix()).isEqualTo("rig/one");
    assertThat(Objects.requireNonNull(s3.key()).secret().reveal()).isEqualTo(CANARY);
    assertThat(s3.toString()).doesNotContain(CANARY);
  }

  @Test
  void the_secret_can_lie_in_a_file() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), CANARY + "\n");
    Settings.S3 s3 =
        load(Map.of(
                "BUCKET", "rig-files",
                "ACCESS_KEY_ID", "id",
                "SECRET_ACCESS_KEY_FILE", file.toString()))
            .files()
            .s3();
    assertThat(Objects.requireNonNull(Objects.requireNonNull(s3).key()).secret().reveal())
        .isEqualTo(CANARY);
  }

  @Test
  void what_makes_no_sense_together_is_told() throws IOException {
    assertMistake(Map.of("BUCKET", "b-b", "ACCESS_KEY_ID", "id"), "is set without");
    assertMistake(Map.of("BUCKET", "b-b", "SECRET_ACCESS_KEY", CANARY), "is set without");
    assertMistake(Map.of("ENDPOINT", "https://x.org"), "without MILLRACE_S3_BUCKET");
    Map<String, String> both =
        Map.of(
            "BUCKET", "b-b",
            "ACCESS_KEY_ID", "id",
            "SECRET_ACCESS_KEY", CANARY,
            "SECRET_ACCESS_KEY_FILE", "x");
    assertMistake(both, "keep one of them");
    for (String content : new String[] {"", "two words", "two\nlines"}) {
      Path file = Files.writeString(folder.resolve("secret"), content);
      assertMistake(
          Map.of("BUCKET", "b-b", "ACCESS_KEY_ID", "id", "SECRET_ACCESS_KEY_FILE", file.toString()),
          "must name a file with one line");
    }
    assertMistake(
        Map.of("BUCKET", "b-b", "ACCESS_KEY_ID", "id", "SECRET_ACCESS_KEY_FILE", "gone"),
        "must name a file with one line");
  }

  @Test
  void a_bad_value_is_one_mistake() {
    for (String bucket : new String[] {"ab", "Upper", "under_score", "-dash", "a".repeat(64)}) {
      assertMistake(Map.of("BUCKET", bucket, "ENDPOINT", "https://x.org"), "a bucket's name");
    }
    for (String prefix : new String[] {"/a", "a//b", "../a", "a b", "a".repeat(201)}) {
      assertMistake(Map.of("BUCKET", "b-b", "PREFIX", prefix), "with / between parts");
    }
    assertMistake(Map.of("BUCKET", "b-b", "PATH_STYLE", "yes"), "true or false");
    assertMistake(Map.of("BUCKET", "b-b", "REGION", "eu central"), "a region's name");
  }

  private void assertMistake(Map<String, String> s3, String words) {
    assertThatThrownBy(() -> load(s3))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(words)
        .hasMessageNotContaining(CANARY)
        .satisfies(e -> assertThat(((SettingsException) e).mistakes()).hasSize(1));
  }

  private Settings load(Map<String, String> s3) {
    Map<String, String> environment = new HashMap<>();
    s3.forEach((name, value) -> environment.put("MILLRACE_S3_" + name, value));
    return Settings.load(environment, folder);
  }
}
