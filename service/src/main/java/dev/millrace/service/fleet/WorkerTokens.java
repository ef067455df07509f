package dev.millrace.service.fleet;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.access.SharedLookups;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Turns a token into a worker, or says why not; and remembers who was heard of. */
public final class WorkerTokens {

  /** As long as a revoked token may be taken for good at most, if its signal gets lost. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 50_000;

  private final Workers workers;
  private final SharedLookups<Optional<WorkerView>> known;

  /** Which token a signal about a worker concerns. What drops out here is forgotten there, too. */
  private final ConcurrentMap<UUID, String> hashes;

  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  WorkerTokens(Workers workers) {
    this(workers, MOST_REMEMBERED);
  }

  /** Remembers only so many. */
  WorkerTokens(Workers workers, int mostRemembered) {
    this.workers = workers;
    this.known = new SharedLookups<>(MEMORY, mostRemembered, workers::byToken);
    this.hashes =
        Caffeine.newBuilder()
            .maximumSize(mostRemembered)
            .executor(Runnable::run)
            .evictionListener(
                (@Nullable UUID uid, @Nullable String hash, RemovalCause cause) -> forgetHash(hash))
            .<UUID, String>build()
            .asMap();
  }

  private void forgetHash(@Nullable String hash) {
    if (hash != null) {
      known.forget(hash);
    }
  }

  /**
   * A worker that showed its token.
   *
   * @param hash of the token, to look it up again
   */
  public record Caller(WorkerView worker, String hash) {
    public String id() {
      return worker.id();
    }
  }

  /** What a token is worth. */
  public sealed interface Admission {}

  public record Admitted(Caller caller) implements Admission {}

  /** Why a token opens nothing. */
  public enum Refusal implements Admission {
    /** There is none, or it can't be one of ours. */
    MISSING,
    /** It is of no worker here. */
    UNKNOWN,
    /** An admin revoked its worker. */
    REVOKED
  }

  /** Whose token this is, unless it was revoked. */
  public Admission admit(Optional<String> token) {
    Optional<String> hash = token.flatMap(WorkerToken::parse).map(WorkerToken::hash);
    if (hash.isEmpty()) {
      return Refusal.MISSING;
    }
    Admission admission = remembered(hash.get());
    if (admission instanceof Admitted(Caller caller)) {
      seen.add(caller.id());
    }
    return admission;
  }

  /** The caller as it is by the newest signal that came, mostly without a query. */
  Admission again(Caller caller) {
    return remembered(caller.hash());
  }

  /**
   * The caller after it said whether it can run anything. That is written only when it is news, and
   * an old worker that never says is one that can.
   *
   * @param notReady why it can't; null if it can
   */
  Admission said(Caller caller, @Nullable String notReady) {
    String reason = notReady == null ? null : OwnerText.line(notReady);
    if (Objects.equals(reason, caller.worker().readiness().notReadyReason())) {
      return new Admitted(caller);
    }
    try {
      workers.ready(caller.id(), reason);
    } catch (Store.Busy _) {
      // Somebody holds its row. It says so again with its next poll.
      return new Admitted(caller);
    }
    return look(caller);
  }

  private Admission remembered(String hash) {
    return admitted(hash, known.get(hash));
  }

  /** The caller as the database has it now. */
  Admission look(Caller caller) {
    Optional<WorkerView> now = workers.byToken(caller.hash());
    known.put(caller.hash(), now);
    return admitted(caller.hash(), now);
  }

  /** An admin changed a worker here; the other nodes hear of it by a signal. */
  public void changed(WorkerView worker) {
    forget(List.of(worker.uid()));
  }

  /** Anything may have changed. */
  void forgetAll() {
    known.forgetAll();
  }

  /** Something may have changed about these workers: they are looked up again. */
  void forget(Collection<UUID> uids) {
    for (UUID uid : uids) {
      // In one step: who finds nothing to forget may rely on it that it is forgotten.
      hashes.computeIfPresent(
          uid,
          (_, hash) -> {
            known.forget(hash);
            return null;
          });
    }
  }

  private Admission admitted(String hash, Optional<WorkerView> found) {
    if (found.isEmpty()) {
      return Refusal.UNKNOWN;
    }
    WorkerView worker = found.get();
    if (worker.revoked()) {
      return Refusal.REVOKED;
    }
    hashes.put(worker.uid(), hash);
    return new Admitted(new Caller(worker, hash));
  }

  /** Those that were heard of since this was asked last. */
  List<String> takeSeen() {
    List<String> taken = List.copyOf(seen);
    taken.forEach(seen::remove);
    return taken;
  }
}
