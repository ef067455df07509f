package dev.millrace.bench.load;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.util.List;
import java.util.UUID;

/** The commands of an ordinary job, with an input of some 300 bytes and one output. */
public final class LoadOrders {

  public static final String INPUT =
      """
      {"model": "image-large-v3", "size": "1024x1024", "steps": 30, "seed": 123456789, \
      "prompt": "a photo of a lighthouse on a cliff at dawn, soft light, long exposure, wide angle", \
      "callback": "https://example.com/hooks/finished", \
      "trace": "4bf92f3577b34da6a3ce929d0e0e4736", "style": "film", "upscale": 2}\
      """;

  private static final String FINGERPRINT = "5f".repeat(32);
  private static final String SHA256 = "0f".repeat(32);

  private LoadOrders() {}

  public static SubmitJob of(Wallet.Owner user, Stock.Queue queue) {
    return new SubmitJob(
        UuidCreator.getTimeOrderedEpoch(),
        user,
        new SubmitJob.Terms(
            queue.effect(), queue.workflow(), Stock.COST, 3, 10, 7200, 7200, JobTerms.Rules.USUAL),
        new SubmitJob.Identity(UUID.randomUUID().toString(), FINGERPRINT, null),
        new SubmitJob.Request(INPUT, 0, null, Changes.Links.NONE),
        QuotaUse.Limits.UNLIMITED,
        null);
  }

  static Report.Heartbeat heartbeat(Leased leased) {
    return new Report.Heartbeat(
        leased.job().id(),
        leased.token(),
        new Progress(50, "sampling", "Half of the steps are done"),
        Summary.EMPTY);
  }

  public static Report.Complete complete(Leased leased) {
    UUID file = UuidCreator.getTimeOrderedEpoch();
    String key =
        "tenants/%d/jobs/%s/attempt-1/text-%s.txt"
            .formatted(leased.job().id().tenant(), leased.job().id().uuid(), file);
    return new Report.Complete(
        leased.job().id(),
        leased.token(),
        List.of(
            new OutputFile(
                file,
                key,
                "out.txt",
                new OutputFile.Content("text/plain", 20, SHA256),
                OutputFile.Picture.NONE,
                "a lighthouse, at dusk")),
        Summary.EMPTY);
  }
}
