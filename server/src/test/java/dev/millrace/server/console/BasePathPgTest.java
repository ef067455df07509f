package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.ServerRig;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console behind a reverse proxy that serves it under a path. */
class BasePathPgTest {

  @TempDir Path folder;

  @Test
  void links_and_cookies_are_for_the_path_that_people_use() {
    try (ServerRig rig = ConsoleRig.start(folder, "HTTP_PUBLIC_URL=https://example.org/rig")) {
      HttpResponse<String> door = rig.console().get("/console", "");
      assertThat(door.headers().firstValue("location").orElseThrow())
          .startsWith("/rig/console/sign-in");
      HttpResponse<String> in =
          rig.console().post("/console/sign-in", "", Map.of("key", rig.key()));
      assertThat(in.headers().firstValue("location")).contains("/rig/console");
      assertThat(in.headers().firstValue("set-cookie").orElseThrow())
          .contains("Path=/rig/console;", "; Secure");
      String page = rig.console().get("/console/studio", Console.cookie(in)).body();
      assertThat(page).contains("href=\"/rig/console/jobs\"", "src=\"/rig/console/assets/");
      assertThat(page).doesNotContain("href=\"/console", "src=\"/console", "action=\"/console");
    }
  }
}
