package dev.millrace.web.api.fleet;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.fleet.LeaseTimes;
import dev.millrace.service.fleet.ReportResult;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.jobs.Offers;
import dev.millrace.storage.SignedUrl;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.api.json.JobJson;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Workers, and jobs as workers see them. */
public final class WorkerJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Offers offers;
  private final LeaseTimes leases;

  public WorkerJson(Offers offers, LeaseTimes leases) {
    this.offers = offers;
    this.leases = leases;
  }

  public List<String> slugs(Collection<Integer> workflowIds) {
    return workflowIds.stream()
        .flatMap(id -> offers.workflow(id).stream())
        .map(queue -> queue.workflow().slug())
        .sorted()
        .toList();
  }

  ObjectNode enrolled(WorkerView worker, String token) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("worker_id", worker.id())
            .put("token", token)
            .put("status", worker.status().label());
    ArrayNode assigned = json.putArray("workflows_assigned");
    slugs(worker.workflowIds()).forEach(assigned::add);
    return json.put("lease_seconds", leases.lease().toSeconds())
        .put("heartbeat_seconds", leases.heartbeat().toSeconds());
  }

  /** A worker as admins see it. */
  ObjectNode worker(WorkerView worker) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("worker_id", worker.id())
            .put("status", worker.status().label())
            .put("max_concurrency", worker.capacity().maxConcurrency())
            .put("held", worker.held());
    ArrayNode assigned = json.putArray("workflows");
    slugs(worker.workflowIds()).forEach(assigned::add);
    Set<String> declared = worker.capacity().providers();
    if (declared == null) {
      json.putNull("providers");
    } else {
      ArrayNode providers = json.putArray("providers");
      declared.stream().sorted().forEach(providers::add);
    }
    json.set("capabilities", JSON.readTree(worker.capacity().capabilities()));
    json.put("ready", worker.ready());
    if (!worker.ready()) {
      json.put("not_ready_reason", worker.readiness().notReadyReason());
      json.put("not_ready_since", JobJson.text(worker.readiness().notReadySince()));
    }
    return json.put("registered_at", worker.presence().registeredAt().toString())
        .put("last_seen_at", worker.presence().lastSeenAt().toString())
        .put("approved_at", JobJson.text(worker.approval().approvedAt()))
        .put("draining_at", JobJson.text(worker.approval().drainingAt()))
        .put("revoked_at", JobJson.text(worker.approval().revokedAt()));
  }

  /** A job for the worker that holds it from now on. */
  ObjectNode handed(WorkerFiles.Handed handed) {
    Leased leased = handed.leased();
    Job job = leased.job();
    Lease lease = Objects.requireNonNull(job.lease());
    int workflowId = job.terms().workflowId();
    ObjectNode json =
        JSON.createObjectNode()
            .put("job_id", job.id().uuid().toString())
            .put("attempt", job.tries().attempts())
            .put("lease_token", leased.token().toString())
            .put("lease_expires_at", lease.expiresAt().toString())
            .put("lease_seconds", leases.lease().toSeconds());
    offers
        .workflow(workflowId)
        .ifPresent(queue -> {
          json.put("workflow", queue.workflow().slug());
          json.put("workflow_version", queue.workflow().version());
          json.put("provider", queue.workflow().provider());
          json.put(
              "keep_metadata",
              Boolean.TRUE.equals(queue.workflow().recipe().settings().get("keep_metadata")));
        });
    json.put("effect", offers.slugOf(job.terms().effectId()));
    json.set("input", JSON.readTree(leased.input()));
    JobAssets.Work work = handed.work();
    if (work.template() != null) {
      json.set("template", work.template());
      json.put("output_node", work.outputNode());
    }
    json.set("assets", assets(work.assets()));
    json.putObject("output")
        .put("key_prefix", handed.keyPrefix())
        .put("max_bytes", handed.maxBytes());
    return json.put("deadline_at", JobJson.text(job.times().deadlineAt()));
  }

  static ArrayNode assets(List<JobAssets.Asset> assets) {
    ArrayNode list = JSON.createArrayNode();
    for (JobAssets.Asset asset : assets) {
      list.addObject()
          .put("name", asset.name())
          .put("file_id", asset.fileId() == null ? null : asset.fileId().toString())
          .put("url", asset.url().toString())
          .put("expires_at", asset.expiresAt().toString())
          .put("sha256", asset.sha256())
          .put("size", asset.size())
          .put("media_type", asset.mediaType())
          .put("placeholder", asset.placeholder());
    }
    return list;
  }

  static ObjectNode parts(UploadedOutputs.PartedPlace place, URI base) {
    ObjectNode json =
        JSON.createObjectNode().put("key", place.key()).put("upload_id", place.uploadId());
    FileJson.parts(json, place.urls(), base);
    return json;
  }

  static ObjectNode whole(UploadedOutputs.Place place, URI base) {
    SignedUrl url = place.url();
    ObjectNode json =
        JSON.createObjectNode().put("key", place.key()).put("url", url.under(base).toString());
    ObjectNode headers = json.putObject("headers");
    url.headers().forEach(headers::put);
    return json.put("expires_at", url.expiresAt().toString());
  }

  /** How long a lease goes on, and whether the work is still wanted. */
  public static ObjectNode extended(ReportResult.Extended extended) {
    Lease lease = Objects.requireNonNull(extended.job().lease());
    return JSON.createObjectNode()
        .put("lease_expires_at", lease.expiresAt().toString())
        .put("cancel", extended.job().state() == State.CANCELING);
  }

  /** How a job is left by a report; and why, if an output was refused. */
  public static ObjectNode ended(Claimed claimed, ReportResult.Ended ended) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("job_id", claimed.job().toString())
            .put("state", ended.state().label());
    if (ended.refused() != null) {
      json.putObject("error")
          .put("code", ended.refused().code())
          .put("message", ended.refused().message());
    }
    return json;
  }
}
