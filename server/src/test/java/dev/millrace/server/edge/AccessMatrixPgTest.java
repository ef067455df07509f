package dev.millrace.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.api.AllRoutes;
import dev.millrace.server.edge.PathValues.Thing;
import dev.millrace.service.access.Scope;
import dev.millrace.testkit.Background;
import dev.millrace.web.http.Route;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route and page, asked by everybody about what is theirs and what is not, with two tenants
 * side by side. Whatever happens, nothing of the other tenant's changes.
 */
class AccessMatrixPgTest {

  @TempDir static Path folder;

  private static HttpClient http;
  private static TwoTenants tenants;
  private static Asking asking;
  private static TenantRows rows;

  private Map<String, String> before = Map.of();

  @BeforeAll
  static void start() {
    http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
    tenants = new TwoTenants(folder.resolve("rig"));
    tenants.fill();
    asking = tenants.asking(http);
    rows = new TenantRows(tenants.rig.database());
  }

  @AfterAll
  static void stop() {
    tenants.rig.examine();
    tenants.close();
    http.shutdownNow();
  }

  @BeforeEach
  void look() {
    before = rows.digests(tenants.theirs);
  }

  @AfterEach
  void nothing_of_the_other_tenant_has_changed() {
    assertThat(rows.digests(tenants.theirs)).isEqualTo(before);
  }

  @Test
  void every_route_and_every_page_is_in_the_matrix() {
    List<String> routes =
        AllRoutes.of(folder.resolve("routes")).stream().map(AccessMatrixPgTest::name).toList();
    List<String> known = RouteTable.routes().stream().map(RouteRow::name).toList();
    assertThat(known).doesNotHaveDuplicates();
    assertThat(routes.stream().filter(route -> !known.contains(route)))
        .as("each of these needs a line in RouteTable")
        .isEmpty();
    assertThat(known.stream().filter(route -> !routes.contains(route)))
        .as("RouteTable has these, and the server doesn't")
        .isEmpty();
    assertThat(PathValues.unknown(RouteTable.all())).isEmpty();
    assertThat(rows.unknown()).as("TenantRows must know whose rows a table has").isEmpty();
  }

  private static String name(Route route) {
    return route.method() + " " + route.template();
  }

  @Test
  void whoever_lacks_the_right_is_refused_whatever_is_asked_for() {
    List<String> wrong = new ArrayList<>();
    for (RouteRow row : RouteTable.all()) {
      for (Caller caller : tenants.callers) {
        if (!caller.may(row)) {
          Heard own = asking.ask(caller, row, TwoTenants.idsFor(row, tenants.ofAlice));
          if (!isRefusal(caller, row, own)) {
            wrong.add(row + " as " + caller + ": " + own.status());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean isRefusal(Caller caller, RouteRow row, Heard heard) {
    if (caller.isKnownTo(row) && !row.isFor("worker")) {
      return heard.status() == 403 || heard.status() == 404;
    }
    boolean ledToTheDoor =
        row.console()
            && row.reads()
            && heard.status() == 303
            && String.valueOf(heard.headers().get("location")).contains("/console/sign-in");
    return ledToTheDoor || heard.status() == 401;
  }

  @Test
  void what_is_not_the_callers_is_answered_like_what_is_not_there() {
    List<String> wrong = new ArrayList<>();
    Map<String, String> ours = things(tenants.ours);
    for (RouteRow row : RouteTable.all()) {
      for (Caller caller : tenants.callers) {
        for (Estate hidden : tenants.hiddenFrom(caller)) {
          wrong.addAll(told(row, caller, hidden));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(things(tenants.ours))
        .as("nor has anything of the others in one's tenant changed")
        .isEqualTo(ours);
  }

  /** Without who was here and what was refused. */
  private static Map<String, String> things(int tenant) {
    Map<String, String> digests = rows.digests(tenant);
    digests
        .keySet()
        .removeAll(List.of("api_key", "audit", "console_pass", "stream_ticket", "task"));
    return digests;
  }

  /** What tells a hidden thing from a missing one. */
  private static List<String> told(RouteRow row, Caller caller, Estate hidden) {
    List<String> wrong = new ArrayList<>();
    List<Thing> things = PathValues.things(row);
    if (things.isEmpty()) {
      return wrong;
    }
    List<String> jobs =
        things.contains(Thing.JOB) ? hidden.all(Thing.JOB) : hidden.all(things.getFirst());
    for (String one : jobs) {
      Map<Thing, String> there = hidden.ids("completed");
      there.put(things.contains(Thing.JOB) ? Thing.JOB : things.getFirst(), one);
      Map<Thing, String> missing = new EnumMap<>(Thing.class);
      there.forEach((thing, id) -> missing.put(thing, Estate.missing(id)));
      Heard about = asking.ask(caller, row, there).without(there.values());
      Heard nothing = asking.ask(caller, row, missing).without(missing.values());
      if (!about.equals(nothing) || about.status() >= 500) {
        wrong.add(row + " as " + caller + ": " + about.difference(nothing));
      }
    }
    return wrong;
  }

  @Test
  void whoever_has_the_right_is_let_in_and_sees_nothing_of_others() {
    List<String> wrong = new ArrayList<>();
    Map<Caller, CompletableFuture<Estate>> spares = new LinkedHashMap<>();
    for (Caller caller : tenants.callers.reversed()) {
      boolean writes = caller.letIn() && caller.bounds().allow(Scope.JOBS_WRITE);
      spares.put(
          caller,
          writes
              ? Background.call(tenants::spare)
              : CompletableFuture.completedFuture(tenants.ofAlice));
    }
    for (Caller caller : spares.keySet()) {
      Estate spare = Objects.requireNonNull(spares.get(caller)).join();
      for (RouteRow row : RouteTable.all()) {
        if (caller.may(row)) {
          Heard heard = asking.ask(caller, row, TwoTenants.idsFor(row, spare));
          wrong.addAll(amiss(row, caller, heard));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static List<String> amiss(RouteRow row, Caller caller, Heard heard) {
    List<String> wrong = new ArrayList<>();
    boolean refused = heard.status() == 401 || heard.status() == 403;
    if (heard.status() >= 500 || (refused && !row.isFor("open"))) {
      wrong.add(row + " as " + caller + ": " + heard);
    }
    boolean ofATenant = !PathValues.things(row).isEmpty();
    // Its jobs have made nothing yet.
    boolean shown = heard.status() < 400 || heard.body().contains("no_output");
    if (row.reads() && ofATenant && !shown) {
      wrong.add(row + " as " + caller + " isn't shown what is its own: " + heard);
    }
    String all = heard.headers() + heard.body();
    for (Estate hidden : tenants.hiddenFrom(caller)) {
      for (String id : hidden.everything()) {
        if (all.contains(id)) {
          wrong.add(row + " as " + caller + " shows " + id);
        }
      }
    }
    return wrong;
  }
}
