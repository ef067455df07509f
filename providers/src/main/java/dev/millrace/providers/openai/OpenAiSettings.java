package dev.millrace.providers.openai;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which service to ask, and how.
 *
 * @param url such as {@code https://api.openai.com/v1}, without a slash at its end
 * @param key null if the service wants none
 * @param timeout for a whole call
 */
public record OpenAiSettings(URI url, @Nullable String key, Models models, Duration timeout) {

  /** The models for inputs that name none. */
  public record Models(String chat, String image, String speech, String moderation) {

    /** Those of OpenAI. */
    public static final Models USUAL =
        new Models("gpt-4o-mini", "gpt-image-1", "gpt-4o-mini-tts", "omni-moderation-latest");
  }

  /** Without the key, so that printing it by accident gives nothing away. */
  @Override
  public String toString() {
    return "OpenAiSettings[" + url.getHost() + ", " + models + "]";
  }
}
