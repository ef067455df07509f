package dev.millrace.web.api.admin;

import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.Services;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.TenantActions;
import dev.millrace.service.tenants.TenantRemoval.Obstacle;
import dev.millrace.service.tenants.TenantRemoval.Outcome;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;

/** What becomes of an operator's wish about a tenant, in the words of the API and the console. */
public final class TenantAnswers {

  private TenantAnswers() {}

  /** There is, or was, a tenant of this slug. */
  public static ProblemException exists() {
    return new ProblemException(
        409, "tenant_exists", "There is a tenant with this slug already, or was one.");
  }

  /** Why nothing was done to a tenant. */
  public static ProblemException unchanged(TenantActions tenants, String slug) {
    return tenants.find(slug).isEmpty()
        ? ProblemException.notFound()
        : new ProblemException(
            409, "tenant_removed", "This tenant is being removed, or nothing is left of it.");
  }

  /** All that a tenant has, made while it is sent. */
  public static Response archive(
      Services.ForTenants tenants, Principal by, String slug, boolean objects) {
    TenantView tenant = tenants.actions().find(slug).orElseThrow(ProblemException::notFound);
    return Response.stream(
            200, "application/gzip", -1, () -> tenants.export().begin(by, tenant, objects))
        .header("Content-Disposition", "attachment; filename=\"" + slug + ".tar.gz\"");
  }

  /** Refuses whatever else became of it. */
  public static void requireBegun(Outcome outcome) {
    switch (outcome) {
      case Outcome.Begun() -> {}
      case Outcome.Missing() -> throw ProblemException.notFound();
      case Outcome.Refused(Obstacle obstacle) ->
          throw new ProblemException(409, obstacle.code(), inWords(obstacle));
    }
  }

  /** What is in the way, and what would help. */
  public static String inWords(Obstacle obstacle) {
    return switch (obstacle) {
      case HAS_OPERATORS ->
          "This tenant has an operator's key, so whoever keeps the installation would be shut out."
              + " Revoke its operators' keys first.";
      case NOT_SUSPENDED -> "Suspend the tenant first: only a suspended one is removed.";
      case NO_EXPORT ->
          "Export the tenant first and send the receipt of its manifest.json, or say"
              + " without_export.";
      case OTHER_EXPORT ->
          "This is not the receipt of the newest export of this tenant since its suspension.";
      case CHANGED_SINCE ->
          "A job of this tenant has gone on since the export was made. Make another one.";
    };
  }
}
