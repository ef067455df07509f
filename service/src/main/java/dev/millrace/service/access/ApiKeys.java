package dev.millrace.service.access;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import java.util.List;
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
    record AdminOfOneUser() implements Creation {}
  }

  public List<KeyView> list(int tenant) {
    return keys.list(tenant);
  }

  /**
   * A new key of the same tenant.
   *
   * @param user the one user it acts for; null for any
   */
  public Creation create(Principal by, String name, Role role, @Nullable String user) {
    if (user != null && role == Role.ADMIN) {
      return new Creation.AdminOfOneUser();
    }
    ApiKey key = ApiKey.random();
    KeyView made =
        keys.add(
            new Keys.NewKey(
                by.tenant(),
                UuidCreator.getTimeOrderedEpoch(),
                name,
                key.prefix(),
                key.hash(),
                role.label(),
                user));
    audit.write(by.audit("key.create", made.id().toString(), detail(made)));
    return new Creation.Made(made, key.text());
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
        .put("user", key.userId())
        .toString();
  }
}
