package dev.millrace.engine.sim;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A callback that nobody has judged, and the attempt that it speaks of.
 *
 * @param job null if nobody has stored its reference yet
 * @param token of the attempt's lease, which may be over
 */
public record WaitingCallback(Callback.Id id, @Nullable JobId job, @Nullable UUID token) {}
