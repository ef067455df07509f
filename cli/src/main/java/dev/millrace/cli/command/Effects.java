package dev.millrace.cli.command;

import dev.millrace.cli.api.Api;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Finds an effect by its slug. */
final class Effects {

  private Effects() {}

  static JsonNode find(Api api, String slug) throws IOException, InterruptedException {
    // A slug's slashes are part of the address.
    String path = "/api/effects/" + Api.segment(slug).replace("%2F", "/");
    return Missing.told("effect", slug, "millrace effects", () -> api.get(path));
  }
}
