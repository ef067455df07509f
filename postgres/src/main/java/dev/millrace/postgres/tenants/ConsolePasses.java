package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
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
      where hash in (
          select e.hash
          from console_pass e
          where e.expires_at < (select clock_timestamp())
          for update skip locked)
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

  /**
   * Written at most once in five minutes, so that looking around writes next to nothing, and
   * without waiting for anybody.
   */
  private static final String PROLONG =
      """
      update console_pass p
      set expires_at = clock_timestamp() + make_interval(secs => :seconds)
      from (
          select s.hash
          from unnest(cast(:hashes as text[])) used (hash)
          join console_pass s on s.hash = decode(used.hash, 'hex')
          where s.kind = 'session'
            and s.expires_at < clock_timestamp() + make_interval(secs => :seconds - 300)
            and s.expires_at > clock_timestamp()
          for no key update of s skip locked) free
      where p.hash = free.hash
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

  /** Lets sessions last this long from now. */
  public void prolong(Collection<String> hashes, Duration life) {
    if (hashes.isEmpty()) {
      return;
    }
    jdbi.useHandle(handle ->
        handle
            .createUpdate(PROLONG)
            .bindArray("hashes", String.class, List.copyOf(hashes))
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
