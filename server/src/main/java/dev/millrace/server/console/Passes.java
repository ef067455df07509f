package dev.millrace.server.console;

import dev.millrace.postgres.records.ConsolePasses;
import dev.millrace.postgres.records.ConsolePasses.Kind;
import dev.millrace.postgres.records.KeyView;
import dev.millrace.postgres.records.Keys;
import dev.millrace.postgres.records.Tenants;
import dev.millrace.server.auth.ApiKey;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** Sessions, and links that become one. The secret is the holder's; here is only its hash. */
final class Passes {

  static final Duration SESSION = Duration.ofHours(12);
  static final Duration LINK = Duration.ofMinutes(30);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;

  private final ConsolePasses stored;
  private final Keys keys;
  private final Tenants tenants;

  Passes(ConsolePasses stored, Keys keys, Tenants tenants) {
    this.stored = stored;
    this.keys = keys;
    this.tenants = tenants;
  }

  /** A new session's secret for whoever has this key; empty if the key is none of ours. */
  Optional<String> withKey(String text) {
    return key(text).map(key -> issue(Kind.SESSION, key, SESSION));
  }

  /** A new link's secret for whoever has this key; empty if the key is none of ours. */
  Optional<String> linkFor(String text) {
    return key(text).map(key -> issue(Kind.LINK, key, LINK));
  }

  /** A session's secret in exchange for a link's; of several who try, one gets it. */
  Optional<String> withLink(String secret) {
    String hash = hash(secret);
    Optional<KeyView> key = stored.find(Kind.LINK, hash);
    return key.filter(_ -> stored.end(Kind.LINK, hash))
        .map(found -> issue(Kind.SESSION, found, SESSION));
  }

  /** Whose link this is, without using it up. */
  Optional<Principal> behindLink(String secret) {
    return stored.find(Kind.LINK, hash(secret)).map(this::principal);
  }

  /** Whose session this is, if it is one. */
  Optional<Principal> find(String secret) {
    String hash = hash(secret);
    Optional<KeyView> key = stored.find(Kind.SESSION, hash);
    key.ifPresent(_ -> stored.prolong(hash, SESSION));
    return key.map(this::principal);
  }

  void end(String secret) {
    stored.end(Kind.SESSION, hash(secret));
  }

  /** What a form must send back: only who has the secret can know it, and it betrays nothing. */
  static String csrf(String secret) {
    return hash("csrf " + secret);
  }

  private Optional<KeyView> key(String text) {
    return ApiKey.parse(text.strip()).flatMap(key -> keys.find(key.hash()));
  }

  private Principal principal(KeyView key) {
    return Authentication.principal(key, tenants.slug(key.tenantId()));
  }

  private String issue(Kind kind, KeyView key, Duration life) {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    stored.add(kind, hash(secret), key.tenantId(), key.id(), life);
    keys.touch(key.tenantId(), key.id());
    return secret;
  }

  private static String hash(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
