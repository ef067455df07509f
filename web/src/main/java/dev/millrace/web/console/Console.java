package dev.millrace.web.console;

import dev.millrace.postgres.Database;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.Role;
import dev.millrace.service.files.FileUploads;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.web.api.Api;
import dev.millrace.web.console.admin.AdminPages;
import dev.millrace.web.console.admin.CataloguePages;
import dev.millrace.web.console.admin.FleetPages;
import dev.millrace.web.console.admin.MoneyPages;
import dev.millrace.web.console.admin.Overview;
import dev.millrace.web.console.admin.ProviderPages;
import dev.millrace.web.console.admin.WebhookPages;
import dev.millrace.web.console.frame.Assets;
import dev.millrace.web.console.frame.Html;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.SignIn;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.job.JobList;
import dev.millrace.web.console.job.JobPages;
import dev.millrace.web.console.job.ReviewPages;
import dev.millrace.web.console.studio.FilePages;
import dev.millrace.web.console.studio.Studio;
import dev.millrace.web.http.Loopback;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The console's own object graph, and its routes beside those of the API. */
public final class Console {

  private Console() {}

  /** The API's routes and the console's. */
  public static List<Route> routes(Api.Parts parts) {
    List<Route> all = new ArrayList<>(Api.routes(parts));
    all.addAll(pages(parts, new Loopback(all)));
    return List.copyOf(all);
  }

  /**
   * A link that signs in once whoever opens it.
   *
   * @param server how people on this machine reach the server
   * @param key whose session it will be
   */
  public static Optional<URI> link(Database database, URI server, String key) {
    return passes(database).linkFor(key).map(secret -> URI.create(server + Passes.path(secret)));
  }

  private static Passes passes(Database database) {
    return new Passes(database.consolePasses(), database.keys(), database.tenants());
  }

  private static List<Route> pages(Api.Parts parts, Loopback api) {
    Passes passes = passes(parts.database());
    PageAccess doors =
        new PageAccess(
            passes, parts.rates(), api, new Html(), parts.publicUrl().configured().orElse(null));
    return Stream.of(
            Assets.routes(),
            new SignIn(doors, passes, parts.rates()).routes(),
            making(parts, doors),
            running(parts, doors),
            List.of(
                doors.page("/console", Role.USER, Console::start),
                Route.get("/console/{rest*}", doors.calmly(_ -> missing()))))
        .flatMap(List::stream)
        .toList();
  }

  /** For people who want something made. */
  private static List<Route> making(Api.Parts parts, PageAccess doors) {
    Database database = parts.database();
    FileUploads uploads =
        new FileUploads(
            database.uploads(),
            parts.store(),
            new Previews(parts.store(), new Thumbnails()),
            parts.urlTtl());
    return Stream.of(
            new Studio(
                    doors,
                    parts.offers(),
                    database.jobs(),
                    database.files(),
                    database.wallets(),
                    parts.publicUrl())
                .routes(),
            new FilePages(doors, database, uploads, parts.store(), parts.sizes().upload()).routes(),
            new JobPages(doors, database, parts.hub()).routes(),
            new MoneyPages(doors, database.wallets()).routes())
        .flatMap(List::stream)
        .toList();
  }

  /** For people who keep it running. */
  private static List<Route> running(Api.Parts parts, PageAccess doors) {
    Database database = parts.database();
    OneTimeSecrets once = new OneTimeSecrets(doors);
    return Stream.of(
            once.routes(),
            new JobList(doors, database.jobs()).routes(),
            new Overview(doors, database, parts.offers()).routes(),
            new FleetPages(doors, database, parts.offers(), once).routes(),
            new WebhookPages(doors, database, once).routes(),
            new ProviderPages(doors).routes(),
            new ReviewPages(doors, database).routes(),
            new AdminPages(doors, database, once).routes(),
            new CataloguePages(doors, parts.offers()).routes())
        .flatMap(List::stream)
        .toList();
  }

  private static Response start(Visit visit) {
    return visit.to(visit.is(Role.ADMIN) ? "/console/overview" : "/console/studio");
  }

  private static Response missing() {
    throw ProblemException.notFound();
  }
}
