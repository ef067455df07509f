package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** API keys: made, looked up by hash, listed, revoked. */
public final class Keys {

  private static final String COLUMNS =
      """
      tenant_id, id, name, prefix, role, user_id, workspace, effects, scopes, created_at,
          last_used_at, ends_at, revoked_at, replaced_by\
      """;

  private static final String FIND =
      """
      select %s
      from api_key
      where hash = decode(:hash, 'hex')
        and revoked_at is null
        and (ends_at is null or ends_at > clock_timestamp())
      """
          .formatted(COLUMNS);

  /** At most once a minute, and it waits for nobody: who is locked will be used again. */
  private static final String TOUCH =
      """
      update api_key k
      set last_used_at = clock_timestamp()
      from (
          select a.tenant_id, a.id
          from unnest(cast(:tenants as int[]), cast(:ids as uuid[])) used (tenant_id, id)
          join api_key a on a.tenant_id = used.tenant_id and a.id = used.id
          where a.last_used_at is null
             or a.last_used_at < clock_timestamp() - interval '1 minute'
          for no key update of a skip locked) free
      where k.tenant_id = free.tenant_id
        and k.id = free.id
      """;

  private static final String LIST =
      """
      select %s
      from api_key
      where tenant_id = :tenant
      order by id
      """
          .formatted(COLUMNS);

  private static final String INSERT =
      """
      insert into api_key (tenant_id, id, name, prefix, hash, role, user_id, workspace, effects,
          scopes, ends_at)
      values (:tenant, :id, :name, :prefix, decode(:hash, 'hex'), :role, :user, :workspace,
          :effects, :scopes, :ends)
      returning %s
      """
          .formatted(COLUMNS);

  private static final String REVOKE =
      """
      update api_key
      set revoked_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and revoked_at is null
      """;

  /** Of two who rotate the same key at once, one does. */
  private static final String REPLACE =
      """
      update api_key
      set replaced_by = :next,
          ends_at = least(ends_at, clock_timestamp() + make_interval(secs => :seconds))
      where tenant_id = :tenant
        and id = :id
        and revoked_at is null
        and replaced_by is null
        and (ends_at is null or ends_at > clock_timestamp())
      """;

  private static final String ANY_OPERATOR =
      """
      select exists (
          select 1
          from api_key
          where role = 'operator'
            and revoked_at is null
            and ends_at is null)
      """;

  private final Jdbi jdbi;

  public Keys(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What is stored of a new key.
   *
   * @param hash SHA-256 of the key, in hexadecimal
   * @param endsAt when it ends by itself, or null
   */
  public record NewKey(
      int tenant,
      UUID id,
      String name,
      String prefix,
      String hash,
      String role,
      KeyView.Bounds bounds,
      @Nullable Instant endsAt) {}

  /** A key that was used. */
  public record Used(int tenant, UUID id) {}

  /** The key with this hash, unless it was revoked or has ended. */
  public Optional<KeyView> find(String hash) {
    return jdbi.withHandle(handle ->
        handle.createQuery(FIND).bind("hash", hash).map(RecordMapper.of(KeyView.class)).findOne());
  }

  /** Notes that they were just used. */
  public void touch(Collection<Used> used) {
    if (used.isEmpty()) {
      return;
    }
    List<Used> all = List.copyOf(used);
    jdbi.useHandle(handle ->
        handle
            .createUpdate(TOUCH)
            .bindArray("tenants", Integer.class, all.stream().map(Used::tenant).toList())
            .bindArray("ids", UUID.class, all.stream().map(Used::id).toList())
            .execute());
  }

  public List<KeyView> list(int tenant) {
    return jdbi.withHandle(handle ->
        handle.createQuery(LIST).bind("tenant", tenant).map(RecordMapper.of(KeyView.class)).list());
  }

  public KeyView add(NewKey key) {
    return jdbi.withHandle(handle -> add(handle, key));
  }

  /**
   * Adds a key in the place of another.
   *
   * @param overlap so long the old one works on
   * @return empty if the old one has ended, or was replaced before
   */
  public Optional<KeyView> rotate(NewKey next, UUID old, Duration overlap) {
    return jdbi.inTransaction(handle -> {
      boolean replaced =
          handle
                  .createUpdate(REPLACE)
                  .bind("next", next.id())
                  .bind("seconds", (double) overlap.toSeconds())
                  .bind("tenant", next.tenant())
                  .bind("id", old)
                  .execute()
              == 1;
      return replaced ? Optional.of(add(handle, next)) : Optional.empty();
    });
  }

  private static KeyView add(Handle handle, NewKey key) {
    return handle
        .createQuery(INSERT)
        .bind("tenant", key.tenant())
        .bind("id", key.id())
        .bind("name", key.name())
        .bind("prefix", key.prefix())
        .bind("hash", key.hash())
        .bind("role", key.role())
        .bind("user", key.bounds().userId())
        .bind("workspace", key.bounds().workspace())
        .bindArray("effects", String.class, texts(key.bounds().effects()))
        .bindArray("scopes", String.class, texts(key.bounds().scopes()))
        .bind("ends", key.endsAt())
        .map(RecordMapper.of(KeyView.class))
        .one();
  }

  private static Object @Nullable [] texts(@Nullable List<String> texts) {
    return texts == null ? null : texts.toArray();
  }

  /** False if there is no such key, or it was revoked before. */
  public boolean revoke(int tenant, UUID id) {
    return jdbi.withHandle(
            handle -> handle.createUpdate(REVOKE).bind("tenant", tenant).bind("id", id).execute())
        > 0;
  }

  public boolean anyOperator() {
    return jdbi.withHandle(handle -> handle.createQuery(ANY_OPERATOR).mapTo(Boolean.class).one());
  }
}
