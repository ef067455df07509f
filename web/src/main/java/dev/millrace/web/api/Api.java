package dev.millrace.web.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.service.access.Passes;
import dev.millrace.service.duties.Readiness;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.files.FileErasure;
import dev.millrace.service.files.FileUploads;
import dev.millrace.service.files.OwnFiles;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.jobs.BatchSubmission;
import dev.millrace.service.jobs.Erasure;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.observe.Metrics;
import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.admin.AdminRoutes;
import dev.millrace.web.api.admin.AuditRoutes;
import dev.millrace.web.api.admin.CheckRoutes;
import dev.millrace.web.api.admin.LimitRoutes;
import dev.millrace.web.api.admin.LinkRoutes;
import dev.millrace.web.api.admin.MoneyRoutes;
import dev.millrace.web.api.admin.PauseRoutes;
import dev.millrace.web.api.admin.ProviderRoutes;
import dev.millrace.web.api.file.FileRoutes;
import dev.millrace.web.api.file.FileSizes;
import dev.millrace.web.api.file.ObjectRoutes;
import dev.millrace.web.api.fleet.QueueRoutes;
import dev.millrace.web.api.fleet.WorkerAdminRoutes;
import dev.millrace.web.api.fleet.WorkerRoutes;
import dev.millrace.web.api.job.AdoptRoutes;
import dev.millrace.web.api.job.BatchReader;
import dev.millrace.web.api.job.BatchRoutes;
import dev.millrace.web.api.job.BatchStream;
import dev.millrace.web.api.job.DeleteRoutes;
import dev.millrace.web.api.job.EffectRoutes;
import dev.millrace.web.api.job.HistoryRoutes;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.JobRoutes;
import dev.millrace.web.api.job.RetryRoutes;
import dev.millrace.web.api.job.ReviewRoutes;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.TaskRoutes;
import dev.millrace.web.api.job.WhyRoutes;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.api.webhook.CallbackRoutes;
import dev.millrace.web.api.webhook.DeliveryRoutes;
import dev.millrace.web.api.webhook.FeedRoutes;
import dev.millrace.web.api.webhook.WebhookRoutes;
import dev.millrace.web.http.Route;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** All routes of the server. */
public final class Api {

  private Api() {}

  /** What the routes call. */
  public record Parts(
      Engine engine,
      Database database,
      Offers offers,
      Gate gate,
      QuotaUse.Limits limits,
      Hub hub,
      ObjectStore store,
      UrlSigner signer,
      PublicUrl publicUrl,
      Duration urlTtl,
      Metrics metrics,
      InstantSource clock,
      RequestRates rates,
      Doctor doctor,
      FileSizes sizes,
      Fleet fleet,
      CallbackInbox inbox,
      Outgoing outgoing,
      ProviderStatus providers,
      Readiness readiness) {}

  public static List<Route> routes(Parts parts) {
    Database database = parts.database();
    Authentication authentication =
        new Authentication(database.keys(), database.tenants(), parts.rates());
    FileJson fileJson =
        new FileJson(parts.store(), parts.urlTtl(), parts.publicUrl(), parts.clock());
    QueryParameters query = new QueryParameters(OpenApi.load());
    return Stream.of(
            ofJobs(parts, authentication, fileJson),
            new HistoryRoutes(
                    authentication,
                    database.jobs(),
                    database.events(),
                    parts.hub(),
                    HistoryRoutes.HEARTBEAT)
                .routes(),
            new MoneyRoutes(
                    authentication,
                    parts.engine(),
                    database.wallets(),
                    database.jobs(),
                    database.audit())
                .routes(),
            new EffectRoutes(
                    authentication, parts.offers(), database.pauses(), parts.fleet().paces())
                .routes(),
            ofFiles(parts, authentication, fileJson),
            new AdminRoutes(
                    authentication,
                    database.keys(),
                    parts.offers(),
                    parts.doctor(),
                    database.audit())
                .routes(),
            new PauseRoutes(authentication, database.pauses()).routes(),
            new LimitRoutes(authentication, database.walletLimits()).routes(),
            new AuditRoutes(authentication, database.audit()).routes(),
            new QueueRoutes(authentication, database.queues()).routes(),
            new WorkerAdminRoutes(
                    authentication,
                    parts.fleet(),
                    parts.offers(),
                    database.workers(),
                    database.audit())
                .routes(),
            ofOperators(parts, authentication),
            new CallbackRoutes(parts.inbox()).routes(),
            new WebhookRoutes(authentication, parts.outgoing()).routes(),
            new DeliveryRoutes(authentication, parts.outgoing()).routes(),
            new FeedRoutes(authentication, parts.outgoing().feed()).routes(),
            new WorkerRoutes(
                    parts.fleet(), parts.offers(), parts.publicUrl(), parts.metrics().registry())
                .routes(),
            new SystemRoutes(parts.readiness(), parts.metrics()).routes())
        .flatMap(List::stream)
        .map(query::guard)
        .map(route -> route.behind(DatabaseProblems.asProblems()))
        .toList();
  }

  /** What whoever keeps it running looks at, and how he gets to the console. */
  private static List<Route> ofOperators(Parts parts, Authentication authentication) {
    Database database = parts.database();
    Passes passes = new Passes(database.consolePasses(), database.keys(), database.tenants());
    return Stream.of(
            new CheckRoutes(authentication, parts.offers()).routes(),
            new ProviderRoutes(authentication, parts.providers(), database.providerWork()).routes(),
            new LinkRoutes(authentication, passes, parts.publicUrl(), parts.clock()).routes())
        .flatMap(List::stream)
        .toList();
  }

  /** What is done with files, and the signed URLs of a store that we serve ourselves. */
  private static List<Route> ofFiles(
      Parts parts, Authentication authentication, FileJson fileJson) {
    Database database = parts.database();
    Previews previews = new Previews(parts.store(), new Thumbnails());
    FileRoutes files =
        new FileRoutes(
            authentication,
            database.files(),
            new FileUploads(database.uploads(), parts.store(), previews, parts.urlTtl()),
            database.deletedFiles(),
            new FileErasure(database.deletedFiles(), parts.store()),
            fileJson,
            parts.sizes());
    ObjectRoutes objects =
        new ObjectRoutes(
            parts.store(),
            parts.signer(),
            parts.clock(),
            Math.max(parts.sizes().upload(), parts.sizes().output()));
    return Stream.concat(files.routes().stream(), objects.routes().stream()).toList();
  }

  /** What is done with jobs, from asking for one to deleting it. */
  private static List<Route> ofJobs(Parts parts, Authentication authentication, FileJson fileJson) {
    Database database = parts.database();
    JobSubmission submission =
        new JobSubmission(
            parts.offers(),
            new OwnFiles(database.files()),
            parts.gate(),
            parts.limits(),
            parts.engine(),
            database.jobs());
    JobAnswers shown = new JobAnswers(database.jobs(), database.files(), fileJson);
    SubmitAnswers answers = new SubmitAnswers(shown, parts.clock());
    FollowOnJobs again = new FollowOnJobs(parts.offers(), submission);
    return Stream.of(
            new JobRoutes(authentication, submission, parts.engine(), shown, answers).routes(),
            new WhyRoutes(
                    authentication, shown, parts.offers(), database.queues(), parts.fleet().waits())
                .routes(),
            new ReviewRoutes(authentication, parts.engine(), again, shown).routes(),
            new RetryRoutes(authentication, parts.engine(), again, parts.offers(), shown, answers)
                .routes(),
            new AdoptRoutes(
                    authentication, parts.engine(), parts.offers(), shown, database.lateResults())
                .routes(),
            new DeleteRoutes(
                    authentication,
                    parts.engine(),
                    shown,
                    new Erasure(database.deletedJobFiles(), parts.store()))
                .routes(),
            ofMany(parts, authentication, submission, again))
        .flatMap(List::stream)
        .toList();
  }

  /** What is done with many jobs at once. */
  private static List<Route> ofMany(
      Parts parts, Authentication authentication, JobSubmission submission, FollowOnJobs again) {
    Database database = parts.database();
    BulkTasks tasks = new BulkTasks(database.tasks(), database.taskJobs());
    BatchRoutes batches =
        new BatchRoutes(
            authentication,
            new BatchSubmission(submission, parts.engine(), database.batches()),
            new BatchReader(submission),
            again,
            database.batches(),
            tasks,
            new BatchStream(database.batches(), parts.hub(), HistoryRoutes.HEARTBEAT));
    return Stream.concat(
            batches.routes().stream(), new TaskRoutes(authentication, tasks).routes().stream())
        .toList();
  }
}
