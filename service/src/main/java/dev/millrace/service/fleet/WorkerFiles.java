package dev.millrace.service.fleet;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.files.UploadedOutputs.Claim;
import dev.millrace.service.files.UploadedOutputs.Judgement;
import dev.millrace.service.files.UploadedOutputs.Maker;
import dev.millrace.service.files.UploadedOutputs.Placement;
import dev.millrace.service.jobs.Offers;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.PartPlan;
import dev.millrace.storage.picture.PictureBudget;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The files that go between a worker and the object store, which the server never carries. */
public final class WorkerFiles {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerFiles.class);
  private static final int MOST_REMEMBERED = 50_000;

  private final Sources sources;

  /**
   * Leases whose URLs have more than half of their time to go. It only saves work: whoever isn't in
   * it, because another node gave him his URLs, gets fresh ones once more.
   */
  private final Cache<UUID, Boolean> fresh;

  /**
   * Hands files out and takes them in.
   *
   * @param ttl how long URLs work: as long as a lease does
   */
  WorkerFiles(Sources sources, Duration ttl) {
    this.sources = sources;
    this.fresh =
        Caffeine.newBuilder()
            .expireAfterWrite(ttl.dividedBy(2))
            .maximumSize(MOST_REMEMBERED)
            .build();
  }

  /**
   * Where things are looked up.
   *
   * @param input a live job's resolved input, a JSON text
   * @param maxBytes that one output may have
   */
  record Sources(
      Offers offers,
      JobAssets assets,
      UploadedOutputs outputs,
      long maxBytes,
      Inputs input,
      IntFunction<String> tenantSlug) {}

  /** Finds the input of a job that is under way. */
  @FunctionalInterface
  interface Inputs {
    String of(int tenant, UUID job);
  }

  /** How long URLs are to work, and how the worker knows this server. */
  public record Terms(Duration ttl, URI base) {}

  /**
   * A job with all that its worker needs.
   *
   * @param keyPrefix what the keys of all its outputs begin with
   * @param maxBytes that one output may have
   */
  public record Handed(Leased leased, JobAssets.Work work, String keyPrefix, long maxBytes) {}

  /**
   * What goes with a job that was just leased.
   *
   * @throws JobAssets.Missing if it can't be done any more, because something is gone
   */
  Handed work(Leased leased, Terms terms) {
    Job job = leased.job();
    int workflowId = job.terms().workflowId();
    JobAssets.Work work =
        sources
            .assets()
            .of(
                new JobAssets.Leased(
                    job.id(),
                    leased.token(),
                    workflow(workflowId),
                    shipped(job.terms().effectId(), workflowId),
                    object(leased.input()),
                    terms.ttl(),
                    terms.base()));
    fresh.put(leased.token(), true);
    Maker maker =
        new Maker(sources.tenantSlug().apply(job.id().tenant()), job.id(), job.tries().attempts());
    return new Handed(leased, work, maker.prefix(), sources.maxBytes());
  }

  /** How large one output may be. */
  public long maxBytes() {
    return sources.maxBytes();
  }

  /**
   * The files of a job under way with fresh URLs; none if the old ones have more than half of their
   * time to go. A heartbeat never fails for want of them.
   *
   * @param asked whether the worker says that it needs them
   */
  public List<JobAssets.Asset> renewed(HeldLease lease, UUID token, Terms terms, boolean asked) {
    if (!asked && fresh.getIfPresent(token) != null) {
      return List.of();
    }
    fresh.put(token, true);
    try {
      return sources
          .assets()
          .assets(
              new JobAssets.Leased(
                  new JobId(lease.tenantId(), lease.jobId()),
                  token,
                  workflow(lease.workflowId()),
                  shipped(lease.effectId(), lease.workflowId()),
                  object(sources.input().of(lease.tenantId(), lease.jobId())),
                  terms.ttl(),
                  terms.base()));
    } catch (JobAssets.Missing | ObjectStoreException e) {
      LOG.warn("The URLs of job {} could not be renewed", lease.jobId(), e);
      fresh.invalidate(token);
      return List.of();
    }
  }

  /** A place for one output, or for each of its parts; none if its kind isn't stored. */
  public Placement upload(HeldLease lease, Claim claim, Terms terms) {
    return sources.outputs().offer(maker(lease), claim, terms.ttl());
  }

  /**
   * Fresh URLs for parts of an output that is on its way; empty if it isn't this attempt's.
   *
   * @param numbers of the wanted parts, none for all
   */
  public Optional<UploadedOutputs.PartedPlace> renewParts(
      HeldLease lease,
      String key,
      String uploadId,
      PartPlan plan,
      List<Integer> numbers,
      Terms terms) {
    return sources.outputs().renew(maker(lease), key, uploadId, plan, numbers, terms.ttl());
  }

  /** Takes in an output that is sent through this server; empty if it is too large. */
  public Optional<String> carry(HeldLease lease, InputStream body) throws IOException {
    return sources.outputs().carry(maker(lease), body);
  }

  /** What the holder of the lease sent through this server last. */
  public Optional<UploadedOutputs.RelayedOutput> carried(HeldLease lease) {
    return sources.outputs().carried(maker(lease));
  }

  /** Looks at an uploaded file: at what lies there, not at what the worker says. */
  Judgement judge(
      HeldLease lease,
      String key,
      Claim claim,
      UploadedOutputs.@Nullable Parts parts,
      PictureBudget pictures) {
    return sources.outputs().judge(maker(lease), key, claim, parts, pictures);
  }

  /** Removes all that an attempt brought. Only for one that has ended, and delivered nothing. */
  void discard(HeldLease lease) {
    try {
      sources.outputs().discard(maker(lease));
    } catch (ObjectStoreException e) {
      LOG.warn("Outputs of job {} were left behind", lease.jobId(), e);
    }
  }

  private Maker maker(HeldLease lease) {
    return new Maker(
        sources.tenantSlug().apply(lease.tenantId()),
        new JobId(lease.tenantId(), lease.jobId()),
        lease.attempt());
  }

  private Workflow workflow(int id) {
    return sources
        .offers()
        .workflow(id)
        .map(Offers.Queue::workflow)
        .orElseThrow(() -> new JobAssets.Missing("Its workflow is no longer in the catalogue."));
  }

  /** The effect's files; the workflow's own if the effect is gone since the job was accepted. */
  private Map<String, AssetFile> shipped(int effectId, int workflowId) {
    Offers offers = sources.offers();
    return offers
        .find(offers.slugOf(effectId))
        .map(offer -> offer.effect().assetsIn(workflow(workflowId)))
        .orElseGet(() -> workflow(workflowId).recipe().assets());
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) JsonMapper.shared().readTree(json);
  }
}
