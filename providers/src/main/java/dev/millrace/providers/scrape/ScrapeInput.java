package dev.millrace.providers.scrape;

import dev.millrace.providers.wire.WholeNumber;
import java.util.Map;

/** A checked input. */
record ScrapeInput(String url, int maxCharacters, int maxImages) {

  private static final int USUAL_CHARACTERS = 100_000;
  private static final int MOST_CHARACTERS = 500_000;
  private static final int USUAL_IMAGES = 50;
  private static final int MOST_IMAGES = 200;

  /** An input that can't be used; the sentence says why, to the user. */
  @SuppressWarnings("serial")
  static final class Unusable extends Exception {
    Unusable(String sentence) {
      super(sentence);
    }

    String sentence() {
      return String.valueOf(getMessage());
    }
  }

  static ScrapeInput of(Map<String, Object> input) throws Unusable {
    if (!(input.get("url") instanceof String url) || url.isBlank()) {
      throw new Unusable("The input needs a url: the web address of the page to read.");
    }
    return new ScrapeInput(
        url,
        whole(input, "max_characters", USUAL_CHARACTERS, 1, MOST_CHARACTERS),
        whole(input, "max_images", USUAL_IMAGES, 0, MOST_IMAGES));
  }

  private static int whole(Map<String, Object> input, String name, int usual, int least, int most)
      throws Unusable {
    Object value = input.get(name);
    if (value == null) {
      return usual;
    }
    WholeNumber number = new WholeNumber(name, least, most);
    return number.of(value).orElseThrow(() -> new Unusable(number.law()));
  }
}
