package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Tokens that keys made for users: found by hash, counted, ended. None outlives its key. */
public final class UserTokens {

  private static final String COLUMNS =
      """
      t.tenant_id, t.id, t.key_id, t.prefix, t.user_id, t.workspace, t.effects, t.scopes,
          t.most_jobs, t.used_jobs, t.created_at, t.ends_at, t.ended_at\
      """;

  private static final String ALIVE =
      """
      join api_key k on k.tenant_id = t.tenant_id and k.id = t.key_id
      where t.ended_at is null
        and t.ends_at > clock_timestamp()
        and k.revoked_at is null
        and (k.ends_at is null or k.ends_at > clock_timestamp())\
      """;

  private static final String FIND =
      """
      select %s
      from user_token t
      %s
        and t.hash = decode(:hash, 'hex')
      """
          .formatted(COLUMNS, ALIVE);

  private static final String LIST =
      """
      select %s
      from user_token t
      %s
        and t.tenant_id = :tenant
        and (cast(:user as text) is null or t.user_id = :user)
        and (cast(:workspace as text) is null or t.workspace = :workspace)
        and (cast(:before as uuid) is null or t.id < :before)
      order by t.id desc
      limit :limit
      """
          .formatted(COLUMNS, ALIVE);

  private static final String INSERT =
      """
      insert into user_token as t (tenant_id, id, key_id, prefix, hash, user_id, workspace, effects,
          scopes, most_jobs, ends_at)
      values (:tenant, :id, :key, :prefix, decode(:hash, 'hex'), :user, :workspace, :effects,
          :scopes, :most, clock_timestamp() + make_interval(secs => :seconds))
      returning %s
      """
          .formatted(COLUMNS);

  private static final String END =
      """
      update user_token
      set ended_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and (cast(:user as text) is null or user_id = :user)
        and (cast(:workspace as text) is null or workspace = :workspace)
        and ended_at is null
        and ends_at > clock_timestamp()
      """;

  /** Of those who come at once, one after the other sees what is left. */
  private static final String TAKE =
      """
      update user_token
      set used_jobs = used_jobs + :jobs
      where tenant_id = :tenant
        and id = :id
        and (most_jobs is null or used_jobs + :jobs <= most_jobs)
      """;

  private static final String GIVE_BACK =
      """
      update user_token
      set used_jobs = used_jobs - :jobs
      where tenant_id = :tenant
        and id = :id
        and used_jobs >= :jobs
      """;

  private static final String FORGET =
      """
      delete from user_token
      where (tenant_id, id) in (
          select e.tenant_id, e.id
          from user_token e
          where least(e.ended_at, e.ends_at)
              < (select clock_timestamp() - make_interval(secs => :seconds))
          limit :limit
          for update skip locked)
      """;

  private final Jdbi jdbi;

  public UserTokens(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What is stored of a new token.
   *
   * @param key the key that makes it
   * @param hash SHA-256 of the token, in hexadecimal
   * @param mostJobs how many jobs may be submitted with it, or null
   */
  public record NewToken(
      int tenant,
      UUID id,
      UUID key,
      String prefix,
      String hash,
      UserTokenView.Bounds bounds,
      @Nullable Integer mostJobs,
      Duration life) {}

  public UserTokenView add(NewToken token) {
    UserTokenView.Bounds bounds = token.bounds();
    List<String> effects = bounds.effects();
    return jdbi.withHandle(handle ->
        handle
            .createQuery(INSERT)
            .bind("tenant", token.tenant())
            .bind("id", token.id())
            .bind("key", token.key())
            .bind("prefix", token.prefix())
            .bind("hash", token.hash())
            .bind("user", bounds.userId())
            .bind("workspace", bounds.workspace())
            .bindArray("effects", String.class, effects == null ? null : effects.toArray())
            .bindArray("scopes", String.class, bounds.scopes().toArray())
            .bind("most", token.mostJobs())
            .bind("seconds", (double) token.life().toSeconds())
            .map(RecordMapper.of(UserTokenView.class))
            .one());
  }

  /** The token with this hash, unless it or its key has ended. */
  public Optional<UserTokenView> find(String hash) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("hash", hash)
            .map(RecordMapper.of(UserTokenView.class))
            .findOne());
  }

  /**
   * Those that work, the newest first.
   *
   * @param before the last id of the page before, or null
   */
  public List<UserTokenView> list(Visibility whose, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("before", before)
            .bind("limit", limit)
            .map(RecordMapper.of(UserTokenView.class))
            .list());
  }

  /** False if there is no such token, or it has ended. */
  public boolean end(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(END)
            .bind("tenant", whose.tenant())
            .bind("id", id)
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .execute())
        > 0;
  }

  /** Counts so many jobs before they are submitted; false if it isn't good for so many more. */
  public boolean take(int tenant, UUID id, int jobs) {
    return count(TAKE, tenant, id, jobs);
  }

  /** Counts so many jobs less, because they were not accepted. */
  public void giveBack(int tenant, UUID id, int jobs) {
    count(GIVE_BACK, tenant, id, jobs);
  }

  private boolean count(String statement, int tenant, UUID id, int jobs) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(statement)
            .bind("tenant", tenant)
            .bind("id", id)
            .bind("jobs", jobs)
            .execute())
        > 0;
  }

  /** Throws away some that ended longer ago than this; how many. */
  public int forget(Duration ago, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(FORGET)
            .bind("seconds", (double) ago.toSeconds())
            .bind("limit", limit)
            .execute());
  }
}
