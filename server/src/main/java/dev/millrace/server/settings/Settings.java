package dev.millrace.server.settings;

import dev.millrace.service.access.Secret;
import dev.millrace.service.duties.HistoryRetention;
import dev.millrace.service.fleet.FleetSettings;
import dev.millrace.service.guard.ModerationFailure;
import dev.millrace.service.identity.IdentityTerms;
import dev.millrace.service.webhooks.WebhookTimes;
import dev.millrace.web.dialect.Dialect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of one process. Paths are absolute; what may be left unset is nullable.
 *
 * @param executorSlots 0 means that this process executes nothing itself
 */
public record Settings(
    Http http,
    Folders folders,
    Database database,
    Leases leases,
    Retries retries,
    Credits credits,
    Quota quota,
    Files files,
    Guard guard,
    Services services,
    Lanes lanes,
    Rate rate,
    Doctor doctor,
    FleetSettings fleet,
    HistoryRetention history,
    WebhookTimes webhooks,
    int executorSlots,
    LogFormat logFormat,
    Metrics metrics,
    IdentityTerms identity) {

  /**
   * Reads the settings from an environment and from the properties file, if there is one.
   *
   * @param environment the environment variables, usually {@code System.getenv()}
   * @param workingDir where {@code millrace.properties} is looked for and what relative paths are
   *     relative to
   * @throws SettingsException with every mistake that was found
   */
  public static Settings load(Map<String, String> environment, Path workingDir) {
    return SettingsLoader.load(environment, workingDir).settings();
  }

  /**
   * Where requests are served.
   *
   * @param port 0 asks the operating system for a free one
   * @param publicUrl how clients reach this server, without a slash at its end; null means the
   *     address it listens on
   * @param allowedHosts empty means whatever can't be a stranger's name for this machine
   */
  public record Http(
      String host,
      int port,
      int maxBodyBytes,
      @Nullable URI publicUrl,
      List<String> allowedHosts,
      Set<Dialect> dialects,
      Duration requestTimeout,
      Duration shutdownGrace) {}

  /**
   * Where things are kept on disk.
   *
   * @param catalogue null means that only the built-in effects are served
   */
  public record Folders(Path data, Path profile, @Nullable Path catalogue) {}

  /**
   * Where the jobs are kept.
   *
   * @param url null means the embedded database in the data folder
   */
  public record Database(@Nullable DatabaseUrl url, int poolSize) {}

  /** How long each kind of waiting may take. */
  public record Leases(
      Duration lease,
      Duration heartbeat,
      Duration runDeadline,
      Duration queueDeadline,
      Duration callbackDeadline,
      Duration reviewDeadline,
      Duration cancelGrace,
      Duration reaperInterval) {}

  /** How often a job is tried again, and how long it rests in between. */
  public record Retries(
      int maxFailures, int maxInterruptions, Duration backoffBase, Duration backoffCap) {}

  /** The bounds of the money. */
  public record Credits(long maxCost, long welcome) {}

  /** How much a user may do; 0 is no limit. */
  public record Quota(
      int activeJobs, int dailyJobs, long tenantStorageBytes, long userStorageBytes) {}

  /**
   * Files and the URLs that lead to them.
   *
   * @param partBytes what is larger is uploaded in parts of this size
   * @param signingSecret null means one that is made at first start and kept in the data folder
   * @param s3 null means that files are kept in the data folder
   */
  public record Files(
      long maxOutputBytes,
      long maxUploadBytes,
      long partBytes,
      Duration urlTtl,
      @Nullable Secret signingSecret,
      @Nullable S3 s3) {}

  /**
   * An S3-compatible store.
   *
   * @param endpoint null means Amazon's own
   * @param publicEndpoint where everybody else reaches it; null means at the same address
   * @param prefix empty if names begin with nothing in particular
   * @param key null means whatever credentials the machine brings along
   */
  public record S3(
      String bucket,
      @Nullable URI endpoint,
      @Nullable URI publicEndpoint,
      String region,
      boolean pathStyle,
      String prefix,
      @Nullable S3Key key) {}

  /** The key to an S3-compatible store. */
  public record S3Key(Secret id, Secret secret) {}

  /**
   * What inputs are judged by before a job is taken.
   *
   * @param rules null means no rules but a limit on length
   * @param moderationUrl without a slash at its end; null means that nobody is asked
   * @param moderationKey null means that the service wants none
   */
  public record Guard(
      @Nullable Path rules,
      @Nullable URI moderationUrl,
      @Nullable Secret moderationKey,
      String moderationModel,
      Duration moderationTimeout,
      ModerationFailure moderationFailure) {}

  /**
   * Who runs jobs for this server, and where fetches may go.
   *
   * @param folder with jars of providers, and YAML files that describe services
   * @param secrets a properties file with the secrets of providers and of tenants
   * @param slots how many jobs are handed to one service, and collected from it, at once
   * @param fetchAllow what an {@code AllowList} reads; empty means the public internet only
   * @param providers all whose factories were found, also those that are not set up
   */
  public record Services(
      @Nullable Path folder,
      @Nullable Path secrets,
      int slots,
      String fetchAllow,
      List<InstalledProvider> providers) {}

  /** How many commands commit together, and how many may wait for that. */
  public record Lanes(int batchMax, int queueMax) {}

  /** How many requests are answered; a 0 per minute means any number. */
  public record Rate(
      int requestsPerMinute,
      int burst,
      int tenantRequestsPerMinute,
      int unauthenticatedPerMinute) {}

  /**
   * How much of a live system's time the doctor takes.
   *
   * @param checkupPause how long between examinations that nobody asks for; zero for none
   */
  public record Doctor(Duration statementTimeout, Duration lockTimeout, Duration checkupPause) {}

  /**
   * Who may read the metrics.
   *
   * @param token null means that only keys do
   */
  public record Metrics(MetricsAccess access, @Nullable Secret token) {}

  /** How one gets to the metrics; {@code AUTO} depends on who can reach the server. */
  public enum MetricsAccess {
    AUTO,
    OPEN,
    KEY,
    OFF
  }

  /** How log lines look; {@code AUTO} is text on a terminal and JSON elsewhere. */
  public enum LogFormat {
    AUTO,
    JSON,
    TEXT
  }
}
