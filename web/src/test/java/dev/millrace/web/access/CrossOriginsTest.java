package dev.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Store;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.Response;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossOriginsTest {

  private static final String SHOP = "https://shop.example.com";
  private static final String OBJECT = "/objects/tenants/acme/uploads/a.png";
  private static final String ALLOW = "Access-Control-Allow-Origin";

  /** A tenant acme allows the shop; the database can go away. */
  private static final class OneShop implements CrossOrigins.Rules {

    private boolean away;

    @Override
    public boolean allow(String tenant, String origin) {
      requireThere();
      return tenant.equals("acme") && origin.equals(SHOP);
    }

    @Override
    public boolean anyAllows(String origin, boolean ask) {
      if (ask) {
        requireThere();
      }
      return origin.equals(SHOP);
    }

    private void requireThere() {
      if (away) {
        throw new Store.Unavailable("away", new IllegalStateException());
      }
    }
  }

  private final OneShop rules = new OneShop();
  private final CrossOrigins origins = new CrossOrigins(rules, URI.create("https://m.example"));

  private static RequestHead head(String method, String path, String... headers) {
    Map<String, List<String>> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], List.of(headers[i + 1]));
    }
    return new RequestHead("id", method, path, "", all, "127.0.0.1");
  }

  private static Response problem(int status) {
    return Response.problem(Problem.of(status, "code", "Text."));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 413, 422, 429, 500, 503})
  void an_error_that_came_before_the_credential_is_for_pages_of_any_tenant(int status) {
    assertThat(origins.on(head("GET", "/api/jobs", "origin", SHOP), problem(status)).header(ALLOW))
        .contains(SHOP);
    assertThat(
            origins
                .on(head("GET", "/api/jobs", "origin", "https://b.example"), problem(status))
                .header(ALLOW))
        .isEmpty();
  }

  @Test
  void while_the_database_is_away_what_is_remembered_decides() {
    rules.away = true;

    assertThat(origins.on(head("GET", "/api/jobs", "origin", SHOP), problem(503)).header(ALLOW))
        .contains(SHOP);
    assertThat(origins.on(head("GET", OBJECT, "origin", SHOP), Response.empty(200)).header(ALLOW))
        .contains(SHOP);
  }

  @Test
  void what_was_decided_with_the_credential_stays() {
    Response decided = problem(403).header("Vary", "Origin");

    assertThat(origins.on(head("GET", "/api/jobs", "origin", SHOP), decided).header(ALLOW))
        .isEmpty();
  }

  @Test
  void an_object_is_for_pages_of_its_tenant_and_is_never_kept_for_others() {
    Response file = Response.empty(200);

    assertThat(origins.on(head("GET", OBJECT, "origin", SHOP), file).header(ALLOW)).contains(SHOP);
    assertThat(
            origins
                .on(head("GET", OBJECT.replace("acme", "other"), "origin", SHOP), file)
                .header(ALLOW))
        .isEmpty();
    assertThat(origins.on(head("GET", OBJECT), file).header("Vary")).contains("Origin");
  }

  @Test
  void pages_and_what_needs_no_credential_are_for_no_other_origin() {
    Response page = Response.text(200, "page");

    assertThat(origins.on(head("GET", "/console/keys", "origin", SHOP), page).fields())
        .isEqualTo(page.fields());
    assertThat(origins.on(head("GET", "/console/keys", "origin", SHOP), problem(403)).header(ALLOW))
        .isEmpty();
    assertThat(origins.on(head("GET", "/healthz", "origin", SHOP), page).header(ALLOW)).isEmpty();
  }

  @Test
  void only_a_preflight_gets_leave_to_send() {
    Response explained = Response.empty(204).header("Allow", "GET, OPTIONS");
    RequestHead preflight =
        head("OPTIONS", "/api/jobs", "origin", SHOP, "access-control-request-method", "GET");

    assertThat(origins.on(preflight, explained).header("Access-Control-Allow-Methods"))
        .contains("GET, OPTIONS");
    assertThat(
            origins
                .on(head("OPTIONS", "/api/jobs", "origin", SHOP), explained)
                .header("Access-Control-Allow-Methods"))
        .isEmpty();
  }
}
