package dev.millrace.web.console;

import dev.millrace.postgres.Database;
import dev.millrace.service.Services;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.Scope;
import dev.millrace.web.api.Api;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.console.admin.AdminPages;
import dev.millrace.web.console.admin.CataloguePages;
import dev.millrace.web.console.admin.FleetPages;
import dev.millrace.web.console.admin.MoneyPages;
import dev.millrace.web.console.admin.Overview;
import dev.millrace.web.console.admin.ProviderPages;
import dev.millrace.web.console.admin.TenantPages;
import dev.millrace.web.console.admin.WebhookPages;
import dev.millrace.web.console.frame.Assets;
import dev.millrace.web.console.frame.Html;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.ProviderDoor;
import dev.millrace.web.console.frame.SignIn;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.job.JobList;
import dev.millrace.web.console.job.JobPages;
import dev.millrace.web.console.job.ReviewPages;
import dev.millrace.web.console.studio.FilePages;
import dev.millrace.web.console.studio.Studio;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.List;
import java.util.stream.Stream;

/** All pages of the console. */
public final class Console {

  private final Services services;
  private final Api.Edge edge;
  private final PageAccess doors;
  private final SubmitAnswers answers;

  public Console(Services services, Api.Edge edge, SubmitAnswers answers) {
    Passes passes = services.admins().passes();
    this.services = services;
    this.edge = edge;
    this.answers = answers;
    this.doors =
        new PageAccess(
            passes, edge.rates(), new Html(), edge.publicUrl().configured().orElse(null));
  }

  public List<Route> routes() {
    return Stream.of(
            Assets.routes(),
            pages().stream().map(page -> page.behind(this::underKnownHost)).toList())
        .flatMap(List::stream)
        .toList();
  }

  /** Under another host a page says so; what makes it look like one is for everybody. */
  private Response underKnownHost(Request request, RouteHandler page) throws Exception {
    return doors.calmly(asked -> edge.hosts().apply(asked, page)).handle(request);
  }

  private List<Route> pages() {
    ProviderDoor provider =
        new ProviderDoor(doors, edge.rates(), services.admins().access().signIn());
    return Stream.of(
            new SignIn(doors, services.admins().passes(), edge.rates(), provider).routes(),
            provider.routes(),
            making(),
            running(),
            List.of(
                doors.page("/console", Scope.CONSOLE_WRITE, Console::start),
                Route.get("/console/{rest*}", doors.calmly(_ -> missing()))))
        .flatMap(List::stream)
        .toList();
  }

  /** For people who want something made. */
  private List<Route> making() {
    Database database = services.database();
    Services.ForFiles files = services.files();
    Studio.SubmitParts submission =
        new Studio.SubmitParts(new Submits(services.jobs().submission()), answers);
    return Stream.of(
            new Studio(doors, services, submission, edge.publicUrl()).routes(),
            new FilePages(doors, database, files.uploads(), files.store(), edge.sizes().upload())
                .routes(),
            new JobPages(doors, services, answers).routes(),
            new MoneyPages(
                    doors,
                    database.wallets(),
                    database.users(),
                    services.admins().payments(),
                    services.admins().doctor())
                .routes())
        .flatMap(List::stream)
        .toList();
  }

  /** For people who keep it running. */
  private List<Route> running() {
    Database database = services.database();
    Services.ForJobs jobs = services.jobs();
    Services.ForAdmins admins = services.admins();
    OneTimeSecrets once = new OneTimeSecrets(doors);
    return Stream.of(
            once.routes(),
            new JobList(doors, database.jobs(), jobs.tasks(), jobs.actions()).routes(),
            new Overview(doors, database, services.offers(), admins.providers()).routes(),
            new FleetPages(doors, services, once).routes(),
            new WebhookPages(
                    doors,
                    database,
                    services.webhooks().outgoing(),
                    services.webhooks().actions(),
                    once)
                .routes(),
            new ProviderPages(doors, admins.providers(), jobs.actions(), database.jobs()).routes(),
            new ReviewPages(doors, database, jobs.reviews()).routes(),
            new AdminPages(
                    doors, admins.keys(), admins.browsers().origins(), database.audit(), once)
                .routes(),
            new TenantPages(doors, admins.tenants(), database.users(), once).routes(),
            new CataloguePages(doors, services.offers(), jobs.effects(), admins.catalogue())
                .routes())
        .flatMap(List::stream)
        .toList();
  }

  private static Response start(Visit visit) {
    return visit.to(visit.may(Scope.TASKS_READ) ? "/console/overview" : "/console/studio");
  }

  private static Response missing() {
    throw ProblemException.notFound();
  }
}
