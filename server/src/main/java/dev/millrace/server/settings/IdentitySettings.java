package dev.millrace.server.settings;

import static dev.millrace.server.settings.SettingsTable.HTTP_PUBLIC_URL;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_NAME_CLAIM;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_ROLES;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_ROLES_CLAIM;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_SKEW;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_TENANT;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_TENANT_CLAIM;
import static dev.millrace.server.settings.SettingsTable.IDENTITY_USER_CLAIM;
import static dev.millrace.server.settings.SettingsTable.JWT_AUDIENCES;
import static dev.millrace.server.settings.SettingsTable.JWT_ISSUERS;
import static dev.millrace.server.settings.SettingsTable.JWT_KEYS_URL;
import static dev.millrace.server.settings.SettingsTable.OIDC_CLIENT_ID;
import static dev.millrace.server.settings.SettingsTable.OIDC_CLIENT_SECRET;
import static dev.millrace.server.settings.SettingsTable.OIDC_ISSUER;
import static dev.millrace.server.settings.SettingsTable.OIDC_NAME;
import static dev.millrace.server.settings.SettingsTable.OIDC_SCOPES;
import static dev.millrace.server.settings.SettingsTable.OIDC_SESSION;

import dev.millrace.service.identity.ClaimRules;
import dev.millrace.service.identity.IdentityTerms;
import dev.millrace.service.identity.RoleTable;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings about identity providers, which make sense only together. */
final class IdentitySettings {

  private static final String USUAL_TENANT = "default";

  private IdentitySettings() {}

  /** Whether a mistake was told of one of them; then nothing can be said of them together. */
  static boolean isAbout(String mistake) {
    return mistake.matches(
            "(?s).*(MILLRACE_|millrace\\.)(OIDC|JWT|IDENTITY|oidc|jwt|identity)[_-].*")
        || mistake.contains(HTTP_PUBLIC_URL.environmentName())
        || mistake.contains(HTTP_PUBLIC_URL.key());
  }

  /** What is wrong between them, each alone being good. */
  static List<String> mistakes(Values values) {
    List<String> mistakes = new ArrayList<>();
    without(values, OIDC_ISSUER, OIDC_CLIENT_ID).ifPresent(mistakes::add);
    without(values, OIDC_CLIENT_ID, OIDC_ISSUER).ifPresent(mistakes::add);
    without(values, OIDC_CLIENT_SECRET, OIDC_CLIENT_ID).ifPresent(mistakes::add);
    without(values, OIDC_ISSUER, HTTP_PUBLIC_URL)
        .map(mistake -> mistake + ": the provider must know where to send people back to")
        .ifPresent(mistakes::add);
    without(values, JWT_ISSUERS, JWT_AUDIENCES)
        .map(mistake -> mistake + ": tokens for other services would be taken too")
        .ifPresent(mistakes::add);
    without(values, JWT_AUDIENCES, JWT_ISSUERS).ifPresent(mistakes::add);
    without(values, JWT_KEYS_URL, JWT_ISSUERS).ifPresent(mistakes::add);
    if (values.find(JWT_KEYS_URL).isPresent() && issuers(values).size() > 1) {
      mistakes.add(
          values.label(JWT_KEYS_URL)
              + " has the keys of one issuer, and "
              + values.label(JWT_ISSUERS)
              + " names several");
    }
    Setting<String> asked = values.find(OIDC_ISSUER).isPresent() ? OIDC_ISSUER : JWT_ISSUERS;
    without(values, asked, IDENTITY_ROLES)
        .map(mistake -> mistake + ": nobody would have access")
        .ifPresent(mistakes::add);
    if (values.find(IDENTITY_TENANT).isPresent()
        && values.find(IDENTITY_TENANT_CLAIM).isPresent()) {
      mistakes.add(
          values.label(IDENTITY_TENANT)
              + " and "
              + values.label(IDENTITY_TENANT_CLAIM)
              + " are both set; keep one of them");
    }
    return mistakes;
  }

  static IdentityTerms of(Values values) {
    String tenant = values.optional(IDENTITY_TENANT);
    RoleTable roles = values.optional(IDENTITY_ROLES);
    return new IdentityTerms(
        tokens(values),
        signIn(values),
        new ClaimRules(
            tenant == null ? USUAL_TENANT : tenant,
            values.optional(IDENTITY_TENANT_CLAIM),
            values.get(IDENTITY_ROLES_CLAIM),
            roles == null ? RoleTable.NONE : roles,
            values.get(IDENTITY_USER_CLAIM),
            values.optional(IDENTITY_NAME_CLAIM)),
        values.get(IDENTITY_SKEW));
  }

  private static IdentityTerms.@Nullable Tokens tokens(Values values) {
    String audiences = values.optional(JWT_AUDIENCES);
    return audiences == null
        ? null
        : new IdentityTerms.Tokens(
            issuers(values), Set.copyOf(Kind.words(audiences)), values.optional(JWT_KEYS_URL));
  }

  private static List<String> issuers(Values values) {
    return Kind.words(Objects.requireNonNullElse(values.optional(JWT_ISSUERS), ""));
  }

  private static IdentityTerms.@Nullable SignIn signIn(Values values) {
    String issuer = values.optional(OIDC_ISSUER);
    String client = values.optional(OIDC_CLIENT_ID);
    URI publicUrl = values.optional(HTTP_PUBLIC_URL);
    return issuer == null || client == null || publicUrl == null
        ? null
        : new IdentityTerms.SignIn(
            issuer,
            client,
            values.optional(OIDC_CLIENT_SECRET),
            values.get(OIDC_NAME),
            IdentityKinds.scopesOf(values.get(OIDC_SCOPES)),
            values.get(OIDC_SESSION),
            publicUrl);
  }

  private static Optional<String> without(Values values, Setting<?> one, Setting<?> other) {
    return values.find(one).isPresent() && values.find(other).isEmpty()
        ? Optional.of(values.label(one) + " is set without " + other.environmentName())
        : Optional.empty();
  }
}
