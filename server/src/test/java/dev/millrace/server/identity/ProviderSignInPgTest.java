package dev.millrace.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.OpenIdProvider;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.net.KeptPort;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in to the console by a real OpenID provider. */
class ProviderSignInPgTest {

  @TempDir static Path folder;

  private static final int PORT = KeptPort.next();
  private static final String URL = "http://127.0.0.1:" + PORT;
  private static OpenIdProvider provider;
  private static ServerRig rig;

  private final List<Visitor> visitors = new ArrayList<>();

  @BeforeAll
  static void start() {
    provider = OpenIdProvider.start(URL, "userinfo");
    rig = ServerRig.start(folder, settings("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET));
    rig.admin().post("/api/admin/tenants", "{\"slug\":\"umbrella\"}").expect(201);
  }

  private static String[] settings(String... more) {
    List<String> all = new ArrayList<>(List.of(provider.settings("console")));
    all.add("HTTP_PORT=" + PORT);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void again(String... more) {
    rig.restart(settings(more));
  }

  @AfterAll
  static void stop() {
    if (provider != null) {
      provider.close();
    }
    if (rig != null) {
      rig.examine();
      rig.close();
    }
  }

  @AfterEach
  void leave() {
    visitors.forEach(Visitor::close);
  }

  private Visitor visitor() {
    Visitor visitor = new Visitor(URL);
    visitors.add(visitor);
    return visitor;
  }

  private static void requirePage(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith("text/html");
    assertThat(answer.body()).contains("<code>" + code + "</code>");
    assertThat(Console.cookie(answer)).isEmpty();
  }

  /** Whether the session opens this page. */
  private static boolean sees(Visitor visitor, String page) {
    return visitor.look(page).statusCode() == 200;
  }

  @Test
  void the_page_offers_the_provider_beside_the_key() {
    HttpResponse<String> page = visitor().open("/console/sign-in?to=/console/jobs?q=a%26b");
    assertThat(page.body())
        .contains("API key", "Sign in with Example ID")
        .contains("/console/sign-in/provider?to=%2Fconsole%2Fjobs%3Fq%3Da%26b");
  }

  @Test
  void everybody_comes_in_with_his_role_and_gets_the_page_that_he_wanted() {
    for (String[] one :
        List.of(
            new String[] {"olga", "/console/workers", "/console/none"},
            new String[] {"adam", "/console/keys", "/console/workers"},
            new String[] {"rita", "/console/review", "/console/keys"},
            new String[] {"ulla", "/console/wallet", "/console/review"})) {
      Visitor visitor = visitor();
      HttpResponse<String> in = visitor.signIn(one[0], one[1]);
      assertThat(in.statusCode()).as(in.body()).isEqualTo(200);
      assertThat(Visitor.onward(in)).isEqualTo(one[1]);
      assertThat(in.headers().allValues("set-cookie"))
          .anySatisfy(line ->
              assertThat(line)
                  .startsWith("millrace_session=")
                  .contains("HttpOnly", "SameSite=Strict", "Path=/console", "Max-Age=28800"))
          .anySatisfy(line -> assertThat(line).startsWith("millrace_sign_in=;"));
      assertThat(sees(visitor, one[1])).as(one[0]).isTrue();
      assertThat(sees(visitor, one[2])).as(one[0]).isFalse();
    }
    assertThat(
            rig.ask(
                "select string_agg(distinct actor, ', ' order by actor) from audit where action ="
                    + " 'console.sign_in'"))
        .contains("identity:m-admin@example.org (adam)", "identity:m-user@example.org (ulla)");
    assertThat(
            rig.ask(
                "select count(*) from identity_session where role = 'user' and user_id = 'ulla'"))
        .isNotEqualTo("0");
  }

  @Test
  void who_has_nothing_here_gets_a_page_that_says_so() {
    requirePage(visitor().signIn("nora", ""), 403, "no_access");
    requirePage(visitor().signIn("lena", ""), 403, "no_access");
  }

  @Test
  void who_changes_his_mind_gets_a_page_that_says_so() {
    requirePage(visitor().cancel(""), 403, "sign_in_denied");
  }

  @Test
  void the_provider_is_told_a_challenge_and_the_browser_keeps_the_rest_for_a_while() {
    HttpResponse<String> begun = visitor().look("/console/sign-in/provider");
    assertThat(begun.headers().firstValue("location").orElseThrow())
        .startsWith(provider.issuer() + "/auth?")
        .contains("code_challenge_method=S256", "code_challenge=", "state=", "nonce=")
        .doesNotContain("verifier", "secret");
    assertThat(begun.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("millrace_sign_in=")
        .contains("HttpOnly", "SameSite=Lax", "Max-Age=600");
  }

  @Test
  void an_answer_counts_once_and_only_in_the_browser_that_asked() {
    Visitor asked = visitor();
    String answer = asked.ledTo("adam");
    requirePage(visitor().open(answer), 400, "sign_in_stale");
    requirePage(asked.open(answer.replaceAll("state=[^&]+", "state=x")), 400, "sign_in_stale");
    requirePage(asked.open(answer.replaceAll("iss=[^&]+", "iss=x")), 502, "sign_in_failed");
    requirePage(asked.open(answer.replaceAll("[?&]iss=[^&]+", "")), 502, "sign_in_failed");
    requirePage(asked.open(answer.replaceAll("code=[^&]+", "code=x")), 502, "sign_in_failed");
    requirePage(
        asked.open(answer.replaceAll("code=[^&]+", "error=server_error")), 502, "sign_in_failed");
    requirePage(
        asked.open(answer.replaceAll("code=[^&]+", "error=access_denied")), 403, "sign_in_denied");
    requirePage(asked.open(answer + "&code=twice"), 400, "bad_request");
    requirePage(visitor().open("/console/sign-in/callback"), 400, "sign_in_stale");
    assertThat(asked.open(answer).statusCode()).isEqualTo(200);
    assertThat(sees(asked, "/console/keys")).isTrue();
    requirePage(asked.open(answer), 400, "sign_in_stale");
  }

  @Test
  void a_sign_in_leads_to_no_page_of_others() {
    for (String wanted : List.of("https://evil.example/", "//evil.example", "/console/../x?y=\n")) {
      assertThat(Visitor.onward(visitor().signIn("adam", wanted))).startsWith("/console");
    }
  }

  @Test
  void no_code_token_or_secret_is_logged() {
    try (LogLines log = new LogLines()) {
      Visitor visitor = visitor();
      String answer = visitor.ledTo("adam");
      String code = answer.replaceAll(".*code=([^&]+).*", "$1");
      visitor.open(answer.replace(code, "x" + code));
      visitor.open(answer);
      assertThat(log.all())
          .anyMatch(line -> line.contains("400 invalid_grant to the code"))
          .noneMatch(line -> line.contains(code))
          .noneMatch(line -> line.contains("eyJ"))
          .noneMatch(line -> line.contains(OpenIdProvider.SECRET));
    }
  }

  @Test
  void signing_out_ends_the_session_and_leads_to_the_provider() {
    Visitor visitor = visitor();
    visitor.signIn("adam", "");
    HttpResponse<String> out = visitor.act("/console/sign-out");
    assertThat(out.statusCode()).isEqualTo(200);
    assertThat(sees(visitor, "/console/studio")).isFalse();
    assertThat(Visitor.onward(out))
        .startsWith(provider.issuer() + "/session/end?")
        .contains("client_id=console", "post_logout_redirect_uri=");
    HttpResponse<String> sure = visitor.open(Visitor.onward(out));
    HttpResponse<String> back = visitor.fill(sure, Map.of("logout", "yes"));
    assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
    assertThat(back.uri()).hasToString(URL + "/console/sign-in");
  }

  @Test
  void a_session_ends_in_time_with_its_tenant_and_with_the_settings_it_was_made_under() {
    Visitor adam = visitor();
    Visitor fred = visitor();
    Visitor rita = visitor();
    adam.signIn("adam", "");
    fred.signIn("fred", "");
    rita.signIn("rita", "");
    assertThat(sees(adam, "/console/keys") && sees(fred, "/console/keys")).isTrue();

    rig.admin().post("/api/admin/tenants/umbrella/suspend", "{}").expect(200);
    HttpResponse<String> shut = fred.open("/console/keys");
    assertThat(shut.statusCode()).isEqualTo(403);
    assertThat(shut.body()).contains("tenant_suspended");
    rig.admin().post("/api/admin/tenants/umbrella/resume", "{}").expect(200);

    rig.database()
        .execute(
            "update identity_session set expires_at = clock_timestamp() where role = 'reviewer'");
    assertThat(sees(rita, "/console/studio")).isFalse();

    again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
    assertThat(sees(adam, "/console/keys")).as("a restart ends nothing").isTrue();
    again(
        "OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET,
        "IDENTITY_ROLES=m-admin=user, m-user=user, m-reviewer=reviewer, m-operator=operator");
    assertThat(sees(adam, "/console/studio")).isFalse();
    again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
  }

  @Test
  void a_provider_that_is_away_is_told_on_a_page_and_keys_still_work() {
    Visitor late = visitor();
    String answer = late.ledTo("adam");
    provider.stop();
    try {
      requirePage(late.open(answer), 503, "identity_provider_unavailable");
      again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
      requirePage(
          visitor().open("/console/sign-in/provider"), 503, "identity_provider_unavailable");
      assertThat(rig.console().guest(rig.key()).get("/console/overview").statusCode())
          .isEqualTo(200);
    } finally {
      provider.begin();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> visitor().look("/console/sign-in/provider").statusCode() == 303);
  }

  @Test
  void a_wrong_secret_is_told_on_a_page() {
    again("OIDC_CLIENT_SECRET=another-secret");
    requirePage(visitor().signIn("adam", ""), 502, "sign_in_failed");
    again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
  }

  @Test
  void a_public_client_needs_no_secret() {
    again("OIDC_CLIENT_ID=open-console");
    Visitor visitor = visitor();
    assertThat(visitor.signIn("adam", "").statusCode()).isEqualTo(200);
    assertThat(sees(visitor, "/console/keys")).isTrue();
    again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
  }

  @Test
  void over_https_the_browser_takes_what_it_keeps_from_this_host_alone() {
    again("HTTP_PUBLIC_URL=https://millrace.example/base");
    HttpResponse<String> begun = visitor().look("/console/sign-in/provider");
    assertThat(begun.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("__Host-millrace_sign_in_")
        .contains("Path=/;", "; Secure", "SameSite=Lax");
    assertThat(begun.headers().firstValue("location").orElseThrow())
        .contains("redirect_uri=https%3A%2F%2Fmillrace.example%2Fbase%2Fconsole%2Fsign-in");
    again("OIDC_CLIENT_SECRET=" + OpenIdProvider.SECRET);
  }
}
