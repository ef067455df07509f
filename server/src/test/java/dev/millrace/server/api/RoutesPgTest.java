package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Described;
import dev.millrace.web.api.request.OpenApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every route is in the OpenAPI file, and every route of the file exists. */
class RoutesPgTest {

  @TempDir Path folder;

  /** What has names of its own has a description of its own. */
  private static final List<String> OWN = List.of("/replicate/", "/openai/");

  @Test
  void each_description_of_a_dialect_has_exactly_its_routes() {
    for (String base : OWN) {
      JsonNode file = OpenApi.load(base.substring(0, base.length() - 1) + ".yaml");
      List<String> described = new ArrayList<>();
      for (var path : file.path("paths").properties()) {
        for (String method : path.getValue().propertyNames()) {
          if (!method.equals("parameters")) {
            described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
          }
        }
      }
      assertThat(described)
          .containsExactlyInAnyOrderElementsOf(
              AllRoutes.of(folder).stream()
                  .filter(route -> route.template().startsWith(base))
                  .map(AllRoutes::words)
                  .toList());
    }
  }

  @Test
  void the_file_describes_exactly_the_routes_that_there_are() {
    List<String> routes =
        AllRoutes.of(folder).stream()
            .filter(route -> !route.template().startsWith("/console"))
            .filter(route -> OWN.stream().noneMatch(route.template()::startsWith))
            .map(AllRoutes::words)
            .toList();

    assertThat(Described.operations()).containsExactlyInAnyOrderElementsOf(routes);
  }
}
