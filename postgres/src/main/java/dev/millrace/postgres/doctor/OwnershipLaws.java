package dev.millrace.postgres.doctor;

import java.util.List;

/** Laws 13 to 15: everything belongs to its tenant, results exist, secrets are not stored. */
final class OwnershipLaws {

  private static final String WALLETS =
      """
      select j.tenant_id, j.id as job_id, 'job' as row_of
      from job j
      left join wallet w on w.tenant_id = j.tenant_id and w.id = j.wallet_id
      where w.id is null
      union all
      select l.tenant_id, l.job_id, 'ledger'
      from ledger l
      left join wallet w on w.tenant_id = l.tenant_id and w.id = l.wallet_id
      where w.id is null
      union all
      select f.tenant_id, f.job_id, 'file'
      from file f
      left join wallet w on w.tenant_id = f.tenant_id and w.id = f.wallet_id
      where w.id is null
      """;

  private static final String CHILDREN =
      """
      select c.tenant_id, c.job_id, c.row_of
      from (
          select distinct tenant_id, job_id, 'job_event' as row_of from job_event
          union all
          select distinct tenant_id, job_id, 'attempt' from attempt
          union all
          select tenant_id, job_id, 'job_input' from job_input
          union all
          select distinct tenant_id, job_id, 'ledger' from ledger where job_id is not null
          union all
          select distinct tenant_id, job_id, 'file' from file where job_id is not null) c
      left join job j on j.tenant_id = c.tenant_id and j.id = c.job_id
      where j.id is null
      """;

  private static final String OUTPUTS =
      """
      select j.tenant_id, j.id as job_id
      from job j
      where j.state = 'completed'
        and not exists (
          select 1
          from file f
          where f.tenant_id = j.tenant_id
            and f.job_id = j.id
            and f.attempt = j.attempts
            and not f.withheld
            and f.size > 0)
      """;

  /** Nobody has counted yet where it is null. */
  private static final String STORAGE =
      """
      select w.tenant_id, w.id as wallet_id, w.stored_bytes, coalesce(sum(f.size), 0) as bytes
      from wallet w
      left join file f on f.wallet_id = w.id and f.deleted_at is null
      where w.stored_bytes is not null
      group by w.id
      having w.stored_bytes <> coalesce(sum(f.size), 0)
      """;

  private static final String SECRETS =
      """
      select tenant_id, id as key_id
      from api_key
      where length(hash) <> 32
         or length(prefix) > 16
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              13,
              "wallets",
              "Jobs, ledger and files belong to a wallet of their tenant.",
              "A row points to a wallet that is not its tenant's. This is how one "
                  + "tenant could see or spend what belongs to another. Stop the server, and "
                  + "find out who wrote the row.",
              WALLETS),
          new Invariant(
              13,
              "children",
              "Every row of a job belongs to its tenant.",
              "A part of a job is left without its job. Was a job deleted by hand, or "
                  + "only a part restored from a backup? The rows can be deleted once nobody "
                  + "needs them.",
              CHILDREN),
          new Invariant(
              14,
              "outputs",
              "A completed job has an output of its last attempt.",
              "A user has paid for a job that has no file of its last attempt. Was the "
                  + "file's row deleted by hand? Give the credits back by a payment with a "
                  + "note.",
              OUTPUTS),
          new Invariant(
              14,
              "storage",
              "A wallet counts the bytes of its user's files, each once.",
              "A limit on storage is reckoned with a wrong number. Nothing is lost; set the "
                  + "wallet's stored_bytes to null, and it is counted anew when a node starts.",
              STORAGE),
          new Invariant(
              15,
              "secrets",
              "Keys are stored as hashes only.",
              "A key is stored in another form than a hash, so who reads the database "
                  + "may use it. Revoke it and make a new one.",
              SECRETS));

  private OwnershipLaws() {}
}
