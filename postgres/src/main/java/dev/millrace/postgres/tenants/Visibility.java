package dev.millrace.postgres.tenants;

import org.jspecify.annotations.Nullable;

/**
 * Whose rows somebody may see.
 *
 * @param user only this user's, or null for any
 * @param workspace only what carries this label, or null for any
 */
public record Visibility(int tenant, @Nullable String user, @Nullable String workspace) {

  /** All of a tenant's. */
  public static Visibility of(int tenant) {
    return new Visibility(tenant, null, null);
  }

  /** All of one user's. */
  public static Visibility of(int tenant, @Nullable String user) {
    return new Visibility(tenant, user, null);
  }

  /** Whether a row of the same tenant, with this user and label, may be seen. */
  public boolean includes(String rowUser, @Nullable String rowWorkspace) {
    return (user == null || user.equals(rowUser))
        && (workspace == null || workspace.equals(rowWorkspace));
  }
}
