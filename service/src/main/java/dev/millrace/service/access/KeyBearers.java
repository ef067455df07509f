package dev.millrace.service.access;

import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.postgres.tenants.Tenants;
import java.time.Duration;
import java.util.Optional;

/** API keys of ours, and that they are used. */
public final class KeyBearers implements BearerKind {

  /** As long as a revoked key may still work. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  /** As long as a good key is let through although others show bad ones from its address. */
  private static final int MOST_REMEMBERED = 10_000;

  private static final String REASON = "This API key is unknown, mistyped or revoked.";

  private final Keys keys;
  private final Tenants tenants;
  private final LastUses uses;
  private final SharedLookups<Optional<Principal>> known;

  public KeyBearers(Keys keys, Tenants tenants, LastUses uses) {
    this.keys = keys;
    this.tenants = tenants;
    this.uses = uses;
    this.known = new SharedLookups<>(MEMORY, MOST_REMEMBERED, this::look);
  }

  /** Whatever nothing else claims is taken for a key. */
  @Override
  public boolean fits(String text) {
    return true;
  }

  @Override
  public Finding find(String text) {
    return ApiKey.parse(text)
        .map(ApiKey::hash)
        .flatMap(known::get)
        .<Finding>map(Finding.Known::new)
        .orElseGet(() -> new Finding.Refused(REASON));
  }

  private Optional<Principal> look(String hash) {
    Optional<KeyView> found = keys.find(hash);
    found.ifPresent(key -> uses.ofKey(key.tenantId(), key.id()));
    return found.map(key -> Principal.of(key, tenants.get(key.tenantId())));
  }
}
