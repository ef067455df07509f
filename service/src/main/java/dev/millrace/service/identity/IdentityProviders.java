package dev.millrace.service.identity;

import dev.millrace.postgres.Database;
import dev.millrace.service.access.BearerKind;
import dev.millrace.service.access.IdentityPasses;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whom the operator has named to vouch for people, as far as anybody is named.
 *
 * @param bearers the JWTs that the API takes; none if it takes none
 * @param signIn null if the console is for keys alone
 */
public record IdentityProviders(
    List<BearerKind> bearers, @Nullable ProviderSignIn signIn, IdentityPasses passes) {

  public IdentityProviders {
    bearers = List.copyOf(bearers);
  }

  /** As the terms say; nobody is asked anything before he is needed. */
  public static IdentityProviders of(IdentityTerms terms, Database database) {
    return of(terms, database, new ProviderCalls(), InstantSource.system());
  }

  static IdentityProviders of(
      IdentityTerms terms, Database database, ProviderCalls calls, InstantSource clock) {
    People people = new People(terms.claims(), database.tenants());
    Map<String, KnownIssuer> issuers = new HashMap<>();
    IdentityTerms.Tokens tokens = terms.tokens();
    if (tokens != null) {
      tokens
          .issuers()
          .forEach(name -> issuers.put(name, new KnownIssuer(name, tokens.keys(), calls, clock)));
    }
    List<BearerKind> bearers =
        tokens == null
            ? List.of()
            : List.of(
                new JwtBearers(
                    new AccessTokens(issuers, tokens.audiences(), terms.skew(), clock), people));
    IdentityTerms.SignIn signIn = terms.signIn();
    IdentityPasses passes =
        new IdentityPasses(
            database.identitySessions(),
            database.tenants(),
            signIn == null ? null : signIn.issuer() + signIn.clientId() + terms.claims());
    if (signIn == null) {
      return new IdentityProviders(bearers, null, passes);
    }
    KnownIssuer shared =
        tokens == null || tokens.keys() != null ? null : issuers.get(signIn.issuer());
    KnownIssuer issuer =
        shared == null ? new KnownIssuer(signIn.issuer(), null, calls, clock) : shared;
    return new IdentityProviders(
        bearers,
        new ProviderSignIn(
            signIn,
            issuer,
            new CodeExchange(signIn, issuer, terms.claims(), terms.skew(), calls),
            people,
            passes,
            database.audit()),
        passes);
  }
}
