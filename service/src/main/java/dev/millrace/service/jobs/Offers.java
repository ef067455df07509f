package dev.millrace.service.jobs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.money.Price;
import dev.millrace.postgres.catalogue.CatalogueIds;
import dev.millrace.postgres.catalogue.CatalogueIds.EffectRow;
import dev.millrace.postgres.catalogue.CatalogueIds.Ids;
import dev.millrace.postgres.catalogue.CatalogueIds.WorkflowRow;
import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CheckedFile;
import dev.millrace.service.catalogue.reading.Reload;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the catalogue's files say, joined with the ids that the database gave it. */
public final class Offers {

  private record Snapshot(
      Map<String, Offer> offers,
      Map<String, List<Integer>> queues,
      Map<Integer, String> slugs,
      List<Queue> workflows) {}

  /** A workflow of the catalogue and the id of its queue. */
  public record Queue(int id, Workflow workflow) {}

  private final CatalogueFiles files;
  private final CatalogueIds catalogued;
  private volatile Snapshot current = new Snapshot(Map.of(), Map.of(), Map.of(), List.of());
  private volatile boolean stored = true;

  public Offers(CatalogueFiles files, CatalogueIds catalogued) {
    this.files = files;
    this.catalogued = catalogued;
  }

  /** Reads the files again; on a mistake everything stays as it was. */
  public synchronized Reload reload() {
    Reload reload = files.reload();
    if (reload instanceof Reload.Reloaded(Catalogue catalogue)) {
      // If the database is away the files count as changed, and the next look tries again.
      stored = false;
      current = store(catalogue);
      stored = true;
    }
    return reload;
  }

  /** What would come of a file of the catalogue; nothing changes. */
  public CheckedFile check(String name, String text) {
    return files.check(name, text);
  }

  /** True if the files look different from when they were last read. */
  public boolean changed() {
    return !stored || files.changed();
  }

  public Collection<Offer> all() {
    return current.offers.values();
  }

  public Optional<Offer> find(String effect) {
    return Optional.ofNullable(current.offers.get(effect));
  }

  /** What an effect decides about its jobs today; the usual things if it is gone. */
  public EffectPolicy policyOf(String effect) {
    return find(effect).map(offer -> offer.effect().policy()).orElseGet(files::usualPolicy);
  }

  /** The name of the effect that the database knows by this id. */
  public String slugOf(int effectId) {
    return current.slugs.getOrDefault(effectId, "effect-" + effectId);
  }

  /** Every workflow of the catalogue, inactive ones too. */
  public List<Queue> workflows() {
    return current.workflows;
  }

  public Optional<Queue> workflow(String slug) {
    return workflows().stream().filter(queue -> queue.workflow().slug().equals(slug)).findFirst();
  }

  public Optional<Queue> workflow(int id) {
    return workflows().stream().filter(queue -> queue.id() == id).findFirst();
  }

  /** The queues of these executors. */
  public List<Integer> queuesOf(Set<String> executors) {
    return executors.stream()
        .flatMap(executor -> current.queues.getOrDefault(executor, List.of()).stream())
        .toList();
  }

  private Snapshot store(Catalogue catalogue) {
    Ids ids =
        catalogued.store(
            catalogue.workflows().stream()
                .map(w -> new WorkflowRow(w.slug(), w.version(), w.executor()))
                .toList(),
            catalogue.effects().stream()
                .map(e ->
                    new EffectRow(e.slug(), e.workflow().slug(), e.creditsCost(), e.concurrency()))
                .toList());
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (Effect effect : catalogue.effects()) {
      offers.put(effect.slug(), new Offer(effect, terms(effect, ids)));
    }
    Map<String, List<Integer>> queues =
        catalogue.workflows().stream()
            .collect(
                Collectors.groupingBy(
                    w -> w.executor(),
                    Collectors.mapping(w -> id(ids.workflows(), w.slug()), Collectors.toList())));
    Map<Integer, String> slugs = new HashMap<>();
    offers.forEach((slug, offer) -> slugs.put(offer.terms().effectId(), slug));
    List<Queue> workflows =
        catalogue.workflows().stream()
            .map(workflow -> new Queue(id(ids.workflows(), workflow.slug()), workflow))
            .toList();
    return new Snapshot(offers, queues, slugs, workflows);
  }

  private static SubmitJob.Terms terms(Effect effect, Ids ids) {
    EffectPolicy policy = effect.policy();
    WorkflowLimits limits = effect.workflow().limits();
    return new SubmitJob.Terms(
        id(ids.effects(), effect.slug()),
        id(ids.workflows(), effect.workflow().slug()),
        effect.creditsCost(),
        policy.maxFailures(),
        policy.maxInterruptions(),
        Math.toIntExact(limits.runSeconds()),
        Math.toIntExact(limits.queueSeconds()),
        new JobTerms.Rules(
            policy.review() == EffectPolicy.Review.REQUIRED,
            policy.refundWhenUnsafe(),
            policy.consumeWhenDeclined(),
            price(effect)));
  }

  private static Price price(Effect effect) {
    return switch (effect.price().per()) {
      case JOB -> Price.OF_THE_JOB;
      case OUTPUT, SECOND -> new Price(effect.price().per(), effect.creditsCost());
    };
  }

  private static int id(Map<String, Integer> ids, String slug) {
    return Objects.requireNonNull(ids.get(slug), slug);
  }
}
