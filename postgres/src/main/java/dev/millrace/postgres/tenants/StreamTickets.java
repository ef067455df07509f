package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Tickets that open one stream, once. Any node honours one, and of several one does. */
public final class StreamTickets {

  private static final String ADD =
      """
      insert into stream_ticket (hash, tenant_id, credential, credential_id, label, user_id,
          workspace, path, expires_at)
      values (decode(:hash, 'hex'), :tenant, :credential, :credentialId, :label, :user, :workspace,
          :path, clock_timestamp() + make_interval(secs => :seconds))
      """;

  /** One of an identity provider is believed for as long as the ticket lasts. */
  private static final String USE =
      """
      delete from stream_ticket t
      where t.hash = decode(:hash, 'hex')
        and t.path = :path
        and t.expires_at > clock_timestamp()
        and (t.credential = 'identity'
            or exists (
                select 1
                from api_key k
                left join user_token u
                    on t.credential = 'token'
                   and u.tenant_id = k.tenant_id
                   and u.key_id = k.id
                   and u.id = t.credential_id
                where k.tenant_id = t.tenant_id
                  and k.revoked_at is null
                  and (k.ends_at is null or k.ends_at > clock_timestamp())
                  and case
                      when t.credential = 'key' then k.id = t.credential_id
                      else u.ended_at is null and u.ends_at > clock_timestamp()
                      end))
      returning t.tenant_id, t.credential, t.credential_id, t.label, t.user_id, t.workspace
      """;

  private static final String FORGET =
      """
      delete from stream_ticket
      where hash in (
          select e.hash
          from stream_ticket e
          where e.expires_at < (select clock_timestamp())
          limit :limit
          for update skip locked)
      """;

  private final Jdbi jdbi;

  public StreamTickets(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * For whom a ticket stands.
   *
   * @param credential the kind of what was shown for it: {@code key}, {@code token} or {@code
   *     identity}
   * @param userId the one user it acts for, or null
   */
  public record Holder(
      int tenantId,
      String credential,
      UUID credentialId,
      String label,
      @Nullable String userId,
      @Nullable String workspace) {}

  /**
   * Stores a ticket.
   *
   * @param hash SHA-256 of the ticket, in hexadecimal
   * @param path what it opens
   */
  public void add(String hash, Holder holder, String path, Duration life) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(ADD)
            .bind("hash", hash)
            .bind("tenant", holder.tenantId())
            .bind("credential", holder.credential())
            .bind("credentialId", holder.credentialId())
            .bind("label", holder.label())
            .bind("user", holder.userId())
            .bind("workspace", holder.workspace())
            .bind("path", path)
            .bind("seconds", (double) life.toSeconds())
            .execute());
  }

  /** Uses a ticket up; empty if it isn't for this path, is used or old, or its holder has ended. */
  public Optional<Holder> use(String hash, String path) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(USE)
            .bind("hash", hash)
            .bind("path", path)
            .map(RecordMapper.of(Holder.class))
            .findOne());
  }

  /** Throws away some that are too old; how many. */
  public int forget(int limit) {
    return jdbi.withHandle(handle -> handle.createUpdate(FORGET).bind("limit", limit).execute());
  }
}
