package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.service.names.NearestName;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Finds an effect by its slug. */
public final class Effects {

  private Effects() {}

  public static JsonNode find(ServerApi api, String slug) throws IOException, InterruptedException {
    return told(
        api,
        "effect",
        "slug",
        slug,
        "millrace effects",
        () -> api.get("/api/effects/" + path(slug)));
  }

  /** A slug's slashes are part of the address. */
  public static String path(String slug) {
    return ServerApi.segment(slug).replace("%2F", "/");
  }

  /**
   * Asks, and if there is no such thing, says which name comes nearest.
   *
   * @param field the catalogue's field that holds the names there are
   * @param list the command that shows them
   */
  public static <T> T told(
      ServerApi api,
      String kind,
      String field,
      String slug,
      String list,
      Missing.Question<T> question)
      throws IOException, InterruptedException {
    try {
      return Missing.told(kind, slug, list, question);
    } catch (CommandFailure missing) {
      List<String> names = names(api, field);
      String hint =
          names.stream()
              .filter(name -> name.endsWith("/" + slug))
              .findFirst()
              .or(() -> NearestName.of(slug, names))
              .map(name -> name + " (all of them: " + list + ")")
              .orElse(list);
      throw new CommandFailure(ExitCode.NOT_FOUND, "There is no " + kind + " " + slug + ".", hint);
    }
  }

  private static List<String> names(ServerApi api, String field) throws InterruptedException {
    try {
      return api.get("/api/effects")
          .path("items")
          .valueStream()
          .map(effect -> ApiJson.text(effect, field))
          .filter(name -> !name.isEmpty())
          .distinct()
          .toList();
    } catch (RefusedException _) {
      return List.of(); // A suggestion is a kindness; its lack must not hide what is wrong.
    }
  }
}
