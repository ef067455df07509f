package dev.millrace.postgres.removal;

import org.jdbi.v3.core.Jdbi;

/** What is done with all that a tenant has. */
public record WholeTenant(
    TenantContents contents, ExportRows rows, Removals removals, RemovalSteps steps) {

  public static WholeTenant of(Jdbi jdbi) {
    return new WholeTenant(
        new TenantContents(jdbi), new ExportRows(jdbi), new Removals(jdbi), new RemovalSteps(jdbi));
  }
}
