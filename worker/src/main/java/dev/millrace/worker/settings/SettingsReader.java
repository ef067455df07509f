package dev.millrace.worker.settings;

import static dev.millrace.worker.settings.Variable.*;

import dev.millrace.worker.settings.WorkerSettings.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the environment and collects what is wrong with it. */
final class SettingsReader {

  private static final long MB = 1024 * 1024;
  private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");
  private static final Pattern WORKER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");
  private static final List<String> OUR_PREFIXES =
      List.of("COMFYUI_", "COMFY_CLOUD_", "COMMAND_", "SPOT_", "WORKER_");

  private final Map<String, String> environment;
  private final List<String> mistakes = new ArrayList<>();

  private SettingsReader(Map<String, String> environment) {
    this.environment = environment;
  }

  static WorkerSettings read(Map<String, String> environment) {
    SettingsReader reader = new SettingsReader(environment);
    WorkerSettings settings = reader.settings();
    reader.lookForTypingMistakes();
    if (!reader.mistakes.isEmpty()) {
      throw new WorkerSettingsException(reader.mistakes);
    }
    return settings;
  }

  private WorkerSettings settings() {
    WorkerSettings settings =
        new WorkerSettings(
            web(MILLRACE_URL).orElse(URI.create("http://invalid")),
            new Secret(text(MILLRACE_FLEET_SECRET).orElse("")),
            workflows(),
            matching(WORKER_ID, WORKER, "letters, digits, dots, dashes and colons"),
            text(WORKER_TOKEN).map(Secret::new),
            (int) number(SLOTS, 1, 256),
            path(WORK_DIR),
            number(DISK_BUDGET_MB, 1, 100_000_000) * MB,
            number(MAX_OUTPUT_MB, 1, 1_000_000) * MB,
            Duration.ofSeconds(number(DRAIN_SECONDS, 0, 86_400)),
            choice(LOG_FORMAT, WorkerSettings.LogFormat.class),
            matching(DEFAULT_EXECUTOR, SLUG, "the name of an executor"),
            path(EXECUTORS_DIR),
            comfyUi(),
            comfyCloud(),
            command(),
            aws());
    boolean none =
        settings.comfyUi().isEmpty()
            && settings.comfyCloud().isEmpty()
            && settings.command().isEmpty()
            && settings.executorsDir().isEmpty();
    if (none && mentionsNone(COMFYUI_URL, COMFY_CLOUD_API_KEY, COMMAND, EXECUTORS_DIR)) {
      mistakes.add(
          "There is nothing to run jobs with: set COMFYUI_URL, COMFY_CLOUD_API_KEY, COMMAND or"
              + " EXECUTORS_DIR.");
    }
    return settings;
  }

  private Optional<WorkerSettings.ComfyUi> comfyUi() {
    Duration poll = millis(COMFYUI_POLL_MILLIS);
    Duration away = Duration.ofSeconds(number(COMFYUI_RETURN_SECONDS, 0, 3_600));
    Duration stall = Duration.ofSeconds(number(COMFYUI_STALL_SECONDS, 10, 86_400));
    return web(COMFYUI_URL).map(url -> new WorkerSettings.ComfyUi(url, poll, away, stall));
  }

  private Optional<WorkerSettings.ComfyCloud> comfyCloud() {
    Duration poll = millis(COMFY_CLOUD_POLL_MILLIS);
    Optional<URI> url = web(COMFY_CLOUD_URL);
    Optional<String> key = text(COMFY_CLOUD_API_KEY);
    Duration stall = Duration.ofSeconds(number(COMFY_CLOUD_STALL_SECONDS, 60, 604_800));
    return url.flatMap(at ->
        key.map(secret -> new WorkerSettings.ComfyCloud(at, new Secret(secret), poll, stall)));
  }

  private Optional<WorkerSettings.Command> command() {
    Duration kill = Duration.ofSeconds(number(COMMAND_KILL_SECONDS, 0, 600));
    Duration stall = Duration.ofSeconds(number(COMMAND_STALL_SECONDS, 0, 604_800));
    boolean inherit = choice(COMMAND_STDERR, Stderr.class) == Stderr.INHERIT;
    return read(COMMAND, "words, with quotes that are closed", Words::of)
        .map(words -> words.stream().map(SettingsReader::fromHere).toList())
        .map(words -> new WorkerSettings.Command(words, inherit, kill, stall));
  }

  /** The program runs in a folder of its job, where a path that is good here would lead nowhere. */
  private static String fromHere(String word) {
    try {
      Path path = Path.of(word);
      return word.indexOf('/') > 0 && !path.isAbsolute() && Files.isRegularFile(path)
          ? path.toAbsolutePath().normalize().toString()
          : word;
    } catch (InvalidPathException _) {
      return word;
    }
  }

  private WorkerSettings.Aws aws() {
    return new WorkerSettings.Aws(
        choice(SPOT, WorkerSettings.Switch.class),
        millis(SPOT_POLL_MILLIS),
        choice(SPOT_REBALANCE, Rebalance.class) == Rebalance.REQUEUE,
        choice(SCALE_IN_PROTECTION, OnOff.class) == OnOff.ON,
        text(ASG_NAME),
        matching(AWS_REGION, Pattern.compile("[a-z0-9-]{1,40}"), "a region such as eu-central-1"),
        web(AWS_EC2_METADATA_SERVICE_ENDPOINT).orElse(URI.create("http://169.254.169.254")));
  }

  private enum Stderr {
    DISCARD,
    INHERIT
  }

  private enum Rebalance {
    REQUEUE,
    IGNORE
  }

  private enum OnOff {
    OFF,
    ON
  }

  private List<String> workflows() {
    return read(
            WORKFLOWS,
            "slugs with commas between them, such as portrait,upscale",
            text -> {
              List<String> slugs = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
              if (!slugs.stream().allMatch(slug -> SLUG.matcher(slug).matches())) {
                throw new IllegalArgumentException("slug");
              }
              return slugs.stream().distinct().toList();
            })
        .orElse(List.of());
  }

  /** The value, or the default if that is a value; empty counts as not set. */
  private Optional<String> text(Variable variable) {
    String value = environment.getOrDefault(variable.name(), "").strip();
    if (!value.isEmpty()) {
      return Optional.of(value);
    }
    if (variable.required()) {
      mistakes.add(variable.name() + " is not set. " + variable.meaning());
    }
    boolean isValue = !variable.required() && !variable.otherwise().contains(" ");
    return isValue && !variable.otherwise().equals("none")
        ? Optional.of(variable.otherwise())
        : Optional.empty();
  }

  private <T> Optional<T> read(Variable variable, String allowed, Function<String, T> reader) {
    Optional<String> text = text(variable);
    try {
      return text.map(reader);
    } catch (IllegalArgumentException _) {
      boolean secret = variable == COMMAND || variable == COMFY_CLOUD_API_KEY;
      String value = secret ? "its value" : "'" + text.orElse("") + "'";
      mistakes.add(variable.name() + " must be " + allowed + ", not " + value + ".");
      return Optional.empty();
    }
  }

  private long number(Variable variable, long min, long max) {
    return read(
            variable,
            "a whole number from " + min + " to " + max,
            text -> {
              long number = Long.parseLong(text);
              if (number < min || number > max) {
                throw new IllegalArgumentException("out of range");
              }
              return number;
            })
        .orElse(min);
  }

  private Duration millis(Variable variable) {
    return Duration.ofMillis(number(variable, 10, 3_600_000));
  }

  private Optional<String> matching(Variable variable, Pattern pattern, String allowed) {
    return read(
        variable,
        allowed,
        text -> {
          if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException("pattern");
          }
          return text;
        });
  }

  private Optional<Path> path(Variable variable) {
    return read(
        variable,
        "a path",
        text -> {
          try {
            return Path.of(text).toAbsolutePath().normalize();
          } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e);
          }
        });
  }

  private Optional<URI> web(Variable variable) {
    return read(variable, "an http or https address", SettingsReader::address);
  }

  private static URI address(String text) {
    try {
      URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      boolean fine =
          List.of("http", "https").contains(String.valueOf(uri.getScheme()))
              && uri.getHost() != null
              && uri.getUserInfo() == null
              && uri.getQuery() == null
              && uri.getFragment() == null;
      if (!fine) {
        throw new IllegalArgumentException("address");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private <E extends Enum<E>> E choice(Variable variable, Class<E> type) {
    E[] all = type.getEnumConstants();
    String allowed =
        "one of " + String.join(", ", Arrays.stream(all).map(SettingsReader::word).toList());
    return read(variable, allowed, text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)))
        .orElse(all[0]);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private boolean mentionsNone(Variable... variables) {
    return Arrays.stream(variables)
        .noneMatch(one -> !environment.getOrDefault(one.name(), "").isBlank());
  }

  /**
   * The environment is full of names that are nobody's business here, so only those are told that
   * are a letter or two away from one of ours that isn't set; three if they begin like ours.
   */
  private void lookForTypingMistakes() {
    List<String> unset =
        WorkerSettings.names().stream().filter(name -> !environment.containsKey(name)).toList();
    environment.keySet().stream()
        .filter(name -> Variable.named(name).isEmpty())
        .sorted()
        .forEach(name -> {
          int tolerance = name.length() < 8 ? 1 : 2;
          boolean ours = OUR_PREFIXES.stream().anyMatch(name::startsWith);
          Optional<String> meant = Nearest.to(name, unset, ours ? 3 : tolerance);
          meant.ifPresent(
              known -> mistakes.add(name + " is not a setting; did you mean " + known + "?"));
        });
  }
}
