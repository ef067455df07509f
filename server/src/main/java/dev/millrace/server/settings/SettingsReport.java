package dev.millrace.server.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The effective settings as {@code millrace config} prints them, with secrets masked. */
public final class SettingsReport {

  /** Shown for a setting that has neither a value nor a default. */
  private static final String NOT_SET = "(not set)";

  private final List<Row> rows;
  private final @Nullable Path file;

  private SettingsReport(List<Row> rows, @Nullable Path file) {
    this.rows = rows;
    this.file = file;
  }

  /** Where a value came from. */
  public enum Source {
    ENVIRONMENT("env"),
    FILE("file"),
    DEFAULT("default");

    private final String label;

    Source(String label) {
      this.label = label;
    }

    /** The word that people and scripts see. */
    public String label() {
      return label;
    }
  }

  /**
   * One setting.
   *
   * @param name its environment variable
   * @param key its key in the properties file
   * @param value the effective value, masked where it is secret
   */
  public record Row(String name, String key, String value, Source source, String description) {}

  /**
   * Loads the settings as {@link Settings#load} does and keeps where each came from.
   *
   * @throws SettingsException with every mistake that was found
   */
  public static SettingsReport load(Map<String, String> environment, Path workingDir) {
    SettingsLoader loaded = SettingsLoader.load(environment, workingDir);
    List<Row> rows =
        loaded.known().all().stream().map(setting -> row(setting, loaded.values())).toList();
    return new SettingsReport(rows, loaded.file());
  }

  /** Every setting, in the order of the documentation; those of providers come last. */
  public List<Row> rows() {
    return rows;
  }

  /** The properties file that was read, if there was one. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** The rows as columns for a terminal, one setting per line. */
  public String text() {
    int name = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
    int value = rows.stream().mapToInt(row -> row.value().length()).max().orElse(0);
    String format = "%-" + name + "s  %-" + value + "s  %-7s  %s\n";
    return rows.stream()
        .map(row ->
            format.formatted(row.name(), row.value(), row.source().label(), row.description()))
        .collect(Collectors.joining());
  }

  private static Row row(Setting<?> setting, Values values) {
    return values
        .find(setting)
        .map(found -> row(setting, found.shown(), found.source()))
        .orElseGet(() -> row(setting, NOT_SET, Source.DEFAULT));
  }

  private static Row row(Setting<?> setting, String value, Source source) {
    return new Row(setting.environmentName(), setting.key(), value, source, setting.description());
  }
}
