package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks for a list page by page until there is enough of it. */
public final class Pages {

  private static final int LARGEST_PAGE = 100;

  private final StringBuilder query;

  public Pages(String path) {
    this.query = new StringBuilder(path).append('?');
  }

  /** Adds a filter, unless it was not given. */
  public Pages with(String name, @Nullable String value) {
    if (value != null) {
      query.append(name).append('=').append(encode(value)).append('&');
    }
    return this;
  }

  /** One page in the server's own shape, made of as many as were needed. */
  public ObjectNode collect(ServerApi api, int limit) throws InterruptedException {
    ArrayNode items = ApiJson.array();
    String cursor = "";
    do {
      int size = Math.min(limit - items.size(), LARGEST_PAGE);
      String from = cursor.isEmpty() ? "" : "&cursor=" + encode(cursor);
      JsonNode page = api.get(query + "limit=" + size + from);
      page.path("items").forEach(items::add);
      cursor = page.path("items").isEmpty() ? "" : ApiJson.text(page, "next_cursor");
    } while (items.size() < limit && !cursor.isEmpty());
    ObjectNode whole = ApiJson.object();
    whole.set("items", items);
    if (cursor.isEmpty()) {
      whole.putNull("next_cursor");
    } else {
      whole.put("next_cursor", cursor);
    }
    return whole;
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
