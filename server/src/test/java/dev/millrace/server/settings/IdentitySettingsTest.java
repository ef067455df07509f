package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.service.access.Role;
import dev.millrace.service.identity.IdentityTerms;
import dev.millrace.service.identity.RoleTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullMarked
class IdentitySettingsTest {

  private static final String ISSUER = "https://id.example.com/realms/one/";

  @TempDir Path dir;

  private static Map<String, String> named(String... pairs) {
    Map<String, String> environment = new HashMap<>();
    for (String pair : pairs) {
      String[] parts = pair.split("=", 2);
      environment.put("MILLRACE_" + parts[0], parts[1]);
    }
    return environment;
  }

  private List<String> mistakes(String... pairs) {
    return Objects.requireNonNull(
            catchThrowableOfType(SettingsException.class, () -> Settings.load(named(pairs), dir)))
        .mistakes();
  }

  @Test
  void without_any_of_them_nobody_is_believed() {
    IdentityTerms terms = Settings.load(Map.of(), dir).identity();
    assertThat(terms.tokens()).isNull();
    assertThat(terms.signIn()).isNull();
  }

  @Test
  void what_is_set_is_what_holds() {
    Map<String, String> environment =
        named(
            "OIDC_ISSUER=" + ISSUER,
            "OIDC_CLIENT_ID=millrace",
            "OIDC_CLIENT_SECRET=s3cret",
            "HTTP_PUBLIC_URL=https://millrace.example",
            "JWT_ISSUERS=" + ISSUER + ", https://other.example",
            "JWT_AUDIENCES=api, https://millrace.example",
            "IDENTITY_ROLES=/staff=user, bosses=admin");
    assertThat(SettingsReport.load(environment, dir).text()).doesNotContain("s3cret");
    IdentityTerms terms = Settings.load(environment, dir).identity();
    IdentityTerms.SignIn signIn = Objects.requireNonNull(terms.signIn());
    assertThat(signIn.issuer()).as("with its slash").isEqualTo(ISSUER);
    assertThat(signIn.scopes()).containsExactly("openid", "profile", "email");
    assertThat(signIn.session()).isEqualTo(Duration.ofHours(8));
    assertThat(terms.toString()).doesNotContain("s3cret");
    IdentityTerms.Tokens tokens = Objects.requireNonNull(terms.tokens());
    assertThat(tokens.issuers()).containsExactly(ISSUER, "https://other.example");
    assertThat(tokens.audiences()).isEqualTo(Set.of("api", "https://millrace.example"));
    assertThat(terms.skew()).isEqualTo(Duration.ofSeconds(60));
    assertThat(terms.claims().tenant()).isEqualTo("default");
    assertThat(terms.claims().roles())
        .isEqualTo(new RoleTable(Map.of("/staff", Role.USER, "bosses", Role.ADMIN)));
  }

  @Test
  void what_is_missing_is_told_at_once() {
    assertThat(mistakes("OIDC_ISSUER=" + ISSUER, "JWT_ISSUERS=" + ISSUER))
        .containsExactlyInAnyOrder(
            "MILLRACE_OIDC_ISSUER is set without MILLRACE_OIDC_CLIENT_ID",
            "MILLRACE_OIDC_ISSUER is set without MILLRACE_HTTP_PUBLIC_URL: the provider must know"
                + " where to send people back to",
            "MILLRACE_JWT_ISSUERS is set without MILLRACE_JWT_AUDIENCES: tokens for other services"
                + " would be taken too",
            "MILLRACE_OIDC_ISSUER is set without MILLRACE_IDENTITY_ROLES: nobody would have"
                + " access");
    assertThat(
            mistakes(
                "JWT_AUDIENCES=a",
                "JWT_KEYS_URL=https://x.example/keys",
                "OIDC_CLIENT_SECRET=x",
                "IDENTITY_TENANT=acme",
                "IDENTITY_TENANT_CLAIM=org"))
        .containsExactlyInAnyOrder(
            "MILLRACE_JWT_AUDIENCES is set without MILLRACE_JWT_ISSUERS",
            "MILLRACE_JWT_KEYS_URL is set without MILLRACE_JWT_ISSUERS",
            "MILLRACE_OIDC_CLIENT_SECRET is set without MILLRACE_OIDC_CLIENT_ID",
            "MILLRACE_IDENTITY_TENANT and MILLRACE_IDENTITY_TENANT_CLAIM are both set; keep one of"
                + " them");
    assertThat(
            mistakes(
                "JWT_ISSUERS=https://a.example,https://b.example",
                "JWT_AUDIENCES=a",
                "JWT_KEYS_URL=https://x.example/keys",
                "IDENTITY_ROLES=a=admin"))
        .containsExactly(
            "MILLRACE_JWT_KEYS_URL has the keys of one issuer, and MILLRACE_JWT_ISSUERS names"
                + " several");
  }

  @Test
  void each_value_that_is_none_is_told() {
    assertThat(
            mistakes(
                "OIDC_ISSUER=id.example.com",
                "JWT_ISSUERS=https://a.example, ftp://b.example",
                "OIDC_SCOPES=profile",
                "IDENTITY_TENANT=Not A Slug",
                "IDENTITY_ROLES=staff=boss"))
        .hasSize(5)
        .anySatisfy(mistake ->
            assertThat(mistake)
                .startsWith("MILLRACE_IDENTITY_ROLES must be values and roles such as")
                .contains("user, reviewer, admin, operator", "'staff=boss'"))
        .anySatisfy(mistake ->
            assertThat(mistake).startsWith("MILLRACE_OIDC_SCOPES").contains("one of them openid"));
  }
}
