package dev.millrace.server.settings;

import dev.millrace.postgres.history.History;
import dev.millrace.server.settings.Setting.Default;
import dev.millrace.server.settings.Settings.LogFormat;
import dev.millrace.service.access.Secret;
import dev.millrace.service.fleet.FleetSettings.Approval;
import dev.millrace.service.fleet.FleetSettings.AsgFailure;
import dev.millrace.service.guard.ModerationFailure;
import dev.millrace.service.identity.RoleTable;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Every setting of the server itself, in the order in which people read about them. Those of
 * providers are declared by their factories.
 */
final class SettingsTable {

  private static final long YEAR = 31_536_000;
  private static final long TRILLION = 1_000_000_000_000L;

  // spotless:off
  static final Setting<String> HTTP_HOST = setting("http.host", Kind.host(), "127.0.0.1",
      "The address to listen on. The default serves this machine only; 0.0.0.0 serves every network it is in.");
  static final Setting<Long> HTTP_PORT = setting("http.port", Kind.number(0, 65_535), "8080",
      "The port to listen on; 0 takes a free one.");
  static final Setting<Long> HTTP_MAX_BODY_BYTES = setting("http.max-body-bytes", Kind.number(1_024, 1L << 30), "1048576",
      "The largest request body that is read.");
  static final Setting<URI> HTTP_PUBLIC_URL = new Setting<>(key("http.public-url"), Kind.webAddress(), Default.notSet("the host that the request names"),
      "How clients reach this server; signed URLs start with it.");
  static final Setting<String> HTTP_ALLOWED_HOSTS = new Setting<>(key("http.allowed-hosts"), Kind.hosts(),
      Default.notSet("every IP address, this machine's name, the host to listen on and that of the public URL"),
      "The hosts that requests may name, beside `localhost` and the host of the public URL. Others are answered 421.");
  static final Setting<String> DIALECTS = setting("dialects", Kind.dialects(), "generate,images,videos,processes,replicate,openai",
      "Which surfaces of other systems are served beside the API.");
  static final Setting<Duration> HTTP_REQUEST_TIMEOUT = setting("http.request-timeout-seconds", Kind.seconds(1, 3_600), "30",
      "How long a client may take to send the body of a request.");
  static final Setting<Duration> HTTP_SHUTDOWN_GRACE = setting("http.shutdown-grace-seconds", Kind.seconds(1, 3_600), "35",
      "How long a stopping server takes at most, and never less than 20. Requests may finish until 11 seconds before that; "
          + "running jobs go back to the queue at once.");

  static final Setting<Path> DATA_DIR = setting("data-dir", Kind.folder(), "./data",
      "Where the embedded database, the outputs and the generated secrets are kept.");
  static final Setting<Path> PROFILE_DIR = new Setting<>(key("profile-dir"), Kind.folder(), ProfileFolder.DEFAULT,
      "Where the CLI's profile with its API key is kept.");
  static final Setting<Path> CATALOGUE_DIR = new Setting<>(key("catalogue-dir"), Kind.folder(), Default.notSet("built-in effects only"),
      "A folder of workflow and effect definitions.");

  static final Setting<DatabaseUrl> DATABASE_URL = new Setting<>(key("database.url"), Kind.databaseUrl(), Default.notSet("the embedded database"),
      "An external PostgreSQL with user and password. Percent-encode special characters in them.");
  static final Setting<Long> DATABASE_POOL_SIZE = setting("database.pool-size", Kind.number(6, 500), "16",
      "How many database connections this process may hold.");

  static final Setting<Duration> LEASE = setting("lease-seconds", Kind.seconds(1, 86_400), "60",
      "How long a worker owns a job without a heartbeat.");
  static final Setting<Duration> HEARTBEAT = setting("heartbeat-seconds", Kind.seconds(1, 3_600), "10",
      "How often a worker says that it is alive.");
  static final Setting<Duration> RUN_DEADLINE = setting("run-deadline-seconds", Kind.seconds(1, YEAR), "3600",
      "How long one attempt may run.");
  static final Setting<Duration> QUEUE_DEADLINE = setting("queue-deadline-seconds", Kind.seconds(1, YEAR), "86400",
      "How long a job may wait to be started.");
  static final Setting<Duration> CALLBACK_DEADLINE = setting("callback-deadline-seconds", Kind.seconds(1, YEAR), "3600",
      "How long an outside provider that accepted a job may take to deliver.");
  static final Setting<Duration> REVIEW_DEADLINE = setting("review-deadline-seconds", Kind.seconds(1, YEAR), "604800",
      "How long a result may wait for its reviewer.");
  static final Setting<Duration> CANCEL_GRACE = setting("cancel-grace-seconds", Kind.seconds(1, 3_600), "30",
      "How long a canceled job may take to stop before it is cut off.");
  static final Setting<Duration> REAPER_INTERVAL = setting("reaper-interval-millis", Kind.millis(10, 30_000), "1000",
      "How often lost leases and passed deadlines are looked for.");

  static final Setting<Long> MAX_FAILURES = setting("max-failures", Kind.number(1, 100), "3",
      "How many attempts may fail before the job is given up.");
  static final Setting<Long> MAX_INTERRUPTIONS = setting("max-interruptions", Kind.number(1, 1_000), "10",
      "How many attempts may be interrupted before the job is given up.");
  static final Setting<Duration> BACKOFF_BASE = setting("backoff-base-seconds", Kind.seconds(1, 3_600), "2",
      "The first rest after a failure; it doubles each time.");
  static final Setting<Duration> BACKOFF_CAP = setting("backoff-cap-seconds", Kind.seconds(1, 86_400), "300",
      "The longest rest after a failure.");

  static final Setting<Long> EXECUTOR_SLOTS = setting("executor-slots", Kind.number(0, 256), "2",
      "How many jobs this process executes at once; 0 switches its executor off.");
  static final Setting<Long> TENANT_CONCURRENCY = setting("tenant-concurrency", Kind.number(0, 1_000_000), "0",
      "How many jobs of one tenant may run at once; 0 for any number. Every node needs the same.");
  static final Setting<Long> MAX_CREDITS_COST = setting("max-credits-cost", Kind.number(0, TRILLION), "1000000",
      "The most credits that an effect may cost.");
  static final Setting<Long> WELCOME_CREDITS = setting("welcome-credits", Kind.number(0, TRILLION), "1000",
      "The credits that a new installation starts with.");

  static final Setting<Long> QUOTA_ACTIVE_JOBS = setting("quota-active-jobs", Kind.number(0, 1_000_000), "5",
      "How many live jobs a user may have at once; 0 for any number. An admin can set another limit for a user.");
  static final Setting<Long> QUOTA_DAILY_JOBS = setting("quota-daily-jobs", Kind.number(0, 1_000_000_000), "0",
      "How many jobs a user may submit in a UTC day; 0 for any number. An admin can set another limit for a user.");

  static final Setting<Long> QUOTA_TENANT_STORAGE = setting("quota-tenant-storage-bytes", Kind.number(0, 1L << 60), "0",
      "How many bytes of files a tenant may have stored; 0 for any number. An operator can set another limit for a tenant.");
  static final Setting<Long> QUOTA_USER_STORAGE = setting("quota-user-storage-bytes", Kind.number(0, 1L << 60), "0",
      "How many bytes of files a user may have stored; 0 for any number. There can be another limit for a tenant's users, "
          + "and for one user.");

  static final Setting<Long> MAX_OUTPUT_BYTES = setting("max-output-bytes", Kind.number(1, 1L << 40), "536870912",
      "The largest output file that is stored.");
  static final Setting<Long> MAX_UPLOAD_BYTES = setting("max-upload-bytes", Kind.number(1, 1L << 40), "536870912",
      "The largest file that a user may bring.");
  static final Setting<Long> PART_BYTES = setting("part-bytes", Kind.number(5L << 20, 5L << 30), "67108864",
      "Files that are larger than this are uploaded in parts of this size, by users and by workers.");
  static final Setting<Duration> URL_TTL = setting("url-ttl-seconds", Kind.seconds(1, 604_800), "3600",
      "How long a signed URL works.");
  static final Setting<Secret> SIGNING_SECRET = new Setting<>(key("signing-secret"), Kind.secretText(), Default.notSet("made at first start and kept in the data folder"),
      "What URLs are signed with. Every node of one installation needs the same.");

  static final Setting<String> S3_BUCKET = new Setting<>(key("s3.bucket"), Kind.bucket(), Default.notSet("files are kept in the data folder"),
      "The bucket of an S3-compatible store that keeps the files.");
  static final Setting<URI> S3_ENDPOINT = new Setting<>(key("s3.endpoint"), Kind.webAddress(), Default.notSet("Amazon's own for the region"),
      "Where this server reaches the store.");
  static final Setting<URI> S3_PUBLIC_ENDPOINT = new Setting<>(key("s3.public-endpoint"), Kind.webAddress(), Default.notSet("the same as the endpoint"),
      "Where clients and workers reach the store, if that is another address. Signed URLs lead there.");
  static final Setting<String> S3_REGION = setting("s3.region", Kind.region(), "us-east-1",
      "The region of the bucket, which is a part of every signature.");
  static final Setting<Boolean> S3_PATH_STYLE = setting("s3.path-style", Kind.truth(), "false",
      "Whether the bucket is a part of the path and not of the host; most stores but Amazon's want true.");
  static final Setting<String> S3_PREFIX = new Setting<>(key("s3.prefix"), Kind.prefix(), Default.notSet("none"),
      "What the name of every object begins with.");
  static final Setting<Secret> S3_ACCESS_KEY_ID = new Setting<>(key("s3.access-key-id"), Kind.token(), Default.notSet("what the machine brings along, such as its role"),
      "The id of the key to the store.");
  static final Setting<Secret> S3_SECRET_ACCESS_KEY = new Setting<>(key("s3.secret-access-key"), Kind.token(), Default.notSet("what the machine brings along, such as its role"),
      "The secret of the key to the store.");
  static final Setting<Path> S3_SECRET_ACCESS_KEY_FILE = new Setting<>(key("s3.secret-access-key-file"), Kind.folder(), Default.notSet("no file"),
      "A file with the secret in it, instead of the secret itself.");

  static final Setting<Path> GUARD_RULES = new Setting<>(key("guard-rules"), Kind.folder(), Default.notSet("no rules but a limit on length"),
      "A file of words and patterns that inputs may not have.");
  static final Setting<URI> MODERATION_URL = new Setting<>(key("moderation-url"), Kind.webAddress(), Default.notSet("no moderation"),
      "An OpenAI-compatible service that judges inputs, such as `https://api.openai.com/v1`.");
  static final Setting<Secret> MODERATION_API_KEY = new Setting<>(key("moderation-api-key"), Kind.token(), Default.notSet("sent without a key"),
      "The key of that service.");
  static final Setting<String> MODERATION_MODEL = setting("moderation-model", Kind.modelName(), "omni-moderation-latest",
      "The model that it judges with.");
  static final Setting<Duration> MODERATION_TIMEOUT = setting("moderation-timeout-seconds", Kind.seconds(1, 60), "5",
      "How long its answer may take.");
  static final Setting<ModerationFailure> MODERATION_FAILURE = setting("moderation-failure", Kind.moderationFailure(), "closed",
      "What happens while it gives no good answer: closed refuses jobs for now, open lets them pass unjudged.");

  static final Setting<Path> PROVIDERS_DIR = new Setting<>(key("providers-dir"), Kind.folder(), Default.notSet("only what comes with Millrace"),
      "A folder of providers: jars, and YAML files that describe services which run jobs.");
  static final Setting<Path> PROVIDER_SECRETS = new Setting<>(key("provider-secrets"), Kind.folder(), Default.notSet("no secrets"),
      "A properties file with the secrets that those files name, and with the keys of tenants.");
  static final Setting<Long> PROVIDER_SLOTS = setting("provider-slots", Kind.number(1, 1_000), "8",
      "How many jobs this process hands to one service at once, and how many it collects.");
  static final Setting<String> FETCH_ALLOW = new Setting<>(key("fetch-allow"), Kind.allowList(), Default.notSet("the public internet only"),
      "Hosts beside the public internet that URLs from users and providers may lead to.");

  static final Setting<Long> RATE_REQUESTS = setting("rate-requests-per-minute", Kind.number(0, 1_000_000), "600",
      "How many requests an API key may make in a minute, on each node; 0 switches the limit off. A tenant can have another limit.");
  static final Setting<Long> RATE_BURST = setting("rate-burst", Kind.number(1, 1_000_000), "100",
      "How many requests an API key that has been quiet may make at once. A tenant can have another number.");
  static final Setting<Long> RATE_TENANT_REQUESTS = setting("rate-tenant-requests-per-minute", Kind.number(0, 1_000_000), "0",
      "How many requests all keys and tokens of a tenant together may make in a minute, on each node; 0 for any number. "
          + "A tenant can have another limit.");
  static final Setting<Long> RATE_UNAUTHENTICATED = setting("rate-unauthenticated-per-minute", Kind.number(0, 1_000_000), "60",
      "How many requests without a good key one client address may make in a minute; 0 switches the limit off.");

  static final Setting<String> OIDC_ISSUER = new Setting<>(key("oidc-issuer"), IdentityKinds.issuer(), Default.notSet("the console is for keys alone"),
      "The OpenID provider by which people sign in to the console, exactly as its discovery document names it.");
  static final Setting<String> OIDC_CLIENT_ID = new Setting<>(key("oidc-client-id"), Kind.modelName(), Default.notSet("no provider"),
      "As what the console is registered at the provider.");
  static final Setting<Secret> OIDC_CLIENT_SECRET = new Setting<>(key("oidc-client-secret"), Kind.token(), Default.notSet("a public client"),
      "The secret of that registration.");
  static final Setting<String> OIDC_NAME = setting("oidc-name", IdentityKinds.name(), "single sign-on",
      "What the sign-in page calls the provider.");
  static final Setting<String> OIDC_SCOPES = setting("oidc-scopes", IdentityKinds.scopes(), "openid profile email",
      "What the provider is asked for.");
  static final Setting<Duration> OIDC_SESSION = setting("oidc-session-seconds", Kind.seconds(300, 86_400), "28800",
      "How long a session lasts at most; the provider is asked again for the role with the next one.");
  static final Setting<String> JWT_ISSUERS = new Setting<>(key("jwt-issuers"), IdentityKinds.issuers(), Default.notSet("the API takes no JWTs"),
      "Whose JWTs the API takes beside keys: issuers with commas between them, each exactly as its tokens name it.");
  static final Setting<String> JWT_AUDIENCES = new Setting<>(key("jwt-audiences"), IdentityKinds.words(), Default.notSet("the API takes no JWTs"),
      "For whom a JWT must be meant: audiences with commas between them, of which one is enough.");
  static final Setting<URI> JWT_KEYS_URL = new Setting<>(key("jwt-keys-url"), Kind.webAddress(), Default.notSet("as the discovery document says"),
      "Where the keys (JWKS) of the only issuer are, if it has no discovery document.");
  static final Setting<Duration> IDENTITY_SKEW = setting("identity-clock-skew-seconds", Kind.seconds(0, 300), "60",
      "By how much the clocks of an issuer and of this machine may differ.");
  static final Setting<String> IDENTITY_TENANT = new Setting<>(key("identity-tenant"), IdentityKinds.slug(), Default.notSet("`default`, or what a claim says"),
      "The tenant of everybody whom a provider vouches for.");
  static final Setting<String> IDENTITY_TENANT_CLAIM = new Setting<>(key("identity-tenant-claim"), Kind.modelName(), Default.notSet("all are of one tenant"),
      "The claim with the slug of somebody's tenant: a name, or a path with dots.");
  static final Setting<String> IDENTITY_ROLES_CLAIM = setting("identity-roles-claim", Kind.modelName(), "roles",
      "The claim with what the next setting knows: a name, or a path with dots such as `realm_access.roles`.");
  static final Setting<RoleTable> IDENTITY_ROLES = new Setting<>(key("identity-roles"), IdentityKinds.roles(), Default.notSet("nobody has access"),
      "Which role each value of that claim gives; of several the highest counts.");
  static final Setting<String> IDENTITY_USER_CLAIM = setting("identity-user-claim", Kind.modelName(), "sub",
      "The claim with the user that somebody of the role user acts for.");
  static final Setting<String> IDENTITY_NAME_CLAIM = new Setting<>(key("identity-name-claim"), Kind.modelName(), Default.notSet("the subject alone"),
      "The claim by which people are recognised in the audit, such as `email`; the subject is written beside it.");

  static final Setting<Duration> DOCTOR_STATEMENT = setting("doctor-statement-timeout-seconds", Kind.seconds(1, 50), "10",
      "How long the doctor looks at one law; a law that takes longer is not checked.");
  static final Setting<Duration> DOCTOR_LOCK = setting("doctor-lock-timeout-millis", Kind.millis(1, 50_000), "1000",
      "How long the doctor waits for a table that is locked, as during a migration.");
  static final Setting<Duration> DOCTOR_CHECKUP = setting("doctor-checkup-seconds", Kind.seconds(0, 86_400), "900",
      "How often the invariants are checked by themselves, by one node for all; 0 switches it off.");

  static final Setting<Secret> FLEET_SECRET = new Setting<>(key("fleet-secret"), Kind.secretText(), Default.notSet("no worker can register"),
      "What workers register with.");
  static final Setting<Secret> FLEET_SECRET_PREVIOUS = new Setting<>(key("fleet-secret-previous"), Kind.secretText(), Default.notSet("one secret only"),
      "The fleet's old secret, which still works while the new one is being handed out.");
  static final Setting<Approval> FLEET_APPROVAL = setting("fleet-approval", Kind.word(Approval.class), "automatic",
      "Whether a worker that registers gets jobs at once, or waits for an operator.");
  static final Setting<Long> FLEET_MAX_WORKERS = setting("fleet-max-workers", Kind.number(1, 100_000), "50",
      "How many workers may be registered at once.");
  static final Setting<Duration> FLEET_SILENCE = setting("fleet-silence-seconds", Kind.seconds(60, 604_800), "180",
      "After how long without a word a worker is forgotten; its name is then free again.");

  static final Setting<AsgFailure> FLEET_ASG_CHECK = setting("fleet-asg-check", Kind.word(AsgFailure.class), "off",
      "Whether a worker named like an EC2 instance must be in an Auto Scaling group. While AWS doesn't answer, open lets it in and closed refuses it.");
  static final Setting<String> FLEET_ASG_REGION = new Setting<>(key("fleet-asg-region"), Kind.modelName(), Default.notSet("as the AWS SDK finds it"),
      "The region of the groups.");
  static final Setting<URI> FLEET_ASG_ENDPOINT = new Setting<>(key("fleet-asg-endpoint"), Kind.webAddress(), Default.notSet("AWS itself"),
      "Where the Auto Scaling API is.");
  static final Setting<Long> HISTORY_RETENTION = setting("history-retention-months", Kind.number(0, 1_200), "0",
      "How many whole months of events and ledger lines are kept before this one; 0 keeps them for ever.");
  static final Setting<History.Disposal> HISTORY_ARCHIVE = setting("history-archive", Kind.word(History.Disposal.class), "keep",
      "What becomes of older months: keep moves their tables to the schema archive, drop drops them.");

  static final Setting<Duration> WEBHOOK_TIMEOUT = setting("webhook-timeout-seconds", Kind.seconds(1, 300), "15",
      "How long an endpoint may take to answer a webhook.");
  static final Setting<Duration> WEBHOOK_RETRY = setting("webhook-retry-seconds", Kind.seconds(1, 2_592_000), "86400",
      "For how long a webhook is tried before it is given up.");
  static final Setting<Duration> WEBHOOK_DISABLE = setting("webhook-disable-seconds", Kind.seconds(1, YEAR), "259200",
      "An endpoint that took nothing for this long is disabled when the next webhook to it is given up.");
  static final Setting<Duration> WEBHOOK_RETENTION = setting("webhook-retention-seconds", Kind.seconds(86_400, YEAR), "2592000",
      "How long webhooks are kept with what came back, in whatever state they are.");

  static final Setting<LogFormat> LOG_FORMAT = setting("log-format", Kind.logFormat(), "auto",
      "How log lines look; auto is text on a terminal and JSON elsewhere.");
  static final Setting<Settings.MetricsAccess> METRICS_ACCESS = setting("metrics-access", Kind.word(Settings.MetricsAccess.class), "auto",
      "Who may read `/metrics`: open is everybody, key whoever shows an operator's key or the token, off nobody; auto is open if the server "
          + "listens to this machine only and has no public URL, and key elsewhere.");
  static final Setting<Secret> METRICS_TOKEN = new Setting<>(key("metrics-token"), Kind.secretText(), Default.notSet("keys only"),
      "What a scraper may show at `/metrics` instead of a key.");
  static final Setting<Long> BATCH_MAX = setting("batch-max", Kind.number(1, 4_096), "256",
      "How many commands commit in one transaction.");
  static final Setting<Long> LANE_QUEUE_MAX = setting("lane-queue-max", Kind.number(1, 1_000_000), "10000",
      "How many commands of one kind may wait; beyond it the server answers that it is overloaded.");

  static final List<Setting<?>> ALL = List.of(
      HTTP_HOST, HTTP_PORT, HTTP_MAX_BODY_BYTES, HTTP_PUBLIC_URL, HTTP_ALLOWED_HOSTS, DIALECTS, HTTP_REQUEST_TIMEOUT,
      HTTP_SHUTDOWN_GRACE,
      DATA_DIR, PROFILE_DIR, CATALOGUE_DIR,
      DATABASE_URL, DATABASE_POOL_SIZE,
      LEASE, HEARTBEAT, RUN_DEADLINE, QUEUE_DEADLINE, CALLBACK_DEADLINE, REVIEW_DEADLINE, CANCEL_GRACE, REAPER_INTERVAL,
      MAX_FAILURES, MAX_INTERRUPTIONS, BACKOFF_BASE, BACKOFF_CAP,
      EXECUTOR_SLOTS, TENANT_CONCURRENCY, MAX_CREDITS_COST, WELCOME_CREDITS,
      QUOTA_ACTIVE_JOBS, QUOTA_DAILY_JOBS, QUOTA_TENANT_STORAGE, QUOTA_USER_STORAGE,
      MAX_OUTPUT_BYTES, MAX_UPLOAD_BYTES, PART_BYTES, URL_TTL, SIGNING_SECRET,
      S3_BUCKET, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_REGION, S3_PATH_STYLE, S3_PREFIX, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY,
      S3_SECRET_ACCESS_KEY_FILE,
      GUARD_RULES, MODERATION_URL, MODERATION_API_KEY, MODERATION_MODEL, MODERATION_TIMEOUT, MODERATION_FAILURE,
      PROVIDERS_DIR, PROVIDER_SECRETS, PROVIDER_SLOTS, FETCH_ALLOW,
      RATE_REQUESTS, RATE_BURST, RATE_TENANT_REQUESTS, RATE_UNAUTHENTICATED,
      OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_SCOPES, OIDC_SESSION,
      JWT_ISSUERS, JWT_AUDIENCES, JWT_KEYS_URL,
      IDENTITY_SKEW, IDENTITY_TENANT, IDENTITY_TENANT_CLAIM, IDENTITY_ROLES_CLAIM, IDENTITY_ROLES, IDENTITY_USER_CLAIM,
      IDENTITY_NAME_CLAIM,
      DOCTOR_STATEMENT, DOCTOR_LOCK, DOCTOR_CHECKUP,
      FLEET_SECRET, FLEET_SECRET_PREVIOUS, FLEET_APPROVAL, FLEET_MAX_WORKERS, FLEET_SILENCE,
      FLEET_ASG_CHECK, FLEET_ASG_REGION, FLEET_ASG_ENDPOINT,
      HISTORY_RETENTION, HISTORY_ARCHIVE,
      WEBHOOK_TIMEOUT, WEBHOOK_RETRY, WEBHOOK_DISABLE, WEBHOOK_RETENTION,
      LOG_FORMAT, METRICS_ACCESS, METRICS_TOKEN, BATCH_MAX, LANE_QUEUE_MAX);

  static final List<Rule> RULES = List.of(
      new Rule(LEASE,          3, HEARTBEAT,       "two heartbeats may get lost before a job is taken away"),
      new Rule(RUN_DEADLINE,   1, LEASE,           "an attempt must not be over before its first lease is"),
      new Rule(CANCEL_GRACE,   1, HEARTBEAT,       "a worker hears of it with its next heartbeat"),
      new Rule(URL_TTL,        1, LEASE,           "a worker must be able to use its URLs while it owns the job"),
      new Rule(LEASE,          1, REAPER_INTERVAL, "a lost lease must be found before the next is lost"),
      new Rule(BACKOFF_CAP,    1, BACKOFF_BASE,    "the longest rest cannot be shorter than the first"),
      new Rule(FLEET_SILENCE,  1, LEASE,           "a worker must not be forgotten while it owns a job"),
      new Rule(WEBHOOK_RETENTION, 1, WEBHOOK_RETRY, "none is forgotten while it is tried"),
      new Rule(LANE_QUEUE_MAX, 1, BATCH_MAX,       "a whole batch must be able to gather"),
      new Rule(LANE_QUEUE_MAX, 1, EXECUTOR_SLOTS,  "every slot may have a command waiting"));
  // spotless:on

  /** A name that another part of Millrace reads from the environment. */
  record OtherName(String name, String description) {}

  static final List<OtherName> OTHER_NAMES =
      List.of(
          new OtherName(
              Sources.CONFIG_FILE,
              "The properties file to read instead of `millrace.properties` in the working"
                  + " directory."),
          new OtherName("MILLRACE_URL", "The server that the CLI talks to."),
          new OtherName("MILLRACE_API_KEY", "The API key of the CLI, instead of its profile's."),
          new OtherName(
              "MILLRACE_JAVA_OPTS",
              "Options for the virtual machine of `start` and `worker`, such as `-Xmx2g`."));

  private SettingsTable() {}

  private static <T> Setting<T> setting(
      String name, Kind<T> kind, String fallback, String description) {
    return new Setting<>(key(name), kind, Default.of(fallback), description);
  }

  private static String key(String name) {
    return Setting.PREFIX + name;
  }
}
