package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.Services;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.BearerKind;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.access.KeyBearers;
import dev.millrace.service.access.LastUses;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.TenantActions;
import dev.millrace.service.access.TenantSlugs;
import dev.millrace.service.browsers.Browsers;
import dev.millrace.service.browsers.TokenBearers;
import dev.millrace.service.browsers.TokenJobs;
import dev.millrace.service.duties.Readiness;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.files.FileErasure;
import dev.millrace.service.files.FileUploads;
import dev.millrace.service.files.OwnFiles;
import dev.millrace.service.files.StorageQuota;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.Waits;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.identity.IdentityProviders;
import dev.millrace.service.jobs.BatchSubmission;
import dev.millrace.service.jobs.CatalogueActions;
import dev.millrace.service.jobs.Erasure;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.JobEnds;
import dev.millrace.service.money.Payments;
import dev.millrace.service.money.UserLimits;
import dev.millrace.service.observe.Metrics;
import dev.millrace.service.observe.Paces;
import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.requests.ListResults;
import dev.millrace.service.requests.RequestListRunner;
import dev.millrace.service.review.Reviews;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.service.tenants.TenantExport;
import dev.millrace.service.tenants.TenantRemoval;
import dev.millrace.service.transfer.TransferProvider;
import dev.millrace.service.webhooks.EndpointCalls;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.service.webhooks.WebhookActions;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Builds the use cases, each once. */
public final class ServicesWiring {

  private final Settings settings;
  private final Database database;
  private final Engine engine;
  private final Offers offers;
  private final Hub hub;
  private final TenantActions tenants;
  private final StorageQuota storageQuota;
  private final JobSubmission submission;

  public ServicesWiring(
      Settings settings, Database database, Engine engine, Offers offers, Hub hub, Gate gate) {
    this.settings = settings;
    this.database = database;
    this.engine = engine;
    this.offers = offers;
    this.hub = hub;
    this.tenants =
        new TenantActions(
            database.tenants(),
            database.keys(),
            new QuotaUse.Limits(
                settings.quota().activeJobs(),
                settings.quota().dailyJobs(),
                settings.quota().userStorageBytes()));
    this.storageQuota =
        new StorageQuota(
            database.storageUse(),
            tenants::limits,
            new StorageUse.Limits(
                settings.quota().tenantStorageBytes(), settings.quota().userStorageBytes()));
    this.submission =
        new JobSubmission(
            offers,
            new OwnFiles(database.files()),
            gate,
            tenants,
            storageQuota,
            engine,
            database.jobs(),
            new TokenJobs(database.userTokens()));
  }

  /** What hands over what processes have made. */
  TransferProvider transfers(ObjectStore store, SigningKeys keys) {
    return new TransferProvider(
        new TransferProvider.Parts(
            database,
            store,
            offers,
            engine,
            submission,
            new EndpointCalls(
                database.webhooks(),
                keys,
                AllowList.parse(settings.services().fetchAllow()),
                InstantSource.system())));
  }

  /** Where files lie, and how they are shown. */
  public record Storage(
      ObjectStore store, UrlSigner signer, Previews previews, Erasures erasures) {}

  /** What removes the objects of jobs and files that were deleted. */
  public record Erasures(Erasure ofJobs, FileErasure ofFiles) {

    public static Erasures of(Database database, ObjectStore store) {
      return new Erasures(
          new Erasure(database.deletedJobFiles(), store),
          new FileErasure(database.files(), database.deletedFiles(), store));
    }
  }

  /** What is known about the server at work. */
  public record Observed(Metrics metrics, Paces paces, Readiness readiness) {}

  /** Those outside: services that work for us, and products that hear from us. */
  public record Outside(ProviderStatus providers, CallbackInbox inbox, Outgoing outgoing) {}

  public Services services(Storage storage, Fleet fleet, Observed observed, Outside outside) {
    return new Services(
        database,
        offers,
        hub,
        jobs(
            storage.erasures().ofJobs(),
            fleet.waits(outside.providers()::breaker),
            observed.paces(),
            outside.inbox()),
        files(storage, submission, outside.outgoing().links()),
        fleet.useCases(),
        new Services.ForWebhooks(
            outside.outgoing(),
            new WebhookActions(outside.outgoing()),
            outside.inbox(),
            new JobEnds(database.jobs(), hub)),
        admins(observed, outside.providers(), storage.store()));
  }

  private Services.ForJobs jobs(Erasure erasure, Waits waits, Paces paces, CallbackInbox inbox) {
    FollowOnJobs followOns = new FollowOnJobs(offers, submission);
    return new Services.ForJobs(
        submission,
        new BatchSubmission(submission, engine, database.batches()),
        new JobActions(
            engine,
            offers,
            followOns,
            erasure,
            database.lateResults(),
            inbox::isOnlyHope,
            database.audit()),
        followOns,
        new Reviews(engine, followOns, database.files()),
        new BulkTasks(database.tasks(), database.taskJobs()),
        new OfferedEffects(offers, database.pauses(), paces),
        waits);
  }

  private RequestListRunner lists(JobSubmission submission, Storage storage) {
    return new RequestListRunner(
        database.batches().requestLists(),
        database.files(),
        storage.store(),
        submission,
        engine,
        new ListResults(
            database.batches().requestLists(),
            database.jobs(),
            database.files(),
            uploads(storage),
            new TenantSlugs(database.tenants())));
  }

  private FileUploads uploads(Storage storage) {
    return new FileUploads(
        database.uploads(),
        storage.store(),
        storage.previews(),
        storageQuota,
        settings.files().urlTtl());
  }

  private Services.ForFiles files(Storage storage, JobSubmission submission, JobLinks links) {
    return new Services.ForFiles(
        storage.store(),
        storage.signer(),
        uploads(storage),
        storage.erasures().ofFiles(),
        storageQuota,
        links,
        lists(submission, storage));
  }

  private Services.ForAdmins admins(
      Observed observed, ProviderStatus providers, ObjectStore store) {
    Settings.Doctor doctor = settings.doctor();
    LastUses uses = LastUses.of(database, observed.metrics().registry());
    return new Services.ForAdmins(
        access(uses, store),
        new Payments(engine, database.audit()),
        new UserLimits(database.walletLimits()),
        new CatalogueActions(offers, database.pauses(), database.audit()),
        new ProviderOverview(providers, database.providerWork()),
        database.doctor(CheckLimits.of(doctor.statementTimeout(), doctor.lockTimeout())),
        observed.readiness(),
        observed.metrics());
  }

  private Services.Access access(LastUses uses, ObjectStore store) {
    IdentityProviders providers = IdentityProviders.of(settings.identity(), database);
    List<BearerKind> bearers = new ArrayList<>(providers.bearers());
    bearers.add(new TokenBearers(database.userTokens(), database.tenants()));
    bearers.add(new KeyBearers(database.keys(), database.tenants(), uses));
    return new Services.Access(
        new Services.ForTenants(
            tenants,
            new TenantExport(database.wholeTenant(), store, database.audit()),
            new TenantRemoval(database.wholeTenant())),
        new ApiKeys(database.keys(), database.audit()),
        new Passes(
            database.consolePasses(),
            database.keys(),
            database.tenants(),
            uses,
            providers.passes()),
        Browsers.of(database),
        bearers,
        providers.signIn());
  }
}
