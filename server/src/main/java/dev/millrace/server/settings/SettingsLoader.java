package dev.millrace.server.settings;

import static dev.millrace.server.settings.SettingsTable.*;

import dev.millrace.server.factory.ProviderFactories;
import dev.millrace.server.settings.Values.Resolved;
import dev.millrace.service.duties.HistoryRetention;
import dev.millrace.service.fleet.FleetSettings;
import dev.millrace.service.webhooks.WebhookTimes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings together with where each came from. Loading goes on after a mistake, and only complains
 * at its end.
 */
record SettingsLoader(KnownSettings known, Values values, @Nullable Path file) {

  static SettingsLoader load(Map<String, String> environment, Path workingDir) {
    List<String> mistakes = new ArrayList<>();
    SettingsFile file = SettingsFile.read(environment, workingDir, mistakes);
    KnownSettings known =
        KnownSettings.with(
            ProviderFactories.find(providersFolder(environment, file, workingDir)), mistakes);
    UnknownNames names = new UnknownNames(known.all());
    mistakes.addAll(names.inEnvironment(environment));
    mistakes.addAll(names.inFile(file.entries().keySet(), file.name()));
    Sources sources = Sources.of(environment, file, known.all());
    Values values = new Values();
    for (Setting<?> setting : known.all()) {
      read(setting, sources, file.name(), workingDir, mistakes)
          .ifPresent(resolved -> values.put(setting, resolved));
    }
    RULES.forEach(rule -> rule.mistake(values).ifPresent(mistakes::add));
    if (mistakes.stream().noneMatch(S3Settings::isAbout)) {
      mistakes.addAll(S3Settings.mistakes(values));
    }
    if (mistakes.stream().noneMatch(IdentitySettings::isAbout)) {
      mistakes.addAll(IdentitySettings.mistakes(values));
    }
    if (!mistakes.isEmpty()) {
      throw new SettingsException(mistakes);
    }
    return new SettingsLoader(known, values, file.path());
  }

  /** Which settings there are depends on this one, so it is read before the others. */
  private static @Nullable Path providersFolder(
      Map<String, String> environment, SettingsFile file, Path workingDir) {
    // What is wrong with it is said when it is read with all the others.
    Sources sources = Sources.of(environment, file, SettingsTable.ALL);
    return read(PROVIDERS_DIR, sources, file.name(), workingDir, new ArrayList<>())
        .map(resolved -> PROVIDERS_DIR.kind().type().cast(resolved.value()))
        .orElse(null);
  }

  private static <T> Optional<Resolved> read(
      Setting<T> setting,
      Sources sources,
      String fileName,
      Path workingDir,
      List<String> mistakes) {
    Sources.RawValue found = sources.find(setting);
    if (found == null) {
      return Optional.empty();
    }
    String label =
        found.source() == SettingsReport.Source.FILE
            ? setting.key() + " (" + fileName + ")"
            : setting.environmentName();
    if (found.value() == null) {
      complain(mistakes, found, label + " has a ${...} that cannot be resolved");
      return Optional.empty();
    }
    String text = found.value().strip();
    Kind<T> kind = setting.kind();
    try {
      if (text.chars().anyMatch(Character::isISOControl)) {
        throw new Kind.Refused("it has control characters");
      }
      T value = kind.reader().read(text, workingDir);
      return Optional.of(new Resolved(value, kind.show().apply(value), found.source(), label));
    } catch (Kind.Refused refused) {
      complain(mistakes, found, must(label, kind) + ": " + refused.getMessage());
    } catch (IllegalArgumentException _) {
      String but = kind.secret() ? "" : ", but is " + Quoted.value(found.written().strip());
      complain(mistakes, found, must(label, kind) + but);
    }
    return Optional.empty();
  }

  /** A default is only wrong when what it is derived from is wrong, and that was said already. */
  private static void complain(List<String> mistakes, Sources.RawValue found, String mistake) {
    if (found.source() != SettingsReport.Source.DEFAULT || mistakes.isEmpty()) {
      mistakes.add(mistake);
    }
  }

  private static String must(String label, Kind<?> kind) {
    return label + " must be " + kind.allowed();
  }

  Settings settings() {
    return new Settings(
        new Settings.Http(
            values.get(HTTP_HOST),
            values.integer(HTTP_PORT),
            values.integer(HTTP_MAX_BODY_BYTES),
            values.optional(HTTP_PUBLIC_URL),
            Kind.hostsOf(Objects.requireNonNullElse(values.optional(HTTP_ALLOWED_HOSTS), "")),
            Kind.dialectsOf(values.get(DIALECTS)),
            values.get(HTTP_REQUEST_TIMEOUT),
            values.get(HTTP_SHUTDOWN_GRACE)),
        new Settings.Folders(
            values.get(DATA_DIR), values.get(PROFILE_DIR), values.optional(CATALOGUE_DIR)),
        new Settings.Database(values.optional(DATABASE_URL), values.integer(DATABASE_POOL_SIZE)),
        new Settings.Leases(
            values.get(LEASE),
            values.get(HEARTBEAT),
            values.get(RUN_DEADLINE),
            values.get(QUEUE_DEADLINE),
            values.get(CALLBACK_DEADLINE),
            values.get(REVIEW_DEADLINE),
            values.get(CANCEL_GRACE),
            values.get(REAPER_INTERVAL)),
        new Settings.Retries(
            values.integer(MAX_FAILURES),
            values.integer(MAX_INTERRUPTIONS),
            values.get(BACKOFF_BASE),
            values.get(BACKOFF_CAP)),
        new Settings.Credits(values.get(MAX_CREDITS_COST), values.get(WELCOME_CREDITS)),
        new Settings.Quota(
            values.integer(QUOTA_ACTIVE_JOBS),
            values.integer(QUOTA_DAILY_JOBS),
            values.get(QUOTA_TENANT_STORAGE),
            values.get(QUOTA_USER_STORAGE)),
        new Settings.Files(
            values.get(MAX_OUTPUT_BYTES),
            values.get(MAX_UPLOAD_BYTES),
            values.get(PART_BYTES),
            values.get(URL_TTL),
            values.optional(SIGNING_SECRET),
            S3Settings.of(values)),
        new Settings.Guard(
            values.optional(GUARD_RULES),
            values.optional(MODERATION_URL),
            values.optional(MODERATION_API_KEY),
            values.get(MODERATION_MODEL),
            values.get(MODERATION_TIMEOUT),
            values.get(MODERATION_FAILURE)),
        services(),
        new Settings.Lanes(values.integer(BATCH_MAX), values.integer(LANE_QUEUE_MAX)),
        new Settings.Rate(
            values.integer(RATE_REQUESTS),
            values.integer(RATE_BURST),
            values.integer(RATE_TENANT_REQUESTS),
            values.integer(RATE_UNAUTHENTICATED)),
        new Settings.Doctor(
            values.get(DOCTOR_STATEMENT), values.get(DOCTOR_LOCK), values.get(DOCTOR_CHECKUP)),
        fleet(),
        new HistoryRetention(values.integer(HISTORY_RETENTION), values.get(HISTORY_ARCHIVE)),
        new WebhookTimes(
            values.get(WEBHOOK_TIMEOUT),
            values.get(WEBHOOK_RETRY),
            values.get(WEBHOOK_DISABLE),
            values.get(WEBHOOK_RETENTION)),
        values.integer(EXECUTOR_SLOTS),
        values.get(LOG_FORMAT),
        new Settings.Metrics(values.get(METRICS_ACCESS), values.optional(METRICS_TOKEN)),
        IdentitySettings.of(values));
  }

  private Settings.Services services() {
    return new Settings.Services(
        values.optional(PROVIDERS_DIR),
        values.optional(PROVIDER_SECRETS),
        values.integer(PROVIDER_SLOTS),
        Objects.requireNonNullElse(values.optional(FETCH_ALLOW), ""),
        known.providers(values));
  }

  private FleetSettings fleet() {
    return new FleetSettings(
        values.optional(FLEET_SECRET),
        values.optional(FLEET_SECRET_PREVIOUS),
        values.get(FLEET_APPROVAL),
        values.integer(FLEET_MAX_WORKERS),
        values.get(FLEET_SILENCE),
        values.integer(TENANT_CONCURRENCY),
        new FleetSettings.Asg(
            values.get(FLEET_ASG_CHECK),
            values.optional(FLEET_ASG_REGION),
            values.optional(FLEET_ASG_ENDPOINT)));
  }
}
