package dev.millrace.service.identity;

import dev.millrace.service.access.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which identity providers are believed, and what for.
 *
 * @param tokens null if the API takes no JWTs
 * @param signIn null if the console is for keys alone
 * @param skew by how much the clocks of an issuer and of this machine may differ
 */
public record IdentityTerms(
    @Nullable Tokens tokens, @Nullable SignIn signIn, ClaimRules claims, Duration skew) {

  /**
   * Whose tokens the API takes.
   *
   * @param issuers each exactly as its tokens name it
   * @param audiences a token must be meant for one of them
   * @param keys where the keys of the only issuer are; null for where its discovery document says
   */
  public record Tokens(List<String> issuers, Set<String> audiences, @Nullable URI keys) {
    public Tokens {
      issuers = List.copyOf(issuers);
      audiences = Set.copyOf(audiences);
      if (issuers.isEmpty() || audiences.isEmpty() || (keys != null && issuers.size() > 1)) {
        throw new IllegalArgumentException("no such tokens");
      }
    }
  }

  /**
   * How people sign in to the console.
   *
   * @param secret null for a public client
   * @param name of the provider, for people
   * @param session how long a session lasts at most
   * @param publicUrl how browsers reach the console
   */
  public record SignIn(
      String issuer,
      String clientId,
      @Nullable Secret secret,
      String name,
      List<String> scopes,
      Duration session,
      URI publicUrl) {
    public SignIn {
      scopes = List.copyOf(scopes);
    }

    /** An address of the console, for the provider. */
    URI at(String path) {
      return URI.create(publicUrl.toString().replaceAll("/+$", "") + path);
    }
  }
}
