package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.Guest;
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
          .startsWith("__Host-millrace_session_")
          .contains("Path=/;", "; Secure", "; HttpOnly", "; SameSite=Strict")
          .doesNotContain("Domain");
      String page = rig.console().get("/console/studio", Console.cookie(in)).body();
      assertThat(page).contains("href=\"/rig/console/jobs\"", "src=\"/rig/console/assets/");
      assertThat(page).doesNotContain("href=\"/console", "src=\"/console", "action=\"/console");
    }
  }

  @Test
  void two_installations_under_one_host_leave_each_others_sessions_alone() {
    try (ServerRig one =
            ConsoleRig.start(folder.resolve("one"), "HTTP_PUBLIC_URL=https://example.org/one");
        ServerRig two =
            ConsoleRig.start(folder.resolve("two"), "HTTP_PUBLIC_URL=https://example.org/two")) {
      Guest first = one.console().guest(one.key());
      Guest second = two.console().guest(two.key());
      assertThat(first.cookie().split("=", -1)[0]).isNotEqualTo(second.cookie().split("=", -1)[0]);

      // A browser keeps both for the host, and sends both to each.
      String both = first.cookie() + "; " + second.cookie();
      Guest onOne = new Guest(one.console(), both);
      Guest onTwo = new Guest(two.console(), both);
      assertThat(onOne.get("/console/studio").statusCode()).isEqualTo(200);
      assertThat(onTwo.get("/console/studio").statusCode()).isEqualTo(200);
      HttpResponse<String> out = onOne.post("/console/sign-out", Map.of());
      assertThat(out.headers().allValues("set-cookie"))
          .noneMatch(line -> line.startsWith(second.cookie().split("=", -1)[0]));
      assertThat(onOne.get("/console/studio").statusCode()).isEqualTo(303);
      assertThat(onTwo.get("/console/studio").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_session_under_the_old_name_is_no_session_over_https_and_ends_at_sign_out() {
    try (ServerRig rig = ConsoleRig.start(folder, "HTTP_PUBLIC_URL=https://example.org")) {
      Guest guest = rig.console().guest(rig.key());
      assertThat(guest.cookie()).startsWith("__Host-millrace_session=");
      String other = rig.console().guest(rig.key()).cookie().split("=", 2)[1];
      Guest planted = new Guest(rig.console(), "millrace_session=" + other);
      assertThat(planted.get("/console/studio").statusCode()).isEqualTo(303);

      Guest late = new Guest(rig.console(), guest.cookie() + "; millrace_session=" + other);
      assertThat(late.post("/console/sign-out", Map.of()).headers().allValues("set-cookie"))
          .anyMatch(line -> line.startsWith("__Host-millrace_session=; Path=/; Max-Age=0;"))
          .anyMatch(line -> line.startsWith("millrace_session=; Path=/console; Max-Age=0;"));
      Guest ended = new Guest(rig.console(), "__Host-millrace_session=" + other);
      assertThat(ended.get("/console/studio").statusCode()).isEqualTo(303);
    }
  }
}
