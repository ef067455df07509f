package dev.millrace.service.access;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The keys of a tenant. Who makes or revokes one is in the audit. */
public final class ApiKeys {

  private final Keys keys;
  private final Audit audit;

  public ApiKeys(Keys keys, Audit audit) {
    this.keys = keys;
    this.audit = audit;
  }

  /** What becomes of the wish for a key. */
  public sealed interface Creation {

    /** A new key, and its text in clear, which nobody sees again. */
    record Made(KeyView key, String secret) implements Creation {

      @Override
      public String toString() {
        return "Made[" + key.id() + "]";
      }
    }

    /** Administration is the whole tenant's: a bound key that can make unbound ones isn't bound. */
    record BoundAdmin() implements Creation {}

    /** Nobody gives away more than they have. */
    record MoreThanOwn() implements Creation {}
  }

  public List<KeyView> list(int tenant) {
    return keys.list(tenant);
  }

  /**
   * What a new key is to be.
   *
   * @param endsAt when it ends by itself, or null
   */
  public record Wish(String name, Role role, Bounds bounds, @Nullable Instant endsAt) {}

  /** A new key of the same tenant. */
  public Creation create(Principal by, Wish wish) {
    boolean bound = wish.bounds().user() != null || wish.bounds().workspace() != null;
    if (bound && wish.role().includes(Role.ADMIN)) {
      return new Creation.BoundAdmin();
    }
    if (!by.role().includes(wish.role()) || !by.bounds().include(wish.bounds())) {
      return new Creation.MoreThanOwn();
    }
    ApiKey key = ApiKey.random();
    KeyView made = keys.add(row(by.tenant(), key, wish));
    audit.write(by.audit("key.create", made.id().toString(), detail(made)));
    return new Creation.Made(made, key.text());
  }

  /**
   * A new key in the place of another, which works on for so long. Empty if there is no such key,
   * or it has ended or was rotated before.
   */
  public Optional<Creation> rotate(Principal by, UUID id, Duration overlap) {
    Optional<KeyView> old =
        keys.list(by.tenant()).stream()
            .filter(key -> key.id().equals(id) && key.times().revokedAt() == null)
            .findFirst();
    if (old.isEmpty()) {
      return Optional.empty();
    }
    Role role = Role.ofLabel(old.get().role()).orElseThrow();
    Bounds bounds = Bounds.stored(old.get().bounds());
    if (!by.role().includes(role) || !by.bounds().include(bounds)) {
      return Optional.of(new Creation.MoreThanOwn());
    }
    ApiKey key = ApiKey.random();
    Wish same = new Wish(old.get().name(), role, bounds, old.get().times().endsAt());
    Optional<KeyView> made = keys.rotate(row(by.tenant(), key, same), id, overlap);
    made.ifPresent(next -> audit.write(by.audit("key.rotate", id.toString(), detail(next))));
    return made.map(next -> new Creation.Made(next, key.text()));
  }

  /** What is stored of a new key. */
  public static Keys.NewKey row(int tenant, ApiKey key, Wish wish) {
    return new Keys.NewKey(
        tenant,
        UuidCreator.getTimeOrderedEpoch(),
        wish.name(),
        key.prefix(),
        key.hash(),
        wish.role().label(),
        wish.bounds().stored(),
        wish.endsAt());
  }

  /** False if there is no such key, or it was revoked before. */
  public boolean revoke(Principal by, UUID id) {
    boolean revoked = keys.revoke(by.tenant(), id);
    if (revoked) {
      audit.write(by.audit("key.revoke", id.toString(), null));
    }
    return revoked;
  }

  private static String detail(KeyView key) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("name", key.name())
        .put("prefix", key.prefix())
        .put("role", key.role())
        .put("user", key.bounds().userId())
        .put("workspace", key.bounds().workspace())
        .toString();
  }
}
