package dev.millrace.postgres.catalogue;

import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The database's numbers for workflows and effects, which are defined in files. */
public final class CatalogueIds {

  private static final String UPSERT_WORKFLOW =
      """
      insert into workflow as w (slug, version, executor)
      values (:slug, :version, :executor)
      on conflict (slug) do update
      set version = excluded.version,
          executor = excluded.executor
      where (w.version, w.executor) is distinct from (excluded.version, excluded.executor)
      """;

  private static final String UPSERT_EFFECT =
      """
      insert into effect as e (slug, workflow_id, credits_cost, concurrency)
      select :slug, w.id, :cost, cast(:concurrency as int)
      from workflow w
      where w.slug = :workflow
      on conflict (slug) do update
      set workflow_id = excluded.workflow_id,
          credits_cost = excluded.credits_cost,
          concurrency = excluded.concurrency
      where (e.workflow_id, e.credits_cost, e.concurrency)
          is distinct from (excluded.workflow_id, excluded.credits_cost, excluded.concurrency)
      """;

  private static final String WORKFLOW_IDS = "select slug, id from workflow";
  private static final String EFFECT_IDS = "select slug, id from effect";

  private final Jdbi jdbi;

  public CatalogueIds(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  public record WorkflowRow(String slug, int version, String executor) {}

  /**
   * What the database knows of an effect.
   *
   * @param concurrency how many of its jobs may run at once; null for any number
   */
  public record EffectRow(String slug, String workflow, long cost, @Nullable Integer concurrency) {
    public EffectRow(String slug, String workflow, long cost) {
      this(slug, workflow, cost, null);
    }
  }

  /** The ids by slug. What is no longer in the files keeps its id: old jobs still name it. */
  public record Ids(Map<String, Integer> workflows, Map<String, Integer> effects) {}

  public Ids store(Iterable<WorkflowRow> workflows, Iterable<EffectRow> effects) {
    return jdbi.inTransaction(handle -> {
      for (WorkflowRow workflow : workflows) {
        handle
            .createUpdate(UPSERT_WORKFLOW)
            .bind("slug", workflow.slug())
            .bind("version", workflow.version())
            .bind("executor", workflow.executor())
            .execute();
      }
      for (EffectRow effect : effects) {
        handle
            .createUpdate(UPSERT_EFFECT)
            .bind("slug", effect.slug())
            .bind("workflow", effect.workflow())
            .bind("cost", effect.cost())
            .bind("concurrency", effect.concurrency())
            .execute();
      }
      return new Ids(ids(handle, WORKFLOW_IDS), ids(handle, EFFECT_IDS));
    });
  }

  private static Map<String, Integer> ids(Handle handle, String sql) {
    Map<String, Integer> ids = new TreeMap<>();
    handle
        .createQuery(sql)
        .map((row, _) -> ids.put(row.getString("slug"), row.getInt("id")))
        .list();
    return ids;
  }
}
