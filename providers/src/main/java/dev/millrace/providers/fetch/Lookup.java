package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Gap;
import dev.millrace.providers.fetch.FetchResult.Phase;
import dev.millrace.providers.fetch.FetchResult.Trouble;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Resolves a host once. An operating system's lookup can't be interrupted, but abandoned. */
final class Lookup {

  private static final long LOOK_MILLIS = 50;
  private static final int MOST_ADDRESSES = 64;

  private final NameResolver resolver;

  Lookup(NameResolver resolver) {
    this.resolver = resolver;
  }

  List<InetAddress> addresses(Host host, Duration most, FetchDeadline deadline)
      throws FetchTrouble {
    return switch (host) {
      case Host.Literal(_, InetAddress address) -> List.of(address);
      case Host.Name(String name) -> resolve(name, most, deadline);
    };
  }

  private List<InetAddress> resolve(String name, Duration most, FetchDeadline deadline)
      throws FetchTrouble {
    FutureTask<List<InetAddress>> task = new FutureTask<>(() -> resolver.resolve(name));
    // A thread of its own: a native lookup would hold up a carrier of virtual threads.
    Thread.ofPlatform().daemon().name("fetch-lookup").start(task);
    deadline.within(most, Phase.NAME);
    try {
      while (true) {
        Optional<Trouble> pulled = deadline.pulled();
        if (pulled.isPresent()) {
          throw new FetchTrouble(pulled.get());
        }
        try {
          return plain(task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
          // Not yet.
        }
      }
    } catch (ExecutionException | UnknownHostException e) {
      throw FetchTrouble.unreachable(Gap.NAME);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FetchTrouble(new FetchResult.Stopped());
    }
  }

  /** Without names and zones, so that nothing but the address decides. */
  private static List<InetAddress> plain(List<InetAddress> found)
      throws UnknownHostException, FetchTrouble {
    if (found.isEmpty() || found.size() > MOST_ADDRESSES) {
      throw FetchTrouble.unreachable(Gap.NAME);
    }
    List<InetAddress> plain = new ArrayList<>();
    for (InetAddress address : found) {
      plain.add(InetAddress.getByAddress(address.getAddress()));
    }
    return plain;
  }
}
