package dev.millrace.providers.scrape;

import java.util.List;
import java.util.Map;

/**
 * What a page says.
 *
 * @param canonicalUrl empty if the page names none
 * @param charset the one that it was read with
 * @param cut whether there was more text than was taken
 * @param metadata by the name in its meta elements, in lower case
 */
record Page(
    String title,
    String description,
    String language,
    String canonicalUrl,
    String charset,
    String text,
    boolean cut,
    List<Picture> images,
    Map<String, String> metadata) {

  /**
   * A picture.
   *
   * @param width as the page says; 0 if it doesn't
   * @param height as the page says; 0 if it doesn't
   */
  record Picture(String url, String alt, int width, int height) {}
}
