package dev.millrace.web.console.admin;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.outside.ProviderWork;
import dev.millrace.service.access.Scope;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who performs jobs besides workers, how each stands, and what came back too late. */
public final class ProviderPages {

  private final PageAccess doors;
  private final ProviderOverview overview;
  private final JobActions actions;
  private final Jobs jobs;

  public ProviderPages(PageAccess doors, ProviderOverview overview, JobActions actions, Jobs jobs) {
    this.doors = doors;
    this.overview = overview;
    this.actions = actions;
    this.jobs = jobs;
  }

  /** What a provider is, in words. */
  public static String kind(ProviderOverview.Provider provider) {
    return switch (provider.standing().kind()) {
      case LOCAL -> "in this server";
      case DIRECT -> "a service, asked and answered at once";
      case SERVICE -> "a service, given work and asked later";
      case null -> "not set up";
    };
  }

  public static String breaker(ProviderOverview.Provider provider) {
    return provider.standing().breaker().state().label();
  }

  /** What to set to have it; empty if nothing is known of that. */
  public static String setting(ProviderOverview.Provider provider) {
    ProviderStatus.@Nullable MaskedKey key = provider.standing().key();
    return key == null ? "" : key.setting();
  }

  /** Everybody's key as it may be shown; null if there is none. */
  public static @Nullable String key(ProviderOverview.Provider provider) {
    ProviderStatus.@Nullable MaskedKey key = provider.standing().key();
    return key == null ? null : key.common();
  }

  /** What lies there. */
  public static ProviderWork.Standing work(ProviderOverview.Provider provider) {
    return Objects.requireNonNullElseGet(
        provider.work(),
        () -> new ProviderWork.Standing(provider.standing().name(), 0, 0, null, 0, null));
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/providers", Scope.TASKS_READ, visit -> show(visit, "providers")),
        doors.page(
            "/console/providers/now", Scope.TASKS_READ, visit -> show(visit, "providersNow")),
        doors.deed("/console/providers/adopt/{id}", Scope.TASKS_WRITE, this::adopt));
  }

  private Response show(Visit visit, String template) {
    return doors
        .html()
        .page(
            200,
            template,
            Map.of(
                "page",
                visit.page("Providers", "providers"),
                "providers",
                visit.may(Scope.PROVIDERS_READ)
                    ? overview.providers(visit.principal()).stream()
                        .sorted(Comparator.comparing(provider -> !provider.ready()))
                        .toList()
                    : List.of(),
                "late",
                overview.late(visit.principal())));
  }

  private Response adopt(Visit visit) throws InterruptedException {
    JobView job =
        jobs.find(visit.principal().visibility(), visit.id())
            .orElseThrow(ProblemException::notFound);
    Refusals.requireAdopted(actions.adopt(visit.principal(), job));
    return visit.to("/console/jobs/" + visit.id() + "?done=adopted");
  }
}
