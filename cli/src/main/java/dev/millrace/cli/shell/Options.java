package dev.millrace.cli.shell;

import org.jspecify.annotations.Nullable;

/** The options that every command understands, as typed; null means not typed. */
public record Options(
    @Nullable String url,
    @Nullable String key,
    @Nullable String profile,
    Format format,
    boolean quiet,
    boolean noColor) {

  /** Leaves the key out. */
  @Override
  public String toString() {
    return "Options[url=" + url + ", profile=" + profile + ", format=" + format + "]";
  }
}
