package dev.millrace.service.outside;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The places in which one service's results are fetched. Whose results come slowly never holds more
 * than half of them, nor do results that were put off before, whoever's they are. So there is
 * always a place that becomes free soon.
 */
final class FetchRoom {

  /** More than that are asked about again later, by whichever node has time. */
  private static final int WAITING_PER_PLACE = 8;

  /** One who has fewer fetches under way is next, and the work that failed less often. */
  private final Comparator<Entry> order =
      Comparator.<Entry>comparingInt(each -> ofTenant(each.fetch.payer().tenant()))
          .thenComparingInt(each -> of(each.fetch.payer()))
          .thenComparingInt(each -> each.fetch.setbacks())
          .thenComparingLong(each -> each.number);

  private final int places;
  private final List<Entry> waiting = new ArrayList<>();
  private final List<Entry> busy = new ArrayList<>();
  private long entries;
  private boolean closed;

  /** Whose credits pay for it. */
  record Payer(int tenant, long wallet) {}

  /** One result that is to be fetched. */
  interface Fetch {
    Payer payer();

    /** How often it was put off before. */
    int setbacks();

    String name();

    void run();
  }

  /**
   * How full it is.
   *
   * @param busy how many are fetched
   * @param places how many could be
   * @param waiting how many wait for a place
   */
  record Standing(int busy, int places, int waiting) {}

  private record Entry(Fetch fetch, long number) {}

  FetchRoom(int places) {
    this.places = places;
  }

  /** Fetches it when its turn comes; false if too much waits already, for this payer or at all. */
  synchronized boolean enter(Fetch fetch) {
    int most = places * WAITING_PER_PLACE;
    long own = waiting.stream().filter(each -> each.fetch.payer().equals(fetch.payer())).count();
    if (closed || waiting.size() >= most || own >= half(most)) {
      return false;
    }
    waiting.add(new Entry(fetch, entries++));
    begin();
    return true;
  }

  /** Takes out what still waits for its turn; false for what has begun. */
  synchronized boolean leave(Fetch fetch) {
    return waiting.removeIf(each -> each.fetch.equals(fetch));
  }

  synchronized Standing standing() {
    return new Standing(busy.size(), places, waiting.size());
  }

  /** From now on nothing begins; what waits is given back. */
  synchronized List<Fetch> close() {
    closed = true;
    List<Fetch> left = waiting.stream().map(Entry::fetch).toList();
    waiting.clear();
    return left;
  }

  private synchronized void end(Entry entry) {
    busy.remove(entry);
    begin();
  }

  private void begin() {
    Optional<Entry> next = next();
    while (next.isPresent()) {
      Entry entry = next.get();
      waiting.remove(entry);
      busy.add(entry);
      Thread.ofVirtual().name(entry.fetch.name()).start(() -> run(entry));
      next = next();
    }
  }

  private void run(Entry entry) {
    try {
      entry.fetch.run();
    } finally {
      end(entry);
    }
  }

  private Optional<Entry> next() {
    return busy.size() < places
        ? waiting.stream().filter(each -> mayBegin(each.fetch)).min(order)
        : Optional.empty();
  }

  private boolean mayBegin(Fetch fetch) {
    long again = busy.stream().filter(each -> each.fetch.setbacks() > 0).count();
    return of(fetch.payer()) < half(places) && (fetch.setbacks() == 0 || again < half(places));
  }

  private int of(Payer payer) {
    return (int) busy.stream().filter(each -> each.fetch.payer().equals(payer)).count();
  }

  private int ofTenant(int tenant) {
    return (int) busy.stream().filter(each -> each.fetch.payer().tenant() == tenant).count();
  }

  private static int half(int all) {
    return Math.max(1, all / 2);
  }
}
