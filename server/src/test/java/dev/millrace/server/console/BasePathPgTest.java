package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;

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
    try (House house = House.open(folder, "HTTP_PUBLIC_URL=https://example.org/mill")) {
      HttpResponse<String> door = house.get("/console", "");
      assertThat(door.headers().firstValue("location").orElseThrow())
          .startsWith("/mill/console/sign-in");
      HttpResponse<String> in = house.post("/console/sign-in", "", Map.of("key", house.key()));
      assertThat(in.headers().firstValue("location")).contains("/mill/console");
      assertThat(in.headers().firstValue("set-cookie").orElseThrow())
          .contains("Path=/mill/console;", "; Secure");
      String page = house.get("/console/studio", House.cookie(in)).body();
      assertThat(page).contains("href=\"/mill/console/jobs\"", "src=\"/mill/console/assets/");
      assertThat(page).doesNotContain("href=\"/console", "src=\"/console", "action=\"/console");
    }
  }
}
