package dev.millrace.web.dialect.videos;

import dev.millrace.engine.job.Job;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A leased job as the workers of this dialect read it. */
public record WorkerJobJson(Offers offers, PublicUrl publicUrl) {

  static final String OUTPUTS = "/videos/outputs/";
  static final String WORKER = "X-Worker-Id";
  static final String LEASE = "X-Lease-Token";

  /**
   * A job with all that its worker needs, in this dialect's names.
   *
   * @param worker who got it
   */
  ObjectNode job(WorkerFiles.Handed handed, String worker, Request request) {
    Job job = handed.leased().job();
    String id = job.id().uuid().toString();
    String token = handed.leased().token().toString();
    JobAssets.@Nullable Asset primary = primary(handed.work());
    Offers.@Nullable Queue queue = offers.workflow(job.terms().workflowId()).orElse(null);
    String base = publicUrl.of(request).toString();
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("dispatch_id", id)
            .put("job_id", id)
            .put("lease_token", token)
            .put("lease_expires_at", Objects.requireNonNull(job.lease()).expiresAt().toString())
            .put("attempt", job.tries().attempts())
            .put(
                "provider",
                ProviderLabels.theirs(queue == null ? null : queue.workflow().provider()))
            .put("effect_id", offers.slugOf(job.terms().effectId()))
            .put("workflow_slug", queue == null ? null : queue.workflow().slug())
            .put("input_url", primary == null ? null : primary.url().toString())
            .put(
                "output_url",
                (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + OUTPUTS + id);
    json.putObject("output_headers")
        .put("Content-Type", "application/octet-stream")
        .put(WORKER, worker)
        .put(LEASE, token);
    json.set("input_payload", payload(handed, primary));
    return json;
  }

  /** The first file of the user's own: what comes with the catalogue has no id. */
  private static JobAssets.@Nullable Asset primary(JobAssets.Work work) {
    return work.assets().stream().filter(asset -> asset.fileId() != null).findFirst().orElse(null);
  }

  private static ObjectNode payload(WorkerFiles.Handed handed, JobAssets.@Nullable Asset primary) {
    JobAssets.Work work = handed.work();
    @Nullable JsonNode template = work.template();
    ObjectNode payload = JsonMapper.shared().createObjectNode();
    payload.set("workflow", template == null ? payload.nullNode() : template);
    payload.put("output_node_id", template == null ? null : work.outputNode());
    payload.set("properties", JsonMapper.shared().readTree(handed.leased().input()));
    ArrayNode assets = payload.putArray("assets");
    for (JobAssets.Asset asset : work.assets()) {
      assets
          .addObject()
          .put("name", asset.name())
          .put("placeholder", asset.placeholder())
          .put("download_url", asset.url().toString())
          .put("content_hash", asset.sha256())
          .put("mime_type", asset.mediaType())
          .put("size", asset.size())
          .put("is_primary_input", asset.equals(primary));
    }
    return payload;
  }
}
