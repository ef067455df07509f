package dev.millrace.web.api.fleet;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.files.UploadedOutputs.Offer;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports;
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
final class WorkerJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Fleet fleet;
  private final Offers offers;

  WorkerJson(Fleet fleet, Offers offers) {
    this.fleet = fleet;
    this.offers = offers;
  }

  List<String> slugs(Collection<Integer> workflowIds) {
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
            .put("status", worker.status());
    ArrayNode assigned = json.putArray("workflows_assigned");
    slugs(worker.workflowIds()).forEach(assigned::add);
    return json.put("lease_seconds", fleet.lease().toSeconds())
        .put("heartbeat_seconds", fleet.heartbeat().toSeconds());
  }

  /** A worker as admins see it. */
  ObjectNode worker(WorkerView worker) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("worker_id", worker.id())
            .put("status", worker.status())
            .put("max_concurrency", worker.maxConcurrency())
            .put("held", worker.held());
    ArrayNode assigned = json.putArray("workflows");
    slugs(worker.workflowIds()).forEach(assigned::add);
    Set<String> declared = worker.providers();
    if (declared == null) {
      json.putNull("providers");
    } else {
      ArrayNode providers = json.putArray("providers");
      declared.stream().sorted().forEach(providers::add);
    }
    json.set("capabilities", JSON.readTree(worker.capabilities()));
    json.put("ready", worker.ready());
    if (!worker.ready()) {
      json.put("not_ready_reason", worker.notReadyReason());
      json.put("not_ready_since", JobJson.text(worker.notReadySince()));
    }
    return json.put("registered_at", worker.registeredAt().toString())
        .put("last_seen_at", worker.lastSeenAt().toString())
        .put("approved_at", JobJson.text(worker.approvedAt()))
        .put("draining_at", JobJson.text(worker.drainingAt()))
        .put("revoked_at", JobJson.text(worker.revokedAt()));
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
            .put("lease_seconds", fleet.lease().toSeconds());
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

  static ObjectNode upload(Offer offer, URI base) {
    return switch (offer) {
      case Offer.Open(UploadedOutputs.Place place) -> whole(place, base);
      case Offer.OpenInParts(UploadedOutputs.PartedPlace place) -> parts(place, base);
      case Offer.Refused refused -> throw new IllegalStateException(refused.why().message());
    };
  }

  static ObjectNode parts(UploadedOutputs.PartedPlace place, URI base) {
    ObjectNode json =
        JSON.createObjectNode().put("key", place.key()).put("upload_id", place.uploadId());
    FileJson.parts(json, place.urls(), base);
    return json;
  }

  private static ObjectNode whole(UploadedOutputs.Place place, URI base) {
    SignedUrl url = place.url();
    ObjectNode json =
        JSON.createObjectNode().put("key", place.key()).put("url", url.under(base).toString());
    ObjectNode headers = json.putObject("headers");
    url.headers().forEach(headers::put);
    return json.put("expires_at", url.expiresAt().toString());
  }

  /** How a job is left by a report; and why, if an output was refused. */
  static ObjectNode left(Claimed claimed, WorkerReports.Left left) {
    ObjectNode json =
        JSON.createObjectNode().put("job_id", claimed.job().toString()).put("state", left.state());
    if (left.refused() != null) {
      json.putObject("error")
          .put("code", left.refused().code())
          .put("message", left.refused().message());
    }
    return json;
  }
}
