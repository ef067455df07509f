package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Described;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route is in the OpenAPI file, and every route of the file exists. */
class RoutesPgTest {

  @TempDir Path folder;

  @Test
  void the_file_describes_exactly_the_routes_that_there_are() {
    List<String> routes =
        AllRoutes.of(folder).stream()
            .filter(route -> !route.template().startsWith("/console"))
            .map(AllRoutes::words)
            .toList();

    assertThat(Described.operations()).containsExactlyInAnyOrderElementsOf(routes);
  }
}
