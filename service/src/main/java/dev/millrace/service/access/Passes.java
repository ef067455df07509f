package dev.millrace.service.access;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.tenants.ConsolePasses;
import dev.millrace.postgres.tenants.ConsolePasses.Kind;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.postgres.tenants.Tenants;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Sessions of the console, and links that become one. The secret is the holder's; here is only its
 * hash.
 */
public final class Passes {

  public static final Duration SESSION = Duration.ofHours(12);
  public static final Duration LINK = Duration.ofMinutes(30);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;

  private final ConsolePasses stored;
  private final Keys keys;
  private final Tenants tenants;
  private final LastUses uses;
  private final IdentityPasses identities;

  public Passes(
      ConsolePasses stored, Keys keys, Tenants tenants, LastUses uses, IdentityPasses identities) {
    this.stored = stored;
    this.keys = keys;
    this.tenants = tenants;
    this.uses = uses;
    this.identities = identities;
  }

  /** Where it is noted which keys and sessions were used. */
  public LastUses uses() {
    return uses;
  }

  /** A new session's secret for whoever has this key; empty if the key is none of ours. */
  public Optional<String> withKey(String text) {
    return key(text).map(key -> issue(Kind.SESSION, key, SESSION));
  }

  /** A new link's secret for whoever has this key; empty if the key is none of ours. */
  public Optional<String> linkFor(String text) {
    return key(text).map(key -> issue(Kind.LINK, key, LINK));
  }

  /**
   * A new link's secret for somebody who has shown his key; empty if he has shown another thing.
   */
  public Optional<String> linkFor(Principal principal) {
    Credential shown = principal.credential();
    return shown.kind() == Credential.Kind.KEY
        ? Optional.of(issue(Kind.LINK, principal.tenant(), shown.id(), LINK))
        : Optional.empty();
  }

  /** Where a link leads, below the address of the server. */
  public static String path(String secret) {
    return "/console/link/" + secret;
  }

  /** A session's secret in exchange for a link's; of several who try, one gets it. */
  public Optional<String> withLink(String secret) {
    String hash = Sha256.hex(secret);
    Optional<KeyView> key = stored.find(Kind.LINK, hash);
    return key.filter(_ -> stored.end(Kind.LINK, hash))
        .map(found -> issue(Kind.SESSION, found, SESSION));
  }

  /** Whose link this is, without using it up. */
  public Optional<Principal> behindLink(String secret) {
    return stored.find(Kind.LINK, Sha256.hex(secret)).map(this::principal);
  }

  /** Whose session this is, if it is one. */
  public Optional<Principal> find(String secret) {
    String hash = Sha256.hex(secret);
    Optional<KeyView> key = stored.find(Kind.SESSION, hash);
    key.ifPresent(_ -> uses.ofSession(hash));
    return key.map(this::principal).or(() -> identities.find(secret));
  }

  public void end(String secret) {
    if (!stored.end(Kind.SESSION, Sha256.hex(secret))) {
      identities.end(secret);
    }
  }

  /** What a form must send back: only who has the secret can know it, and it betrays nothing. */
  public static String csrf(String secret) {
    return Sha256.hex("csrf " + secret);
  }

  private Optional<KeyView> key(String text) {
    return ApiKey.parse(text.strip()).flatMap(key -> keys.find(key.hash()));
  }

  private Principal principal(KeyView key) {
    return Principal.of(key, tenants.get(key.tenantId()));
  }

  private String issue(Kind kind, KeyView key, Duration life) {
    return issue(kind, key.tenantId(), key.id(), life);
  }

  private String issue(Kind kind, int tenant, UUID key, Duration life) {
    String secret = secret();
    stored.add(kind, Sha256.hex(secret), tenant, key, life);
    uses.ofKey(tenant, key);
    return secret;
  }

  /** A new secret, which nobody can guess. */
  static String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
