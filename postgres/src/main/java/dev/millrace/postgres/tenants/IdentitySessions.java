package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in to the console by an identity provider. Of a session only the hash is stored.
 */
public final class IdentitySessions {

  private static final String FORGET =
      """
      delete from identity_session
      where hash in (
          select e.hash
          from identity_session e
          where e.expires_at < (select clock_timestamp())
          for update skip locked)
      """;

  private static final String ADD =
      """
      insert into identity_session (hash, terms, tenant_id, identity_id, label, role, user_id,
          expires_at)
      values (decode(:hash, 'hex'), decode(:terms, 'hex'), :tenant, :identity, :label, :role,
          :user, clock_timestamp() + make_interval(secs => :seconds))
      """;

  private static final String FIND =
      """
      select s.tenant_id, s.identity_id, s.label, s.role, s.user_id
      from identity_session s
      where s.hash = decode(:hash, 'hex')
        and s.terms = decode(:terms, 'hex')
        and s.expires_at > clock_timestamp()
      """;

  private static final String END =
      """
      delete from identity_session
      where hash = decode(:hash, 'hex')
      """;

  private final Jdbi jdbi;

  public IdentitySessions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Whose session it is.
   *
   * @param label how people recognise him
   * @param userId the one user to act for, or null for any
   */
  public record Holder(
      int tenantId, UUID identityId, String label, String role, @Nullable String userId) {}

  /**
   * Stores a session, and throws away those that have ended.
   *
   * @param hash SHA-256 of its secret, in hexadecimal
   * @param terms SHA-256 of the terms under which it is good, in hexadecimal
   */
  public void add(String hash, String terms, Holder holder, Duration life) {
    jdbi.useTransaction(handle -> {
      handle.createUpdate(FORGET).execute();
      handle
          .createUpdate(ADD)
          .bind("hash", hash)
          .bind("terms", terms)
          .bind("tenant", holder.tenantId())
          .bind("identity", holder.identityId())
          .bind("label", holder.label())
          .bind("role", holder.role())
          .bind("user", holder.userId())
          .bind("seconds", life.toSeconds())
          .execute();
    });
  }

  /** Whose session this is, if it is good under these terms. */
  public Optional<Holder> find(String hash, String terms) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("hash", hash)
            .bind("terms", terms)
            .map(RecordMapper.of(Holder.class))
            .findOne());
  }

  public void end(String hash) {
    jdbi.useHandle(handle -> handle.createUpdate(END).bind("hash", hash).execute());
  }
}
