package dev.millrace.service.transfer;

import dev.millrace.engine.Engine;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.postgres.transfers.TransferView;
import dev.millrace.postgres.transfers.Transfers;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.catalogue.GivenSchema;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.webhooks.EndpointCalls;
import dev.millrace.service.webhooks.EventTypes;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import dev.millrace.storage.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The provider {@code transfer}: hands items or the rows of a file over, and counts them. */
public final class TransferProvider implements Provider {

  public static final String NAME = "transfer";

  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final String FILE = "file";

  private final Parts parts;
  private final Jobs jobs;
  private final Files files;
  private final Transfers transfers;

  /** What the server has. */
  public record Parts(
      Database database,
      ObjectStore store,
      Offers offers,
      Engine engine,
      JobSubmission submission,
      EndpointCalls endpoints) {}

  public TransferProvider(Parts parts) {
    this.parts = parts;
    this.jobs = parts.database().jobs();
    this.files = parts.database().files();
    this.transfers = parts.database().transfers();
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The work is that of this server, which knows whose it is. */
  @Override
  public Outcome execute(Work work) throws InterruptedException {
    if (!(work instanceof RunningAttempt attempt)) {
      throw new IllegalArgumentException("only attempts of this server are performed here");
    }
    JobId id = attempt.job().id();
    Optional<JobView> job = jobs.find(Visibility.of(id.tenant()), id.uuid());
    Transfers.Holder holder = new Transfers.Holder(id, attempt.attempt());
    Optional<TransferView> begin = transfers.claim(holder);
    if (job.isEmpty() || begin.isEmpty()) {
      return new Outcome.Failed("Another run of the same is under way.");
    }
    JsonNode input = JsonMapper.shared().valueToTree(attempt.input());
    Assignment assignment = new Assignment(attempt, job.get(), holder, input, begin.get());
    try (RowSource source = source(assignment)) {
      return run(assignment, source);
    } catch (RowSource.Unreadable e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (GivenSchema.Refused e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Outcome.Unavailable("A file can't be read now.", Optional.empty());
    }
  }

  /** One attempt at one transfer. */
  private record Assignment(
      RunningAttempt attempt,
      JobView job,
      Transfers.Holder holder,
      JsonNode input,
      TransferView begin) {

    boolean ofFile() {
      return input.has(FILE);
    }

    @Nullable UUID endpoint() throws RowSource.Unreadable {
      String named = input.path("endpoint").asString("");
      try {
        return named.isEmpty() ? null : UUID.fromString(named);
      } catch (IllegalArgumentException e) {
        throw new RowSource.Unreadable("The endpoint must be the id of a webhook.");
      }
    }
  }

  private Outcome run(Assignment assignment, RowSource source)
      throws IOException, RowSource.Unreadable, InterruptedException {
    TransferRun.Terms terms =
        new TransferRun.Terms(
            assignment.input().path("chunk").asInt(1),
            assignment.input().path("counted_as").asString("imported"),
            assignment.input().path("skipped").asLong(0));
    TransferRun run =
        new TransferRun(
            transfers, assignment.holder(), assignment.attempt(), terms, assignment.begin());
    Outcome ended = run.run(source, destination(assignment));
    if (ended != null) {
      return ended;
    }
    Map<String, Object> facts = run.counts().facts(terms.takenAs(), terms.skippedBefore());
    return new Outcome.Succeeded(
        TransferReport.outputs(
            transfers, assignment.holder().job().tenant(), run.at().id(), run.counts(), facts),
        facts);
  }

  private RowSource source(Assignment assignment)
      throws IOException, RowSource.Unreadable, GivenSchema.Refused {
    int tenant = assignment.holder().job().tenant();
    UUID job = assignment.holder().job().uuid();
    if (!assignment.ofFile()) {
      List<UUID> items = ids(assignment.input().path("items"));
      List<FileView> allowed =
          files.follows(tenant, job)
              ? files.ofFollowed(tenant, job, items)
              : files.owned(tenant, assignment.job().request().userId(), items);
      return new ItemRows(items, allowed, parts.store());
    }
    List<UUID> named =
        ids(JsonMapper.shared().createArrayNode().add(assignment.input().path(FILE)));
    FileView file =
        files.ofPayer(tenant, job, named).stream()
            .findFirst()
            .orElseThrow(() -> new RowSource.Unreadable("The file is not there any more."));
    CsvFormat.Opening opening =
        () ->
            parts
                .store()
                .open(file.keys().key())
                .orElseThrow(() -> new IOException("the file is gone"))
                .stream();
    CsvFormat format =
        CsvFormat.detect(
            opening,
            assignment.input().path("encoding").asString(CsvFormat.AUTO),
            assignment.input().path("separator").asString(CsvFormat.AUTO));
    RowSchema schema =
        new RowSchema(
            assignment.input().get("row_schema") instanceof ObjectNode given ? given : null);
    return new CsvRows(
        opening, format, file.content().size(), assignment.begin().id().toString(), schema);
  }

  private static List<UUID> ids(JsonNode list) throws RowSource.Unreadable {
    List<UUID> ids = new ArrayList<>();
    for (JsonNode each : list.values()) {
      try {
        ids.add(UUID.fromString(each.asString("")));
      } catch (IllegalArgumentException e) {
        throw new RowSource.Unreadable("The items must be ids of files.");
      }
    }
    return ids.stream().distinct().toList();
  }

  private Destination destination(Assignment assignment) throws RowSource.Unreadable {
    String effect = assignment.input().path("row_effect").asString("");
    if (effect.isEmpty()) {
      return new EndpointDestination(
          parts.endpoints(),
          assignment.attempt(),
          new EndpointDestination.Address(
              assignment.ofFile() ? EventTypes.ROWS : EventTypes.ITEMS, assignment.endpoint()),
          about(assignment),
          PAUSE);
    }
    // A file whose rows were files would multiply without end.
    Offer offer =
        parts
            .offers()
            .find(effect)
            .filter(found -> !found.effect().workflow().executor().equals(NAME))
            .orElseThrow(() -> new RowSource.Unreadable("No job can be made of a row."));
    return new JobDestination(
        parts.submission(),
        parts.engine(),
        assignment.attempt(),
        assignment.job(),
        offer.effect().slug());
  }

  /** What every call says beside its rows. */
  private static ObjectNode about(Assignment assignment) {
    JobView job = assignment.job();
    ObjectNode about = JsonMapper.shared().createObjectNode();
    about.put("transfer_id", assignment.begin().id().toString());
    about.put("job_id", job.id().toString());
    about.put("effect", job.request().effect());
    about.put("user", job.request().userId());
    about.put("workspace", job.links().workspace());
    JobNotes.Related related = JobNotes.of(job).related();
    if (related == null) {
      about.putNull("related");
    } else {
      about.putObject("related").put("type", related.type()).put("id", related.id());
    }
    return about;
  }
}
