package dev.millrace.server.settings;

import static dev.millrace.server.settings.SettingsTable.S3_ACCESS_KEY_ID;
import static dev.millrace.server.settings.SettingsTable.S3_BUCKET;
import static dev.millrace.server.settings.SettingsTable.S3_ENDPOINT;
import static dev.millrace.server.settings.SettingsTable.S3_PATH_STYLE;
import static dev.millrace.server.settings.SettingsTable.S3_PREFIX;
import static dev.millrace.server.settings.SettingsTable.S3_PUBLIC_ENDPOINT;
import static dev.millrace.server.settings.SettingsTable.S3_REGION;
import static dev.millrace.server.settings.SettingsTable.S3_SECRET_ACCESS_KEY;
import static dev.millrace.server.settings.SettingsTable.S3_SECRET_ACCESS_KEY_FILE;

import dev.millrace.service.access.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of an S3-compatible store, which make sense only together. */
final class S3Settings {

  private S3Settings() {}

  /** Whether a mistake was told of one of them; then nothing can be said of them together. */
  static boolean isAbout(String mistake) {
    return mistake.contains("MILLRACE_S3_") || mistake.contains("millrace.s3.");
  }

  /** What is wrong between them, each alone being good. */
  static List<String> mistakes(Values values) {
    List<String> mistakes = new ArrayList<>();
    boolean id = values.find(S3_ACCESS_KEY_ID).isPresent();
    boolean secret = values.find(S3_SECRET_ACCESS_KEY).isPresent();
    boolean file = values.find(S3_SECRET_ACCESS_KEY_FILE).isPresent();
    if (secret && file) {
      mistakes.add(
          values.label(S3_SECRET_ACCESS_KEY)
              + " and "
              + values.label(S3_SECRET_ACCESS_KEY_FILE)
              + " are both set; keep one of them");
    } else if (id && !secret && !file) {
      mistakes.add(
          values.label(S3_ACCESS_KEY_ID)
              + " is set without "
              + S3_SECRET_ACCESS_KEY.environmentName());
    } else if (!id && (secret || file)) {
      mistakes.add(
          values.label(secret ? S3_SECRET_ACCESS_KEY : S3_SECRET_ACCESS_KEY_FILE)
              + " is set without "
              + S3_ACCESS_KEY_ID.environmentName());
    } else if (file && secretIn(values.optional(S3_SECRET_ACCESS_KEY_FILE)) == null) {
      mistakes.add(
          values.label(S3_SECRET_ACCESS_KEY_FILE)
              + " must name a file with one line, the secret; it can't be read, or is no such file");
    }
    if (values.find(S3_BUCKET).isEmpty() && (id || values.find(S3_ENDPOINT).isPresent())) {
      mistakes.add(
          values.label(id ? S3_ACCESS_KEY_ID : S3_ENDPOINT)
              + " is set without "
              + S3_BUCKET.environmentName());
    }
    return mistakes;
  }

  static Settings.@Nullable S3 of(Values values) {
    String bucket = values.optional(S3_BUCKET);
    String prefix = values.optional(S3_PREFIX);
    return bucket == null
        ? null
        : new Settings.S3(
            bucket,
            values.optional(S3_ENDPOINT),
            values.optional(S3_PUBLIC_ENDPOINT),
            values.get(S3_REGION),
            values.get(S3_PATH_STYLE),
            prefix == null ? "" : prefix,
            key(values));
  }

  private static Settings.@Nullable S3Key key(Values values) {
    Secret id = values.optional(S3_ACCESS_KEY_ID);
    Secret secret = values.optional(S3_SECRET_ACCESS_KEY);
    if (secret == null) {
      secret = secretIn(values.optional(S3_SECRET_ACCESS_KEY_FILE));
    }
    return id == null || secret == null ? null : new Settings.S3Key(id, secret);
  }

  private static @Nullable Secret secretIn(@Nullable Path file) {
    if (file == null) {
      return null;
    }
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')
          ? null
          : new Secret(text);
    } catch (IOException unreadable) {
      return null;
    }
  }
}
