package dev.millrace.engine.job;

import org.jspecify.annotations.Nullable;

/**
 * What somebody says about how far a job is.
 *
 * @param whole whether that is all there is to say; otherwise what is null stays as it was
 */
public record ProgressReport(
    @Nullable Integer percent, @Nullable String step, @Nullable String message, boolean whole) {

  public static final ProgressReport NOTHING = new ProgressReport(null, null, null, false);

  /** Tells all of it; null tells nothing. */
  public static ProgressReport of(@Nullable Progress progress) {
    return progress == null
        ? NOTHING
        : new ProgressReport(progress.percent(), progress.step(), progress.message(), true);
  }

  /** The progress after this was told. */
  public Progress after(Progress before) {
    return new Progress(
        percent == null ? before.percent() : percent,
        step == null && !whole ? before.step() : step,
        message == null && !whole ? before.message() : message);
  }
}
