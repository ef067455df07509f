package dev.millrace.service.fleet;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.access.SharedLookups;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Turns a bearer token into a worker, or refuses; and remembers who was heard of. */
public final class WorkerTokens {

  /** As long as a revoked token may be taken for good at most, if its signal gets lost. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 50_000;
  private static final String SCHEME = "bearer ";

  private final Workers workers;
  private final RequestRates rates;
  private final SharedLookups<Optional<WorkerView>> known;
  private final Map<UUID, String> hashes = new ConcurrentHashMap<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  WorkerTokens(Workers workers, RequestRates rates) {
    this.workers = workers;
    this.rates = rates;
    this.known = new SharedLookups<>(MEMORY, MOST_REMEMBERED, workers::byToken);
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

  /** Whose token this is, unless it was revoked. */
  public Caller require(Request request) {
    String hash =
        bearer(request)
            .flatMap(WorkerToken::parse)
            .map(WorkerToken::hash)
            .orElseThrow(() -> {
              rates.requirePatience(request.remoteAddress());
              rates.countStranger(request.remoteAddress());
              return bearer(
                  new ProblemException(
                      401,
                      "worker_unknown",
                      "Send the token that the registration gave, as a bearer."));
            });
    Caller caller = remembered(hash);
    seen.add(caller.id());
    return caller;
  }

  /** The caller as it is by the newest signal that came, mostly without a query. */
  Caller again(Caller caller) {
    return remembered(caller.hash());
  }

  /**
   * The caller after it said whether it can run anything. That is written only when it is news, and
   * an old worker that never says is one that can.
   *
   * @param notReady why it can't; null if it can
   */
  Caller said(Caller caller, @Nullable String notReady) {
    String reason = notReady == null ? null : OwnerText.line(notReady);
    if (Objects.equals(reason, caller.worker().notReadyReason())) {
      return caller;
    }
    workers.ready(caller.id(), reason);
    return look(caller);
  }

  private Caller remembered(String hash) {
    return admitted(hash, known.get(hash));
  }

  /** The caller as the database has it now. */
  Caller look(Caller caller) {
    Optional<WorkerView> now = workers.byToken(caller.hash());
    known.put(caller.hash(), now);
    return admitted(caller.hash(), now);
  }

  /** Anything may have changed. */
  void forgetAll() {
    known.forgetAll();
  }

  /** Something may have changed about these workers: they are looked up again. */
  void forget(Collection<UUID> uids) {
    if (hashes.size() > 2 * MOST_REMEMBERED) {
      hashes.clear();
    }
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

  private Caller admitted(String hash, Optional<WorkerView> found) {
    WorkerView worker =
        found.orElseThrow(() ->
            bearer(
                new ProblemException(
                    401,
                    "worker_unknown",
                    "This token is of no worker here. Register to get another.")));
    if (worker.revoked()) {
      throw bearer(
          new ProblemException(
              401,
              "worker_revoked",
              "An admin revoked this worker. Stop: its jobs went to others."));
    }
    hashes.put(worker.uid(), hash);
    return new Caller(worker, hash);
  }

  /** Those that were heard of since this was asked last. */
  List<String> takeSeen() {
    List<String> taken = List.copyOf(seen);
    taken.forEach(seen::remove);
    return taken;
  }

  private static Optional<String> bearer(Request request) {
    return request
        .header("authorization")
        .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(header -> header.substring(SCHEME.length()).strip());
  }

  private static ProblemException bearer(ProblemException problem) {
    return problem.header("WWW-Authenticate", "Bearer");
  }
}
