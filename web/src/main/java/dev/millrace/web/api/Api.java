package dev.millrace.web.api;

import dev.millrace.postgres.Database;
import dev.millrace.service.Services;
import dev.millrace.service.browsers.Browsers;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.web.access.AllowedHosts;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.access.CrossOrigins;
import dev.millrace.web.access.MetricsAccess;
import dev.millrace.web.api.admin.AdminRoutes;
import dev.millrace.web.api.admin.AuditRoutes;
import dev.millrace.web.api.admin.CheckRoutes;
import dev.millrace.web.api.admin.KeyRoutes;
import dev.millrace.web.api.admin.LeavingRoutes;
import dev.millrace.web.api.admin.LimitRoutes;
import dev.millrace.web.api.admin.LinkRoutes;
import dev.millrace.web.api.admin.MoneyRoutes;
import dev.millrace.web.api.admin.PauseRoutes;
import dev.millrace.web.api.admin.ProviderRoutes;
import dev.millrace.web.api.admin.TenantRoutes;
import dev.millrace.web.api.admin.UsageRoutes;
import dev.millrace.web.api.admin.UserRoutes;
import dev.millrace.web.api.browser.OriginRoutes;
import dev.millrace.web.api.browser.TicketRoutes;
import dev.millrace.web.api.browser.TokenRoutes;
import dev.millrace.web.api.file.FileRoutes;
import dev.millrace.web.api.file.FileSizes;
import dev.millrace.web.api.file.ObjectRoutes;
import dev.millrace.web.api.fleet.EnrolmentRoutes;
import dev.millrace.web.api.fleet.PollRoutes;
import dev.millrace.web.api.fleet.QueueRoutes;
import dev.millrace.web.api.fleet.WorkerAccess;
import dev.millrace.web.api.fleet.WorkerAdminRoutes;
import dev.millrace.web.api.fleet.WorkerJson;
import dev.millrace.web.api.fleet.WorkerReportRoutes;
import dev.millrace.web.api.fleet.WorkerUploadRoutes;
import dev.millrace.web.api.fleet.WorkerUrls;
import dev.millrace.web.api.job.AdoptRoutes;
import dev.millrace.web.api.job.BatchReader;
import dev.millrace.web.api.job.BatchRoutes;
import dev.millrace.web.api.job.BatchStream;
import dev.millrace.web.api.job.DeleteRoutes;
import dev.millrace.web.api.job.EffectRoutes;
import dev.millrace.web.api.job.HistoryRoutes;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.JobRoutes;
import dev.millrace.web.api.job.JobStream;
import dev.millrace.web.api.job.ResultRoutes;
import dev.millrace.web.api.job.RetryRoutes;
import dev.millrace.web.api.job.ReviewRoutes;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.job.TaskRoutes;
import dev.millrace.web.api.job.WhyRoutes;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.OpenApi;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.api.webhook.CallbackRoutes;
import dev.millrace.web.api.webhook.DeliveryRoutes;
import dev.millrace.web.api.webhook.FeedRoutes;
import dev.millrace.web.api.webhook.WebhookRoutes;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.dialect.generate.GenerateRoutes;
import dev.millrace.web.dialect.images.ImagesRoutes;
import dev.millrace.web.dialect.openai.OpenAiRoutes;
import dev.millrace.web.dialect.processes.ProcessRoutes;
import dev.millrace.web.dialect.replicate.ReplicateRoutes;
import dev.millrace.web.dialect.videos.VideoRoutes;
import dev.millrace.web.dialect.videos.VideosRoutes;
import dev.millrace.web.dialect.videos.WorkerJobJson;
import dev.millrace.web.http.Route;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All routes of the API. */
public final class Api {

  /** Those who look whether a server lives know it by many names, and learn nothing else here. */
  private static final Set<String> ANY_HOST = Set.of("/healthz", "/readyz", "/metrics");

  private final Services services;
  private final Edge edge;
  private final Authentication authentication;
  private final JobAnswers shown;
  private final SubmitAnswers answers;
  private final WorkerAccess workers;

  /**
   * What the web layer has beside the use cases.
   *
   * @param urlTtl how long the URLs work that answers carry
   */
  public record Edge(
      RequestRates rates,
      PublicUrl publicUrl,
      AllowedHosts hosts,
      MetricsAccess metrics,
      Set<Dialect> dialects,
      Duration urlTtl,
      FileSizes sizes,
      InstantSource clock) {

    public Edge {
      dialects = Set.copyOf(dialects);
    }
  }

  public Api(Services services, Edge edge, SubmitAnswers answers) {
    this.services = services;
    this.edge = edge;
    Browsers browsers = services.admins().browsers();
    this.authentication =
        new Authentication(
            services.admins().access().bearers(),
            edge.rates(),
            new Authentication.Pages(
                CrossOrigins.of(browsers, edge.publicUrl()), browsers.tickets()::use));
    this.answers = answers;
    this.shown = answers.shown();
    this.workers =
        new WorkerAccess(
            services.fleet().tokens(), edge.rates(), services.admins().metrics().registry());
  }

  public List<Route> routes() {
    QueryParameters query = new QueryParameters(OpenApi.load());
    return Stream.of(
            ofJobs(),
            ofManyJobs(),
            ofFiles(),
            ofWorkers(),
            ofWebhooks(),
            ofMoney(),
            ofAdmins(),
            ofDialects())
        .flatMap(List::stream)
        .map(query::guard)
        .map(route -> route.behind(DatabaseProblems.asProblems()))
        .map(route -> ANY_HOST.contains(route.template()) ? route : route.behind(edge.hosts()))
        .toList();
  }

  /** What is done with jobs, from asking for one to deleting it. */
  private List<Route> ofJobs() {
    Database database = services.database();
    Services.ForJobs jobs = services.jobs();
    return Stream.of(
            new JobRoutes(
                    authentication, new Submits(jobs.submission()), jobs.actions(), shown, answers)
                .routes(),
            new HistoryRoutes(authentication, database.jobs(), database.events(), stream())
                .routes(),
            new WhyRoutes(authentication, shown, jobs.waits()).routes(),
            new ReviewRoutes(authentication, jobs.reviews(), jobs.actions(), shown).routes(),
            new ResultRoutes(services.files().links(), shown).routes(),
            new RetryRoutes(authentication, jobs.actions(), shown, answers).routes(),
            new AdoptRoutes(authentication, jobs.actions(), shown).routes(),
            new DeleteRoutes(authentication, jobs.actions(), shown).routes(),
            new EffectRoutes(authentication, jobs.effects()).routes())
        .flatMap(List::stream)
        .toList();
  }

  private JobStream stream() {
    return new JobStream(services.database().events(), services.hub(), JobStream.HEARTBEAT);
  }

  /** What is done with many jobs at once. */
  private List<Route> ofManyJobs() {
    Services.ForJobs jobs = services.jobs();
    var batches = services.database().batches();
    return Stream.of(
            new BatchRoutes(
                    authentication,
                    jobs.batches(),
                    new BatchReader(jobs.submission()),
                    jobs.followOns(),
                    batches,
                    jobs.tasks(),
                    new BatchStream(batches, services.hub(), JobStream.HEARTBEAT))
                .routes(),
            new TaskRoutes(authentication, jobs.tasks()).routes())
        .flatMap(List::stream)
        .toList();
  }

  /** What is done with files, and the signed URLs of a store that we serve ourselves. */
  private List<Route> ofFiles() {
    Services.ForFiles files = services.files();
    return Stream.of(
            new FileRoutes(
                    authentication,
                    services.database().files(),
                    files.uploads(),
                    files.erasure(),
                    shown.fileJson(),
                    edge.sizes())
                .routes(),
            new ObjectRoutes(
                    files.store(),
                    files.signer(),
                    edge.clock(),
                    Math.max(edge.sizes().upload(), edge.sizes().output()))
                .routes())
        .flatMap(List::stream)
        .toList();
  }

  /** What workers say, and what is done about them. */
  private List<Route> ofWorkers() {
    Database database = services.database();
    Fleet.UseCases fleet = services.fleet();
    return Stream.of(
            protocol(),
            new WorkerAdminRoutes(authentication, fleet.actions(), database.workers(), workerJson())
                .routes(),
            new QueueRoutes(authentication, database.queues()).routes())
        .flatMap(List::stream)
        .toList();
  }

  private WorkerJson workerJson() {
    return new WorkerJson(services.offers(), services.fleet().leases());
  }

  private WorkerUrls workerUrls() {
    return new WorkerUrls(edge.publicUrl(), services.fleet().leases());
  }

  private List<Route> protocol() {
    Fleet.UseCases fleet = services.fleet();
    WorkerJson json = workerJson();
    WorkerUrls urls = workerUrls();
    return Stream.of(
            new EnrolmentRoutes(workers, fleet.enrolment(), fleet.removal(), json).routes(),
            new PollRoutes(workers, fleet.polling(), urls, json).routes(),
            new WorkerReportRoutes(workers, fleet.reports(), fleet.files(), urls).routes(),
            new WorkerUploadRoutes(workers, fleet.reports(), fleet.files(), urls).routes())
        .flatMap(List::stream)
        .toList();
  }

  /** Webhooks in both directions. */
  private List<Route> ofWebhooks() {
    Services.ForWebhooks webhooks = services.webhooks();
    return Stream.of(
            new CallbackRoutes(webhooks.inbox()).routes(),
            new WebhookRoutes(authentication, webhooks.outgoing(), webhooks.actions()).routes(),
            new DeliveryRoutes(authentication, webhooks.outgoing(), webhooks.actions()).routes(),
            new FeedRoutes(authentication, webhooks.outgoing().feed()).routes())
        .flatMap(List::stream)
        .toList();
  }

  private List<Route> ofMoney() {
    Database database = services.database();
    return Stream.of(
            new MoneyRoutes(
                    authentication,
                    services.admins().payments(),
                    database.wallets(),
                    database.jobs())
                .routes(),
            new LimitRoutes(authentication, services.admins().limits()).routes(),
            new UsageRoutes(authentication, services.files().quota()).routes())
        .flatMap(List::stream)
        .toList();
  }

  /** The surfaces of other systems, as far as they are served. */
  private List<Route> ofDialects() {
    return Stream.of(Dialect.values())
        .filter(edge.dialects()::contains)
        .map(this::routesOf)
        .flatMap(List::stream)
        .toList();
  }

  private List<Route> routesOf(Dialect dialect) {
    Services.ForJobs jobs = services.jobs();
    Submits submits = new Submits(jobs.submission(), dialect.label());
    return switch (dialect) {
      case GENERATE ->
          new GenerateRoutes(authentication, services.offers(), submits, jobs.actions(), answers)
              .routes();
      case IMAGES -> new ImagesRoutes(authentication, submits, answers).routes();
      case VIDEOS -> ofVideos(submits);
      case PROCESSES ->
          new ProcessRoutes(
                  authentication, services.database().events(), stream(), jobs.actions(), answers)
              .routes();
      case OPENAI ->
          OpenAiRoutes.of(
              authentication, services, answers, edge.publicUrl(), edge.sizes().upload());
      case REPLICATE ->
          ReplicateRoutes.of(
              authentication, services, answers, edge.publicUrl(), edge.sizes().upload());
    };
  }

  private List<Route> ofVideos(Submits submits) {
    Fleet.UseCases fleet = services.fleet();
    return Stream.of(
            VideosRoutes.ofClients(
                authentication,
                services.offers(),
                services.jobs().effects(),
                services.files().uploads(),
                submits,
                answers,
                new VideoRoutes.Limits(edge.sizes().upload(), edge.urlTtl())),
            VideosRoutes.ofWorkers(
                workers,
                fleet,
                workerUrls(),
                workerJson(),
                new WorkerJobJson(services.offers(), edge.publicUrl())))
        .flatMap(List::stream)
        .toList();
  }

  /** What those do who administer, and how they get to the console. */
  private List<Route> ofAdmins() {
    Services.ForAdmins admins = services.admins();
    return Stream.of(
            new KeyRoutes(authentication, admins.keys()).routes(),
            new TokenRoutes(authentication, admins.browsers().tokens()).routes(),
            new TicketRoutes(authentication, admins.browsers().tickets(), edge.clock()).routes(),
            new OriginRoutes(authentication, admins.browsers().origins()).routes(),
            new TenantRoutes(authentication, admins.tenants().actions(), admins.tenants().removal())
                .routes(),
            new LeavingRoutes(authentication, admins.tenants()).routes(),
            new UserRoutes(authentication, admins.tenants().actions(), services.database().users())
                .routes(),
            new AdminRoutes(authentication, admins.catalogue(), admins.doctor()).routes(),
            new PauseRoutes(authentication, admins.catalogue()).routes(),
            new CheckRoutes(authentication, admins.catalogue()).routes(),
            new ProviderRoutes(authentication, admins.providers()).routes(),
            new AuditRoutes(authentication, services.database().audit()).routes(),
            new LinkRoutes(authentication, admins.passes(), edge.publicUrl(), edge.clock())
                .routes(),
            new SystemRoutes(admins.readiness(), admins.metrics(), authentication, edge.metrics())
                .routes())
        .flatMap(List::stream)
        .toList();
  }
}
