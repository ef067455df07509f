package dev.millrace.postgres.outside;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A result that arrived after its job had ended.
 *
 * @param files a JSON list of them, with their keys in the store
 * @param summary a JSON object
 */
public record LateResultView(
    int tenantId,
    UUID jobId,
    int attempt,
    String files,
    String summary,
    Instant receivedAt,
    Decision decision) {

  /** What was decided about it, when and by whom. */
  public record Decision(
      LateResultState state, @Nullable Instant decidedAt, @Nullable String actor) {}
}
