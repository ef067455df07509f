package dev.millrace.cli.command;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
import tools.jackson.databind.JsonNode;

/** Finds an effect by its slug. */
final class Effects {

  private Effects() {}

  static JsonNode find(Api api, String slug) throws InterruptedException {
    try {
      // A slug's slashes are part of the address.
      return api.get("/api/effects/" + Api.segment(slug).replace("%2F", "/"));
    } catch (RefusedException refused) {
      if (refused.problem().code().equals("not_found")) {
        throw new Failure(
            ExitCode.NOT_FOUND, "There is no effect " + slug + ".", "millrace effects");
      }
      throw refused;
    }
  }
}
