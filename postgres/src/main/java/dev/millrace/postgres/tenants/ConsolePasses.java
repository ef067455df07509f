package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/**
 * Who is signed in to the console. A pass stands for an API key and dies with it; of the pass
 * itself only the hash is stored.
 */
public final class ConsolePasses {

  private static final String FORGET =
      """
      delete from console_pass
      where expires_at < (select clock_timestamp())
      """;

  private static final String ADD =
      """
      insert into console_pass (hash, kind, tenant_id, key_id, expires_at)
      values (decode(:hash, 'hex'), :kind, :tenant, :key,
          clock_timestamp() + make_interval(secs => :seconds))
      """;

  private static final String FIND =
      """
      select k.tenant_id, k.id, k.name, k.prefix, k.role, k.user_id, k.workspace, k.effects,
          k.scopes, k.created_at, k.last_used_at, k.ends_at, k.revoked_at, k.replaced_by
      from console_pass p
      join api_key k on k.tenant_id = p.tenant_id and k.id = p.key_id
      where p.hash = decode(:hash, 'hex')
        and p.kind = :kind
        and p.expires_at > clock_timestamp()
        and k.revoked_at is null
        and (k.ends_at is null or k.ends_at > clock_timestamp())
      """;

  /** Written at most once in five minutes, so that looking around writes next to nothing. */
  private static final String PROLONG =
      """
      update console_pass
      set expires_at = clock_timestamp() + make_interval(secs => :seconds)
      where hash = decode(:hash, 'hex')
        and kind = 'session'
        and expires_at < clock_timestamp() + make_interval(secs => :seconds - 300)
        and expires_at > clock_timestamp()
      """;

  private static final String END =
      """
      delete from console_pass
      where hash = decode(:hash, 'hex')
        and kind = :kind
      """;

  private final Jdbi jdbi;

  public ConsolePasses(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What a pass is good for. */
  public enum Kind {
    LINK("link"),
    SESSION("session");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /**
   * Stores a pass, and throws away those that have ended.
   *
   * @param hash SHA-256 of the pass, in hexadecimal
   */
  public void add(Kind kind, String hash, int tenant, UUID key, Duration life) {
    jdbi.useTransaction(handle -> {
      handle.createUpdate(FORGET).execute();
      handle
          .createUpdate(ADD)
          .bind("hash", hash)
          .bind("kind", kind.label)
          .bind("tenant", tenant)
          .bind("key", key)
          .bind("seconds", life.toSeconds())
          .execute();
    });
  }

  /** The key that a pass stands for, if both are good. */
  public Optional<KeyView> find(Kind kind, String hash) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("hash", hash)
            .bind("kind", kind.label)
            .map(RecordMapper.of(KeyView.class))
            .findOne());
  }

  /** Lets a session last this long from now. */
  public void prolong(String hash, Duration life) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(PROLONG)
            .bind("hash", hash)
            .bind("seconds", life.toSeconds())
            .execute());
  }

  /** Ends a pass; false if it was over before, perhaps because somebody else was faster. */
  public boolean end(Kind kind, String hash) {
    return jdbi.withHandle(handle ->
        handle.createUpdate(END).bind("hash", hash).bind("kind", kind.label).execute())
        > 0;
  }
}
