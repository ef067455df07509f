package dev.millrace.service.access;

import dev.millrace.postgres.tenants.KeyView;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a key or token is bound to within its role.
 *
 * @param user the one user it acts for; null for any of its tenant's
 * @param workspace the one workspace whose jobs it knows; null for any
 * @param effects the slugs of the effects that it may ask for; null for any
 * @param scopes what it may do; null for all that its role has
 */
public record Bounds(
    @Nullable String user,
    @Nullable String workspace,
    @Nullable Set<String> effects,
    @Nullable Set<Scope> scopes) {

  public static final Bounds NONE = new Bounds(null, null, null, null);

  public Bounds {
    effects = effects == null ? null : Set.copyOf(effects);
    scopes = scopes == null ? null : Set.copyOf(scopes);
  }

  /** As they were stored. A scope that this version doesn't know is none. */
  public static Bounds stored(KeyView.Bounds bounds) {
    Set<Scope> known = EnumSet.noneOf(Scope.class);
    if (bounds.scopes() != null) {
      bounds.scopes().forEach(label -> Scope.ofLabel(label).ifPresent(known::add));
    }
    return new Bounds(
        bounds.userId(),
        bounds.workspace(),
        bounds.effects() == null ? null : Set.copyOf(bounds.effects()),
        bounds.scopes() == null ? null : known);
  }

  /** As they are stored, each list in order. */
  public KeyView.Bounds stored() {
    return new KeyView.Bounds(
        user,
        workspace,
        effects == null ? null : effects.stream().sorted().toList(),
        scopes == null ? null : scopes.stream().sorted().map(Scope::label).toList());
  }

  /** Whether whoever has these bounds may give away the others. */
  public boolean include(Bounds other) {
    return (user == null || user.equals(other.user))
        && (workspace == null || workspace.equals(other.workspace))
        && (effects == null || (other.effects != null && effects.containsAll(other.effects)))
        && (scopes == null || (other.scopes != null && scopes.containsAll(other.scopes)));
  }

  public boolean allow(Scope scope) {
    return scopes == null || scopes.contains(scope);
  }

  public boolean allowEffect(String slug) {
    return effects == null || effects.contains(slug);
  }
}
