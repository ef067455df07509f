package dev.millrace.postgres.removal;

import dev.millrace.postgres.files.DeletedFiles.Deleted;
import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Takes away what a tenant has, a bounded part at a time. Credits stay sound in between: what a
 * wallet's lines that went were worth is kept as a sum in the wallet, as it is for lines of old
 * months, until the wallet goes too.
 */
public final class RemovalSteps {

  /** Whoever may come in, and what would begin something new. */
  private static final List<String> FIRST =
      List.of(
          "stream_ticket",
          "console_pass",
          "identity_session",
          "user_token",
          "task",
          "request_list_line",
          "request_list",
          "api_key");

  /** What hangs on no job and no wallet. */
  private static final List<String> LAST =
      List.of(
          "transfer_error",
          "transfer",
          "late_result",
          "inbox",
          "webhook_delivery",
          "webhook",
          "share",
          "audit");

  /** Goes with its job or its wallet. */
  static final List<String> BETWEEN =
      List.of(
          "job",
          "job_input",
          "job_event",
          "attempt",
          "dispatch",
          "ledger",
          "file",
          "batch",
          "wallet");

  private static final String LIVE =
      """
      select job_id
      from dispatch
      where tenant_id = :tenant
        and state <> 'canceling'
      order by job_id
      limit :limit
      """;

  private static final String ANY_LIVE =
      """
      select exists (
          select 1
          from dispatch
          where tenant_id = :tenant)
      """;

  /** The newest first, so that no job is left that was made of one that is gone. */
  private static final String ENDED =
      """
      select id
      from job
      where tenant_id = :tenant
      order by id desc
      limit :limit
      """;

  private static final String LOCK_PAYERS =
      """
      select count(*)
      from (
          select w.id
          from wallet w
          where w.id in (
              select wallet_id
              from job
              where tenant_id = :tenant
                and id = any (cast(:jobs as uuid[])))
          order by w.id
          for update of w) locked
      """;

  private static final String LOCK_JOBS =
      """
      select j.id
      from job j
      where j.tenant_id = :tenant
        and j.id = any (cast(:jobs as uuid[]))
        and not j.hold_open
      order by j.id
      for update of j
      """;

  private static final String REMEMBER =
      """
      update wallet w
      set archived = w.archived + s.amount,
          archived_line = greatest(w.archived_line, s.newest)
      from (
          select wallet_id, sum(amount) as amount, max(id) as newest
          from ledger
          where tenant_id = :tenant
            and job_id = any (cast(:jobs as uuid[]))
          group by wallet_id) s
      where w.id = s.wallet_id
      """;

  private static final List<String> OF_JOBS =
      List.of(
          "ledger",
          "job_event",
          "attempt",
          "job_input",
          "file",
          "late_result",
          "inbox",
          "webhook_delivery");

  private static final String JOBS =
      """
      delete from job
      where tenant_id = :tenant
        and id = any (cast(:jobs as uuid[]))
      """;

  private static final String WALLETS =
      """
      select id
      from wallet
      where tenant_id = :tenant
      order by user_id collate "C"
      limit :limit
      """;

  private static final String FILES =
      """
      select tenant_id as tenant, id, key, thumbnail_key, upload_id, size
      from file
      where wallet_id = any (cast(:wallets as bigint[]))
      limit :limit
      """;

  private static final String FORGET_FILES =
      """
      delete from file
      where tenant_id = :tenant
        and id = any (cast(:files as uuid[]))
      """;

  private static final String LOCK_WALLETS =
      """
      select count(*)
      from (
          select w.id
          from wallet w
          where w.id = any (cast(:wallets as bigint[]))
          order by w.id
          for update of w) locked
      """;

  /** Those of payments and adjustments; those of jobs went with their jobs. */
  private static final String LINES =
      """
      with gone as (
          delete from ledger
          where job_id is null
            and (wallet_id, id) in (
              select wallet_id, id
              from ledger
              where wallet_id = any (cast(:wallets as bigint[]))
                and job_id is null
              order by wallet_id, id
              limit :limit)
          returning wallet_id, id, amount),
      remembered as (
          update wallet w
          set archived = w.archived + s.amount,
              archived_line = greatest(w.archived_line, s.newest)
          from (
              select wallet_id, sum(amount) as amount, max(id) as newest
              from gone
              group by wallet_id) s
          where w.id = s.wallet_id)
      select count(*)
      from gone
      """;

  private static final String BATCHES =
      """
      delete from batch
      where (tenant_id, id) in (
          select tenant_id, id
          from batch
          where wallet_id = any (cast(:wallets as bigint[]))
          limit :limit)
      """;

  private static final String FORGET_WALLETS =
      """
      delete from wallet w
      where w.id = any (cast(:wallets as bigint[]))
        and not exists (select 1 from ledger l where l.wallet_id = w.id)
        and not exists (select 1 from job j where j.wallet_id = w.id)
        and not exists (select 1 from file f where f.wallet_id = w.id)
        and not exists (select 1 from batch b where b.wallet_id = w.id)
      """;

  private final Jdbi jdbi;

  public RemovalSteps(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Takes away some of what lets anybody in; false if none is left. */
  public boolean shutOut(int tenant, int limit) {
    return some(FIRST, tenant, limit);
  }

  /** Takes away some of what is left when jobs and wallets have gone; false if none is. */
  public boolean clear(int tenant, int limit) {
    return some(LAST, tenant, limit);
  }

  private boolean some(List<String> tables, int tenant, int limit) {
    return tables.stream()
        .anyMatch(table ->
            jdbi.withHandle(handle ->
                handle
                    .createUpdate(some(table))
                    .bind("tenant", tenant)
                    .bind("limit", limit)
                    .execute())
                > 0);
  }

  /** An operator's line about the installation is not the tenant's. */
  private static String some(String table) {
    String own =
        table.equals("audit")
            ? "tenant_id = :tenant and not of_installation"
            : "tenant_id = :tenant";
    return """
    delete from %1$s
    where ctid = any (array(
        select ctid
        from %1$s
        where %2$s
        limit :limit))
    """
        .formatted(table, own);
  }

  private static String ofJobs(String table) {
    return """
    delete from %s
    where tenant_id = :tenant
      and job_id = any (cast(:jobs as uuid[]))
    """
        .formatted(table);
  }

  /** Live jobs that nobody has asked to stop. */
  public List<UUID> live(int tenant, int limit) {
    return ids(LIVE, tenant, limit);
  }

  public boolean anyLive(int tenant) {
    return jdbi.withHandle(
        handle -> handle.createQuery(ANY_LIVE).bind("tenant", tenant).mapTo(Boolean.class).one());
  }

  /** Some of its jobs. */
  public List<UUID> jobs(int tenant, int limit) {
    return ids(ENDED, tenant, limit);
  }

  private List<UUID> ids(String statement, int tenant, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(statement)
            .bind("tenant", tenant)
            .bind("limit", limit)
            .mapTo(UUID.class)
            .list());
  }

  /** Takes these jobs away, with all that is theirs; how many had ended and are gone. */
  public int forgetJobs(int tenant, List<UUID> jobs) {
    return jdbi.inTransaction(handle -> {
      handle
          .createQuery(LOCK_PAYERS)
          .bind("tenant", tenant)
          .bindArray("jobs", UUID.class, jobs)
          .mapTo(Long.class)
          .one();
      List<UUID> ended =
          handle
              .createQuery(LOCK_JOBS)
              .bind("tenant", tenant)
              .bindArray("jobs", UUID.class, jobs)
              .mapTo(UUID.class)
              .list();
      of(handle, REMEMBER, tenant, ended);
      OF_JOBS.forEach(table -> of(handle, ofJobs(table), tenant, ended));
      return of(handle, JOBS, tenant, ended);
    });
  }

  private static int of(Handle handle, String statement, int tenant, List<UUID> jobs) {
    return handle
        .createUpdate(statement)
        .bind("tenant", tenant)
        .bindArray("jobs", UUID.class, jobs)
        .execute();
  }

  /** Some of its wallets. */
  public List<Long> wallets(int tenant, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WALLETS)
            .bind("tenant", tenant)
            .bind("limit", limit)
            .mapTo(Long.class)
            .list());
  }

  /** Some of the files of these wallets. */
  public List<Deleted> files(List<Long> wallets, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FILES)
            .bindArray("wallets", Long.class, wallets)
            .bind("limit", limit)
            .map(RecordMapper.of(Deleted.class))
            .list());
  }

  public int forgetFiles(int tenant, List<UUID> files) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(FORGET_FILES)
            .bind("tenant", tenant)
            .bindArray("files", UUID.class, files)
            .execute());
  }

  /** Takes away some of the lines and batches of these wallets, or else the wallets; how many. */
  public int forgetWallets(List<Long> wallets, int limit) {
    return jdbi.inTransaction(handle -> {
      handle
          .createQuery(LOCK_WALLETS)
          .bindArray("wallets", Long.class, wallets)
          .mapTo(Long.class)
          .one();
      int lines =
          handle
              .createQuery(LINES)
              .bindArray("wallets", Long.class, wallets)
              .bind("limit", limit)
              .mapTo(Integer.class)
              .one();
      if (lines > 0) {
        return lines;
      }
      int batches =
          handle
              .createUpdate(BATCHES)
              .bindArray("wallets", Long.class, wallets)
              .bind("limit", limit)
              .execute();
      return batches > 0
          ? batches
          : handle.createUpdate(FORGET_WALLETS).bindArray("wallets", Long.class, wallets).execute();
    });
  }

  /** Every table of which it takes rows away. */
  static List<String> tables() {
    return Stream.of(FIRST, BETWEEN, LAST).flatMap(List::stream).toList();
  }
}
