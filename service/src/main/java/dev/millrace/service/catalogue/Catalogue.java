package dev.millrace.service.catalogue;

import static java.util.Comparator.comparing;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An immutable snapshot of everything that can be asked for. Lists are sorted by slug. */
public final class Catalogue {

  public static final Catalogue EMPTY = new Catalogue(List.of(), List.of());

  private final List<Workflow> workflows;
  private final List<Effect> effects;
  private final Map<String, Workflow> workflowsBySlug;
  private final Map<String, Effect> effectsBySlug;

  public Catalogue(Collection<Workflow> workflows, Collection<Effect> effects) {
    this.workflows = workflows.stream().sorted(comparing(Workflow::slug)).toList();
    this.effects = effects.stream().filter(Effect::active).sorted(comparing(Effect::slug)).toList();
    this.workflowsBySlug = index(this.workflows, Workflow::slug);
    this.effectsBySlug = index(this.effects, Effect::slug);
  }

  /** The effects on offer: those that are active and whose workflow is active. */
  public List<Effect> effects() {
    return effects;
  }

  /** An effect on offer. An inactive one is answered exactly as an unknown one. */
  public Optional<Effect> effect(String slug) {
    return Optional.ofNullable(effectsBySlug.get(slug));
  }

  /** Every workflow, inactive ones too, because their earlier jobs may still be running. */
  public List<Workflow> workflows() {
    return workflows;
  }

  /** A workflow, active or not. */
  public Optional<Workflow> workflow(String slug) {
    return Optional.ofNullable(workflowsBySlug.get(slug));
  }

  private static <T> Map<String, T> index(List<T> items, Function<T, String> slug) {
    return items.stream().collect(Collectors.toUnmodifiableMap(slug, Function.identity()));
  }
}
