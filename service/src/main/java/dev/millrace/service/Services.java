package dev.millrace.service;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.BearerKind;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.TenantActions;
import dev.millrace.service.browsers.Browsers;
import dev.millrace.service.duties.Readiness;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.service.files.FileErasure;
import dev.millrace.service.files.FileUploads;
import dev.millrace.service.files.StorageQuota;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.Waits;
import dev.millrace.service.identity.ProviderSignIn;
import dev.millrace.service.jobs.BatchSubmission;
import dev.millrace.service.jobs.CatalogueActions;
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
import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.requests.RequestListRunner;
import dev.millrace.service.review.Reviews;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.service.tenants.TenantExport;
import dev.millrace.service.tenants.TenantRemoval;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.service.webhooks.WebhookActions;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.url.UrlSigner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All use cases of one server, each built once.
 *
 * @param database for what is only read
 */
public record Services(
    Database database,
    Offers offers,
    Hub hub,
    ForJobs jobs,
    ForFiles files,
    Fleet.UseCases fleet,
    ForWebhooks webhooks,
    ForAdmins admins) {

  /** What is done with jobs, from asking for one to deleting it. */
  public record ForJobs(
      JobSubmission submission,
      BatchSubmission batches,
      JobActions actions,
      FollowOnJobs followOns,
      Reviews reviews,
      BulkTasks tasks,
      OfferedEffects effects,
      Waits waits) {}

  /** What is done with files, and where they lie. */
  public record ForFiles(
      ObjectStore store,
      UrlSigner signer,
      FileUploads uploads,
      FileErasure erasure,
      StorageQuota quota,
      JobLinks links,
      RequestListRunner lists) {}

  /** What is told to products, and what providers tell us. */
  public record ForWebhooks(
      Outgoing outgoing, WebhookActions actions, CallbackInbox inbox, JobEnds ends) {}

  /** What those do who administer a tenant or keep the installation running. */
  public record ForAdmins(
      Access access,
      Payments payments,
      UserLimits limits,
      CatalogueActions catalogue,
      ProviderOverview providers,
      Doctor doctor,
      Readiness readiness,
      Metrics metrics) {

    public ForTenants tenants() {
      return access.tenants;
    }

    public ApiKeys keys() {
      return access.keys;
    }

    public Passes passes() {
      return access.passes;
    }

    public Browsers browsers() {
      return access.browsers;
    }
  }

  /** What an operator does with tenants, and with all that one has. */
  public record ForTenants(TenantActions actions, TenantExport export, TenantRemoval removal) {}

  /**
   * Who is let in, and by what.
   *
   * @param bearers what a request may show, the most particular kind first
   * @param signIn by an identity provider, or null if the console is for keys alone
   */
  public record Access(
      ForTenants tenants,
      ApiKeys keys,
      Passes passes,
      Browsers browsers,
      List<BearerKind> bearers,
      @Nullable ProviderSignIn signIn) {

    public Access {
      bearers = List.copyOf(bearers);
    }
  }
}
