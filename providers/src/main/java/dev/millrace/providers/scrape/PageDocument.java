package dev.millrace.providers.scrape;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A page as the JSON document that a job delivers. */
final class PageDocument {

  private static final JsonMapper JSON = JsonMapper.shared();

  private PageDocument() {}

  static byte[] of(String asked, Fetched fetched, Page page) {
    ObjectNode document = JSON.createObjectNode();
    document.put("url", asked);
    document.put("final_url", fetched.url().toString());
    document.put("status", fetched.status());
    document.put("charset", page.charset());
    document.put("title", page.title());
    document.put("description", page.description());
    document.put("language", page.language());
    document.put("canonical_url", page.canonicalUrl());
    document.put("text", page.text());
    document.put("text_cut", page.cut());
    ArrayNode images = document.putArray("images");
    for (Page.Picture picture : page.images()) {
      ObjectNode image = images.addObject();
      image.put("url", picture.url());
      image.put("alt", picture.alt());
      if (picture.width() > 0) {
        image.put("width", picture.width());
      }
      if (picture.height() > 0) {
        image.put("height", picture.height());
      }
    }
    ObjectNode metadata = document.putObject("metadata");
    page.metadata().forEach(metadata::put);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
  }
}
