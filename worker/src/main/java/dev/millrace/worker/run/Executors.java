package dev.millrace.worker.run;

import dev.millrace.spi.executor.Executor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The executors of this worker, by name. */
public final class Executors {

  private final Map<String, Executor> byName = new LinkedHashMap<>();
  private final Executor otherwise;

  /**
   * All of them, the first being the one for jobs that name none.
   *
   * @throws IllegalArgumentException if there is none, two have the same name, or the default isn't
   *     among them; the message is for people
   */
  public Executors(List<Executor> executors, Optional<String> otherwise) {
    for (Executor executor : executors) {
      if (byName.put(executor.name(), executor) != null) {
        throw new IllegalArgumentException("two executors are called " + executor.name());
      }
    }
    if (byName.isEmpty()) {
      throw new IllegalArgumentException("no executor was found");
    }
    String name = otherwise.orElse(executors.getFirst().name());
    Executor chosen = byName.get(name);
    if (chosen == null) {
      throw new IllegalArgumentException(
          "DEFAULT_EXECUTOR is " + name + ", but there are only " + names());
    }
    this.otherwise = chosen;
  }

  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  Optional<Executor> of(Optional<String> provider) {
    return provider.isEmpty()
        ? Optional.of(otherwise)
        : Optional.ofNullable(byName.get(provider.get()));
  }

  /** Why this one can't work now; empty if it can. */
  Optional<String> trouble(String name) throws InterruptedException {
    Executor executor = byName.get(name);
    return executor == null ? Optional.empty() : executor.trouble();
  }
}
