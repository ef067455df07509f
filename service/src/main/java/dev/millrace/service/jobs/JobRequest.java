package dev.millrace.service.jobs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What a client asks for, checked for its form only. */
public record JobRequest(
    String effect,
    ObjectNode input,
    String user,
    @Nullable String idempotencyKey,
    int priority,
    @Nullable Instant runAt) {

  JobRequest withPriority(int other) {
    return new JobRequest(effect, input, user, idempotencyKey, other, runAt);
  }
}
